//! The differences between two strings.

use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};
use std::time::{Duration, Instant};
use urikit_report::safe::safe;

/// The maximum length of a string, in characters. Longer strings are cut off.
const LONGEST: usize = 1000;

/// The time after which the comparison becomes coarser.
const TIME: Duration = Duration::from_millis(20);

/// A piece of a string.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// True if the other string does not contain this piece.
    pub(super) is_changed: bool,
    /// The text, safe to print.
    pub(super) text: String,
}

/// Two strings, divided at their differences.
pub(super) struct Difference {
    pub(super) before: Vec<Piece>,
    pub(super) after: Vec<Piece>,
}

impl Difference {
    /// Compares two strings character by character.
    pub(super) fn new(before: &str, after: &str) -> Self {
        let [old, new] = [before, after].map(|text| cut(text).chars().collect::<Vec<_>>());
        let deadline = Some(Instant::now() + TIME);
        let mut difference = Self {
            before: Vec::new(),
            after: Vec::new(),
        };
        for operation in capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline) {
            let is_changed = operation.tag() != DiffTag::Equal;
            push(
                &mut difference.before,
                is_changed,
                old.get(operation.old_range()),
            );
            push(
                &mut difference.after,
                is_changed,
                new.get(operation.new_range()),
            );
        }
        difference
    }

    /// Returns true if the strings are equal.
    pub(super) fn is_empty(&self) -> bool {
        !self
            .before
            .iter()
            .chain(&self.after)
            .any(|piece| piece.is_changed)
    }
}

/// Appends characters.
fn push(pieces: &mut Vec<Piece>, is_changed: bool, text: Option<&[char]>) {
    let text: String = text.unwrap_or_default().iter().collect();
    if !text.is_empty() {
        let text = safe(&text).into_owned();
        pieces.push(Piece { is_changed, text });
    }
}

/// Truncates a long string and marks it as truncated.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            let begin = text.get(..end).unwrap_or_default();
            format!("{begin}… ({} bytes in total)", text.len())
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, Piece};

    fn shown(pieces: &[Piece]) -> String {
        let piece = |piece: &Piece| {
            if piece.is_changed {
                format!("[{}]", piece.text)
            } else {
                piece.text.clone()
            }
        };
        pieces.iter().map(piece).collect()
    }

    #[test]
    fn changed_characters_are_marked() {
        for (before, after, removed, added) in [
            (
                "http://A/%7eb",
                "http://a/~b",
                "http://[A]/[%7e]b",
                "http://[a]/[~]b",
            ),
            ("http://a/./b", "http://a/b", "http://a/[./]b", "http://a/b"),
            ("http://a", "http://a/", "http://a", "http://a[/]"),
            ("é", "é", "é", "é"),
            ("", "", "", ""),
        ] {
            let difference = Difference::new(before, after);
            assert_eq!(shown(&difference.before), removed);
            assert_eq!(shown(&difference.after), added);
            assert_eq!(difference.is_empty(), before == after);
        }
    }

    #[test]
    fn long_strings_are_cut() {
        let difference = Difference::new(&"a".repeat(100_000), "");
        assert!(shown(&difference.before).ends_with("a… (100000 bytes in total)]"));
        assert!(shown(&difference.before).len() < 2000);
    }
}
