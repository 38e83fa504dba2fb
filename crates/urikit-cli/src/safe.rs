//! Untrusted text on a terminal: its safe form, its width, and lines that fit.

pub(crate) use urikit_report::safe::{is_safe, quoted, safe};
pub(crate) use urikit_report::text::{char_width, width, wrap};
