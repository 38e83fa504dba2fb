//! The octets of the data: escapes are decoded, and then base64.
//!
//! ```text
//! 24 bits = 4 characters of the alphabet, or 2 and "==", or 3 and "="      RFC 4648, 4
//! ```
//!
//! RFC 2397 says only "encoded as base64", and its data contains no white space. RFC 4648 requires
//! decoders to refuse characters outside the alphabet (3.3) and missing padding (3.2), and lets
//! them refuse padding bits that are not zero (3.5): all three are refused.

use super::super::Mismatch;
use urikit::component::{self, Encoded};
use urikit::grammar::Rule;
use urikit::internal::escaped_octet;

const BASE64: Rule = Rule::new("base64", "RFC 4648, 4");

/// The octets of a data URL.
#[derive(Clone, Debug)]
pub struct DataOctets<'a> {
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Escapes(component::Octets<'a>),
    Base64(Base64<'a>),
}

impl<'a> DataOctets<'a> {
    /// The octets of the part `data` of `text`.
    pub(super) fn new(text: &'a str, data: Encoded<'a>, is_base64: bool) -> Result<Self, Mismatch> {
        if !is_base64 {
            let source = Source::Escapes(data.decode().octets());
            return Ok(Self { source });
        }
        let start = data.as_str().as_ptr().addr();
        let base64 = Base64 {
            text,
            at: start.saturating_sub(text.as_ptr().addr()),
            end: start.saturating_sub(text.as_ptr().addr()) + data.len(),
            ready: [0; 3],
            count: 0,
            is_last: false,
        };
        let mut whole = base64.clone();
        while whole.group()? {}
        let source = Source::Base64(base64);
        Ok(Self { source })
    }
}

impl Iterator for DataOctets<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        match &mut self.source {
            Source::Escapes(octets) => octets.next(),
            Source::Base64(base64) => base64.next(),
        }
    }
}

impl core::iter::FusedIterator for DataOctets<'_> {}

/// A base64 decoder.
#[derive(Clone, Debug)]
struct Base64<'a> {
    /// The complete URL, and the range of its data.
    text: &'a str,
    at: usize,
    end: usize,
    /// The octets of the last group that are not returned yet, at the front.
    ready: [u8; 3],
    count: u8,
    /// Whether padding ended the group.
    is_last: bool,
}

impl Base64<'_> {
    fn next(&mut self) -> Option<u8> {
        // INVARIANT: the data was checked before, so there is no error.
        while self.count == 0 {
            if !self.group().ok()? {
                return None;
            }
        }
        let [first, ..] = self.ready;
        self.ready.rotate_left(1);
        self.count -= 1;
        Some(first)
    }

    /// The next character, which may be escaped, and its offset.
    fn character(&mut self) -> Option<(usize, u8)> {
        let rest = self.text.as_bytes().get(self.at..self.end)?;
        let place = self.at;
        if let Some(octet) = escaped_octet(rest) {
            self.at += 3;
            return Some((place, octet));
        }
        self.at += 1;
        Some((place, *rest.first()?))
    }

    fn refuse(&self, at: usize, expected: &'static str) -> Mismatch {
        // At the end of the data something is missing, whatever follows it.
        let text = self.text.get(..self.end).unwrap_or(self.text);
        Mismatch::new(text, at, expected, BASE64)
    }

    /// Reads four characters; `false` at the end.
    fn group(&mut self) -> Result<bool, Mismatch> {
        let mut bits = 0_u32;
        let mut padding = 0_u8;
        let mut last = self.at;
        for place in 0..4 {
            let Some((at, byte)) = self.character() else {
                let expected = match place {
                    0 => return Ok(false),
                    1 => "a character of base64",
                    _ => "a character of base64 or `=`",
                };
                return Err(self.refuse(self.end, expected));
            };
            if self.is_last {
                return Err(self.refuse(at, "nothing behind `=`"));
            }
            let value = match value(byte) {
                Some(value) if padding == 0 => {
                    last = at;
                    value
                }
                None if byte == b'=' && place >= 2 => {
                    padding += 1;
                    0
                }
                _ if padding > 0 => return Err(self.refuse(at, "a second `=`")),
                _ => return Err(self.refuse(at, "a character of base64")),
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, ready @ ..] = bits.to_be_bytes();
        let is_zero = match (padding, ready) {
            (2, [_, second, third]) => second == 0 && third == 0,
            (1, [_, _, third]) => third == 0,
            _ => true,
        };
        if !is_zero {
            let expected = "a character whose last bits are zero before `=`";
            return Err(self.refuse(last, expected));
        }
        self.ready = ready;
        self.count = 3 - padding;
        self.is_last = padding > 0;
        Ok(true)
    }
}

/// The value of a character (RFC 4648, 4, Table 1).
const fn value(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// The character of a value below 64.
#[cfg(feature = "alloc")]
const fn character(value: u8) -> char {
    (match value {
        0..26 => b'A' + value,
        26..52 => b'a' + (value - 26),
        52..62 => b'0' + (value - 52),
        62 => b'+',
        _ => b'/',
    }) as char
}

/// Octets as base64.
#[cfg(feature = "alloc")]
pub(super) fn encode(octets: &[u8]) -> alloc::string::String {
    let mut text = alloc::string::String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let mut bytes = [0; 4];
        for (place, octet) in bytes.iter_mut().skip(1).zip(group) {
            *place = *octet;
        }
        let bits = u32::from_be_bytes(bytes);
        for place in 0..4 {
            let [.., value] = (bits >> (18 - 6 * place)).to_be_bytes();
            text.push(if place <= group.len() {
                character(value & 63)
            } else {
                '='
            });
        }
    }
    text
}
