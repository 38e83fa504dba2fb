//! A TCP stream in which each wait is limited, including those within a TLS handshake.

use super::limits::Limits;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// A TCP stream with limits.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    pub(super) limits: Limits,
    /// The timeouts of the stream, once they are set: most reads of a body have the same.
    read_timeout: Option<Duration>,
    write_timeout: Option<Duration>,
}

impl Socket {
    /// Disables Nagle's algorithm: commands are short, and each waits for its reply.
    pub(super) fn new(stream: TcpStream, limits: Limits) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::again(stream, limits))
    }

    /// The same for the stream of an earlier one.
    pub(super) const fn again(stream: TcpStream, limits: Limits) -> Self {
        Self {
            stream,
            limits,
            read_timeout: None,
            write_timeout: None,
        }
    }

    pub(super) fn peer(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }

    /// The stream, on which no limits apply.
    pub(super) const fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// The stream without its limits.
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Shuts down the sending direction.
    pub(super) fn finish_sending(&self) {
        // If the connection is closed, the next read reports it.
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.limits.left()?;
        if self.read_timeout != Some(left) {
            self.stream.set_read_timeout(Some(left))?;
            self.read_timeout = Some(left);
        }
        self.stream.read(bytes)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.limits.left()?;
        if self.write_timeout != Some(left) {
            self.stream.set_write_timeout(Some(left))?;
            self.write_timeout = Some(left);
        }
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
