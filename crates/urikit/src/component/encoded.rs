//! Percent-encoded text, and the octets and characters that it decodes to.

#[cfg(feature = "alloc")]
use super::escapes;
use crate::octet::escaped_octet;
use crate::parse::walk;
use crate::{MAX_LEN, ParseError};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::slice::SliceIndex;
#[cfg(feature = "alloc")]
use urikit_scan as scan;

/// A percent-encoded part of a reference, as written. The part may contain escapes: `%` and two
/// hexadecimal digits.
///
/// An escaped delimiter is data, while a literal one is structure. Therefore split first and decode
/// afterwards: [`split`](Self::split) returns parts, and only [`decode`](Self::decode) and similar
/// methods return decoded data (RFC 3986, 2.4; RFC 1738, 2.2; RFC 1630, Encoding reserved
/// characters).
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
/// `==` compares the text as written. [`eq_decoded`](Self::eq_decoded) compares the decoded octets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Encoded<'a> {
    text: &'a str,
}

/// The error that [`Encoded::decode_into`] returns if the decoded octets do not fit into the
/// buffer.
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
    /// The empty part. An empty part differs from an absent one.
    pub const EMPTY: Self = Self { text: "" };

    /// INVARIANT: in `text`, every `%` is followed by two hexadecimal digits.
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Wraps text in which two hexadecimal digits are known to follow each `%`, such as a slice of
    /// a parsed component. If a `%` is not followed by two hexadecimal digits, decoding returns
    /// unspecified octets. Use [`parse`](Self::parse) for any other text.
    ///
    /// ```
    /// use urikit::{Uri, component::Encoded};
    /// let url = Uri::parse("ftp://host.dom/a%2Fb;type=i")?;
    /// let (path, _) = url.path().as_str().split_once(';').unwrap();
    /// assert_eq!(Encoded::assume_valid(path).decode(), "/a/b");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[inline]
    pub const fn assume_valid(text: &'a str) -> Self {
        Self::new(text)
    }

    /// Checks the escapes of any text: two hexadecimal digits must follow each `%`. No other
    /// character is checked.
    ///
    /// # Errors
    ///
    /// Fails if a `%` is not followed by two hexadecimal digits, or if the text is longer than
    /// [`MAX_LEN`](crate::MAX_LEN). The error gives the offset at which a hexadecimal digit is
    /// missing.
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

    /// Returns a range of the text as written. Returns `None` if either end of the range is within
    /// an escape or a character, or past the end of the text.
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

    /// Returns the text as written.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the length of the text as written, in bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.text.len()
    }

    /// Returns whether the part is empty. An absent part is `None` instead.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the part contains an escape.
    pub fn has_escapes(self) -> bool {
        self.text.contains('%')
    }

    /// Decodes the escapes. A `+` remains a plus sign; see [`Decoded::form`].
    #[inline]
    pub const fn decode(self) -> Decoded<'a> {
        Decoded::new(self.text)
    }

    /// Decodes the escapes into the start of `buffer`, and returns the decoded octets.
    ///
    /// Needs no allocator. A buffer of [`len`](Self::len) bytes is always large enough.
    ///
    /// # Errors
    ///
    /// Fails if the octets do not fit into the buffer, which then contains only the first octets.
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

    /// Returns the decoded octets. The result is borrowed if the part has no escapes.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(self) -> Cow<'a, [u8]> {
        self.decode().to_bytes()
    }

    /// Returns the decoded octets as UTF-8 text. The result is borrowed if the part has no escapes.
    ///
    /// # Errors
    ///
    /// Fails if the octets are not UTF-8. The charset of such octets is defined by the scheme (RFC
    /// 2396, 2.1).
    #[cfg(feature = "alloc")]
    pub fn decode_utf8(self) -> Result<Cow<'a, str>, NotUtf8> {
        self.decode().decode_utf8()
    }

    /// Decodes text that an HTML form encoded: UTF-8, with `+` for a space. The result is borrowed
    /// if nothing needs decoding.
    ///
    /// Only HTML forms and the search part of RFC 1630 use `+` for a space. In all later RFCs, `+`
    /// is a plus sign, as in [`decode_utf8`](Self::decode_utf8).
    ///
    /// # Errors
    ///
    /// Fails if the octets are not UTF-8.
    ///
    /// ```
    /// use urikit::Uri;
    /// let query = Uri::parse("http://a/?C%2B%2B+and+C")?.query().unwrap();
    /// assert_eq!(query.decode_form_utf8()?, "C++ and C");
    /// assert_eq!(query.decode_utf8()?, "C+++and+C");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_form_utf8(self) -> Result<Cow<'a, str>, NotUtf8> {
        self.decode().form().decode_utf8()
    }

    /// Returns whether both parts decode to the same octets.
    ///
    /// ```
    /// use urikit::Uri;
    /// let a = Uri::parse("http://info.cern.ch/albert/bertram/marie-claude")?;
    /// let b = Uri::parse("http://info.cern.ch/albert/bertram/marie%2Dclaude")?;
    /// assert!(a.path().encoded().eq_decoded(b.path().encoded())); // RFC 1630, Example 1
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// Parts that decode to the same octets need not be equivalent: `/a/b` has two segments, but
    /// `/a%2Fb` has only one. Split first.
    pub fn eq_decoded(self, other: Encoded<'_>) -> bool {
        self.decode().octets().eq(other.decode().octets())
    }

    /// Splits at every literal `delimiter`. Yields at least one part.
    ///
    /// The delimiter must be an ASCII character that cannot be part of an escape, so not `%` or a
    /// hexadecimal digit. Other delimiters do not split the text.
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

    /// Splits at the first literal `delimiter`. Returns `None` if the part does not contain
    /// `delimiter`, or if `delimiter` could be part of an escape (see [`split`](Self::split)).
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

