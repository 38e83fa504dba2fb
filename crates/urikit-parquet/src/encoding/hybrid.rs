//! The hybrid of run-length encoding (RLE) and bit-packing in the format's document "Encodings".
//! This encoding is used for levels and for indices into a dictionary.
//!
//! ```text
//! run            := bit-packed-run | rle-run
//! bit-packed-run := varint(number of groups of 8 << 1 | 1) *group
//! rle-run        := varint(number of repetitions << 1) value
//! ```

use super::unsigned;
use bytes::Bytes;

/// Decodes numbers of up to 32 bits, one after another. Uses constant memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hybrid {
    data: Bytes,
    /// The position of the next run.
    at: usize,
    /// The number of bits in each number.
    width: u8,
    run: Run,
}

#[derive(Clone, Copy, Default, Debug)]
enum Run {
    #[default]
    Over,
    Repeated {
        value: u32,
        left: u64,
    },
    Packed {
        /// The position of the next number, in bits.
        bit: usize,
        left: u64,
    },
}

impl Hybrid {
    /// Creates a decoder for the numbers in `data`, which have `width` bits each. Returns `None` if
    /// `width` is greater than 32.
    pub(crate) fn new(data: Bytes, width: u8) -> Option<Self> {
        (width <= 32).then(|| Self {
            data,
            width,
            ..Self::default()
        })
    }

    /// Returns the count of all numbers, up to `most`, and the count of those that equal `wanted`.
    /// Returns `None` if any number is greater than `wanted`. The time taken depends on the length
    /// of the data, not on the counts.
    pub(crate) fn tally(mut self, wanted: u32, most: u64) -> Option<(u64, u64)> {
        let (mut all, mut found) = (0, 0);
        while all < most {
            let (value, left) = match self.run {
                Run::Repeated { value, left } if left > 0 => {
                    self.run = Run::Over;
                    (value, left.min(most - all))
                }
                _ => match self.next() {
                    Some(value) => (value, 1),
                    None => break,
                },
            };
            if value > wanted {
                return None;
            }
            all += left;
            found += if value == wanted { left } else { 0 };
        }
        Some((all, found))
    }

    /// Begins the next run.
    fn begin(&mut self) -> Option<()> {
        let rest = self.data.get(self.at..)?;
        // A run has at most 2^31 - 1 values, so its header has at most 32 bits.
        let (header, length) = unsigned(rest, 5)?;
        let start = self.at + length;
        if header & 1 == 0 {
            let size = usize::from(self.width.div_ceil(8));
            let bytes = self.data.get(start..start + size)?;
            let value = bytes
                .iter()
                .rev()
                .fold(0, |value, byte| value << 8 | u32::from(*byte));
            self.at = start + size;
            self.run = Run::Repeated {
                value,
                left: header >> 1,
            };
            return Some(());
        }
        let (groups, width) = (header >> 1, u64::from(self.width));
        let available = (self.data.len() - start) as u64;
        // Some writers omit the padding after the last group.
        let present = (available * 8).checked_div(width).unwrap_or(u64::MAX);
        let used = groups.saturating_mul(width).min(available);
        self.at = start + usize::try_from(used).ok()?;
        self.run = Run::Packed {
            bit: start * 8,
            left: groups.saturating_mul(8).min(present),
        };
        Some(())
    }

    /// Returns the `width`-bit number that begins at position `bit`.
    fn unpacked(&self, bit: usize) -> u32 {
        let rest = self.data.get(bit / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        let mask = (1_u64 << self.width) - 1;
        // INVARIANT: the mask has at most 32 bits.
        u32::try_from(word >> (bit % 8) & mask).unwrap_or_default()
    }
}

impl Iterator for Hybrid {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            match &mut self.run {
                Run::Repeated { value, left } if *left > 0 => {
                    *left -= 1;
                    return Some(*value);
                }
                Run::Packed { bit, left } if *left > 0 => {
                    let at = *bit;
                    *left -= 1;
                    *bit += usize::from(self.width);
                    return Some(self.unpacked(at));
                }
                _ => self.begin()?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hybrid;
    use bytes::Bytes;

    fn hybrid(data: &'static [u8], width: u8) -> Hybrid {
        Hybrid::new(Bytes::from_static(data), width).unwrap()
    }

    #[test]
    fn the_example_of_the_document() {
        // The numbers 0 to 7 with three bits each, least significant first.
        let packed = &[3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert!(hybrid(packed, 3).eq(0..8));
        assert!(hybrid(&[8, 5, 2, 6], 3).eq([5, 5, 5, 5, 6]));
        assert!(hybrid(&[2, 0x34, 0x12], 13).eq([0x1234]));
        assert!(hybrid(&[3], 0).eq([0; 8]));
    }

    #[test]
    fn false_numbers_end_the_data() {
        assert_eq!(
            hybrid(&[0xFF; 9], 1).next(),
            None,
            "the header has too many bytes"
        );
        assert_eq!(hybrid(&[2], 1).next(), None, "no value");
        // 2^31 groups, of which one byte is present.
        assert_eq!(hybrid(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xAA], 4).count(), 2);
        assert!(Hybrid::new(Bytes::new(), 33).is_none());
    }

    #[test]
    fn counting_does_not_depend_on_the_length_of_a_run() {
        let long = hybrid(&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1], 1);
        assert_eq!(long.clone().tally(1, 10), Some((10, 10)));
        assert_eq!(
            long.clone().tally(1, u64::MAX),
            Some((0x7FFF_FFFF, 0x7FFF_FFFF))
        );
        assert_eq!(long.tally(0, 10), None, "a level above the highest");
        assert_eq!(hybrid(&[4, 1, 4, 0], 1).tally(1, 10), Some((4, 2)));
    }
}
