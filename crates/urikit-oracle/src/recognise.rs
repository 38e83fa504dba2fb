//! The oracle: decides whether a rule matches a string, and finds the longest prefix that the
//! string has in common with any matching string.
//!
//! A state is the set of all items that may still have to be matched ([`items`](super::items)); a
//! character maps one set to the next. Sets and transitions are cached, which gives a deterministic
//! automaton whose states are built only when a string reaches them. Two of these automata can be
//! compared, and a rule whose strings are single characters can be converted to a set of
//! characters.

use super::compile::Program;
use super::grammar::Grammar;
use super::items::{DONE, Item, Items};
use super::node::Node;
use std::collections::{HashMap, VecDeque};

/// The oracle's verdict on a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// True if the rule matches the string.
    pub valid: bool,
    /// The length in bytes of the longest prefix that a matching string can begin with: the full
    /// length if the string is valid or merely incomplete, otherwise the offset of the first
    /// character that is not allowed.
    pub viable: usize,
}

/// Checks strings against one rule of a grammar.
#[derive(Debug)]
pub struct Recogniser {
    items: Items,
    states: Vec<Vec<Item>>,
    numbers: HashMap<Vec<Item>, u32>,
    /// The next state for each combination of a state and a class of characters.
    steps: Vec<u32>,
    start: u32,
}

/// The dead state, from which no other state can be reached.
pub(crate) const DEAD: u32 = 0;
const UNKNOWN: u32 = u32::MAX;

impl Recogniser {
    /// Creates an oracle for `start`, a rule of the grammar. If the rule does not exist, the oracle
    /// rejects every string.
    #[must_use]
    pub fn new(grammar: &Grammar, start: &str) -> Self {
        let items = Items::new(Program::new(grammar));
        let mut new = Self {
            items,
            states: Vec::new(),
            numbers: HashMap::new(),
            steps: Vec::new(),
            start: DEAD,
        };
        new.state(Vec::new());
        if let Some(rule) = grammar.position(start) {
            let first = new.items.start(rule);
            new.start = new.state(first);
        }
        new
    }

    /// Judges a string.
    pub fn judge(&mut self, input: &str) -> Judgement {
        let mut state = self.start;
        for (at, c) in input.char_indices() {
            state = self.step(state, c);
            if state == DEAD {
                return Judgement {
                    valid: false,
                    viable: at,
                };
            }
        }
        let viable = if state == DEAD { 0 } else { input.len() };
        Judgement {
            valid: self.accepts(state),
            viable,
        }
    }

    /// Returns the number of states that have occurred so far.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn start(&self) -> u32 {
        self.start
    }

    pub(crate) fn items(&self) -> &Items {
        &self.items
    }

    pub(crate) fn accepts(&self, state: u32) -> bool {
        // Items are sorted, and `DONE` is the smallest item.
        self.states[state as usize].first() == Some(&DONE)
    }

    pub(crate) fn step(&mut self, state: u32, c: char) -> u32 {
        let alphabet = &self.items.program.alphabet;
        let at = state as usize * alphabet.len() + alphabet.class_of(c);
        match self.steps[at] {
            UNKNOWN => {
                let next = self.items.step(&self.states[state as usize], c);
                let next = self.state(next);
                self.steps[at] = next;
                next
            }
            next => next,
        }
    }

    fn state(&mut self, items: Vec<Item>) -> u32 {
        if let Some(number) = self.numbers.get(&items) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.states.push(items.clone());
        self.numbers.insert(items, number);
        self.steps.resize(
            self.states.len() * self.items.program.alphabet.len(),
            UNKNOWN,
        );
        number
    }
}

impl Grammar {
    /// Returns the characters of a rule as sorted ranges that do not touch, or `None` if the rule
    /// matches anything other than single characters.
    #[must_use]
    pub fn characters(&self, rule: &str) -> Option<Vec<(u32, u32)>> {
        let mut ranges = Vec::new();
        self.collect(&self.rule(rule)?.body, self.rules.len(), &mut ranges)?;
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Some(joined)
    }

