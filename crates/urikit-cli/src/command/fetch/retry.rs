//! When a failed access is tried again.

use super::units::seconds;
use std::time::{Duration, Instant};
use urikit_access::Error;

/// The longest time between two attempts, unless the server says otherwise.
const LONGEST: Duration = Duration::from_secs(600);

/// The options of repeated attempts.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct RetryOptions {
    /// Try again up to N times after a timeout, a connection that ended, a status 408, 429, 500, 502,
    /// 503 or 504 of HTTP, or a reply 4yz of FTP
    ///
    /// The first wait is one second, and each is twice as long as the one before, up to ten minutes.
    /// A Retry-After field of the server takes precedence.
    #[arg(long, value_name = "N", default_value_t = 0)]
    retry: u32,

    /// With --retry, wait SECONDS each time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    retry_delay: Option<Duration>,

    /// With --retry, begin no attempt later than after SECONDS; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    retry_max_time: Duration,
}

/// The attempts for one reference.
pub(super) struct Attempts {
    options: RetryOptions,
    begun: Instant,
    left: u32,
    next: Duration,
}

impl RetryOptions {
    pub(super) fn attempts(self) -> Attempts {
        Attempts {
            options: self,
            begun: Instant::now(),
            left: self.retry,
            next: Duration::from_secs(1),
        }
    }
}

impl Attempts {
    /// How long to wait before another attempt; `None` if there is none.
    pub(super) fn after(&mut self, error: &Error) -> Option<Duration> {
        if self.left == 0 || !error.is_transient() {
            return None;
        }
        self.left -= 1;
        let wait = error
            .retry_after()
            .or(self.options.retry_delay)
            .unwrap_or(self.next);
        self.next = self.next.saturating_mul(2).min(LONGEST);
        let is_in_time = self.begun.elapsed().saturating_add(wait) <= self.options.retry_max_time;
        is_in_time.then_some(wait)
    }
}
