//! Finds the name that is most similar to one that does not exist.

/// The length in bytes of names that are compared, and the number of names.
const MAX_LENGTH: usize = 200;
const MAX_NAMES: usize = 20_000;

/// Returns the most similar of several names; `None` if none is similar enough.
///
/// Names that only differ in case, or in the characters between words, are the most similar.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
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
    use super::nearest;

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
}
