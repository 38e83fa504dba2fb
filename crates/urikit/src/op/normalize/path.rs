//! The path of a normal form, without dot segments (RFC 3986, 5.2.4, which 6.2.2.3 applies to a
//! complete URI).
//!
//! Comparison reads a path backwards. When the comparison reaches a segment, it is already clear
//! whether the segment is kept, because a `..` removes the segment that precedes it. Reading
//! backwards needs no memory, however long the path is, and reads each byte once. Escaped dots
//! also form dot segments, because escapes are decoded first (6.2.2.2).

use super::piece::{Caseless, Cases, Piece, Rules, dot_segment};
use super::{Level, scheme};
use crate::Standard;
#[cfg(feature = "alloc")]
use crate::op::resolve::{AboveRoot, PathWriter};
use crate::reference::{Known, Standards};
use core::cmp::Ordering;

/// A path. Some schemes have paths with case-insensitive parts.
pub(super) struct Path<'a> {
    cases: Cases<'a>,
    /// True if dot segments are removed, which happens only in absolute paths whose case is kept.
    without_dots: bool,
}

impl<'a> Path<'a> {
    pub(super) fn new<S: Standards>(
        reference: Known<'a, S>,
        rules: Rules,
        level: Level,
        is_rearranged: &mut bool,
    ) -> Self {
        let text = reference.path().as_str();
        let by_scheme = level >= Level::Scheme;
        let is_slash_omitted = by_scheme && scheme::is_slash_omitted(reference);
        let text = if is_slash_omitted { "/" } else { text };
        *is_rearranged |= is_slash_omitted;
        let without_dots = removes_dots(reference, text, level);
        let caseless = if without_dots || is_slash_omitted || !by_scheme {
            Caseless::Nowhere
        } else {
            scheme::caseless(reference)
        };
        Self {
            cases: Cases::new(text, rules, caseless),
            without_dots,
        }
    }

    pub(super) fn is_as_written(&self, has_authority: bool) -> bool {
        let text = self.cases.text;
        // The `/.` before a path that would otherwise look like an authority.
        let guarded = text
            .strip_prefix("/.")
            .filter(|rest| !has_authority && rest.starts_with("//"));
        self.cases.is_as_written() && (!self.without_dots || is_without(guarded.unwrap_or(text)))
    }

    /// Returns true if both paths have the same normal form.
    pub(super) fn is_same(&self, other: &Path<'_>) -> bool {
        match (self.without_dots, other.without_dots) {
            (true, true) => is_same(self.cases.whole(), other.cases.whole()),
            (false, false) => self.cases.bytes().eq(other.cases.bytes()),
            // Only one of the paths begins with a slash.
            _ => false,
        }
    }

    /// Compares two normal forms segment by segment, so a slash sorts before any other character.
    pub(super) fn compare(&self, other: &Path<'_>) -> Ordering {
        let by_segments = |byte: u8| if byte == b'/' { 0 } else { byte };
        let (a, b) = (self.cases, other.cases);
        match (self.without_dots, other.without_dots) {
            (true, true) => compare(a.whole(), b.whole()),
            (false, false) => a.bytes().map(by_segments).cmp(b.bytes().map(by_segments)),
            // Only one of the paths begins with a slash. The other path is either empty or greater.
            (true, false) if b.text.is_empty() => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, true) => other.compare(self).reverse(),
        }
    }

    /// Returns the segments that remain after dot segments are removed, last one first, or `None`
    /// if dot segments are kept.
    pub(super) fn remaining(&self) -> Option<impl Iterator<Item = Piece<'a>> + Clone + use<'a>> {
        let Cases { text, rules, .. } = self.cases;
        let segments = self.without_dots.then(|| Remaining::new(text))?;
        Some(segments.map(move |segment| Piece::new(segment, rules)))
    }

    /// Iterates over the bytes of a normal form that keeps dot segments.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.cases.bytes()
    }

    #[cfg(feature = "alloc")]
    pub(super) fn write(&self, has_authority: bool, out: &mut alloc::string::String) {
        let Cases { text, rules, .. } = self.cases;
        if self.without_dots {
            let start = out.len();
            write(text, rules, out);
            // Writing `x:/a/..//b` as `x://b` would turn part of the path into an authority.
            if !has_authority && out.get(start..).is_some_and(|path| path.starts_with("//")) {
                out.insert_str(start, "/.");
            }
        } else {
            self.cases.write(out);
        }
    }
}

