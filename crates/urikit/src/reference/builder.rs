//! A builder that cannot make a reference that does not parse.

use super::edit::{Change, Edit, EditError, Value};
use super::owned::UriRefBuf;
use super::typed::UriRef;
use crate::component::Pair;
use crate::standard::{Rfc3986, Spec};
use alloc::string::String;
use core::marker::PhantomData;

/// Why nothing was built.
pub type BuildError = EditError;

/// Makes a reference of the standard `S` out of parts, or out of another one with some parts changed.
///
/// Text is escaped as [`Value`] says: what needs it in its place, by the standard's set for that component. What is
/// built is parsed, and has each component as it was given. The methods are those of [`Edit`].
///
/// ```
/// use urikit::{Rfc2396, UriBuilder};
/// // RFC 2396, 1.3
/// let url = UriBuilder::<Rfc2396>::new_as()
///     .scheme("ftp")
///     .host("ftp.is.co.za")
///     .path("/rfc/rfc1808.txt")
///     .build()?;
/// assert_eq!(url.as_str(), "ftp://ftp.is.co.za/rfc/rfc1808.txt");
///
/// // What would be read otherwise is not built.
/// assert!(UriBuilder::<Rfc2396>::new_as().path("//etc/motd").build().is_err());
/// assert!(UriBuilder::<Rfc2396>::new_as().path("a:b").build().is_err());
/// assert!(UriBuilder::<Rfc2396>::new_as().host("h").path("b").build().is_err());
/// assert!(UriBuilder::<Rfc2396>::new_as().scheme("mailto").path("a@b").query("x").build().is_err());
/// # Ok::<(), urikit::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UriBuilder<'a, S: Spec = Rfc3986> {
    edit: Edit<'a>,
    standard: PhantomData<fn() -> S>,
}

impl UriBuilder<'_> {
    /// Begins with the empty reference of RFC 3986.
    pub fn new() -> Self {
        Self::new_as()
    }
}

impl Default for UriBuilder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Methods that hand on to [`Edit`].
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $($argument: $type),*) -> Self {
            self.edit = self.edit.$name($($argument),*);
            self
        }
    )*};
}

impl<'a, S: Spec> UriBuilder<'a, S> {
    /// Begins with the empty reference of `S`.
    pub fn new_as() -> Self {
        Self {
            edit: Edit::new(S::STANDARD),
            standard: PhantomData,
        }
    }

    methods! {
        /// The scheme, without its colon.
        scheme(change: impl Into<Change<'a>>);
        /// The whole userinfo: user, and password behind the first colon.
        userinfo(change: impl Into<Change<'a>>);
        /// The user.
        user(change: impl Into<Change<'a>>);
        /// The password, which needs a user.
        password(change: impl Into<Change<'a>>);
        /// The host, which makes the authority.
        host(change: impl Into<Change<'a>>);
        /// The port, as text or number.
        port(change: impl Into<Change<'a>>);
        /// No authority.
        without_authority();
        /// The path, with its first slash.
        path(path: impl Into<Value<'a>>);
        /// RFC 1808's params.
        params(change: impl Into<Change<'a>>);
        /// The query.
        query(change: impl Into<Change<'a>>);
        /// The fragment.
        fragment(change: impl Into<Change<'a>>);
        /// One more segment. See [`Edit::push_segment`].
        push_segment(segment: impl Into<Value<'a>>);
        /// One more segment before the one at `index`. See [`Edit::insert_segment`].
        insert_segment(index: usize, segment: impl Into<Value<'a>>);
        /// One segment less. See [`Edit::remove_segment`].
        remove_segment(index: usize);
        /// What separates the query's pairs. See [`Edit::separator`].
        separator(separator: char);
        /// One more pair. See [`Edit::query_append`].
        query_append(name: impl Into<Value<'a>>, value: impl Into<Change<'a>>);
        /// Another value for a name. See [`Edit::query_set`].
        query_set(name: impl Into<Value<'a>>, value: impl Into<Change<'a>>);
        /// Another value for a name that is there. See [`Edit::query_replace`].
        query_replace(name: impl Into<Value<'a>>, value: impl Into<Change<'a>>);
        /// No pair with this name. See [`Edit::query_remove`].
        query_remove(name: impl Into<Value<'a>>);
        /// The pairs for which `keep` says so. See [`Edit::query_retain`].
        query_retain(keep: impl FnMut(Pair<'_>) -> bool);
        /// The pairs sorted by name. See [`Edit::sort_query`].
        sort_query();
    }

    /// The reference.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// // RFC 3986, 1.1.2
    /// let uri = UriBuilder::new().scheme("urn").path("oasis:names:specification:docbook:dtd:xml:4.1.2");
    /// assert_eq!(uri.build()?.as_str(), "urn:oasis:names:specification:docbook:dtd:xml:4.1.2");
    /// let error = UriBuilder::new().scheme("http").host("h").port("abc").build().unwrap_err();
    /// assert_eq!(error, EditError::NotAPort { found: 'a' });
    /// # Ok::<(), urikit::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the parts make no reference of `S`, or one that would be read otherwise.
    pub fn build(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = String::new();
        let parts = self.edit.append(&mut text)?;
        Ok(UriRefBuf::from_parts(text, parts))
    }

    /// Appends the reference to `out` and gives a view of it.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// let mut line = String::from("see ");
    /// let uri = UriBuilder::new().scheme("news").path("comp.infosystems.www.servers.unix"); // RFC 3986, 1.1.2
    /// assert_eq!(uri.build_into(&mut line)?.scheme(), Some("news"));
    /// assert_eq!(line, "see news:comp.infosystems.www.servers.unix");
    /// # Ok::<(), urikit::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build); `out` is then as it was.
    pub fn build_into(self, out: &mut String) -> Result<UriRef<'_, S>, BuildError> {
        self.edit.write_into(out).map(UriRef::from_any)
    }
}

impl<'a, S: Spec> UriRef<'a, S> {
    /// A builder that begins with this reference: what is not changed goes over byte for byte.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://user@h/%7efoo?#")?;
    /// let other = url.to_builder().scheme("ftp").host("[::1]").build()?;
    /// assert_eq!(other.as_str(), "ftp://user@[::1]/%7efoo?#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_builder(self) -> UriBuilder<'a, S> {
        UriBuilder {
            edit: self.as_any().edit(),
            standard: PhantomData,
        }
    }

    /// The reference that names `path` below this one; see [`AnyRef::join_below_into`](crate::AnyRef::join_below_into).
    ///
    /// ```
    /// use urikit::{EditError, UriRef};
    /// let base = UriRef::parse("ftp://ftp.is.co.za/rfc")?; // RFC 3986, 1.1.2
    /// assert_eq!(base.join_below("rfc1808.txt")?.as_str(), "ftp://ftp.is.co.za/rfc/rfc1808.txt");
    /// assert_eq!(base.join_below("../etc").unwrap_err(), EditError::LeavesBase);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As there.
    pub fn join_below<'v>(self, path: impl Into<Value<'v>>) -> Result<UriRefBuf<S>, EditError> {
        let mut text = String::new();
        let parts = self.as_any().join_below_into(path, &mut text)?.parts();
        Ok(UriRefBuf::from_parts(text, parts))
    }
}
