//! From text to data.

use super::Component;
use super::chars::escaped_octet;
use super::unescape::{self, Escapes};
use crate::component::Encoded;
use crate::error::{Expected, Found, SyntaxError};
use crate::grammar::{self, ByteSet, Rule, rfc1630, rfc1738, rfc1808, rfc2396, rfc3986, rfc3987};
use crate::parse::parts::offset_u32;
use crate::parse::scan as bytes_scan;
#[cfg(feature = "alloc")]
use crate::scan;
use crate::{MAX_LEN, ParseError, Standard};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// Decodes a text that need not come from a reference: nothing but its escapes is looked at.
///
/// Characters beyond US-ASCII stand for their octets in UTF-8 (RFC 3987, 3.1). In a query of RFC 1630 a
/// `+` is a space; [`Decoded::form`] asks for that elsewhere.
///
/// ```
/// use urikit::Standard;
/// use urikit::op::percent::{Component, decode};
/// let data = decode("%E3%82%A2", Component::Segment, Standard::Rfc3986)?; // RFC 3986, 2.5
/// assert_eq!(data.to_utf8()?, "ア");
/// let error = decode("100%", Component::Segment, Standard::Rfc3986).unwrap_err();
/// assert_eq!(error.offset(), 4); // where a hexadecimal digit should stand
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A `%` without two hexadecimal digits, at the byte that is none. A text of more than
/// [`MAX_LEN`] bytes.
pub fn decode(
    text: &str,
    component: Component,
    standard: Standard,
) -> Result<Decoded<'_>, ParseError> {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_LEN {
        return Err(ParseError::TooLong {
            length: bytes.len(),
        });
    }
    let decoded = Decoded::new(Encoded::new(text), component, standard);
    match unescape::escapes(bytes) {
        Some(Escapes::None) => {
            return Ok(Decoded {
                has_none: true,
                ..decoded
            });
        }
        Some(Escapes::Good) => return Ok(decoded),
        Some(Escapes::Bad) | None => {}
    }
    let mut at = bytes_scan::skip(bytes, 0, &NO_PERCENT);
    while at < bytes.len() {
        match bytes_scan::escaped(bytes, at, escape_rule(standard)) {
            Ok(behind) => at = bytes_scan::skip(bytes, behind, &NO_PERCENT),
            Err(error) => return Err(ParseError::Syntax(error)),
        }
    }
    Ok(decoded)
}

/// All bytes but the one that begins an escape.
const NO_PERCENT: ByteSet = ByteSet::range(0, 255).without(ByteSet::of(b"%"));

/// What a standard calls an escape, and where it says what one is.
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

/// Bytes as the text that [`decode`] takes.
///
/// # Errors
///
/// At the first byte that begins no character of UTF-8.
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

/// A text that stands for octets, and the octets for text by the charset that the caller names.
#[derive(Clone, Copy)]
pub struct Decoded<'a> {
    /// INVARIANT: two hexadecimal digits follow each `%`.
    text: &'a str,
    plus: bool,
    /// Whether it is known that there is no `%`.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    // who needs no memory looks at each byte
    has_none: bool,
}

