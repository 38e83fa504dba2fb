//! What each component becomes: the builder's methods that set or remove it.
//!
//! Segments of the path are in `path`, pairs of the query in `query`.

use super::builder::UriBuilder;
use super::error::{Component, EditError};
use super::value::{Change, Value};

impl<'a> UriBuilder<'a> {
    /// The scheme, without its colon. It is never escaped, so data with a `%` is an error.
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

    /// The password: the userinfo after its first colon. Data. It needs a user, even an empty one.
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

    /// The host: a name, or an address with the brackets of an IPv6 one; or an `IpAddr`. Without a
    /// host there is no authority, and so no userinfo and no port.
    ///
    /// A name with characters beyond US-ASCII becomes its name in the DNS (`xn--…`, RFC 3987,
    /// 3.1); this needs the feature `idna`, and is an error without it. In an IRI it is unchanged.
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

    /// The query, without its `?`; it is escaped already. [`query_append`](Self::query_append)
    /// takes data.
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
}
