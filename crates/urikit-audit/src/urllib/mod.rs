//! How Python reads a URL: a model of `urllib.parse.urlsplit` of CPython 3.13.0, and the
//! properties `username`, `password`, `hostname` and `port` of its result.
//!
//! Measured with that version (`tests/programs/urllib.py`; the test `models` compares the two
//! where it is installed). Older versions differ: before 3.6.14 and 3.9.5, tabs and line breaks
//! stay; before 3.11.4, leading spaces and control characters stay; before 3.11.4, brackets may
//! contain anything. 3.13.2 rejects text around the brackets, which 3.13.0 ignores.
//!
//! - Leading spaces and control characters, and all tabs, CR and LF, are removed.
//! - What precedes the first colon is a scheme if it has the characters of one; otherwise all of
//!   the input is a relative reference.
//! - The authority ends at the first `/`, `?` or `#`; the userinfo at its last `@`. The host is
//!   what is between brackets, or ends at the first colon. It is put into lower case, up to a `%`.
//! - Only these are errors: one bracket without the other, no IP address between brackets, a host
//!   in which Unicode's NFKC makes one of `/?#@:`, and a port that is not a decimal number up to
//!   65535. The last is raised when `port` is asked for; here it rejects the URL.

mod error;
mod parse;

pub use error::UrllibError;
pub(crate) use parse::read;
