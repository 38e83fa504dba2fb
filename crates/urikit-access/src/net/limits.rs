//! How long a connection may wait, and how long a line may be.

use super::Deadline;
use std::io;
use std::time::Duration;

/// The limits of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) idle: Duration,
    pub(crate) max_line: usize,
    pub(crate) deadline: Deadline,
}

/// A step, such as a line or the head of a response, may take so many times the idle limit: a server
/// that sends an octet now and then would never end it.
const STEP: u32 = 5;

impl Limits {
    /// The limits of one step that begins now.
    pub(super) fn of_one_step(self) -> Self {
        let deadline = self.deadline.within(self.idle.saturating_mul(STEP));
        Self { deadline, ..self }
    }

    /// How long the next wait may be.
    pub(super) fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.left(self.idle);
        left.map_err(|_| io::ErrorKind::TimedOut.into())
    }
}
