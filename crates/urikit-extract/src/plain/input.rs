//! The input: bytes, of which more may follow.

use crate::source::Source;
use core::cell::Cell;

/// Bytes in which links are looked for.
///
/// All lookahead goes through [`at`](Self::at), which notes when it reaches the end of the bytes
/// while more may follow. The result is then undecided: more input may change it.
pub(crate) struct Input<'t> {
    bytes: &'t [u8],
    /// The same, if known to be UTF-8.
    string: Option<&'t str>,
    /// Whether the text ends with these bytes.
    is_complete: bool,
    /// Whether a lookahead reached the end of the bytes while more may follow.
    ran_out: Cell<bool>,
}

impl<'t> Input<'t> {
    pub(crate) const fn new(bytes: &'t [u8], is_complete: bool) -> Self {
        Self {
            bytes,
            string: None,
            is_complete,
            ran_out: Cell::new(false),
        }
    }

    /// A complete text.
    pub(crate) fn complete<T: Source + ?Sized>(source: &'t T) -> Self {
        Self {
            string: source.text(),
            ..Self::new(source.bytes(), true)
        }
    }

    pub(crate) const fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// The byte at an offset; `None` at the end.
    #[inline]
    pub(crate) fn at(&self, offset: usize) -> Option<u8> {
        let byte = self.bytes.get(offset).copied();
        if byte.is_none() && !self.is_complete {
            self.ran_out.set(true);
        }
        byte
    }

    /// The byte before an offset; `None` only at the beginning of the text.
    #[inline]
    pub(crate) fn before(&self, offset: usize) -> Option<u8> {
        self.bytes.get(offset.checked_sub(1)?).copied()
    }

    /// The end of the run of bytes of a class that begins at `start`, no further than `limit + 1`.
    #[inline]
    pub(crate) fn run(&self, start: usize, limit: usize, class: impl Fn(u8) -> bool) -> usize {
        let end = self.bytes.len().min(limit.saturating_add(1));
        let rest = self.bytes.get(start..end).unwrap_or_default();
        if let Some(length) = rest.iter().position(|byte| !class(*byte)) {
            return start + length;
        }
        let end = start + rest.len();
        if end <= limit {
            // The next byte would have counted.
            self.at(end);
        }
        end
    }

    /// A range as a string; `None` where it is not UTF-8.
    #[inline]
    pub(crate) fn string(&self, start: usize, end: usize) -> Option<&'t str> {
        match self.string {
            Some(string) => string.get(start..end),
            None => core::str::from_utf8(self.slice(start, end)).ok(),
        }
    }

    /// The bytes of a range.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The bytes from an offset on, as far as they have arrived.
    #[inline]
    pub(crate) fn slice_from(&self, start: usize) -> &'t [u8] {
        self.bytes.get(start..).unwrap_or_default()
    }

    /// Whether `word` is at `offset`, ignoring case.
    pub(crate) fn has(&self, offset: usize, word: &[u8]) -> bool {
        word.iter().enumerate().all(|(index, byte)| {
            self.at(offset + index)
                .is_some_and(|there| there.eq_ignore_ascii_case(byte))
        })
    }

    /// Whether two hexadecimal digits are at `offset`.
    pub(crate) fn has_hex_pair(&self, offset: usize) -> bool {
        let is_digit = |at| self.at(at).is_some_and(|byte| byte.is_ascii_hexdigit());
        is_digit(offset) && is_digit(offset + 1)
    }

    /// The character at an offset and its length in bytes; `None` at the end and at bytes that are
    /// not UTF-8.
    pub(crate) fn char_at(&self, offset: usize) -> Option<(char, usize)> {
        let first = self.at(offset)?;
        let length = match first {
            0..=0x7F => return Some((char::from(first), 1)),
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        // A character that has not arrived in full leaves the result undecided.
        self.at(offset + length - 1)?;
        let text = core::str::from_utf8(self.slice(offset, offset + length)).ok()?;
        Some((text.chars().next()?, length))
    }

    /// The character that ends at an offset.
    pub(crate) fn char_before(&self, offset: usize) -> Option<char> {
        let start = offset.saturating_sub(4);
        let preceding = self.slice(start, offset);
        let begin = preceding.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
        let text = core::str::from_utf8(preceding.get(begin..)?).ok()?;
        text.chars().next()
    }

    /// Whether a lookahead ran out of input since the last call.
    pub(crate) fn take_ran_out(&self) -> bool {
        self.ran_out.take()
    }
}
