//! How fast a body is received or sent: neither slower nor faster than the policy says.

use crate::error::{Error, ErrorKind, Result};
use crate::net::Deadline;
use crate::policy::Policy;
use std::time::{Duration, Instant};

/// Measures a body. Time in which the caller is at work does not count.
pub(crate) struct Rate {
    /// What is wrong if it is too slow.
    slow: &'static str,
    min: (u64, Duration),
    max: u64,
    /// When the current period began, moved by the time that does not count.
    begun: Instant,
    /// What was received in it.
    received: u64,
    /// When the body began, and what was received since.
    first: Instant,
    total: u64,
}

impl Rate {
    /// Of a body that is received.
    pub(crate) fn of_received(policy: &Policy) -> Self {
        Self::new(policy, "the server sends too slowly")
    }

    /// Of a body that is sent.
    pub(crate) fn of_sent(policy: &Policy) -> Self {
        Self::new(policy, "the server receives too slowly")
    }

    fn new(policy: &Policy, slow: &'static str) -> Self {
        let now = Instant::now();
        Self {
            slow,
            min: policy.min_rate,
            max: policy.max_rate,
            begun: now,
            received: 0,
            first: now,
            total: 0,
        }
    }

    /// The body begins now.
    pub(crate) fn begin(&mut self) {
        (self.begun, self.first) = (Instant::now(), Instant::now());
    }

    /// So many bytes were received or sent.
    ///
    /// # Errors
    ///
    /// If there were too few in this period.
    pub(crate) fn add(&mut self, count: u64, now: Instant) -> Result<()> {
        self.received = self.received.saturating_add(count);
        self.total = self.total.saturating_add(count);
        let (least, time) = self.min;
        let passed = now.saturating_duration_since(self.begun);
        if least == 0 || passed < time {
            return Ok(());
        }
        let seconds = passed.as_secs();
        if self.received < least.saturating_mul(seconds) {
            return Err(Error::new(ErrorKind::Timeout(self.slow)));
        }
        (self.begun, self.received) = (now, 0);
        Ok(())
    }

    /// The caller was at work since then.
    pub(crate) fn pause(&mut self, since: Instant) {
        self.begun += since.elapsed();
    }

    /// Waits until the body is no faster than allowed.
    ///
    /// # Errors
    ///
    /// If the deadline passes before that.
    pub(crate) fn slow_down(&mut self, deadline: Deadline) -> Result<()> {
        if self.max == u64::MAX {
            return Ok(());
        }
        let micros = u128::from(self.total) * 1_000_000 / u128::from(self.max.max(1));
        let due = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
        let now = Instant::now();
        let wait = due.saturating_sub(self.first.elapsed());
        if !wait.is_zero() {
            std::thread::sleep(deadline.left(wait)?);
            self.pause(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;
    use crate::net::Deadline;
    use crate::policy::Policy;
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_too_slow_is_an_error() {
        let time = Duration::from_millis(1010);
        let mut rate = Rate::of_received(&Policy::new().min_rate(100, time));
        rate.begin();
        rate.add(5, Instant::now()).unwrap();
        std::thread::sleep(time);
        assert!(rate.add(5, Instant::now()).is_err());
        rate.begin();
        let pause = Instant::now();
        std::thread::sleep(time);
        rate.pause(pause);
        rate.add(5, Instant::now()).unwrap();
        rate.add(100, Instant::now()).unwrap();
    }

    #[test]
    fn what_is_too_fast_waits() {
        let mut rate = Rate::of_received(&Policy::new().max_rate(10_000));
        rate.begin();
        let begun = Instant::now();
        for _ in 0..10 {
            rate.add(300, Instant::now()).unwrap();
            rate.slow_down(Deadline::NONE).unwrap();
        }
        let time = begun.elapsed();
        assert!(time >= Duration::from_millis(290), "{time:?}");
    }
}
