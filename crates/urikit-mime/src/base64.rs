//! Encodes base64, and decodes it strictly. Encoding and decoding use padding (RFC 4648, 4).
//!
//! ```text
//! 24 bits = 4 characters of the alphabet, or 2 and "==", or 3 and "="      RFC 4648, 4
//! ```
//!
//! RFC 4648 requires decoders to reject characters outside the alphabet (3.3) and missing padding
//! (3.2), unless a specification says otherwise. The RFC also allows decoders to reject padding
//! bits that are not zero (3.5). [`decode`] rejects all three errors. RFC 2045, 6.8, has other
//! rules for mail, so [`transfer`](crate::transfer) decodes mail bodies and accepts any input.

use core::fmt;
use core::iter::FusedIterator;

/// The characters for the values 0 to 63 (RFC 4648, 4, Table 1).
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Marks octets outside the alphabet. No character has this value, because values have only six
/// bits.
const NONE: u8 = 0xFF;

/// The value of each octet.
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

/// Returns the value of a character, or `None` if the character is not in the alphabet.
fn value(character: u8) -> Option<u8> {
    let value = VALUES.get(usize::from(character)).copied();
    value.filter(|value| *value != NONE)
}

/// Up to four characters, which encode up to three octets.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Group {
    bits: u32,
    pub(crate) count: u8,
}

impl Group {
    /// Decodes a complete group. Returns `None` if a character is outside the alphabet.
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

    /// Adds a character to an incomplete group. Returns false if the character is not in the
    /// alphabet.
    pub(crate) fn push(&mut self, character: u8) -> bool {
        let Some(value) = value(character) else {
            return false;
        };
        self.bits = self.bits << 6 | u32::from(value);
        self.count += 1;
        true
    }

    /// Clears the group, and returns three octets and the number of complete octets. The other
    /// octets contain only leftover bits.
    pub(crate) fn take(&mut self) -> ([u8; 3], usize) {
        let missing = 4_u8.saturating_sub(self.count);
        let [_, octets @ ..] = (self.bits << (6 * missing)).to_be_bytes();
        let count = usize::from(self.count.saturating_sub(1));
        *self = Self::default();
        (octets, count)
    }
}

/// Decodes base64 strictly. No other characters may appear between the base64 characters, padding
/// is required, and the unused bits before it must be zero (RFC 4648, 3 and 4). Iteration ends
/// after an error.
///
/// The input is an iterator of characters, so it can come from another decoder, for example one for
/// the escapes in a URL. This function does not allocate.
///
/// ```
/// use urikit_mime::base64::{Expected, decode};
/// // RFC 4648, 10
/// let octets: Result<Vec<u8>, _> = decode(*b"Zm9vYg==").collect();
/// assert_eq!(octets.unwrap(), b"foob");
///
/// let error = decode(*b"Zm9v-w==").find_map(Result::err).unwrap();
/// assert_eq!((error.index, error.found), (4, Some(b'-')));
/// assert_eq!(error.expected, Expected::Character);
/// assert_eq!(error.to_string(), "expected a base64 character, but found '-' at index 4");
/// ```
pub fn decode<I: IntoIterator<Item = u8>>(characters: I) -> Decode<I::IntoIter> {
    Decode {
        characters: characters.into_iter(),
        index: 0,
        ready: [0; 3],
        count: 0,
        state: DecodeState::Groups,
    }
}

/// Iterates over the octets that base64 text encodes; see [`decode`].
#[derive(Clone, Debug)]
pub struct Decode<I> {
    characters: I,
    /// The number of characters that have been read.
    index: usize,
    /// The octets of the last group, rotated so that the next octet to return is first.
    ready: [u8; 3],
    count: usize,
    state: DecodeState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DecodeState {
    Groups,
    /// The last group had padding.
    Padded,
    /// The end or an error has been returned.
    Done,
}

/// The position of an error in base64 text, and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The index of the invalid character, or the number of characters if the input ended.
    pub index: usize,
    /// The invalid character, or `None` if the input ended.
    pub found: Option<u8>,
    /// The input that would be valid instead.
    pub expected: Expected,
}

/// The input that was expected at the position of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Expected {
    /// A character in the base64 alphabet.
    Character,
    /// A character in the base64 alphabet, or padding.
    CharacterOrPadding,
    /// The second `=`.
    SecondPadding,
    /// The end of the input, because nothing may follow padding.
    End,
    /// A character whose last bits are zero, because these bits do not belong to any octet.
    ZeroBits,
}

