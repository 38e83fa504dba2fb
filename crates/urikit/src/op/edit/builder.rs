//! The builder: it holds the new value of each component, and the first error.

use super::error::EditError;
use super::value::Value;
use crate::component::{AMPERSAND, Encoded};
use crate::{AnyRef, Standard};
#[allow(unused_imports)] // in links
use crate::{AnyRefBuf, IriBuf, IriRefBuf, UriBuf, UriRefBuf};
use core::fmt;

/// Builds a reference out of components, or out of another reference with some of them changed.
///
/// Start with [`UriBuilder::new`], or with `to_builder` of a reference: what is not changed is
/// written byte for byte. Each method takes what a component becomes; [`Value`] says how text is
/// read. Only the result has to be valid, and an error is reported when it is built.
///
/// ```
/// use urikit::{Uri, UriBuilder};
/// let url = UriBuilder::new()
///     .scheme("https")
///     .host("example.com")
///     .push_segment("a/b") // data: one segment
///     .query_append("q", "x&y")
///     .build()?;
/// assert_eq!(url, "https://example.com/a%2Fb?q=x%26y");
///
/// let other = url.to_builder().port(8080).remove_query().fragment("top").build()?;
/// assert_eq!(other, "https://example.com:8080/a%2Fb#top");
///
/// // What would be parsed as something else is not built.
/// assert!(UriBuilder::new().path("//etc/motd").build_ref().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// | method | builds |
/// |---|---|
/// | [`build`](Self::build) | a [`UriBuf`], which has a scheme |
/// | [`build_ref`](Self::build_ref) | a [`UriRefBuf`], which may be relative |
/// | [`build_iri`](Self::build_iri) | an [`IriBuf`], which has a scheme |
/// | [`build_iri_ref`](Self::build_iri_ref) | an [`IriRefBuf`], which may be relative |
/// | [`build_any`](Self::build_any) | an [`AnyRefBuf`] of the builder's standard |
#[derive(Clone)]
pub struct UriBuilder<'a> {
    pub(super) standard: Standard,
    pub(super) generic: bool,
    pub(super) scheme: Option<Value<'a>>,
    /// There is a userinfo when there is a user.
    pub(super) user: Option<Value<'a>>,
    pub(super) password: Option<Value<'a>>,
    /// There is an authority when there is a host.
    pub(super) host: Option<Value<'a>>,
    pub(super) port: Option<Value<'a>>,
    pub(super) path: Value<'a>,
    pub(super) params: Option<Value<'a>>,
    pub(super) query: Option<Value<'a>>,
    pub(super) fragment: Option<Value<'a>>,
    pub(super) separator: char,
    /// The first error.
    pub(super) failure: Option<EditError>,
}

impl fmt::Debug for UriBuilder<'_> {
    /// What [`build_any`](Self::build_any) returns: the reference, its password masked, or why there
    /// is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_tuple("UriBuilder");
        match self.clone().build_any() {
            Ok(reference) => debug.field(&reference),
            Err(error) => debug.field(&error),
        };
        debug.finish()
    }
}

impl Default for UriBuilder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> AnyRef<'a> {
    /// A builder that begins with this reference.
    ///
    /// ```
    /// use urikit::Standard;
    /// let url = Standard::Rfc2396.parse("ftp://foo:@host.dom:21/%2Fetc/motd;type=a")?;
    /// let edited = url.to_builder().scheme("http").remove_userinfo().port(8080).build_any()?;
    /// assert_eq!(edited, "http://host.dom:8080/%2Fetc/motd;type=a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_builder(&self) -> UriBuilder<'a> {
        let kept = |text: Encoded<'a>| Value::from(text);
        UriBuilder {
            standard: self.standard(),
            generic: self.is_generic(),
            scheme: self.scheme().map(Value::encoded),
            user: self.user().map(kept),
            password: self.password().map(kept),
            host: self.host().map(Value::from),
            port: self.port().map(Value::encoded),
            path: self.path().into(),
            params: self.params().map(kept),
            query: self.query().map(kept),
            fragment: self.fragment().map(kept),
            separator: AMPERSAND,
            failure: None,
        }
    }
}

impl UriBuilder<'_> {
    /// Begins with the empty reference of RFC 3986.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// // RFC 3986, 1.1.2
    /// let uri = UriBuilder::new().scheme("tel").path("+1-816-555-1212").build()?;
    /// assert_eq!(uri, "tel:+1-816-555-1212");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    pub fn new() -> Self {
        Self::with_standard(Standard::Rfc3986)
    }

    /// Begins with the empty reference of a standard, which says what is valid and what is
    /// escaped.
    ///
    /// ```
    /// use urikit::{Standard, UriBuilder};
    /// let iri = UriBuilder::with_standard(Standard::Rfc3987)
    ///     .scheme("http")
    ///     .host("www.example.org")
    ///     .push_segment("rosé")
    ///     .build_iri()?;
    /// assert_eq!(iri, "http://www.example.org/rosé");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    pub fn with_standard(standard: Standard) -> Self {
        Self {
            standard,
            generic: false,
            scheme: None,
            user: None,
            password: None,
            host: None,
            port: None,
            path: Value::encoded(""),
            params: None,
            query: None,
            fragment: None,
            separator: AMPERSAND,
            failure: None,
        }
    }

    /// Keeps the first error.
    pub(super) fn fail(&mut self, error: EditError) {
        self.failure.get_or_insert(error);
    }
}
