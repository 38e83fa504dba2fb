//! Origins (RFC 6454).

use crate::AnyRef;
use crate::component::Host;
use crate::scheme::known;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The default port of a scheme, as the document of the scheme defines it; in any case.
///
/// ```
/// use urikit::op::default_port;
/// assert_eq!(default_port("Gopher"), Some(70)); // RFC 1738, 3.4
/// assert_eq!(default_port("mailto"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    known(scheme)?.port
}

/// Scheme, host and port (RFC 6454, 4). Two origins are equal if the schemes, the hosts (decoded
/// and without case; addresses by their value) and the ports, or default ports, are equal.
///
/// ```
/// use urikit::Uri;
/// let a = Uri::parse("http://example.com/a?q")?;
/// let b = Uri::parse("HTTP://Example.COM:80/b")?;
/// assert_eq!(a.origin(), b.origin());
/// assert_eq!(b.origin().unwrap().to_string(), "http://example.com"); // RFC 6454, 6.2
/// assert_ne!(a.origin(), Uri::parse("https://example.com/a")?.origin());
/// assert!(Uri::parse("mailto:a@b")?.origin().is_none());
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    scheme: &'a str,
    host: Host<'a>,
    port: Option<u16>,
}

impl<'a> Origin<'a> {
    /// The scheme, as written.
    pub const fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// The host, as written.
    pub const fn host(&self) -> Host<'a> {
        self.host
    }

    /// The port, or the default port of the scheme if there is none.
    pub const fn port(&self) -> Option<u16> {
        self.port
    }

    /// The host by which origins are compared: decoded, in lower case.
    fn host_octets(&self) -> impl Iterator<Item = u8> {
        let octets = self.host.encoded().decode().octets();
        octets.map(|octet| octet.to_ascii_lowercase())
    }
}

impl PartialEq for Origin<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same_host = match (self.host.to_ip(), other.host.to_ip()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.host_octets().eq(other.host_octets()),
            _ => false,
        };
        self.scheme.eq_ignore_ascii_case(other.scheme) && self.port == other.port && same_host
    }
}

impl Eq for Origin<'_> {}

impl Hash for Origin<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.scheme.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        self.port.hash(state);
        match self.host.to_ip() {
            Some(address) => address.hash(state),
            None => self.host_octets().for_each(|octet| state.write_u8(octet)),
        }
    }
}

impl fmt::Display for Origin<'_> {
    /// The ASCII serialization (RFC 6454, 6.2): in lower case, without a default port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = |f: &mut fmt::Formatter<'_>, text: &str| {
            let mut chars = text.chars();
            chars.try_for_each(|c| fmt::Write::write_char(f, c.to_ascii_lowercase()))
        };
        lower(f, self.scheme)?;
        f.write_str("://")?;
        lower(f, self.host.as_str())?;
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
    /// The port, or the default port of the scheme if there is none (RFC 3986, 3.2.3). `None` if
    /// neither is known, and for a port above 65535.
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

    /// The origin: scheme, host and port (RFC 6454, 4). `None` without a scheme or a host: such an
    /// origin is not shared with any other.
    pub fn origin(&self) -> Option<Origin<'a>> {
        let host = self.host().filter(|host| !host.as_str().is_empty())?;
        Some(Origin {
            scheme: self.scheme()?,
            host,
            port: self.port_or_default(),
        })
    }
}
