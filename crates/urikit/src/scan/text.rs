//! What the project's other crates ask of texts, which have no unsafe code of their own.
//!
//! Hidden: no part of the interface that versions are about.

pub use super::BLOCK;
use super::{Block, Level, Nibbles, Scanner, Work};
use crate::grammar::ByteSet;

/// How many blocks make a region.
pub const REGION: usize = 32;

/// How far ahead of what is looked at memory is asked for.
const AHEAD: usize = 2 * REGION * BLOCK;

/// The blocks of a region in which a byte stands before another than `not`: bit `i` of mask `k` is about the byte at
/// `start + 64 k + i`, and bit `k` of `any` says whether mask `k` has some.
#[derive(Clone, Copy, Default, Debug)]
pub struct Region {
    /// A mask for each block.
    pub masks: [u64; REGION],
    /// The blocks that have some.
    pub any: u32,
    /// How many blocks were looked at: a block needs a byte behind it.
    pub blocks: usize,
}

impl Region {
    /// Looks at the region that begins at `start`.
    ///
    /// Text is full of colons with a space behind them. They make no link, and where there are many of them a search for
    /// one byte spends its time on beginning again, and the processor on guessing wrongly whether this piece of text has
    /// one. So no branch here depends on what the bytes are.
    #[inline]
    pub fn look(&mut self, text: &[u8], start: usize, byte: u8, not: u8) {
        self.look_by(Level::best(), text, start, byte, not);
    }

    #[inline]
    pub(super) fn look_by(&mut self, level: Level, text: &[u8], start: usize, byte: u8, not: u8) {
        let rest = text.get(start..).unwrap_or_default();
        self.blocks = REGION.min(rest.len().saturating_sub(1) / BLOCK);
        let work = Followed {
            region: self,
            text: rest,
            byte,
            not,
        };
        if level.run(work).is_none() {
            self.plain(rest, byte, not);
        }
    }

    /// The same without a scanner.
    fn plain(&mut self, text: &[u8], byte: u8, not: u8) {
        self.any = 0;
        let nexts = text.get(1..).unwrap_or_default();
        let blocks = text.as_chunks::<BLOCK>().0.iter();
        let blocks = blocks.zip(nexts.as_chunks::<BLOCK>().0);
        for ((index, mask), (block, next)) in self.masks.iter_mut().enumerate().zip(blocks) {
            // Whole arrays without an early end, which compilers turn into vector instructions.
            let mut lanes = [0; BLOCK];
            for ((lane, there), next) in lanes.iter_mut().zip(block).zip(next) {
                *lane = u8::from(*there == byte) & u8::from(*next != not);
            }
            *mask = bits(&lanes);
            self.any |= u32::from(*mask != 0) << index;
        }
    }
}

/// The lowest bits of all lanes.
fn bits(lanes: &[u8; BLOCK]) -> u64 {
    // A factor that brings the lowest bits of eight bytes together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    if lanes.iter().fold(0, |any, lane| any | lane) == 0 {
        return 0;
    }
    let (words, _) = lanes.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, word| {
        mask << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56
    })
}

struct Followed<'t, 'm> {
    region: &'m mut Region,
    text: &'t [u8],
    byte: u8,
    not: u8,
}

impl Work for Followed<'_, '_> {
    type Output = ();

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<()> {
        let mut any = 0;
        let masks = self.region.masks.iter_mut().take(self.region.blocks);
        for (index, mask) in masks.enumerate() {
            *mask = scanner.followed(self.text, index * BLOCK, self.byte, self.not);
            any |= u32::from(*mask != 0) << index;
            // While the caller is busy with this region, the next ones come from memory.
            scanner.fetch(self.text, index * BLOCK + AHEAD);
        }
        self.region.any = any;
        Some(())
    }
}

/// A set of characters of US-ASCII, for runs of them.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    bytes: ByteSet,
    nibbles: Nibbles,
}

impl Set {
    /// The characters of US-ASCII that a set has.
    pub const fn new(bytes: ByteSet) -> Self {
        Self {
            bytes,
            nibbles: Nibbles::new(&bytes),
        }
    }

    /// Whether it has a byte.
    pub const fn contains(&self, byte: u8) -> bool {
        byte < 128 && self.bytes.contains(byte)
    }
}

/// How long the run of characters of the first set is with which a text begins, and where the run of characters of the
/// second one ends that begins there. Both are 64 where they are as long or longer.
#[inline]
pub fn runs(text: &[u8], first: &Set, second: &Set) -> (usize, usize) {
    runs_by(Level::best(), text, first, second)
}

#[inline]
pub(super) fn runs_by(level: Level, text: &[u8], first: &Set, second: &Set) -> (usize, usize) {
    let work = Runs {
        text,
        first: &first.nibbles,
        second: &second.nibbles,
    };
    level.run(work).unwrap_or_else(|| {
        let run = |set: &Set, start: usize| {
            let rest = text.iter().take(BLOCK).skip(start);
            start + rest.take_while(|byte| set.contains(**byte)).count()
        };
        let end = run(first, 0);
        (end, run(second, end))
    })
}

struct Runs<'t> {
    text: &'t [u8],
    first: &'t Nibbles,
    second: &'t Nibbles,
}

impl Work for Runs<'_> {
    type Output = (usize, usize);

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<(usize, usize)> {
        let block = scanner.first(self.text);
        let first = (!block.members(self.first)).trailing_zeros();
        let before = u64::MAX.checked_shl(first).unwrap_or(0);
        let second = (!block.members(self.second) & before).trailing_zeros();
        Some((first as usize, second as usize))
    }
}
