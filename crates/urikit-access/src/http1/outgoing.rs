//! The body of a request: in memory, or read in pieces while it is sent.

use crate::error::Result;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A body that is read while it is sent.
pub(crate) struct Streamed<'a> {
    /// Its size in bytes, if known. Without it, it is sent in chunks (RFC 9112, 7.1).
    pub(crate) size: Option<u64>,
    /// Returns the next piece; an empty one is the end.
    pub(crate) next: &'a mut dyn FnMut() -> Result<Bytes>,
}

/// What hyper sends as the body: at most one piece waits.
pub(super) struct Outgoing(Arc<Mutex<Queue>>);

/// The other end of an [`Outgoing`].
pub(super) struct Feed(Arc<Mutex<Queue>>);

struct Queue {
    /// What hyper has not taken yet.
    piece: Bytes,
    /// How many bytes are still to be taken, if that is known.
    left: Option<u64>,
    /// Whether no piece follows.
    is_last: bool,
    /// Whether hyper has taken all, and waits for another piece.
    is_wanting: bool,
}

impl Outgoing {
    /// A complete body.
    pub(super) fn complete(bytes: Bytes) -> Self {
        let left = Some(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Self::of(bytes, left, true).0
    }

    /// A body of this size, if known, and where its pieces are put.
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
    /// Whether another piece is waited for.
    pub(super) fn is_wanting(&self) -> bool {
        locked(&self.0).is_wanting
    }

    /// Whether all was taken.
    pub(super) fn is_complete(&self) -> bool {
        locked(&self.0).is_complete()
    }

    /// Adds a piece; an empty one is the end.
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

    /// hyper asks again each time its connection is polled, so that nothing is woken here.
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
