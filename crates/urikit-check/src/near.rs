//! Finds the existing name that is most similar to a missing one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The limits for comparisons: the length of a name in bytes, and the number of names.
const MAX_LENGTH: usize = 200;
const MAX_NAMES: usize = 20_000;

/// The number of names that may still be compared. Without a limit, a page with many wrong links
/// into a large folder would take quadratic time.
#[derive(Debug)]
pub(crate) struct Budget(AtomicUsize);

impl Budget {
    pub(crate) const fn new(names: usize) -> Self {
        Self(AtomicUsize::new(names))
    }

    /// Returns the most similar of `count` names, unless the budget is spent.
    pub(crate) fn nearest<'n>(
        &self,
        name: &str,
        count: usize,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let take = |left: usize| left.checked_sub(count.min(MAX_NAMES));
        let (set, load) = (Ordering::Relaxed, Ordering::Relaxed);
        self.0.fetch_update(set, load, take).ok()?;
        nearest(name, names)
    }
}

impl Default for Budget {
    /// Allows ten million comparisons, which take a few seconds.
    fn default() -> Self {
        Self::new(10_000_000)
    }
}

/// Returns the most similar of several names; `None` if none is similar enough.
///
/// Names that only differ in case, or in the characters between words, are the most similar.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let letters = letters(name);
    let mut best: Option<(usize, &str)> = None;
    for other in names.take(MAX_NAMES) {
        if other.len() > MAX_LENGTH || other == name {
            continue;
        }
        let most = best.map_or(name.len().max(other.len()) / 3, |(least, _)| {
            least.saturating_sub(1)
        });
        if name.len().abs_diff(other.len()) > most.max(3) {
            continue;
        }
        let distance = if !letters.is_empty() && self::letters(other) == letters {
            0
        } else {
            strsim::osa_distance(name, other)
        };
        let is_better = best.is_none_or(|(least, _)| distance < least);
        if is_better && (distance == 0 || distance <= most) {
            best = Some((distance, other));
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the letters and digits in lower case.
fn letters(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Budget, nearest};

    #[test]
    fn similar_names() {
        let find = |name, names: &[&'static str]| nearest(name, names.iter().copied());
        assert_eq!(
            find("instalation", &["usage", "installation"]),
            Some("installation")
        );
        assert_eq!(
            find("Get_Started", &["get-started", "get-start"]),
            Some("get-started")
        );
        assert_eq!(find("usage", &["license", "faq"]), None);
        assert_eq!(find("a", &["b"]), None);
        assert_eq!(find("a", &[]), None);
    }

    #[test]
    fn comparisons_are_limited() {
        let budget = Budget::new(3);
        let find = || budget.nearest("usag", 2, ["usage", "faq"].into_iter());
        assert_eq!((find(), find()), (Some("usage"), None));
    }
}
