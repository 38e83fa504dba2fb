//! Options that several subcommands share.

mod common;
mod lenient;
mod print0;
mod reporting;
mod scheme_text;
mod separator;
mod words;

pub(crate) use common::Common;
pub(crate) use lenient::Lenient;
pub(crate) use print0::Print0;
pub(crate) use reporting::Reporting;
pub(crate) use scheme_text::SchemeText;
pub(crate) use separator::Separator;
pub(crate) use words::{Suggest, words};
