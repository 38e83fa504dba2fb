//! The builder, which stores the new value of each component and the first error.
//!
//! The methods for segments are in `path`, and those for query pairs are in `query`.

use super::error::{Component, EditError};
use super::value::{Change, Value};
use crate::component::{AMPERSAND, Encoded};
use crate::layout::{Components, ComponentsBuf};
use crate::{AnyRef, AnyRefBuf, IriBuf, IriRefBuf, Standard, UriBuf, UriRefBuf};
use alloc::string::String;
use core::fmt;

/// Builds a reference from components, or from another reference by changing some of its
/// components.
///
/// Start with [`UriBuilder::new`], or with a reference's `to_builder`, which keeps unchanged
/// components byte for byte. [`Value`] explains how a method interprets its argument. Building the
/// reference checks all components, and reports only the first error.
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
/// // A result that would be parsed into different components is an error.
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
    /// `Some` if the result has a userinfo.
    pub(super) user: Option<Value<'a>>,
    pub(super) password: Option<Value<'a>>,
    /// `Some` if the result has an authority.
    pub(super) host: Option<Value<'a>>,
    pub(super) port: Option<Value<'a>>,
    pub(super) path: Value<'a>,
    pub(super) params: Option<Value<'a>>,
    pub(super) query: Option<Value<'a>>,
    pub(super) fragment: Option<Value<'a>>,
    pub(super) separator: char,
    /// True if the pairs are HTML form data.
    pub(super) form: bool,
    /// The first error.
    pub(super) failure: Option<EditError>,
}

impl fmt::Debug for UriBuilder<'_> {
    /// Formats the reference, with its password masked, or the error that building would return.
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
    /// Creates a builder that starts from this reference.
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
            port: self.port().map(Value::parsed),
            path: self.path().into(),
            params: self.params().map(kept),
            query: self.query().map(kept),
            fragment: self.fragment().map(kept),
            separator: AMPERSAND,
            form: false,
            failure: None,
        }
    }
}

impl UriBuilder<'_> {
    /// Creates a builder that starts from the empty reference of RFC 3986.
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

    /// Creates a builder that starts from the empty reference of `standard`. The standard
    /// determines what is valid and what is escaped.
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
            form: false,
            failure: None,
        }
    }

    /// Records an error, unless an earlier one exists.
    pub(super) fn fail(&mut self, error: EditError) {
        self.failure.get_or_insert(error);
    }
}

impl<'a> UriBuilder<'a> {
    /// Sets the scheme, without its colon. A scheme has no escapes, so data that contains a `%` is
    /// an error.
    #[must_use]
    pub fn scheme(mut self, scheme: impl Into<Change<'a>>) -> Self {
        self.scheme = scheme.into().into_option();
        self
    }

