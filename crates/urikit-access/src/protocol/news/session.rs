//! A connection to a news server after the greeting.

use super::block::Lines;
use super::command::Command;
use super::reply::Reply;
use crate::context::Pooled;
use crate::error::{Error, Result};
use crate::net::Connection;

/// A connection and its state.
pub(super) struct Session {
    pub(super) connection: Connection,
    /// Whether the user typed the login, which is valid for one access only.
    pub(super) is_personal: bool,
    /// Whether `OVER` was refused.
    pub(super) needs_xover: bool,
}

impl Pooled for Session {
    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Session {
    pub(super) const fn new(connection: Connection) -> Self {
        Self {
            connection,
            is_personal: false,
            needs_xover: false,
        }
    }

    /// Does one step, whose total time is limited.
    pub(super) fn in_one_step<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.connection.begin_step();
        let result = step(self);
        self.connection.set_limits(before);
        result
    }

    /// Sends a command, and reads the first line of the reply.
    pub(super) fn send(&mut self, command: &Command) -> Result<Reply> {
        self.connection.send(command)?;
        self.reply()
    }

    /// Reads the first line of a reply.
    pub(super) fn reply(&mut self) -> Result<Reply> {
        let line = self.connection.read_complete_line()?;
        let reply = Reply::read(line);
        reply.map_err(|error| error.with_sent(self.connection.last_sent()))
    }

    /// Fails unless the reply has one of these codes.
    pub(super) fn expect(
        &self,
        reply: &Reply,
        codes: &[u16],
        expected: &'static str,
    ) -> Result<()> {
        if codes.contains(&reply.code) {
            Ok(())
        } else {
            Err(self.unexpected(reply, expected))
        }
    }

    pub(super) fn unexpected(&self, reply: &Reply, expected: &'static str) -> Error {
        reply
            .unexpected(expected)
            .with_sent(self.connection.last_sent())
    }

    /// The lines of the block that follows a reply.
    pub(super) fn lines(&mut self) -> Lines<'_> {
        Lines::of(&mut self.connection)
    }

    pub(super) const fn is_secure(&self) -> bool {
        self.connection.is_secure()
    }
}
