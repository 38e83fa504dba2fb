//! Text fragments (URL Fragment Text Directives, 3): `#:~:text=[prefix-,]start[,end][,-suffix]`.

use super::decode;
use super::html::push_text;

/// A text directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TextFragment {
    prefix: String,
    start: String,
    end: String,
    suffix: String,
}

impl TextFragment {
    /// Parses a directive. Returns `None` for other directives, which browsers ignore.
    pub(super) fn parse(directive: &str) -> Option<Self> {
        let parts: Vec<&str> = directive.strip_prefix("text=")?.split(',').collect();
        let mut parts = parts.as_slice();
        let (mut prefix, mut suffix) = ("", "");
        if let [first, rest @ ..] = parts
            && let Some(text) = first.strip_suffix('-')
        {
            (prefix, parts) = (text, rest);
        }
        if let [rest @ .., last] = parts
            && let Some(text) = last.strip_prefix('-')
        {
            (suffix, parts) = (text, rest);
        }
        let (start, end) = match parts {
            [start] => (*start, ""),
            [start, end] => (*start, *end),
            _ => return None,
        };
        Some(Self {
            prefix: comparable(&decode(prefix)),
            start: comparable(&decode(start)),
            end: comparable(&decode(end)),
            suffix: comparable(&decode(suffix)),
        })
    }

    /// Returns true if the text, in [comparable] form, contains this fragment. Takes linear time.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let has_end = !self.end.is_empty();
        let suffix = if has_end { "" } else { &*self.suffix };
        let Some(after) = find_parts(text, &[&self.prefix, &self.start, suffix]) else {
            return false;
        };
        // The text after the first start contains the text after every other start, so no later
        // start needs to be tried.
        let rest = text.get(after..).unwrap_or_default();
        !has_end || find_parts(rest, &[&self.end, &self.suffix]).is_some()
    }
}

/// Finds the first place where all parts that are not empty follow each other, each with or without
/// a space before it. Returns the offset of the end of this place.
///
/// A text has no two spaces in a row, so each way to write the spaces is one string to search for.
fn find_parts(text: &str, parts: &[&str]) -> Option<usize> {
    let mut patterns = vec![String::new()];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let spaced = patterns.iter().filter(|pattern| !pattern.is_empty());
        let spaced: Vec<_> = spaced.map(|pattern| format!("{pattern} {part}")).collect();
        for pattern in &mut patterns {
            pattern.push_str(part);
        }
        patterns.extend(spaced);
    }
    let ends = patterns.iter().filter_map(|pattern| {
        let at = memchr::memmem::find(text.as_bytes(), pattern.as_bytes())?;
        Some(at + pattern.len())
    });
    ends.min()
}

/// Returns text in the form in which it is compared: in lower case, without repeated white space.
pub(super) fn comparable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_text(&mut out, text);
    out.trim().to_lowercase()
}