/// Returns true if dot segments are removed from this path of the reference.
pub(super) fn removes_dots<S: Standards>(
    reference: Known<'_, S>,
    path: &str,
    level: Level,
) -> bool {
    level >= Level::Path
        && reference.standard() >= Standard::Rfc3986
        && reference.scheme().is_some()
        && !scheme::has_dots_as_data(reference)
        && path.starts_with('/')
}

/// An iterator over the segments of an absolute path that remain after dot segments are removed, as
/// written, last one first.
#[derive(Clone)]
pub(super) struct Remaining<'a> {
    /// The text that is not yet read, or `None` once the first slash has been read.
    rest: Option<&'a str>,
    /// The number of preceding segments that the `..` segments read so far still remove.
    pending: usize,
    is_last: bool,
}

impl<'a> Remaining<'a> {
    /// INVARIANT: `path` begins with a slash.
    pub(super) fn new(path: &'a str) -> Self {
        Self {
            rest: path.strip_prefix('/'),
            pending: 0,
            is_last: true,
        }
    }
}

impl<'a> Iterator for Remaining<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = self.rest?;
            let (before, segment) = match rest.rsplit_once('/') {
                Some((before, segment)) => (Some(before), segment),
                None => (None, rest),
            };
            self.rest = before;
            let is_last = core::mem::replace(&mut self.is_last, false);
            match dot_segment(segment) {
                Some((dots, _)) => {
                    self.pending += usize::from(dots == 2);
                    // The slash before a final dot segment is kept: `/a/.` becomes `/a/`.
                    if is_last {
                        return Some("");
                    }
                }
                None if self.pending > 0 => self.pending -= 1,
                None => return Some(segment),
            }
        }
    }
}

/// Returns true if an absolute path has no dot segment.
pub(super) fn is_without(path: &str) -> bool {
    // In most paths, no segment begins with a dot.
    let begins_like_one = |pair: &[u8]| matches!(pair, [b'/', b'.' | b'%']);
    !path.as_bytes().windows(2).any(begins_like_one)
        || path
            .split('/')
            .all(|segment| dot_segment(segment).is_none())
}

/// Returns true if both absolute paths have the same normal form.
pub(super) fn is_same(a: Piece<'_>, b: Piece<'_>) -> bool {
    let (mut a_rest, mut b_rest) = (Remaining::new(a.text), Remaining::new(b.text));
    loop {
        match (a_rest.next(), b_rest.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if Piece::new(x, a.rules).is_same(Piece::new(y, b.rules)) => {}
            _ => return false,
        }
    }
}

/// Compares the normal forms of absolute paths segment by segment.
///
/// Segments are read from last to first. The numbers of segments therefore determine which segments
/// to compare, and the last difference found is the first one in the paths.
pub(super) fn compare(a: Piece<'_>, b: Piece<'_>) -> Ordering {
    let (a_rest, b_rest) = (Remaining::new(a.text), Remaining::new(b.text));
    let (a_count, b_count) = (a_rest.clone().count(), b_rest.clone().count());
    let both = a_count.min(b_count);
    let pairs = a_rest.skip(a_count - both).zip(b_rest.skip(b_count - both));
    let first_difference = pairs.fold(Ordering::Equal, |later, (x, y)| {
        let (x, y) = (Piece::new(x, a.rules), Piece::new(y, b.rules));
        x.bytes().cmp(y.bytes()).then(later)
    });
    first_difference.then(a_count.cmp(&b_count))
}

/// Appends the normal form of an absolute path.
#[cfg(feature = "alloc")]
pub(super) fn write(path: &str, rules: super::piece::Rules, out: &mut alloc::string::String) {
    let mut writer = PathWriter::new(out, AboveRoot::Drop, false);
    writer.slash();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match dot_segment(segment) {
            Some((2, _)) => {
                writer.up();
            }
            Some(_) => {}
            None => writer.push(segments.peek().is_none(), |out| {
                Piece::new(segment, rules).write(out);
            }),
        }
    }
}
