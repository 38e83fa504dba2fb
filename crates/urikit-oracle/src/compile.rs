//! A grammar compiled for the recogniser, with numbers instead of names, and without elements that
//! match no string.
//!
//! Elements that match nothing are removed here. Every remaining element matches at least one
//! string, so a match is still possible in every state that is not empty.

use std::collections::BTreeSet;

use super::grammar::Grammar;
use super::node::{Name, Node};

/// An element of a rule.
#[derive(Debug)]
pub(crate) enum Op {
    /// One character in any of these ranges.
    Set(Vec<(u32, u32)>),
    Sequence(Vec<usize>),
    Choice(Vec<usize>),
    Repeat {
        of: usize,
        min: u32,
        max: Option<u32>,
    },
    Rule(usize),
    Except {
        rule: usize,
        names: Vec<Name>,
    },
}

/// The elements of a grammar, identified by their indexes.
#[derive(Debug)]
pub(crate) struct Program {
    pub ops: Vec<Op>,
    /// The element of each rule, or `None` if the rule matches nothing.
    pub bodies: Vec<Option<usize>>,
    pub alphabet: Alphabet,
}

impl Program {
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let productive = grammar.productive();
        let mut program = Self {
            ops: Vec::new(),
            bodies: Vec::new(),
            alphabet: Alphabet::new(grammar),
        };
        for rule in grammar.rules() {
            let body = program.compile(grammar, &productive, &rule.body);
            program.bodies.push(body);
        }
        program
    }

    /// Adds a node; returns `None` if it matches nothing.
    fn compile(&mut self, grammar: &Grammar, productive: &[bool], node: &Node) -> Option<usize> {
        let op = match node {
            Node::Literal { text, any_case } => {
                let sets: Vec<usize> = text
                    .chars()
                    .map(|c| self.add(Op::Set(cases(c, *any_case))))
                    .collect();
                Op::Sequence(sets)
            }
            Node::Range(low, high) => Op::Set(vec![(*low, *high)]),
            Node::Sequence(nodes) => {
                let all: Option<Vec<usize>> = nodes
                    .iter()
                    .map(|node| self.compile(grammar, productive, node))
                    .collect();
                Op::Sequence(all?)
            }
            Node::Choice(nodes) => {
                let some: Vec<usize> = nodes
                    .iter()
                    .filter_map(|node| self.compile(grammar, productive, node))
                    .collect();
                if some.is_empty() {
                    return None;
                }
                Op::Choice(some)
            }
            Node::Optional(of) => match self.compile(grammar, productive, of) {
                Some(of) => Op::Repeat {
                    of,
                    min: 0,
                    max: Some(1),
                },
                None => Op::Sequence(Vec::new()),
            },
            Node::Repeat { min, max, of } => match self.compile(grammar, productive, of) {
                Some(of) => Op::Repeat {
                    of,
                    min: *min,
                    max: *max,
                },
                None if *min == 0 => Op::Sequence(Vec::new()),
                None => return None,
            },
            Node::Rule(name) => Op::Rule(grammar.position(name).filter(|at| productive[*at])?),
            Node::Except { rule, names } => Op::Except {
                rule: grammar.position(rule).filter(|at| productive[*at])?,
                names: names.clone(),
            },
        };
        Some(self.add(op))
    }

    fn add(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }
}

/// Returns a character as ranges, including its upper-case and lower-case forms if the literal
/// ignores case.
fn cases(c: char, any_case: bool) -> Vec<(u32, u32)> {
    let mut cases = vec![u32::from(c)];
    if any_case && c.is_ascii_alphabetic() {
        cases = vec![
            u32::from(c.to_ascii_uppercase()),
            u32::from(c.to_ascii_lowercase()),
        ];
    }
    cases.into_iter().map(|c| (c, c)).collect()
}

/// The equivalence classes of characters: no rule distinguishes between characters of the same
/// class.
#[derive(Debug, Clone)]
pub(crate) struct Alphabet {
    /// The first character of each class, in ascending order, starting with 0.
    starts: Vec<u32>,
    ascii: [u16; 128],
}

impl Alphabet {
    fn new(grammar: &Grammar) -> Self {
        // The boundaries U+D800 and U+E000 keep surrogates in separate classes.
        let mut starts = BTreeSet::from([0, 0xD800, 0xE000]);
        let mut add = |low: u32, high: u32| starts.extend([low, high.saturating_add(1)]);
        let mut text = |text: &str| {
            for c in text.chars() {
                for (low, high) in cases(c, true) {
                    add(low, high);
                }
            }
        };
        for rule in grammar.rules() {
            rule.body.walk(&mut |node| match node {
                Node::Literal { text: literal, .. } => text(literal),
                Node::Except { names, .. } => names.iter().for_each(|name| text(&name.text)),
                _ => {}
            });
        }
        for rule in grammar.rules() {
            rule.body.walk(&mut |node| {
                if let Node::Range(low, high) = node {
                    add(*low, *high);
                }
            });
        }
        Self::from_starts(
            starts
                .into_iter()
                .filter(|start| *start <= u32::from(char::MAX))
                .collect(),
        )
    }

    fn from_starts(starts: Vec<u32>) -> Self {
        let class = |c: u32| starts.partition_point(|start| *start <= c) - 1;
        let ascii = std::array::from_fn(|c| class(c as u32) as u16);
        Self { starts, ascii }
    }

    /// Returns the common refinement of two alphabets: two characters are in the same class if they
    /// are in the same class in both alphabets.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let starts: BTreeSet<u32> = self.starts.iter().chain(&other.starts).copied().collect();
        Self::from_starts(starts.into_iter().collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn class_of(&self, c: char) -> usize {
        match self.ascii.get(c as usize) {
            Some(class) => usize::from(*class),
            None => self.starts.partition_point(|start| *start <= u32::from(c)) - 1,
        }
    }

    /// Returns one character from each class that is not empty.
    pub(crate) fn examples(&self) -> impl Iterator<Item = char> + '_ {
        self.starts
            .iter()
            .filter_map(|start| char::from_u32(*start))
    }
}