    /// Sets the userinfo, without its `@`: the user and, after the first colon, the password. The
    /// value must already be escaped; [`user`](Self::user) and [`password`](Self::password) accept
    /// data.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("ftp://foo:@host.com/")?; // RFC 1738, 3.1
    /// let edited = url.to_builder().userinfo("a%40b:c:d").build()?;
    /// assert_eq!(edited, "ftp://a%40b:c:d@host.com/");
    /// assert_eq!(edited.password().unwrap(), "c:d");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn userinfo(mut self, userinfo: impl Into<Change<'a>>) -> Self {
        let userinfo = userinfo.into().into_option().map(Value::into_component);
        if let Some(offset) = userinfo.as_ref().and_then(|value| value.text.find('@')) {
            let component = Component::Userinfo;
            self.fail(EditError::Delimiter {
                component,
                found: '@',
                offset,
            });
        }
        self.password = userinfo.as_ref().and_then(Value::after_colon);
        self.user = userinfo.map(Value::before_colon);
        self
    }

    /// Sets the user: the part of the userinfo before its first colon. The value is data, and is
    /// escaped as needed. Removing the user removes the userinfo.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// let url = UriBuilder::new().scheme("ftp").user("a@b").password("c:d").host("h").build()?;
    /// assert_eq!(url.userinfo().unwrap(), "a%40b:c%3Ad");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    #[must_use]
    pub fn user(mut self, user: impl Into<Change<'a>>) -> Self {
        self.user = user.into().into_option();
        self
    }

    /// Sets the password: the part of the userinfo after its first colon. The value is data, and
    /// is escaped as needed. A password needs a user, even an empty one.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// let builder = UriBuilder::new().scheme("ftp").host("h").password("x");
    /// assert_eq!(builder.clone().build().unwrap_err(), EditError::NeedsUser);
    /// assert_eq!(builder.user("").build()?, "ftp://:x@h");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    #[must_use]
    pub fn password(mut self, password: impl Into<Change<'a>>) -> Self {
        self.password = password.into().into_option();
        self
    }

    /// Sets the host: a name, an address (IPv6 in brackets), or an `IpAddr`. Removing the host
    /// removes the authority, so a userinfo or a port is then an error.
    ///
    /// A name with non-ASCII characters is converted to its DNS name (`xn--…`, RFC 3987, 3.1). The
    /// conversion needs the `idna` feature; without this feature, a non-ASCII name is an error. An
    /// IRI keeps the name as it is.
    ///
    /// ```
    /// use std::net::Ipv6Addr;
    /// use urikit::UriBuilder;
    /// let http = || UriBuilder::new().scheme("http");
    /// assert_eq!(http().host(Ipv6Addr::LOCALHOST).build()?, "http://[::1]");
    /// assert_eq!(http().host("").path("/a").build()?, "http:///a"); // empty, not absent
    /// assert_eq!(http().path("/a").build()?, "http:/a");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    #[must_use]
    pub fn host(mut self, host: impl Into<Change<'a>>) -> Self {
        self.host = host.into().into_option();
        self
    }

    /// Sets the port, without its colon: a number, or a string of digits. `None` removes the port,
    /// and `""` sets an empty one.
    ///
    /// A number above 65535 is an error, because TCP and UDP have no such port. Parsing accepts
    /// larger ports (RFC 3986, 3.2.3), and a builder that starts from a reference with a larger
    /// port keeps that port.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// let build = |port| UriBuilder::new().scheme("http").host("h").port(port).build();
    /// assert_eq!(build("8080")?, "http://h:8080");
    /// assert_eq!(build("abc").unwrap_err(), EditError::NotAPort { found: 'a' });
    /// assert_eq!(build("99999").unwrap_err(), EditError::PortTooLarge);
    /// # Ok::<(), EditError>(())
    /// ```
    #[must_use]
    pub fn port(mut self, port: impl Into<Change<'a>>) -> Self {
        self.port = port.into().into_option();
        self
    }

    /// Sets the path, including its leading slash. The value must already be escaped;
    /// [`push_segment`](Self::push_segment) accepts data.
    ///
    /// ```
    /// use urikit::{Uri, UriBuilder};
    /// let url = Uri::parse("http://h/caf%C3%A9")?;
    /// let copy = UriBuilder::new().scheme("https").host("i").path(url.path()).build()?;
    /// assert_eq!(copy, "https://i/caf%C3%A9");
    /// let error = url.to_builder().path("/a b").build().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the path is not valid: expected a path character, `/`, `?`, `#` or the end, \
    ///      but found a space at byte 2 (segment, RFC 3986, 3.3)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(mut self, path: impl Into<Value<'a>>) -> Self {
        self.path = path.into();
        self
    }

    /// Sets the params of RFC 1808, without the semicolon. The other standards have no params.
    ///
    /// ```
    /// use urikit::{EditError, Standard, UriBuilder};
    /// let base = Standard::Rfc1808.parse("http://a/b/c/d?q").unwrap();
    /// assert_eq!(base.to_builder().params("p").build_any()?, "http://a/b/c/d;p?q");
    /// let error = UriBuilder::new().path("d").params("p").build_ref().unwrap_err();
    /// assert!(matches!(error, EditError::NoSuchComponent { .. })); // RFC 3986
    /// # Ok::<(), EditError>(())
    /// ```
    #[must_use]
    pub fn params(mut self, params: impl Into<Change<'a>>) -> Self {
        self.params = params.into().into_option();
        self
    }

    /// Sets the query, without its `?`. The value must already be escaped;
    /// [`query_append`](Self::query_append) accepts data.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// let empty = UriBuilder::new().path("a").query("");
    /// assert_eq!(empty.clone().build_ref()?, "a?");
    /// assert_eq!(empty.query(None::<&str>).build_ref()?, "a");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    #[must_use]
    pub fn query(mut self, query: impl Into<Change<'a>>) -> Self {
        self.query = query.into().into_option();
        self
    }

    /// Sets the fragment, without its `#`. The value must already be escaped.
    #[must_use]
    pub fn fragment(mut self, fragment: impl Into<Change<'a>>) -> Self {
        self.fragment = fragment.into().into_option();
        self
    }

    /// Removes the scheme and its colon.
    #[must_use]
    pub fn remove_scheme(self) -> Self {
        self.scheme(Change::Remove)
    }

    /// Removes the userinfo: user and password.
    #[must_use]
    pub fn remove_userinfo(self) -> Self {
        self.user(Change::Remove).remove_password()
    }

    /// Removes the password and its colon.
    #[must_use]
    pub fn remove_password(self) -> Self {
        self.password(Change::Remove)
    }

    /// Removes the port and its colon.
    #[must_use]
    pub fn remove_port(self) -> Self {
        self.port(Change::Remove)
    }

    /// Removes the authority: userinfo, host and port.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("file://localhost/etc/fstab")?; // RFC 8089, 2
    /// assert_eq!(url.to_builder().remove_authority().build()?, "file:/etc/fstab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn remove_authority(self) -> Self {
        self.remove_userinfo().host(Change::Remove).remove_port()
    }

    /// Removes the params of RFC 1808 and their semicolon.
    #[must_use]
    pub fn remove_params(self) -> Self {
        self.params(Change::Remove)
    }

    /// Removes the query and its `?`.
    #[must_use]
    pub fn remove_query(self) -> Self {
        self.query(Change::Remove)
    }

    /// Removes the fragment and its `#`.
    #[must_use]
    pub fn remove_fragment(self) -> Self {
        self.fragment(Change::Remove)
    }
}

