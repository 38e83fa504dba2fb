//! Numbers the alternatives ("ways") of a rule, and breaks single rules of a grammar to show that
//! the tests detect an incorrect grammar.
//!
//! Each alternative counts as one way. A rule without alternatives at its top level is itself a
//! single way. An option has two ways (taken, not taken), and a repetition has up to three (none,
//! one, several), depending on its bounds. The ways are numbered from left to right, outer ways
//! before inner ones. The generator, the reports and every [`Breakage`] use the same numbers.

use super::grammar::{Grammar, Rule};
use super::node::Node;

/// The ways in which a rule can match, each as text.
pub(crate) fn ways(body: &Node) -> Vec<String> {
    let mut all = Vec::new();
    if is_one_way(body) {
        all.push(body.to_string());
    }
    body.walk(&mut |node| all.extend(own_ways(node)));
    all
}

/// Returns true if the body has no alternatives at its top level, so that it counts as a single
/// way.
pub(crate) fn is_one_way(body: &Node) -> bool {
    !matches!(body, Node::Choice(_))
}

/// Returns the ways that a node offers, without those of the nodes inside it.
pub(crate) fn own_ways(node: &Node) -> Vec<String> {
    match node {
        Node::Choice(nodes) => nodes.iter().map(Node::to_string).collect(),
        Node::Optional(_) => vec![format!("{node}: taken"), format!("{node}: not taken")],
        Node::Repeat { min, max, .. } => times(*min, *max)
            .into_iter()
            .map(|times| format!("{node}: {}", times.text()))
            .collect(),
        Node::Literal { .. }
        | Node::Range(..)
        | Node::Sequence(_)
        | Node::Rule(_)
        | Node::Except { .. } => Vec::new(),
    }
}

/// The number of times that an element is repeated: zero, one or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    Zero,
    One,
    More,
}

impl Times {
    fn text(self) -> &'static str {
        match self {
            Times::Zero => "0",
            Times::One => "1",
            Times::More => "more",
        }
    }
}

/// Returns which numbers of repetitions (zero, one, more) the bounds allow.
pub(crate) fn times(min: u32, max: Option<u32>) -> Vec<Times> {
    let within = |least: u32, most: Option<u32>| {
        max.is_none_or(|max| least <= max) && most.is_none_or(|most| min <= most)
    };
    let all = [
        (Times::Zero, within(0, Some(0))),
        (Times::One, within(1, Some(1))),
        (Times::More, within(2, None)),
    ];
    all.into_iter()
        .filter(|(_, allowed)| *allowed)
        .map(|(times, _)| times)
        .collect()
}

/// Returns the body without one of its ways.
pub(crate) fn without(body: &Node, way: usize) -> Node {
    let mut way = Some(way);
    if is_one_way(body) {
        match way {
            Some(0) => return Node::Choice(Vec::new()),
            _ => way = way.map(|way| way - 1),
        }
    }
    remove(body, &mut way)
}

/// Copies a node without one of its ways, whose number (counted from this node) is in `way`. Once
/// the way has been found, `way` becomes `None`.
fn remove(node: &Node, way: &mut Option<usize>) -> Node {
    let own = own_ways(node).len();
    match way {
        Some(at) if *at < own => {
            let at = *at;
            *way = None;
            return remove_own(node, at);
        }
        Some(at) => *at -= own,
        None => {}
    }
    match node {
        Node::Literal { .. } | Node::Range(..) | Node::Rule(_) | Node::Except { .. } => {
            node.clone()
        }
        Node::Sequence(nodes) => {
            Node::Sequence(nodes.iter().map(|node| remove(node, way)).collect())
        }
        Node::Choice(nodes) => Node::Choice(nodes.iter().map(|node| remove(node, way)).collect()),
        Node::Optional(of) => Node::Optional(Box::new(remove(of, way))),
        Node::Repeat { min, max, of } => Node::Repeat {
            min: *min,
            max: *max,
            of: Box::new(remove(of, way)),
        },
    }
}

