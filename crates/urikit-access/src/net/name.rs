//! Hosts of URLs as clients use them: the one rule for plans, requests and the DNS.

use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::component::Host;
use urikit::{AnyRef, UriRef, Value};

/// A host as programs expect it: a DNS name, or an address without brackets.
pub(crate) fn name_of(host: &str) -> Result<String> {
    Ok(match Name::of(host)? {
        Name::Address(address) => address.to_string(),
        Name::Dns(name) => name,
    })
}

/// The reference with its host as the DNS has it; `None` if it is written so, or is no name of the
/// DNS.
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
pub(super) enum Name {
    Address(IpAddr),
    Dns(String),
}

impl Name {
    /// The host, which is as written in a URL.
    pub(super) fn of(host: &str) -> Result<Self> {
        let text = format!("//{host}");
        let parsed = UriRef::parse(&text)
            .ok()
            .and_then(|reference| reference.host());
        let Some(host) = parsed.filter(|parsed| parsed.as_str() == host) else {
            return Err(Error::new(ErrorKind::HostNotFound));
        };
        if let Some(address) = host.to_ip() {
            return Ok(Self::Address(address));
        }
        let name = dns_name(host).ok_or_else(|| Error::new(ErrorKind::HostNotFound))?;
        Ok(Self::Dns(name.into_owned()))
    }
}

/// The name in the DNS: percent-decoded, and in ASCII (RFC 3986, 3.2.2; RFC 3987, 3.1).
fn dns_name(host: Host<'_>) -> Option<Cow<'_, str>> {
    let name = match host.to_ascii().ok()? {
        Cow::Borrowed(_) => host.encoded().to_utf8().ok()?,
        name @ Cow::Owned(_) => name,
    };
    // The system's resolver may interpret other characters in its own way.
    let is_name = |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet);
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}
