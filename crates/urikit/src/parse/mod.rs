//! From bytes to offsets: one file for each text's generic grammar, one function for each
//! production.
//!
//! Every function takes the whole text and an offset, and gives the offset behind its production
//! or the place where it breaks. That place is exact (see [`SyntaxError::offset`]): where a
//! production is a choice that the next byte does not settle, all alternatives are followed and
//! the furthest failure counts.
//!
//! All of this is `const`, needs no memory, and takes time linear in the length of the text. `fast` reads most
//! texts at run time by masks, and gives the same.
//!
//! [`SyntaxError::offset`]: crate::error::SyntaxError::offset

pub(crate) mod addr_spec;
mod fast;
mod ip;
mod packed;
pub(crate) mod parts;
mod rfc1630;
mod rfc1738;
mod rfc1808;
mod rfc2396;
mod rfc3986;
pub(crate) mod scan;
#[cfg(all(test, feature = "alloc"))]
mod tests;
pub(crate) mod text;

use crate::Standard;
use crate::error::{Expected, Found, ParseError, SyntaxError};
use crate::scan::cut::Cut;
pub(crate) use parts::Parts;
pub(crate) use rfc1630::is_article;
pub(crate) use rfc1738::host as rfc1738_host;

/// The length of the longest text that can be parsed: 4 GiB - 1.
pub const MAX_LEN: usize = u32::MAX as usize;

/// Which production judges where RFC 1630 and RFC 1738 give two verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Production {
    /// The scheme's own where it has one, else the generic one.
    Own,
    /// The generic one, whatever the scheme.
    Generic,
}

/// Whether all of `text` is an address in brackets, as a host of `standard` may be one: RFC 3986's
/// `IP-literal`, RFC 2732's `ipv6reference`.
pub(crate) fn is_address_literal(text: &[u8], standard: Standard) -> bool {
    let rules = match standard {
        Standard::Rfc2732 => &rfc2396::IPV6,
        Standard::Rfc3986 => &rfc3986::RFC3986.ip,
        Standard::Rfc3987 => &rfc3986::RFC3987.ip,
        _ => return false,
    };
    scan::is_at(text, 0, b'[')
        && ip::literal(text, 0, rules).is_ok_and(|(end, _)| end == text.len())
}

/// Reads `text` as a reference of `standard` by masks, if it is plain and the machine has a scanner: then this is what
/// [`reference`] gives.
#[allow(clippy::inline_always)] // otherwise the parts go by way of memory
#[inline(always)]
pub(crate) fn plain(text: &str, standard: Standard) -> Option<Cut<'_>> {
    let (text, found) = fast::reference(text, standard)?;
    Some(Cut::ascii(text, found.unpack(standard)))
}

/// Reads `text`, which is UTF-8, as a reference of `standard`, byte by byte, in constants too.
#[inline]
pub(crate) const fn reference(
    text: &[u8],
    standard: Standard,
    production: Production,
) -> Result<Parts, ParseError> {
    if text.len() > MAX_LEN {
        return Err(ParseError::TooLong { length: text.len() });
    }
    let outcome = match (standard, production) {
        (Standard::Rfc1630, Production::Own) => rfc1630::reference(text),
        (Standard::Rfc1630, Production::Generic) => rfc1630::generic_reference(text),
        (Standard::Rfc1738, Production::Own) => rfc1738::reference(text),
        (Standard::Rfc1738, Production::Generic) => rfc1738::generic_reference(text),
        (Standard::Rfc1808, _) => rfc1808::reference(text),
        (Standard::Rfc2396, _) => rfc2396::reference(text, &rfc2396::RFC2396),
        (Standard::Rfc2732, _) => rfc2396::reference(text, &rfc2396::RFC2732),
        (Standard::Rfc3986, _) => rfc3986::reference(text, &rfc3986::RFC3986),
        (Standard::Rfc3987, _) => rfc3986::reference(text, &rfc3986::RFC3987),
    };
    match outcome {
        Ok(parts) => Ok(parts),
        Err(error) => Err(ParseError::Syntax(error)),
    }
}

/// What is wrong with bytes that are no UTF-8 behind the first `valid`.
#[cold]
pub(crate) fn not_utf8(bytes: &[u8], valid: usize, standard: Standard) -> ParseError {
    match reference(bytes, standard, Production::Own) {
        Err(error) => error,
        // No grammar has such a byte, so that this is never reached.
        Ok(_) => ParseError::Syntax(SyntaxError {
            offset: parts::offset_u32(valid),
            found: Found::at(bytes, valid),
            expected: Expected::END,
            production: &crate::grammar::UTF8,
        }),
    }
}
