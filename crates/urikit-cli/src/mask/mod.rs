//! Passwords in what people see: masked, in references that are valid and in those that are not.

mod secrets;

use secrets::secrets;
use std::borrow::Cow;
use std::ops::Range;
pub(crate) use urikit::component::MASK;

/// A text in which the passwords are masked.
#[derive(Debug)]
pub(crate) struct Masked<'a> {
    original: &'a str,
    /// The text to show.
    pub(crate) text: Cow<'a, str>,
    /// What was masked, in the original, in order.
    secrets: Vec<Range<usize>>,
}

impl<'a> Masked<'a> {
    /// Masks `text`; or shows it as it is.
    pub(crate) fn new(text: &'a str, show_secrets: bool) -> Self {
        let secrets = if show_secrets {
            Vec::new()
        } else {
            secrets(text.as_bytes())
        };
        if secrets.is_empty() {
            return Self {
                original: text,
                text: Cow::Borrowed(text),
                secrets,
            };
        }
        let mut shown = String::with_capacity(text.len());
        let mut from = 0;
        for secret in &secrets {
            shown.push_str(text.get(from..secret.start).unwrap_or_default());
            shown.push_str(MASK);
            from = secret.end;
        }
        shown.push_str(text.get(from..).unwrap_or_default());
        Self {
            original: text,
            text: Cow::Owned(shown),
            secrets,
        }
    }

    /// The text as it is.
    pub(crate) const fn original(&self) -> &'a str {
        self.original
    }

    /// Where the byte at `offset` of the original is shown; the first of the mask, where it is secret.
    pub(crate) fn offset(&self, offset: usize) -> usize {
        let mut shown = offset;
        for secret in self
            .secrets
            .iter()
            .take_while(|secret| secret.start < offset)
        {
            let hidden = secret.end.min(offset) - secret.start;
            let mask = if offset < secret.end { 0 } else { MASK.len() };
            shown = shown - hidden + mask;
        }
        shown
    }

    /// What is shown of what stands before `offset` of the original.
    pub(crate) fn before(&self, offset: usize) -> &str {
        self.text.get(..self.offset(offset)).unwrap_or(&self.text)
    }

    /// What is shown of a range of the original: the whole mask for any part of a secret.
    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        if range.is_empty() {
            return "";
        }
        let inside = |secret: &Range<usize>| secret.start < range.end && range.end < secret.end;
        let mask = if self.secrets.iter().any(inside) {
            MASK.len()
        } else {
            0
        };
        let shown = self.offset(range.start)..self.offset(range.end) + mask;
        self.text.get(shown).unwrap_or_default()
    }

    /// Whether the byte at `offset` of the original is masked.
    pub(crate) fn hides(&self, offset: usize) -> bool {
        self.secrets.iter().any(|secret| secret.contains(&offset))
    }
}

/// `text` with its passwords masked.
pub(crate) fn mask(text: &str, show_secrets: bool) -> Cow<'_, str> {
    Masked::new(text, show_secrets).text
}

#[cfg(test)]
mod tests;
