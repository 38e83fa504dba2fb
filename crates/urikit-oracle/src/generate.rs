//! Valid strings that take every alternative.
//!
//! Every other string has an aim: the way that was taken least often. Until it is reached, every
//! choice is one that leads there, so that rare alternatives are met as often as common ones.
//! [`walk`](super::walk) makes the strings.

use super::grammar::Grammar;
use super::steer::Map;
use super::walk::Walk;
use crate::random::Random;

/// How often one alternative was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The rule.
    pub rule: String,
    /// The alternative, as text.
    pub alternative: String,
    /// How often.
    pub count: u64,
}

/// Generates strings from a grammar, and counts the alternatives taken.
#[derive(Debug)]
pub struct Generator<'g> {
    grammar: &'g Grammar,
    map: Map,
    random: Random,
    counts: Vec<u64>,
    /// For each start rule used so far, the ways that its strings can take, ascending.
    starts: Vec<(usize, Vec<usize>)>,
    made: u64,
}

impl<'g> Generator<'g> {
    /// A generator with this seed; equal seeds give equal strings.
    #[must_use]
    pub fn new(grammar: &'g Grammar, seed: u64) -> Self {
        let map = Map::new(grammar);
        let counts = vec![0; map.ways.len()];
        Self {
            grammar,
            map,
            random: Random::new(seed),
            counts,
            starts: Vec::new(),
            made: 0,
        }
    }

    /// Generates a string that the rule matches; the empty string if the rule does not exist or
    /// matches nothing.
    pub fn generate(&mut self, start: &str) -> String {
        let Some(start) = self
            .grammar
            .position(start)
            .filter(|at| self.map.bodies[*at].is_some())
        else {
            return String::new();
        };
        self.made += 1;
        let known = self
            .starts
            .iter()
            .position(|(known, _)| *known == start)
            .unwrap_or_else(|| {
                self.starts.push((start, self.map.reachable(start)));
                self.starts.len() - 1
            });
        let rarest = || {
            self.starts[known]
                .1
                .iter()
                .copied()
                .min_by_key(|way| self.counts[*way])
        };
        let aim = (self.made % 2 == 1).then(rarest).flatten();
        let enough = 4 + self.random.below(56);
        let mut walk = Walk {
            map: &self.map,
            random: &mut self.random,
            counts: &self.counts,
            taken: Vec::new(),
            out: String::new(),
            aim,
            enough,
        };
        walk.rule(start, aim.is_some());
        let Walk { taken, out, .. } = walk;
        for way in taken {
            self.counts[way] += 1;
        }
        out
    }

    /// How often each alternative was taken, for all rules that the start rules used so far can
    /// reach.
    #[must_use]
    pub fn coverage(&self) -> Vec<Row> {
        let reached = |way: &usize| {
            self.starts
                .iter()
                .any(|(_, ways)| ways.binary_search(way).is_ok())
        };
        let row = |way: usize| {
            let (rule, alternative) = &self.map.ways[way];
            let rule = self.grammar.rules()[*rule].name.clone();
            Row {
                rule,
                alternative: alternative.clone(),
                count: self.counts[way],
            }
        };
        (0..self.counts.len()).filter(reached).map(row).collect()
    }
}
