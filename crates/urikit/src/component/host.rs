//! Authorities and hosts.

use super::{Encoded, HostKind, MASK, Masked};
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The authority of a reference: the part between `//` and the path.
///
/// ```text
/// ftp://foo:@host.dom:21/%2Fetc/motd
///       │  │ │        ╰┴ port
///       │  │ ╰ host
///       ╰──┴ userinfo: user foo, empty password
/// ```
///
/// `Debug` masks the password, even if the standard treats the apparent userinfo as part of the
/// host. [`as_str`](Self::as_str) and the `Debug` of a [`Host`] or an [`Encoded`] part do not mask
/// passwords.
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
/// The standards do not agree on which references have an authority. In RFC 1630, only the
/// productions of Internet schemes have an authority. In RFC 1808, the complete `net_loc` is the
/// host unless it matches RFC 1738's `login`. In RFC 2396, the authority may be a registry-based
/// name ([`is_registry_based`]).
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
    /// Returns the authority as written.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the userinfo, without its `@`, still percent-encoded: `%40` and `%3A` are data.
    /// Returns `None` if the authority has no `@`.
    ///
    /// RFC 3986, 3.2.1 deprecates passwords in the userinfo, but the grammar still allows them.
    #[inline]
    pub const fn userinfo(self) -> Option<Encoded<'a>> {
        self.userinfo
    }

    /// Returns the userinfo up to its first colon. Returns `None` if the authority has no userinfo.
    pub fn user(self) -> Option<Encoded<'a>> {
        let userinfo = self.userinfo?;
        Some(userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// Returns the part of the userinfo after its first colon, or `None` if the userinfo has no
    /// colon.
    pub fn password(self) -> Option<Encoded<'a>> {
        self.userinfo?.split_once(':').map(|(_, password)| password)
    }

    /// Returns the host, which may be empty.
    #[inline]
    pub const fn host(self) -> Host<'a> {
        self.host
    }

    /// Returns the digits after the colon that follows the host. Returns `None` if no colon follows
    /// the host, and an empty value if no digits follow the colon. A port may have any number of
    /// digits and leading zeros; see [`port_number`].
    ///
    /// [`port_number`]: Self::port_number
    #[inline]
    pub const fn port(self) -> Option<&'a str> {
        self.port
    }

    /// Returns whether the authority is a registry-based name rather than a server (RFC 2396,
    /// 3.2.1). A registry-based authority consists only of a host. Only RFC 2396 and RFC 2732
    /// define registry-based names.
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

    /// Returns the port as a number. Returns `None` if the port is absent, empty or above 65535.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let port = |text| UriRef::parse(text).unwrap().authority().unwrap().port_number();
    /// assert_eq!(port("http://a:0080/"), Some(80));
    /// assert_eq!(port("http://a:65616/"), None); // not 80
    /// assert_eq!(port("http://a:/"), None);
    /// ```
    pub fn port_number(self) -> Option<u16> {
        port_number(self.port?)
    }
}

/// Parses digits as a port number. Returns `None` if the text is empty or the number is above
/// 65535.
///
/// INVARIANT: `digits` contains only digits. (`u16::from_str` would accept a sign.)
pub(crate) fn port_number(digits: &str) -> Option<u16> {
    if digits.is_empty() {
        return None;
    }
    digits.bytes().try_fold(0_u16, |number, digit| {
        number.checked_mul(10)?.checked_add(u16::from(digit - b'0'))
    })
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
    /// Writes the authority unchanged, including its password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.text)
    }
}