impl Expected {
    /// Describes the expected input.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Character => "a base64 character",
            Self::CharacterOrPadding => "a base64 character or `=`",
            Self::SecondPadding => "a second `=`",
            Self::End => "nothing after `=`",
            Self::ZeroBits => "a character whose last bits are zero before `=`",
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, but found ", self.expected.as_str())?;
        match self.found {
            Some(octet) => write!(f, "'{}' at index {}", octet.escape_ascii(), self.index),
            None => write!(f, "the end at index {}", self.index),
        }
    }
}

impl core::error::Error for DecodeError {}

impl<I: Iterator<Item = u8>> Decode<I> {
    /// Reads four characters. Returns false at the end of the input.
    fn group(&mut self) -> Result<bool, DecodeError> {
        let mut group = Group::default();
        let mut last = Ok(false);
        for place in 0..4 {
            let (index, found) = (self.index, self.characters.next());
            let refuse = |expected| {
                Err(DecodeError {
                    index,
                    found,
                    expected,
                })
            };
            let is_padded = place > group.count;
            let Some(character) = found else {
                return match place {
                    0 => Ok(false),
                    1 => refuse(Expected::Character),
                    _ if is_padded => refuse(Expected::SecondPadding),
                    _ => refuse(Expected::CharacterOrPadding),
                };
            };
            self.index += 1;
            if self.state == DecodeState::Padded {
                return refuse(Expected::End);
            }
            if character == b'=' && place >= 2 {
                continue;
            }
            if is_padded {
                return refuse(Expected::SecondPadding);
            }
            if !group.push(character) {
                return refuse(Expected::Character);
            }
            last = refuse(Expected::ZeroBits);
        }
        if group.count < 4 {
            self.state = DecodeState::Padded;
        }
        let (octets, count) = group.take();
        if octets.iter().skip(count).any(|octet| *octet != 0) {
            return last;
        }
        (self.ready, self.count) = (octets, count);
        Ok(true)
    }
}

impl<I: Iterator<Item = u8>> Iterator for Decode<I> {
    type Item = Result<u8, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.count == 0 {
            if self.state == DecodeState::Done {
                return None;
            }
            let group = self.group();
            if group != Ok(true) {
                self.state = DecodeState::Done;
                return group.err().map(Err);
            }
        }
        let [first, ..] = self.ready;
        self.ready.rotate_left(1);
        self.count = self.count.saturating_sub(1);
        Some(Ok(first))
    }
}

impl<I: Iterator<Item = u8>> FusedIterator for Decode<I> {}

/// The number of octets that are encoded at a time, as 64 characters.
const PIECE: usize = 48;

/// Encodes octets as base64 with padding. The result implements `Display` and does not allocate.
///
/// ```
/// use urikit_mime::base64;
/// // RFC 4648, 10
/// assert_eq!(base64::encode(b"foobar").to_string(), "Zm9vYmFy");
/// assert_eq!(base64::encode(b"foob").to_string(), "Zm9vYg==");
/// // RFC 7617, 2
/// let credentials = base64::encode(b"Aladdin:open sesame");
/// assert_eq!(format!("Basic {credentials}"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
/// ```
pub const fn encode(octets: &[u8]) -> Encode<'_> {
    Encode(octets)
}

/// Displays octets as base64; see [`encode`].
#[derive(Clone, Copy, Debug)]
pub struct Encode<'a>(&'a [u8]);

impl fmt::Display for Encode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in self.0.chunks(PIECE) {
            let mut text = [b'='; PIECE / 3 * 4];
            for (group, out) in piece.chunks(3).zip(text.chunks_mut(4)) {
                let octet = |at: usize| group.get(at).copied().unwrap_or_default();
                let bits = u32::from_be_bytes([octet(0), octet(1), octet(2), 0]);
                for (at, out) in out.iter_mut().take(group.len() + 1).enumerate() {
                    let [value, ..] = (bits << (6 * at)).to_be_bytes();
                    *out = ALPHABET
                        .get(usize::from(value >> 2))
                        .copied()
                        .unwrap_or_default();
                }
            }
            let text = text.get(..piece.len().div_ceil(3) * 4).unwrap_or_default();
            f.write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}
