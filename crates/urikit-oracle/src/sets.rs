//! Rules that are sets of characters.

use super::grammar::Grammar;
use super::node::Node;
use super::recognise::Recogniser;

impl Grammar {
    /// The characters of a rule, as sorted ranges that do not touch; `None` unless every string it
    /// matches is a single character.
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

    /// Whether every string that the rule matches is one US-ASCII character.
    #[must_use]
    pub fn accepts_only_single_bytes(&self, rule: &str) -> bool {
        self.characters(rule)
            .is_some_and(|ranges| ranges.iter().all(|range| range.1 < 0x80))
    }

    /// The US-ASCII characters of a rule whose strings are all single characters. From 0x80 on
    /// everything is false.
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

    /// The US-ASCII characters that a rule matches on their own, whatever else it matches: for
    /// `pchar`, all that need no percent-encoding.
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

    /// Adds the ranges of a node; `None` if it matches anything but single characters. `depth`
    /// bounds the recursion: a rule that refers to itself matches more than single characters.
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
