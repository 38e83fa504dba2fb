//! A TCP socket whose waits are limited in time and can be cancelled.
//!
//! The socket has two modes. For blocking code, each call waits until it can proceed. For futures,
//! a call that cannot proceed fails, and [`Io`] records the event that the call needs, so that
//! [`drive`](super::drive) can wait for that event. The system's socket is in blocking mode in
//! both cases. Calls that must not wait pass a flag, which saves the system calls for changing the
//! mode.

use super::limits::Limits;
use crate::cancel;
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::task::Wake;
use std::time::Duration;

/// The system's socket, and the events that futures are waiting for.
#[derive(Debug)]
pub(super) struct Io {
    /// `None` if the octets come from memory instead of a socket.
    pub(super) stream: Option<TcpStream>,
    /// The events that a future waits for, as `PollFlags`.
    wanted: AtomicU16,
    /// True if a future must be polled again immediately.
    is_woken: AtomicBool,
    /// True if the last read emptied the system's buffer. In that case, the next read first waits
    /// for the system to report data, which saves a system call.
    is_drained: AtomicBool,
}

impl Io {
    pub(super) const fn new(stream: Option<TcpStream>) -> Self {
        Self {
            stream,
            wanted: AtomicU16::new(0),
            is_woken: AtomicBool::new(false),
            is_drained: AtomicBool::new(false),
        }
    }

    /// Returns the system's socket.
    fn socket(&self) -> io::Result<&TcpStream> {
        let stream = self.stream.as_ref();
        stream.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Adds to the events that a future is waiting for.
    pub(super) fn want(&self, events: PollFlags) {
        self.wanted.fetch_or(events.bits(), Ordering::Relaxed);
    }

    /// Returns the events that a future is waiting for, and clears them.
    pub(super) fn take_wanted(&self) -> PollFlags {
        PollFlags::from_bits_retain(self.wanted.swap(0, Ordering::Relaxed))
    }

    /// Returns true if a future must be polled again immediately, and clears this flag.
    pub(super) fn take_woken(&self) -> bool {
        self.is_woken.swap(false, Ordering::Relaxed)
    }

    fn set_drained(&self, is_drained: bool) {
        self.is_drained.store(is_drained, Ordering::Relaxed);
    }

    /// Waits until one of these events occurs or the token is cancelled, but no longer than `max`.
    /// If `events` is empty, only the token can end the wait early.
    pub(super) fn wait(&self, events: PollFlags, limits: &Limits, max: Duration) -> io::Result<()> {
        let mut files = Vec::with_capacity(2);
        if let Some(stream) = self.stream.as_ref().filter(|_| !events.is_empty()) {
            files.push(PollFd::new(stream, events));
        }
        self.set_drained(false);
        cancel::wait(&mut files, limits.deadline.cancel(), max)
    }
}

impl Wake for Io {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_woken.store(true, Ordering::Relaxed);
    }
}

/// A TCP socket with limits.
#[derive(Debug)]
pub(super) struct Socket {
    io: Arc<Io>,
    pub(super) limits: Limits,
    /// True while futures use the socket, which must not block during that time.
    is_detached: bool,
    /// True if the last read filled the caller's buffer, so that more data has probably been
    /// received. In that case, the next read does not wait first, which saves a system call.
    is_filled: bool,
    /// The timeouts that are set on the stream. Most reads of a body use the same timeout, so
    /// recording it saves a system call per read.
    read_timeout: Option<Duration>,
    write_timeout: Option<Duration>,
}

