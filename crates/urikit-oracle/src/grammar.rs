//! The rules of a grammar, and questions about them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::node::Node;

/// A rule: a name and its definition.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The name, as spelled in the definition.
    pub name: String,
    /// The right side.
    pub body: Node,
    /// The section that defines it: `RFC 2396, 3.3`.
    pub section: Option<String>,
    /// The right side as written, without comments and with single spaces between lines.
    pub text: String,
    /// The file that defines it.
    pub file: PathBuf,
    /// The line in that file, from 1.
    pub line: usize,
}

/// The rules of one file and of those it builds on. Names are compared without case (RFC 5234,
/// 2.1).
#[derive(Debug, Clone)]
pub struct Grammar {
    name: String,
    pub(crate) rules: Vec<Rule>,
    places: HashMap<String, usize>,
    pub(crate) start: String,
    pub(crate) generic: Option<String>,
}

impl Grammar {
    pub(crate) fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            rules: Vec::new(),
            places: HashMap::new(),
            start: String::new(),
            generic: None,
        }
    }

    /// Adds a rule, or replaces the one of the same name.
    pub(crate) fn put(&mut self, rule: Rule) {
        if let Some(at) = self.position(&rule.name) {
            self.rules[at] = rule;
        } else {
            self.places
                .insert(rule.name.to_ascii_lowercase(), self.rules.len());
            self.rules.push(rule);
        }
    }

    pub(crate) fn position(&self, rule: &str) -> Option<usize> {
        self.places.get(&rule.to_ascii_lowercase()).copied()
    }

    /// The file's name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule for a reference, fragment included (`@start`).
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The generic production, fragment included (`@generic`), if the standard has scheme
    /// productions beside it.
    #[must_use]
    pub fn generic(&self) -> Option<&str> {
        self.generic.as_deref()
    }

    /// All rules, in the order of the files, inherited ones first.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule of this name.
    #[must_use]
    pub fn rule(&self, rule: &str) -> Option<&Rule> {
        self.position(rule).and_then(|at| self.rules.get(at))
    }

    /// The section that defines a rule: `RFC 2396, 3.3`.
    #[must_use]
    pub fn section(&self, rule: &str) -> Option<&str> {
        self.rule(rule)?.section.as_deref()
    }

    /// The rules that `start` needs, itself first.
    #[must_use]
    pub fn reachable(&self, start: &str) -> Vec<&str> {
        let mut found: Vec<&Rule> = self.rule(start).into_iter().collect();
        let mut at = 0;
        while let Some(rule) = found.get(at).copied() {
            rule.body.walk(&mut |node| {
                if let Node::Rule(name) | Node::Except { rule: name, .. } = node
                    && let Some(next) = self.rule(name)
                    && !found.iter().any(|rule| std::ptr::eq(*rule, next))
                {
                    found.push(next);
                }
            });
            at += 1;
        }
        found.into_iter().map(|rule| rule.name.as_str()).collect()
    }

    /// The rules that match no string at all. In a sound grammar there are none.
    #[must_use]
    pub fn unproductive(&self) -> Vec<&str> {
        let productive = self.productive();
        self.rules
            .iter()
            .zip(productive)
            .filter(|(_, good)| !good)
            .map(|(rule, _)| rule.name.as_str())
            .collect()
    }

    /// Which rules match some string, in the order of the rules.
    pub(crate) fn productive(&self) -> Vec<bool> {
        self.fixpoint(|node, known| self.node_is_productive(node, known))
    }

    /// Which rules match the empty string.
    fn nullable(&self) -> Vec<bool> {
        self.fixpoint(|node, known| self.node_is_nullable(node, known))
    }

    /// The least set of rules for which `holds` is true, given the rules for which it is known to
    /// be.
    fn fixpoint(&self, holds: impl Fn(&Node, &[bool]) -> bool) -> Vec<bool> {
        let mut known = vec![false; self.rules.len()];
        loop {
            let next: Vec<bool> = self
                .rules
                .iter()
                .map(|rule| holds(&rule.body, &known))
                .collect();
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn is_known(&self, rule: &str, known: &[bool]) -> bool {
        self.position(rule).is_some_and(|at| known[at])
    }

    /// Whether a node matches some string. An `except` is assumed to leave some.
    pub(crate) fn node_is_productive(&self, node: &Node, known: &[bool]) -> bool {
        match node {
            Node::Literal { .. } | Node::Range(..) | Node::Optional(_) => true,
            Node::Sequence(nodes) => nodes
                .iter()
                .all(|node| self.node_is_productive(node, known)),
            Node::Choice(nodes) => nodes
                .iter()
                .any(|node| self.node_is_productive(node, known)),
            Node::Repeat { min, of, .. } => *min == 0 || self.node_is_productive(of, known),
            Node::Rule(rule) | Node::Except { rule, .. } => self.is_known(rule, known),
        }
    }

    fn node_is_nullable(&self, node: &Node, known: &[bool]) -> bool {
        match node {
            Node::Literal { text, .. } => text.is_empty(),
            Node::Range(..) => false,
            Node::Optional(_) => true,
            Node::Sequence(nodes) => nodes.iter().all(|node| self.node_is_nullable(node, known)),
            Node::Choice(nodes) => nodes.iter().any(|node| self.node_is_nullable(node, known)),
            Node::Repeat { min, of, .. } => *min == 0 || self.node_is_nullable(of, known),
            Node::Rule(rule) | Node::Except { rule, .. } => self.is_known(rule, known),
        }
    }

    /// Whether a rule is left-recursive, which the recogniser cannot handle.
    pub(crate) fn is_left_recursive(&self, rule: &str) -> bool {
        let nullable = self.nullable();
        let mut seen = HashSet::new();
        let mut open = Vec::new();
        let begin = |name: &str, open: &mut Vec<usize>| {
            if let Some(rule) = self.rule(name) {
                self.left_corners(&rule.body, &nullable, open);
            }
        };
        begin(rule, &mut open);
        while let Some(at) = open.pop() {
            if Some(at) == self.position(rule) {
                return true;
            }
            if seen.insert(at) {
                begin(&self.rules[at].name, &mut open);
            }
        }
        false
    }

    /// The rules that can occur at the very beginning of a node.
    fn left_corners(&self, node: &Node, nullable: &[bool], found: &mut Vec<usize>) {
        match node {
            Node::Literal { .. } | Node::Range(..) => {}
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.left_corners(node, nullable, found);
                    if !self.node_is_nullable(node, nullable) {
                        break;
                    }
                }
            }
            Node::Choice(nodes) => nodes
                .iter()
                .for_each(|node| self.left_corners(node, nullable, found)),
            Node::Optional(of) | Node::Repeat { of, .. } => self.left_corners(of, nullable, found),
            Node::Rule(name) | Node::Except { rule: name, .. } => found.extend(self.position(name)),
        }
    }
}
