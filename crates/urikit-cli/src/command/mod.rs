//! The subcommands, one file or folder each: its arguments, its help and its work.

mod base;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decode;
pub(crate) mod edit;
pub(crate) mod encode;
pub(crate) mod explain;
pub(crate) mod get;
pub(crate) mod man;
pub(crate) mod normalize;
pub(crate) mod parse;
mod percent;
pub(crate) mod relativize;
pub(crate) mod resolve;
