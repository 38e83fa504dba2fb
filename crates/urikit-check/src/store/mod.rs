//! The store: the results of earlier runs, in a file that is meant to be committed.
//!
//! The store is a sorted file with one JSON object per URL: the last outcome, the days of the first
//! and last success, the streak of failures with its first day, and the validators of the last
//! response. The store records days instead of times and rarely changes a line, which keeps the
//! differences between two commits small.

mod age;
mod entry;
mod prober;
mod verdict;

use crate::records::{self, DamagedLines};
use crate::{Checked, Outcome, OutcomeKind, Probed, Rule, Validators};
use std::collections::BTreeMap;
use std::collections::btree_map;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
use urikit_access::replace::{Lock, replace};

pub use age::{AgeError, Ages, FailAfter, parse_days};
pub use jiff::civil::Date;
pub use prober::StoredProber;
pub use verdict::Stored;

use entry::Entry;

/// Returns the current day in UTC.
pub fn today() -> Date {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

/// The results of earlier runs, and of the current run.
///
/// ```
/// use urikit_check::store::{Ages, Date, Store};
/// use urikit_check::{Outcome, Probed};
///
/// let monday = Date::constant(2026, 11, 23);
/// let mut store = Store::new(Ages::default(), monday);
/// store.record("http://a.example/", &Probed::from(Outcome::Ok));
/// assert!(store.fresh("http://a.example/", &[]).is_some());
///
/// let mut lines = Vec::new();
/// store.write_to(&mut lines).unwrap();
/// assert_eq!(
///     String::from_utf8(lines).unwrap(),
///     concat!(
///         r#"{"url":"http://a.example/","outcome":"ok","#,
///         r#""first":"2026-11-23","last":"2026-11-23"}"#, "\n"
///     )
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    ages: Ages,
    today: Date,
    lines: BTreeMap<Box<str>, Line>,
}

#[derive(Clone, Debug)]
struct Line {
    entry: Entry,
    /// True if a link in this run has this URL.
    is_used: bool,
    /// True if this run changed the entry.
    is_changed: bool,
}

impl Store {
    /// Creates an empty store. `today` is the current day in UTC.
    pub const fn new(ages: Ages, today: Date) -> Self {
        Self {
            ages,
            today,
            lines: BTreeMap::new(),
        }
    }

    /// Reads a store. A file that does not exist counts as empty; damaged lines are skipped.
    ///
    /// # Errors
    ///
    /// Fails if the file exists but cannot be read.
    pub fn read(path: &Path, ages: Ages, today: Date) -> io::Result<(Self, DamagedLines)> {
        let mut store = Self::new(ages, today);
        let damaged = records::read(path, |entry::Line { url, entry }| store.insert(url, entry))?;
        Ok((store, damaged))
    }

    /// Adds a line from the file. After a merge, a URL may have two lines: the newer one counts.
    fn insert(&mut self, url: Box<str>, entry: Entry) {
        let line = Line {
            entry,
            is_used: false,
            is_changed: false,
        };
        match self.lines.entry(url) {
            btree_map::Entry::Vacant(vacant) => {
                vacant.insert(line);
            }
            btree_map::Entry::Occupied(mut occupied) => {
                if occupied.get().entry.day() < line.entry.day() {
                    occupied.insert(line);
                }
            }
        }
    }

    /// Returns the stored result if the URL need not be requested: its last outcome was ok and is
    /// recent enough, and the page contained all of these fragments.
    pub fn fresh(&mut self, url: &str, fragments: &[String]) -> Option<Stored> {
        let (ages, today) = (self.ages, self.today);
        let line = self.lines.get_mut(url)?;
        line.is_used = true;
        let is_fresh = line.entry.kind() == OutcomeKind::Ok
            && ages.is_young(line.entry.day(), today)
            && line.entry.has_fragments(fragments);
        is_fresh.then(|| line.entry.stored())
    }

