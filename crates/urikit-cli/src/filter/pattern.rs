//! Value tests: patterns, regular expressions and numbers.

use regex::bytes::Regex;
use std::cmp::Ordering;

/// A test of a value.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// One of the patterns must match the entire value.
    Patterns(Vec<Glob>),
    /// The expression must match a part of the value.
    Regex(Regex),
    /// The value must be a decimal integer, and comparing it with the given number must yield one
    /// of these orderings.
    Number(&'static [Ordering], i128),
}

impl Test {
    /// Returns true if a value passes the filter.
    pub(super) fn passes(&self, text: &[u8]) -> bool {
        match self {
            Self::Patterns(patterns) => patterns.iter().any(|pattern| pattern.matches(text)),
            Self::Regex(regex) => regex.is_match(text),
            Self::Number(orders, number) => str::from_utf8(text)
                .ok()
                .and_then(integer)
                .is_some_and(|value| orders.contains(&value.cmp(number))),
        }
    }
}

/// Reads a decimal integer.
pub(super) fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    // Without this check, `parse` would accept a `+`.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// A pattern in which `*` matches any text, split at its asterisks, in lower case.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    first: Vec<u8>,
    /// The pieces after the asterisks.
    others: Vec<Vec<u8>>,
}

impl Glob {
    /// Parses a pattern; `\*` is a literal asterisk.
    pub(super) fn new(pattern: &str) -> Self {
        let mut pieces = vec![Vec::new()];
        let mut bytes = pattern
            .to_ascii_lowercase()
            .into_bytes()
            .into_iter()
            .peekable();
        while let Some(byte) = bytes.next() {
            if byte == b'*' {
                pieces.push(Vec::new());
                continue;
            }
            let is_escape = byte == b'\\' && bytes.peek() == Some(&b'*');
            let byte = if is_escape { bytes.next() } else { Some(byte) };
            if let Some(last) = pieces.last_mut() {
                last.extend(byte);
            }
        }
        let mut pieces = pieces.into_iter();
        Self {
            first: pieces.next().unwrap_or_default(),
            others: pieces.collect(),
        }
    }

    /// Applies `change` to each piece of text between asterisks.
    pub(super) fn map(self, change: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        Self {
            first: change(&self.first).to_ascii_lowercase(),
            others: self
                .others
                .iter()
                .map(|piece| change(piece).to_ascii_lowercase())
                .collect(),
        }
    }

    /// Returns true if the pattern matches all of `text`, ignoring ASCII case.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let text = text.to_ascii_lowercase();
        let Some((last, middle)) = self.others.split_last() else {
            return text == self.first;
        };
        let Some(mut rest) = text.strip_prefix(self.first.as_slice()) else {
            return false;
        };
        for piece in middle {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, integer};

    #[test]
    fn integers_are_decimal() {
        for (text, number) in [
            ("0", Some(0)),
            ("-7", Some(-7)),
            ("080", Some(80)),
            ("+1", None),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("0x1", None),
        ] {
            assert_eq!(integer(text), number, "{text}");
        }
    }

    #[test]
    fn an_asterisk_matches_any_text() {
        for (pattern, text, is_match) in [
            ("a", "A", true),
            ("a", "ab", false),
            ("*.Example.com", "a.b.example.COM", true),
            ("*.example.com", "example.com", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*", "", true),
            ("", "a", false),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
        ] {
            let found = Glob::new(pattern).matches(text.as_bytes());
            assert_eq!(found, is_match, "{pattern} {text}");
        }
    }
}
