//! What RFC 1738, 6, warns about: valid URLs that are dangerous to follow or to show.

use super::{Gopher, GopherPlus, known};
use core::fmt;
use urikit::AnyRef;

/// Something dangerous in a valid URL (RFC 1738, 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// A port other than the scheme's: the client may speak to a server of another protocol.
    OtherPort {
        /// The port.
        port: u16,
        /// The scheme's port.
        default: u16,
    },
    /// A port within the space reserved for well-known services, if the scheme has no default
    /// port.
    ReservedPort {
        /// The port.
        port: u16,
    },
    /// An escape of a line end, which must not be sent decoded in a line-based protocol.
    LineEnd {
        /// 13 for CR, 10 for LF.
        octet: u8,
        /// Where the escape begins, in bytes.
        offset: usize,
    },
    /// A password, which is visible to everyone who sees the URL.
    Password,
    /// A host that has the form of an IPv4 address but is not one (`999.1.1.1`: `hostnumber` has
    /// no range).
    NoAddress,
    /// A host that operating systems accept as an IPv4 address although no RFC does (`127.1`,
    /// `0x7f.1`, `2130706433`); see [`Host::legacy_ipv4`](urikit::component::Host::legacy_ipv4).
    LegacyAddress {
        /// The address.
        address: core::net::Ipv4Addr,
    },
}

impl Warning {
    /// Whether the port is within the space reserved for well-known services.
    pub const fn is_reserved_port(self) -> bool {
        matches!(self, Self::OtherPort { port, .. } | Self::ReservedPort { port } if port < 1024)
    }
}

/// The warnings for a reference.
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
        // Nothing listens on port 0.
        let port = authority.port_number().filter(|port| *port > 0)?;
        match known(reference.scheme()?).and_then(|facts| facts.port) {
            Some(default) => (port != default).then_some(Warning::OtherPort { port, default }),
            None => (port < 1024).then_some(Warning::ReservedPort { port }),
        }
    });
    let no_address = reference
        .host()
        .filter(|host| has_form_of_address(host.as_str()) && host.to_ipv4().is_none())
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

/// Whether it is RFC 1738's `hostnumber`: four numbers with dots between them. Later standards
/// take such a host for a name if a number is above 255.
fn has_form_of_address(host: &str) -> bool {
    host.split('.').count() == 4
        && host
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The first escape of a CR or LF outside the fragment, which is not sent. There is no warning for
/// a known scheme without a port, since nothing is sent; in the body of a mail these escapes are
/// line ends (RFC 6068, 5).
fn line_end(reference: AnyRef<'_>) -> Option<Warning> {
    let scheme = reference.scheme()?;
    if known(scheme).is_some_and(|facts| facts.port.is_none()) {
        return None;
    }
    // A filled-in form contains line ends (RFC 1738, 3.4.9).
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
                "operating systems take the host for the address {address}"
            ),
            Self::OtherPort { port, default } => {
                write!(f, "port {port} is not the scheme's own, {default}")?;
                if self.is_reserved_port() {
                    f.write_str(", and within the space reserved for others")?;
                }
                f.write_str(": a server of another protocol may listen there (RFC 1738, 6)")
            }
            Self::ReservedPort { port } => write!(
                f,
                "port {port} is within the space reserved for other services: a server of another protocol may listen there (RFC 1738, 6)"
            ),
            Self::LineEnd { octet, offset } => {
                let name = if *octet == 13 { "CR" } else { "LF" };
                write!(
                    f,
                    "the escape at byte {offset} stands for {name}: sent as such it would end a line and begin another command (RFC 1738, 6)"
                )
            }
            Self::Password => f.write_str(
                "it holds a password, which whoever sees the reference has (RFC 1738, 6; RFC 3986, 7.5)",
            ),
            Self::NoAddress => f.write_str(
                "the host has the form of an IPv4 address, and no such address exists (RFC 1738, 5: hostnumber)",
            ),
        }
    }
}
