//! The deadline of an access, and its cancellation.

use crate::cancel::{self, Cancel};
use crate::error::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

/// The time at which an access must be complete. The access may also be
/// [cancelled](crate::Request::cancel) earlier.
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    cancel: Option<Cancel>,
}

/// The deadline of a request that has not started yet.
pub(crate) static NONE: Deadline = Deadline::NONE;

impl Deadline {
    /// Returns the deadline `time` from now, or `NONE` if the clock cannot represent that time.
    pub fn after(time: Duration) -> Self {
        Self {
            end: Instant::now().checked_add(time),
            cancel: None,
        }
    }

    /// A deadline that never passes.
    pub const NONE: Self = Self {
        end: None,
        cancel: None,
    };

    /// Also ends the access when the token is cancelled.
    pub(crate) fn with_cancel(self, cancel: Option<&Cancel>) -> Self {
        Self {
            cancel: cancel.cloned(),
            ..self
        }
    }

    /// Returns the token that cancels the access.
    pub(crate) const fn cancel(&self) -> Option<&Cancel> {
        self.cancel.as_ref()
    }

    /// Returns this deadline, or `time` from now if that is earlier.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let other = Instant::now().checked_add(time);
        let end = match (self.end, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let cancel = self.cancel.clone();
        Self { end, cancel }
    }

    /// Checks that the deadline has not passed, and that the access is not cancelled. Call this
    /// method during long computations that never wait.
    ///
    /// # Errors
    ///
    /// Fails if no time is left, or if the access is cancelled.
    pub fn check(&self) -> Result<()> {
        self.left(Duration::MAX).map(drop)
    }

    /// Fails if the access is cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<()> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Error::new(ErrorKind::Cancelled));
        }
        Ok(())
    }

    /// Returns the time that is left, limited to `max`.
    ///
    /// # Errors
    ///
    /// Fails if no time is left, or if the access is cancelled.
    pub fn left(&self, max: Duration) -> Result<Duration> {
        self.check_cancelled()?;
        let left = self.end.map_or(max, |end| {
            end.saturating_duration_since(Instant::now()).min(max)
        });
        if left.is_zero() {
            return Err(Error::new(ErrorKind::Timeout("the access took too long")));
        }
        Ok(left)
    }

    /// Waits for this length of time.
    ///
    /// # Errors
    ///
    /// Fails if the deadline passes first, or if the access is cancelled.
    pub(crate) fn sleep(&self, time: Duration) -> Result<()> {
        let end = Instant::now().checked_add(time);
        loop {
            let rest = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if rest.is_zero() {
                return Ok(());
            }
            let left = self.left(rest)?;
            cancel::wait(&mut Vec::new(), self.cancel(), left)
                .map_err(|error| Error::new(ErrorKind::Local(error)))?;
        }
    }
}
