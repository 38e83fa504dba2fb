//! The text that is looked at: bytes, of which more may come.

use crate::source::Source;
use core::cell::Cell;

/// Bytes in which links are looked for.
///
/// Everything that looks ahead asks [`at`](Self::at), which notes when there is nothing yet at that place: then
/// what was found may be something else once more has come.
pub(crate) struct Input<'t> {
    bytes: &'t [u8],
    /// The same, where it is known to be a string.
    string: Option<&'t str>,
    /// Whether nothing follows the bytes.
    is_whole: bool,
    /// Whether something asked for what is yet to come.
    ran_out: Cell<bool>,
}

impl<'t> Input<'t> {
    pub(crate) const fn new(bytes: &'t [u8], is_whole: bool) -> Self {
        Self {
            bytes,
            string: None,
            is_whole,
            ran_out: Cell::new(false),
        }
    }

    /// All of a text.
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
        if byte.is_none() && !self.is_whole {
            self.ran_out.set(true);
        }
        byte
    }

    /// Behind the letters, digits and `-./_` at an offset, by sixteen at a time, hardly beyond `limit`; some
    /// of them may be left.
    #[inline]
    pub(crate) fn skip_plain(&self, mut offset: usize, limit: usize) -> usize {
        let is_plain = |byte: u8| {
            u8::from((byte | 0x20).wrapping_sub(b'a') < 26)
                | u8::from(byte.wrapping_sub(b'-') < 13)
                | u8::from(byte == b'_')
        };
        while let Some(chunk) = self.bytes.get(offset..).and_then(<[u8]>::first_chunk::<16>) {
            // No early end, so that all are looked at together.
            if offset > limit || chunk.iter().fold(1, |all, byte| all & is_plain(*byte)) == 0 {
                break;
            }
            offset += 16;
        }
        offset
    }

    /// The byte before an offset, which is always there unless the text begins.
    #[inline]
    pub(crate) fn before(&self, offset: usize) -> Option<u8> {
        self.bytes.get(offset.checked_sub(1)?).copied()
    }

    /// Behind the run of bytes of a class that begins at `start`, as far as to `limit`.
    #[inline]
    pub(crate) fn run(&self, start: usize, limit: usize, class: impl Fn(u8) -> bool) -> usize {
        let end = self.bytes.len().min(limit.saturating_add(1));
        let rest = self.bytes.get(start..end).unwrap_or_default();
        if let Some(length) = rest.iter().position(|byte| !class(*byte)) {
            return start + length;
        }
        let end = start + rest.len();
        if end <= limit {
            // What follows would be looked at.
            self.at(end);
        }
        end
    }

    /// A range that was looked at, as a string; `None` where it is no UTF-8.
    #[inline]
    pub(crate) fn string(&self, start: usize, end: usize) -> Option<&'t str> {
        match self.string {
            Some(string) => string.get(start..end),
            None => core::str::from_utf8(self.slice(start, end)).ok(),
        }
    }

    /// The bytes of a range that was looked at.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The bytes from an offset on, as far as they are here.
    #[inline]
    pub(crate) fn slice_from(&self, start: usize) -> &'t [u8] {
        self.bytes.get(start..).unwrap_or_default()
    }

    /// Whether these bytes, in either case, stand at `offset`.
    pub(crate) fn has(&self, offset: usize, word: &[u8]) -> bool {
        word.iter().enumerate().all(|(index, byte)| {
            self.at(offset + index)
                .is_some_and(|there| there.eq_ignore_ascii_case(byte))
        })
    }

    /// The character at an offset and its length in bytes; `None` at the end and where the bytes are no UTF-8.
    pub(crate) fn char_at(&self, offset: usize) -> Option<(char, usize)> {
        let first = self.at(offset)?;
        let length = match first {
            0..=0x7F => return Some((char::from(first), 1)),
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        // What is not there yet is asked for.
        self.at(offset + length - 1)?;
        let text = core::str::from_utf8(self.slice(offset, offset + length)).ok()?;
        Some((text.chars().next()?, length))
    }

    /// The character that ends at an offset.
    pub(crate) fn char_before(&self, offset: usize) -> Option<char> {
        let start = offset.saturating_sub(4);
        let behind = self.slice(start, offset);
        let begin = behind.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
        let text = core::str::from_utf8(behind.get(begin..)?).ok()?;
        text.chars().next()
    }

    /// Whether something asked for what is yet to come; begins anew.
    pub(crate) fn take_ran_out(&self) -> bool {
        self.ran_out.take()
    }
}
