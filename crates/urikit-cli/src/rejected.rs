//! Why inputs were rejected, and how many for each reason.

use std::collections::HashMap;
use std::fmt::Write as _;

/// So many reasons are counted one by one.
const MOST: usize = 1000;

/// So many are printed.
const SHOWN: usize = 10;

/// Why inputs were rejected, and how many for each reason.
#[derive(Default, Debug)]
pub(crate) struct Rejected {
    /// With the number of inputs that were rejected before the first, for the order.
    reasons: HashMap<String, (u64, u64)>,
    total: u64,
}

impl Rejected {
    /// Adds an input.
    pub(crate) fn add(&mut self, reason: String) {
        self.add_many(reason, 1, 0);
    }

    fn add_many(&mut self, reason: String, count: u64, before: u64) {
        let is_known = self.reasons.contains_key(&reason);
        let reason = if is_known || self.reasons.len() < MOST {
            reason
        } else {
            "other reasons".to_owned()
        };
        let first = self.total + before;
        self.reasons.entry(reason).or_insert((0, first)).0 += count;
        self.total += count;
    }

    /// How many inputs were rejected.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// Moves all of `others`, which came later, here.
    pub(crate) fn append(&mut self, others: &mut Self) {
        if others.total == 0 {
            return;
        }
        let mut reasons: Vec<_> = others.reasons.drain().collect();
        reasons.sort_by_key(|(_, (_, first))| *first);
        for (reason, (count, _)) in reasons {
            self.add_many(reason, count, 0);
        }
        others.total = 0;
    }

    /// A line for each reason, the most frequent first.
    pub(crate) fn lines(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, first))| (u64::MAX - count, *first));
        let width = reasons
            .first()
            .map_or(0, |(_, (count, _))| count.to_string().len());
        let mut lines = String::new();
        for (reason, (count, _)) in reasons.iter().take(SHOWN) {
            let _ = writeln!(lines, "  {count:width$}  {reason}");
        }
        let rest: u64 = reasons
            .iter()
            .skip(SHOWN)
            .map(|(_, (count, _))| *count)
            .sum();
        if rest > 0 {
            let _ = writeln!(
                lines,
                "  {rest:width$}  {} more reasons",
                reasons.len() - SHOWN
            );
        }
        lines
    }
}
