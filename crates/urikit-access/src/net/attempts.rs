//! Connection attempts that run at the same time. The only place that opens a connection.

use super::race::Connector;
use crate::error::{Error, ErrorKind, Result};
use crate::policy::Policy;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::sockopt::socket_error;
use rustix::net::{AddressFamily, SocketType, connect, socket};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Attempts to connect. Those that have not ended are given up when it is dropped.
pub(super) struct Attempts<'a> {
    policy: &'a Policy,
    running: Vec<(SocketAddr, OwnedFd)>,
}

impl<'a> Attempts<'a> {
    pub(super) const fn new(policy: &'a Policy) -> Self {
        Self {
            policy,
            running: Vec::new(),
        }
    }
}

impl Connector for Attempts<'_> {
    type Stream = TcpStream;

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn start(&mut self, address: SocketAddr) -> Result<()> {
        self.policy.check_address(address.ip())?;
        let socket = begin(address).map_err(|error| Error::network(error.into()))?;
        self.running.push((address, socket));
        Ok(())
    }

    fn wait(&mut self, max: Duration) -> Option<(SocketAddr, Result<TcpStream>)> {
        let sockets = self.running.iter().map(|(_, socket)| socket);
        let mut sockets: Vec<_> = sockets
            .map(|socket| PollFd::new(socket, PollFlags::OUT))
            .collect();
        let time = Timespec::try_from(max).ok();
        // After an error, such as a signal, the caller waits again.
        poll(&mut sockets, time.as_ref()).ok()?;
        let ended = sockets.iter().position(|it| !it.revents().is_empty())?;
        let (address, socket) = self.running.swap_remove(ended);
        Some((address, connected(socket).map_err(failed)))
    }
}

/// Begins to connect, without waiting.
#[allow(clippy::disallowed_methods)] // the address was checked just before
fn begin(address: SocketAddr) -> rustix::io::Result<OwnedFd> {
    let family = if address.is_ipv6() {
        AddressFamily::INET6
    } else {
        AddressFamily::INET
    };
    let socket = socket(family, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS | Errno::INTR) => Ok(socket),
        Err(error) => Err(error),
    }
}

/// The stream of an attempt that has ended.
fn connected(socket: OwnedFd) -> io::Result<TcpStream> {
    socket_error(&socket)??;
    let stream = TcpStream::from(socket);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

fn failed(error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::TimedOut {
        Error::new(ErrorKind::Timeout("connecting took too long"))
    } else {
        Error::network(error)
    }
}
