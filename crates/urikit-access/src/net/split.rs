//! A connection whose two directions live apart: a session between a person and a server.

use super::limits::Limits;
use crate::error::{Error, ErrorKind, Result};
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// What comes. It may be silent for as long as the two like: whoever receives looks at the clock.
#[derive(Debug)]
pub struct ReadHalf {
    stream: TcpStream,
    /// What had come before the directions were parted.
    first: Vec<u8>,
    idle: Duration,
    waits: Duration,
}

/// What goes. The other side has to take it within the policy's idle time.
#[derive(Debug)]
pub struct WriteHalf {
    stream: TcpStream,
}

/// Parts the directions. Urgent data stays in its place among the rest, so that no octet is missing behind an `IAC` (RFC
/// 854, Synch).
pub(super) fn part(
    stream: TcpStream,
    first: Vec<u8>,
    limits: Limits,
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
    /// Receives some bytes; 0 at the end, `None` where nothing came for so long.
    ///
    /// # Errors
    ///
    /// When the connection breaks.
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

    /// The policy's idle time, which no session has to keep to.
    pub const fn idle_timeout(&self) -> Duration {
        self.idle
    }
}

impl WriteHalf {
    /// Sends bytes.
    ///
    /// # Errors
    ///
    /// When the other side does not take them in time.
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

    /// Sends no more. What comes still comes.
    pub fn finish(&self) {
        // It may be gone already, which receiving tells.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends both directions: whoever waits for the other side waits no more.
    pub fn end(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
