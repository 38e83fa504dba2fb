//! The connection that is passed to hyper. This connection differs from a plain connection in three
//! ways.
//!
//! *This crate writes the head of the request*, exactly as in the plan. hyper's `Uri` cannot
//! represent `urn:isbn:0451450523` in a request line, nor a URI of more than 65,534 bytes, and
//! hyper chooses the case of field names. So this type replaces the head that hyper writes. The
//! octets of the response's head are [collected](Heads), because field names and the status line
//! are displayed as received.
//!
//! *Nothing is read before the head of the request is sent.* If a server sends data first, the
//! error quotes this data. hyper would only report an unexpected message.
//!
//! *An error while sending the body does not end the exchange.* A server that refuses a body may
//! respond and then close the connection early. Even then, the client reads the response.

use super::head::Heads;
use crate::error::Result;
use crate::net::Detached;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};

/// The number of octets to read at a time from a head.
const READ: usize = 8 << 10;

/// The connection that is passed to hyper.
pub(crate) struct Wire {
    stream: TokioIo<Detached>,
    sending: Sending,
    /// The number of octets sent after the head.
    body_sent: u64,
    /// True if hyper has tried to read before the head was sent.
    is_awaited: bool,
    heads: Heads,
    broken: Broken,
}

/// The reason why the rest of the body cannot be sent, if any.
#[derive(Clone, Default)]
pub(super) struct Broken(Arc<OnceLock<io::ErrorKind>>);

impl Broken {
    pub(super) fn get(&self) -> Option<io::ErrorKind> {
        self.0.get().copied()
    }

