//! Percent-encoded text.

use super::Decoded;
#[cfg(feature = "alloc")]
use super::NotUtf8;
use crate::parse::walk;
use crate::{MAX_LEN, ParseError};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use core::fmt;
use core::slice::SliceIndex;

/// A part of a reference as written, which may contain escapes (`%` and two hexadecimal digits).
///
/// An escaped delimiter is data and an unescaped one is structure, so a part is split first and
/// decoded afterwards: [`split`](Self::split) returns parts, and only [`decode`](Self::decode) and
/// the methods like it return decoded bytes. (RFC 3986, 2.4; RFC 1738, 2.2; RFC 1630, Encoding
/// reserved characters.)
///
/// ```
/// use urikit::Uri;
/// // RFC 1738, 3.2.2: the file motd in the directory /etc
/// let url = Uri::parse("ftp://myname@host.dom/%2Fetc/motd")?;
/// let first = url.path().segments().next().unwrap();
/// assert_eq!(first.as_str(), "%2Fetc");
/// assert_eq!(first.decode(), "/etc");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// `==` compares the text as written; [`eq_decoded`](Self::eq_decoded) compares the decoded
/// octets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Encoded<'a> {
    text: &'a str,
}

/// The error if decoded octets do not fit into a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodedTooLong {
    /// The required size of the buffer, in bytes.
    pub needed: usize,
}

impl fmt::Display for DecodedTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a buffer of {} bytes or more", self.needed)
    }
}

impl core::error::Error for DecodedTooLong {}

impl<'a> Encoded<'a> {
    /// The empty part, which is not the same as an absent one.
    pub const EMPTY: Self = Self { text: "" };

    /// INVARIANT: in `text`, two hexadecimal digits follow each `%`.
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Checks the escapes of any text: two hexadecimal digits must follow each `%`. No other
    /// character is checked.
    ///
    /// # Errors
    ///
    /// At the first byte that should be a hexadecimal digit, or if the text is longer than
    /// [`MAX_LEN`](crate::MAX_LEN).
    ///
    /// ```
    /// use urikit::component::Encoded;
    /// const NAME: Encoded<'_> = match Encoded::parse("caf%C3%A9") {
    ///     Ok(name) => name,
    ///     Err(_) => Encoded::EMPTY,
    /// };
    /// assert_eq!(NAME.decode(), "café");
    /// assert_eq!(Encoded::parse("100%").unwrap_err().offset(), 4);
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn parse(text: &'a str) -> Result<Self, ParseError> {
        if text.len() > MAX_LEN {
            return Err(ParseError::TooLong { length: text.len() });
        }
        match walk::escapes(text.as_bytes()) {
            Ok(()) => Ok(Self { text }),
            Err(error) => Err(ParseError::Syntax(error)),
        }
    }

    /// Returns a range of the text as written. Returns `None` if an end of the range is within an
    /// escape or a character, or past the end of the text.
    ///
    /// ```
    /// use urikit::component::Encoded;
    /// let part = Encoded::parse("a%2Fb")?;
    /// assert_eq!(part.get(1..).unwrap(), "%2Fb");
    /// assert_eq!(part.get(2..), None); // within the escape
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn get(self, range: impl SliceIndex<str, Output = str>) -> Option<Self> {
        let found = self.text.get(range)?;
        let start = found.as_ptr().addr() - self.text.as_ptr().addr();
        let is_cut = |at: usize| {
            let before = self.text.as_bytes().get(at.saturating_sub(2)..at);
            before.is_some_and(|before| before.contains(&b'%'))
        };
        (!is_cut(start) && !is_cut(start + found.len())).then_some(Self { text: found })
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

    /// Whether it is empty. (That is not the same as being absent.)
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Whether it contains an escape.
    pub fn has_escapes(self) -> bool {
        self.text.contains('%')
    }

    /// The decoded octets. A `+` is a plus sign; see [`Decoded::form`].
    #[inline]
    pub const fn decode(self) -> Decoded<'a> {
        Decoded::new(self.text)
    }

