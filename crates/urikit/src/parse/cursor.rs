//! Reading the decoded form of a part character by character, for productions of RFC 5322 and RFC
//! 5536 that RFC 6068 and RFC 5538 use in percent-encoded form.
//!
//! An error is the offset of the character, or of its escape, that is not allowed there.

#![allow(clippy::missing_errors_doc)] // an error is the offset

use crate::grammar::{ByteSet, rfc822};

/// RFC 5322's `atext` is RFC 822's `atom`.
const ATEXT: &ByteSet = rfc822::ATOM.set();

/// A position in a part as written, whose escapes are read as octets.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    unescaped: &'static ByteSet,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of `text`, in which only the US-ASCII characters in `unescaped` may
    /// be written without an escape.
    pub const fn new(text: &'a str, unescaped: &'static ByteSet) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            unescaped,
        }
    }

    /// The offset.
    pub const fn at(self) -> usize {
        self.at
    }

    /// The octet here, whether it may be here as it is written, and where that ends.
    fn octet(self) -> Option<(u8, bool, usize)> {
        match self.text.get(self.at..)? {
            [b'%', high, low, ..] => {
                let value = |digit: &u8| char::from(*digit).to_digit(16);
                let octet = u8::try_from(value(high)? << 4 | value(low)?).ok()?;
                Some((octet, true, self.at + 3))
            }
            [octet, ..] => Some((*octet, self.unescaped.contains(*octet), self.at + 1)),
            [] => None,
        }
    }

    /// Whether the next octet is this one, which is US-ASCII.
    pub fn is(self, octet: u8) -> bool {
        self.octet()
            .is_some_and(|(found, may_stand, _)| found == octet && may_stand)
    }

    /// Skips this octet, which is US-ASCII, if it comes next.
    pub fn take(&mut self, octet: u8) -> bool {
        self.take_if(|found| found == octet)
    }

    /// Skips an octet of US-ASCII that is in the set.
    pub fn take_of(&mut self, set: &ByteSet) -> bool {
        self.take_if(|found| set.contains(found))
    }

    fn take_if(&mut self, is_it: impl FnOnce(u8) -> bool) -> bool {
        match self.octet() {
            Some((octet, true, end)) if is_it(octet) => {
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Skips an escape of any octet.
    pub fn take_escape(&mut self) -> bool {
        self.text.get(self.at) == Some(&b'%') && self.take_if(|_| true)
    }

    /// Skips a character beyond US-ASCII: written literally under RFC 3987, else as the escapes of
    /// its UTF-8.
    pub fn take_beyond(&mut self) -> bool {
        let mut octets = [0; 4];
        let mut ahead = *self;
        for length in 1..=4 {
            let Some((octet, _, end)) = ahead.octet().filter(|(octet, ..)| *octet >= 0x80) else {
                return false;
            };
            ahead.at = end;
            if let Some(place) = octets.get_mut(length - 1) {
                *place = octet;
            }
            let octets = octets.get(..length).unwrap_or_default();
            if core::str::from_utf8(octets).is_ok() {
                *self = ahead;
                return true;
            }
        }
        false
    }

    /// A delimiter, which must not be escaped.
    pub fn delimiter(&mut self, delimiter: u8) -> Result<(), usize> {
        if self.text.get(self.at) == Some(&delimiter) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.at)
        }
    }

    /// `dot-atom-text = 1*atext *("." 1*atext)` (RFC 5322, 3.2.3), with characters beyond US-ASCII
    /// or not.
    pub fn dot_atom_text(&mut self, with_beyond: bool) -> Result<(), usize> {
        loop {
            let start = self.at;
            while self.take_of(ATEXT) || with_beyond && self.take_beyond() {}
            if self.at == start {
                return Err(start);
            }
            if !self.take(b'.') {
                return Ok(());
            }
        }
    }

    /// `"[" *text "]"`
    pub fn literal(&mut self, text: &ByteSet) -> Result<(), usize> {
        self.take(b'[');
        while !self.take(b']') {
            if !self.take_of(text) {
                return Err(self.at);
            }
        }
        Ok(())
    }

    /// The end of the part.
    pub const fn end(self) -> Result<(), usize> {
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.at)
        }
    }
}
