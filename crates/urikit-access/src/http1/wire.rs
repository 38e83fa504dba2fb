//! What hyper reads and writes: the connection, with two differences.
//!
//! The head of the request is ours, octet by octet as in the plan: hyper's `Uri` has no place for
//! `urn:isbn:0451450523` in the request line, nor for more than 65,534 bytes, and hyper chooses the
//! case of field names. So what it writes as a head is replaced. And the octets of the response's
//! head are kept, as people see them: names as received, and the status line.

use crate::net::Detached;
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

/// The most interim responses (RFC 9110, 15.2) before the final one.
pub(crate) const MAX_INTERIM: usize = 16;

/// How much of a response is read at once until its head is complete.
const READ: usize = 8 << 10;

/// The connection as hyper sees it.
pub(crate) struct Wire {
    stream: TokioIo<Detached>,
    sending: Sending,
    /// How many octets after the head were sent.
    body_sent: u64,
    heads: Heads,
}

/// The octets of the heads that are received.
#[derive(Clone, Default)]
pub(crate) struct Heads(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    octets: Vec<u8>,
    /// How many interim responses there were.
    interim: usize,
    is_complete: bool,
}

impl Heads {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An interim response was received.
    pub(crate) fn count_interim(&self) {
        self.inner().interim += 1;
    }

    /// Whether there are more interim responses than are read.
    pub(crate) fn are_too_many(&self) -> bool {
        self.inner().interim >= MAX_INTERIM
    }

    /// The lines of all heads, each with the empty line at its end, once the final one is complete.
    pub(crate) fn complete(&self) -> Vec<Vec<u8>> {
        let mut inner = self.inner();
        inner.is_complete = true;
        let mut heads = inner.interim + 1;
        let lines = inner.octets.split(|octet| *octet == b'\n');
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut found = Vec::new();
        for line in lines {
            found.push(line.to_vec());
            if line.is_empty() {
                heads -= 1;
                if heads == 0 {
                    break;
                }
            }
        }
        found
    }

    /// What was received, while the final head is not complete.
    pub(crate) fn received(&self) -> Vec<u8> {
        self.inner().octets.clone()
    }
}

/// What is done with the octets that hyper writes.
enum Sending {
    /// They are the head, which is left out, up to the empty line; of `\r\n\r\n`, so many octets
    /// were written.
    Head { matched: usize, ours: Vec<u8> },
    /// Our head is sent, from this octet on; then what follows.
    Ours { ours: Vec<u8>, from: usize },
    /// The body.
    Body,
}

impl Wire {
    /// A connection on which this head is sent, with its empty line.
    pub(crate) fn new(stream: Detached, head: Vec<u8>, heads: Heads) -> Self {
        Self {
            stream: TokioIo::new(stream),
            sending: Sending::Head {
                matched: 0,
                ours: head,
            },
            body_sent: 0,
            heads,
        }
    }

    /// How many octets of the body were sent, the framing of chunks included.
    pub(crate) const fn body_sent(&self) -> u64 {
        self.body_sent
    }

    pub(crate) fn into_stream(self) -> Detached {
        self.stream.into_inner()
    }

    /// Leaves out the octets of hyper's head, and returns their number.
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

    /// Sends the rest of our head, if it is its turn.
    fn poll_head(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Sending::Ours { ours, from } = &mut self.sending {
            let rest = ours.get(*from..).unwrap_or_default();
            if rest.is_empty() {
                self.sending = Sending::Body;
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
        if self.heads.inner().is_complete {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        if self.heads.are_too_many() {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let mut octets = [0; READ];
        let space = octets.len().min(buffer.remaining());
        let mut received = ReadBuf::new(octets.get_mut(..space).unwrap_or_default());
        ready!(Pin::new(&mut self.stream).poll_read(context, received.unfilled()))?;
        self.heads
            .inner()
            .octets
            .extend_from_slice(received.filled());
        buffer.put_slice(received.filled());
        Poll::Ready(Ok(()))
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
        let sent = ready!(Pin::new(&mut self.stream).poll_write(context, octets))?;
        let count = u64::try_from(sent).unwrap_or(u64::MAX);
        self.body_sent = self.body_sent.saturating_add(count);
        Poll::Ready(Ok(sent))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_head(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_head(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
