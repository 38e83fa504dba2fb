//! Paths, their segments, and the parameters of a segment.

use super::encoded::{Encoded, Split};
use core::fmt;

/// The path of a reference as written, including its leading slash.
///
/// ```text
/// ftp://foo:@host.dom:21/%2Fetc/motd;type=a
///                       ╰──────── path ───╯
/// ```
///
/// Every reference has a path, but it may be empty. In an opaque URI (`mailto:a@b`), the path is
/// everything after the scheme.
///
/// ```
/// use urikit::{Uri, UriRef};
/// // RFC 3986, 3: the two example URIs and their paths
/// let url = Uri::parse("foo://example.com:8042/over/there?name=ferret#nose")?;
/// assert_eq!(url.path(), "/over/there");
/// assert_eq!(Uri::parse("urn:example:animal:ferret:nose")?.path(), "example:animal:ferret:nose");
/// assert!(UriRef::parse("?q")?.path().is_empty()); // RFC 3986, 3.3: `path-empty`
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Under RFC 1808 the path ends at the first `;`, where the params begin (2.4.5). Under every other
/// standard a semicolon is part of a segment; see [`Segment::parameters`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path<'a> {
    text: Encoded<'a>,
}

impl<'a> Path<'a> {
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self {
            text: Encoded::new(text),
        }
    }

    /// Returns the path as written.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text.as_str()
    }

    /// Returns the path as percent-encoded text.
    #[inline]
    pub const fn encoded(self) -> Encoded<'a> {
        self.text
    }

    /// Returns whether the path is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the path begins with a slash.
    ///
    /// Only the path matters here: `mailto:a@b` is an absolute URI, but its path is not absolute.
    #[inline]
    pub const fn is_absolute(self) -> bool {
        matches!(self.as_str().as_bytes(), [b'/', ..])
    }

    /// Decodes the complete path. The result no longer distinguishes escaped slashes from literal
    /// ones: split into segments first.
    pub const fn decode(self) -> super::Decoded<'a> {
        self.text.decode()
    }

    /// Iterates over the segments, the parts between the slashes, as written. The first slash
    /// precedes the first segment. An empty path has no segments; `/` has one empty segment.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("ftp://myname@host.dom//etc/motd")?; // RFC 1738, 3.2.2
    /// assert!(url.path().segments().map(|s| s.as_str()).eq(["", "etc", "motd"]));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn segments(self) -> Segments<'a> {
        let text = self.as_str();
        let relative = text.strip_prefix('/').unwrap_or(text);
        Segments {
            split: (!text.is_empty()).then(|| Encoded::new(relative).split('/')),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl PartialEq<str> for Path<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Path<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Path<'_>> for &str {
    fn eq(&self, other: &Path<'_>) -> bool {
        *self == other.as_str()
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<alloc::string::String> for Path<'_> {
    fn eq(&self, other: &alloc::string::String) -> bool {
        self.as_str() == other
    }
}

impl AsRef<str> for Path<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// An iterator over the segments of a [`Path`].
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    split: Option<Split<'a>>,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        let text = self.split.as_mut()?.next()?;
        Some(Segment { text })
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let text = self.split.as_mut()?.next_back()?;
        Some(Segment { text })
    }
}

impl core::iter::FusedIterator for Segments<'_> {}

/// A segment of a [`Path`] as written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment<'a> {
    text: Encoded<'a>,
}

impl<'a> Segment<'a> {
    /// Returns the segment as written, including its parameters.
    pub const fn as_str(self) -> &'a str {
        self.text.as_str()
    }

    /// Returns the segment as percent-encoded text, including its parameters.
    pub const fn encoded(self) -> Encoded<'a> {
        self.text
    }

    /// Decodes the segment, including its parameters.
    pub const fn decode(self) -> super::Decoded<'a> {
        self.text.decode()
    }

    /// Returns the decoded segment as UTF-8 text. The result is borrowed if the segment has no
    /// escapes.
    ///
    /// # Errors
    ///
    /// Fails if the octets are not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn decode_utf8(self) -> Result<alloc::borrow::Cow<'a, str>, super::NotUtf8> {
        self.text.decode_utf8()
    }

    /// Returns whether the segment is empty, like the one between two adjacent slashes.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the part before the first parameter: the complete segment if it has no parameters,
    /// or an empty part if the segment begins with a semicolon.
    pub fn name(self) -> Encoded<'a> {
        self.text
            .split_once(';')
            .map_or(self.text, |(name, _)| name)
    }

    /// Iterates over the parameters: the parts after each semicolon (RFC 2396, 3.3: `segment =
    /// *pchar *( ";" param )`).
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://a/b/c;x=1;y/d")?;
    /// let segment = url.path().segments().nth(1).unwrap();
    /// assert_eq!(segment.name(), "c");
    /// assert!(segment.parameters().map(|p| p.as_str()).eq(["x=1", "y"]));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn parameters(self) -> Parameters<'a> {
        let mut split = self.text.split(';');
        split.next();
        Parameters { split }
    }
}

impl fmt::Display for Segment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}

impl fmt::Debug for Segment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl PartialEq<str> for Segment<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Segment<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Segment<'_>> for &str {
    fn eq(&self, other: &Segment<'_>) -> bool {
        *self == other.as_str()
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<alloc::string::String> for Segment<'_> {
    fn eq(&self, other: &alloc::string::String) -> bool {
        self.as_str() == other
    }
}

impl AsRef<str> for Segment<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// An iterator over the parameters of a [`Segment`].
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    split: Split<'a>,
}

impl<'a> Iterator for Parameters<'a> {
    type Item = Encoded<'a>;

    fn next(&mut self) -> Option<Encoded<'a>> {
        self.split.next()
    }
}

impl DoubleEndedIterator for Parameters<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.split.next_back()
    }
}

impl core::iter::FusedIterator for Parameters<'_> {}
