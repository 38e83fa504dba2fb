//! `--unique` and `--count`: each result once, or how often there is each.

use crate::exit::{Exit, Stop};
use crate::json;
use crate::output::Output;
use crate::record::Object;
use serde::ser::{Serialize, Serializer};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

/// The options.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(crate) struct Distinct {
    /// Print each result only once, where it first occurs
    #[arg(long)]
    unique: bool,

    /// Print how often each result occurs, the most frequent first
    #[arg(long, conflicts_with = "unique")]
    count: bool,
}

/// The results so far.
#[derive(Clone)]
pub(crate) struct Tally {
    seen: Arc<Mutex<Seen>>,
}

enum Seen {
    Once(HashSet<Box<[u8]>>),
    /// With the count, and how many others came before.
    Counted(HashMap<Box<[u8]>, (u64, usize)>),
}

impl Distinct {
    /// Whether results are counted.
    pub(crate) const fn counts(self) -> bool {
        self.count
    }

    /// Whether each result is printed once at most.
    pub(crate) const fn is_given(self) -> bool {
        self.count || self.unique
    }

    /// What keeps the results; `None` without the options. Results must come in order then, so
    /// on one thread.
    pub(crate) fn tally(self, jobs: &mut usize) -> Option<Tally> {
        let seen = match (self.unique, self.count) {
            (false, false) => return None,
            (_, true) => Seen::Counted(HashMap::new()),
            (true, _) => Seen::Once(HashSet::new()),
        };
        *jobs = 1;
        let seen = Arc::new(Mutex::new(seen));
        Some(Tally { seen })
    }
}

impl Tally {
    /// Takes a result; returns whether to print it now.
    pub(crate) fn admits(&self, result: &[u8]) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *seen {
            Seen::Once(results) => !results.contains(result) && results.insert(result.into()),
            Seen::Counted(results) => {
                if let Some((count, _)) = results.get_mut(result) {
                    *count += 1;
                } else {
                    let before = results.len();
                    results.insert(result.into(), (1, before));
                }
                false
            }
        }
    }

    /// Prints the counts, each with its result; in JSON under the key `key`.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(crate) fn finish(
        this: Option<Self>,
        key: [&'static str; 2],
        output: &Output,
        exit: Exit,
    ) -> Result<Exit, Stop> {
        let Some(this) = this else { return Ok(exit) };
        let mut seen = this.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Seen::Counted(results) = &mut *seen else {
            return Ok(exit);
        };
        let mut results: Vec<_> = results.drain().collect();
        results.sort_by_key(|(_, (count, before))| (u64::MAX - count, *before));
        let mut out = Vec::new();
        for (result, (count, _)) in results {
            if output.json {
                let result = &result;
                json::line(&mut out, &Counted { count, key, result }, output.terminal)?;
            } else {
                write!(out, "{count}\t")?;
                output.bytes(&mut out, &result)?;
            }
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(&out)?;
        stdout.flush()?;
        Ok(exit)
    }
}

/// A result and how often it occurs, as `--json` prints it.
struct Counted<'a> {
    count: u64,
    key: [&'static str; 2],
    result: &'a [u8],
}

impl Serialize for Counted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("count", &self.count)?;
        object.bytes(self.key, self.result)?;
        object.end()
    }
}
