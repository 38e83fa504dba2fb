//! The parser, and productions for parts of a URL.
//!
//! The parsers for individual schemes use these productions: RFC 822's and RFC 6068's addresses
//! ([`rfc822`], [`rfc6068`]), RFC 1738's hosts and RFC 1630's articles. [`Cursor`] reads
//! percent-encoded text octet by octet, for other productions. [`Parts`] splits any text, valid or
//! not. To parse a reference, use [`Uri`](crate::Uri) or [`Standard::parse`].
//!
//! ```
//! use urikit::parse::rfc822;
//! assert_eq!(rfc822::addr_spec("foo4%25foo1@bar.net"), Ok((11, 12))); // RFC 2392, 2
//! assert_eq!(rfc822::addr_spec("foo4@"), Err(5));
//! ```
//!
// # How it works
//
// Each standard has a file, and each production of its grammar has a function. A function's
// arguments are the complete input and an offset. The function returns the offset at which its
// production ends, or an error at the first byte that cannot continue the production. This offset
// is exact (see `SyntaxError::offset`): where the next byte does not decide between alternatives,
// the function tries all of them, and reports the error of the one that got furthest.
//
// All functions are `const`, allocate nothing, and take time linear in the length of the input. At
// run time, `fast` parses common references with SIMD and gives the same result.
//
// | file | productions |
// |---|---|
// | `rfc1630`, `rfc1738` | each scheme's production, and the generic production |
// | `rfc1808` | `URL`, and the parsing order of 2.4 |
// | `rfc2396` | `URI-reference` of RFC 2396 and RFC 2732 |
// | `rfc3986` | `URI-reference` and `IRI-reference` |
// | `host` | `IP-literal`, `IPv4address` and host names |
// | `mail` | mail addresses and header fields, and `Cursor` |
// | `parts` | the regular expression of RFC 3986, Appendix B |
// | `walk` | the steps that all productions consist of |
// | `fast` | the same references, 64 bytes at a time |
//
// As an introduction, follow `http://a/%4g` through `reference()`: `rfc3986::reference` finds the
// scheme and the `//`. `authority` records the host, which is only byte 7. `run` passes over the
// path's characters and calls `walk::escaped` at the `%`, which fails at byte 11, where the
// `pct-encoded` rule expects a `HEX_DIGIT`.

mod fast;
mod host;
pub(crate) mod mail;
mod parts;
mod rfc1630;
mod rfc1738;
mod rfc1808;
mod rfc2396;
mod rfc3986;
pub(crate) mod walk;

use crate::Standard;
use crate::error::{Expected, Found, ParseError, SyntaxError};
use crate::layout::{Components, Layout, MAX_LEN, offset_u32};
use fast::{Packed, ReferenceReader};
use urikit_scan::ascii::{self, Ascii};
/// Mail addresses of RFC 822, 6.1, as part of a URL.
pub mod rfc822 {
    pub use super::mail::{AddrSpec, rfc822_addr_spec as addr_spec};
}
/// Mail addresses and header fields of RFC 6068, 2.
pub mod rfc6068 {
    pub use super::mail::{hfield, rfc6068_addr_spec as addr_spec};
}

pub use mail::Cursor;
pub use parts::Parts;
pub(crate) use rfc1630::host as rfc1630_host;
pub use rfc1630::is_article;
pub use rfc1738::host as rfc1738_host;

/// The production that a URI must match. Only RFC 1630 and RFC 1738 have both kinds of production.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Production {
    /// The scheme's own production if it has one, and otherwise the generic production.
    Own,
    /// The generic production, regardless of the scheme.
    Generic,
}

/// Returns whether `text` is an address in brackets that `standard` allows as a host: RFC 3986's
/// `IP-literal`, or RFC 2732's `ipv6reference`.
pub(crate) fn is_address_literal(text: &[u8], standard: Standard) -> bool {
    let rules = match standard {
        Standard::Rfc2732 => &rfc2396::IPV6,
        Standard::Rfc3986 => &rfc3986::RFC3986.ip,
        Standard::Rfc3987 => &rfc3986::RFC3987.ip,
        _ => return false,
    };
    walk::is_at(text, 0, b'[')
        && host::ip_literal(text, 0, rules).is_ok_and(|(end, _)| end == text.len())
}

