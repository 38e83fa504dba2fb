//! URIs, which have a scheme (RFC 3986, 3), and URI references, which may be relative (4.1).

use super::AnyRef;
#[cfg(feature = "alloc")]
use super::AnyRefBuf;
use super::errors::Message;
use super::getters::{getters, maybe_scheme, scheme};
use crate::{ParseError, Standard};

/// A URI, which always has a scheme (RFC 3986, 3). A base is a URI, and so is a resolved reference.
///
/// `Uri` borrows its text. `UriBuf` is the owned form.
///
/// ```text
///   foo://example.com:8042/over/there?name=ferret#nose
///   \_/   \______________/\_________/ \_________/ \__/
///    |           |            |            |        |
/// scheme     authority       path        query   fragment
/// ```
///
/// ```
/// use urikit::Uri;
/// let uri = Uri::parse("foo://example.com:8042/over/there?name=ferret#nose")?;
/// assert_eq!(uri.scheme(), "foo");
/// assert_eq!(uri.host().unwrap(), "example.com");
/// assert_eq!(uri.port_number(), Some(8042));
/// assert_eq!(uri.path(), "/over/there");
/// assert_eq!(uri.query().unwrap(), "name=ferret");
/// assert_eq!(uri.fragment().unwrap(), "nose");
///
/// assert!(Uri::parse("/over/there").is_err()); // a `UriRef` may be relative
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Equality, ordering and hashing use the text as written. To find equivalent URIs (RFC 3986, 6),
/// compare with [`compare`](Self::compare), normalize first, or use
/// [`NormalKey`](crate::op::NormalKey) as the key of a map.
#[derive(Clone, Copy)]
pub struct Uri<'a>(pub(super) AnyRef<'a>);

impl<'a> Uri<'a> {
    /// Parses `text` as a URI.
    ///
    /// ```
    /// use urikit::Uri;
    /// assert_eq!(Uri::parse("http://example.com/a")?.path(), "/a");
    /// let error = Uri::parse("example.com/a").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a scheme is required, but this is a relative reference: expected a scheme character \
    ///      or `:`, but found `/` at byte 11 (scheme, RFC 3986, 3.1)",
    /// );
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `text` is not a valid URI. The error gives the offset of the first byte at which
    /// no valid URI can continue. For a relative reference, the offset is where the scheme would
    /// have to continue ([`NoScheme`](ParseError::NoScheme)). Also fails if `text` is longer than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::fast(text, Standard::Rfc3986) {
            Some(any) if any.has_scheme() => Ok(Self(any)),
            _ => Self::parse_const(text),
        }
    }

    /// Does the same as [`parse`](Self::parse), but also works in constants. At run time,
    /// `parse_const` is slower than `parse`.
    ///
    /// # Errors
    ///
    /// See [`parse`](Self::parse).
    pub const fn parse_const(text: &'a str) -> Result<Self, ParseError> {
        match Standard::Rfc3986.parse_const(text) {
            Ok(any) if any.has_scheme() => Ok(Self(any)),
            Ok(_) => Err(crate::parse::not_absolute(text, None)),
            Err(error) => Err(crate::parse::not_absolute(text, Some(error))),
        }
    }

    scheme!(Uri, 'a);
    getters!(Uri, 'a, const);
}

impl Uri<'static> {
    /// Parses a literal. In a constant, the literal is parsed at compile time.
    ///
    /// ```
    /// use urikit::Uri;
    /// const HOME: Uri<'_> = Uri::from_static("http://www.ietf.org/rfc/rfc2396.txt");
    /// assert_eq!(HOME.host().unwrap(), "www.ietf.org");
    /// ```
    ///
    /// ```compile_fail
    /// use urikit::Uri;
    /// const HOME: Uri<'_> = Uri::from_static("http://www.ietf.org/rfc 2396.txt"); // byte 23
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `text` is not a URI. In a constant, an invalid `text` is a compile error. The
    /// message contains the offset.
    #[allow(clippy::panic)] // that is what the function is for; `parse` returns an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(uri) => uri,
            Err(error) => panic!("{}", Message::new("URI", error).as_str()),
        }
    }
}