impl<'a> Decoded<'a> {
    /// A part of a parsed reference, whose escapes are known to be good.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::percent::{Component, Decoded};
    /// let index = Standard::Rfc1630.parse("http://info.cern.ch/index?real+plus+%2B")?;
    /// let words = Decoded::new(index.query().unwrap(), Component::Query, Standard::Rfc1630);
    /// assert_eq!(words.to_latin1(), "real plus +");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn new(part: Encoded<'a>, component: Component, standard: Standard) -> Self {
        Self {
            text: part.as_str(),
            plus: component.has_plus_for_space(standard),
            has_none: false,
        }
    }

    /// The same with a space for each `+` that is written as such, as HTML's forms have it in queries.
    #[must_use]
    pub const fn form(mut self) -> Self {
        self.plus = true;
        self
    }

    /// The octets, one by one.
    pub const fn octets(self) -> Octets<'a> {
        Octets {
            rest: self.text.as_bytes(),
            plus: self.plus,
        }
    }

    /// Whether all of it stands for itself.
    #[cfg(feature = "alloc")]
    fn is_plain(self) -> bool {
        if self.has_none && !self.plus {
            return true;
        }
        let bytes = self.text.as_bytes();
        unescape::is_plain(bytes, self.plus).unwrap_or_else(|| {
            let is_mark = |byte: &u8| *byte == b'%' || *byte == b'+' && self.plus;
            !bytes.iter().any(is_mark)
        })
    }

    /// The octets; borrowed where nothing is escaped.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(self) -> Cow<'a, [u8]> {
        if self.is_plain() {
            return Cow::Borrowed(self.text.as_bytes());
        }
        let mut out = Vec::new();
        self.bytes_into(&mut out);
        Cow::Owned(out)
    }

    /// The octets, to the end of `out`.
    #[cfg(feature = "alloc")]
    pub fn bytes_into(self, out: &mut Vec<u8>) {
        if scan::unescape(self.text, self.plus, out).is_none() {
            out.extend(self.octets());
        }
    }

    /// The text whose octets in UTF-8 these are; borrowed where nothing is escaped.
    ///
    /// # Errors
    ///
    /// Where the octets are no UTF-8.
    #[cfg(feature = "alloc")]
    pub fn to_utf8(self) -> Result<Cow<'a, str>, NotUtf8> {
        if self.is_plain() {
            return Ok(Cow::Borrowed(self.text));
        }
        let octets = match scan::unescape_utf8(self.text, self.plus) {
            Some(Ok(text)) => return Ok(Cow::Owned(text)),
            Some(Err(octets)) => octets,
            None => self.octets().collect(),
        };
        match String::from_utf8(octets) {
            Ok(text) => Ok(Cow::Owned(text)),
            Err(error) => Err(self.not_utf8(error.utf8_error().valid_up_to())),
        }
    }

    /// The place at which the octet `nth` is written.
    #[cfg(feature = "alloc")]
    #[cold]
    fn not_utf8(self, nth: usize) -> NotUtf8 {
        let mut octets = self.octets();
        for _ in 0..nth {
            octets.next();
        }
        let offset = self.text.len() - octets.rest.len();
        NotUtf8 { offset }
    }

    /// As [`to_utf8`](Self::to_utf8), to the end of `out`, which holds what it held when there is an
    /// error.
    ///
    /// # Errors
    ///
    /// As [`to_utf8`](Self::to_utf8).
    #[cfg(feature = "alloc")]
    pub fn utf8_into(self, out: &mut String) -> Result<(), NotUtf8> {
        out.push_str(&self.to_utf8()?);
        Ok(())
    }

    /// The text whose octets in ISO Latin-1 these are, which any octets are (RFC 1630, Conventional URI
    /// encoding scheme); borrowed where nothing is escaped and all is US-ASCII.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::percent::{Component, decode};
    /// let name = decode("r%E9sum%E9.html", Component::Segment, Standard::Rfc3986)?; // RFC 3987, 3.2
    /// assert_eq!(name.to_latin1(), "résumé.html");
    /// assert_eq!(name.to_utf8().unwrap_err().offset, 1);
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_latin1(self) -> Cow<'a, str> {
        if self.is_plain() && self.text.is_ascii() {
            return Cow::Borrowed(self.text);
        }
        let mut out = String::new();
        self.latin1_into(&mut out);
        Cow::Owned(out)
    }

    /// As [`to_latin1`](Self::to_latin1), to the end of `out`.
    #[cfg(feature = "alloc")]
    pub fn latin1_into(self, out: &mut String) {
        out.extend(self.octets().map(char::from));
    }
}

impl<'a> IntoIterator for Decoded<'a> {
    type Item = u8;
    type IntoIter = Octets<'a>;

    fn into_iter(self) -> Octets<'a> {
        self.octets()
    }
}

impl fmt::Debug for Decoded<'_> {
    /// The text as written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// The octets that a text stands for.
#[derive(Clone, Debug)]
pub struct Octets<'a> {
    rest: &'a [u8],
    plus: bool,
}

impl Iterator for Octets<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (octet, rest) = match self.rest {
            [b'+', rest @ ..] if self.plus => (b' ', rest),
            [b'%', _, _, rest @ ..] => (escaped_octet(self.rest)?, rest),
            [byte, rest @ ..] => (*byte, rest),
            [] => return None,
        };
        self.rest = rest;
        Some(octet)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len().div_ceil(3), Some(self.rest.len()))
    }
}

impl core::iter::FusedIterator for Octets<'_> {}

/// Octets that are no UTF-8.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotUtf8 {
    /// The offset of the first such octet, in the text as written.
    pub offset: usize,
}

#[cfg(feature = "alloc")]
impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected octets of UTF-8 at byte {}", self.offset)
    }
}

#[cfg(feature = "alloc")]
impl core::error::Error for NotUtf8 {}
