//! The setters of the owned types. Each setter makes one change; after an error, the reference is
//! unchanged.

#[allow(unused_imports)] // in links
use super::UriBuilder;
use super::{Change, EditError, Value};
use crate::component::Pair;
use crate::{AnyRefBuf, IriBuf, IriRefBuf, UriBuf, UriRefBuf};

/// Defines the setters of an owned type. `$build` is the builder's method that builds the type.
macro_rules! setters {
    ($T:ident, $build:ident) => {
        /// Setters. Each setter fails if the result would not be valid or would be parsed into
        /// different components; the reference is then unchanged. [`Value`] explains how a setter
        /// interprets its argument.
        ///
        /// To change several components at once, use `to_builder`: it requires only the final
        /// result to be valid.
        impl $T {
            /// Sets the userinfo: the user and, after the first colon, the password. The value
            /// must already be escaped.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("ftp://host.dom/")?;
            /// url.set_userinfo("foo:")?; // RFC 1738, 3.1: an empty password
            /// assert_eq!(url, "ftp://foo:@host.dom/");
            /// assert!(UriBuf::parse("mailto:a@b")?.set_userinfo("foo").is_err()); // no host
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_userinfo<'v>(
                &mut self,
                userinfo: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let userinfo = userinfo.into();
                *self = self.to_builder().userinfo(userinfo).$build()?;
                Ok(())
            }

            /// Sets the user. The value is data, and is escaped as needed.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("ftp://host.dom/")?;
            /// url.set_user("a:b@c")?;
            /// assert_eq!(url, "ftp://a%3Ab%40c@host.dom/");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_user<'v>(&mut self, user: impl Into<Change<'v>>) -> Result<(), EditError> {
                let user = user.into();
                *self = self.to_builder().user(user).$build()?;
                Ok(())
            }

            /// Sets the password. The value is data, and is escaped as needed. A password requires
            /// a user, which may be empty.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("ftp://foo@host.dom/")?;
            /// url.set_password("")?;
            /// assert_eq!(url, "ftp://foo:@host.dom/"); // empty
            /// url.set_password(None::<&str>)?;
            /// assert_eq!(url, "ftp://foo@host.dom/"); // absent
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_password<'v>(
                &mut self,
                password: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let password = password.into();
                *self = self.to_builder().password(password).$build()?;
                Ok(())
            }

            /// Removes the password and its colon.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn remove_password(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_password().$build()?;
                Ok(())
            }

            /// Removes the userinfo and its `@`.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn remove_userinfo(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_userinfo().$build()?;
                Ok(())
            }

            /// Sets the host: a name, an address (IPv6 in brackets), or an `IpAddr`.
            /// [`UriBuilder::host`] describes non-ASCII names.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://a:8080/b")?;
            /// url.set_host(std::net::Ipv6Addr::LOCALHOST)?;
            /// assert_eq!(url, "http://[::1]:8080/b");
            /// assert!(url.set_host("c/d").is_err());
            /// assert_eq!(url, "http://[::1]:8080/b"); // unchanged after an error
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_host<'v>(&mut self, host: impl Into<Change<'v>>) -> Result<(), EditError> {
                let host = host.into();
                *self = self.to_builder().host(host).$build()?;
                Ok(())
            }

            /// Sets the port: a number, or a string of digits. `None` removes the port, and `""`
            /// sets an empty one (RFC 3986, 3.2.3).
            ///
            /// ```
            /// use urikit::{EditError, UriBuf};
            /// let mut url = UriBuf::parse("http://a/")?;
            /// url.set_port(8080)?;
            /// assert_eq!(url, "http://a:8080/");
            /// url.set_port("")?;
            /// assert_eq!(url, "http://a:/");
            /// assert_eq!(url.set_port(99999).unwrap_err(), EditError::PortTooLarge);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_port<'v>(&mut self, port: impl Into<Change<'v>>) -> Result<(), EditError> {
                let port = port.into();
                *self = self.to_builder().port(port).$build()?;
                Ok(())
            }

            /// Removes the port and its colon.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn remove_port(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_port().$build()?;
                Ok(())
            }

            /// Removes the authority: userinfo, host and port.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("file:///etc/motd")?;
            /// url.remove_authority()?;
            /// assert_eq!(url, "file:/etc/motd");
            /// let mut url = UriBuf::parse("http://a//b")?;
            /// assert!(url.remove_authority().is_err()); // RFC 3986, 3.3
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`]. A path that begins with `//` needs an authority.
            pub fn remove_authority(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_authority().$build()?;
                Ok(())
            }

            /// Sets the path, including its leading slash. The value must already be escaped.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://a/b?q")?;
            /// url.set_path("/c%20d/")?;
            /// assert_eq!(url, "http://a/c%20d/?q");
            /// assert!(url.set_path("e").is_err()); // after a host it begins with `/` or is empty
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_path<'v>(&mut self, path: impl Into<Value<'v>>) -> Result<(), EditError> {
                let path = path.into();
                *self = self.to_builder().path(path).$build()?;
                Ok(())
            }

            /// Sets the query, without its `?`. The value must already be escaped.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://a/")?;
            /// url.set_query("x=1&y=%20")?;
            /// assert_eq!(url, "http://a/?x=1&y=%20");
            /// url.set_query("")?; // `remove_query` also removes the `?`
            /// assert_eq!(url, "http://a/?");
            /// assert!(url.set_query("x#y").is_err());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_query<'v>(&mut self, query: impl Into<Change<'v>>) -> Result<(), EditError> {
                let query = query.into();
                *self = self.to_builder().query(query).$build()?;
                Ok(())
            }

            /// Removes the query and its `?`.
            ///
            /// # Errors
            ///
            /// See [`EditError`]. Some schemes of the older standards require a query.
            pub fn remove_query(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_query().$build()?;
                Ok(())
            }

            /// Sets the fragment, without its `#`. The value must already be escaped.
            /// `remove_fragment` removes the fragment.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://a/")?;
            /// url.set_fragment("a/b?c")?; // RFC 3986, 3.5: both are allowed
            /// assert_eq!(url, "http://a/#a/b?c");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_fragment<'v>(
                &mut self,
                fragment: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let fragment = fragment.into();
                *self = self.to_builder().fragment(fragment).$build()?;
                Ok(())
            }

            /// Appends a segment to the path. The value is data, and is escaped as needed. An
            /// empty segment adds a slash at the end, and is replaced by the next segment: check
            /// segments that come from a user. See [`UriBuilder::push_segment`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn push_segment<'v>(
                &mut self,
                segment: impl Into<Value<'v>>,
            ) -> Result<(), EditError> {
                let segment = segment.into();
                *self = self.to_builder().push_segment(segment).$build()?;
                Ok(())
            }

            /// Inserts a segment before the segment at `index`. The value is data, and is escaped
            /// as needed. See [`UriBuilder::insert_segment`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn insert_segment<'v>(
                &mut self,
                index: usize,
                segment: impl Into<Value<'v>>,
            ) -> Result<(), EditError> {
                let segment = segment.into();
                *self = self.to_builder().insert_segment(index, segment).$build()?;
                Ok(())
            }

            /// Removes the segment at `index`. See [`UriBuilder::remove_segment`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn remove_segment(&mut self, index: usize) -> Result<(), EditError> {
                *self = self.to_builder().remove_segment(index).$build()?;
                Ok(())
            }

            /// Appends a pair to the query. The name and the value are data, and are escaped as
            /// needed. See [`UriBuilder::query_append`].
            ///
            /// The value `None::<&str>` appends a name without `=`, and `""` appends an empty
            /// value.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://h/?a=1")?;
            /// url.query_append("q", "x;y=z")?;
            /// url.query_append("flag", None::<&str>)?;
            /// url.query_append("empty", "")?;
            /// assert_eq!(url, "http://h/?a=1&q=x%3By%3Dz&flag&empty=");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            #[doc(alias = "append_pair")]
            pub fn query_append<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self.to_builder().query_append(name, value).$build()?;
                Ok(())
            }

            /// Appends pairs to the query: either all of them or, after an error, none. Names and
            /// values are data, and are escaped as needed. See [`UriBuilder::query_extend`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            #[doc(alias = "extend_pairs")]
            pub fn query_extend<'v, N: Into<Value<'v>>, V: Into<Change<'v>>>(
                &mut self,
                pairs: impl IntoIterator<Item = (N, V)>,
            ) -> Result<(), EditError> {
                // The builder borrows `self`, so the pairs must live as long as that borrow.
                let pairs = pairs
                    .into_iter()
                    .map(|(name, value)| (name.into(), value.into()));
                *self = self
                    .to_builder()
                    .query_extend::<Value<'_>, Change<'_>>(pairs)
                    .$build()?;
                Ok(())
            }

            /// Sets the value of the first pair with this name and removes all other pairs with
            /// that name, or appends a pair. The name and the value are data, and are escaped as
            /// needed. A `+` in the query is a plus sign; use `form_set` for queries of HTML forms.
            /// See [`UriBuilder::query_set`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn query_set<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self.to_builder().query_set(name, value).$build()?;
                Ok(())
            }

            /// Sets the value of the first pair with this name and removes all other pairs with
            /// that name. Does nothing if no pair has the name. The name and the value are data,
            /// and are escaped as needed. A `+` in the query is a plus sign; use `form_replace` for
            /// queries of HTML forms. See [`UriBuilder::query_replace`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn query_replace<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self.to_builder().query_replace(name, value).$build()?;
                Ok(())
            }

            /// Sorts the pairs of the query by name. See [`UriBuilder::sort_query`].
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn sort_query(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().sort_query().$build()?;
                Ok(())
            }

            /// Removes all pairs with this name. Removing the last pair removes the query. The name
            /// is data, and is escaped as needed. A `+` in the query is a plus sign; use
            /// `form_remove` for queries of HTML forms.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn query_remove<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
            ) -> Result<(), EditError> {
                let name = name.into();
                *self = self.to_builder().query_remove(name).$build()?;
                Ok(())
            }

            /// Keeps only the pairs for which `keep` returns true. Removing the last pair removes
            /// the query.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn query_retain(
                &mut self,
                keep: impl FnMut(Pair<'_>) -> bool,
            ) -> Result<(), EditError> {
                *self = self.to_builder().query_retain(keep).$build()?;
                Ok(())
            }

            /// Appends a pair of HTML form data: a space is written as `+`. Otherwise like
            /// `query_append`. See [`UriBuilder::form`].
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://h/?a=1")?;
            /// url.form_append("q", "C++ and C")?;
            /// assert_eq!(url, "http://h/?a=1&q=C%2B%2B+and+C");
            /// assert_eq!(url.form_get_decoded("q").unwrap()?, "C++ and C");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn form_append<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self
                    .to_builder()
                    .form()
                    .query_append(name, value)
                    .$build()?;
                Ok(())
            }

            /// Appends pairs of HTML form data, each as `form_append` does: either all of them or,
            /// after an error, none.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn form_extend<'v, N: Into<Value<'v>>, V: Into<Change<'v>>>(
                &mut self,
                pairs: impl IntoIterator<Item = (N, V)>,
            ) -> Result<(), EditError> {
                let pairs = pairs
                    .into_iter()
                    .map(|(name, value)| (name.into(), value.into()));
                *self = self
                    .to_builder()
                    .form()
                    .query_extend::<Value<'_>, Change<'_>>(pairs)
                    .$build()?;
                Ok(())
            }

            /// Sets the value of the first pair with this name and removes all other pairs with
            /// that name, or appends a pair. Names match as in `form_get_decoded`, and a space is
            /// written as `+`. See [`UriBuilder::form`].
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://h/?first+name=Ann&page=1&first%20name=Eve")?;
            /// url.form_set("first name", "Jo Ann")?;
            /// assert_eq!(url, "http://h/?first+name=Jo+Ann&page=1");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn form_set<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self.to_builder().form().query_set(name, value).$build()?;
                Ok(())
            }

            /// Sets the value as `form_set` does, but does nothing if no pair has the name.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn form_replace<'v>(
                &mut self,
                name: impl Into<Value<'v>>,
                value: impl Into<Change<'v>>,
            ) -> Result<(), EditError> {
                let (name, value) = (name.into(), value.into());
                *self = self
                    .to_builder()
                    .form()
                    .query_replace(name, value)
                    .$build()?;
                Ok(())
            }

            /// Removes all pairs with this name. Names match as in `form_get_decoded`. Removing the
            /// last pair removes the query.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://h/?api+key=secret&page=1")?;
            /// url.form_remove("api key")?;
            /// assert_eq!(url, "http://h/?page=1");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn form_remove<'v>(&mut self, name: impl Into<Value<'v>>) -> Result<(), EditError> {
                let name = name.into();
                *self = self.to_builder().form().query_remove(name).$build()?;
                Ok(())
            }
        }
    };
}

