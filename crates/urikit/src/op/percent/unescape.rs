//! What a text has of escapes, by masks.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::scan::{BLOCK, Block, Blocks, HEX, Level, Scanner, Work};

/// What a text has of escapes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// No `%`.
    None,
    /// Two hexadecimal digits follow each `%`.
    Good,
    /// They do not follow one of them.
    Bad,
}

/// What a text has of escapes; `None` where no scanner can tell.
#[inline]
pub(super) fn escapes(text: &[u8]) -> Option<Escapes> {
    Level::best().run(Digits { text })
}

struct Digits<'t> {
    text: &'t [u8],
}

impl Work for Digits<'_> {
    type Output = Escapes;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<Escapes> {
        // The places at which the block before wants a digit.
        let mut wanted = 0;
        let mut found = Escapes::None;
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((_, block)) = blocks.next() {
            let percent = block.is(b'%');
            wanted |= percent << 1 | percent << 2;
            if wanted != 0 {
                found = Escapes::Good;
                if wanted & !block.members(&HEX) != 0 {
                    return Some(Escapes::Bad);
                }
            }
            // What the masks have no bits for is beyond the text's end as well.
            wanted = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        }
        Some(if wanted == 0 { found } else { Escapes::Bad })
    }
}

/// Whether there is no `%`, nor a `+` where that is asked for too; `None` where no scanner can tell.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn is_plain(text: &[u8], plus: bool) -> Option<bool> {
    Level::best().run(Plain { text, plus })
}

#[cfg(feature = "alloc")]
struct Plain<'t> {
    text: &'t [u8],
    plus: bool,
}

#[cfg(feature = "alloc")]
impl Work for Plain<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((_, block)) = blocks.next() {
            if block.is(b'%') != 0 || self.plus && block.is(b'+') != 0 {
                return Some(false);
            }
        }
        Some(true)
    }
}