    /// Returns the result of `--check-store`, which requests nothing. A URL without a recent result
    /// is not checked, and has a finding [`Rule::NotInStore`].
    pub fn verdict(&mut self, url: &str, fragments: &[String]) -> Stored {
        let (ages, today) = (self.ages, self.today);
        let Some(line) = self.lines.get_mut(url) else {
            return Stored::absent();
        };
        line.is_used = true;
        line.entry.verdict(fragments, ages, today)
    }

    /// Returns the validators for a conditional request, if the last outcome was ok and a response
    /// without a body would be enough: no link asks for a fragment that is not stored.
    pub fn validators(&self, url: &str, fragments: &[String]) -> Option<Validators> {
        let entry = &self.lines.get(url)?.entry;
        let is_enough = entry.kind() == OutcomeKind::Ok && entry.has_fragments(fragments);
        is_enough.then(|| entry.validators()).flatten()
    }

    /// Records the result of a request. Returns the outcome to report: a streak of failures that is
    /// shorter than `--fail-after` does not yet count as broken.
    pub fn record(&mut self, url: &str, observed: &Probed) -> Outcome {
        let (ages, today) = (self.ages, self.today);
        let old = self.lines.get_mut(url);
        let Some(line) = old else {
            if observed.outcome.kind() == OutcomeKind::NotChecked {
                return observed.outcome.clone();
            }
            let entry = Entry::new(observed, today);
            let outcome = entry.reported(observed, ages, today);
            let line = Line {
                entry,
                is_used: true,
                is_changed: true,
            };
            self.lines.insert(Box::from(url), line);
            return outcome;
        };
        line.is_used = true;
        if let Some(entry) = line.entry.updated(observed, ages, today) {
            line.is_changed = true;
            line.entry = entry;
        }
        line.entry.reported(observed, ages, today)
    }

    /// Remembers the fragment of a link that is ok, so that the next run need not request the page
    /// for it.
    pub fn learn(&mut self, checked: &Checked) {
        let target = checked.link.target.as_deref();
        let Some((url, fragment)) = target.and_then(|target| target.split_once('#')) else {
            return;
        };
        let is_ok = checked.outcome == Outcome::Ok
            && checked.rules().all(|rule| rule != Rule::FragmentMissing);
        if let Some(line) = self.lines.get_mut(url)
            && is_ok
            && !fragment.is_empty()
            && line.entry.kind() == OutcomeKind::Ok
        {
            line.is_changed |= line.entry.add_fragment(fragment);
        }
    }

    /// Merges the results of this run into the file, which another run may have changed in the
    /// meantime, and replaces the file while holding a lock. After a complete run, lines that no
    /// link used are removed. Returns false if no line changed, in which case nothing is written.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, or with [`io::ErrorKind::WouldBlock`] if
    /// another process holds the lock for longer than `limit`. If an error occurs, the old file is
    /// unchanged.
    pub fn write(&self, path: &Path, is_complete: bool, limit: Duration) -> io::Result<bool> {
        let _lock = Lock::take(path, limit)?;
        let (mut merged, damaged) = Self::read(path, self.ages, self.today)?;
        let mut is_changed = damaged.count > 0;
        for (url, line) in &self.lines {
            if line.is_changed {
                merged.lines.insert(url.clone(), line.clone());
                is_changed = true;
            }
        }
        if is_complete {
            let count = merged.lines.len();
            merged
                .lines
                .retain(|url, _| self.lines.get(url).is_some_and(|line| line.is_used));
            is_changed |= merged.lines.len() < count;
        }
        if is_changed {
            replace(path, |out| merged.write_to(out))?;
        }
        Ok(is_changed)
    }

    /// Writes all lines, sorted by URL.
    ///
    /// # Errors
    ///
    /// Fails if writing to `out` fails.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for (url, line) in &self.lines {
            line.entry.write(url, out)?;
        }
        Ok(())
    }
}
