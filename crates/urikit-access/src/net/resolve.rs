//! Host names: from a URL to a name of the DNS, and from there to addresses.

use super::limits::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::policy::Policy;
use std::borrow::Cow;
use std::io;
use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use urikit::component::{Host, inet_aton};
use urikit::{AnyRef, UriRef, Value};

/// Resolves host names. The policy checks the addresses that it returns.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a host name, which is ASCII.
    ///
    /// # Errors
    ///
    /// Fails if the name cannot be resolved.
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let addresses = (name, 0).to_socket_addrs()?;
        Ok(addresses.map(|address| address.ip()).collect())
    }
}

/// Resolves a name within a time limit. The system's resolver cannot be cancelled, so it runs in
/// a thread that may outlive this call.
pub(super) fn within(
    resolver: &Arc<dyn Resolver>,
    name: &str,
    deadline: Deadline,
    max: Duration,
) -> Result<Vec<IpAddr>> {
    let left = deadline.left(max)?;
    let (resolver, owned) = (Arc::clone(resolver), name.to_owned());
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .spawn(move || drop(sender.send(resolver.resolve(&owned))))
        .map_err(|error| Error::new(ErrorKind::Local(error)))?;
    match receiver.recv_timeout(left) {
        Ok(Ok(addresses)) if addresses.is_empty() => Err(Error::new(ErrorKind::HostNotFound)),
        Ok(Ok(addresses)) => Ok(addresses),
        Ok(Err(error)) => {
            // `getaddrinfo` returns EAI_AGAIN if a DNS server does not answer, but the standard
            // library passes on only the text: that of glibc, or of musl.
            let text = error.to_string();
            let is_temporary = ["Temporary failure", "Try again"]
                .iter()
                .any(|part| text.contains(part));
            let error = Error::new(ErrorKind::HostNotFound);
            Err(if is_temporary {
                error.with_retry_after(None)
            } else {
                error
            })
        }
        Err(RecvTimeoutError::Timeout) => Err(Error::new(ErrorKind::Timeout(
            "resolving the host name took too long",
        ))),
        Err(RecvTimeoutError::Disconnected) => Err(Error::new(ErrorKind::HostNotFound)),
    }
}

/// Returns a host, as written in a URL, in the form that programs expect: a DNS name, or an
/// address without brackets.
pub(crate) fn name_of(host: &str) -> Result<String> {
    Ok(match Name::of(host)? {
        Name::Address(address) => address.to_string(),
        Name::Dns(name) => name,
    })
}

/// Returns the reference with its host percent-decoded and in ASCII. Returns `None` if the host
/// has that form already, or cannot be a DNS name.
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
    /// Reads a host, as written in a URL.
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

    /// Reads a host, as written in a URL, and fails if the policy refuses the address in it.
    pub(super) fn allowed(host: &str, policy: &Policy) -> Result<Self> {
        let name = Self::of(host)?;
        let address = match &name {
            Self::Address(address) => Some(*address),
            Self::Dns(name) => address_in(name),
        };
        if let Some(address) = address {
            policy.check_address(address)?;
        }
        Ok(name)
    }
}

/// Fails if the policy refuses the address in a host, as written in a URL. Allows a host that is
/// not a DNS name: connecting to it fails later.
pub(crate) fn check_host(host: &str, policy: &Policy) -> Result<()> {
    match Name::allowed(host, policy) {
        Err(error) if matches!(error.kind(), ErrorKind::Refused(_)) => Err(error),
        _ => Ok(()),
    }
}

/// Returns the address that a resolver may read in a DNS name without asking a server: that of
/// `localhost` and its subdomains (RFC 6761, 6.3), and that of a name which `inet_aton` accepts,
/// such as `127.1` or `0x7f000001`.
///
/// A proxy that uses `getaddrinfo` connects to this address. A final dot changes nothing.
fn address_in(name: &str) -> Option<IpAddr> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    if name == "localhost" || name.ends_with(".localhost") {
        return Some(Ipv4Addr::LOCALHOST.into());
    }
    inet_aton(&name).map(IpAddr::V4)
}

/// Returns the DNS name: percent-decoded, and in ASCII (RFC 3986, 3.2.2; RFC 3987, 3.1).
fn dns_name(host: Host<'_>) -> Option<Cow<'_, str>> {
    let name = match host.to_ascii().ok()? {
        Cow::Borrowed(_) => host.encoded().decode_utf8().ok()?,
        name @ Cow::Owned(_) => name,
    };
    // The system's resolver may give other characters a meaning.
    let is_name = |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet);
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}
