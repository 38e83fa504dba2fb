//! The DELTA_BINARY_PACKED encoding, for integers and the lengths of strings, as described in the
//! format's document "Encodings".
//!
//! ```text
//! header := varint(block size) varint(miniblocks in a block) varint(count) zigzag(first number)
//! block  := zigzag(least delta) *width *miniblock
//! ```

use super::{signed, unsigned};
use crate::error::{Count, Invalid};
use bytes::Bytes;

/// Decodes integers, one after another. Uses constant memory.
#[derive(Debug)]
pub(crate) struct Delta {
    data: Bytes,
    /// The number of values in a miniblock, and the number of miniblocks in a block.
    size: u64,
    miniblocks: usize,
    /// The number of values not yet returned.
    left: u64,
    /// The first value, until it has been returned.
    first: Option<i64>,
    last: i64,
    /// The position after the current miniblock.
    at: usize,
    least: i64,
    /// The position of the next bit width, and the number of bit widths left in the block.
    widths: usize,
    widths_left: usize,
    /// The current miniblock: its bit width, the position of the next delta in bits, and the
    /// number of remaining deltas.
    width: u8,
    bit: usize,
    deltas: u64,
    /// The maximum number of bits in a delta.
    max_width: u8,
}

/// The maximum number of bits in a delta between lengths.
const LENGTHS: u8 = 32;

impl Delta {
    /// Creates a decoder for the lengths at position `at`. Also returns the position after the
    /// lengths.
    ///
    /// # Errors
    ///
    /// Fails if the lengths are not complete, or if their count is not `expected`.
    pub(crate) fn new(data: &Bytes, at: usize, expected: u64) -> Result<(Self, usize), Invalid> {
        Self::of_width(data, at, expected, LENGTHS)
    }

    /// Creates a decoder for numbers of at most `max_width` bits. `max_width` is at most 64.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`new`](Self::new).
    pub(crate) fn of_width(
        data: &Bytes,
        at: usize,
        expected: u64,
        max_width: u8,
    ) -> Result<(Self, usize), Invalid> {
        let (delta, declared) = Self::header(data, at, max_width).ok_or(Invalid::Lengths)?;
        if declared != expected {
            return Err(Count::Lengths.differs(expected, declared));
        }
        let end = delta.end()?;
        Ok((delta, end))
    }

    fn header(data: &Bytes, mut at: usize, max_width: u8) -> Option<(Self, u64)> {
        let mut next = || {
            let (number, length) = unsigned(data.get(at..)?, 10)?;
            at += length;
            Some(number)
        };
        let (block, miniblocks, count) = (next()?, next()?, next()?);
        let (first, length) = signed(data.get(at..)?)?;
        let size = block.checked_div(miniblocks)?;
        // The values of a miniblock fill complete bytes.
        let is_valid = size > 0 && size % 8 == 0 && block % miniblocks == 0;
        is_valid.then_some(())?;
        let delta = Self {
            data: data.clone(),
            size,
            miniblocks: usize::try_from(miniblocks).ok()?,
            left: count,
            first: Some(first),
            last: first,
            at: at + length,
            least: 0,
            widths: 0,
            widths_left: 0,
            width: 0,
            bit: 0,
            deltas: 0,
            max_width,
        };
        Some((delta, count))
    }

    /// Returns the position after all blocks.
    ///
    /// # Errors
    ///
    /// Fails if a block is incomplete, or if its numbers have too many bits.
    fn end(&self) -> Result<usize, Invalid> {
        let mut walk = Self {
            data: self.data.clone(),
            ..*self
        };
        let mut left = self.left.saturating_sub(1);
        while left > 0 {
            if walk.begin(left).is_none() {
                return Err(if walk.width > walk.max_width {
                    Invalid::Lengths
                } else {
                    Count::Lengths.differs(self.left, self.left - left)
                });
            }
            left = left.saturating_sub(walk.deltas);
        }
        Ok(walk.at)
    }

