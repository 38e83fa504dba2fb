//! Base64 to octets, strictly.

use super::Group;
use core::fmt;
use core::iter::FusedIterator;

/// Decodes base64 strictly: nothing is allowed between its characters, the padding is required,
/// and the bits before it must be zero (RFC 4648, 3 and 4). Nothing follows an error.
///
/// Characters come one by one, so that they can be decoded from something else, such as the
/// escapes of a URL. Nothing is allocated.
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
/// assert_eq!(error.to_string(), "expected a character of base64, but found '-' at index 4");
/// ```
pub fn decode<I: IntoIterator<Item = u8>>(characters: I) -> Decode<I::IntoIter> {
    Decode {
        characters: characters.into_iter(),
        index: 0,
        ready: [0; 3],
        count: 0,
        state: State::Groups,
    }
}

/// The octets of base64, or an error; see [`decode`].
#[derive(Clone, Debug)]
pub struct Decode<I> {
    characters: I,
    /// How many characters were read.
    index: usize,
    /// The octets of the last group, with those that are not returned yet at the front.
    ready: [u8; 3],
    count: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Groups,
    /// The last group had padding.
    Padded,
    /// After the end, or an error.
    Done,
}

/// What is wrong with base64, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The index of the wrong character; at the end, the number of characters.
    pub index: usize,
    /// The wrong character; `None` at the end.
    pub found: Option<u8>,
    /// What should be in its place.
    pub expected: Expected,
}

/// What base64 has at the place of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Expected {
    /// A character of the alphabet.
    Character,
    /// A character of the alphabet, or padding.
    CharacterOrPadding,
    /// The second `=`.
    SecondPadding,
    /// The end: nothing follows padding.
    End,
    /// A character whose last bits, which belong to no octet, are zero.
    ZeroBits,
}

impl Expected {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Character => "a character of base64",
            Self::CharacterOrPadding => "a character of base64 or `=`",
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
    /// Reads four characters; false at the end.
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
            if self.state == State::Padded {
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
            self.state = State::Padded;
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
            if self.state == State::Done {
                return None;
            }
            let group = self.group();
            if group != Ok(true) {
                self.state = State::Done;
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
