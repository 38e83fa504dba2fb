//! The components' positions in the reference, and in the masked text that is shown.

use crate::mask::Masked;
use crate::reading::Components;
use crate::safe::safe;
use std::borrow::Cow;
use std::ops::Range;

/// A component that is present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) key: &'static str,
    /// As written.
    pub(super) text: &'a str,
}

/// The components that are present, in order.
pub(super) fn parts<'a>(components: &Components<'a>) -> Vec<Part<'a>> {
    let userinfo = match components.password {
        Some(_) => [("user", components.user), ("password", components.password)],
        None => [("user", components.userinfo), ("password", None)],
    };
    let all = [
        ("scheme", components.scheme),
        userinfo[0],
        userinfo[1],
        ("host", components.host),
        ("port", components.port),
        ("path", Some(components.path)),
        ("params", components.params),
        ("query", components.query),
        ("fragment", components.fragment),
    ];
    all.into_iter()
        .filter_map(|(key, text)| Some(Part { key, text: text? }))
        .collect()
}

/// A reference as it is shown: safe to print, with passwords masked.
pub(super) struct Shown<'a> {
    masked: Masked<'a>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(original: &'a str, show_secrets: bool) -> Self {
        let masked = Masked::new(original, show_secrets);
        Self { masked }
    }

    /// The complete text, not yet safe to print.
    pub(super) fn masked(&self) -> &str {
        &self.masked.text
    }

    /// Part of the text, by offsets from [`range`](Self::range).
    pub(super) fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        safe(self.masked.text.get(range).unwrap_or_default())
    }

    /// The range where `part`, a slice of the original, is shown. If it ends within a secret, the
    /// range excludes the mask, so that neighbouring ranges never overlap.
    pub(super) fn range(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let place = self.place(part)?;
        Some(self.masked.offset(place.start)..self.masked.offset(place.end))
    }

    /// The range of `part` in the original.
    fn place(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let start = part
            .text
            .as_ptr()
            .addr()
            .checked_sub(self.original().as_ptr().addr())?;
        let end = start + part.text.len();
        (end <= self.original().len()).then_some(start..end)
    }

    /// The text shown for `part`.
    pub(super) fn value(&self, part: &Part<'_>) -> Cow<'_, str> {
        safe(self.unsafe_value(part))
    }

    /// The text shown for `part`, before it is made safe to print.
    pub(super) fn unsafe_value(&self, part: &Part<'_>) -> &str {
        self.place(part)
            .map_or("", |place| self.masked.slice(place))
    }

    /// The original text.
    pub(super) const fn original(&self) -> &'a str {
        self.masked.original()
    }

    /// The offset at which the byte at `offset` of the original is shown.
    pub(super) fn offset(&self, offset: usize) -> usize {
        self.masked.offset(offset)
    }

    /// Whether the byte at `offset` of the original is masked.
    pub(super) fn hides(&self, offset: usize) -> bool {
        self.masked.hides(offset)
    }
}
