//! The oracle: whether a string is in the language of a rule, and how much of it is a prefix of
//! one that is.
//!
//! A state is the set of all items that may remain to be matched ([`items`](super::items)); a
//! character leads from one set to the next. Sets and steps are cached, which makes a
//! deterministic automaton of it, built only where strings lead.

use std::collections::HashMap;

use super::compile::Program;
use super::grammar::Grammar;
use super::items::{DONE, Item, Items};

/// The oracle's verdict on a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// Whether the rule matches the string.
    pub valid: bool,
    /// The length in bytes of the longest prefix that some string of the rule begins with: the
    /// full length if the string is valid or merely incomplete, otherwise the offset of the first
    /// character that is not allowed there.
    pub viable: usize,
}

/// Judges strings by one rule of a grammar.
#[derive(Debug)]
pub struct Recogniser {
    items: Items,
    states: Vec<Vec<Item>>,
    numbers: HashMap<Vec<Item>, u32>,
    /// The next state for each state and class of characters.
    steps: Vec<u32>,
    start: u32,
}

/// The state that no string leads out of.
pub(crate) const DEAD: u32 = 0;
const UNKNOWN: u32 = u32::MAX;

impl Recogniser {
    /// The oracle for `start`, a rule of the grammar. A rule that does not exist matches nothing.
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

    /// How many states have occurred so far.
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
        // Items are sorted and DONE is the least.
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
