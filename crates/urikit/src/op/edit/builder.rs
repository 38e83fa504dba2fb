//! The builder: it holds the new value of each component, and writes and parses the result.

use super::error::{Component, EditError, Invalid};
use super::slot::Slot;
use super::value::{Change, Value};
use crate::component::{AMPERSAND, Encoded};
use crate::layout::Layout;
use crate::parse::Production;
use crate::scan::components::{Components, ComponentsBuf};
use crate::{
    AnyRef, AnyRefBuf, IriBuf, IriRefBuf, ParseError, Rejected, Standard, UriBuf, UriRefBuf,
};
use alloc::boxed::Box;
use alloc::string::String;
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

impl<'a> UriBuilder<'a> {
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

    /// The scheme, without its colon.
    #[must_use]
    pub fn scheme(mut self, scheme: impl Into<Change<'a>>) -> Self {
        self.scheme = scheme.into().into_option();
        self
    }

    /// The userinfo, without its `@`: the user, and the password after the first colon. It is
    /// escaped already; [`user`](Self::user) and [`password`](Self::password) take data.
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

    /// The user: the userinfo up to its first colon. Data. Without a user there is no userinfo.
    #[must_use]
    pub fn user(mut self, user: impl Into<Change<'a>>) -> Self {
        self.user = user.into().into_option();
        self
    }

    /// The password: the userinfo after its first colon. Data. It needs a user, even an empty one.
    #[must_use]
    pub fn password(mut self, password: impl Into<Change<'a>>) -> Self {
        self.password = password.into().into_option();
        self
    }

    /// The host: a name, or an address with the brackets of an IPv6 one; or an `IpAddr`. Without a
    /// host there is no authority, and so no userinfo and no port.
    ///
    /// A name with characters beyond US-ASCII becomes its name in the DNS (`xn--…`, RFC 3987,
    /// 3.1); this needs the feature `idna`, and is an error without it. In an IRI it is unchanged.
    #[must_use]
    pub fn host(mut self, host: impl Into<Change<'a>>) -> Self {
        self.host = host.into().into_option();
        self
    }

    /// The port, without its colon: a number, or digits.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// let error = UriBuilder::new().scheme("http").host("h").port("abc").build().unwrap_err();
    /// assert_eq!(error, EditError::NotAPort { found: 'a' });
    /// ```
    #[must_use]
    pub fn port(mut self, port: impl Into<Change<'a>>) -> Self {
        self.port = port.into().into_option();
        self
    }

