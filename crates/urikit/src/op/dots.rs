//! Seeing soon that a path has no dot segment, as most have none.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::scan::{BLOCK, Block, Level, Scanner, Work};

/// Whether a dot stands behind a slash. Where none does, no segment but the first can be a dot segment that is written as
/// such.
#[inline]
pub(super) fn follow_slashes(text: &[u8]) -> bool {
    let by_bytes = || text.windows(2).any(|pair| pair == b"/.");
    Level::best().run(Dots { text }).unwrap_or_else(by_bytes)
}

struct Dots<'t> {
    text: &'t [u8],
}

impl Work for Dots<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> bool {
        let mut behind_slash = 0;
        let mut start = 0;
        while start < self.text.len() {
            let block = if start == 0 {
                scanner.first(self.text)
            } else {
                scanner.later(self.text, start)
            };
            let slash = block.is(b'/');
            if block.is(b'.') & (slash << 1 | behind_slash) != 0 {
                return true;
            }
            if S::ONE_BLOCK {
                break;
            }
            behind_slash = slash >> (BLOCK - 1);
            start += BLOCK;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::follow_slashes;

    #[test]
    fn at_every_place() {
        for length in 2..200 {
            let plain = ".x".repeat(length / 2) + "/x";
            assert!(!follow_slashes(plain.as_bytes()));
            for at in 0..plain.len() - 1 {
                let mut text = plain.clone();
                text.replace_range(at..at + 2, "/.");
                assert!(follow_slashes(text.as_bytes()), "{at} of {text}");
            }
        }
    }
}
