//! When all of it has to be done.

use crate::error::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

/// A moment after which nothing is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now; never, where that is beyond what the clock can tell.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// How long is left, but no longer than `most`.
    ///
    /// # Errors
    ///
    /// When nothing is left.
    pub fn left(self, max: Duration) -> Result<Duration> {
        let left = self.0.map_or(max, |end| {
            end.saturating_duration_since(Instant::now()).min(max)
        });
        if left.is_zero() {
            return Err(Error::new(ErrorKind::Timeout(
                "it took longer than is allowed",
            )));
        }
        Ok(left)
    }
}
