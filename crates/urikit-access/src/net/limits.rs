//! Time limits for each wait on a connection.

use crate::deadline::Deadline;
use std::io;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// The time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) idle: Duration,
    pub(crate) max_line: usize,
    pub(crate) deadline: Deadline,
}

/// A step, such as receiving a line or the head of a response, may take this many times the idle
/// timeout. Without this limit, a server that sends an octet now and then could make a step last
/// forever.
const STEP: u32 = 5;

impl Limits {
    /// Returns the limits for a step that begins now.
    pub(super) fn of_one_step(self) -> Self {
        let deadline = self.deadline.within(self.idle.saturating_mul(STEP));
        Self { deadline, ..self }
    }

    /// Returns how long the next wait may be.
    pub(super) fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.left(self.idle);
        left.map_err(|_| io::ErrorKind::TimedOut.into())
    }
}

/// A TCP stream in which each wait is limited, even during a TLS handshake.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    pub(super) limits: Limits,
    /// The timeouts that are set on the stream. Most reads of a body use the same timeout, which
    /// saves a system call per read.
    read_timeout: Option<Duration>,
    write_timeout: Option<Duration>,
}

impl Socket {
    /// Wraps a new stream. Disables Nagle's algorithm, because commands are short and each waits
    /// for its reply.
    pub(super) fn new(stream: TcpStream, limits: Limits) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::again(stream, limits))
    }

    /// Wraps a stream again after it was used without limits.
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

    /// Returns the stream without its limits.
    pub(super) const fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Returns the stream without its limits.
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
