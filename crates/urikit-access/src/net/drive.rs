//! Drives futures on the caller's thread, and adapts the streams that they use. The rest of this
//! crate uses blocking calls.
//!
//! ```text
//! protocol (blocking) ─→ Driver::wait ─→ poll ─→ hyper, SOCKS ─→ Detached ─→ socket
//!                           │                                       │
//!                           └── poll(2): socket, token, limits ←────┘
//! ```
//!
//! A runtime is designed for many sockets, but an access waits for only one. So the driver polls
//! the future and, while it is pending, waits for exactly the socket events that it needs. No
//! thread, timer or registration outlives a call to the driver.

use super::connection::{MUCH, Replay};
use super::limits::Limits;
use super::secured::Secured;
use super::socket::{Io, Socket};
use crate::error::{Error, ErrorKind, Result};
use rustix::fd::AsFd;
use rustix::net::{RecvFlags, recv};
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Waits for the futures that use a [`Detached`] stream.
pub(crate) struct Driver {
    io: Arc<Io>,
    waker: Waker,
}

impl Driver {
    fn new(io: Arc<Io>) -> Self {
        let waker = Waker::from(Arc::clone(&io));
        Self { io, waker }
    }

    /// Polls the future until it has a result. Fails when the deadline passes, when no data has
    /// been sent or received for too long, or when the access is cancelled.
    pub(crate) fn wait<T>(
        &self,
        limits: &Limits,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T> {
        limits.deadline.check()?;
        let limits = limits.of_one_step();
        let mut context = Context::from_waker(&self.waker);
        loop {
            if let Poll::Ready(value) = poll(&mut context) {
                return Ok(value);
            }
            let events = self.io.take_wanted();
            let left = limits.deadline.left(limits.idle)?;
            if self.io.take_woken() {
                continue;
            }
            let begun = Instant::now();
            let waited = self.io.wait(events, &limits, left);
            waited.map_err(|error| Error::new(ErrorKind::Local(error)))?;
            if begun.elapsed() >= limits.idle {
                return Err(Error::network(io::ErrorKind::TimedOut.into()));
            }
        }
    }
}

/// The maximum number of octets that are read at a time. hyper doubles its buffer after a read
/// that fills it, up to 64 KiB or the longest head. Reading one octet less than 16 KiB keeps the
/// buffer at 16 KiB. After [`MUCH`] octets, the limit no longer applies.
const PLAIN: usize = (16 << 10) - 1;

/// The maximum number of octets that are read at a time from TLS. The limit is about half of the
/// largest record, and keeps hyper's buffer at its initial size, 8 KiB.
const SECURED: usize = 8191;

/// A connection's stream while futures use it.
#[derive(Debug)]
pub(crate) struct Detached {
    stream: Stream,
    /// The number of octets read since the stream was detached.
    received: usize,
}

/// The stream of a connection.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(Socket),
    Tls(Box<Secured>),
    /// Octets in memory that take the place of a server.
    Replay(Replay),
    /// The stream has been moved out: a TLS handshake is in progress or has failed, or futures
    /// are using the stream.
    None,
}

impl Stream {
    pub(super) const fn socket(&mut self) -> Option<&mut Socket> {
        match self {
            Self::Plain(socket) => Some(socket),
            Self::Tls(secured) => Some(&mut secured.socket),
            Self::Replay(_) | Self::None => None,
        }
    }

    /// Returns true if the last read returned everything that had been received. In that case, the
    /// socket waits for more data.
    fn is_drained(&self) -> bool {
        match self {
            Self::Plain(socket) => socket.waits_for_more(),
            Self::Tls(_) | Self::Replay(_) | Self::None => false,
        }
    }

    /// Returns the state of a stream on which no response is expected.
    pub(super) fn idle(&mut self) -> Idle {
        match self {
            Self::Plain(socket) => socket.stream().map_or(Idle::Closed, Idle::of),
            Self::Tls(secured) => secured.idle(),
            Self::Replay(_) | Self::None => Idle::Closed,
        }
    }
}

