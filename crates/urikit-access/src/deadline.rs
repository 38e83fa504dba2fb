//! The deadline of an access.

use crate::error::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

/// The time at which an access must be complete.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Returns the deadline `time` from now, or `NONE` if the clock cannot represent that time.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// A deadline that never passes.
    pub const NONE: Self = Self(None);

    /// Returns the earlier of this deadline and `time` from now.
    pub(crate) fn within(self, time: Duration) -> Self {
        let other = Instant::now().checked_add(time);
        Self(match (self.0, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        })
    }

    /// Checks that the deadline has not passed. Use it during work that never waits.
    ///
    /// # Errors
    ///
    /// Fails if no time is left.
    pub fn check(self) -> Result<()> {
        self.left(Duration::MAX).map(drop)
    }

    /// Returns the time that is left, limited to `max`.
    ///
    /// # Errors
    ///
    /// Fails if no time is left.
    pub fn left(self, max: Duration) -> Result<Duration> {
        let left = self.0.map_or(max, |end| {
            end.saturating_duration_since(Instant::now()).min(max)
        });
        if left.is_zero() {
            return Err(Error::new(ErrorKind::Timeout("the access took too long")));
        }
        Ok(left)
    }
}
