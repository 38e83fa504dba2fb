//! `uri encode` and `uri decode`, which share most options.

pub(crate) mod decode;
pub(crate) mod encode;
mod options;
mod work;
