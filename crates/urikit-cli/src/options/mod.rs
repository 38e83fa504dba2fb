//! Options that several subcommands share.

mod common;
mod lenient;
mod reporting;
mod scheme_text;
mod separator;

pub(crate) use common::Common;
pub(crate) use lenient::Lenient;
pub(crate) use reporting::Reporting;
pub(crate) use scheme_text::SchemeText;
pub(crate) use separator::Separator;
