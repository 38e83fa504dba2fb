//! What becomes of the path.

use super::Level;
use super::dots;
use super::piece::{How, Piece};
use super::scheme;
use crate::{AnyRef, Standard};

/// A path in up to three parts; two of them are empty but for a few schemes.
pub(super) struct Path<'a> {
    parts: [Piece<'a>; 3],
    /// Whether dot segments go. The path is then absolute, and all of it is the first part.
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
            && text.starts_with('/');
        if without_dots || is_slash_omitted || !by_scheme {
            return Self::whole(text, how, without_dots);
        }
        let (start, end) = scheme::caseless(reference);
        let part = |start, end, how| Piece::new(text.get(start..end).unwrap_or_default(), how);
        Self {
            parts: [
                part(0, start, how),
                part(start, end, how.lower()),
                part(end, text.len(), how),
            ],
            without_dots,
        }
    }

    const fn whole(text: &'a str, how: How, without_dots: bool) -> Self {
        let nothing = Piece::new("", how);
        Self {
            parts: [Piece::new(text, how), nothing, nothing],
            without_dots,
        }
    }

    pub(super) fn is_as_written(&self, has_authority: bool) -> bool {
        let [first, ..] = &self.parts;
        // What stands before a path that would look like an authority.
        let guarded = first
            .text
            .strip_prefix("/.")
            .filter(|rest| !has_authority && rest.starts_with("//"));
        self.parts.into_iter().all(Piece::is_as_written)
            && (!self.without_dots || dots::is_without(guarded.unwrap_or(first.text)))
    }

    /// The bytes of all parts.
    fn bytes(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.parts.into_iter().flat_map(Piece::bytes)
    }

    /// Whether both have the same normal form.
    pub(super) fn is_same(&self, other: &Path<'_>) -> bool {
        let [a, ..] = self.parts;
        let [b, ..] = other.parts;
        match (self.without_dots, other.without_dots) {
            (true, true) => dots::is_same(a, b),
            (false, false) => self.bytes().eq(other.bytes()),
            // One begins with a slash, and the other does not.
            _ => false,
        }
    }

    /// Gives the bytes of each segment that stays and a slash, the last segment first; or those of the
    /// whole path.
    pub(super) fn for_each_byte(&self, take: &mut impl FnMut(u8)) {
        let [first, ..] = self.parts;
        if !self.without_dots {
            return self.bytes().for_each(take);
        }
        for segment in dots::Remaining::new(first.text) {
            Piece::new(segment, first.how).bytes().for_each(&mut *take);
            take(b'/');
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn write(&self, has_authority: bool, out: &mut alloc::string::String) {
        let [first, ..] = self.parts;
        if self.without_dots {
            let start = out.len();
            dots::write(first.text, first.how, out);
            // `x:/a/..//b` must not become `x://b`, which has an authority.
            if !has_authority && out.get(start..).is_some_and(|path| path.starts_with("//")) {
                out.insert_str(start, "/.");
            }
        } else {
            for part in self.parts {
                part.write(out);
            }
        }
    }
}
