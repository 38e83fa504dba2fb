//! What hyper reads and writes: the connection, with two differences.
//!
//! The head of the request is ours, octet by octet as in the plan: hyper's `Uri` has no place for
//! `urn:isbn:0451450523` in the request line, nor for more than 65,534 bytes, and hyper chooses the
//! case of field names. So what it writes as a head is replaced. And the octets of the response's
//! head are [kept](Heads), as people see them: names as received, and the status line.
//!
//! Nothing is read before the head of the request is sent. What a server says before that is read as
//! its response, of which hyper would only report that it was not expected.

use super::heads::Heads;
use crate::net::Detached;
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

/// How much of a response is read at once. It does not fill hyper's buffer of 16 KiB, so that the
/// buffer does not grow: there are two of it, and a body needs no more.
const READ: usize = (16 << 10) - 1;

/// The connection as hyper sees it.
pub(crate) struct Wire {
    stream: TokioIo<Detached>,
    sending: Sending,
    /// Who wants to read, once the head is sent.
    reader: Option<Waker>,
    heads: Heads,
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
            reader: None,
            heads,
        }
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
                if let Some(reader) = self.reader.take() {
                    reader.wake();
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
            self.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        loop {
            let space = buffer.remaining();
            if self.heads.give(space, |octets| buffer.put_slice(octets)) > 0 {
                return Poll::Ready(Ok(()));
            }
            if self.heads.are_too_many() {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            let mut octets = [0; READ];
            let is_head = self.heads.wants_more();
            let space = if is_head { READ } else { READ.min(space) };
            let mut received = ReadBuf::new(octets.get_mut(..space).unwrap_or_default());
            ready!(Pin::new(&mut self.stream).poll_read(context, received.unfilled()))?;
            if !is_head {
                buffer.put_slice(received.filled());
                return Poll::Ready(Ok(()));
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
        Pin::new(&mut self.stream).poll_write(context, octets)
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
