//! When an access must be complete.

use crate::error::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

/// A point in time after which nothing is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// A deadline this long from now; none if the clock cannot represent it.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// No deadline.
    pub const NONE: Self = Self(None);

    /// The earlier one: this deadline, or that which is so long from now.
    pub(super) fn within(self, time: Duration) -> Self {
        let other = Instant::now().checked_add(time);
        Self(match (self.0, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        })
    }

    /// Fails if the deadline has passed: for work that waits for nothing.
    ///
    /// # Errors
    ///
    /// If no time is left.
    pub fn check(self) -> Result<()> {
        self.left(Duration::MAX).map(drop)
    }

    /// How much time is left, but at most `max`.
    ///
    /// # Errors
    ///
    /// If no time is left.
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
