//! Origins (RFC 6454).

use crate::AnyRef;
use crate::component::Host;
use crate::grammar::rfc3986::REG_NAME;
use crate::octet::escape;
use crate::scheme::known;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::net::{IpAddr, Ipv4Addr};

/// Returns the default port of a scheme, as its specification defines it. The case of `scheme` does
/// not matter.
///
/// ```
/// use urikit::op::default_port;
/// assert_eq!(default_port("Gopher"), Some(70)); // RFC 1738, 3.4
/// assert_eq!(default_port("mailto"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    known(scheme)?.port
}

/// The origin of a reference: its scheme, host and port (RFC 6454, 4).
///
/// Two origins are equal if their schemes, hosts and ports are equal (RFC 6454, 5). Schemes and
/// hosts are compared in lower case, and hosts also after decoding; IP addresses are compared by
/// value; an absent port means the default port of the scheme. `Display` writes equal origins
/// identically and different origins differently.
///
/// A reference without a scheme or a host, such as `data:,x` or `file:///etc/motd`, has an *opaque*
/// origin, which equals only itself. For such a reference, `origin()` returns the error
/// [`OpaqueOrigin`]. The error type has no `==`, so `a.origin() == b.origin()` does not compile,
/// and two opaque origins are never considered equal by accident. Use
/// [`same_origin`](crate::Uri::same_origin) instead.
///
/// ```
/// use urikit::Uri;
/// let a = Uri::parse("http://example.com/a?q")?;
/// let b = Uri::parse("HTTP://Example.COM:80/b")?;
/// assert!(a.same_origin(b));
/// assert_eq!(b.origin()?.to_string(), "http://example.com"); // RFC 6454, 6.2
/// assert!(!a.same_origin(Uri::parse("https://example.com/a")?));
///
/// let data = Uri::parse("data:,x")?;
/// assert!(data.origin().is_err());
/// assert!(!data.same_origin(data));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```compile_fail
/// use urikit::Uri;
/// let data = Uri::parse("data:,x").unwrap();
/// assert!(data.origin() == data.origin());
/// ```
///
/// A port above 65535 is not a TCP port, but it still distinguishes origins:
///
/// ```
/// use urikit::Uri;
/// let uri = Uri::parse("http://ex%61mple.com:99999/")?;
/// assert_eq!(uri.origin()?.to_string(), "http://example.com:99999");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    scheme: &'a str,
    host: Host<'a>,
    port: Option<u16>,
    /// The digits of a port above 65535, without leading zeros. The string is empty for any other
    /// port.
    above: &'a str,
}

/// The error for a reference with an opaque origin (RFC 6454, 4: "a globally unique identifier").
///
/// The type does not implement `PartialEq`; see [`Origin`] for the reason.
#[derive(Clone, Copy, Debug)]
pub struct OpaqueOrigin;

impl fmt::Display for OpaqueOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a scheme and a host, but the origin is opaque (RFC 6454, 4)")
    }
}

impl core::error::Error for OpaqueOrigin {}

impl<'a> Origin<'a> {
    /// Returns the scheme as written.
    pub const fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns the host as written.
    pub const fn host(&self) -> Host<'a> {
        self.host
    }

    /// Returns the port, or the default port of the scheme if the reference has none. Returns
    /// `None` if the scheme has no known default, or if the port is above 65535.
    pub const fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the address that the host contains, escaped or not.
    fn address(&self) -> Option<IpAddr> {
        if self.is_literal() {
            return self.host.to_ip();
        }
        // The length of `255.255.255.255`
        let mut buffer = [0; 15];
        let decoded = self.host.encoded().decode_into(&mut buffer).ok()?;
        let address: Ipv4Addr = core::str::from_utf8(decoded).ok()?.parse().ok()?;
        Some(IpAddr::V4(address))
    }

    /// Returns true if the host is in brackets (RFC 3986, 3.2.2: `IP-literal`).
    fn is_literal(&self) -> bool {
        self.host.as_str().starts_with('[')
    }

    /// Returns the host for comparisons: decoded and in lower case.
    fn host_octets(&self) -> impl Iterator<Item = u8> {
        let octets = self.host.encoded().decode().octets();
        octets.map(|octet| octet.to_ascii_lowercase())
    }
}

