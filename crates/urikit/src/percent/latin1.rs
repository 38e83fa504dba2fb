//! ISO Latin-1: the charset of RFC 1630's escapes.

use crate::error::{Expected, Found, SyntaxError};
use crate::layout::offset_u32;
use crate::{MAX_LEN, ParseError, grammar};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The codes of the characters of `text` in ISO Latin-1, which RFC 1630's escapes encode; borrowed
/// if all are US-ASCII.
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
/// At the first character beyond U+00FF.
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