/// The host of a reference as written, and its kind.
///
/// ```
/// use urikit::{HostKind, Uri};
/// let url = Uri::parse("ldap://[2001:db8::7]/c=GB?objectClass?one")?; // RFC 3986, 1.1.2
/// let host = url.host().unwrap();
/// assert_eq!(host.as_str(), "[2001:db8::7]");
/// assert_eq!(host.kind(), HostKind::Ipv6);
/// assert_eq!(host.to_ipv6(), Some("2001:db8::7".parse().unwrap()));
///
/// // Where absent and empty are the same:
/// assert_eq!(Uri::parse("mailto:a@b")?.host().unwrap_or_default(), "");
/// # Ok::<(), urikit::ParseError>(())
/// ```
///
/// Equality and hashing use the kind and the text as written. To look up hosts by name, use the
/// text as the key:
///
/// ```
/// use std::collections::HashMap;
/// use urikit::Uri;
/// let mut counts: HashMap<&str, u32> = HashMap::new();
/// for text in ["http://example.com/a", "http://example.com:8080/", "http://[::1]/"] {
///     if let Some(host) = Uri::parse(text)?.host() {
///         *counts.entry(host.as_str()).or_default() += 1;
///     }
/// }
/// assert_eq!(counts.get("example.com"), Some(&2));
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host<'a> {
    text: &'a str,
    kind: HostKind,
}

impl<'a> Host<'a> {
    #[inline]
    pub(crate) const fn new(text: &'a str, kind: HostKind) -> Self {
        Self { text, kind }
    }

    /// Returns the host as written, including the brackets of an IPv6 address.
    #[inline]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the host as percent-encoded text. A registered name may have escapes (RFC 3986,
    /// 3.2.2); an address in brackets never does.
    ///
    /// ```
    /// use urikit::Uri;
    /// // RFC 3986, 3.2.2, and RFC 3987, 3.1: escapes in a host are UTF-8.
    /// let host = Uri::parse("http://r%C3%A9sum%C3%A9.example.org")?.host().unwrap();
    /// assert_eq!(host.encoded().decode_utf8()?, "résumé.example.org");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn encoded(self) -> Encoded<'a> {
        Encoded::new(self.text)
    }

    /// Returns the kind of the host.
    #[inline]
    pub const fn kind(self) -> HostKind {
        self.kind
    }

    /// Returns the host as an IPv4 address. Returns `None` for hosts of any other kind. Also
    /// returns `None` if an older standard allows the text but the address does not exist
    /// (`999.1.1.1`) or is ambiguous (`010.0.0.1`, which some programs interpret as octal).
    ///
    /// ```
    /// use urikit::{HostKind, Standard};
    /// let url = "http://999.1.1.1/";
    /// let host = |standard: Standard| standard.parse(url).unwrap().host().unwrap();
    /// assert_eq!(host(Standard::Rfc1738).kind(), HostKind::Ipv4); // `hostnumber`: no limit
    /// assert_eq!(host(Standard::Rfc1738).to_ipv4(), None);
    /// assert_eq!(host(Standard::Rfc3986).kind(), HostKind::RegName); // RFC 3986, 3.2.2
    /// ```
    pub fn to_ipv4(self) -> Option<Ipv4Addr> {
        (self.kind == HostKind::Ipv4)
            .then(|| self.text.parse().ok())
            .flatten()
    }

    /// Returns the host as an IPv6 address. Returns `None` for hosts of any other kind.
    pub fn to_ipv6(self) -> Option<Ipv6Addr> {
        let inner = self.text.strip_prefix('[')?.strip_suffix(']')?;
        (self.kind == HostKind::Ipv6)
            .then(|| inner.parse().ok())
            .flatten()
    }

    /// Returns the host as an IP address. Does not look up names.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::component::AddressKind;
    /// let address = Uri::parse("http://[::ffff:127.0.0.1]/")?.host().unwrap().to_ip().unwrap();
    /// assert_eq!(AddressKind::of(address), AddressKind::Loopback);
    /// assert_eq!(Uri::parse("http://localhost/")?.host().unwrap().to_ip(), None);
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn to_ip(self) -> Option<IpAddr> {
        match self.kind {
            HostKind::Ipv4 => self.to_ipv4().map(IpAddr::V4),
            HostKind::Ipv6 => self.to_ipv6().map(IpAddr::V6),
            _ => None,
        }
    }

    /// Returns the IPv4 address that operating systems recognize in the host (`inet_aton` in
    /// POSIX) although no RFC defines the form: fewer than four numbers, or octal or hexadecimal
    /// numbers. Returns `None` for all other hosts, including addresses in the standard form.
    ///
    /// If the result is `Some`, a security check may see a host name where a client connects to an
    /// address. Reject a host in this form, or treat it as the returned address.
    ///
    /// ```
    /// use urikit::Uri;
    /// let legacy = |text: &str| Uri::parse(text).unwrap().host().unwrap().legacy_ipv4();
    /// let hosts = ["127.1", "0x7f.1", "2130706433", "%31%32%37.0.0.1"];
    /// for text in hosts.map(|host| format!("http://{host}/")) {
    ///     assert_eq!(legacy(&text), Some([127, 0, 0, 1].into()));
    /// }
    /// assert_eq!(legacy("http://127.0.0.1/"), None);
    /// assert_eq!(legacy("http://example.com/"), None);
    /// ```
    pub fn legacy_ipv4(self) -> Option<Ipv4Addr> {
        if self.to_ipv4().is_some() {
            return None;
        }
        // Even the longest form of an address is much shorter than the buffer.
        let mut buffer = [0; 64];
        let decoded = self.encoded().decode_into(&mut buffer).ok()?;
        let text = core::str::from_utf8(decoded).ok()?;
        // Resolvers drop a trailing dot.
        inet_aton(text.strip_suffix('.').unwrap_or(text))
    }

    /// Returns whether the host, decoded and ignoring case, equals the given name (RFC 3986,
    /// 3.2.2). Ignores a trailing dot. (`==` compares the text as written.)
    ///
    /// ```
    /// use urikit::Uri;
    /// let host = Uri::parse("http://LocalHost./")?.host().unwrap();
    /// assert!(host.is_named("localhost"));
    /// assert_ne!(host, "localhost");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_named(self, name: &str) -> bool {
        let name = name.strip_suffix('.').unwrap_or(name);
        let mut octets = self.encoded().decode().octets();
        let is_start = name.bytes().all(|byte| {
            octets
                .next()
                .is_some_and(|octet| octet.eq_ignore_ascii_case(&byte))
        });
        is_start
            && matches!(
                (octets.next(), octets.next()),
                (None, _) | (Some(b'.'), None)
            )
    }
}

