//! Authorities.

use super::{Encoded, Host, MASK, Masked};

/// The authority of a reference: what is between `//` and the path.
///
/// ```text
/// ftp://foo:@host.dom:21/%2Fetc/motd
///       │  │ │        ╰┴ port
///       │  │ ╰ host
///       ╰──┴ userinfo: user foo, empty password
/// ```
///
/// `Debug` masks the password, also in a host that only looks like a userinfo and a host;
/// [`as_str`](Self::as_str) is exact, and so is `Debug` of a [`Host`] and of an [`Encoded`] part.
///
/// ```
/// use urikit::Uri;
/// // RFC 1738, 3.1: an empty password is not the same as none.
/// let url = Uri::parse("ftp://foo:@host.dom:21/%2Fetc/motd")?;
/// let authority = url.authority().unwrap();
/// assert_eq!(authority, "foo:@host.dom:21");
/// assert_eq!(authority.userinfo().unwrap(), "foo:");
/// assert_eq!(authority.user().unwrap(), "foo");
/// assert_eq!(authority.password().unwrap(), "");
/// assert_eq!(authority.host(), "host.dom");
/// assert_eq!(authority.port(), Some("21"));
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// What is an authority depends on the standard. In RFC 1630 only the productions of Internet
/// schemes have one; in RFC 1808 it is the `net_loc`, which is all host unless it matches RFC
/// 1738's `login`; in RFC 2396 it may be a registry-based name ([`is_registry_based`]).
///
/// [`is_registry_based`]: Self::is_registry_based
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Authority<'a> {
    pub(crate) text: &'a str,
    pub(crate) userinfo: Option<Encoded<'a>>,
    pub(crate) host: Host<'a>,
    pub(crate) port: Option<&'a str>,
    pub(crate) registry: bool,
}

impl<'a> Authority<'a> {
    /// The authority as written.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// What precedes the `@`; `None` if there is no `@`.
    ///
    /// It is as written: an escaped `%40` or `%3A` in it is data. RFC 3986, 3.2.1, deprecates
    /// passwords here; the grammar still allows them.
    #[inline]
    pub const fn userinfo(self) -> Option<Encoded<'a>> {
        self.userinfo
    }

    /// The userinfo up to its first colon; `None` if there is no userinfo.
    pub fn user(self) -> Option<Encoded<'a>> {
        let userinfo = self.userinfo?;
        Some(userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// The userinfo after its first colon; `None` if there is no colon.
    pub fn password(self) -> Option<Encoded<'a>> {
        self.userinfo?.split_once(':').map(|(_, password)| password)
    }

    /// The host; it may be empty.
    #[inline]
    pub const fn host(self) -> Host<'a> {
        self.host
    }

    /// The digits after the host's colon; `None` if there is no colon, and empty if nothing
    /// follows it. A port may be of any size and have leading zeros: see [`port_number`].
    ///
    /// [`port_number`]: Self::port_number
    #[inline]
    pub const fn port(self) -> Option<&'a str> {
        self.port
    }

    /// Whether it is a registry-based name and not a server (RFC 2396, 3.2.1): then all of it is
    /// the host. Only RFC 2396 and RFC 2732 have such names.
    ///
    /// ```
    /// use urikit::Standard;
    /// let authority = Standard::Rfc2396.parse("http://a_b:80/")?.authority().unwrap();
    /// assert!(authority.is_registry_based()); // a hostname has no underscore
    /// assert_eq!(authority.host(), "a_b:80");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub const fn is_registry_based(self) -> bool {
        self.registry
    }

    /// The port as a number; `None` if it is absent, empty or above 65535.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let port = |text| UriRef::parse(text).unwrap().authority().unwrap().port_number();
    /// assert_eq!(port("http://a:0080/"), Some(80));
    /// assert_eq!(port("http://a:65616/"), None); // not 80
    /// assert_eq!(port("http://a:/"), None);
    /// ```
    pub fn port_number(self) -> Option<u16> {
        let digits = self.port?.as_bytes();
        if digits.is_empty() {
            return None;
        }
        digits.iter().try_fold(0_u16, |number, digit| {
            // INVARIANT: a port has only digits; `u16::from_str` would accept a sign.
            number.checked_mul(10)?.checked_add(u16::from(digit - b'0'))
        })
    }
}

impl core::fmt::Debug for Authority<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Authority")
            .field("user", &self.user())
            .field("password", &self.password().map(|_| MASK))
            .field("host", &Masked(self.host.as_str()))
            .field("host_kind", &self.host.kind())
            .field("port", &self.port)
            .finish()
    }
}

impl PartialEq<str> for Authority<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Authority<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl AsRef<str> for Authority<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

impl core::fmt::Display for Authority<'_> {
    /// The authority as written, its password included.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.text)
    }
}
