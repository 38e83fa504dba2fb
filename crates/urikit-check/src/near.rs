//! Finds the existing name that is most similar to a missing one.
//!
//! A folder or a page is indexed the first time a name is not found in it. A hash finds names with
//! the same letters. Otherwise, names of a similar length are compared, starting with the nearest
//! length. Before each comparison, character counts rule out names that cannot be similar enough.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// The limits for comparisons: the length of a name in bytes, and the number of names.
const MAX_LENGTH: usize = 200;
const MAX_NAMES: usize = 20_000;

/// The cost of comparing two names, relative to that of reading an entry of the index.
const COMPARISON: usize = 32;

/// The amount of work that searches may still do in a run. Without a limit, a page with many wrong
/// links into a large folder would take quadratic time.
#[derive(Debug)]
pub(crate) struct Budget(AtomicUsize);

impl Budget {
    pub(crate) const fn new(looks: usize) -> Self {
        Self(AtomicUsize::new(looks))
    }

    /// Returns the most similar name, unless the budget is spent.
    pub(crate) fn nearest<'n>(&self, name: &str, names: &'n Names) -> Option<&'n str> {
        let left = self.0.load(Ordering::Relaxed);
        let (found, cost) = names.nearest(name, left);
        self.spend(cost);
        found
    }

    /// Takes `cost` from the budget. Returns false if the budget was spent before.
    pub(crate) fn spend(&self, cost: usize) -> bool {
        let take = |left: usize| Some(left.saturating_sub(cost));
        let left = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        // The update cannot fail, because `take` always returns a value.
        left.is_ok_and(|left| left > 0)
    }
}

impl Default for Budget {
    /// Allows about one or two seconds of work.
    fn default() -> Self {
        Self::new(20_000_000)
    }
}

/// Names that may be similar to a missing one.
#[derive(Default, Debug)]
pub(crate) struct Names {
    all: Vec<(Box<str>, Bag)>,
    /// Maps the hash of a name's letters and digits, in lower case, to the first name with that
    /// hash.
    by_letters: HashMap<u64, usize>,
    /// The names, grouped by their number of characters.
    by_length: BTreeMap<usize, Vec<usize>>,
}

impl Names {
    /// Indexes names, except those that are too long. If there are too many, the last ones are
    /// omitted.
    pub(crate) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut sorted: Vec<&str> = names.filter(|name| name.len() <= MAX_LENGTH).collect();
        sorted.sort_unstable();
        sorted.truncate(MAX_NAMES);
        let mut index = Self::default();
        for (number, name) in sorted.into_iter().enumerate() {
            if let Some(letters) = letters(name) {
                index.by_letters.entry(letters).or_insert(number);
            }
            let length = name.chars().count();
            index.by_length.entry(length).or_default().push(number);
            index.all.push((Box::from(name), Bag::of(name)));
        }
        index
    }

    /// Returns the most similar name, or `None` if none is similar enough, and the cost of the
    /// search. The most similar names differ only in case or in the characters between words.
    fn nearest(&self, name: &str, most_cost: usize) -> (Option<&str>, usize) {
        let mut cost = 1;
        if name.len() > MAX_LENGTH || most_cost == 0 {
            return (None, 0);
        }
        let same = letters(name).and_then(|letters| self.by_letters.get(&letters));
        if let Some((same, _)) = same.and_then(|number| self.all.get(*number)) {
            return (
                Some(same).map(|same| &**same).filter(|same| *same != name),
                cost,
            );
        }
        let (length, bag) = (name.chars().count(), Bag::of(name));
        let mut best: Option<(usize, &str)> = None;
        // Two names are similar if at most a third of the longer one differs.
        for difference in 0..=length / 2 {
            if best.is_some_and(|(least, _)| difference >= least) {
                break;
            }
            let lengths = [
                length.checked_sub(difference),
                length.checked_add(difference),
            ];
            let distinct = if difference == 0 { 1 } else { 2 };
            for other_length in lengths.into_iter().flatten().take(distinct) {
                let most = length.max(other_length) / 3;
                for number in self.by_length.get(&other_length).into_iter().flatten() {
                    let Some((other, other_bag)) = self.all.get(*number) else {
                        continue;
                    };
                    let most = best.map_or(most, |(least, _)| most.min(least.saturating_sub(1)));
                    cost += 1;
                    if cost > most_cost {
                        return (best.map(|(_, name)| name), cost);
                    }
                    if bag.distance(other_bag) > most || **other == *name {
                        continue;
                    }
                    cost += COMPARISON;
                    let distance = strsim::osa_distance(name, other);
                    if distance <= most {
                        best = Some((distance, other));
                    }
                }
            }
        }
        (best.map(|(_, name)| name), cost)
    }
}

