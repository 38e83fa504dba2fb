//! Generates valid strings that cover every alternative.
//!
//! Every second string has a target: the alternative that has been used least. Until the string
//! uses this target, the generator makes only choices that can lead to it, so rare alternatives are
//! tested as often as common ones. All other choices are random, with a preference for the
//! alternatives that have been used least. Once the string is long enough, the generator always
//! makes the shortest choice.

use super::grammar::Grammar;
use super::node::Name;
use super::steer::{FAR, Kind, Map, Part, times_ways};
use super::ways::Times;
use crate::random::Random;

/// An alternative, with the number of times that it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The rule.
    pub rule: String,
    /// The alternative, as text.
    pub alternative: String,
    /// The number of times that the alternative was taken.
    pub count: u64,
}

/// Generates strings from a grammar, and counts the alternatives taken.
#[derive(Debug)]
pub struct Generator<'g> {
    grammar: &'g Grammar,
    map: Map,
    random: Random,
    counts: Vec<u64>,
    /// For each start rule used so far, the alternatives that its strings can take, in ascending
    /// order.
    starts: Vec<(usize, Vec<usize>)>,
    made: u64,
}

impl<'g> Generator<'g> {
    /// Creates a generator with a seed. Generators with equal seeds generate equal strings.
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

    /// Generates a string that the rule matches. Returns the empty string if the rule does not
    /// exist or matches nothing.
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

    /// Counts how often each alternative was taken, in all rules that can be reached from the
    /// start rules used so far.
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

/// The state while one string is generated. In all methods, `aimed` means that the text to be added
/// must use the target alternative.
pub(crate) struct Walk<'a> {
    pub map: &'a Map,
    pub random: &'a mut Random,
    pub counts: &'a [u64],
    pub taken: Vec<usize>,
    pub out: String,
    pub aim: Option<usize>,
    /// Once the string has this length, the generator completes it with as few characters as
    /// possible.
    pub enough: usize,
}

impl<'a> Walk<'a> {
    /// Records that an alternative was taken. Returns true if the target must still be reached.
    fn take(&mut self, way: usize, aimed: bool) -> bool {
        self.taken.push(way);
        aimed && self.aim != Some(way)
    }

    fn is_long(&self) -> bool {
        self.out.len() >= self.enough
    }

    fn distance(&self, part: &Part) -> usize {
        self.aim.map_or(FAR, |aim| self.map.distance(part, aim))
    }

    /// Appends a string that the rule matches.
    pub(super) fn rule(&mut self, rule: usize, mut aimed: bool) {
        let map: &'a Map = self.map;
        if let Some(body) = &map.bodies[rule] {
            if let Some(complete) = body.complete {
                aimed = self.take(complete, aimed);
            }
            self.part(&body.part, aimed);
        }
    }

    fn part(&mut self, part: &'a Part, aimed: bool) {
        match &part.kind {
            Kind::Literal { text, any_case } => self.literal(text, *any_case),
            Kind::Range(low, high) => self.range(*low, *high),
            Kind::Sequence(parts) => {
                let carrier = if aimed {
                    self.carrier(parts.iter())
                } else {
                    None
                };
                for (at, part) in parts.iter().enumerate() {
                    self.part(part, carrier == Some(at));
                }
            }
            Kind::Choice(parts) => self.choice(parts, aimed),
            Kind::Optional { way, of } => self.optional(*way, of, aimed),
            Kind::Repeat { min, max, way, of } => {
                self.repeat(times_ways(*min, *max, *way), (*min, *max), of, aimed);
            }
            Kind::Rule(rule) => self.rule(*rule, aimed),
            Kind::Except { rule, names } => self.except(*rule, names, aimed),
        }
    }

    /// Chooses a part from which the target can be reached: the nearest one, or any of them.
    fn carrier(&mut self, parts: impl Iterator<Item = &'a Part>) -> Option<usize> {
        let ways: Vec<(usize, usize)> = parts
            .map(|part| self.distance(part))
            .enumerate()
            .filter(|(_, distance)| *distance != FAR)
            .collect();
        if self.is_long() || self.random.chance(50) {
            let nearest = ways.iter().map(|(_, distance)| *distance).min()?;
            let ways: Vec<usize> = ways
                .iter()
                .filter(|way| way.1 == nearest)
                .map(|way| way.0)
                .collect();
            return Some(*self.random.pick(&ways));
        }
        if ways.is_empty() {
            None
        } else {
            Some(self.random.pick(&ways).0)
        }
    }

