//! The limits on a connection.

use crate::cancel::Cancelled;
use crate::deadline::Deadline;
use crate::error::ErrorKind;
use std::io;
use std::time::Duration;

/// The limits on a connection.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) idle: Duration,
    pub(crate) max_line: usize,
    pub(crate) deadline: Deadline,
    /// The size of the buffer for received octets.
    pub(crate) buffer: usize,
}

/// A step, such as receiving a line or the head of a response, may take this many times the idle
/// timeout. Without this limit, a server that sends only an occasional octet could make a step
/// last forever.
const STEP: u32 = 5;

impl Limits {
    /// Returns the limits for a step that begins now.
    pub(super) fn of_one_step(&self) -> Self {
        Self {
            deadline: self.deadline.within(self.idle.saturating_mul(STEP)),
            ..*self
        }
    }

    /// Returns how long the next wait may be.
    pub(super) fn left(&self) -> io::Result<Duration> {
        self.deadline
            .left(self.idle)
            .map_err(|error| match error.kind() {
                ErrorKind::Cancelled => io::Error::other(Cancelled),
                _ => io::ErrorKind::TimedOut.into(),
            })
    }
}
