//! A grammar with one rule broken, to show that the tests notice.

use super::grammar::{Grammar, Rule};
use super::node::Node;
use super::ways::{ways, without};

/// What is wrong with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// It matches nothing, not even the empty string.
    MatchesNothing,
    /// It has lost the way of this number, in the order of [`Grammar::ways`].
    WithoutAlternative(usize),
    /// It also matches this one character.
    AlsoMatches(char),
}

/// Characters that hardly any rule matches; that a reference may hold anywhere is true of none of them.
const STRANGERS: [char; 4] = ['^', '\u{7F}', '\u{FDD0}', ' '];

impl Grammar {
    /// The ways of a rule as text: alternatives, options taken and not taken, repetitions of 0, 1 and more, and the whole
    /// rule where it has no alternatives. None for a rule that is not there.
    #[must_use]
    pub fn ways(&self, rule: &str) -> Vec<String> {
        self.rule(rule)
            .map(|rule| ways(&rule.body))
            .unwrap_or_default()
    }

    /// All ways to break a rule: nothing at all, each alternative left out, one character too many. Where alternatives
    /// overlap, leaving one out may change no verdict ([`difference`](super::difference) tells); the last always does,
    /// if the start rule needs the rule.
    #[must_use]
    pub fn breakages(&self, rule: &str) -> Vec<Breakage> {
        let ways = self.ways(rule).len();
        if ways == 0 {
            return Vec::new();
        }
        let alone = self.single_characters(rule);
        let mut all = vec![Breakage::MatchesNothing];
        if ways > 1 {
            all.extend((0..ways).map(Breakage::WithoutAlternative));
        }
        all.extend(
            STRANGERS
                .into_iter()
                .find(|c| !alone(*c))
                .map(Breakage::AlsoMatches),
        );
        all
    }

    /// Tells whether a rule matches a character that stands alone.
    fn single_characters(&self, rule: &str) -> impl Fn(char) -> bool {
        let mut recogniser = super::Recogniser::new(self, rule);
        let matched = STRANGERS.map(|c| recogniser.judge(c.encode_utf8(&mut [0; 4])).valid);
        move |c| {
            STRANGERS
                .iter()
                .zip(matched)
                .any(|(stranger, matched)| *stranger == c && matched)
        }
    }

    /// The grammar with that rule broken, or `None` if there is no such rule or no such way.
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
                let stranger = Node::Literal {
                    text: c.to_string(),
                    any_case: false,
                };
                Node::Choice(vec![old.body.clone(), stranger])
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
