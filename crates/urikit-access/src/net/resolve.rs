//! Looks up the addresses of hosts.

use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::host::Name;
use crate::policy::Policy;
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Resolves host names. The policy checks the addresses that it returns.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a host name, which must be ASCII.
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
            // library passes on only the error text of glibc or musl.
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

/// Parses a host, as written in a URL, and fails if it contains an address that the policy refuses.
pub(super) fn allowed(host: &str, policy: &Policy) -> Result<Name> {
    let name = Name::of(host).ok_or_else(|| Error::new(ErrorKind::HostNotFound))?;
    if let Some(address) = name.address() {
        policy.check_address(address)?;
    }
    Ok(name)
}

/// Fails if a host, as written in a URL, contains an address that the policy refuses. Allows a host
/// that is not a DNS name: connecting to it fails later.
pub(crate) fn check_host(host: &str, policy: &Policy) -> Result<()> {
    match allowed(host, policy) {
        Err(error) if matches!(error.kind(), ErrorKind::Refused(_)) => Err(error),
        _ => Ok(()),
    }
}