    /// Writes the decoded octets to the start of `buffer` and returns them.
    ///
    /// # Errors
    ///
    /// If they do not fit; `buffer` then contains the first of them.
    ///
    /// This needs no allocator. The result is at most as long as [`len`](Self::len), so a buffer
    /// of that size is always large enough.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://www.example.org/D%C3%BCrst")?; // RFC 3987, 3.2.1
    /// let mut buffer = [0; 7];
    /// assert_eq!(url.path().encoded().decode_into(&mut buffer)?, "/Dürst".as_bytes());
    /// let error = url.path().encoded().decode_into(&mut buffer[..4]).unwrap_err();
    /// assert_eq!(error.needed, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_into(self, buffer: &mut [u8]) -> Result<&[u8], DecodedTooLong> {
        let mut length = 0;
        for octet in self.decode() {
            match buffer.get_mut(length) {
                Some(place) => *place = octet,
                None => {
                    return Err(DecodedTooLong {
                        needed: self.decode().octets().count(),
                    });
                }
            }
            length += 1;
        }
        Ok(buffer.get(..length).unwrap_or_default())
    }

    /// The decoded octets; borrowed if nothing is escaped.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(self) -> Cow<'a, [u8]> {
        self.decode().to_bytes()
    }

    /// The decoded octets as UTF-8 text; borrowed if nothing is escaped.
    ///
    /// # Errors
    ///
    /// If the octets are not UTF-8. Which characters they mean is then up to the scheme (RFC 2396,
    /// 2.1).
    #[cfg(feature = "alloc")]
    pub fn to_utf8(self) -> Result<Cow<'a, str>, NotUtf8> {
        self.decode().to_utf8()
    }

    /// The decoded text as HTML forms encode it: UTF-8, with `+` for a space; borrowed if nothing
    /// is escaped.
    ///
    /// # Errors
    ///
    /// If the octets are not UTF-8.
    ///
    /// Only HTML forms read `+` as a space, and RFC 1630 in its search part; in every later RFC it
    /// is a plus sign, as in [`to_utf8`](Self::to_utf8).
    ///
    /// ```
    /// use urikit::Uri;
    /// let query = Uri::parse("http://a/?C%2B%2B+and+C")?.query().unwrap();
    /// assert_eq!(query.to_form_utf8()?, "C++ and C");
    /// assert_eq!(query.to_utf8()?, "C+++and+C");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_form_utf8(self) -> Result<Cow<'a, str>, NotUtf8> {
        self.decode().form().to_utf8()
    }

    /// Whether both decode to the same octets.
    ///
    /// ```
    /// use urikit::Uri;
    /// let a = Uri::parse("http://info.cern.ch/albert/bertram/marie-claude")?;
    /// let b = Uri::parse("http://info.cern.ch/albert/bertram/marie%2Dclaude")?;
    /// assert!(a.path().encoded().eq_decoded(b.path().encoded())); // RFC 1630, Example 1
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// Parts with the same octets need not be equivalent: `/a%2Fb` and `/a/b` decode to the same
    /// octets, but only one of them has two segments. Split first.
    pub fn eq_decoded(self, other: Encoded<'_>) -> bool {
        self.decode().octets().eq(other.decode().octets())
    }

    /// The parts between the literal `delimiter`s; always at least one.
    ///
    /// An ASCII delimiter other than `%` and the hexadecimal digits never occurs within an escape.
    /// Any other delimiter does not split.
    ///
    /// ```
    /// use urikit::Uri;
    /// // RFC 3986, 3.3: the parameters of a segment
    /// let url = Uri::parse("http://a/name;v=1.1%3B2;x")?;
    /// let segment = url.path().segments().next().unwrap().encoded();
    /// let parts: Vec<&str> = segment.split(';').map(|part| part.as_str()).collect();
    /// assert_eq!(parts, ["name", "v=1.1%3B2", "x"]); // the escaped semicolon is data
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn split(self, delimiter: char) -> Split<'a> {
        Split {
            rest: Some(self.text),
            delimiter,
        }
    }

    /// What precedes and follows the first literal `delimiter`.
    ///
    /// `None` if there is no such delimiter, or if it could be part of an escape (see
    /// [`split`](Self::split)).
    ///
    /// ```
    /// use urikit::Uri;
    /// let fragment = Uri::parse("http://a/#page=2=b")?.fragment().unwrap();
    /// let (name, value) = fragment.split_once('=').unwrap();
    /// assert_eq!((name.as_str(), value.as_str()), ("page", "2=b"));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn split_once(self, delimiter: char) -> Option<(Self, Self)> {
        if !may_split(delimiter) {
            return None;
        }
        let (before, after) = self.text.split_once(delimiter)?;
        Some((Self::new(before), Self::new(after)))
    }
}

/// Whether splitting at `delimiter` keeps all escapes intact.
pub(crate) const fn may_split(delimiter: char) -> bool {
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

impl PartialEq<Encoded<'_>> for str {
    fn eq(&self, other: &Encoded<'_>) -> bool {
        self == other.text
    }
}

impl PartialEq<Encoded<'_>> for &str {
    fn eq(&self, other: &Encoded<'_>) -> bool {
        *self == other.text
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<String> for Encoded<'_> {
    fn eq(&self, other: &String) -> bool {
        self.text == other
    }
}

/// The parts of an [`Encoded`] between delimiters.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Split<'a> {
    /// The rest, as the last part.
    fn finish(&mut self) -> Option<Encoded<'a>> {
        self.rest.take().map(Encoded::new)
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = Encoded<'a>;

    fn next(&mut self) -> Option<Encoded<'a>> {
        match self.rest?.split_once(self.delimiter) {
            Some((part, rest)) if may_split(self.delimiter) => {
                self.rest = Some(rest);
                Some(Encoded::new(part))
            }
            _ => self.finish(),
        }
    }
}

impl DoubleEndedIterator for Split<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self.rest?.rsplit_once(self.delimiter) {
            Some((rest, part)) if may_split(self.delimiter) => {
                self.rest = Some(rest);
                Some(Encoded::new(part))
            }
            _ => self.finish(),
        }
    }
}

impl core::iter::FusedIterator for Split<'_> {}
