//! A TCP stream of which every single wait ends in time, also those that TLS has between.

use super::limits::Limits;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

/// A TCP stream and its clock.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    pub(super) limits: Limits,
}

impl Socket {
    /// Commands are short, and answered one by one: nothing is held back.
    pub(super) fn new(stream: TcpStream, limits: Limits) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { stream, limits })
    }

    pub(super) fn peer(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }

    /// The stream, without its clock.
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Sends no more.
    pub(super) fn finish_sending(&self) {
        // It may be gone already, which the next reading tells.
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.limits.left()?;
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(bytes)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.limits.left()?;
        self.stream.set_write_timeout(Some(left))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