    fn choice(&mut self, parts: &'a [(usize, Part)], aimed: bool) {
        let aim_here = parts
            .iter()
            .position(|(way, _)| aimed && self.aim == Some(*way));
        let at = match aim_here {
            Some(at) => Some(at),
            None if aimed => self.carrier(parts.iter().map(|(_, part)| part)),
            None => self.free_choice(parts),
        };
        if let Some((way, part)) = at.and_then(|at| parts.get(at)) {
            let aimed = self.take(*way, aimed);
            self.part(part, aimed);
        }
    }

    /// Chooses an alternative: the shortest one if the string is already long, and otherwise the
    /// least used one or a random one.
    fn free_choice(&mut self, parts: &[(usize, Part)]) -> Option<usize> {
        if self.is_long() {
            let least = parts.iter().map(|(_, part)| part.least).min()?;
            let shortest: Vec<usize> = (0..parts.len())
                .filter(|at| parts[*at].1.least == least)
                .collect();
            return Some(*self.random.pick(&shortest));
        }
        if self.random.chance(30) {
            return (0..parts.len()).min_by_key(|at| self.counts[parts[*at].0]);
        }
        Some(self.random.below(parts.len()))
    }

    fn optional(&mut self, way: usize, of: &'a Part, aimed: bool) {
        let takes = match self.aim.filter(|_| aimed) {
            Some(aim) if aim == way => true,
            Some(aim) if aim == way + 1 => false,
            Some(_) => true,
            None => !self.is_long() && self.random.chance(60),
        };
        let aimed = self.take(way + usize::from(!takes), aimed);
        if takes {
            self.part(of, aimed);
        }
    }

    fn repeat(
        &mut self,
        ways: Vec<(usize, Times)>,
        bounds: (u32, Option<u32>),
        of: &'a Part,
        aimed: bool,
    ) {
        let goes_round = |times: &Times| *times != Times::Zero;
        let picked = match ways.iter().find(|way| aimed && self.aim == Some(way.0)) {
            Some(way) => Some(*way),
            None if aimed => {
                let ways: Vec<_> = ways.into_iter().filter(|way| goes_round(&way.1)).collect();
                (!ways.is_empty()).then(|| *self.random.pick(&ways))
            }
            // `ways` is empty for repetitions without alternatives, such as `0pchar`.
            None if self.is_long() || ways.is_empty() => ways.first().copied(),
            None if self.random.chance(55) => ways.last().copied(),
            None => Some(*self.random.pick(&ways)),
        };
        let Some((way, times)) = picked else { return };
        let aimed = self.take(way, aimed);
        let rounds = match times {
            Times::Zero => 0,
            Times::One => 1,
            Times::More => self.rounds(bounds),
        };
        let carrier = if aimed {
            Some(self.random.below(rounds))
        } else {
            None
        };
        for round in 0..rounds {
            self.part(of, carrier == Some(round));
        }
    }

    /// Chooses a number of repetitions: at least two if the bounds allow it, and rarely more than a
    /// few.
    fn rounds(&mut self, (min, max): (u32, Option<u32>)) -> usize {
        let least = (min as usize).max(2);
        let most = max.map_or(least + if self.random.chance(10) { 12 } else { 4 }, |max| {
            max as usize
        });
        if self.is_long() {
            least
        } else {
            least + self.random.below(most - least + 1)
        }
    }

    /// Generates strings until one is not among the excluded names. The alternatives taken in
    /// failed attempts are not counted.
    fn except(&mut self, rule: usize, names: &[Name], aimed: bool) {
        let (begin, taken) = (self.out.len(), self.taken.len());
        loop {
            self.rule(rule, aimed);
            let made = &self.out[begin..];
            let same = |name: &Name| {
                if name.any_case {
                    name.text.eq_ignore_ascii_case(made)
                } else {
                    name.text == made
                }
            };
            if !names.iter().any(same) {
                return;
            }
            self.out.truncate(begin);
            self.taken.truncate(taken);
        }
    }

    /// Appends a literal, unchanged half of the time, and otherwise with each letter in a random
    /// case.
    fn literal(&mut self, text: &str, any_case: bool) {
        let as_written = !any_case || self.random.chance(50);
        for c in text.chars() {
            let turned = if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            };
            self.out.push(if as_written || self.random.chance(50) {
                c
            } else {
                turned
            });
        }
    }

    /// Adds a character from the range, with a preference for its first and last characters.
    fn range(&mut self, low: u32, high: u32) {
        let within = u64::from(high - low) + 1;
        let value = match self.random.below(8) {
            0 => low,
            1 => high,
            _ => low + (self.random.bits() % within) as u32,
        };
        self.out
            .extend(char::from_u32(value).or(char::from_u32(low)));
    }
}
