//! The reference as pages show it: safe to print, with masked passwords.

use crate::mask::Masked;
use crate::reading::Components;
use crate::safe::safe;
use std::borrow::Cow;
use std::ops::Range;

/// A component of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The name of the component.
    pub key: &'static str,
    /// The text as written.
    pub text: &'a str,
}

/// Returns the components that are present, in their order in the reference.
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

/// A reference in its displayed form: safe to print, with masked passwords.
pub struct Shown<'a> {
    masked: Masked<'a>,
}

impl<'a> Shown<'a> {
    /// Masks the passwords in `original`, unless `show_secrets` is true.
    pub fn new(original: &'a str, show_secrets: bool) -> Self {
        let masked = Masked::new(original, show_secrets);
        Self { masked }
    }

    /// Returns the complete masked text. The masked text is not yet safe to print.
    pub fn masked(&self) -> &str {
        &self.masked.text
    }

    /// Returns part of the text. The offsets come from [`range`](Self::range).
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        safe(self.masked.text.get(range).unwrap_or_default())
    }

    /// Returns the range at which `part`, a slice of the original, is shown. If `part` ends within
    /// a secret, the range excludes the mask, so neighbouring ranges never overlap.
    pub fn range(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let place = self.place(part)?;
        Some(self.masked.offset(place.start)..self.masked.offset(place.end))
    }

    /// Returns the range of `part` in the original, or `None` if `part` is not a slice of it.
    fn place(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let start = part
            .text
            .as_ptr()
            .addr()
            .checked_sub(self.original().as_ptr().addr())?;
        let end = start + part.text.len();
        (end <= self.original().len()).then_some(start..end)
    }

    /// Returns the text shown for `part`.
    pub fn value(&self, part: &Part<'_>) -> Cow<'_, str> {
        safe(self.unsafe_value(part))
    }

    /// Returns the text shown for `part`, without making it safe to print.
    pub fn unsafe_value(&self, part: &Part<'_>) -> &str {
        self.place(part)
            .map_or("", |place| self.masked.slice(place))
    }

    /// Returns the original text.
    pub const fn original(&self) -> &'a str {
        self.masked.original()
    }

    /// Converts an offset in the original to an offset in the masked text.
    pub fn offset(&self, offset: usize) -> usize {
        self.masked.offset(offset)
    }

    /// Returns true if the byte at `offset` in the original is masked.
    pub fn hides(&self, offset: usize) -> bool {
        self.masked.hides(offset)
    }
}

/// Shortens a string to `longest` characters, and adds its length in bytes.
pub(super) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{start}… ({} bytes in total)", text.len())
        }
        None => text.to_owned(),
    }
}
