//! Makes untrusted text safe for a terminal, measures its width, and breaks it into lines that fit.

pub(crate) use urikit_report::safe::{is_safe, quoted, safe};
pub(crate) use urikit_report::text::{char_width, width, wrap};
