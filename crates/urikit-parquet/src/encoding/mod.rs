//! Decoders for the encodings of values, as iterators that need constant memory.

mod delta;
mod hybrid;
mod plain;

pub(crate) use delta::Delta;
pub(crate) use hybrid::Hybrid;
pub(crate) use plain::{Dictionary, Fixed, Plain, Split};

/// The size in bytes of the length that precedes each value.
pub(crate) const PREFIX: usize = size_of::<u32>();

/// Returns the length at the beginning of `values`, or `None` if `values` is too short.
pub(crate) fn prefix(values: &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*values.first_chunk()?)).ok()
}

/// Reads a LEB128 number of at most `most` bytes and 64 bits. Also returns the number of bytes
/// read.
pub(crate) fn unsigned(data: &[u8], most: usize) -> Option<(u64, usize)> {
    let mut number = 0;
    for (nth, byte) in data.iter().take(most).enumerate() {
        let bits = u64::from(byte & 0x7F);
        let shift = 7 * u32::try_from(nth).ok()?;
        let part = bits
            .checked_shl(shift)
            .filter(|part| part >> shift == bits)?;
        number |= part;
        if *byte < 0x80 {
            return Some((number, nth + 1));
        }
    }
    None
}

/// Reads a LEB128 number whose least significant bit is the sign (zigzag).
pub(crate) fn signed(data: &[u8]) -> Option<(i64, usize)> {
    let (number, length) = unsigned(data, 10)?;
    Some((zigzag(number), length))
}

/// Decodes a zigzag number into a signed number.
pub(crate) fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::{signed, unsigned};

    #[test]
    fn numbers_of_leb128() {
        assert_eq!(unsigned(&[0xE5, 0x8E, 0x26, 9], 10), Some((624_485, 3)));
        assert_eq!(unsigned(&[0x80], 10), None);
        assert_eq!(unsigned(&[0x80, 0x80, 1], 2), None);
        let most = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];
        assert_eq!(unsigned(&most, 10), Some((u64::MAX, 10)));
        assert_eq!(signed(&most), Some((i64::MIN, 10)));
        assert_eq!(signed(&[2]), Some((1, 1)));
        let over = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2];
        assert_eq!(unsigned(&over, 10), None);
    }
}