setters!(UriBuf, build);
setters!(UriRefBuf, build_ref);
setters!(IriBuf, build_iri);
setters!(IriRefBuf, build_iri_ref);
setters!(AnyRefBuf, build_any);

/// The setter of a type that always has a scheme: it cannot remove the scheme.
macro_rules! set_scheme {
    ($($T:ident $build:ident)*) => {$(
        impl $T {
            /// Sets the scheme, without its colon.
            ///
            /// ```
            /// use urikit::UriBuf;
            /// let mut url = UriBuf::parse("http://a:80/")?;
            /// url.set_scheme("https")?;
            /// assert_eq!(url, "https://a:80/"); // the port is not adjusted
            /// assert!(url.set_scheme("1x").is_err()); // RFC 3986, 3.1: begins with a letter
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_scheme<'v>(&mut self, scheme: impl Into<Value<'v>>) -> Result<(), EditError> {
                let scheme = scheme.into();
                *self = self.to_builder().scheme(scheme).$build()?;
                Ok(())
            }
        }
    )*};
}

/// The setters of a type that may be a relative reference: they can remove the scheme.
macro_rules! set_or_remove_scheme {
    ($($T:ident $build:ident)*) => {$(
        impl $T {
            /// Sets the scheme, without its colon.
            ///
            /// # Errors
            ///
            /// See [`EditError`].
            pub fn set_scheme<'v>(&mut self, scheme: impl Into<Change<'v>>) -> Result<(), EditError> {
                let scheme = scheme.into();
                *self = self.to_builder().scheme(scheme).$build()?;
                Ok(())
            }

            /// Removes the scheme and its colon.
            ///
            /// ```
            /// use urikit::UriRefBuf;
            /// let mut url = UriRefBuf::parse("http://a/b")?;
            /// url.remove_scheme()?;
            /// assert_eq!(url, "//a/b");
            /// let mut urn = UriRefBuf::parse("urn:a:b")?;
            /// assert!(urn.remove_scheme().is_err()); // `a:b` has a scheme
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// See [`EditError`]. Without a scheme, the first segment of the path must not contain
            /// a colon.
            pub fn remove_scheme(&mut self) -> Result<(), EditError> {
                *self = self.to_builder().remove_scheme().$build()?;
                Ok(())
            }
        }
    )*};
}

set_scheme!(UriBuf build IriBuf build_iri);
set_or_remove_scheme!(UriRefBuf build_ref IriRefBuf build_iri_ref AnyRefBuf build_any);
