//! Hosts.

use super::{Encoded, HostKind};
use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

/// The host of a reference, as written, and what it is by its form.
///
/// ```
/// use urikit::{HostKind, UriRef};
/// let url = UriRef::parse("ldap://[2001:db8::7]/c=GB?objectClass?one")?; // RFC 3986, 1.1.2
/// let host = url.host().unwrap();
/// assert_eq!(host.as_str(), "[2001:db8::7]");
/// assert_eq!(host.kind(), HostKind::Ipv6);
/// assert_eq!(host.to_ipv6(), Some("2001:db8::7".parse().unwrap()));
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Host<'a> {
    text: &'a str,
    kind: HostKind,
}

impl<'a> Host<'a> {
    #[inline]
    pub(crate) const fn new(text: &'a str, kind: HostKind) -> Self {
        Self { text, kind }
    }

    /// The host as written; an address in brackets has them.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// The host as percent-encoded text.
    #[inline]
    pub const fn encoded(self) -> Encoded<'a> {
        Encoded::new(self.text)
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> HostKind {
        self.kind
    }

    /// The IPv4 address that it is. `None` for any other kind, and for one that an older standard
    /// takes although no such address exists (`999.1.1.1`) or although its meaning is unsettled
    /// (`010.0.0.1`: octal to some).
    pub fn to_ipv4(self) -> Option<Ipv4Addr> {
        (self.kind == HostKind::Ipv4)
            .then(|| self.text.parse().ok())
            .flatten()
    }

    /// The IPv6 address that it is; `None` for any other kind.
    pub fn to_ipv6(self) -> Option<Ipv6Addr> {
        let inner = self.text.strip_prefix('[')?.strip_suffix(']')?;
        (self.kind == HostKind::Ipv6)
            .then(|| inner.parse().ok())
            .flatten()
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({})", self.text, self.kind)
    }
}

impl PartialEq<str> for Host<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Host<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}
