//! Exchanges datagrams with one server, using a connected UDP socket.
//!
//! The policy checks the address as it does for TCP, but is stricter about the port: by default, it
//! allows only the default ports of the scheme. The sender's address in a datagram can be forged,
//! so a server that speaks another protocol could be tricked into sending its answer to a victim.

use super::dial::{Dialer, Peer};
use super::limits::Limits;
use super::resolve;
use crate::cancel;
use crate::deadline::Deadline;
use crate::error::{Error, Result};
use crate::host::Name;
use rustix::event::{PollFd, PollFlags};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

/// A UDP socket for datagrams to and from one server. The socket does not receive datagrams from
/// other senders.
///
/// [`Context::datagrams`](crate::Context::datagrams) opens it.
#[derive(Debug)]
pub struct Datagrams {
    socket: UdpSocket,
    limits: Limits,
    buffer: Box<[u8]>,
}

impl Dialer {
    /// Returns the addresses to which the policy allows datagrams. The host is written as in a
    /// URL. IPv4 addresses come first, because Prospero servers are older than IPv6.
    pub(crate) fn datagram_peers(
        &self,
        peer: Peer<'_>,
        deadline: &Deadline,
    ) -> Result<Vec<SocketAddr>> {
        let policy = self.policy.at(peer.host, peer.port, peer.own_ports);
        policy.check_datagram_port(peer.port, peer.own_ports)?;
        let max = self.policy.connect_timeout;
        let mut addresses = match resolve::allowed(peer.host, &policy)? {
            Name::Address(address) => vec![address],
            Name::Dns(name) => {
                let looking = &deadline.within(max);
                self.resolver.find(&name, looking, max)?
            }
        };
        addresses.sort_by_key(IpAddr::is_ipv6);
        let (allowed, refused): (Vec<_>, Vec<_>) = addresses
            .into_iter()
            .map(|address| policy.check_address(address).map(|()| address))
            .partition(std::result::Result::is_ok);
        match refused.into_iter().find_map(std::result::Result::err) {
            Some(refusal) if allowed.is_empty() => Err(refusal.into()),
            _ => Ok(allowed
                .into_iter()
                .flatten()
                .map(|address| SocketAddr::new(address, peer.port))
                .collect()),
        }
    }

    /// Checks the address of a host again, and opens a socket for datagrams to and from it.
    #[allow(clippy::disallowed_methods)] // the only place that creates a UDP socket
    pub(crate) fn datagrams(
        &self,
        host: &str,
        peer: SocketAddr,
        own_ports: &[u16],
        deadline: &Deadline,
    ) -> Result<Datagrams> {
        let policy = self.policy.at(host, peer.port(), own_ports);
        policy.check_datagram_port(peer.port(), own_ports)?;
        policy.check_address(peer.ip())?;
        let any: IpAddr = match peer {
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        // With port 0, the system chooses an unpredictable port.
        let socket = UdpSocket::bind(SocketAddr::new(any, 0)).map_err(Error::network)?;
        socket.connect(peer).map_err(Error::network)?;
        Ok(Datagrams {
            socket,
            limits: self.limits(deadline),
            // No datagram is longer than this buffer, because UDP stores the length in 16 bits.
            buffer: vec![0; 64 << 10].into_boxed_slice(),
        })
    }
}

impl Datagrams {
    /// Sends a datagram.
    ///
    /// # Errors
    ///
    /// Fails if the deadline has passed, if the system does not accept the datagram, or if the
    /// system reports that an earlier datagram was not delivered.
    pub fn send(&self, datagram: &[u8]) -> Result<()> {
        let left = self.limits.left().map_err(Error::network)?;
        let sent = self.socket.set_write_timeout(Some(left));
        let sent = sent.and_then(|()| self.socket.send(datagram));
        sent.map(drop).map_err(Error::network)
    }

    /// Waits for a datagram. Returns `None` if no datagram arrives within this time.
    ///
    /// # Errors
    ///
    /// Fails if the deadline has passed, or if the system reports that no program is listening on
    /// the port.
    pub fn receive(&mut self, within: Duration) -> Result<Option<&[u8]>> {
        let deadline = &self.limits.deadline;
        let mut left = deadline.left(within)?;
        if deadline.cancel().is_some() {
            let mut files = vec![PollFd::new(&self.socket, PollFlags::IN)];
            cancel::wait(&mut files, deadline.cancel(), left).map_err(Error::network)?;
            deadline.check_cancelled()?;
            // A datagram that has not arrived by now is too late.
            left = Duration::from_millis(1);
        }
        let received = self.socket.set_read_timeout(Some(left));
        match received.and_then(|()| self.socket.recv(&mut self.buffer)) {
            Ok(length) => Ok(self.buffer.get(..length)),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted => Ok(None),
                _ => Err(Error::network(error)),
            },
        }
    }
}
