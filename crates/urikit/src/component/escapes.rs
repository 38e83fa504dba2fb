//! Finds escapes with the scanner, one block at a time.

// Only inlined code is compiled for the scanner's instruction set.
#![allow(clippy::inline_always)]

use urikit_scan::{BLOCK, Block, Blocks, HEX, Level, Scanner, Work};

/// The result of checking the escapes in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// The text contains no `%`.
    None,
    /// Every `%` is followed by two hexadecimal digits.
    Good,
    /// At least one `%` is not followed by two hexadecimal digits.
    Bad,
}

/// Checks the escapes in a string. Returns `None` if no scanner is available.
#[inline]
pub(crate) fn escapes(text: &[u8]) -> Option<Escapes> {
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
        // Positions in this block at which a `%` in the previous block requires a digit.
        let mut required = 0;
        let mut found = Escapes::None;
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((_, block)) = blocks.next() {
            let percent = block.is(b'%');
            required |= percent << 1 | percent << 2;
            if required != 0 {
                found = Escapes::Good;
                if required & !block.members(&HEX) != 0 {
                    return Some(Escapes::Bad);
                }
            }
            // If the text ends here, a required digit is missing.
            required = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        }
        Some(if required == 0 { found } else { Escapes::Bad })
    }
}

/// Returns whether the text has no `%` and, if `plus` is true, no `+`. Returns `None` if no
/// scanner is available.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn is_literal(text: &[u8], plus: bool) -> Option<bool> {
    Level::best().run(Literal { text, plus })
}

#[cfg(feature = "alloc")]
struct Literal<'t> {
    text: &'t [u8],
    plus: bool,
}

#[cfg(feature = "alloc")]
impl Work for Literal<'_> {
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