/// Parses an address as `inet_aton` does: one to four numbers separated by dots, of which the last
/// fills the remaining octets (POSIX). A number is hexadecimal after `0x`, octal after any other
/// leading `0`, and decimal otherwise. [`Host::legacy_ipv4`] applies this function to a host.
///
/// ```
/// use urikit::component::inet_aton;
/// assert_eq!(inet_aton("0x7f.1"), Some([127, 0, 0, 1].into()));
/// assert_eq!(inet_aton("2130706433"), Some([127, 0, 0, 1].into()));
/// assert_eq!(inet_aton("1.2.3.4.5"), None);
/// assert_eq!(inet_aton("1.2.3.4."), None);
/// ```
pub fn inet_aton(text: &str) -> Option<Ipv4Addr> {
    let mut bits: u32 = 0;
    let mut octets = 4_u32;
    let mut numbers = text.split('.').peekable();
    while let Some(number) = numbers.next() {
        let value = number_of(number)?;
        octets = octets.checked_sub(1)?;
        if numbers.peek().is_none() {
            let room = 8 * (octets + 1);
            let fits = room == 32 || value >> room == 0;
            return fits.then(|| Ipv4Addr::from_bits(bits | value));
        }
        let octet = u8::try_from(value).ok()?;
        bits |= u32::from(octet) << (8 * octets);
    }
    None
}

/// Parses a number in C notation: hexadecimal after `0x`, octal after any other leading `0`.
fn number_of(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    let (digits, radix) = match bytes {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |value, digit| {
        let digit = char::from(*digit).to_digit(radix)?;
        value.checked_mul(radix)?.checked_add(digit)
    })
}

impl Default for Host<'_> {
    /// Returns the empty host.
    fn default() -> Self {
        Self::new("", HostKind::Empty)
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

impl PartialEq<Host<'_>> for &str {
    fn eq(&self, other: &Host<'_>) -> bool {
        *self == other.text
    }
}

impl AsRef<str> for Host<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<alloc::string::String> for Host<'_> {
    fn eq(&self, other: &alloc::string::String) -> bool {
        self.text == other
    }
}
