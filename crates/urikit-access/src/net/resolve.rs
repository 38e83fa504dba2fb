//! Resolves host names.

use super::Deadline;
use crate::error::{Error, ErrorKind, Result};
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Resolves host names. The policy checks the addresses that it returns.
pub trait Resolver: Send + Sync {
    /// The addresses of a host name, which is ASCII.
    ///
    /// # Errors
    ///
    /// If the name cannot be resolved.
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

/// Resolves a name within a time limit. The system's resolver cannot be cancelled, so its thread
/// may run on.
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
            // `getaddrinfo` reports a DNS server that does not answer (EAI_AGAIN), and the standard
            // library passes on nothing but the text: of glibc, or of musl.
            let text = error.to_string();
            let is_temporary = ["Temporary failure", "Try again"]
                .iter()
                .any(|part| text.contains(part));
            let error = Error::new(ErrorKind::HostNotFound);
            Err(if is_temporary {
                error.transient(None)
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