/// Returns true if splitting at `delimiter` keeps all escapes intact.
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

/// An iterator over the parts of an [`Encoded`] between delimiters.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Split<'a> {
    /// Returns the remaining text as the last part.
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

/// The decoded form of percent-encoded text: octets, or text in a charset that the caller chooses.
///
/// The generic syntax does not define which characters the octets represent (RFC 2396, 2.1). RFC
/// 1630 uses ISO Latin-1; later standards recommend UTF-8 (RFC 3986, 2.5).
///
/// ```
/// use urikit::Uri;
/// let url = Uri::parse("http://a/r%E9sum%E9?q=caf%C3%A9+noir")?;
/// assert_eq!(url.path().decode().to_latin1(), "/résumé"); // RFC 3987, 3.2
/// assert_eq!(url.path().decode().decode_utf8().unwrap_err().offset, 2);
/// assert!(url.path().decode() == b"/r\xE9sum\xE9");
/// let value = url.query_get_raw("q").unwrap().value().unwrap();
/// assert_eq!(value.decode().form().decode_utf8().unwrap(), "café noir");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Decoded<'a> {
    /// INVARIANT: every `%` is followed by two hexadecimal digits.
    text: &'a str,
    /// True if `+` means a space.
    plus: bool,
    /// True if the text is known to contain no `%`.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    // without `alloc`, decoding reads byte by byte
    has_none: bool,
}