/// Returns a copy of a node without the way that has this number.
fn remove_own(node: &Node, at: usize) -> Node {
    let empty = || Node::Sequence(Vec::new());
    match node {
        Node::Choice(nodes) => {
            let mut nodes = nodes.clone();
            nodes.remove(at);
            Node::Choice(nodes)
        }
        Node::Optional(of) if at == 1 => (**of).clone(),
        Node::Optional(_) => empty(),
        Node::Repeat { min, max, of } => {
            let repeat = |min, max| Node::Repeat {
                min,
                max,
                of: of.clone(),
            };
            match times(*min, *max)[at] {
                Times::Zero if *max == Some(0) => Node::Choice(Vec::new()),
                Times::Zero => repeat(1, *max),
                Times::One => {
                    let zero = (*min == 0).then(empty);
                    let more = max
                        .is_none_or(|max| max >= 2)
                        .then(|| repeat((*min).max(2), *max));
                    Node::Choice(zero.into_iter().chain(more).collect())
                }
                Times::More if *min >= 2 => Node::Choice(Vec::new()),
                Times::More => repeat(*min, Some(1)),
            }
        }
        _ => node.clone(),
    }
}

/// A defect to introduce into a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// The rule matches nothing, not even the empty string.
    MatchesNothing,
    /// The alternative with this number, in the order of [`Grammar::ways`], is missing.
    WithoutAlternative(usize),
    /// The rule also matches the given character.
    AlsoMatches(char),
}

/// Characters that few or no rules match. The last character does not occur in any test string.
const UNUSUAL: [char; 3] = ['^', '\u{7F}', '\u{FDD0}'];

impl Grammar {
    /// Returns the ways of a rule as text: its alternatives, its options (taken and not taken), and
    /// its repetitions (none, one and several). A rule without alternatives is a single way.
    /// Returns an empty list for a rule that does not exist.
    #[must_use]
    pub fn ways(&self, rule: &str) -> Vec<String> {
        self.rule(rule)
            .map(|rule| ways(&rule.body))
            .unwrap_or_default()
    }

    /// Returns all ways to break a rule: the broken rule matches nothing, lacks one alternative, or
    /// matches one additional character. If alternatives overlap, removing one of them might not
    /// change any verdict; [`difference`](super::difference) can prove this. An additional
    /// character always changes a verdict if the start rule depends on the broken rule.
    #[must_use]
    pub fn breakages(&self, rule: &str) -> Vec<Breakage> {
        let ways = self.ways(rule).len();
        if ways == 0 {
            return Vec::new();
        }
        let mut all = vec![Breakage::MatchesNothing];
        if ways > 1 {
            all.extend((0..ways).map(Breakage::WithoutAlternative));
        }
        let unusual = UNUSUAL
            .into_iter()
            .find(|c| !self.mentions(rule, *c) && !self.mentions(&self.start, *c));
        all.extend(unusual.map(Breakage::AlsoMatches));
        all
    }

    /// Returns true if a character occurs in the rule, or in a rule on which it depends.
    fn mentions(&self, rule: &str, c: char) -> bool {
        let mut found = false;
        for rule in self
            .reachable(rule)
            .into_iter()
            .filter_map(|rule| self.rule(rule))
        {
            rule.body.walk(&mut |node| {
                found |= match node {
                    Node::Literal { text, .. } => text.contains(c),
                    Node::Range(low, high) => (*low..=*high).contains(&u32::from(c)),
                    _ => false,
                }
            });
        }
        found
    }

    /// Returns the grammar with one rule broken, or `None` if the rule or the way does not exist.
    #[must_use]
    pub fn broken(&self, rule: &str, breakage: Breakage) -> Option<Grammar> {
        let old = self.rule(rule)?;
        let body = match breakage {
            Breakage::MatchesNothing => Node::Choice(Vec::new()),
            Breakage::WithoutAlternative(way) if way < ways(&old.body).len() => {
                without(&old.body, way)
            }
            Breakage::WithoutAlternative(_) => return None,
            Breakage::AlsoMatches(c) => {
                let unusual = Node::Literal {
                    text: c.to_string(),
                    any_case: false,
                };
                Node::Choice(vec![old.body.clone(), unusual])
            }
        };
        let mut broken = self.clone();
        broken.put(Rule {
            body,
            ..old.clone()
        });
        Some(broken)
    }
}
