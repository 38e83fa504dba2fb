//! A grammar compiled for generating strings. The compiled grammar records where each alternative
//! is, how to reach it, and how to complete a string with the fewest characters.

use std::collections::VecDeque;

use super::grammar::Grammar;
use super::node::{Name, Node};
use super::ways::{Times, is_one_way, own_ways, times};

/// The kind of a rule's element, with the alternatives that it offers.
#[derive(Debug)]
pub(crate) enum Kind {
    Literal {
        text: String,
        any_case: bool,
    },
    Range(u32, u32),
    Sequence(Vec<Part>),
    /// The alternatives that match at least one string, each with its number.
    Choice(Vec<(usize, Part)>),
    /// The way that takes the option has the number `way`, and the way that omits it has the next
    /// number.
    Optional {
        way: usize,
        of: Box<Part>,
    },
    Repeat {
        min: u32,
        max: Option<u32>,
        way: usize,
        of: Box<Part>,
    },
    Rule(usize),
    Except {
        rule: usize,
        names: Vec<Name>,
    },
}

#[derive(Debug)]
pub(crate) struct Part {
    pub kind: Kind,
    /// The alternatives of this part and of all parts inside it.
    ways: std::ops::Range<usize>,
    /// The rules to which this part refers.
    rules: Vec<usize>,
    /// The length of the shortest string that this part matches.
    pub least: usize,
}

/// A rule that matches at least one string.
#[derive(Debug)]
pub(crate) struct Body {
    pub part: Part,
    /// The number of the rule's single way, if the rule has no alternatives at its top level.
    pub complete: Option<usize>,
}

/// All rules of a grammar, and the distances between them.
#[derive(Debug)]
pub(crate) struct Map {
    pub bodies: Vec<Option<Body>>,
    /// The rule and the text of each alternative.
    pub ways: Vec<(usize, String)>,
    /// `distances[from][to]` is the number of steps from one rule to another, or `FAR` if the
    /// second cannot be reached from the first.
    distances: Vec<Vec<usize>>,
}

/// The distance to a rule or an alternative that cannot be reached.
pub(crate) const FAR: usize = usize::MAX;

impl Map {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let productive = grammar.productive();
        let mut builder = Builder {
            grammar,
            productive: &productive,
            least: leasts(grammar),
            next: 0,
        };
        let mut bodies = Vec::new();
        let mut ways = Vec::new();
        for (at, rule) in grammar.rules().iter().enumerate() {
            builder.next = ways.len();
            ways.extend(
                super::ways::ways(&rule.body)
                    .into_iter()
                    .map(|text| (at, text)),
            );
            let complete = is_one_way(&rule.body).then_some(builder.next);
            builder.next += usize::from(complete.is_some());
            bodies.push(builder.part(&rule.body).map(|part| Body { part, complete }));
        }
        let distances = (0..bodies.len())
            .map(|from| distances(&bodies, from))
            .collect();
        Self {
            bodies,
            ways,
            distances,
        }
    }

    /// Returns the number of rules between a part and an alternative, or `FAR` if the alternative
    /// cannot be reached.
    pub(super) fn distance(&self, part: &Part, way: usize) -> usize {
        if part.ways.contains(&way) {
            return 0;
        }
        let (to, _) = self.ways[way];
        part.rules
            .iter()
            .map(|rule| self.distances[*rule][to].saturating_add(1))
            .min()
            .unwrap_or(FAR)
    }

    /// Returns the alternatives that can be used to generate strings of this rule.
    pub(super) fn reachable(&self, start: usize) -> Vec<usize> {
        let taken =
            |way: &usize| self.distances[start][self.ways[*way].0] != FAR && self.is_open(*way);
        (0..self.ways.len()).filter(taken).collect()
    }

    /// Returns true if some string uses this alternative.
    fn is_open(&self, way: usize) -> bool {
        self.bodies[self.ways[way].0]
            .as_ref()
            .is_some_and(|body| body.complete == Some(way) || body.part.offers(way))
    }
}

impl Kind {
    /// Returns the rules that can be reached from this part.
    fn rules(&self) -> Vec<usize> {
        let all = |parts: &mut dyn Iterator<Item = &Part>| {
            parts.flat_map(|part| part.rules.iter().copied()).collect()
        };
        match self {
            Kind::Literal { .. } | Kind::Range(..) | Kind::Repeat { max: Some(0), .. } => {
                Vec::new()
            }
            Kind::Sequence(parts) => all(&mut parts.iter()),
            Kind::Choice(parts) => all(&mut parts.iter().map(|(_, part)| part)),
            Kind::Optional { of, .. } | Kind::Repeat { of, .. } => of.rules.clone(),
            Kind::Rule(rule) | Kind::Except { rule, .. } => vec![*rule],
        }
    }
}