    /// The path, with its first slash; it is escaped already. [`push_segment`](Self::push_segment)
    /// takes data.
    ///
    /// ```
    /// use urikit::{Uri, UriBuilder};
    /// let url = Uri::parse("http://h/caf%C3%A9")?;
    /// let copy = UriBuilder::new().scheme("https").host("i").path(url.path()).build()?;
    /// assert_eq!(copy, "https://i/caf%C3%A9");
    /// let error = url.to_builder().path("/a b").build().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the path is not valid: expected a path character, `/`, `?`, `#` or the end, but found a \
    ///      space at byte 2 (segment, RFC 3986, 3.3)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(mut self, path: impl Into<Value<'a>>) -> Self {
        self.path = path.into();
        self
    }

    /// RFC 1808's params, without the semicolon; no other standard has them.
    #[must_use]
    pub fn params(mut self, params: impl Into<Change<'a>>) -> Self {
        self.params = params.into().into_option();
        self
    }

    /// The query, without its `?`; it is escaped already. [`query_append`](Self::query_append)
    /// takes data.
    #[must_use]
    pub fn query(mut self, query: impl Into<Change<'a>>) -> Self {
        self.query = query.into().into_option();
        self
    }

    /// The fragment, without its `#`; it is escaped already.
    #[must_use]
    pub fn fragment(mut self, fragment: impl Into<Change<'a>>) -> Self {
        self.fragment = fragment.into().into_option();
        self
    }

    /// Removes the scheme.
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

    /// Removes RFC 1808's params and their semicolon.
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

    /// Builds a URI.
    ///
    /// # Errors
    ///
    /// If there is no scheme, or the result would not be valid or would be parsed with other
    /// components.
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
    /// If the result would not be valid or would be parsed with other components.
    pub fn build_ref(self) -> Result<UriRefBuf, EditError> {
        UriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds an IRI.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
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
    /// As [`build_ref`](Self::build_ref).
    pub fn build_iri_ref(self) -> Result<IriRefBuf, EditError> {
        IriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds a reference of the builder's standard.
    ///
    /// # Errors
    ///
    /// As [`build_ref`](Self::build_ref).
    pub fn build_any(self) -> Result<AnyRefBuf, EditError> {
        let mut text = String::new();
        let layout = self.append(&mut text)?;
        let components = ComponentsBuf::new(text, layout);
        Ok(AnyRefBuf::from_components(components, self.standard))
    }

    /// Appends the result to `out` and returns a view of it.
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
    /// As [`build_ref`](Self::build_ref); `out` is then unchanged.
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

    /// Keeps the first error.
    pub(super) fn fail(&mut self, error: EditError) {
        self.failure.get_or_insert(error);
    }

    /// Appends the result to `out`, valid or not, and returns its layout.
    fn append(&self, out: &mut String) -> Result<Layout, EditError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let start = out.len();
        let meant = self.compose(start, out)?;
        let text = out.get(start..).unwrap_or_default();
        let production = if self.generic {
            Production::Generic
        } else {
            Production::Own
        };
        let failure = match crate::parse::reference(text.as_bytes(), self.standard, production) {
            Ok(layout) => match meant.compare(&layout) {
                Ok(()) => return Ok(layout),
                Err(error) => self.delimiter_in(error),
            },
            Err(error) => meant.invalid(text, error),
        };
        Err(self.explained(failure))
    }

    /// The delimiter in a value because of which a component is misread, if there is one.
    fn delimiter_in(&self, failure: EditError) -> EditError {
        let pairs: [(Component, Option<&Value<'_>>, &[char]); 2] = [
            (Component::Path, Some(&self.path), &['?', '#']),
            (Component::Query, self.query.as_ref(), &['#']),
        ];
        for (component, value, delimiters) in pairs {
            let Some(value) = value.filter(|value| value.is_written()) else {
                continue;
            };
            if let Some(offset) = value.text.find(delimiters) {
                let found = value
                    .text
                    .get(offset..)
                    .and_then(|rest| rest.chars().next());
                let found = found.unwrap_or_default();
                return EditError::Delimiter {
                    component,
                    found,
                    offset,
                };
            }
        }
        failure
    }

    /// The error of a component, if it is more precise than that of the result.
    fn explained(&self, failure: EditError) -> EditError {
        let component = Component::Query;
        if let Some(error) = self.bad_scheme() {
            error
        } else if self.path_joins_host() {
            EditError::NeedsSlash
        } else if self.is_opaque() && failure == (EditError::Misread { component }) {
            EditError::Opaque { component }
        } else {
            failure
        }
    }

    /// Whether nothing would separate the path from the authority.
    pub(super) fn path_joins_host(&self) -> bool {
        self.host.is_some() && !self.path.text.is_empty() && !self.path.text.starts_with('/')
    }

    /// The scheme, which is never escaped.
    pub(super) fn scheme_text(&self) -> Option<&str> {
        self.scheme.as_ref().map(|scheme| &*scheme.text)
    }

    /// Whether the path is an opaque part, without segments.
    pub(super) fn is_opaque(&self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.scheme.is_some()
            && self.host.is_none()
            && !self.path.text.starts_with('/')
    }

    /// Appends all components, with their delimiters, to `out`, where the reference begins at
    /// `start`.
    fn compose(&self, start: usize, out: &mut String) -> Result<Places, EditError> {
        let mut places = Places::default();
        if let Some(scheme) = &self.scheme {
            out.push_str(&scheme.text);
            places.scheme = Some(out.len() - start);
            out.push(':');
        }
        self.authority(start, out, &mut places)?;
        places.path = out.len() - start;
        let place = if self.is_opaque() {
            Slot::Opaque
        } else {
            Slot::Path
        };
        self.write(&self.path, place, out)?;
        if let Some(params) = &self.params {
            if self.standard != Standard::Rfc1808 {
                return Err(EditError::NoSuchComponent {
                    component: Component::Params,
                    standard: self.standard,
                });
            }
            places.params = Some(out.len() - start);
            out.push(';');
            self.write(params, Slot::Params, out)?;
        }
        if let Some(query) = &self.query {
            places.query = Some(out.len() - start);
            out.push('?');
            self.write(query, Slot::Query, out)?;
        }
        if let Some(fragment) = &self.fragment {
            places.fragment = Some(out.len() - start);
            out.push('#');
            self.write(fragment, Slot::Fragment, out)?;
        }
        Ok(places)
    }

    /// Appends `//` and the authority, if there is one.
    fn authority(
        &self,
        start: usize,
        out: &mut String,
        places: &mut Places,
    ) -> Result<(), EditError> {
        let needs_host = |component| Err(EditError::NeedsHost { component });
        let Some(host) = &self.host else {
            return match (&self.user, &self.password, &self.port) {
                (None, None, None) => Ok(()),
                (None, None, Some(_)) => needs_host(Component::Port),
                _ => needs_host(Component::Userinfo),
            };
        };
        places.authority = true;
        out.push_str("//");
        if let Some(user) = &self.user {
            let from = out.len();
            self.write(user, Slot::User, out)?;
            if out.get(from..).unwrap_or_default().contains(':') {
                return Err(EditError::Misread {
                    component: Component::Userinfo,
                });
            }
            if let Some(password) = &self.password {
                out.push(':');
                self.write(password, Slot::Password, out)?;
            }
            places.userinfo = Some(out.len() - start);
            out.push('@');
        } else if self.password.is_some() {
            return Err(EditError::NeedsUser);
        }
        self.write(host, Slot::Host, out)?;
        places.host_end = out.len() - start;
        if let Some(port) = &self.port {
            if let Some(found) = port.text.chars().find(|c| !c.is_ascii_digit()) {
                return Err(EditError::NotAPort { found });
            }
            out.push(':');
            out.push_str(&port.text);
        }
        Ok(())
    }
}

/// Where the components are meant to be: the offsets of their delimiters.
#[derive(Default)]
struct Places {
    scheme: Option<usize>,
    authority: bool,
    userinfo: Option<usize>,
    host_end: usize,
    path: usize,
    params: Option<usize>,
    query: Option<usize>,
    fragment: Option<usize>,
}

impl Places {
    /// Checks that the components are there: the text is the same, so its delimiters decide.
    fn compare(&self, layout: &Layout) -> Result<(), EditError> {
        let authority = layout.host_kind.is_some();
        let host_end = if authority {
            layout.host_end as usize
        } else {
            0
        };
        let pairs = [
            (Component::Scheme, self.scheme == layout.scheme.get()),
            (Component::Host, self.authority == authority),
            (Component::Userinfo, self.userinfo == layout.userinfo.get()),
            (Component::Host, self.host_end == host_end),
            (Component::Path, self.path == layout.path as usize),
            (Component::Params, self.params == layout.params.get()),
            (Component::Query, self.query == layout.query.get()),
            (Component::Fragment, self.fragment == layout.fragment.get()),
        ];
        match pairs.into_iter().find(|(_, same)| !same) {
            Some((component, _)) => Err(EditError::Misread { component }),
            None => Ok(()),
        }
    }

    /// The error of a result that is not valid, with the component in which it lies.
    fn invalid(&self, text: &str, error: ParseError) -> EditError {
        let at = error.offset();
        let after_scheme = self.scheme.map_or(0, |colon| colon + 1);
        let host = match self.userinfo {
            _ if !self.authority => None,
            Some(at_sign) => Some(at_sign + 1),
            None => Some(after_scheme + 2),
        };
        let after = |delimiter: Option<usize>| delimiter.map(|delimiter| delimiter + 1);
        let port = (self.authority && self.host_end < self.path).then_some(self.host_end + 1);
        let starts = [
            (Component::Fragment, after(self.fragment)),
            (Component::Query, after(self.query)),
            (Component::Params, after(self.params)),
            (Component::Path, Some(self.path)),
            (Component::Port, port),
            (Component::Host, host),
            (Component::Userinfo, self.userinfo.map(|_| after_scheme + 2)),
        ];
        let mut starts = starts
            .into_iter()
            .filter_map(|(component, start)| Some((component, start?)));
        EditError::Invalid(Box::new(Invalid {
            component: starts.find(|(_, start)| *start <= at),
            result: Rejected::new(String::from(text), error),
        }))
    }
}
