//! Whether a connection can be used again.

use super::tls::Secured;
use rustix::net::{RecvFlags, recv};
use std::io::{self, Read};
use std::net::TcpStream;

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
pub(super) struct Received<'a>(pub(super) &'a TcpStream);

impl Read for Received<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let (count, _) = recv(self.0, bytes, RecvFlags::DONTWAIT)?;
        Ok(count)
    }
}

impl Idle {
    /// The state of a TCP connection. What was received is not kept.
    pub(super) fn of(stream: &TcpStream) -> Self {
        match Received(stream).read(&mut [0]) {
            Ok(0) => Self::Closed,
            Ok(_) => Self::Unrequested,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::Free,
            Err(_) => Self::Closed,
        }
    }

    /// The state of a TLS connection, on which a server may send messages of the protocol itself,
    /// such as session tickets, at any time (RFC 8446, 4.6).
    pub(super) fn of_tls(stream: &mut Secured) -> Self {
        match stream.conn.process_new_packets() {
            Ok(state) if state.plaintext_bytes_to_read() > 0 => return Self::Unrequested,
            Ok(_) => {}
            Err(_) => return Self::Closed,
        }
        loop {
            match stream.conn.read_tls(&mut Received(stream.sock.stream())) {
                Ok(0) => return Self::Closed,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Self::Free,
                Err(_) => return Self::Closed,
            }
            match stream.conn.process_new_packets() {
                Ok(state) if state.plaintext_bytes_to_read() > 0 => return Self::Unrequested,
                Ok(state) if state.peer_has_closed() => return Self::Closed,
                Ok(_) => {}
                Err(_) => return Self::Closed,
            }
        }
    }
}
