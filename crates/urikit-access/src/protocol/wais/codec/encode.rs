//! Writes integers, fields and APDUs.

/// Appends a compressed integer, without leading zeros. Nothing here is longer than 28 bits.
pub(super) fn compressed(to: &mut Vec<u8>, value: usize) {
    for shift in [21, 14, 7] {
        if value >> shift != 0 {
            to.push(low(value >> shift) | 0x80);
        }
    }
    to.push(low(value));
}

/// The low seven bits.
fn low(value: usize) -> u8 {
    u8::try_from(value & 0x7F).unwrap_or_default()
}

/// Appends a field.
pub(super) fn field(to: &mut Vec<u8>, tag: u32, octets: &[u8]) {
    compressed(to, usize::try_from(tag).unwrap_or_default());
    compressed(to, octets.len());
    to.extend_from_slice(octets);
}

/// Appends a number as a field: at least one octet, and no leading zeros.
pub(super) fn number(to: &mut Vec<u8>, tag: u32, value: u64) {
    let octets = value.to_be_bytes();
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    let first = zeros.min(octets.len() - 1);
    field(to, tag, octets.get(first..).unwrap_or_default());
}

/// Appends a binary integer of three octets.
pub(super) fn three_octets(to: &mut Vec<u8>, value: u32) {
    let [_, octets @ ..] = value.to_be_bytes();
    to.extend_from_slice(&octets);
}

/// An APDU. The header part, which begins with the type of the PDU, is shorter than 64 KiB: the
/// only part of it that is not fixed are the names of the databases, which are limited.
pub(super) fn apdu(header: &[u8], user_information: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap_or(u16::MAX);
    [&length.to_be_bytes(), header, user_information].concat()
}

#[cfg(test)]
mod tests {
    use super::{compressed, number};
    use crate::protocol::wais::codec::reader::Reader;

    #[test]
    fn integers_read_back() {
        for value in [
            0,
            1,
            127,
            128,
            131,
            16_383,
            16_384,
            2_097_151,
            2_097_152,
            (1 << 28) - 1,
        ] {
            let mut octets = Vec::new();
            compressed(&mut octets, value);
            let mut reader = Reader::new(&octets);
            assert_eq!(
                usize::try_from(reader.compressed().unwrap()).unwrap(),
                value
            );
            assert!(reader.is_empty() && octets.first() != Some(&0x80));
        }
        for value in [0, 1, 255, 256, 94_421, u64::MAX] {
            let mut octets = Vec::new();
            number(&mut octets, 114, value);
            let (tag, field) = Reader::new(&octets).tagged().unwrap().unwrap();
            assert_eq!((tag, field.number()), (114, Ok(value)));
        }
    }
}
