//! Progress on standard error, for work that takes over a second and shows nothing else.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// A counter that is shown if that is useful.
pub(crate) struct Progress {
    /// When to show it next; `None` if it is never shown.
    next: Option<Instant>,
    shown: bool,
    count: u64,
    /// What is counted.
    what: &'static str,
}

impl Progress {
    /// It is shown only if standard error is a terminal, and results do not go there too.
    pub(crate) fn new(quiet: bool, what: &'static str) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self {
            next: wanted.then(|| Instant::now() + Duration::from_secs(1)),
            shown: false,
            count: 0,
            what,
        }
    }

    /// Adds to the count.
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

    /// Clears the line, before anything else is written.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
