//! Base64 with padding (RFC 4648, 4), encoded and strictly decoded.
//!
//! ```text
//! 24 bits = 4 characters of the alphabet, or 2 and "==", or 3 and "="      RFC 4648, 4
//! ```
//!
//! RFC 4648 requires decoders to refuse characters outside the alphabet (3.3) and missing padding
//! (3.2), unless a specification says otherwise, and lets them refuse padding bits that are not
//! zero (3.5): [`decode`] refuses all three. For mail, RFC 2045, 6.8, says otherwise: bodies are
//! decoded by [`transfer`](crate::transfer), which accepts anything.

mod decode;
mod encode;

pub use decode::{Decode, DecodeError, Expected, decode};
pub use encode::{Encode, encode};

/// The characters of values 0 to 63 (RFC 4648, 4, Table 1).
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What is not the value of a character. Values have six bits.
const NONE: u8 = 0xFF;

/// The values of all octets.
static VALUES: [u8; 256] = values();

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // constant, and below 64
const fn values() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        values[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    values
}

/// The value of a character; `None` outside the alphabet.
fn value(character: u8) -> Option<u8> {
    let value = VALUES.get(usize::from(character)).copied();
    value.filter(|value| *value != NONE)
}

/// The characters of a group, up to four.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Group {
    bits: u32,
    pub(crate) count: u8,
}

impl Group {
    /// The octets of a complete group of characters; `None` if one is outside the alphabet.
    #[cfg(feature = "mail")]
    pub(crate) fn read(characters: [u8; 4]) -> Option<[u8; 3]> {
        let value = |character| VALUES.get(usize::from(character)).map_or(NONE, |it| *it);
        let values = characters.map(value);
        if values.iter().fold(0, |all, value| all | value) > 63 {
            return None;
        }
        let bits = values
            .iter()
            .fold(0, |bits, value| bits << 6 | u32::from(*value));
        let [_, octets @ ..] = bits.to_be_bytes();
        Some(octets)
    }

    /// Adds a character to a group of less than four; false if it is outside the alphabet.
    pub(crate) fn push(&mut self, character: u8) -> bool {
        let Some(value) = value(character) else {
            return false;
        };
        self.bits = self.bits << 6 | u32::from(value);
        self.count += 1;
        true
    }

    /// Takes the octets of the group, and how many of them its characters make; the others contain
    /// the bits that are left.
    pub(crate) fn take(&mut self) -> ([u8; 3], usize) {
        let missing = 4_u8.saturating_sub(self.count);
        let [_, octets @ ..] = (self.bits << (6 * missing)).to_be_bytes();
        let count = usize::from(self.count.saturating_sub(1));
        *self = Self::default();
        (octets, count)
    }
}
