//! `--unique` and `--count`: print each result once, or count equal results.

use crate::output::Output;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use urikit_report::record::TextKeys;

/// `--unique` and `--count`.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(crate) struct Distinct {
    /// Print equal results only once
    #[arg(long)]
    unique: bool,

    /// Count equal results, and print the most frequent first
    #[arg(long, conflicts_with = "unique")]
    count: bool,
}

/// The results so far, which are recorded during the run and printed at its end.
#[derive(Clone)]
pub(crate) struct Tally {
    seen: Arc<Mutex<Seen>>,
}

enum Seen {
    Once(HashSet<Box<[u8]>>),
    Counted(HashMap<Box<[u8]>, Count>),
}

/// The number of equal results.
struct Count {
    count: u64,
    /// The number of different results that occurred before the first occurrence of this one.
    before: usize,
}

impl Distinct {
    /// Returns true if `--count` is given.
    pub(crate) const fn counts(self) -> bool {
        self.count
    }

    /// Returns the tally, or `None` if neither option is given. Results must arrive in order.
    pub(crate) fn tally(self) -> Option<Tally> {
        let seen = match (self.unique, self.count) {
            (false, false) => return None,
            (_, true) => Seen::Counted(HashMap::new()),
            (true, _) => Seen::Once(HashSet::new()),
        };
        let seen = Arc::new(Mutex::new(seen));
        Some(Tally { seen })
    }
}

impl Tally {
    /// Records a result. Returns true if the result must be printed now.
    pub(crate) fn admits(&self, result: &[u8]) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *seen {
            Seen::Once(results) => !results.contains(result) && results.insert(result.into()),
            Seen::Counted(results) => {
                if let Some(known) = results.get_mut(result) {
                    known.count += 1;
                } else {
                    let before = results.len();
                    results.insert(result.into(), Count { count: 1, before });
                }
                false
            }
        }
    }

    /// Removes and returns the counted results, the most frequent first. Returns nothing without
    /// --count.
    pub(crate) fn counted(&self) -> Vec<(Box<[u8]>, u64)> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Seen::Counted(results) = &mut *seen else {
            return Vec::new();
        };
        let mut results: Vec<_> = results.drain().collect();
        results.sort_by_key(|(_, known)| (u64::MAX - known.count, known.before));
        let counts = results.into_iter();
        counts
            .map(|(result, known)| (result, known.count))
            .collect()
    }

    /// Prints the counted results. `key` contains the JSON keys of a result, as text and in base64.
    ///
    /// # Errors
    ///
    /// Fails if a result cannot be written; writing to memory never fails.
    pub(crate) fn print(
        &self,
        key: [&'static str; 2],
        output: &Output,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for (result, count) in self.counted() {
            if output.json {
                let keys = TextKeys::lossy(key, &*result);
                output.record_with(out, &Counted { count, keys }, Some(&result))?;
            } else {
                write!(out, "{count}\t")?;
                output.bytes(out, &result)?;
            }
        }
        Ok(())
    }
}

/// A result and its count, as `--json` prints them.
#[derive(serde::Serialize)]
struct Counted<'a> {
    count: u64,
    #[serde(flatten)]
    keys: TextKeys<'a>,
}
