//! Counts rejected inputs by reason.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The maximum number of reasons to count separately.
const MAX_REASONS: usize = 1000;

/// The maximum number of reasons to print.
const SHOWN: usize = 10;

/// Counts rejected inputs by reason.
#[derive(Default, Debug)]
pub(crate) struct Rejected {
    reasons: HashMap<String, Count>,
    total: u64,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    inputs: u64,
    /// The number of inputs rejected before the first one with this reason. Equally frequent
    /// reasons are sorted by this number.
    before: u64,
}

impl Rejected {
    /// Counts an input.
    pub(crate) fn add(&mut self, reason: String) {
        self.add_many(reason, 1);
    }

    fn add_many(&mut self, reason: String, inputs: u64) {
        let is_known = self.reasons.contains_key(&reason);
        let reason = if is_known || self.reasons.len() < MAX_REASONS {
            reason
        } else {
            "other reasons".to_owned()
        };
        let before = self.total;
        let count = self
            .reasons
            .entry(reason)
            .or_insert(Count { inputs: 0, before });
        count.inputs += inputs;
        self.total += inputs;
    }

    /// The number of rejected inputs.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// Moves the counts of later inputs into these counts.
    pub(crate) fn append(&mut self, others: &mut Self) {
        if others.total == 0 {
            return;
        }
        let mut reasons: Vec<_> = others.reasons.drain().collect();
        reasons.sort_by_key(|(_, count)| count.before);
        for (reason, count) in reasons {
            self.add_many(reason, count.inputs);
        }
        others.total = 0;
    }

    /// Returns a line for each reason, the most frequent first.
    pub(crate) fn lines(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| (Reverse(count.inputs), count.before));
        let width = reasons
            .first()
            .map_or(0, |(_, count)| count.inputs.to_string().len());
        let mut lines = String::new();
        for (reason, count) in reasons.iter().take(SHOWN) {
            let _ = writeln!(lines, "  {:width$}  {reason}", count.inputs);
        }
        let rest: u64 = reasons
            .iter()
            .skip(SHOWN)
            .map(|(_, count)| count.inputs)
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
