//! The subcommands. Each file or folder contains the arguments, the help and the code of one
//! subcommand, or of two that share code.

pub(crate) mod audit;
mod base;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod fetch;
pub(crate) mod get;
pub(crate) mod json_schema;
pub(crate) mod man;
pub(crate) mod normalize;
pub(crate) mod parse;
mod percent;
pub(crate) mod schemes;
#[cfg(feature = "serve")]
pub(crate) mod serve;

pub(crate) use base::{relativize, resolve};
pub(crate) use fetch::send;
pub(crate) use percent::{decode, encode};
