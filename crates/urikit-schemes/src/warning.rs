//! Warnings about valid URLs that are dangerous to follow or to show (RFC 1738, 6).

use super::{Gopher, GopherPlus, known};
use core::fmt;
use urikit::AnyRef;

/// Something dangerous in a valid URL (RFC 1738, 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// The URL has a port other than the scheme's default. A server for another protocol may listen
    /// on that port.
    OtherPort {
        /// The port in the URL.
        port: u16,
        /// The scheme's port.
        default: u16,
    },
    /// The URL has a well-known port, and its scheme has no default port.
    ReservedPort {
        /// The port in the URL.
        port: u16,
    },
    /// The URL contains an escaped CR or LF. If a client decodes the escape before sending it, the
    /// character ends the command in a line-based protocol.
    LineEnd {
        /// The decoded octet: 13 for CR, 10 for LF.
        octet: u8,
        /// The offset of the escape in the reference, in bytes.
        offset: usize,
    },
    /// The URL contains a password. Anyone who sees the URL can read the password.
    Password,
    /// The host, such as `999.1.1.1`, looks like an IPv4 address but is not one. RFC 1738's
    /// `hostnumber` does not limit the size of the numbers.
    NoAddress,
    /// Operating systems accept the host as an IPv4 address, although no RFC allows it. Examples
    /// are `127.1`, `0x7f.1` and `2130706433`. See
    /// [`Host::legacy_ipv4`](urikit::component::Host::legacy_ipv4).
    LegacyAddress {
        /// The address that operating systems use.
        address: core::net::Ipv4Addr,
    },
}

impl Warning {
    /// Returns true if the warning is about a well-known port (below 1024).
    pub const fn is_reserved_port(self) -> bool {
        matches!(self, Self::OtherPort { port, .. } | Self::ReservedPort { port } if port < 1024)
    }
}

/// Returns the warnings about a reference.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Warning, warnings};
/// // RFC 1738, 6: "the use of gopher URLs to cause a rude message to be sent via a SMTP server"
/// let url = Uri::parse("gopher://host.dom:25/1HELO%20a%0D%0A")?;
/// let found: Vec<_> = warnings(url).collect();
/// assert_eq!(found[0], Warning::OtherPort { port: 25, default: 70 });
/// assert!(found[0].is_reserved_port());
/// assert_eq!(found[1], Warning::LineEnd { octet: 13, offset: 30 });
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub fn warnings<'r>(reference: impl Into<AnyRef<'r>>) -> impl Iterator<Item = Warning> {
    let reference = reference.into();
    let authority = reference.authority();
    let port = authority.and_then(|authority| {
        // No server listens on port 0.
        let port = authority.port_number().filter(|port| *port > 0)?;
        match known(reference.scheme()?).and_then(|facts| facts.port) {
            Some(default) => (port != default).then_some(Warning::OtherPort { port, default }),
            None => (port < 1024).then_some(Warning::ReservedPort { port }),
        }
    });
    let no_address = reference
        .host()
        .filter(|host| is_hostnumber(host.as_str()) && host.to_ipv4().is_none())
        .map(|_| Warning::NoAddress);
    let legacy = reference
        .host()
        .and_then(urikit::component::Host::legacy_ipv4)
        .map(|address| Warning::LegacyAddress { address });
    let password = reference
        .password()
        .filter(|password| !password.is_empty())
        .map(|_| Warning::Password);
    [password, port, no_address, legacy, line_end(reference)]
        .into_iter()
        .flatten()
}

/// Returns true if the host matches RFC 1738's `hostnumber`: four numbers separated by dots. Under
/// later standards, a host with a number above 255 is a name.
fn is_hostnumber(host: &str) -> bool {
    host.split('.').count() == 4
        && host
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Finds the first escaped CR or LF outside the fragment, which is never sent.
///
/// A URL whose scheme is known and has no default port does not cause this warning, because clients
/// send no commands for it. In the body of a message, escaped CR and LF are line breaks (RFC 6068,
/// 5).
fn line_end(reference: AnyRef<'_>) -> Option<Warning> {
    let scheme = reference.scheme()?;
    if known(scheme).is_some_and(|facts| facts.port.is_none()) {
        return None;
    }
    // A filled-in form contains line breaks (RFC 1738, 3.4.9).
    let plus = Gopher::read(reference)
        .ok()
        .and_then(|gopher| gopher.plus());
    if matches!(plus, Some(GopherPlus::Form(_))) {
        return None;
    }
    let text = reference.as_str();
    let fragment = reference.fragment().map_or(0, |f| f.len() + 1);
    let sent = text.get(..text.len() - fragment)?;
    let escapes = sent.as_bytes().windows(3).enumerate();
    let octet = |escape: &[u8]| match escape {
        b"%0D" | b"%0d" => Some(13),
        b"%0A" | b"%0a" => Some(10),
        _ => None,
    };
    escapes
        .filter_map(|(offset, escape)| Some((offset, octet(escape)?)))
        .map(|(offset, octet)| Warning::LineEnd { octet, offset })
        .next()
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LegacyAddress { address } => write!(
                f,
                "operating systems interpret the host as the address {address}"
            ),
            Self::OtherPort { port, default } => {
                write!(f, "port {port} is not the scheme's default, {default}")?;
                if self.is_reserved_port() {
                    f.write_str(", and belongs to another well-known service")?;
                }
                f.write_str(": a server of another protocol may listen on it (RFC 1738, 6)")
            }
            Self::ReservedPort { port } => write!(
                f,
                "port {port} belongs to a well-known service: a server of another protocol may \
                 listen on it (RFC 1738, 6)"
            ),
            Self::LineEnd { octet, offset } => {
                let name = if *octet == 13 { "CR" } else { "LF" };
                write!(
                    f,
                    "the escape at byte {offset} decodes to {name}: sent decoded, it would end the \
                     command and begin another (RFC 1738, 6)"
                )
            }
            Self::Password => f.write_str(
                "the URL contains a password, which anyone who sees the URL can read (RFC 1738, \
                 6; RFC 3986, 7.5)",
            ),
            Self::NoAddress => f.write_str(
                "the host looks like an IPv4 address but is not one (RFC 1738, 5: hostnumber)",
            ),
        }
    }
}