    /// Stores an error that shows that the server no longer accepts the body, and wakes the task
    /// to read the response. The error is reported only if the server sent no response.
    fn keep<T>(&self, error: io::Error, context: &Context<'_>) -> Poll<io::Result<T>> {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
        let (BrokenPipe | ConnectionAborted | ConnectionReset) = error.kind() else {
            return Poll::Ready(Err(error));
        };
        self.0.get_or_init(|| error.kind());
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// The state of the request being sent.
enum Sending {
    /// hyper writes its own head, which is dropped. `matched` counts the octets of `\r\n\r\n`
    /// seen so far.
    Head { matched: usize, ours: Vec<u8> },
    /// The crate's head is being sent: the octets before `from` have already been sent.
    Ours { ours: Vec<u8>, from: usize },
    /// The body.
    Body,
}

impl Wire {
    /// Wraps a connection. `head`, including its empty line, is sent in place of the head that
    /// hyper writes.
    pub(crate) fn new(stream: Detached, head: Vec<u8>, heads: Heads) -> Self {
        Self {
            stream: TokioIo::new(stream),
            sending: Sending::Head {
                matched: 0,
                ours: head,
            },
            body_sent: 0,
            is_awaited: false,
            heads,
            broken: Broken::default(),
        }
    }

    /// Returns a handle that reports whether sending the body has failed.
    pub(super) fn broken(&self) -> Broken {
        self.broken.clone()
    }

    /// Returns the number of octets of the body that were sent, including the chunk framing.
    pub(crate) const fn body_sent(&self) -> u64 {
        self.body_sent
    }

    pub(crate) fn into_stream(self) -> Detached {
        self.stream.into_inner()
    }

    /// Drops octets of hyper's head, and returns their number.
    fn leave_out(&mut self, octets: &[u8]) -> usize {
        let Sending::Head { matched, ours } = &mut self.sending else {
            return 0;
        };
        for (at, octet) in octets.iter().enumerate() {
            *matched = match (*octet, *matched) {
                (b'\r', 2) => 3,
                (b'\r', _) => 1,
                (b'\n', 1 | 3) => *matched + 1,
                _ => 0,
            };
            if *matched == 4 {
                let ours = std::mem::take(ours);
                self.sending = Sending::Ours { ours, from: 0 };
                return at + 1;
            }
        }
        octets.len()
    }

    /// Sends the rest of the crate's head, once hyper has written its own.
    fn poll_head(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Sending::Ours { ours, from } = &mut self.sending {
            let rest = ours.get(*from..).unwrap_or_default();
            if rest.is_empty() {
                self.sending = Sending::Body;
                // The reading task is woken only when the server has sent data.
                if self.is_awaited {
                    self.stream.inner_mut().expect_data(context);
                }
                break;
            }
            let sent = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            *from += sent;
        }
        Poll::Ready(Ok(()))
    }
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !matches!(self.sending, Sending::Body) {
            self.is_awaited = true;
            return Poll::Pending;
        }
        loop {
            let space = buffer.remaining();
            if self.heads.give(space, |octets| buffer.put_slice(octets)) > 0 {
                return Poll::Ready(Ok(()));
            }
            if self.heads.refused().is_some() {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            if !self.heads.wants_more() {
                if !self.heads.reads_body() {
                    return Poll::Pending;
                }
                // The body is read directly into hyper's buffer, without a copy.
                return Pin::new(&mut self.stream).poll_read(context, buffer);
            }
            // Zeroing this memory would take longer than reading a short head.
            let mut octets = [const { MaybeUninit::uninit() }; READ];
            let mut received = ReadBuf::uninit(&mut octets);
            ready!(Pin::new(&mut self.stream).poll_read(context, received.unfilled()))?;
            if let (true, Some(kind)) = (received.filled().is_empty(), self.broken.get()) {
                return Poll::Ready(Err(kind.into()));
            }
            self.heads.push(received.filled());
        }
    }
}

impl Write for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let left_out = self.leave_out(octets);
        if left_out > 0 {
            return Poll::Ready(Ok(left_out));
        }
        ready!(self.poll_head(context))?;
        if self.broken.get().is_some() {
            return Poll::Pending;
        }
        let sent = match ready!(Pin::new(&mut self.stream).poll_write(context, octets)) {
            Ok(sent) => sent,
            Err(error) => return self.broken.keep(error, context),
        };
        let count = u64::try_from(sent).unwrap_or(u64::MAX);
        self.body_sent = self.body_sent.saturating_add(count);
        Poll::Ready(Ok(sent))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_head(context))?;
        if self.broken.get().is_some() {
            return Poll::Pending;
        }
        match ready!(Pin::new(&mut self.stream).poll_flush(context)) {
            Ok(()) => Poll::Ready(Ok(())),
            Err(error) => self.broken.keep(error, context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_head(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A body that is read while it is being sent.
pub(crate) struct Streamed<'a> {
    /// The size of the body in bytes. If the size is unknown, the body is sent in chunks (RFC 9112,
    /// 7.1).
    pub(crate) size: Option<u64>,
    /// Returns the next piece of the body; an empty piece marks the end.
    pub(crate) next: &'a mut dyn FnMut() -> Result<Bytes>,
}

/// The body that hyper sends. At most one piece of the body is queued.
pub(super) struct Outgoing(Arc<Mutex<Queue>>);

/// Supplies the pieces of an [`Outgoing`] body.
pub(super) struct Feed(Arc<Mutex<Queue>>);

struct Queue {
    /// The piece that hyper has not read yet.
    piece: Bytes,
    /// The number of remaining bytes in the body, if known.
    left: Option<u64>,
    /// True if this piece is the last.
    is_last: bool,
    /// True if hyper is waiting for another piece.
    is_wanting: bool,
}

impl Outgoing {
    /// Creates a complete body.
    pub(super) fn complete(bytes: Bytes) -> Self {
        let left = Some(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Self::of(bytes, left, true).0
    }

    /// Creates a body of this size, if known, and the feed for its pieces.
    pub(super) fn streamed(size: Option<u64>) -> (Self, Feed) {
        Self::of(Bytes::new(), size, size == Some(0))
    }

    fn of(piece: Bytes, left: Option<u64>, is_last: bool) -> (Self, Feed) {
        let queue = Arc::new(Mutex::new(Queue {
            piece,
            left,
            is_last,
            is_wanting: false,
        }));
        (Self(Arc::clone(&queue)), Feed(queue))
    }
}

impl Feed {
    /// Returns true if hyper is waiting for another piece.
    pub(super) fn is_wanting(&self) -> bool {
        locked(&self.0).is_wanting
    }

    /// Returns true if hyper has read the complete body.
    pub(super) fn is_complete(&self) -> bool {
        locked(&self.0).is_complete()
    }

    /// Adds a piece of the body; an empty piece marks the end.
    pub(super) fn put(&self, piece: Bytes) {
        let mut queue = locked(&self.0);
        queue.is_wanting = false;
        queue.is_last = piece.is_empty();
        queue.piece = piece;
    }
}

impl Queue {
    fn is_complete(&self) -> bool {
        self.piece.is_empty() && (self.is_last || self.left == Some(0))
    }
}

fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Infallible;

    /// This method need not wake a task, because hyper polls the body whenever its connection is
    /// polled.
    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        let mut queue = locked(&self.0);
        if !queue.piece.is_empty() {
            let piece = std::mem::take(&mut queue.piece);
            let count = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            queue.left = queue.left.map(|left| left.saturating_sub(count));
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        if queue.is_complete() {
            return Poll::Ready(None);
        }
        queue.is_wanting = true;
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        locked(&self.0).is_complete()
    }

    fn size_hint(&self) -> SizeHint {
        locked(&self.0)
            .left
            .map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
