//! A connection: bytes and lines, within limits.

mod detach;
mod receive;
mod send;

use super::Deadline;
use super::detached::Detached;
use super::idle::Idle;
use super::limits::Limits;
use super::replay::Replay;
use super::socket::Socket;
use super::split::{self, ReadHalf, WriteHalf};
use super::tls::{Secured, Trust};
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::trace::Trace;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection to a server.
///
/// Every wait is limited in time, and every line in length. What is sent as a line is a
/// [`Command`](crate::command::Command), in which no part of a URL contains control characters.
#[derive(Debug)]
pub struct Connection {
    stream: Stream,
    peer: SocketAddr,
    limits: Limits,
    trust: Trust,
    trace: Trace,
    /// Allocated when it is first needed: HTTP has buffers of its own.
    buffer: Box<[u8]>,
    /// Its length.
    space: usize,
    /// The part of the buffer that was received and not yet read.
    filled: std::ops::Range<usize>,
    /// The last line that was sent, secrets masked.
    sent: Vec<u8>,
    is_quiet: bool,
    /// The host at the end of a tunnel, as written in a URL, and the scheme that led there.
    tunnel: Option<(String, String)>,
    /// Whether the other end is a proxy, whose address is not the policy's matter.
    is_by_proxy: bool,
}

#[derive(Debug)]
enum Stream {
    Plain(Socket),
    Tls(Box<Secured>),
    /// No server: what it would send is in memory, and what is sent to it is discarded.
    Replay(Replay),
    /// Known to the runtime, for the next future.
    Detached(Box<Detached>),
    /// During a TLS handshake, and after a failed one; and while futures use it.
    None,
}

