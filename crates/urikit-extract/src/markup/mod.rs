//! Text formats with a markup of their own, one file for each.
//!
//! Each file has one function, which goes through a complete document once and tells a [`Prose`]
//! what is there: a reference of the markup, or text, with the escapes of the language undone.

pub(crate) mod asciidoc;
pub(crate) mod css;
pub(crate) mod har;
pub(crate) mod icalendar;
mod json;
pub(crate) mod jupyter;
pub(crate) mod latex;
mod lines;
pub(crate) mod org;
mod prose;
pub(crate) mod roff;
pub(crate) mod rst;
#[cfg(feature = "xml")]
pub(crate) mod xml;

use prose::Prose;