impl PartialEq for Origin<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Origin<'_> {}

impl PartialOrd for Origin<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Origin<'_> {
    /// Orders by scheme, host (addresses before names) and port.
    fn cmp(&self, other: &Self) -> Ordering {
        let scheme = |origin: &Self| origin.scheme.bytes().map(|byte| byte.to_ascii_lowercase());
        // The name `%5Bv1.a%5D` is not the address `[v1.a]`.
        let name = |origin: &Self| !origin.is_literal();
        let names = || name(self).cmp(&name(other));
        let hosts = || match (self.address(), other.address()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => names().then_with(|| self.host_octets().cmp(other.host_octets())),
        };
        let port = |origin: &Self| (origin.above.len(), origin.above, origin.port);
        let ports = || port(self).cmp(&port(other));
        scheme(self)
            .cmp(scheme(other))
            .then_with(hosts)
            .then_with(ports)
    }
}

impl Hash for Origin<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.scheme.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        (self.port, self.above).hash(state);
        match self.address() {
            Some(address) => address.hash(state),
            None => self.host_octets().for_each(|octet| state.write_u8(octet)),
        }
    }
}

impl fmt::Display for Origin<'_> {
    /// Writes the ASCII serialization (RFC 6454, 6.2): in lower case, without a default port, and
    /// with IPv6 addresses as RFC 5952 recommends. Only characters that a host must not contain are
    /// percent-encoded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = |f: &mut fmt::Formatter<'_>, text: &str| {
            let mut chars = text.chars();
            chars.try_for_each(|c| fmt::Write::write_char(f, c.to_ascii_lowercase()))
        };
        lower(f, self.scheme)?;
        f.write_str("://")?;
        match self.address() {
            Some(IpAddr::V4(address)) => write!(f, "{address}")?,
            Some(IpAddr::V6(address)) => write!(f, "[{address}]")?,
            None if self.is_literal() => lower(f, self.host.as_str())?,
            None => self.host_octets().try_for_each(|octet| {
                if REG_NAME.set().contains(octet) {
                    fmt::Write::write_char(f, char::from(octet))
                } else {
                    f.write_str(escape(octet))
                }
            })?,
        }
        if !self.above.is_empty() {
            return write!(f, ":{}", self.above);
        }
        match self.port {
            Some(port) if self.port != default_port(self.scheme) => write!(f, ":{port}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Origin({self})")
    }
}

impl<'a> AnyRef<'a> {
    /// Returns the port, or the default port of the scheme if the reference has none (RFC 3986,
    /// 3.2.3). An empty port is treated as absent. Returns `None` if the scheme has no known
    /// default, or if the port is above 65535.
    ///
    /// ```
    /// use urikit::Uri;
    /// assert_eq!(Uri::parse("ftp://host.dom/")?.port_or_default(), Some(21)); // RFC 1738, 3.2
    /// assert_eq!(Uri::parse("ftp://host.dom:2121/")?.port_or_default(), Some(2121));
    /// assert_eq!(Uri::parse("ftp://host.dom:99999/")?.port_or_default(), None);
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn port_or_default(&self) -> Option<u16> {
        match self.port() {
            None | Some("") => default_port(self.scheme()?),
            Some(_) => self.port_number(),
        }
    }

