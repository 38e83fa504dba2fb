//! What `from_static` says of a text that is not valid: a message made in a constant, where
//! nothing can be formatted.

use crate::ParseError;

/// `not a valid URI: byte ` and a number of up to ten digits.
const MAX: usize = 64;

/// A message that names the offset.
pub(super) struct Message {
    text: [u8; MAX],
    length: usize,
}

impl Message {
    /// `not a valid NAME: byte OFFSET`
    pub(super) const fn new(name: &str, error: ParseError) -> Self {
        let empty = Self {
            text: [0; MAX],
            length: 0,
        };
        empty
            .push(b"not a valid ")
            .push(name.as_bytes())
            .push(b": byte ")
            .push_number(error.offset())
    }

    const fn push(mut self, mut text: &[u8]) -> Self {
        while let [byte, rest @ ..] = text {
            self = self.push_byte(*byte);
            text = rest;
        }
        self
    }

    const fn push_number(self, number: usize) -> Self {
        let message = if number < 10 {
            self
        } else {
            self.push_number(number / 10)
        };
        #[allow(clippy::cast_possible_truncation)] // one digit
        message.push_byte(b'0' + (number % 10) as u8)
    }

    #[allow(clippy::indexing_slicing)] // within bounds by the condition
    const fn push_byte(mut self, byte: u8) -> Self {
        if self.length < MAX {
            self.text[self.length] = byte;
            self.length += 1;
        }
        self
    }

    pub(super) const fn as_str(&self) -> &str {
        let (text, _) = self.text.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "not valid",
        }
    }
}