impl Socket {
    /// Wraps a new stream. Disables Nagle's algorithm, because commands are short and the client
    /// waits for the reply to each.
    pub(super) fn new(stream: TcpStream, limits: Limits) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            io: Arc::new(Io::new(Some(stream))),
            limits,
            is_detached: false,
            is_filled: false,
            read_timeout: None,
            write_timeout: None,
        })
    }

    pub(super) fn peer(&self) -> io::Result<SocketAddr> {
        self.stream()?.peer_addr()
    }

    /// Returns the underlying stream, which does not enforce the limits.
    pub(super) fn stream(&self) -> io::Result<&TcpStream> {
        self.io.socket()
    }

    /// Returns the underlying stream, which no longer enforces the limits.
    pub(super) fn into_stream(self) -> io::Result<TcpStream> {
        match Arc::try_unwrap(self.io).map(|io| io.stream) {
            Ok(Some(stream)) => Ok(stream),
            Ok(None) => Err(io::ErrorKind::NotConnected.into()),
            // A future may have kept its waker, which refers to the socket.
            Err(io) => io.socket()?.try_clone(),
        }
    }

    /// Lends the socket to futures, or takes it back.
    pub(super) fn set_detached(&mut self, is_detached: bool) {
        self.is_detached = is_detached;
        self.io.set_drained(false);
    }

    /// Returns the system's socket, for a driver of futures.
    pub(super) fn io(&self) -> Arc<Io> {
        Arc::clone(&self.io)
    }

    /// Makes the next read wait for data first, instead of trying to read immediately.
    pub(super) fn expect_nothing(&mut self) {
        self.io.set_drained(true);
        self.io.want(PollFlags::IN);
    }

    /// Waits for data if the last read returned everything that had been received. Otherwise
    /// returns false.
    pub(super) fn waits_for_more(&self) -> bool {
        let is_drained = self.is_detached && self.io.is_drained.load(Ordering::Relaxed);
        if is_drained {
            self.io.want(PollFlags::IN);
        }
        is_drained
    }

    /// Shuts down the sending direction.
    pub(super) fn finish_sending(&self) {
        // Errors are ignored, because the next read reports a closed connection.
        let _ = self.stream().and_then(|it| it.shutdown(Shutdown::Write));
    }

    /// Waits until the socket is ready.
    fn wait(&self, events: PollFlags) -> io::Result<()> {
        let left = self.limits.left()?;
        let begun = std::time::Instant::now();
        self.io.wait(events, &self.limits, left)?;
        if begun.elapsed() >= left {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Receives octets into the spare capacity of the buffer. Returns the number of octets, which
    /// is 0 at the end of the connection. Futures must not use the socket.
    pub(super) fn receive(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let space = buffer.capacity().saturating_sub(buffer.len());
        let count = self.wait_and_read(|stream, flags| {
            let (_, count) = recv(stream, spare_capacity(buffer), flags)?;
            Ok(count)
        })?;
        self.is_filled = count == space;
        Ok(count)
    }

    /// Waits for data, and then calls `read`, which receives data with these flags.
    fn wait_and_read(
        &mut self,
        mut read: impl FnMut(&TcpStream, RecvFlags) -> io::Result<usize>,
    ) -> io::Result<usize> {
        if self.limits.deadline.cancel().is_some() {
            loop {
                if std::mem::take(&mut self.is_filled) {
                    self.limits.left()?;
                } else {
                    self.wait(PollFlags::IN)?;
                }
                let read = read(self.stream()?, RecvFlags::DONTWAIT);
                if !is_blocked(&read) {
                    return read;
                }
            }
        }
        let left = self.limits.left()?;
        if self.read_timeout != Some(left) {
            self.stream()?.set_read_timeout(Some(left))?;
            self.read_timeout = Some(left);
        }
        read(self.stream()?, RecvFlags::empty())
    }

    /// Reads without waiting.
    fn try_read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        let (count, _) = recv(self.stream()?, &mut *bytes, RecvFlags::DONTWAIT)?;
        self.io.set_drained(count > 0 && count < bytes.len());
        Ok(count)
    }

    /// Writes without waiting.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(send(self.stream()?, bytes, DONT_WAIT)?)
    }
}

/// Sends without waiting, and without raising a signal if the connection is closed.
const DONT_WAIT: SendFlags = SendFlags::DONTWAIT.union(NO_SIGNAL);
#[cfg(not(target_vendor = "apple"))]
const NO_SIGNAL: SendFlags = SendFlags::NOSIGNAL;
/// Apple's systems lack this flag, but Rust's standard library ignores the signal.
#[cfg(target_vendor = "apple")]
const NO_SIGNAL: SendFlags = SendFlags::empty();

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_detached {
            if self.waits_for_more() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let read = self.try_read(bytes);
            if is_blocked(&read) {
                self.io.want(PollFlags::IN);
            }
            return read;
        }
        let count = self.wait_and_read(|stream, flags| {
            let (count, _) = recv(stream, &mut *bytes, flags)?;
            Ok(count)
        })?;
        self.is_filled = count == bytes.len();
        Ok(count)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_detached {
            let written = self.try_write(bytes);
            if is_blocked(&written) {
                self.io.want(PollFlags::OUT);
            }
            return written;
        }
        if self.limits.deadline.cancel().is_some() {
            loop {
                self.limits.left()?;
                let written = self.try_write(bytes);
                if !is_blocked(&written) {
                    return written;
                }
                self.wait(PollFlags::OUT)?;
            }
        }
        let left = self.limits.left()?;
        if self.write_timeout != Some(left) {
            self.stream()?.set_write_timeout(Some(left))?;
            self.write_timeout = Some(left);
        }
        self.stream()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_blocked(result: &io::Result<usize>) -> bool {
    let kind = result.as_ref().map_err(io::Error::kind);
    kind == Err(io::ErrorKind::WouldBlock)
}
