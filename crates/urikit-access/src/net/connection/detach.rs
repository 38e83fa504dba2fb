//! The stream of a connection while futures use it, and after.

use super::{Connection, Stream};
use crate::error::{Error, Result};
use crate::net::detached::{Attached, Detached};
use crate::net::runtime::{Clock, Runtime};
use crate::net::socket::Socket;
use crate::net::tls::Secured;
use std::io;

impl Connection {
    /// Gives the stream to futures, until it is [attached](Self::attach) again. The clock says when
    /// something was last sent or received.
    pub(crate) fn detach(&mut self, runtime: &Runtime) -> Result<(Detached, Clock)> {
        let clock = Clock::new();
        let mut detach = || {
            let _within = runtime.get()?.enter();
            match std::mem::replace(&mut self.stream, Stream::None) {
                Stream::Plain(socket) => Detached::plain(socket, clock.clone()),
                Stream::Tls(secured) => Detached::tls(*secured, clock.clone()),
                Stream::Replay(replay) => Ok(Detached::replay(replay, clock.clone())),
                Stream::Detached(stream) => Ok(stream.again(clock.clone())),
                Stream::None => Err(io::ErrorKind::NotConnected.into()),
            }
        };
        let stream = detach().map_err(|error: io::Error| Error::network(error).sent(&self.sent))?;
        Ok((stream, clock))
    }

    /// Takes the stream back, and what was received and not used.
    ///
    /// The runtime goes on watching the stream until something else than a future uses it: one
    /// request after the other over a kept connection need not make it known again each time.
    pub(crate) fn attach(&mut self, stream: Detached, unread: &[u8]) {
        self.stream = Stream::Detached(Box::new(stream));
        if !unread.is_empty() {
            let mut buffer = unread.to_vec();
            buffer.resize(unread.len().max(self.space), 0);
            self.buffer = buffer.into_boxed_slice();
            self.filled = 0..unread.len();
        }
    }

    /// The stream as one that blocks.
    pub(super) fn blocking(&mut self) -> io::Result<&mut Stream> {
        if let Stream::Detached(_) = self.stream
            && let Stream::Detached(stream) = std::mem::replace(&mut self.stream, Stream::None)
        {
            self.stream = match stream.into_stream()? {
                Some(Attached::Plain(stream)) => Stream::Plain(Socket::again(stream, self.limits)),
                Some(Attached::Tls(tls, stream)) => {
                    let socket = Socket::again(stream, self.limits);
                    Stream::Tls(Box::new(Secured::new(*tls, socket)))
                }
                Some(Attached::Replay(replay)) => Stream::Replay(replay),
                None => Stream::None,
            };
        }
        Ok(&mut self.stream)
    }
}
