//! IRIs, which have a scheme, and IRI references, which may be relative (RFC 3987, 2.2).

use super::AnyRef;
#[cfg(feature = "alloc")]
use super::AnyRefBuf;
use super::errors::Message;
use super::getters::{getters, maybe_scheme, scheme};
use crate::{ParseError, Standard};

/// An IRI (RFC 3987, 2.2): a URI that may contain non-ASCII characters. An IRI always has a
/// scheme.
///
/// `Iri` borrows its text. `IriBuf` is the owned form.
///
/// ```
/// use urikit::Iri;
/// let iri = Iri::parse("http://résumé.example.org/rosé")?; // RFC 3987, 3.1
/// assert_eq!(iri.host().unwrap(), "résumé.example.org");
/// assert_eq!(iri.to_uri().path(), "/ros%C3%A9");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Equality, ordering and hashing use the text as written.
#[derive(Clone, Copy)]
pub struct Iri<'a>(pub(super) AnyRef<'a>);

impl<'a> Iri<'a> {
    /// Parses `text` as an IRI.
    ///
    /// ```
    /// use urikit::Iri;
    /// assert!(Iri::parse("http://example.com/r\u{e9}sum\u{e9}").is_ok());
    /// assert!(Iri::parse("r\u{e9}sum\u{e9}").is_err()); // an `IriRef` may be relative
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `text` is not a valid IRI. The error gives the offset of the first byte at which
    /// no valid IRI can continue. For a relative reference, the offset is where the scheme would
    /// have to continue ([`NoScheme`](ParseError::NoScheme)). Also fails if `text` is longer than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::fast(text, Standard::Rfc3987) {
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
        match Standard::Rfc3987.parse_const(text) {
            Ok(any) if any.has_scheme() => Ok(Self(any)),
            Ok(_) => Err(crate::parse::not_absolute(text, None)),
            Err(error) => Err(crate::parse::not_absolute(text, Some(error))),
        }
    }

    scheme!(Iri, 'a);
    getters!(Iri, 'a, const);
}

impl Iri<'static> {
    /// Parses a literal. In a constant, the literal is parsed at compile time.
    ///
    /// ```
    /// use urikit::Iri;
    /// const HOME: Iri<'_> = Iri::from_static("http://résumé.example.org/");
    /// assert_eq!(HOME.host().unwrap(), "résumé.example.org");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `text` is not an IRI. In a constant, an invalid `text` is a compile error. The
    /// message contains the offset.
    #[allow(clippy::panic)] // that is what the function is for; `parse` returns an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(iri) => iri,
            Err(error) => panic!("{}", Message::new("IRI", error).as_str()),
        }
    }
}

/// The owned form of [`Iri`]: an IRI (RFC 3987, 2.2) that owns its text. `IriBuf` has the methods
/// of [`Iri`], and also setters.
///
/// ```
/// use urikit::IriBuf;
/// let mut iri = IriBuf::parse("http://www.example.org/rosé")?;
/// iri.push_segment("Dürst")?;
/// assert_eq!(iri, "http://www.example.org/rosé/Dürst");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct IriBuf(pub(super) AnyRefBuf);

#[cfg(feature = "alloc")]
impl IriBuf {
    /// Copies `text` and parses it; see [`Iri::parse`]. `IriBuf::try_from` converts a `String`
    /// without copying it; on failure, the error contains the `String`.
    ///
    /// # Errors
    ///
    /// See [`Iri::parse`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Iri::parse(text).map(Self::from)
    }

    scheme!(IriBuf, '_);
    getters!(IriBuf, '_, const);
}

/// An IRI reference (RFC 3987, 2.2): an IRI, or a relative reference such as `../rosé`.
///
/// `IriRef` borrows its text. `IriRefBuf` is the owned form.
///
/// ```
/// use urikit::{Iri, IriRef};
/// let reference = IriRef::parse("../rosé")?;
/// assert_eq!(reference.scheme(), None);
/// assert_eq!(reference.path(), "../rosé");
///
/// let base = Iri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
/// assert_eq!(reference.resolve_against(&base).unwrap(), "http://a/b/rosé");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Equality, ordering and hashing use the text as written.
#[derive(Clone, Copy)]
pub struct IriRef<'a>(pub(super) AnyRef<'a>);

impl<'a> IriRef<'a> {
    /// Parses `text` as an IRI reference.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let error = IriRef::parse("http://a/%4g").unwrap_err();
    /// assert_eq!(error.offset(), 11);
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `text` is not a valid reference. The error gives the offset of the first byte
    /// that cannot continue a valid reference. Also fails if `text` is longer than
    /// [`MAX_LEN`](crate::MAX_LEN) bytes.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        match AnyRef::fast(text, Standard::Rfc3987) {
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
        match Standard::Rfc3987.parse_const(text) {
            Ok(any) => Ok(Self(any)),
            Err(error) => Err(error),
        }
    }

    maybe_scheme!(IriRef, 'a, const);
    getters!(IriRef, 'a, const);
}

impl IriRef<'static> {
    /// Parses a literal. In a constant, the literal is parsed at compile time.
    ///
    /// ```
    /// use urikit::IriRef;
    /// const UP: IriRef<'_> = IriRef::from_static("../g");
    /// assert_eq!(UP.path(), "../g");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `text` is not an IRI reference. In a constant, an invalid `text` is a compile
    /// error. The message contains the offset.
    #[allow(clippy::panic)] // that is what the function is for; `parse` returns an error
    #[track_caller]
    pub const fn from_static(text: &'static str) -> Self {
        match Self::parse_const(text) {
            Ok(reference) => reference,
            Err(error) => panic!("{}", Message::new("IRI reference", error).as_str()),
        }
    }
}

/// The owned form of [`IriRef`]: an IRI reference (RFC 3987, 2.2) that owns its text. `IriRefBuf`
/// has the methods of [`IriRef`], and also setters.
///
/// ```
/// use urikit::IriRefBuf;
/// let mut reference = IriRefBuf::parse("../rosé")?;
/// reference.set_fragment("dürr")?;
/// assert_eq!(reference, "../rosé#dürr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct IriRefBuf(pub(super) AnyRefBuf);

#[cfg(feature = "alloc")]
impl IriRefBuf {
    /// Copies `text` and parses it; see [`IriRef::parse`]. `IriRefBuf::try_from` converts a
    /// `String` without copying it; on failure, the error contains the `String`.
    ///
    /// # Errors
    ///
    /// See [`IriRef::parse`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        IriRef::parse(text).map(Self::from)
    }

    maybe_scheme!(IriRefBuf, '_, const);
    getters!(IriRefBuf, '_, const);
}
