//! `uri encode` and `uri decode`, and what the two share.

pub(crate) mod decode;
pub(crate) mod encode;
mod options;
mod work;
