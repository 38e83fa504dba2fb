//! Progress on standard error, for work that takes more than a second and prints nothing else.

use crate::columns::columns;
use crate::input::Meter;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The width of a bar, in columns.
const BAR: usize = 30;

/// A counter on standard error, with a bar if the size of the input is known.
pub(crate) struct Progress {
    /// The time of the next update; `None` if progress is never shown.
    next: Option<Instant>,
    shown: bool,
    count: u64,
    /// The plural noun for what is counted.
    noun: &'static str,
    meter: Option<Arc<Meter>>,
}

impl Progress {
    /// Counts `noun`. Progress is shown only if standard error is a terminal and results go
    /// elsewhere.
    pub(crate) fn new(quiet: bool, noun: &'static str) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self {
            next: wanted.then(|| Instant::now() + Duration::from_secs(1)),
            shown: false,
            count: 0,
            noun,
            meter: None,
        }
    }

    /// Adds a bar for this meter.
    pub(crate) fn of(self, meter: Arc<Meter>) -> Self {
        Self {
            meter: Some(meter),
            ..self
        }
    }

    /// Adds a number to the count.
    pub(crate) fn add(&mut self, count: u64) {
        self.count += count;
        if let Some(next) = self.next {
            let now = Instant::now();
            if now >= next {
                self.next = Some(now + Duration::from_millis(200));
                self.shown = true;
                let part = self.meter.as_ref().and_then(|meter| meter.part());
                let columns = columns(std::io::stderr()).unwrap_or(80);
                let line = line(self.count, self.noun, part, columns);
                let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            }
        }
    }

    /// Clears the progress line. Must be called before anything else is written.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Returns a line of fewer than `columns` columns, if possible. The bar is omitted first, then the
/// percentage.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)] // a part is from 0 to 1
fn line(count: u64, noun: &str, part: Option<f64>, columns: usize) -> String {
    let counted = format!("{count} {noun}");
    let Some(part) = part else {
        return counted;
    };
    let done = (part * BAR as f64) as usize;
    let bar = ["=".repeat(done), " ".repeat(BAR.saturating_sub(done))].concat();
    let percent = (part * 100.0) as u64;
    let with_percent = format!("{percent:3} %  {counted}");
    let full = format!("[{bar}] {with_percent}");
    [full, with_percent]
        .into_iter()
        .find(|line| line.len() < columns)
        .unwrap_or(counted)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_fits_the_terminal() {
        let bar = "[===============               ]  50 %  12 inputs";
        for (columns, expected) in [
            (80, bar),
            (50, bar),
            (40, " 50 %  12 inputs"),
            (10, "12 inputs"),
        ] {
            assert_eq!(
                line(12, "inputs", Some(0.5), columns),
                expected,
                "{columns}"
            );
        }
        assert_eq!(line(12, "inputs", None, 80), "12 inputs");
    }
}
