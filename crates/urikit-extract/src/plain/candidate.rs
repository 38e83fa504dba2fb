//! The bytes that can be in a link: colons, and what guesses are made from.
//!
//! Each kind is looked for by itself, as fast as that kind can be found, and what was found is kept until it is passed.

use super::colon::Colons;

/// The candidates of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    colons: Colons,
    colon: Next,
    other: Next,
}

/// What is known of where the next one is.
#[derive(Clone, Copy, Debug, Default)]
enum Next {
    #[default]
    Unknown,
    At(usize),
    None,
}

impl Next {
    /// Where the next one is from `at` on; looked for where what is known is passed.
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

    /// The next one from `at` on of those colons, and of what `find` finds first in the bytes behind a place.
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