    /// Returns true if every string that the rule matches is one US-ASCII character.
    #[must_use]
    pub fn accepts_only_single_bytes(&self, rule: &str) -> bool {
        self.characters(rule)
            .is_some_and(|ranges| ranges.iter().all(|range| range.1 < 0x80))
    }

    /// Returns the US-ASCII characters of a rule whose strings are all single characters. All
    /// entries at 0x80 and above are false.
    #[must_use]
    pub fn byte_set(&self, rule: &str) -> Option<[bool; 256]> {
        let ranges = self.characters(rule)?;
        let has = |byte: usize| {
            ranges
                .iter()
                .any(|range| (range.0..=range.1).contains(&(byte as u32)))
        };
        Some(std::array::from_fn(|byte| byte < 0x80 && has(byte)))
    }

    /// Returns the US-ASCII characters that a rule matches as complete strings, even if it also
    /// matches other strings. For `pchar`, these are the characters that need not be
    /// percent-encoded.
    #[must_use]
    pub fn single_bytes(&self, rule: &str) -> [bool; 256] {
        let mut recogniser = Recogniser::new(self, rule);
        std::array::from_fn(|byte| {
            let text = u8::try_from(byte)
                .ok()
                .filter(u8::is_ascii)
                .map(|byte| char::from(byte).to_string());
            text.is_some_and(|text| recogniser.judge(&text).valid)
        })
    }

    /// Adds the ranges of characters that a node matches. Returns `None` if the node matches
    /// anything other than single characters. `depth` limits the recursion through rules that refer
    /// to themselves, which match more than single characters.
    fn collect(&self, node: &Node, depth: usize, ranges: &mut Vec<(u32, u32)>) -> Option<()> {
        match node {
            Node::Literal { text, any_case } => {
                let mut chars = text.chars();
                let (c, None) = (chars.next()?, chars.next()) else {
                    return None;
                };
                let cases = if *any_case {
                    [c.to_ascii_lowercase(), c.to_ascii_uppercase()]
                } else {
                    [c, c]
                };
                ranges.extend(cases.map(|c| (u32::from(c), u32::from(c))));
                Some(())
            }
            Node::Range(low, high) => {
                ranges.push((*low, *high));
                Some(())
            }
            Node::Choice(nodes) => nodes
                .iter()
                .try_for_each(|node| self.collect(node, depth, ranges)),
            Node::Rule(name) => self.collect(&self.rule(name)?.body, depth.checked_sub(1)?, ranges),
            Node::Repeat {
                min: 1,
                max: Some(1),
                of,
            } => self.collect(of, depth, ranges),
            Node::Sequence(_) | Node::Optional(_) | Node::Repeat { .. } | Node::Except { .. } => {
                None
            }
        }
    }
}

/// Returns the shortest string that only one of the two oracles accepts, or `None` if both accept
/// the same strings.
///
/// All reachable pairs of states are visited, so `None` is a proof. The comparison terminates for
/// grammars without self-embedding, which have finitely many states; all grammars under `spec/abnf`
/// are of this kind.
pub fn difference(one: &mut Recogniser, other: &mut Recogniser) -> Option<String> {
    let alphabet = one
        .items()
        .program
        .alphabet
        .joined(&other.items().program.alphabet);
    let examples: Vec<char> = alphabet.examples().collect();
    let start = (one.start(), other.start());
    let mut came_from = HashMap::from([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(pair) = open.pop_front() {
        if one.accepts(pair.0) != other.accepts(pair.1) {
            return Some(path_to(&came_from, pair));
        }
        for c in &examples {
            let next = (one.step(pair.0, *c), other.step(pair.1, *c));
            came_from.entry(next).or_insert_with(|| {
                open.push_back(next);
                Some((pair, *c))
            });
        }
    }
    None
}

type Pair = (u32, u32);

/// Returns the string that leads to a given pair of states.
fn path_to(came_from: &HashMap<Pair, Option<(Pair, char)>>, end: Pair) -> String {
    let steps = std::iter::successors(came_from[&end], |(pair, _)| came_from[pair]);
    let mut chars: Vec<char> = steps.map(|(_, c)| c).collect();
    chars.reverse();
    chars.into_iter().collect()
}
