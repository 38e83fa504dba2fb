//! The stream of a connection while futures use it.

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
                Stream::None => Err(io::ErrorKind::NotConnected.into()),
            }
        };
        let stream = detach().map_err(|error: io::Error| Error::network(error).sent(&self.sent))?;
        Ok((stream, clock))
    }

    /// Takes the stream back, and what was received and not used.
    pub(crate) fn attach(&mut self, stream: Detached, unread: &[u8]) -> Result<()> {
        let limits = self.limits;
        let attach = || {
            Ok(match stream.into_stream()? {
                Some(Attached::Plain(stream)) => Stream::Plain(Socket::again(stream, limits)),
                Some(Attached::Tls(tls, stream)) => {
                    let socket = Socket::again(stream, limits);
                    Stream::Tls(Box::new(Secured::new(*tls, socket)))
                }
                Some(Attached::Replay(replay)) => Stream::Replay(replay),
                None => Stream::None,
            })
        };
        self.stream = attach().map_err(Error::network)?;
        if !unread.is_empty() {
            let mut buffer = unread.to_vec();
            buffer.resize(unread.len().max(self.space), 0);
            self.buffer = buffer.into_boxed_slice();
            self.filled = 0..unread.len();
        }
        Ok(())
    }
}