impl UriBuilder<'_> {
    /// Builds a URI.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// // RFC 3986, 1.1.2
    /// let path = "comp.infosystems.www.servers.unix";
    /// let uri = UriBuilder::new().scheme("news").path(path).build()?;
    /// assert_eq!(uri, "news:comp.infosystems.www.servers.unix");
    /// assert_eq!(UriBuilder::new().path("a").build().unwrap_err(), EditError::NeedsScheme);
    /// # Ok::<(), EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the scheme is missing, if the result is not valid, or if it would be parsed into
    /// different components.
    pub fn build(self) -> Result<UriBuf, EditError> {
        if self.scheme.is_none() {
            return Err(self.failure.unwrap_or(EditError::NeedsScheme));
        }
        UriBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds a URI reference.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// assert_eq!(UriBuilder::new().path("../g").query("y").build_ref()?, "../g?y");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the result is not valid, or if it would be parsed into different components.
    pub fn build_ref(self) -> Result<UriRefBuf, EditError> {
        UriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds an IRI.
    ///
    /// # Errors
    ///
    /// See [`build`](Self::build).
    pub fn build_iri(self) -> Result<IriBuf, EditError> {
        if self.scheme.is_none() {
            return Err(self.failure.unwrap_or(EditError::NeedsScheme));
        }
        IriBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds an IRI reference.
    ///
    /// # Errors
    ///
    /// See [`build_ref`](Self::build_ref).
    pub fn build_iri_ref(self) -> Result<IriRefBuf, EditError> {
        IriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds a reference under the builder's standard.
    ///
    /// ```
    /// use urikit::{Standard, UriBuilder};
    /// let builder = UriBuilder::with_standard(Standard::Rfc2396).scheme("mailto").path("a@b");
    /// assert!(builder.clone().build_any()?.is_opaque());
    /// assert!(builder.query("subject=x").build_any().is_err()); // RFC 2396, 3
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`build_ref`](Self::build_ref).
    pub fn build_any(self) -> Result<AnyRefBuf, EditError> {
        let mut text = String::new();
        let layout = self.append(&mut text)?;
        let components = ComponentsBuf::new(text, layout);
        Ok(AnyRefBuf::from_components(components, self.standard))
    }

    /// Appends the reference to `out` and returns a view of it.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://a/b")?;
    /// let mut out = String::from("see ");
    /// // RFC 3986, 3.3: without an authority, no path begins with `//`.
    /// assert!(url.to_builder().remove_authority().path("//b").write_into(&mut out).is_err());
    /// assert_eq!(out, "see ");
    /// url.to_builder().fragment("s").write_into(&mut out)?;
    /// assert_eq!(out, "see http://a/b#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`build_ref`](Self::build_ref). After an error, `out` is unchanged.
    pub fn write_into(self, out: &mut String) -> Result<AnyRef<'_>, EditError> {
        let start = out.len();
        match self.append(out) {
            Ok(layout) => {
                let text = out.get(start..).unwrap_or_default();
                let components = Components::new(text, layout);
                Ok(AnyRef::from_components(components, self.standard))
            }
            Err(error) => {
                out.truncate(start);
                Err(error)
            }
        }
    }
}