/// Parses `text` on the fast path. Returns the result of [`reference()`], or `None` if the fast
/// path does not handle this input or this processor.
#[allow(clippy::inline_always)] // otherwise the layout is passed through memory
#[inline(always)]
pub(crate) fn fast(text: &str, standard: Standard) -> Option<Components<'_>> {
    let (text, found) = reference_by_masks(text, standard)?;
    Some(Components::ascii(text, found.unpack(standard)))
}

/// Uses bit masks to parse `text` as a reference of `standard`. Returns `None` if the byte-by-byte
/// parser must parse the text.
#[allow(clippy::inline_always)] // as above
#[inline(always)]
fn reference_by_masks(text: &str, standard: Standard) -> Option<(Ascii<'_>, Packed)> {
    // If the standard is a constant, the compiler keeps only one of these calls.
    match standard {
        Standard::Rfc1630 => ascii::read::<ReferenceReader<rfc1630::Fast>>(text),
        Standard::Rfc1738 => ascii::read::<ReferenceReader<rfc1738::Fast>>(text),
        Standard::Rfc1808 => ascii::read::<ReferenceReader<rfc1808::Fast>>(text),
        Standard::Rfc2396 => ascii::read::<ReferenceReader<rfc2396::Fast>>(text)
            .filter(|(_, found)| !found.has_ipv6_address()),
        Standard::Rfc2732 => ascii::read::<ReferenceReader<rfc2396::Fast>>(text),
        // RFC 3986 and RFC 3987 allow the same US-ASCII references.
        Standard::Rfc3986 | Standard::Rfc3987 => {
            ascii::read::<ReferenceReader<rfc3986::Fast>>(text)
        }
    }
}

/// Parses `text` as a reference of `standard`, byte by byte.
#[inline]
pub(crate) const fn reference(
    text: &[u8],
    standard: Standard,
    production: Production,
) -> Result<Layout, ParseError> {
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
        Ok(layout) => Ok(layout),
        Err(error) => Err(ParseError::Syntax(error)),
    }
}

/// Returns the error for `text` that is not a `URI` of RFC 3986 or an `IRI` of RFC 3987. `error`
/// is the error from parsing `text` as a reference. If `error` is `None`, the text is a relative
/// reference.
///
/// A missing scheme takes precedence: no URI can continue past the byte where the scheme ends
/// without a colon, and `error` is never before that byte.
#[cold]
pub(crate) const fn not_absolute(text: &str, error: Option<ParseError>) -> ParseError {
    match (error, walk::scheme_colon(text.as_bytes())) {
        (Some(error @ ParseError::TooLong { .. }), _) | (Some(error), Ok(_)) => error,
        (Some(_), Err(error)) => ParseError::Syntax(error),
        (None, Err(error)) => ParseError::NoScheme(error),
        // INVARIANT: never reached, because a reference that begins with a scheme is a URI.
        (None, Ok(colon)) => ParseError::Syntax(SyntaxError {
            offset: offset_u32(colon),
            found: Found::End,
            expected: Expected::COLON,
            // A copy of the rule, so that a program does not contain the unused class.
            production: &const { *crate::grammar::rfc3986::SCHEME.rule() },
        }),
    }
}

/// Returns the error for bytes of which only the first `valid` are valid UTF-8.
#[cold]
pub(crate) fn not_utf8(bytes: &[u8], valid: usize, standard: Standard) -> ParseError {
    match reference(bytes, standard, Production::Own) {
        Err(error) => error,
        // INVARIANT: never reached, because no grammar allows bytes that are not UTF-8.
        Ok(_) => ParseError::Syntax(SyntaxError {
            offset: offset_u32(valid),
            found: Found::at(bytes, valid),
            expected: Expected::END,
            production: &crate::grammar::UTF8,
        }),
    }
}
