//! Converts the hosts in URLs to DNS names and addresses.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use urikit::component::{Host, inet_aton};
use urikit::{AnyRef, UriRef, Value};

/// Converts a host, written as in a URL, to the form that programs expect: a DNS name, or an
/// address without brackets. Returns `None` if the host is neither a DNS name nor an address.
pub(crate) fn name_of(host: &str) -> Option<String> {
    Some(match Name::of(host)? {
        Name::Address(address) => address.to_string(),
        Name::Dns(name) => name,
    })
}

/// Returns the reference with its host percent-decoded and converted to ASCII. Returns `None` if
/// the host already has that form, or cannot be a DNS name.
pub(crate) fn with_dns_host(reference: AnyRef<'_>) -> Option<String> {
    let host = reference.host()?;
    if !host.as_str().contains('%') || host.to_ip().is_some() {
        return None;
    }
    let name = dns_name(host)?;
    let mut text = String::new();
    let edit = reference.to_builder().host(Value::encoded(&*name));
    edit.write_into(&mut text).ok()?;
    Some(text)
}

/// A host, ready to be resolved.
pub(crate) enum Name {
    Address(IpAddr),
    Dns(String),
}

impl Name {
    /// Parses a host, written as in a URL. Returns `None` if the host cannot be resolved.
    pub(crate) fn of(host: &str) -> Option<Self> {
        let text = format!("//{host}");
        let parsed = UriRef::parse(&text)
            .ok()
            .and_then(|reference| reference.host());
        let host = parsed.filter(|parsed| parsed.as_str() == host)?;
        if let Some(address) = host.to_ip() {
            return Some(Self::Address(address));
        }
        Some(Self::Dns(dns_name(host)?.into_owned()))
    }

    /// Returns the address that a resolver may derive from the name without asking a server.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Address(address) => Some(*address),
            Self::Dns(name) => address_in(name),
        }
    }
}

/// Returns the address that a resolver may derive from a DNS name without asking a server: for
/// `localhost` and its subdomains (RFC 6761, 6.3), and for a name that `inet_aton` accepts, such
/// as `127.1` or `0x7f000001`.
///
/// A proxy that uses `getaddrinfo` connects to the derived address. A trailing dot in the name is
/// ignored.
fn address_in(name: &str) -> Option<IpAddr> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    if name == "localhost" || name.ends_with(".localhost") {
        return Some(Ipv4Addr::LOCALHOST.into());
    }
    inet_aton(&name).map(IpAddr::V4)
}

/// Returns the DNS name, percent-decoded and converted to ASCII (RFC 3986, 3.2.2; RFC 3987, 3.1).
fn dns_name(host: Host<'_>) -> Option<Cow<'_, str>> {
    let name = match host.to_ascii().ok()? {
        Cow::Borrowed(_) => host.encoded().decode_utf8().ok()?,
        name @ Cow::Owned(_) => name,
    };
    // Other characters may have a special meaning to the system's resolver.
    let is_name = |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet);
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}
