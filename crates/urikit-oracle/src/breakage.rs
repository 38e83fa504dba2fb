//! Grammars with one rule broken, to show that the tests notice.

use super::grammar::{Grammar, Rule};
use super::node::Node;
use super::ways::{ways, without};

/// How a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// It matches nothing, not even the empty string.
    MatchesNothing,
    /// The alternative of this number is missing, in the order of [`Grammar::ways`].
    WithoutAlternative(usize),
    /// It also matches this one character.
    AlsoMatches(char),
}

/// Characters that few rules match, or none. No string in the tests contains the last one.
const UNUSUAL: [char; 3] = ['^', '\u{7F}', '\u{FDD0}'];

impl Grammar {
    /// The ways of a rule as text: alternatives, options taken and not taken, repetitions of 0, 1
    /// and more, and the entire rule if it has no alternatives. Empty for a rule that does not
    /// exist.
    #[must_use]
    pub fn ways(&self, rule: &str) -> Vec<String> {
        self.rule(rule)
            .map(|rule| ways(&rule.body))
            .unwrap_or_default()
    }

    /// All ways to break a rule: matching nothing, each alternative left out, one character too
    /// many. Where alternatives overlap, leaving one out may change no verdict, which
    /// [`difference`](super::difference) can prove. The last breakage always changes one, if the
    /// start rule needs the rule.
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

    /// Whether a character occurs in the rule, or in one that it needs.
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

    /// The grammar with that rule broken; `None` if there is no such rule or way.
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
