//! The components of a reference that `java.net.URI` accepts.

use super::authority::Authority;
use super::decode::{Brackets, decode};
use std::borrow::Cow;

/// A reference as `java.net.URI` reads it. The methods have the names and the results of the Java
/// class; `None` is Java's null, and -1 for a port.
///
/// ```
/// use urikit_audit::java::JavaUri;
/// let uri = JavaUri::parse("http://u@h:80/a%20b?q")?;
/// assert_eq!(uri.host(), Some("h"));
/// assert_eq!(uri.port(), Some(80));
/// assert_eq!(uri.raw_path(), Some("/a%20b"));
/// assert_eq!(uri.path().unwrap(), "/a b");
///
/// let uri = JavaUri::parse("http://a_b/")?; // an underscore makes it registry-based
/// assert_eq!(uri.host(), None);
/// assert_eq!(uri.raw_authority(), Some("a_b"));
/// # Ok::<(), urikit_audit::java::JavaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JavaUri<'a> {
    pub(super) scheme: Option<&'a str>,
    pub(super) scheme_specific_part: &'a str,
    pub(super) authority: Option<Authority<'a>>,
    pub(super) path: Option<&'a str>,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

impl<'a> JavaUri<'a> {
    /// `getScheme`: as written, without its colon.
    pub const fn scheme(&self) -> Option<&'a str> {
        self.scheme
    }

    /// `isOpaque`: it has a scheme, and neither a `/` after it nor, therefore, a path.
    pub const fn is_opaque(&self) -> bool {
        self.path.is_none()
    }

    /// `getRawSchemeSpecificPart`: everything between the scheme and the fragment.
    pub const fn raw_scheme_specific_part(&self) -> &'a str {
        self.scheme_specific_part
    }

    /// `getSchemeSpecificPart`: the same with escapes decoded, except between brackets.
    pub fn scheme_specific_part(&self) -> Cow<'a, str> {
        decode(self.scheme_specific_part, Brackets::Keep)
    }

    /// `getRawAuthority`; `None` also where it is empty.
    pub fn raw_authority(&self) -> Option<&'a str> {
        self.authority.map(|authority| authority.text)
    }

    /// `getAuthority`: the same with escapes decoded, except between brackets.
    pub fn authority(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.raw_authority()?, Brackets::Keep))
    }

    /// `getRawUserInfo`; `None` also where the authority is registry-based.
    pub fn raw_user_info(&self) -> Option<&'a str> {
        self.authority?.server?.user_info
    }

    /// `getUserInfo`: the same with escapes decoded.
    pub fn user_info(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.raw_user_info()?, Brackets::Decode))
    }

    /// `getHost`, with the brackets of an IPv6 address; `None` also where the authority is
    /// registry-based.
    pub fn host(&self) -> Option<&'a str> {
        Some(self.authority?.server?.host)
    }

    /// `getPort`; `None` also where the authority is registry-based, and where nothing follows the
    /// colon.
    pub fn port(&self) -> Option<u32> {
        self.authority?.server?.port
    }

    /// The digits of the port, without leading zeros; `None` as for [`port`](Self::port).
    pub(crate) fn port_digits(&self) -> Option<&'a str> {
        let digits = self.authority?.server?.port_digits?;
        match digits.trim_start_matches('0') {
            "" => digits.get(..1),
            number => Some(number),
        }
    }

    /// Whether the authority is registry-based, so that [`host`](Self::host) is `None`.
    pub fn is_registry_based(&self) -> bool {
        self.authority
            .is_some_and(|authority| authority.server.is_none())
    }

    /// `getRawPath`; `None` if the reference is opaque.
    pub const fn raw_path(&self) -> Option<&'a str> {
        self.path
    }

    /// `getPath`: the same with escapes decoded.
    pub fn path(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.path?, Brackets::Decode))
    }

    /// `getRawQuery`; `None` also if the reference is opaque.
    pub const fn raw_query(&self) -> Option<&'a str> {
        self.query
    }

    /// `getQuery`: the same with escapes decoded.
    pub fn query(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.query?, Brackets::Decode))
    }

    /// `getRawFragment`.
    pub const fn raw_fragment(&self) -> Option<&'a str> {
        self.fragment
    }

    /// `getFragment`: the same with escapes decoded.
    pub fn fragment(&self) -> Option<Cow<'a, str>> {
        Some(decode(self.fragment?, Brackets::Decode))
    }
}
