//! A TLS connection on a [`Socket`]. It waits, or fails instead of waiting, as its socket does.

use super::drive::Idle;
use super::socket::Socket;
use rustls::ClientConnection;
use std::io::{self, Read, Write};

/// The number of octets that are read at a time: one record of the largest size (RFC 8446, 5.2),
/// and its header. rustls alone reads 4 KiB at a time.
const READ: usize = (16 << 10) + 256 + 5;

/// A TLS connection.
#[derive(Debug)]
pub(super) struct Secured {
    pub(super) connection: ClientConnection,
    pub(super) socket: Socket,
    /// Received octets that rustls has not read yet. Empty while the connection is idle.
    received: Box<[u8]>,
    filled: std::ops::Range<usize>,
}

impl Secured {
    /// Wraps a connection whose handshake is complete.
    pub(super) fn new(connection: ClientConnection, socket: Socket) -> Self {
        Self {
            connection,
            socket,
            received: Box::default(),
            filled: 0..0,
        }
    }

    /// Returns the state of the connection at a time when no response is expected.
    pub(super) fn idle(&mut self) -> Idle {
        match self.socket.stream() {
            Ok(_) if !self.filled.is_empty() => Idle::Unrequested,
            Ok(stream) => Idle::of_tls(&mut self.connection, stream),
            Err(_) => Idle::Closed,
        }
    }

    /// Returns true if octets were received that have not been read.
    pub(super) fn has_received(&mut self) -> bool {
        let state = self.connection.process_new_packets();
        !self.filled.is_empty() || state.map_or(true, |it| it.plaintext_bytes_to_read() > 0)
    }

    /// Frees the buffer of a connection that is not in use.
    pub(super) fn free_buffer(&mut self) {
        if self.filled.is_empty() {
            self.received = Box::default();
        }
    }

    /// Receives and decrypts more.
    fn receive(&mut self) -> io::Result<()> {
        if self.filled.is_empty() {
            if self.received.is_empty() {
                self.received = vec![0; READ].into_boxed_slice();
            }
            self.filled = 0..self.socket.read(&mut self.received)?;
        }
        // An empty read tells rustls that the connection has ended.
        let mut octets = self.received.get(self.filled.clone()).unwrap_or_default();
        self.filled.start += self.connection.read_tls(&mut octets)?;
        let processed = self.connection.process_new_packets();
        // Sends an alert, or the response to a key update. Any data that cannot be sent now is sent
        // later.
        let _ = self.flush();
        processed.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(())
    }
}

impl Read for Secured {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.connection.reader().read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.receive()?,
                read => return read,
            }
        }
    }
}

impl Write for Secured {
    /// Encrypts data. Sends earlier data first, so that little is queued.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.flush()?;
        self.connection.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.connection.wants_write() {
            if self.connection.write_tls(&mut self.socket)? == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }
}
