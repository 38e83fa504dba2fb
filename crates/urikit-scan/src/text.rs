//! Searches that support the extraction of references from text.

pub use super::BLOCK;
use super::ByteSet;
use super::{Block, Level, Nibbles, Scanner, Work};

/// The number of blocks in a region.
pub const REGION: usize = 32;

/// The distance from the current block to the prefetched bytes.
const PREFETCH_DISTANCE: usize = 2 * REGION * BLOCK;

/// The positions of a byte in a region, except where a certain other byte follows.
///
/// Bit `i` of mask `k` describes the byte at `start + 64 * k + i`. Bit `k` of `any` is set if mask
/// `k` has set bits.
#[derive(Clone, Copy, Default, Debug)]
pub struct Region {
    /// The mask of each block.
    pub masks: [u64; REGION],
    /// The blocks whose masks are not zero.
    pub any: u32,
    /// The number of blocks that have masks. A block without a byte after it has no mask.
    pub blocks: usize,
}

impl Region {
    /// Finds each `byte` that is not followed by `not` in the region that begins at `start`.
    ///
    /// Extraction uses this function to find the colons of schemes in prose, where a space follows
    /// most colons. A search for one colon at a time would spend most of its time on restarts and
    /// mispredicted branches. In this function, no branch depends on the input.
    #[inline]
    pub fn look(&mut self, text: &[u8], start: usize, byte: u8, not: u8) {
        self.look_at_level(Level::best(), text, start, byte, not);
    }

    #[inline]
    pub(super) fn look_at_level(
        &mut self,
        level: Level,
        text: &[u8],
        start: usize,
        byte: u8,
        not: u8,
    ) {
        let rest = text.get(start..).unwrap_or_default();
        self.blocks = REGION.min(rest.len().saturating_sub(1) / BLOCK);
        let work = NotFollowedBy {
            region: self,
            text: rest,
            byte,
            not,
        };
        if level.run(work).is_none() {
            self.look_portable(rest, byte, not);
        }
    }

    /// Does the same as [`look`](Self::look), without a scanner.
    fn look_portable(&mut self, text: &[u8], byte: u8, not: u8) {
        self.any = 0;
        let nexts = text.get(1..).unwrap_or_default();
        let blocks = text.as_chunks::<BLOCK>().0.iter();
        let blocks = blocks.zip(nexts.as_chunks::<BLOCK>().0);
        for ((index, mask), (block, next)) in self.masks.iter_mut().enumerate().zip(blocks) {
            // The arrays have a fixed length and the loop has no early exit, so the compiler uses
            // vector instructions.
            let mut lanes = [0; BLOCK];
            for ((lane, current), next) in lanes.iter_mut().zip(block).zip(next) {
                *lane = u8::from(*current == byte) & u8::from(*next != not);
            }
            *mask = bits(&lanes);
            self.any |= u32::from(*mask != 0) << index;
        }
    }
}

/// Returns the lowest bit of each lane.
fn bits(lanes: &[u8; BLOCK]) -> u64 {
    // Multiplying by this moves the lowest bits of eight bytes into the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    if lanes.iter().fold(0, |any, lane| any | lane) == 0 {
        return 0;
    }
    let (words, _) = lanes.as_chunks::<8>();
    words.iter().rev().fold(0, |mask, word| {
        mask << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56
    })
}

struct NotFollowedBy<'t, 'm> {
    region: &'m mut Region,
    text: &'t [u8],
    byte: u8,
    not: u8,
}

impl Work for NotFollowedBy<'_, '_> {
    type Output = ();

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<()> {
        let mut any = 0;
        let masks = self.region.masks.iter_mut().take(self.region.blocks);
        for (index, mask) in masks.enumerate() {
            *mask = scanner.not_followed_by(self.text, index * BLOCK, self.byte, self.not);
            any |= u32::from(*mask != 0) << index;
            // The processor loads the next regions while the caller works on this one.
            scanner.prefetch(self.text, index * BLOCK + PREFETCH_DISTANCE);
        }
        self.region.any = any;
        Some(())
    }
}

/// A set of US-ASCII characters, for [`runs`].
#[derive(Clone, Copy, Debug)]
pub struct Set {
    bytes: ByteSet,
    nibbles: Nibbles,
}

impl Set {
    /// Returns the US-ASCII characters in a set of bytes.
    pub const fn new(bytes: ByteSet) -> Self {
        Self {
            bytes,
            nibbles: Nibbles::new(&bytes),
        }
    }

    /// Returns whether the set contains a byte.
    pub const fn contains(&self, byte: u8) -> bool {
        byte < 128 && self.bytes.contains(byte)
    }
}

/// Returns the ends of two consecutive runs of characters at the start of `text`: one of characters
/// in `first`, followed by one of characters in `second`. Each run ends at or before offset 64.
#[inline]
pub fn runs(text: &[u8], first: &Set, second: &Set) -> (usize, usize) {
    runs_at_level(Level::best(), text, first, second)
}

#[inline]
pub(super) fn runs_at_level(
    level: Level,
    text: &[u8],
    first: &Set,
    second: &Set,
) -> (usize, usize) {
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

/// Returns a mask of the first [`BLOCK`] bytes of `text` that are not in the set: bit `i` describes
/// byte `i`. The bits past the end of the text are set.
#[inline]
pub fn outside(text: &[u8], set: &Set) -> u64 {
    outside_at_level(Level::best(), text, set)
}

#[inline]
pub(super) fn outside_at_level(level: Level, text: &[u8], set: &Set) -> u64 {
    let work = Outside {
        text,
        set: &set.nibbles,
    };
    level.run(work).unwrap_or_else(|| {
        let bytes = text.iter().take(BLOCK).enumerate();
        bytes.fold(u64::MAX, |mask, (index, byte)| {
            mask & !(u64::from(set.contains(*byte)) << index)
        })
    })
}

struct Outside<'t> {
    text: &'t [u8],
    set: &'t Nibbles,
}

impl Work for Outside<'_> {
    type Output = u64;

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<u64> {
        Some(!scanner.first_or_narrow(self.text).members(self.set))
    }
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
        let block = scanner.first_or_narrow(self.text);
        let first = (!block.members(self.first)).trailing_zeros();
        let from_first = u64::MAX.checked_shl(first).unwrap_or(0);
        let second = (!block.members(self.second) & from_first).trailing_zeros();
        Some((first as usize, second as usize))
    }
}
