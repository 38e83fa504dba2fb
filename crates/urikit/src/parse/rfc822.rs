//! RFC 822's `addr-spec` as all of a part of a URL: the standard has checked the characters, and
//! the scheme requires that they form an address (RFC 1738, 3.5; RFC 2392, 2).
//!
//! It uses the parser's production (`addr_spec.rs`), which reads the decoded text, so `%40` counts
//! as `@` too.

use super::addr_spec::{Context, parts};
use crate::grammar::{ByteSet, rfc822, rfc3986};

/// The offsets of an address's parts: the end of its local part and the start of its domain.
pub type AddrSpec = (usize, usize);

const CONTEXT: Context = Context {
    unescaped: &ByteSet::range(0, 127).without(ByteSet::of(b"%")),
    escape: &rfc3986::PCT_ENCODED,
    production: &rfc822::ADDR_SPEC,
};

/// Reads all of `text`, which contains no `#`, as an `addr-spec`.
///
/// # Errors
///
/// The offset at which no `addr-spec` can continue.
pub fn addr_spec(text: &str) -> Result<AddrSpec, usize> {
    match parts(text.as_bytes(), 0, &CONTEXT) {
        Ok(parts) => Ok((parts.local_end, parts.domain)),
        Err(error) => Err(usize::try_from(error.offset()).unwrap_or(text.len())),
    }
}
