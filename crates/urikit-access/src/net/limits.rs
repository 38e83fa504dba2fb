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

impl Limits {
    /// How long the next wait may be.
    pub(super) fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.left(self.idle);
        left.map_err(|_| io::ErrorKind::TimedOut.into())
    }
}
