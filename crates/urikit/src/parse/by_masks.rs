//! The fast path of each standard: which grammar the reader of [`fast`](mod@super::fast) is used with.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

use super::fast::{Packed, ReferenceReader};
use super::{rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};
use crate::Standard;
use crate::scan::ascii::{self, Ascii};

/// Parses `text` as a reference of `standard`, or returns `None` to leave it to the byte-by-byte
/// parser. Inputs that the fast path accepts are US-ASCII.
#[inline(always)]
pub(super) fn reference(text: &str, standard: Standard) -> Option<(Ascii<'_>, Packed)> {
    // Where the standard is a constant, a single one of these calls is left.
    match standard {
        Standard::Rfc1630 => ascii::read::<ReferenceReader<rfc1630::Fast>>(text),
        Standard::Rfc1738 => ascii::read::<ReferenceReader<rfc1738::Fast>>(text),
        Standard::Rfc1808 => ascii::read::<ReferenceReader<rfc1808::Fast>>(text),
        Standard::Rfc2396 => ascii::read::<ReferenceReader<rfc2396::Fast>>(text)
            .filter(|(_, found)| !found.has_ipv6_address()),
        Standard::Rfc2732 => ascii::read::<ReferenceReader<rfc2396::Fast>>(text),
        // The two allow the same US-ASCII references.
        Standard::Rfc3986 | Standard::Rfc3987 => {
            ascii::read::<ReferenceReader<rfc3986::Fast>>(text)
        }
    }
}