impl Detached {
    /// Lends a stream to futures.
    pub(super) fn new(mut stream: Stream) -> (Self, Driver) {
        let io = match stream.socket() {
            Some(socket) => {
                socket.set_detached(true);
                socket.io()
            }
            None => Arc::new(Io::new(None)),
        };
        let received = 0;
        (Self { stream, received }, Driver::new(io))
    }

    /// Takes the stream back.
    pub(super) fn into_stream(self) -> Stream {
        let Self { mut stream, .. } = self;
        if let Some(socket) = stream.socket() {
            socket.set_detached(false);
        }
        if let Stream::Tls(secured) = &mut stream {
            secured.free_buffers();
        }
        stream
    }

    /// Waits for data from the server, and wakes the task if data has already been received.
    pub(crate) fn expect_data(&mut self, context: &Context<'_>) {
        match &mut self.stream {
            Stream::Plain(socket) => socket.expect_nothing(),
            Stream::Tls(secured) => {
                if secured.has_received() {
                    context.waker().wake_by_ref();
                } else {
                    secured.socket.expect_nothing();
                }
            }
            Stream::Replay(_) | Stream::None => context.waker().wake_by_ref(),
        }
    }

    /// Returns the stream as a reader and writer, and the largest number of octets to read at a
    /// time.
    fn parts(&mut self) -> io::Result<(&mut dyn ReadWrite, usize)> {
        let (plain, secured) = if self.received < MUCH {
            (PLAIN, SECURED)
        } else {
            (usize::MAX, usize::MAX)
        };
        match &mut self.stream {
            Stream::Plain(socket) => Ok((socket, plain)),
            Stream::Tls(stream) => Ok((&mut **stream, secured)),
            Stream::Replay(replay) => Ok((replay, PLAIN)),
            Stream::None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

trait ReadWrite: Read + Write {}
impl<T: Read + Write> ReadWrite for T {}

/// Returns `Pending` if a call would have to wait. The socket already knows which events to wait
/// for.
fn pending<T>(result: io::Result<T>) -> Poll<io::Result<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
        result => Poll::Ready(result),
    }
}

/// Repeats a call that a signal interrupted.
pub(super) fn retry(mut work: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match work() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

impl AsyncRead for Detached {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.stream.is_drained() {
            return Poll::Pending; // zeroing the buffer would be in vain
        }
        let (stream, most) = self.parts()?;
        let space = buffer.remaining().min(most);
        let into = buffer.initialize_unfilled_to(space);
        let read = pending(retry(|| stream.read(into)));
        read.map_ok(|count| {
            buffer.advance(count);
            self.received = self.received.saturating_add(count);
        })
    }
}

impl AsyncWrite for Detached {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let (stream, _) = self.parts()?;
        pending(retry(|| stream.write(bytes)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let (stream, _) = self.parts()?;
        pending(stream.flush())
    }

    /// Does not shut down the stream. The owner of the connection decides when to shut it down.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// The state of a connection while no response is expected on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Idle {
    /// The connection is open, and nothing was received.
    Free,
    /// The connection is closed, or has failed.
    Closed,
    /// The server sent unsolicited data that could be mistaken for the next response.
    Unrequested,
}

/// Reads received octets, without waiting for more.
pub(super) struct Received<S>(pub(super) S);

impl<S: AsFd> Read for Received<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let (count, _) = recv(&self.0, bytes, RecvFlags::DONTWAIT)?;
        Ok(count)
    }
}

impl Idle {
    /// Checks a TCP connection. If data was received, discards one octet.
    pub(super) fn of(stream: impl AsFd) -> Self {
        match Received(stream).read(&mut [0]) {
            Ok(0) => Self::Closed,
            Ok(_) => Self::Unrequested,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::Free,
            Err(_) => Self::Closed,
        }
    }
}
