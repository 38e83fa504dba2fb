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

    /// Returns true if the text contains this fragment.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let text = comparable(text);
        let mut from = 0;
        while let Some(rest) = text.get(from..) {
            let Some(at) = rest.find(&self.start) else {
                return false;
            };
            let (before, after) = (
                text.get(..from + at),
                text.get(from + at + self.start.len()..),
            );
            if before
                .unwrap_or_default()
                .trim_end()
                .ends_with(&self.prefix)
                && self.ends(after.unwrap_or_default())
            {
                return true;
            }
            let step = rest.get(at..).and_then(|rest| rest.chars().next());
            from += at + step.map_or(1, char::len_utf8);
        }
        false
    }

    /// Returns true if the end and the suffix occur in `after`.
    fn ends(&self, after: &str) -> bool {
        if self.end.is_empty() {
            return after.trim_start().starts_with(&self.suffix);
        }
        let mut ends = after.match_indices(&self.end);
        // Only the first few ends are tried, which keeps the time linear.
        ends.by_ref().take(64).any(|(at, end)| {
            let rest = after.get(at + end.len()..).unwrap_or_default();
            rest.trim_start().starts_with(&self.suffix)
        })
    }
}

/// Returns text in the form in which it is compared: in lower case, without repeated white space.
fn comparable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_text(&mut out, text);
    out.trim().to_lowercase()
}