    /// Begins the next miniblock, which has at most `left` values.
    fn begin(&mut self, left: u64) -> Option<()> {
        if self.widths_left == 0 {
            let (least, length) = signed(self.data.get(self.at..)?)?;
            self.least = least;
            self.widths = self.at + length;
            self.widths_left = self.miniblocks;
            self.at = self.widths.checked_add(self.miniblocks)?;
        }
        self.width = *self.data.get(self.widths)?;
        self.widths += 1;
        self.widths_left -= 1;
        (self.width <= self.max_width).then_some(())?;
        let bytes = usize::try_from((self.size / 8).checked_mul(self.width.into())?).ok()?;
        let end = self.at.checked_add(bytes)?;
        (end <= self.data.len()).then_some(())?;
        self.bit = self.at.checked_mul(8)?;
        self.at = end;
        self.deltas = self.size.min(left);
        Some(())
    }

    /// Returns the next length. Fails if no length is left, or if the length is negative.
    pub(crate) fn next(&mut self) -> Result<usize, Invalid> {
        let value = self.number().ok_or(Invalid::Lengths)?;
        usize::try_from(value).map_err(|_| Invalid::Lengths)
    }

    /// Returns the next number, computed with 64-bit wraparound, or `None` after the last number.
    pub(crate) fn number(&mut self) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if self.deltas == 0 {
            self.begin(self.left + 1)?;
        }
        self.deltas -= 1;
        let rest = self.data.get(self.bit / 8..)?;
        let word = match rest.first_chunk() {
            Some(word) => u128::from_le_bytes(*word),
            None => rest
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u128::from(*byte)),
        };
        let packed = word >> (self.bit % 8) & ((1_u128 << self.width) - 1);
        self.bit += usize::from(self.width);
        // INVARIANT: the number has at most 64 bits.
        let delta = u64::try_from(packed).ok()?.cast_signed();
        self.last = self.last.wrapping_add(self.least).wrapping_add(delta);
        Some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::Delta;
    use bytes::Bytes;

    /// The lengths, and the rest of the data.
    fn decoded(data: &[u8], count: u64) -> Result<(Vec<usize>, usize), String> {
        let data = Bytes::copy_from_slice(data);
        let (mut delta, end) = Delta::new(&data, 0, count).map_err(|it| it.to_string())?;
        let lengths: Result<Vec<_>, _> = (0..count).map(|_| delta.next()).collect();
        Ok((lengths.map_err(|it| it.to_string())?, data.len() - end))
    }

    #[test]
    fn the_examples_of_the_document() {
        // 1, 2, 3, 4, 5: the deltas are all 1, so their width is 0.
        let same = [128, 1, 4, 5, 2, 2, 0, 0, 0, 0];
        assert_eq!(decoded(&same, 5), Ok((vec![1, 2, 3, 4, 5], 0)));
        // 7, 5, 3, 1, 2, 3, 4, 5: deltas of -2 and 1, with two bits each.
        let mut two = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111];
        two.resize(10 + 8, 0);
        assert_eq!(decoded(&two, 8), Ok((vec![7, 5, 3, 1, 2, 3, 4, 5], 0)));
    }

    #[test]
    fn false_numbers_are_errors() {
        let counted = [128, 1, 4, 5, 2, 2, 0, 0, 0, 0];
        let message = "a page declares 6 values, but has the lengths of 5";
        assert_eq!(decoded(&counted, 6).unwrap_err(), message);
        for wrong in [
            &[][..],
            &[128, 1, 0, 5, 2, 2, 0, 0, 0, 0],  // no miniblocks
            &[0, 4, 5, 2, 2, 0, 0, 0, 0],       // no values in a block
            &[128, 1, 3, 5, 2, 2, 0, 0, 0, 0],  // miniblocks of 42 2/3 values
            &[128, 1, 4, 5, 2, 2, 33, 0, 0, 0], // too wide
            &[128, 1, 4, 5, 2, 2, 1, 0, 0, 0],  // the miniblock is missing
            &[128, 1, 4, 5, 1, 1, 0, 0, 0, 0],  // negative
        ] {
            assert!(decoded(wrong, 5).is_err(), "{wrong:?}");
        }
        // A block of 2^62 values.
        let huge = [
            0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 5, 2, 2, 32,
        ];
        assert!(decoded(&huge, 5).is_err());
    }
}
