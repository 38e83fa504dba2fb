//! The path of a normal form.

use super::Level;
use super::caseless::Caseless;
use super::cases::Cases;
use super::dots;
use super::piece::{How, Piece};
use super::scheme;
use crate::{AnyRef, Standard};
use core::cmp::Ordering;

/// A path, parts of which are case-insensitive under a few schemes.
pub(super) struct Path<'a> {
    cases: Cases<'a>,
    /// Whether dot segments are removed. The path is then absolute, and its case is unchanged.
    without_dots: bool,
}

impl<'a> Path<'a> {
    pub(super) fn new(
        reference: AnyRef<'a>,
        how: How,
        level: Level,
        is_rearranged: &mut bool,
    ) -> Self {
        let text = reference.path().as_str();
        let by_scheme = level >= Level::Scheme;
        let is_slash_omitted = by_scheme && scheme::is_slash_omitted(reference);
        let text = if is_slash_omitted { "/" } else { text };
        *is_rearranged |= is_slash_omitted;
        let without_dots = level >= Level::Path
            && reference.standard() >= Standard::Rfc3986
            && reference.scheme().is_some()
            && !scheme::has_dots_as_data(reference)
            && text.starts_with('/');
        let caseless = if without_dots || is_slash_omitted || !by_scheme {
            Caseless::Nowhere
        } else {
            scheme::caseless(reference)
        };
        Self {
            cases: Cases::new(text, how, caseless),
            without_dots,
        }
    }

    pub(super) fn is_as_written(&self, has_authority: bool) -> bool {
        let text = self.cases.text;
        // What is written before a path that would look like an authority.
        let guarded = text
            .strip_prefix("/.")
            .filter(|rest| !has_authority && rest.starts_with("//"));
        self.cases.is_as_written()
            && (!self.without_dots || dots::is_without(guarded.unwrap_or(text)))
    }

    /// Whether both have the same normal form.
    pub(super) fn is_same(&self, other: &Path<'_>) -> bool {
        match (self.without_dots, other.without_dots) {
            (true, true) => dots::is_same(self.cases.whole(), other.cases.whole()),
            (false, false) => self.cases.bytes().eq(other.cases.bytes()),
            // One begins with a slash and the other does not.
            _ => false,
        }
    }

    /// The order of both normal forms by segments: a slash is less than any other character.
    pub(super) fn compare(&self, other: &Path<'_>) -> Ordering {
        let by_segments = |byte: u8| if byte == b'/' { 0 } else { byte };
        let (a, b) = (self.cases, other.cases);
        match (self.without_dots, other.without_dots) {
            (true, true) => dots::compare(a.whole(), b.whole()),
            (false, false) => a.bytes().map(by_segments).cmp(b.bytes().map(by_segments)),
            // One begins with a slash and the other does not: it is either empty or greater.
            (true, false) if b.text.is_empty() => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, true) => other.compare(self).reverse(),
        }
    }

    /// Passes on the bytes of each segment that remains, and a slash, last segment first; or the
    /// bytes of the complete path.
    pub(super) fn for_each_byte(&self, take: &mut impl FnMut(u8)) {
        let Cases { text, how, .. } = self.cases;
        if !self.without_dots {
            return self.cases.bytes().for_each(take);
        }
        for segment in dots::Remaining::new(text) {
            Piece::new(segment, how).bytes().for_each(&mut *take);
            take(b'/');
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn write(&self, has_authority: bool, out: &mut alloc::string::String) {
        let Cases { text, how, .. } = self.cases;
        if self.without_dots {
            let start = out.len();
            dots::write(text, how, out);
            // `x:/a/..//b` must not become `x://b`, which has an authority.
            if !has_authority && out.get(start..).is_some_and(|path| path.starts_with("//")) {
                out.insert_str(start, "/.");
            }
        } else {
            self.cases.write(out);
        }
    }
}
