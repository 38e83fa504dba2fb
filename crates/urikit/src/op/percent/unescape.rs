//! Escapes to octets by masks: runs of what stands for itself are copied, thirty-two octets at a time.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::scan::{BLOCK, Block, Blocks, HEX, Level, Scanner, Work};

/// Whether two hexadecimal digits follow each `%`; `None` where no scanner can tell.
#[inline]
pub(super) fn are_escapes(text: &[u8]) -> Option<bool> {
    Level::best().run(Escapes { text })
}

struct Escapes<'t> {
    text: &'t [u8],
}

impl Work for Escapes<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        // The places at which the block before wants a digit.
        let mut wanted = 0;
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((_, block)) = blocks.next() {
            let percent = block.is(b'%');
            wanted |= percent << 1 | percent << 2;
            if wanted != 0 && wanted & !block.members(&HEX) != 0 {
                return Some(false);
            }
            // What the masks have no bits for is beyond the text's end as well.
            wanted = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        }
        Some(wanted == 0)
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

/// Writes the octets that `text` stands for to the front of `out`, which is at least as long, and gives how many they are;
/// `None` where there is no scanner. Two hexadecimal digits follow each `%`.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn unescape(text: &[u8], plus: bool, out: &mut [u8]) -> Option<usize> {
    Level::best().run(Unescape { text, plus, out })
}

#[cfg(feature = "alloc")]
struct Unescape<'t, 'o> {
    text: &'t [u8],
    plus: bool,
    out: &'o mut [u8],
}

#[cfg(feature = "alloc")]
impl Work for Unescape<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<usize> {
        let Self { text, plus, out } = self;
        // Where to read and to write next.
        let (mut at, mut length) = (0, 0);
        let mut blocks = Blocks::new(scanner, text);
        while let Some((start, block)) = blocks.next() {
            let mut marks = block.is(b'%');
            if plus {
                marks |= block.is(b'+');
            }
            while marks != 0 {
                let mark = start + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                length += copy(text, at, mark, out, length);
                let (octet, behind) = match text.get(mark..) {
                    Some([b'%', high, low, ..]) => (value(*high) << 4 | value(*low), mark + 3),
                    _ => (b' ', mark + 1),
                };
                if let Some(place) = out.get_mut(length) {
                    *place = octet;
                }
                length += 1;
                at = behind;
            }
        }
        Some(length + copy(text, at, text.len(), out, length))
    }
}

/// Copies what lies from `at` to `end`, and maybe octets behind it that are written over later; gives how long it is.
#[cfg(feature = "alloc")]
#[inline(always)]
fn copy(text: &[u8], at: usize, end: usize, out: &mut [u8], to: usize) -> usize {
    let run = end - at;
    let is_done = run <= 32 && copy_whole::<32>(text, at, out, to)
        || run <= 8 && copy_whole::<8>(text, at, out, to);
    if !is_done && let (Some(run), Some(place)) = (text.get(at..end), out.get_mut(to..to + run)) {
        place.copy_from_slice(run);
    }
    run
}

/// Copies `N` octets, where there are so many, in one step.
#[cfg(feature = "alloc")]
#[inline(always)]
fn copy_whole<const N: usize>(text: &[u8], at: usize, out: &mut [u8], to: usize) -> bool {
    let from = text.get(at..).and_then(<[u8]>::first_chunk::<N>);
    let place = out.get_mut(to..).and_then(<[u8]>::first_chunk_mut::<N>);
    if let (Some(from), Some(place)) = (from, place) {
        *place = *from;
        return true;
    }
    false
}

/// The value of a hexadecimal digit.
#[cfg(feature = "alloc")]
#[inline(always)]
fn value(digit: u8) -> u8 {
    // Letters have the bit 0x40, and their values begin 9 above their low half.
    (digit & 0x0F) + 9 * (digit >> 6)
}