impl Part {
    /// Returns true if the part, or a part inside it, offers this alternative.
    fn offers(&self, wanted: usize) -> bool {
        match &self.kind {
            Kind::Literal { .. } | Kind::Range(..) | Kind::Rule(_) | Kind::Except { .. } => false,
            Kind::Sequence(parts) => parts.iter().any(|part| part.offers(wanted)),
            Kind::Choice(parts) => parts
                .iter()
                .any(|(way, part)| *way == wanted || part.offers(wanted)),
            Kind::Optional { way, of } => (*way..way + 2).contains(&wanted) || of.offers(wanted),
            Kind::Repeat { min, max, way, of } => {
                let own = *way..way + times(*min, *max).len();
                own.contains(&wanted) || (*max != Some(0) && of.offers(wanted))
            }
        }
    }
}

/// Returns the allowed numbers of repetitions, each with the number of its alternative.
pub(crate) fn times_ways(min: u32, max: Option<u32>, way: usize) -> Vec<(usize, Times)> {
    times(min, max)
        .into_iter()
        .enumerate()
        .map(|(at, times)| (way + at, times))
        .collect()
}

/// Returns the distances from one rule to all others.
fn distances(bodies: &[Option<Body>], from: usize) -> Vec<usize> {
    let mut distances = vec![FAR; bodies.len()];
    distances[from] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(rule) = open.pop_front() {
        for next in bodies[rule].iter().flat_map(|body| &body.part.rules) {
            if distances[*next] == FAR {
                distances[*next] = distances[rule] + 1;
                open.push_back(*next);
            }
        }
    }
    distances
}

/// Returns, for each rule, the length of the shortest string that it matches, or `FAR` if it
/// matches nothing.
fn leasts(grammar: &Grammar) -> Vec<usize> {
    let mut known = vec![FAR; grammar.rules().len()];
    loop {
        let next: Vec<usize> = grammar
            .rules()
            .iter()
            .map(|rule| least(grammar, &known, &rule.body))
            .collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn least(grammar: &Grammar, known: &[usize], node: &Node) -> usize {
    let least = |node| least(grammar, known, node);
    match node {
        Node::Literal { text, .. } => text.chars().count(),
        Node::Range(..) => 1,
        Node::Sequence(nodes) => nodes.iter().map(least).fold(0, usize::saturating_add),
        Node::Choice(nodes) => nodes.iter().map(least).min().unwrap_or(FAR),
        Node::Optional(_) | Node::Repeat { min: 0, .. } => 0,
        Node::Repeat { min, of, .. } => least(of).saturating_mul(*min as usize),
        Node::Rule(name) | Node::Except { rule: name, .. } => {
            grammar.position(name).map_or(FAR, |at| known[at])
        }
    }
}

/// Numbers the alternatives in the order of [`ways`](super::ways).
struct Builder<'a> {
    grammar: &'a Grammar,
    productive: &'a [bool],
    least: Vec<usize>,
    next: usize,
}

impl Builder<'_> {
    /// Returns the part for a node, or `None` if it matches nothing. The alternatives of the node
    /// are counted even if it matches nothing.
    fn part(&mut self, node: &Node) -> Option<Part> {
        let way = self.next;
        self.next += own_ways(node).len();
        let kind = match node {
            Node::Literal { text, any_case } => Some(Kind::Literal {
                text: text.clone(),
                any_case: *any_case,
            }),
            Node::Range(low, high) => Some(Kind::Range(*low, *high)),
            Node::Sequence(nodes) => {
                let parts: Vec<Option<Part>> = nodes.iter().map(|node| self.part(node)).collect();
                parts.into_iter().collect::<Option<_>>().map(Kind::Sequence)
            }
            Node::Choice(nodes) => {
                let parts: Vec<Option<Part>> = nodes.iter().map(|node| self.part(node)).collect();
                let parts = parts
                    .into_iter()
                    .enumerate()
                    .filter_map(|(at, part)| Some((way + at, part?)));
                Some(Kind::Choice(parts.collect()))
                    .filter(|_| self.grammar.node_is_productive(node, self.productive))
            }
            Node::Optional(of) => {
                let of = self.part(of);
                Some(of.map_or(Kind::Sequence(Vec::new()), |of| Kind::Optional {
                    way,
                    of: Box::new(of),
                }))
            }
            Node::Repeat { min, max, of } => match self.part(of) {
                Some(of) => Some(Kind::Repeat {
                    min: *min,
                    max: *max,
                    way,
                    of: Box::new(of),
                }),
                None => (*min == 0).then_some(Kind::Sequence(Vec::new())),
            },
            Node::Rule(name) => self.productive_rule(name).map(Kind::Rule),
            Node::Except { rule, names } => self.productive_rule(rule).map(|rule| Kind::Except {
                rule,
                names: names.clone(),
            }),
        };
        let kind = kind?;
        let least = least(self.grammar, &self.least, node);
        Some(Part {
            rules: kind.rules(),
            kind,
            ways: way..self.next,
            least,
        })
    }

    fn productive_rule(&self, name: &str) -> Option<usize> {
        self.grammar
            .position(name)
            .filter(|at| self.productive[*at])
    }
}
