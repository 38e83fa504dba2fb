//! The shortest string that distinguishes two grammars.

use std::collections::{HashMap, VecDeque};

use super::recognise::Recogniser;

/// The shortest string that one of the two accepts and the other does not; `None` if they accept
/// the same strings.
///
/// All pairs of states that a string can lead to are visited, so `None` is a proof. This
/// terminates for grammars without self-embedding, which have finitely many states; all under
/// `spec/abnf` are of this kind.
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

/// The characters that led to a pair of states.
fn path_to(came_from: &HashMap<Pair, Option<(Pair, char)>>, end: Pair) -> String {
    let steps = std::iter::successors(came_from[&end], |(pair, _)| came_from[pair]);
    let mut chars: Vec<char> = steps.map(|(_, c)| c).collect();
    chars.reverse();
    chars.into_iter().collect()
}