impl Stream {
    const fn socket(&mut self) -> Option<&mut Socket> {
        match self {
            Self::Plain(stream) => Some(stream),
            Self::Tls(stream) => Some(&mut stream.sock),
            Self::Replay(_) | Self::Detached(_) | Self::None => None,
        }
    }
}

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        limits: Limits,
        trust: Trust,
        trace: Trace,
    ) -> Result<Self> {
        let socket = Socket::new(stream, limits).map_err(Error::network)?;
        let peer = socket.peer().map_err(Error::network)?;
        Ok(Self {
            stream: Stream::Plain(socket),
            peer,
            limits,
            trust,
            trace,
            buffer: Box::default(),
            space: 64 << 10,
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            tunnel: None,
            is_by_proxy: false,
        })
    }

    /// Replays octets from memory, which arrive in pieces of this length. What is sent is
    /// discarded. For tests and fuzz targets of protocols.
    #[doc(hidden)]
    pub fn replay(octets: &[u8], piece: usize) -> Self {
        let idle = Duration::from_secs(60);
        Self {
            stream: Stream::Replay(Replay::new(octets, piece)),
            peer: SocketAddr::from(([127, 0, 0, 1], 0)),
            limits: Limits {
                idle,
                max_line: 64 << 10,
                deadline: Deadline::after(idle),
            },
            trust: Trust::default(),
            trace: Trace::default(),
            buffer: Box::default(),
            space: 4 << 10,
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            tunnel: None,
            is_by_proxy: false,
        }
    }

    /// The address of the server.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Says that it leads through a proxy, to this host if it is a tunnel.
    pub(crate) fn by_proxy(mut self, tunnel: Option<(String, String)>) -> Self {
        (self.tunnel, self.is_by_proxy) = (tunnel, true);
        self
    }

    /// Whether it leads through a proxy.
    pub(crate) const fn is_by_proxy(&self) -> bool {
        self.is_by_proxy
    }

    /// The host at the end of a tunnel through a proxy, and the scheme that led there.
    pub(crate) const fn tunnel(&self) -> Option<&(String, String)> {
        self.tunnel.as_ref()
    }

    /// Whether another access may use it: if it is open, and nothing was received on it that was not
    /// requested.
    pub(crate) fn idle(&mut self) -> Idle {
        if self.has_more() {
            return Idle::Unrequested;
        }
        match &mut self.stream {
            Stream::Plain(socket) => Idle::of(socket.stream()),
            Stream::Tls(stream) => Idle::of_tls(&mut stream.conn, stream.sock.stream()),
            Stream::Detached(stream) => stream.idle(),
            Stream::Replay(_) | Stream::None => Idle::Closed,
        }
    }

    /// Prepares a pooled connection for another access.
    pub(crate) fn reuse(&mut self, limits: Limits, trace: Trace) {
        self.set_limits(limits);
        self.trace = trace;
    }

    /// Runs a step, such as reading a reply of several lines, and limits its total time to the idle
    /// timeout of the policy.
    ///
    /// # Errors
    ///
    /// If the step fails, or takes too long.
    pub fn in_one_step<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.begin_step();
        let result = step(self);
        self.set_limits(before);
        result
    }

    /// Begins a step. Its end is to set the limits that are returned.
    pub(crate) fn begin_step(&mut self) -> Limits {
        let before = self.limits;
        self.set_limits(before.of_one_step());
        before
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(socket) = self.stream.socket() {
            socket.limits = limits;
        }
    }

    /// Records no events while it is set: for bodies, and for what a user types.
    pub const fn set_quiet(&mut self, is_quiet: bool) {
        self.is_quiet = is_quiet;
    }

    /// Starts TLS, and verifies the certificate for `host`, as written in a URL.
    ///
    /// # Errors
    ///
    /// If the certificate is not valid for the host, or the server does not speak TLS. The
    /// connection is then unusable. So it is if anything was received before the handshake, which
    /// anyone between here and the server may have sent (RFC 3207, 6).
    pub fn start_tls(&mut self, host: &str) -> Result<()> {
        self.check_deadline()?;
        if self.has_more() {
            self.stream = Stream::None;
            let expected = "nothing between the reply and the TLS handshake";
            return Err(self.failed(ErrorKind::Protocol(expected)));
        }
        self.blocking().map_err(Error::network)?;
        match std::mem::replace(&mut self.stream, Stream::None) {
            Stream::Plain(stream) => {
                self.stream = Stream::Tls(Box::new(self.trust.handshake(stream, host)?));
                self.trace.record(Event::Secured);
                if self.trust.is_unchecked() {
                    self.trace.record(Event::Unverified(host.to_owned()));
                }
                Ok(())
            }
            other => {
                self.stream = other;
                Ok(())
            }
        }
    }

    /// The limits of each wait.
    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether it uses TLS.
    pub const fn is_secure(&self) -> bool {
        match &self.stream {
            Stream::Tls(_) => true,
            Stream::Detached(stream) => stream.is_secure(),
            Stream::Plain(_) | Stream::Replay(_) | Stream::None => false,
        }
    }

    /// Splits the connection into its two directions, for an interactive session. A session may be
    /// idle for as long as the user likes; only sending is limited by the idle timeout.
    ///
    /// # Errors
    ///
    /// If the connection uses TLS, which is not supported here, or is closed.
    pub fn into_split(mut self) -> Result<(ReadHalf, WriteHalf)> {
        self.blocking().map_err(Error::network)?;
        let first = self.buffer.get(self.filled).unwrap_or_default().to_vec();
        match self.stream {
            Stream::Plain(socket) => split::part(socket.into_stream(), first, self.limits),
            Stream::Tls(_) => {
                let what = "interactive sessions over TLS are not supported";
                Err(Error::new(ErrorKind::Unsupported(what)))
            }
            Stream::Replay(_) | Stream::Detached(_) | Stream::None => {
                Err(Error::network(io::ErrorKind::NotConnected.into()))
            }
        }
    }

    /// Shuts down the sending direction.
    pub fn finish_sending(&mut self) {
        // If it fails, the next read reports it.
        let _ = self.blocking();
        if let Stream::Tls(stream) = &mut self.stream {
            stream.conn.send_close_notify();
            // If the connection is closed, the next read reports it.
            let _ = stream.flush();
        }
        if let Some(socket) = self.stream.socket() {
            socket.finish_sending();
        }
    }

    /// The last line that was sent, secrets masked.
    pub(crate) fn last_sent(&self) -> &[u8] {
        &self.sent
    }

    /// An error that quotes the last line sent.
    pub fn failed(&self, kind: ErrorKind) -> Error {
        Error::new(kind).sent(&self.sent)
    }

    /// Receives more; false at the end of the connection.
    fn fill(&mut self) -> Result<bool> {
        self.check_deadline()?;
        if self.buffer.is_empty() {
            self.buffer = vec![0; self.space].into_boxed_slice();
        }
        self.blocking().map_err(Error::network)?;
        let read = match &mut self.stream {
            Stream::Plain(stream) => retry(|| stream.read(&mut self.buffer)),
            Stream::Tls(stream) => retry(|| stream.read(&mut self.buffer)),
            Stream::Replay(stream) => stream.read(&mut self.buffer),
            Stream::Detached(_) | Stream::None => Err(io::ErrorKind::NotConnected.into()),
        };
        match read {
            Ok(count) => {
                self.filled = 0..count;
                Ok(count > 0)
            }
            Err(error) => Err(Error::network(error).sent(&self.sent)),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            self.check_deadline()?;
            let written = match self.blocking().map_err(Error::network)? {
                Stream::Plain(stream) => retry(|| stream.write(bytes)),
                Stream::Tls(stream) => retry(|| stream.write(bytes)),
                Stream::Replay(_) => Ok(bytes.len()),
                Stream::Detached(_) | Stream::None => Err(io::ErrorKind::NotConnected.into()),
            };
            match written {
                Ok(0) => {
                    return Err(self.failed(ErrorKind::Network(io::ErrorKind::WriteZero.into())));
                }
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) => return Err(Error::network(error).sent(&self.sent)),
            }
        }
        if let Stream::Tls(stream) = &mut self.stream {
            stream.flush().map_err(Error::network)?;
        }
        Ok(())
    }

    /// Fails if the deadline has passed.
    fn check_deadline(&self) -> Result<()> {
        let left = self.limits.deadline.left(self.limits.idle);
        left.map(drop).map_err(|error| error.sent(&self.sent))
    }
}

/// Repeats a call that a signal interrupted.
fn retry(mut work: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match work() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
