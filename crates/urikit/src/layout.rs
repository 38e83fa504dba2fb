//! The offsets of the components of a reference, and the kind of its host.

#[cfg(feature = "alloc")]
pub(crate) type ComponentsBuf = urikit_scan::ComponentsBuf<HostKind>;
pub(crate) type Components<'t> = urikit_scan::Components<'t, HostKind>;
pub(crate) type Layout = urikit_scan::Layout<HostKind>;

pub use urikit_scan::MAX_LEN;
pub(crate) use urikit_scan::{Delimiter, offset_u32};

/// The kind of a host, determined by its form alone. Names are not looked up.
///
/// ```
/// use urikit::HostKind::{Empty, Ipv4, Ipv6, IpvFuture, Name, RegName};
/// use urikit::Uri;
/// let kind = |text| Uri::parse(text).unwrap().host().unwrap().kind();
/// assert_eq!(kind("http://www.ics.uci.edu./"), Name);
/// assert_eq!(kind("telnet://192.0.2.16:80/"), Ipv4); // RFC 3986, 1.1.2
/// assert_eq!(kind("ldap://[2001:db8::7]/c=GB?objectClass?one"), Ipv6);
/// assert_eq!(kind("http://[v1.fe80::a+en1]/"), IpvFuture);
/// assert_eq!(kind("http://a_b/"), RegName); // RFC 1034 does not allow underscores
/// assert_eq!(kind("http://192.0.2.016/"), RegName); // RFC 3986 does not allow leading zeros
/// assert_eq!(kind("file:///etc/motd"), Empty);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum HostKind {
    /// A name that fits the host name syntax of RFC 1034 and RFC 1123: labels of letters, digits
    /// and inner hyphens, at most 63 characters each and 255 in total. The last label begins with
    /// a letter (otherwise the name could be an address). The name may end with a dot.
    Name,
    /// An IPv4 address in the form that the standard defines. Standards before RFC 3986 do not
    /// limit the numbers, so they accept `999.1.1.1` (RFC 1738's `hostnumber`, RFC 2396's
    /// `IPv4address`).
    Ipv4,
    /// An IPv6 address in brackets (RFC 2732, RFC 3986, RFC 3987).
    Ipv6,
    /// An address of a future IP version in brackets (`IPvFuture`, RFC 3986, 3.2.2).
    IpvFuture,
    /// Any other host that the standard allows: RFC 3986's `reg-name`, RFC 2396's `reg_name` (the
    /// complete authority), or RFC 1630's `hostname`, which allows nearly all characters.
    RegName,
    /// An empty host, as in `file:///etc/motd`.
    Empty,
}

impl HostKind {
    /// Returns the kind as a word: `name`, `ipv4`, `ipv6`, `ipvfuture`, `reg-name` or `empty`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::IpvFuture => "ipvfuture",
            Self::RegName => "reg-name",
            Self::Empty => "empty",
        }
    }
}

impl core::fmt::Display for HostKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}