/// The owned form of [`Uri`]: a URI (RFC 3986, 3) that owns its text. `UriBuf` has the methods of
/// [`Uri`], and also setters.
///
/// ```
/// use urikit::UriBuf;
/// let mut uri = UriBuf::parse("http://www.ietf.org/rfc/rfc2396.txt")?;
/// uri.set_scheme("https")?;
/// uri.push_segment("a/b")?; // data: the slash is escaped
/// assert_eq!(uri, "https://www.ietf.org/rfc/rfc2396.txt/a%2Fb");
/// assert_eq!(uri.host().unwrap(), "www.ietf.org");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct UriBuf(pub(super) AnyRefBuf);

#[cfg(feature = "alloc")]
impl UriBuf {
    /// Copies `text` and parses it; see [`Uri::parse`]. `UriBuf::try_from` converts a `String`
    /// without copying it; on failure, the error contains the `String`.
    ///
    /// # Errors
    ///
    /// See [`Uri::parse`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Uri::parse(text).map(Self::from)
    }

    scheme!(UriBuf, '_);
    getters!(UriBuf, '_, const);
}

/// A URI reference (RFC 3986, 4.1): a URI, or a relative reference such as `../g?y#s`.
///
/// `UriRef` borrows its text. `UriRefBuf` is the owned form.
///
/// ```
/// use urikit::{Uri, UriRef};
/// let reference = UriRef::parse("../g?y#s")?;
/// assert_eq!(reference.scheme(), None);
/// assert_eq!(reference.path(), "../g");
///
/// let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
/// assert_eq!(reference.resolve_against(&base).unwrap(), "http://a/b/g?y#s");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Equality, ordering and hashing use the text as written.
#[derive(Clone, Copy)]
pub struct UriRef<'a>(pub(super) AnyRef<'a>);

impl<'a> UriRef<'a> {
    /// Parses `text` as a URI reference.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let error = UriRef::parse("http://a/%4g").unwrap_err();
    /// assert_eq!(error.offset(), 11);
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `text` is not a valid reference. The error gives the offset of the first byte at
    /// which no valid reference can continue. Also fails if `text` is longer than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::fast(text, Standard::Rfc3986) {
            Some(any) => Ok(Self(any)),
            None => Self::parse_const(text),
        }
    }

    /// Does the same as [`parse`](Self::parse), but also works in constants. At run time,
    /// `parse_const` is slower than `parse`.
    ///
    /// # Errors
    ///
    /// See [`parse`](Self::parse).
    pub const fn parse_const(text: &'a str) -> Result<Self, ParseError> {
        match Standard::Rfc3986.parse_const(text) {
            Ok(any) => Ok(Self(any)),
            Err(error) => Err(error),
        }
    }

    maybe_scheme!(UriRef, 'a, const);
    getters!(UriRef, 'a, const);
}

impl UriRef<'static> {
    /// Parses a literal. In a constant, the literal is parsed at compile time.
    ///
    /// ```
    /// use urikit::UriRef;
    /// const UP: UriRef<'_> = UriRef::from_static("../g");
    /// assert_eq!(UP.path(), "../g");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `text` is not a URI reference. In a constant, an invalid `text` is a compile
    /// error. The message contains the offset.
    #[allow(clippy::panic)] // that is what the function is for; `parse` returns an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(reference) => reference,
            Err(error) => panic!("{}", Message::new("URI reference", error).as_str()),
        }
    }
}

/// The owned form of [`UriRef`]: a URI reference (RFC 3986, 4.1) that owns its text. `UriRefBuf`
/// has the methods of [`UriRef`], and also setters.
///
/// ```
/// use urikit::UriRefBuf;
/// let mut reference = UriRefBuf::parse("../search")?;
/// reference.query_append("q", "a&b")?;
/// assert_eq!(reference, "../search?q=a%26b");
/// assert_eq!(reference.path(), "../search");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct UriRefBuf(pub(super) AnyRefBuf);

#[cfg(feature = "alloc")]
impl UriRefBuf {
    /// Copies `text` and parses it; see [`UriRef::parse`]. `UriRefBuf::try_from` converts a
    /// `String` without copying it; on failure, the error contains the `String`.
    ///
    /// # Errors
    ///
    /// See [`UriRef::parse`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        UriRef::parse(text).map(Self::from)
    }

    maybe_scheme!(UriRefBuf, '_, const);
    getters!(UriRefBuf, '_, const);
}
