//! Sets of characters, as a table for shuffle instructions and as a list of ranges.
//!
//! The [scanner's documentation](super) explains the table.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

use crate::grammar::{ByteSet, DIGITS, HEX_DIGITS, LETTERS};

/// A set of US-ASCII characters: a row for each low nibble of a byte, with a bit for each high
/// nibble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nibbles {
    rows: [u8; 16],
    /// The ranges of the set: the first character of each, and how many more follow.
    ranges: [(u8, u8); MOST_RANGES],
    count: usize,
}

/// The largest number of ranges: every other US-ASCII character.
const MOST_RANGES: usize = 64;

impl Nibbles {
    /// The US-ASCII characters of a set of bytes.
    #[allow(clippy::indexing_slicing)] // INVARIANT: `byte & 15` is below 16
    pub(crate) const fn new(set: &ByteSet) -> Self {
        let mut rows = [0; 16];
        let mut byte = 0_u8;
        while byte < 128 {
            if set.contains(byte) {
                rows[(byte & 15) as usize] |= 1 << (byte >> 4);
            }
            byte += 1;
        }
        Self::from_rows(rows)
    }

    #[allow(clippy::indexing_slicing)] // INVARIANT: there are no more ranges than `MOST_RANGES`
    const fn from_rows(rows: [u8; 16]) -> Self {
        let mut ranges = [(0, 0); MOST_RANGES];
        let mut count = 0;
        let mut byte = 0_u8;
        while byte < 128 {
            let first = byte;
            while byte < 128 && rows[(byte & 15) as usize] >> (byte >> 4) & 1 == 1 {
                byte += 1;
            }
            if byte > first {
                ranges[count] = (first, byte - first - 1);
                count += 1;
            }
            byte += 1;
        }
        Self {
            rows,
            ranges,
            count,
        }
    }

    /// The ranges of the set: the first character of each, and how many more follow.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (u8, u8)> {
        self.ranges.iter().copied().take(self.count)
    }

    /// Whether the set contains the byte 0, which blocks have past the end of the input.
    #[inline]
    pub(crate) const fn has_zero(&self) -> bool {
        self.rows[0] & 1 == 1
    }

    /// The rows, by low nibble.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn rows(&self) -> &[u8; 16] {
        &self.rows
    }

    /// Whether the set contains a byte.
    #[cfg(all(test, feature = "alloc"))]
    #[allow(clippy::indexing_slicing)] // INVARIANT: as above
    pub(crate) fn contains(&self, byte: u8) -> bool {
        byte < 128 && self.rows[usize::from(byte & 15)] >> (byte >> 4) & 1 == 1
    }
}

/// Letters and digits.
pub(crate) const ALPHANUMERIC: Nibbles = Nibbles::new(&LETTERS.or(DIGITS));

/// Decimal digits.
pub(crate) const DIGIT: Nibbles = Nibbles::new(&DIGITS);

/// Hexadecimal digits.
pub(crate) const HEX: Nibbles = Nibbles::new(&HEX_DIGITS);