impl<'a> Decoded<'a> {
    /// INVARIANT: in `text`, every `%` is followed by two hexadecimal digits.
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self {
            text,
            plus: false,
            has_none: false,
        }
    }

    /// Records that the text contains no `%`.
    pub(crate) const fn without_escapes(mut self) -> Self {
        self.has_none = true;
        self
    }

    /// Decodes every literal `+` to a space, as in the queries of HTML forms.
    #[must_use]
    #[inline]
    pub const fn form(mut self) -> Self {
        self.plus = true;
        self
    }

    /// Iterates over the octets.
    #[inline]
    pub const fn octets(&self) -> Octets<'a> {
        Octets {
            rest: self.text.as_bytes(),
            plus: self.plus,
        }
    }

    /// Returns true if decoding changes nothing.
    #[cfg(feature = "alloc")]
    fn is_literal(&self) -> bool {
        if self.has_none && !self.plus {
            return true;
        }
        let bytes = self.text.as_bytes();
        escapes::is_literal(bytes, self.plus).unwrap_or_else(|| {
            let is_mark = |byte: &u8| *byte == b'%' || *byte == b'+' && self.plus;
            !bytes.iter().any(is_mark)
        })
    }

    /// Returns the octets. The result is borrowed if the text has no escapes.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        if self.is_literal() {
            return Cow::Borrowed(self.text.as_bytes());
        }
        let mut out = Vec::new();
        self.bytes_into(&mut out);
        Cow::Owned(out)
    }

    /// Appends the octets to `out`.
    #[cfg(feature = "alloc")]
    pub fn bytes_into(&self, out: &mut Vec<u8>) {
        if scan::unescape(self.text, self.plus, out).is_none() {
            out.extend(self.octets());
        }
    }

    /// Returns the octets as UTF-8 text. The result is borrowed if the text has no escapes.
    ///
    /// In an IRI, the octets of literal characters and those of escapes must form UTF-8 together.
    /// Decoded text may contain a NUL, a line break or a slash: check for them before you use it as
    /// a file name or in a header.
    ///
    /// # Errors
    ///
    /// Fails if the octets are not UTF-8.
    ///
    /// ```
    /// use urikit::Iri;
    /// let iri = Iri::parse("http://www.example.org/red%09ros\u{E9}#red")?; // RFC 3987, 3.1
    /// assert_eq!(iri.path().decode().decode_utf8()?, "/red\tros\u{E9}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_utf8(&self) -> Result<Cow<'a, str>, NotUtf8> {
        if self.is_literal() {
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

    /// Returns the octets as UTF-8 text, with U+FFFD in place of invalid sequences. The result is
    /// borrowed if the text has no escapes. Use the result for display only: different octets may
    /// give the same text.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://www.example.org/D%FCrst")?; // RFC 3987, 3.2.1
    /// assert_eq!(url.path().decode().decode_utf8_lossy(), "/D\u{FFFD}rst");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_utf8_lossy(&self) -> Cow<'a, str> {
        match self.decode_utf8() {
            Ok(text) => text,
            Err(_) => Cow::Owned(String::from_utf8_lossy(&self.to_bytes()).into_owned()),
        }
    }

    /// Returns the error for the `nth` octet, with the octet's offset in the text as written.
    #[cfg(feature = "alloc")]
    #[cold]
    fn not_utf8(&self, nth: usize) -> NotUtf8 {
        let mut octets = self.octets();
        for _ in 0..nth {
            octets.next();
        }
        let offset = self.text.len() - octets.rest.len();
        NotUtf8 { offset }
    }

    /// Appends the octets as UTF-8 text to `out`. After an error, `out` is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the octets are not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn utf8_into(&self, out: &mut String) -> Result<(), NotUtf8> {
        out.push_str(&self.decode_utf8()?);
        Ok(())
    }

    /// Returns the octets as ISO Latin-1 text, which cannot fail (RFC 1630, Conventional URI
    /// encoding scheme). The result is borrowed if the text is US-ASCII and has no escapes.
    #[cfg(feature = "alloc")]
    pub fn to_latin1(&self) -> Cow<'a, str> {
        if self.is_literal() && self.text.is_ascii() {
            return Cow::Borrowed(self.text);
        }
        let mut out = String::new();
        self.latin1_into(&mut out);
        Cow::Owned(out)
    }

    /// Appends the octets as ISO Latin-1 text to `out`.
    #[cfg(feature = "alloc")]
    pub fn latin1_into(&self, out: &mut String) {
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

/// An iterator over decoded octets; see [`Decoded::octets`].
#[derive(Clone, Debug)]
pub struct Octets<'a> {
    rest: &'a [u8],
    plus: bool,
}

impl Iterator for Octets<'_> {
    type Item = u8;

    #[inline]
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

/// Compares with octets, or with the UTF-8 bytes of text.
macro_rules! equal_octets {
    ($($T:ty),*) => {$(
        impl PartialEq<$T> for Decoded<'_> {
            fn eq(&self, other: &$T) -> bool {
                self.octets().eq(AsRef::<[u8]>::as_ref(other).iter().copied())
            }
        }
    )*};
}

equal_octets!(str, &str, [u8], &[u8]);

impl<const N: usize> PartialEq<[u8; N]> for Decoded<'_> {
    fn eq(&self, other: &[u8; N]) -> bool {
        *self == other.as_slice()
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Decoded<'_> {
    fn eq(&self, other: &&[u8; N]) -> bool {
        *self == other.as_slice()
    }
}

impl fmt::Debug for Decoded<'_> {
    /// Writes the text without decoding it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// The error for octets that are not UTF-8.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotUtf8 {
    /// The offset of the first invalid octet, in bytes of the text as written.
    pub offset: usize,
}

#[cfg(feature = "alloc")]
impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not UTF-8 at byte {}", self.offset)
    }
}

#[cfg(feature = "alloc")]
impl core::error::Error for NotUtf8 {}