/// The number of characters in each of 32 classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bag([u8; 32]);

impl Bag {
    fn of(name: &str) -> Self {
        let mut bag = [0_u8; 32];
        for c in name.chars() {
            if let Some(count) = bag.get_mut((u32::from(c) & 31) as usize) {
                *count = count.saturating_add(1);
            }
        }
        Self(bag)
    }

    /// Returns a lower bound on the number of insertions, deletions and substitutions that turn one
    /// name into the other.
    fn distance(&self, other: &Self) -> usize {
        let (mut more, mut less) = (0, 0);
        for (one, other) in self.0.iter().zip(&other.0) {
            more += usize::from(one.saturating_sub(*other));
            less += usize::from(other.saturating_sub(*one));
        }
        more.max(less)
    }
}

/// Returns the hash of a name's letters and digits in lower case, or `None` if it has none.
fn letters(name: &str) -> Option<u64> {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    let letters: String = kept.flat_map(char::to_lowercase).collect();
    (!letters.is_empty()).then(|| xxh3_64(letters.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Bag, Budget, Names};

    fn find(name: &str, names: &[&str]) -> Option<String> {
        let names = Names::new(names.iter().copied());
        let found = Budget::default().nearest(name, &names);
        found.map(str::to_owned)
    }

    #[test]
    fn similar_names() {
        for (name, names, expected) in [
            (
                "instalation",
                &["usage", "installation"][..],
                Some("installation"),
            ),
            (
                "Get_Started",
                &["get-started", "get-start"],
                Some("get-started"),
            ),
            // A third of the longer name differs, or more.
            ("abcdef", &["abcdxy"], Some("abcdxy")),
            ("abcdef", &["abcxyz"], None),
            ("abcdef", &["abcdefghi"], Some("abcdefghi")),
            ("abcdef", &["abcdefghij"], None),
            // The nearest of several, whatever their order and length.
            ("option", &["optio", "optoin", "options-x"], Some("optoin")),
            ("caf\u{e9}s", &["caf\u{e9}", "cafe"], Some("caf\u{e9}")),
            ("usage", &["license", "faq"], None),
            ("usage", &["usage"], None),
            ("a", &["b"], None),
            ("a", &[], None),
            ("-", &["--"], None),
        ] {
            assert_eq!(find(name, names).as_deref(), expected, "{name} {names:?}");
        }
    }

    #[test]
    fn the_work_is_limited() {
        let names = Names::new(["usage", "faq"].into_iter());
        let budget = Budget::new(35);
        let find = || budget.nearest("usag", &names);
        assert_eq!((find(), find(), find()), (Some("usage"), None, None));
    }

    #[test]
    fn a_bag_never_exceeds_the_distance() {
        let names = [
            "",
            "a",
            "ab",
            "ba",
            "abc",
            "xyz",
            "aAa",
            "\u{e9}t\u{e9}",
            "page-001",
            "page_01",
        ];
        for one in names {
            for other in names {
                let distance = strsim::osa_distance(one, other);
                assert!(
                    Bag::of(one).distance(&Bag::of(other)) <= distance,
                    "{one} {other}"
                );
            }
        }
    }
}
