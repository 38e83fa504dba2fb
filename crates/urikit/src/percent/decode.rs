//! Decoding: converts text to data.

use super::Place;
use crate::component::Decoded;
use crate::component::escapes::{Escapes, escapes};
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{self, ByteSet, Rule, rfc1630, rfc1738, rfc1808, rfc2396, rfc3986, rfc3987};
use crate::layout::offset_u32;
use crate::parse::walk;
use crate::{MAX_LEN, ParseError, Standard};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

/// Decodes any text. Only the escapes in the text are checked.
///
/// Non-ASCII characters decode to their UTF-8 octets (RFC 3987, 3.1). In a query of RFC 1630, a `+`
/// is a space. For other standards, use [`Decoded::form`].
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, decode};
/// let data = decode("%E3%82%A2", Place::Segment, Standard::Rfc3986)?; // RFC 3986, 2.5
/// assert_eq!(data.decode_utf8()?, "ア");
/// let error = decode("100%", Place::Segment, Standard::Rfc3986).unwrap_err();
/// assert_eq!(error.offset(), 4); // a hexadecimal digit is missing there
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails where a hexadecimal digit is missing after a `%`. Also fails if the text is longer than
/// [`MAX_LEN`] bytes.
pub fn decode(text: &str, component: Place, standard: Standard) -> Result<Decoded<'_>, ParseError> {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_LEN {
        return Err(ParseError::TooLong {
            length: bytes.len(),
        });
    }
    let mut decoded = Decoded::new(text);
    if component.has_plus_for_space(standard) {
        decoded = decoded.form();
    }
    match escapes(bytes) {
        Some(Escapes::None) => return Ok(decoded.without_escapes()),
        Some(Escapes::Good) => return Ok(decoded),
        Some(Escapes::Bad) | None => {}
    }
    let mut at = walk::skip(bytes, 0, &NO_PERCENT);
    while at < bytes.len() {
        match walk::escaped(bytes, at, escape_rule(standard)) {
            Ok(after) => at = walk::skip(bytes, after, &NO_PERCENT),
            Err(error) => return Err(ParseError::Syntax(error)),
        }
    }
    Ok(decoded)
}

/// All bytes except `%`, which begins an escape.
const NO_PERCENT: ByteSet = ByteSet::range(0, 255).without(ByteSet::of(b"%"));

/// Returns a standard's rule for escapes.
const fn escape_rule(standard: Standard) -> &'static Rule {
    match standard {
        Standard::Rfc1630 => &rfc1630::ESCAPE,
        Standard::Rfc1738 => &rfc1738::ESCAPE,
        Standard::Rfc1808 => &rfc1808::ESCAPE,
        Standard::Rfc2396 | Standard::Rfc2732 => &rfc2396::ESCAPED,
        Standard::Rfc3986 => &rfc3986::PCT_ENCODED,
        Standard::Rfc3987 => &rfc3987::PCT_ENCODED,
    }
}

/// Converts bytes to text for [`decode`]. Escapes are left as they are.
///
/// # Errors
///
/// Fails at the first byte that is not UTF-8.
///
/// ```
/// use urikit::percent::utf8;
/// assert_eq!(utf8(b"a%FCb")?, "a%FCb");
/// let error = utf8(b"a\xFCb").unwrap_err();
/// assert_eq!((error.offset(), error.section()), (1, Some("RFC 3629, 4")));
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub fn utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    core::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        if at > MAX_LEN {
            return ParseError::TooLong {
                length: bytes.len(),
            };
        }
        ParseError::Syntax(SyntaxError {
            offset: offset_u32(at),
            found: Found::at(bytes, at),
            expected: Expected::UTF8,
            production: &grammar::UTF8,
        })
    })
}

/// Encodes `text` in ISO Latin-1, the charset of RFC 1630's escapes. The result is borrowed if all
/// characters are US-ASCII.
///
/// ```
/// use urikit::Standard;
/// use urikit::percent::{Place, encode, latin1};
/// let name = latin1("résumé.html")?;
/// let name = encode(&name, Place::Segment, Standard::Rfc1630)?;
/// assert_eq!(name.to_string(), "r%E9sum%E9.html");
/// assert_eq!(latin1("10 €").unwrap_err().offset(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails at the first character beyond U+00FF.
#[cfg(feature = "alloc")]
pub fn latin1(text: &str) -> Result<Cow<'_, [u8]>, ParseError> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let mut codes = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match u8::try_from(c) {
            Ok(code) => codes.push(code),
            Err(_) if at > MAX_LEN => {
                return Err(ParseError::TooLong { length: text.len() });
            }
            Err(_) => {
                return Err(ParseError::Syntax(SyntaxError {
                    offset: offset_u32(at),
                    found: Found::Char(c),
                    expected: Expected::LATIN1,
                    production: &grammar::LATIN1,
                }));
            }
        }
    }
    Ok(Cow::Owned(codes))
}