    /// Returns the origin: scheme, host and port (RFC 6454, 4).
    ///
    /// # Errors
    ///
    /// Fails with [`OpaqueOrigin`] if the reference has no scheme, no host, or an empty host.
    pub fn origin(&self) -> Result<Origin<'a>, OpaqueOrigin> {
        let host = self.host().filter(|host| !host.as_str().is_empty());
        let (Some(scheme), Some(host)) = (self.scheme(), host) else {
            return Err(OpaqueOrigin);
        };
        Ok(Origin {
            scheme,
            host,
            port: self.port_or_default(),
            above: match (self.port(), self.port_number()) {
                (Some(port), None) => port.trim_start_matches('0'),
                _ => "",
            },
        })
    }

    /// Returns whether both references have the same origin (RFC 6454, 5). An opaque origin never
    /// equals another origin: a `data:` URL does not even have the same origin as itself.
    pub fn same_origin<'b>(&self, other: impl Into<AnyRef<'b>>) -> bool {
        match (self.origin(), other.into().origin()) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use crate::Uri;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;
    use core::hash::{Hash as _, Hasher};

    #[test]
    fn opaque_origins_are_never_the_same() {
        let texts = [
            "data:,x",
            "mailto:a@b",
            "file:///etc/motd",
            "http:/a",
            "x://",
        ];
        for text in texts {
            let uri = Uri::parse(text).unwrap();
            assert!(uri.origin().is_err(), "{text}");
            assert!(!uri.same_origin(uri), "{text}");
        }
        let relative = crate::UriRef::parse("//h/a").unwrap();
        assert!(!relative.same_origin(relative));
        let http = Uri::parse("http://h/").unwrap();
        assert!(http.same_origin(Uri::parse("HTTP://H:80/x").unwrap()));
    }

    /// Returns the bytes that `Hash` writes.
    fn hash(origin: &super::Origin<'_>) -> Vec<u8> {
        #[derive(Default)]
        struct Written(Vec<u8>);
        impl Hasher for Written {
            fn write(&mut self, bytes: &[u8]) {
                self.0.extend_from_slice(bytes);
            }
            fn finish(&self) -> u64 {
                0
            }
        }
        let mut written = Written::default();
        origin.hash(&mut written);
        written.0
    }

    #[test]
    fn origins_are_equal_if_they_are_displayed_in_the_same_way() {
        let all = [
            ("http://ha/", "http://ha"),
            ("HTTP://h%61:080/x", "http://ha"),
            ("http://h%C3%A9/", "http://h%C3%A9"),
            ("http://h%2541/", "http://h%2541"),
            ("http://h%41:/", "http://ha"),
            ("http://h:65535/", "http://h:65535"),
            ("http://h:99999/", "http://h:99999"),
            ("http://h:099999/", "http://h:99999"),
            ("http://h:99998/", "http://h:99998"),
            ("http://h:100000/", "http://h:100000"),
            ("http://[0:0::1]/", "http://[::1]"),
            ("http://[::1]/", "http://[::1]"),
            ("http://[v1.A]/", "http://[v1.a]"),
            ("http://%5Bv1.a%5D/", "http://%5Bv1.a%5D"),
            ("http://%5B%3A%3A1%5D/", "http://%5B%3A%3A1%5D"),
            ("http://1.2.3.4/", "http://1.2.3.4"),
            ("http://%31.2.3.4/", "http://1.2.3.4"),
            ("http://1%2E2.3.%34:80/", "http://1.2.3.4"),
            ("http://01.2.3.4/", "http://01.2.3.4"),
            ("http://%31.2.3.4.5/", "http://1.2.3.4.5"),
            ("https://1.2.3.4:80/", "https://1.2.3.4:80"),
            ("x://h/", "x://h"),
            ("x://h:80/", "x://h:80"),
        ];
        for (url, shown) in all {
            let origin = Uri::parse(url).unwrap().origin().unwrap();
            assert_eq!(origin.to_string(), shown, "{url}");
            for (other, its) in all {
                let theirs = Uri::parse(other).unwrap().origin().unwrap();
                assert_eq!(origin == theirs, shown == its, "{url} {other}");
                assert_eq!(origin.cmp(&theirs), theirs.cmp(&origin).reverse());
                if shown == its {
                    assert_eq!(hash(&origin), hash(&theirs), "{url} {other}");
                }
            }
        }
    }
}
