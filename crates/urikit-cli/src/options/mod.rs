//! Options that several subcommands share.

mod common;
mod distinct;
mod filters;
mod format;
mod lenient;
mod print0;
mod reporting;
mod scheme_text;
mod selection;
mod separator;
mod words;

pub(crate) use common::Common;
pub(crate) use distinct::{Distinct, Tally};
pub(crate) use filters::Where;
pub(crate) use lenient::Lenient;
pub(crate) use print0::Print0;
pub(crate) use reporting::Reporting;
pub(crate) use scheme_text::SchemeText;
pub(crate) use selection::Selection;
pub(crate) use separator::Separator;
pub(crate) use words::{Suggest, words};
