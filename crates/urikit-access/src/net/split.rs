//! The two directions of a connection, for an interactive session.

use super::limits::Limits;
use crate::error::{Error, ErrorKind, Result};
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The receiving half of a connection. Receiving has no time limit, because the caller decides
/// when to stop.
#[derive(Debug)]
pub struct ReadHalf {
    stream: TcpStream,
    /// Octets that were received before the split.
    first: Vec<u8>,
    idle: Duration,
    waits: Duration,
}

/// The sending half of a connection. The server must accept data within the idle timeout.
#[derive(Debug)]
pub struct WriteHalf {
    stream: TcpStream,
}

/// Splits a stream. Makes the system deliver urgent data together with other data, so that no
/// octet after an `IAC` is lost (RFC 854, Synch).
pub(super) fn part(
    stream: TcpStream,
    first: Vec<u8>,
    limits: &Limits,
) -> Result<(ReadHalf, WriteHalf)> {
    let idle = limits.idle;
    let part = || {
        rustix::net::sockopt::set_socket_oobinline(&stream, true)?;
        stream.set_write_timeout(Some(idle))?;
        stream.set_read_timeout(Some(idle))?;
        stream.try_clone()
    };
    let sending = part().map_err(Error::network)?;
    let receiving = ReadHalf {
        stream,
        first,
        idle,
        waits: idle,
    };
    Ok((receiving, WriteHalf { stream: sending }))
}

impl ReadHalf {
    /// Receives some bytes, and returns their number. Returns 0 at the end of the connection, and
    /// `None` if nothing is received within `wait`.
    ///
    /// # Errors
    ///
    /// Fails if the system reports an error on the connection.
    pub fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> Result<Option<usize>> {
        if !self.first.is_empty() {
            let count = self.first.len().min(bytes.len());
            for (to, from) in bytes.iter_mut().zip(self.first.drain(..count)) {
                *to = from;
            }
            return Ok(Some(count));
        }
        if self.waits != wait {
            let set = self.stream.set_read_timeout(Some(wait));
            set.map_err(Error::network)?;
            self.waits = wait;
        }
        match self.stream.read(bytes) {
            Ok(count) => Ok(Some(count)),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted => Ok(None),
                _ => Err(Error::network(error)),
            },
        }
    }

    /// Returns the idle timeout of the policy. This type does not enforce the timeout.
    pub const fn idle_timeout(&self) -> Duration {
        self.idle
    }
}

impl WriteHalf {
    /// Sends bytes.
    ///
    /// # Errors
    ///
    /// Fails if the server does not accept the bytes in time.
    pub fn send(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(0) => {
                    let error = io::ErrorKind::WriteZero.into();
                    return Err(Error::new(ErrorKind::Network(error)));
                }
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::network(error)),
            }
        }
        Ok(())
    }

    /// Shuts down the sending direction. Data can still be received.
    pub fn finish(&self) {
        // Errors are ignored, because the next read reports a closed connection.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Shuts down both directions, which ends a pending read.
    pub fn end(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
