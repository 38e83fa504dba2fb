//! Percent-encoded text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// A part of a reference as written, in which an escape (`%` and two hexadecimal digits) may stand
/// for a byte.
///
/// An escaped delimiter is data and an unescaped one is structure, so a part is split first and
/// decoded then: [`split`](Self::split) gives parts again, and only [`decode`](Self::decode) and
/// its companions give decoded bytes. (RFC 3986, 2.4; RFC 1738, 2.2; RFC 1630, Encoding reserved
/// characters.)
///
/// ```
/// use urikit::UriRef;
/// // RFC 1738, 3.2.2: the file motd in the directory /etc
/// let url = UriRef::parse("ftp://myname@host.dom/%2Fetc/motd")?;
/// let first = url.path().segments().next().unwrap();
/// assert_eq!(first.as_str(), "%2Fetc");
/// assert!(first.decode().eq(*b"/etc"));
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// `==` compares what is written; [`eq_decoded`](Self::eq_decoded) compares what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Encoded<'a> {
    text: &'a str,
}

/// The bytes that a part stands for did not fit into a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodedTooLong {
    /// How many bytes the buffer must have.
    pub needed: usize,
}

impl fmt::Display for DecodedTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a buffer of {} bytes or more", self.needed)
    }
}

impl core::error::Error for DecodedTooLong {}

impl<'a> Encoded<'a> {
    /// INVARIANT: in `text`, two hexadecimal digits follow each `%`.
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The text as written.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// The length as written, in bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.text.len()
    }

    /// Whether nothing is written. (That is not the same as being absent.)
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Whether an escape stands in it.
    pub fn has_escapes(self) -> bool {
        self.text.contains('%')
    }

    /// The bytes that it stands for. A `+` is a `+`.
    pub fn decode(self) -> Decoded<'a> {
        Decoded {
            rest: self.text.as_bytes(),
        }
    }

    /// Writes the bytes that it stands for to the front of `buffer` and gives them.
    ///
    /// # Errors
    ///
    /// When they do not fit; `buffer` then holds the beginning of them.
    pub fn decode_into(self, buffer: &mut [u8]) -> Result<&[u8], DecodedTooLong> {
        let mut length = 0;
        for byte in self.decode() {
            match buffer.get_mut(length) {
                Some(place) => *place = byte,
                None => {
                    return Err(DecodedTooLong {
                        needed: self.decode().count(),
                    });
                }
            }
            length += 1;
        }
        Ok(buffer.get(..length).unwrap_or_default())
    }

    /// The bytes that it stands for; borrowed where there is no escape.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(self) -> Cow<'a, [u8]> {
        if self.has_escapes() {
            Cow::Owned(self.decode().collect::<Vec<u8>>())
        } else {
            Cow::Borrowed(self.text.as_bytes())
        }
    }

    /// The text that it stands for in UTF-8; borrowed where there is no escape.
    ///
    /// # Errors
    ///
    /// When the bytes are no UTF-8. Which characters they mean is then the scheme's business
    /// (RFC 2396, 2.1).
    #[cfg(feature = "alloc")]
    pub fn to_utf8(self) -> Result<Cow<'a, str>, alloc::string::FromUtf8Error> {
        if self.has_escapes() {
            String::from_utf8(self.decode().collect()).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(self.text))
        }
    }

    /// Whether both stand for the same bytes, however they are written.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let a = UriRef::parse("http://info.cern.ch/albert/bertram/marie-claude")?;
    /// let b = UriRef::parse("http://info.cern.ch/albert/bertram/marie%2Dclaude")?;
    /// assert!(a.path().encoded().eq_decoded(b.path().encoded())); // RFC 1630, Example 1
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// Equal parts need not be equivalent: `/a%2Fb` and `/a/b` stand for the same bytes, and only
    /// one of them has two segments. Split first.
    pub fn eq_decoded(self, other: Encoded<'_>) -> bool {
        self.decode().eq(other.decode())
    }

    /// The parts between the `delimiter`s that are written as such, at least one part.
    ///
    /// An ASCII delimiter other than `%` and the hexadecimal digits never lies within an escape.
    /// With another delimiter, the whole is one part.
    pub fn split(self, delimiter: char) -> Split<'a> {
        Split {
            rest: Some(self.text),
            delimiter,
        }
    }

    /// What stands before and behind the first `delimiter` that is written as such.
    pub fn split_once(self, delimiter: char) -> Option<(Self, Self)> {
        if !may_split(delimiter) {
            return None;
        }
        let (before, behind) = self.text.split_once(delimiter)?;
        Some((Self::new(before), Self::new(behind)))
    }
}

/// Whether splitting at `delimiter` leaves all escapes whole.
const fn may_split(delimiter: char) -> bool {
    delimiter != '%' && !delimiter.is_ascii_hexdigit()
}

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl fmt::Debug for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl AsRef<str> for Encoded<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

impl PartialEq<str> for Encoded<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Encoded<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

/// The bytes that an [`Encoded`] part stands for.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    rest: &'a [u8],
}

impl Iterator for Decoded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (byte, rest) = match self.rest {
            [b'%', high, low, rest @ ..] => (hex_value(*high) << 4 | hex_value(*low), rest),
            [byte, rest @ ..] => (*byte, rest),
            [] => return None,
        };
        self.rest = rest;
        Some(byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len().div_ceil(3), Some(self.rest.len()))
    }
}

impl core::iter::FusedIterator for Decoded<'_> {}

/// The value of a hexadecimal digit.
const fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a' - 10) & 0x0F,
    }
}

/// The parts of an [`Encoded`] between delimiters.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Iterator for Split<'a> {
    type Item = Encoded<'a>;

    fn next(&mut self) -> Option<Encoded<'a>> {
        let rest = self.rest?;
        let split = if may_split(self.delimiter) {
            rest.split_once(self.delimiter)
        } else {
            None
        };
        let (part, behind) = match split {
            Some((part, behind)) => (part, Some(behind)),
            None => (rest, None),
        };
        self.rest = behind;
        Some(Encoded::new(part))
    }
}

impl core::iter::FusedIterator for Split<'_> {}
