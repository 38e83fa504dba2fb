//! URI references (RFC 3986, 4.1).

use super::AnyRef;
#[cfg(feature = "alloc")]
use super::AnyRefBuf;
use super::getters::{getters, maybe_scheme};
use super::invalid::Message;
use crate::{ParseError, Standard};

/// A URI reference (RFC 3986, 4.1): a URI, or a relative reference such as `../g?y#s`.
///
/// It borrows its text; `UriRefBuf` owns it.
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
/// `==`, order and hash are those of the text as written.
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
    /// The first byte at which no valid reference can go on; a text of more than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::fast(text, Standard::Rfc3986) {
            Some(any) => Ok(Self(any)),
            None => Self::parse_const(text),
        }
    }

    /// [`parse`](Self::parse) for constants; slower at run time.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
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
    /// Parses a text that is part of the program; in a constant, at compile time.
    ///
    /// ```
    /// use urikit::UriRef;
    /// const UP: UriRef<'_> = UriRef::from_static("../g");
    /// assert_eq!(UP.path(), "../g");
    /// ```
    ///
    /// # Panics
    ///
    /// If it is not a URI reference; in a constant that is a compile error. The message has the
    /// offset.
    #[allow(clippy::panic)] // that is what the function is for; `parse` returns an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(reference) => reference,
            Err(error) => panic!("{}", Message::new("URI reference", error).as_str()),
        }
    }
}

/// The owned form of [`UriRef`]: a URI reference (RFC 3986, 4.1) that owns its text, with the same
/// methods and with setters.
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
    /// Parses a copy of `text`; see [`UriRef::parse`]. (`UriRefBuf::try_from` takes a `String`
    /// without copying it, and gives it back on an error.)
    ///
    /// # Errors
    ///
    /// As [`UriRef::parse`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        UriRef::parse(text).map(Self::from)
    }

    maybe_scheme!(UriRefBuf, '_, const);
    getters!(UriRefBuf, '_, const);
}
