//! Masks passwords in messages and pages, in valid and invalid references.

use std::borrow::Cow;
use std::ops::Range;
pub use urikit_access::mask::MASK;
use urikit_access::mask::passwords;

/// A string with masked passwords.
#[derive(Debug)]
pub struct Masked<'a> {
    original: &'a str,
    /// The text to show.
    pub text: Cow<'a, str>,
    /// The masked ranges of the original text, in order.
    secrets: Vec<Range<usize>>,
}

impl<'a> Masked<'a> {
    /// Masks the passwords in `text`, unless `show_secrets` is true.
    pub fn new(text: &'a str, show_secrets: bool) -> Self {
        let secrets = if show_secrets {
            Vec::new()
        } else {
            passwords(text.as_bytes())
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

    /// Returns the masked ranges of the original text, in order.
    pub fn secrets(&self) -> impl Iterator<Item = Range<usize>> {
        self.secrets.iter().cloned()
    }

    /// Returns the original text.
    pub const fn original(&self) -> &'a str {
        self.original
    }

    /// Converts an offset in the original text into one in the masked text. An offset within a
    /// secret becomes the offset of its mask.
    pub fn offset(&self, offset: usize) -> usize {
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

    /// Returns the masked form of the text before `offset` in the original.
    pub fn before(&self, offset: usize) -> &str {
        self.text.get(..self.offset(offset)).unwrap_or(&self.text)
    }

    /// Returns the masked text for a range of the original. Any part of a secret is replaced with
    /// the complete mask.
    pub fn slice(&self, range: Range<usize>) -> &str {
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

    /// Returns true if the byte at `offset` in the original is masked.
    pub fn hides(&self, offset: usize) -> bool {
        self.secrets.iter().any(|secret| secret.contains(&offset))
    }
}

/// Masks the passwords in `text`, unless `show_secrets` is true.
pub fn mask(text: &str, show_secrets: bool) -> Cow<'_, str> {
    Masked::new(text, show_secrets).text
}

#[cfg(test)]
mod tests;
