//! Candidates: bytes that can be in a link. These are colons, and the dots and `@` that guesses
//! start from.
//!
//! Each kind is searched for separately, with the fastest search for it. The next match of each is
//! remembered until it is passed.

use super::colon::Colons;

/// The candidates of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    colons: Colons,
    colon: Next,
    other: Next,
}

/// What is known about the next match.
#[derive(Clone, Copy, Debug, Default)]
enum Next {
    #[default]
    Unknown,
    At(usize),
    None,
}

impl Next {
    /// The next match from `at` on. `find` is called only if the remembered one is passed.
    #[inline]
    fn from(&mut self, at: usize, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        match *self {
            Self::None => None,
            Self::At(next) if next >= at => Some(next),
            _ => {
                let next = find();
                *self = next.map_or(Self::None, Self::At);
                next
            }
        }
    }
}

impl Candidates {
    /// The next colon from `at` on that may end a scheme.
    #[inline]
    pub(crate) fn colon(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        self.colons.next(bytes, at)
    }

    /// The next candidate from `at` on: such a colon, or what `find` finds first in the bytes from
    /// `at` on.
    #[inline]
    pub(crate) fn colon_or(
        &mut self,
        bytes: &[u8],
        at: usize,
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        let colon = self.colon.from(at, || self.colons.next(bytes, at));
        let other = self.other.from(at, || Some(at + find(bytes.get(at..)?)?));
        match (colon, other) {
            (Some(colon), Some(other)) => Some(colon.min(other)),
            (colon, other) => colon.or(other),
        }
    }
}
