//! Progress on standard error, for work that takes over a second and that nobody sees otherwise.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Counts, and shows the count when it may and need.
pub(crate) struct Progress {
    /// When to show it next; `None` where it is not shown at all.
    next: Option<Instant>,
    shown: bool,
    count: u64,
    /// What is counted.
    what: &'static str,
}

impl Progress {
    /// Only a person before a terminal, whose results go elsewhere, is shown progress.
    pub(crate) fn new(quiet: bool, what: &'static str) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self {
            next: wanted.then(|| Instant::now() + Duration::from_secs(1)),
            shown: false,
            count: 0,
            what,
        }
    }

    /// Notes that so many more are done.
    pub(crate) fn add(&mut self, count: u64) {
        self.count += count;
        if let Some(next) = self.next {
            let now = Instant::now();
            if now >= next {
                self.next = Some(now + Duration::from_millis(200));
                self.shown = true;
                let _ = write!(std::io::stderr(), "\r\x1b[K{} {}", self.count, self.what);
            }
        }
    }

    /// Takes it away, before anything else is written.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
