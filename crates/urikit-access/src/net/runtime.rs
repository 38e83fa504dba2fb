//! Runs futures on the caller's thread, and adapts the streams that they use. The rest of this
//! crate uses blocking calls.
//!
//! ```text
//! protocol (blocking) ─→ Runtime::wait ─→ poll ─→ hyper, SOCKS ─→ Detached ─→ socket
//!                           │                                       │
//!                           └── idle limit, deadline ←── Clock ─────┘
//! ```

use super::connection::Replay;
use super::limits::{Limits, Socket};
use super::tls::Secured;
use crate::error::{Error, ErrorKind, Result};
use rustix::fd::AsFd;
use rustix::net::{RecvFlags, recv};
use rustls::ClientConnection;
use std::io;
use std::io::{BufRead as _, Read, Write};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};

/// A runtime that is built when it is first used.
#[derive(Clone, Default)]
pub(crate) struct Runtime(Arc<OnceLock<Owned>>);

/// The runtime, which is shut down without waiting, because a program may drop a client inside
/// another runtime, where waiting panics.
struct Owned(Option<tokio::runtime::Runtime>);

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Runtime {
    pub(super) fn get(&self) -> io::Result<&tokio::runtime::Runtime> {
        if self.0.get().is_none() {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            // If another thread has built a runtime in the meantime, use that one.
            let _ = self.0.set(Owned(Some(runtime)));
        }
        let owned = self.0.get().and_then(|owned| owned.0.as_ref());
        owned.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Polls the future until it has a result. Fails when the deadline passes, or when no data has
    /// been sent or received for too long.
    pub(crate) fn wait<T: Send>(
        &self,
        limits: Limits,
        clock: &Clock,
        poll: impl FnMut(&mut Context<'_>) -> Poll<T> + Send,
    ) -> Result<T> {
        let runtime = self.get().map_err(local)?;
        limits.deadline.check()?;
        let limits = limits.of_one_step();
        clock.restart();
        if Handle::try_current().is_err() {
            return runtime.block_on(limited(limits, clock, poll));
        }
        // A thread cannot block on two runtimes, and the caller is already inside one.
        let waited = std::thread::scope(|scope| {
            let work = || runtime.block_on(limited(limits, clock, poll));
            let thread = std::thread::Builder::new().spawn_scoped(scope, work);
            thread.map(std::thread::ScopedJoinHandle::join)
        });
        let waited = waited.map_err(local)?;
        waited.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn local(error: io::Error) -> Error {
    Error::new(ErrorKind::Local(error))
}

async fn limited<T>(
    limits: Limits,
    clock: &Clock,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Result<T> {
    let mut timer = pin!(tokio::time::sleep(left(limits, clock)?));
    std::future::poll_fn(|context| {
        if let Poll::Ready(value) = poll(context) {
            return Poll::Ready(Ok(value));
        }
        // The timer is reset only when it expires, not after each byte.
        while timer.as_mut().poll(context).is_ready() {
            match left(limits, clock) {
                Ok(left) => {
                    let end = tokio::time::Instant::now().checked_add(left);
                    timer.as_mut().set(tokio::time::sleep_until(
                        end.unwrap_or_else(|| tokio::time::Instant::now() + FAR),
                    ));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Pending
    })
    .await
}

/// A long duration that any clock can represent.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Returns how long the next wait may be.
fn left(limits: Limits, clock: &Clock) -> Result<Duration> {
    let idle = limits.idle.saturating_sub(clock.silence());
    if idle.is_zero() {
        return Err(Error::network(io::ErrorKind::TimedOut.into()));
    }
    limits.deadline.left(idle)
}

/// Records when data was last sent or received.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    begun: Instant,
    /// The time in microseconds after `begun`.
    last: Arc<AtomicU64>,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            last: Arc::default(),
        }
    }

    /// Records that data was sent or received, or that a wait begins.
    pub(super) fn restart(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    fn silence(&self) -> Duration {
        let last = self.last.load(Ordering::Relaxed);
        Duration::from_micros(self.now().saturating_sub(last))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// The number of octets that are read at a time from TLS: several records, each of at most 16 KiB
/// plus a header.
const READ: usize = 64 << 10;

/// The number of octets that are read at a time without TLS. This is the size of hyper's buffer,
/// unless the policy allows longer heads. The buffer would then grow, and would have to be zeroed
/// for each limited read.
const PLAIN: usize = 64 << 10;

/// A connection's stream while futures use it: the socket that was checked and connected, in
/// non-blocking mode.
#[derive(Debug)]
pub(crate) struct Detached {
    kind: Kind,
    clock: Clock,
}

#[derive(Debug)]
enum Kind {
    Plain(TcpStream),
    Tls(Box<Tls>),
    Replay(Replay),
}

#[derive(Debug)]
struct Tls {
    connection: ClientConnection,
    stream: TcpStream,
    /// Received octets that rustls has not read yet.
    received: Box<[u8]>,
    filled: std::ops::Range<usize>,
}

impl Detached {
    /// Wraps a socket. Must be called inside the runtime.
    pub(super) fn plain(socket: Socket, clock: Clock) -> io::Result<Self> {
        let kind = Kind::Plain(nonblocking(socket)?);
        Ok(Self { kind, clock })
    }

    /// Wraps a TLS stream. Must be called inside the runtime.
    pub(super) fn tls(secured: Secured, clock: Clock) -> io::Result<Self> {
        let (connection, socket) = secured.into_parts();
        let tls = Tls {
            connection,
            stream: nonblocking(socket)?,
            received: vec![0; READ].into_boxed_slice(),
            filled: 0..0,
        };
        let kind = Kind::Tls(Box::new(tls));
        Ok(Self { kind, clock })
    }

    pub(super) const fn replay(replay: Replay, clock: Clock) -> Self {
        let kind = Kind::Replay(replay);
        Self { kind, clock }
    }

    /// Checks whether data can be read, without reading it. Otherwise wakes the task when data
    /// arrives.
    pub(crate) fn poll_readable(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match &self.kind {
            Kind::Plain(stream) => stream.poll_read_ready(context).map(drop),
            Kind::Tls(_) | Kind::Replay(_) => Poll::Ready(()),
        }
    }

    /// Prepares the stream for other futures that run in the same runtime and use this clock.
    pub(super) fn again(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    pub(super) const fn is_secure(&self) -> bool {
        matches!(self.kind, Kind::Tls(_))
    }

    /// Returns the state of the stream at a time when no response is expected.
    pub(super) fn idle(&mut self) -> Idle {
        match &mut self.kind {
            Kind::Plain(stream) => Idle::of(stream),
            Kind::Tls(tls) if tls.filled.is_empty() => {
                Idle::of_tls(&mut tls.connection, &tls.stream)
            }
            Kind::Tls(_) => Idle::Unrequested,
            Kind::Replay(_) => Idle::Closed,
        }
    }

    /// Returns the blocking stream. Returns `None` if TLS has not processed all received data. The
    /// connection is then no longer usable.
    pub(super) fn into_stream(self) -> io::Result<Option<Attached>> {
        Ok(match self.kind {
            Kind::Plain(stream) => Some(Attached::Plain(blocking(stream)?)),
            Kind::Tls(tls) if tls.filled.is_empty() => Some(Attached::Tls(
                Box::new(tls.connection),
                blocking(tls.stream)?,
            )),
            Kind::Tls(_) => None,
            Kind::Replay(replay) => Some(Attached::Replay(replay)),
        })
    }
}

/// A stream that is back in blocking mode.
pub(super) enum Attached {
    Plain(std::net::TcpStream),
    Tls(Box<ClientConnection>, std::net::TcpStream),
    Replay(Replay),
}

fn nonblocking(socket: Socket) -> io::Result<TcpStream> {
    let stream = socket.into_stream();
    stream.set_nonblocking(true)?;
    TcpStream::from_std(stream)
}

fn blocking(stream: TcpStream) -> io::Result<std::net::TcpStream> {
    let stream = stream.into_std()?;
    stream.set_nonblocking(false)?;
    Ok(stream)
}

impl Tls {
    fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut reader = self.connection.reader();
            match reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(plain) => {
                    let count = plain.len().min(buffer.remaining());
                    buffer.put_slice(plain.get(..count).unwrap_or_default());
                    reader.consume(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
            if self.filled.is_empty() {
                let mut received = ReadBuf::new(&mut self.received);
                ready!(Pin::new(&mut self.stream).poll_read(context, &mut received))?;
                self.filled = 0..received.filled().len();
            }
            // An empty read tells rustls that the connection has ended.
            let mut octets = self.received.get(self.filled.clone()).unwrap_or_default();
            self.filled.start += self.connection.read_tls(&mut octets)?;
            let processed = self.connection.process_new_packets();
            // Sends an alert, or the response to a key update. Any data that cannot be sent now is
            // sent later.
            while self.connection.wants_write() {
                if self.poll_send(context)?.is_pending() {
                    break;
                }
            }
            processed.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
    }

    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut socket = Sender {
            stream: &mut self.stream,
            context,
        };
        match self.connection.write_tls(&mut socket) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            sent => Poll::Ready(sent),
        }
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.connection.wants_write() {
            if ready!(self.poll_send(context))? == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Writes to a socket, and wakes the task when the socket can accept more.
struct Sender<'a, 'b> {
    stream: &'a mut TcpStream,
    context: &'a mut Context<'b>,
}

impl Write for Sender<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match Pin::new(&mut *self.stream).poll_write(self.context, bytes) {
            Poll::Ready(sent) => sent,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsyncRead for Detached {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = match &mut self.kind {
            Kind::Plain(stream) if buffer.remaining() > PLAIN => {
                let mut part = ReadBuf::new(buffer.initialize_unfilled_to(PLAIN));
                let read = Pin::new(stream).poll_read(context, &mut part);
                let count = part.filled().len();
                buffer.advance(count);
                read
            }
            Kind::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Kind::Tls(tls) => tls.poll_read(context, buffer),
            Kind::Replay(replay) => {
                let space = buffer.remaining().min(READ);
                let count = replay.read(buffer.initialize_unfilled_to(space))?;
                buffer.advance(count);
                Poll::Ready(Ok(()))
            }
        };
        if read.is_ready() {
            self.clock.restart();
        }
        read
    }
}

impl AsyncWrite for Detached {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match &mut self.kind {
            Kind::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Kind::Tls(tls) => {
                // Sends earlier data first, so that at most one record is queued.
                ready!(tls.poll_flush(context))?;
                let taken = tls.connection.writer().write(bytes)?;
                Poll::Ready(Ok(taken))
            }
            Kind::Replay(_) => Poll::Ready(Ok(bytes.len())),
        };
        if written.is_ready() {
            self.clock.restart();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.kind {
            Kind::Plain(stream) => Pin::new(stream).poll_flush(context),
            Kind::Tls(tls) => tls.poll_flush(context),
            Kind::Replay(_) => Poll::Ready(Ok(())),
        }
    }

    /// Does not shut down the stream. The owner of the connection decides when to do so.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// The state of a connection on which no response is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Idle {
    /// The connection is open, and nothing was received.
    Free,
    /// The connection is closed, or failed.
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
    /// Checks a TCP connection. If the server has sent data, discards the first octet.
    pub(super) fn of(stream: impl AsFd) -> Self {
        match Received(stream).read(&mut [0]) {
            Ok(0) => Self::Closed,
            Ok(_) => Self::Unrequested,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::Free,
            Err(_) => Self::Closed,
        }
    }

    /// Checks a TLS connection. The server may send TLS messages, such as session tickets, at any
    /// time (RFC 8446, 4.6).
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
