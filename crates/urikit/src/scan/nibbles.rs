//! Sets of characters as tables that a shuffle looks up.

use crate::grammar::{ByteSet, DIGITS, HEX_DIGITS, LETTERS};

/// A set of characters of US-ASCII: a row for each low half of a byte, with a bit for each high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nibbles {
    rows: [u8; 16],
}

impl Nibbles {
    /// The characters of US-ASCII that a set has.
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
        Self { rows }
    }

    /// The same without some characters of US-ASCII.
    #[allow(clippy::indexing_slicing)] // INVARIANT: as above, and `at` is below the length
    pub(crate) const fn without(mut self, bytes: &[u8]) -> Self {
        let mut at = 0;
        while at < bytes.len() {
            self.rows[(bytes[at] & 15) as usize] &= !(1 << (bytes[at] >> 4 & 7));
            at += 1;
        }
        self
    }

    /// Whether the set has the byte 0, which stands where a text has no bytes.
    #[inline]
    pub(crate) const fn has_zero(&self) -> bool {
        self.rows[0] & 1 == 1
    }

    /// The rows, by low half.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn rows(&self) -> &[u8; 16] {
        &self.rows
    }

    /// Whether the set has a byte.
    #[cfg(all(test, feature = "alloc"))]
    #[allow(clippy::indexing_slicing)] // INVARIANT: as above
    pub(crate) fn contains(&self, byte: u8) -> bool {
        byte < 128 && self.rows[usize::from(byte & 15)] >> (byte >> 4) & 1 == 1
    }
}

/// Letters and digits.
pub(crate) const ALPHANUMERIC: Nibbles = Nibbles::new(&LETTERS.or(DIGITS));

/// Hexadecimal digits.
pub(crate) const HEX: Nibbles = Nibbles::new(&HEX_DIGITS);
