//! The position of the tokenizer in its input.

/// The error for input that ends before the next step can be determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NeedMoreInput;

/// A position in a slice of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'i> {
    input: &'i [u8],
    position: usize,
    is_complete: bool,
}

impl<'i> Cursor<'i> {
    /// Creates a cursor at the start of `input`. `is_complete` means that the document ends with
    /// this input.
    pub(super) const fn new(input: &'i [u8], is_complete: bool) -> Self {
        Self {
            input,
            position: 0,
            is_complete,
        }
    }

    /// Returns a copy of this cursor whose input ends after `length` more bytes.
    pub(super) fn limited(self, length: usize) -> Self {
        let input = self.input.get(..self.position.saturating_add(length));
        Self {
            input: input.unwrap_or(self.input),
            ..self
        }
    }

    /// Returns the input, including the bytes before the cursor.
    pub(super) const fn input(self) -> &'i [u8] {
        self.input
    }

    /// Returns the number of bytes before the cursor.
    pub(super) const fn position(self) -> usize {
        self.position
    }

    /// Returns true if the document ends with the input.
    pub(super) const fn is_complete(self) -> bool {
        self.is_complete
    }

    #[inline]
    pub(super) const fn is_at_end(self) -> bool {
        self.position >= self.input.len()
    }

    /// Returns the bytes that have not been read, beginning at the cursor.
    #[inline]
    pub(super) fn rest(self) -> &'i [u8] {
        self.input.get(self.position..).unwrap_or_default()
    }

    /// Returns the bytes from `start` up to the cursor.
    #[inline]
    pub(super) fn since(self, start: usize) -> &'i [u8] {
        self.input.get(start..self.position).unwrap_or_default()
    }

    /// Returns the next byte.
    #[inline]
    pub(super) fn peek(self) -> Option<u8> {
        self.input.get(self.position).copied()
    }

    /// Returns the byte that follows the next `count` bytes.
    #[inline]
    pub(super) fn peek_after(self, count: usize) -> Option<u8> {
        self.input.get(self.position + count).copied()
    }

    /// Moves past the next byte.
    #[inline]
    pub(super) fn bump(&mut self) {
        self.position += usize::from(self.position < self.input.len());
    }

    /// Moves forward, at most to the end of the input.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) {
        self.position = self.input.len().min(self.position + count);
    }

    /// Moves to a position in the input.
    pub(super) fn set_position(&mut self, position: usize) {
        self.position = self.input.len().min(position);
    }

    /// Moves past `byte` if it is next.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    /// Moves past all bytes that `matches` accepts, and returns them.
    #[inline]
    pub(super) fn take_while(&mut self, matches: impl Fn(u8) -> bool) -> &'i [u8] {
        let start = self.position;
        self.skip_while(matches);
        self.since(start)
    }

    /// Moves past all bytes that `matches` accepts.
    #[inline]
    pub(super) fn skip_while(&mut self, matches: impl Fn(u8) -> bool) {
        let mut position = self.position;
        while self.input.get(position).is_some_and(|byte| matches(*byte)) {
            position += 1;
        }
        self.position = position;
    }

    /// Moves to the next occurrence of `byte`. If the rest of the input does not contain `byte`,
    /// moves to the end and returns false.
    ///
    /// Most values and tags are short, and for these, a loop over eight bytes at a time is faster
    /// than `memchr`.
    #[inline]
    pub(super) fn seek(&mut self, byte: u8) -> bool {
        const LOW: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let pattern = LOW * u64::from(byte);
        let near = self.position + 32;
        while self.position < near {
            let Some(eight) = self.rest().first_chunk::<8>() else {
                break;
            };
            let other = u64::from_le_bytes(*eight) ^ pattern;
            let zero = other.wrapping_sub(LOW) & !other & HIGH;
            if zero != 0 {
                let index = zero.trailing_zeros() / 8;
                self.position += usize::try_from(index).unwrap_or(0);
                return true;
            }
            self.position += 8;
        }
        self.found(memchr::memchr(byte, self.rest()))
    }

    /// Moves to the next occurrence of any of three bytes. If the rest of the input does not
    /// contain them, moves to the end and returns false.
    #[inline]
    pub(super) fn seek_any(&mut self, [a, b, c]: [u8; 3]) -> bool {
        self.found(memchr::memchr3(a, b, c, self.rest()))
    }

    /// Moves to the next occurrence of `text`. If the rest of the input does not contain `text`,
    /// moves to the end and returns false.
    pub(super) fn seek_text(&mut self, text: &[u8]) -> bool {
        self.found(memchr::memmem::find(self.rest(), text))
    }

    #[inline]
    fn found(&mut self, length: Option<usize>) -> bool {
        self.position = length.map_or(self.input.len(), |length| self.position + length);
        length.is_some()
    }

    /// Returns true if the next `count` bytes are followed by this name, ignoring case, and then by
    /// a byte that ends a name. `name` must be in lower case. Fails if more input is needed to
    /// decide.
    pub(super) fn has_name(self, count: usize, name: &str) -> Result<bool, NeedMoreInput> {
        let rest = self.input.get(self.position + count..).unwrap_or_default();
        let name = name.as_bytes();
        let length = rest.len().min(name.len());
        let (start, expected) = (rest.get(..length), name.get(..length));
        let is_equal = start
            .zip(expected)
            .is_some_and(|(start, expected)| start.eq_ignore_ascii_case(expected));
        match rest.get(name.len()) {
            _ if !is_equal => Ok(false),
            None => Err(NeedMoreInput),
            Some(byte) => Ok(ends_name(*byte)),
        }
    }

    /// Returns true if the cursor is at the end tag of this element. Fails if more input is needed
    /// to decide.
    pub(super) fn is_at_end_tag(self, name: &str) -> Result<bool, NeedMoreInput> {
        match self.peek_after(1) {
            Some(b'/') => self.has_name(2, name),
            Some(_) => Ok(false),
            None => Err(NeedMoreInput),
        }
    }
}

#[inline]
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Returns true if the byte ends the name of a tag.
#[inline]
pub(super) const fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

#[cfg(test)]
mod tests {
    use super::{Cursor, NeedMoreInput};

    #[test]
    fn seeks_the_first() {
        let seek = |text: &[u8], byte, from| {
            let mut cursor = Cursor::new(text, true);
            cursor.set_position(from);
            cursor.seek(byte).then_some(cursor.position())
        };
        for length in 0..80 {
            for position in 0..length {
                let mut text = vec![b'a'; length];
                text[position] = b'>';
                let last = length - 1;
                text[last] = b'>';
                for from in 0..=position {
                    assert_eq!(seek(&text, b'>', from), Some(position));
                }
                assert_eq!(seek(&text, b'<', 0), None);
            }
        }
        assert_eq!(seek(b"\x80\x81\x01\x00", 0, 0), Some(3));
        assert_eq!(seek(b"\x01\x00\x01\x00\x01\x01\x01\x01", 0, 2), Some(3));
    }

    #[test]
    fn names_are_undecided_until_they_end() {
        let has_name = |text: &[u8]| Cursor::new(text, false).has_name(0, "script");
        assert_eq!(has_name(b"SCRIPT>"), Ok(true));
        assert_eq!(has_name(b"script"), Err(NeedMoreInput));
        assert_eq!(has_name(b"scr"), Err(NeedMoreInput));
        assert_eq!(has_name(b"scripts"), Ok(false));
        assert_eq!(has_name(b"scx"), Ok(false));
    }
}
