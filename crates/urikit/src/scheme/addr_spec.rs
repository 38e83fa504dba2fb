//! RFC 822's `addr-spec` in a URL, where the standard has judged the characters and the scheme's text
//! wants an address of them (RFC 1738, 3.5; RFC 2392, 2).
//!
//! It is the parser's own production (`parse/addr_spec.rs`): the decoded text counts, so that `%40` is the
//! `@` as well.

use crate::grammar::{ByteSet, rfc822, rfc3986};
use crate::parse::addr_spec::{Context, parts};

/// Where the parts of an address are: the end of its local part, and the beginning of its domain.
pub(super) type AddrSpec = (usize, usize);

const CONTEXT: Context = Context {
    unescaped: &ByteSet::range(0, 127).without(ByteSet::of(b"%")),
    escape: &rfc3986::PCT_ENCODED,
    production: &rfc822::ADDR_SPEC,
};

/// Reads all of `text`, which holds no `#`, as an `addr-spec`; else the offset at which none can go on.
pub(super) fn addr_spec(text: &str) -> Result<AddrSpec, usize> {
    match parts(text.as_bytes(), 0, &CONTEXT) {
        Ok(parts) => Ok((parts.local_end, parts.domain)),
        Err(error) => Err(usize::try_from(error.offset()).unwrap_or(text.len())),
    }
}
