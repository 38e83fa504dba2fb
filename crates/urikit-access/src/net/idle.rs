//! Whether a connection can be used again.

use rustix::fd::AsFd;
use rustix::net::{RecvFlags, recv};
use rustls::ClientConnection;
use std::io::{self, Read};

/// The state of a connection on which nothing is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Idle {
    /// It is open, and nothing was received.
    Free,
    /// It is closed, or failed.
    Closed,
    /// Something was received that nobody requested: it could be taken for the next response.
    Unrequested,
}

/// Reads what was received, without waiting for more.
pub(super) struct Received<S>(pub(super) S);

impl<S: AsFd> Read for Received<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let (count, _) = recv(&self.0, bytes, RecvFlags::DONTWAIT)?;
        Ok(count)
    }
}

impl Idle {
    /// The state of a TCP connection. What was received is not kept.
    pub(super) fn of(stream: impl AsFd) -> Self {
        match Received(stream).read(&mut [0]) {
            Ok(0) => Self::Closed,
            Ok(_) => Self::Unrequested,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::Free,
            Err(_) => Self::Closed,
        }
    }

    /// The state of a TLS connection, on which a server may send messages of the protocol itself,
    /// such as session tickets, at any time (RFC 8446, 4.6).
    pub(super) fn of_tls(connection: &mut ClientConnection, stream: impl AsFd) -> Self {
        let mut received = Received(stream);
        match connection.process_new_packets() {
            Ok(state) if state.plaintext_bytes_to_read() > 0 => return Self::Unrequested,
            Ok(_) => {}
            Err(_) => return Self::Closed,
        }
        loop {
            match connection.read_tls(&mut received) {
                Ok(0) => return Self::Closed,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Self::Free,
                Err(_) => return Self::Closed,
            }
            match connection.process_new_packets() {
                Ok(state) if state.plaintext_bytes_to_read() > 0 => return Self::Unrequested,
                Ok(state) if state.peer_has_closed() => return Self::Closed,
                Ok(_) => {}
                Err(_) => return Self::Closed,
            }
        }
    }
}
