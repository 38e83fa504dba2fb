//! Handles byte order marks: removes the one for UTF-8, and converts UTF-16 to UTF-8.
//!
//! A surrogate without its other half becomes the three bytes that UTF-8 would need for it. These
//! bytes are not valid UTF-8, so the reader of the line reports them with their position.

use std::io::{self, Read};

/// The charset that a byte order mark announces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Mark {
    /// The byte order marks.
    pub(super) const ALL: [&'static [u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];

    /// Returns the byte order mark at the beginning of a file.
    pub(super) fn of(begin: &[u8]) -> Option<Self> {
        let [utf8, little, big] = Self::ALL;
        if begin.starts_with(utf8) {
            Some(Self::Utf8)
        } else if begin.starts_with(little) {
            Some(Self::Utf16Le)
        } else if begin.starts_with(big) {
            Some(Self::Utf16Be)
        } else {
            None
        }
    }

    /// Returns the text after the mark, in UTF-8.
    ///
    /// # Errors
    ///
    /// Fails if the mark cannot be read.
    pub(super) fn decode(
        self,
        mut stream: Box<dyn Read + Send>,
    ) -> io::Result<Box<dyn Read + Send>> {
        let mut mark = [0; 3];
        let length = if self == Self::Utf8 { 3 } else { 2 };
        stream.read_exact(mark.get_mut(..length).unwrap_or_default())?;
        let unit = match self {
            Self::Utf8 => return Ok(stream),
            Self::Utf16Le => u16::from_le_bytes,
            Self::Utf16Be => u16::from_be_bytes,
        };
        Ok(Box::new(Utf16 {
            stream,
            unit,
            raw: vec![0; READ],
            filled: 0,
            text: Vec::new(),
            at: 0,
            high: None,
            is_over: false,
        }))
    }
}

/// The number of bytes of UTF-16 that one read requests.
const READ: usize = 32 << 10;

/// Reads UTF-16 as UTF-8.
struct Utf16 {
    stream: Box<dyn Read + Send>,
    unit: fn([u8; 2]) -> u16,
    /// The bytes from the last read.
    raw: Vec<u8>,
    /// The number of bytes of an incomplete unit: 0 or 1.
    filled: usize,
    /// The converted text, and the position of its unread part.
    text: Vec<u8>,
    at: usize,
    /// The first half of a character.
    high: Option<u16>,
    is_over: bool,
}

impl Utf16 {
    /// Converts the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.at = 0;
        let free = self.raw.get_mut(self.filled..).unwrap_or_default();
        let read = self.stream.read(free)?;
        if read == 0 {
            self.is_over = true;
            if let Some(high) = self.high.take() {
                push_surrogate(&mut self.text, high);
            }
            if self.filled > 0 {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "not valid UTF-16: the file ends within a character",
                ));
            }
            return Ok(());
        }
        let length = self.filled + read;
        let (units, rest) = self.raw.get(..length).unwrap_or_default().as_chunks::<2>();
        for pair in units {
            let unit = (self.unit)(*pair);
            match (self.high.take(), unit) {
                (Some(high), 0xDC00..=0xDFFF) => {
                    let both = char::decode_utf16([high, unit]).next().and_then(Result::ok);
                    push(&mut self.text, both.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                (high, _) => {
                    if let Some(high) = high {
                        push_surrogate(&mut self.text, high);
                    }
                    match (unit, char::from_u32(unit.into())) {
                        (0xD800..=0xDBFF, _) => self.high = Some(unit),
                        (_, Some(c)) => push(&mut self.text, c),
                        (_, None) => push_surrogate(&mut self.text, unit),
                    }
                }
            }
        }
        let odd = rest.first().copied();
        self.filled = usize::from(odd.is_some());
        if let (Some(odd), Some(first)) = (odd, self.raw.first_mut()) {
            *first = odd;
        }
        Ok(())
    }
}

fn push(text: &mut Vec<u8>, c: char) {
    text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Appends a lone surrogate as the bytes that UTF-8 forbids.
fn push_surrogate(text: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    text.extend([
        0xE0 | (high >> 4),
        0x80 | ((high & 0x0F) << 2) | (low >> 6),
        0x80 | (low & 0x3F),
    ]);
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            if self.is_over || buffer.is_empty() {
                return Ok(0);
            }
            self.fill()?;
        }
        let mut rest = self.text.get(self.at..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::Mark;
    use std::io::Read as _;

    /// Reads a file in pieces of this size.
    fn read(bytes: &[u8], size: usize) -> std::io::Result<Vec<u8>> {
        let mark = Mark::of(bytes).unwrap();
        let mut decoded = mark.decode(Box::new(std::io::Cursor::new(bytes.to_vec())))?;
        let (mut all, mut piece) = (Vec::new(), vec![0; size]);
        loop {
            match decoded.read(&mut piece)? {
                0 => return Ok(all),
                length => all.extend_from_slice(&piece[..length]),
            }
        }
    }

    #[test]
    fn text_is_converted_in_pieces() {
        let text = "http://a/\r\nhttp://é.example/\u{10348}x\n".repeat(3000);
        let little = text.encode_utf16().flat_map(u16::to_le_bytes);
        let little: Vec<u8> = [0xFF, 0xFE].into_iter().chain(little).collect();
        let big = text.encode_utf16().flat_map(u16::to_be_bytes);
        let big: Vec<u8> = [0xFE, 0xFF].into_iter().chain(big).collect();
        let utf8 = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        for file in [little, big, utf8] {
            for size in [1, 7, 1 << 16] {
                assert!(read(&file, size).unwrap() == text.as_bytes());
            }
        }
    }

    #[test]
    fn half_a_character_is_not_utf8() {
        for (bytes, expected) in [
            (&b"\xFF\xFE\x00\xD8a\0"[..], &b"\xED\xA0\x80a"[..]),
            (b"\xFE\xFF\xDC\x00\0a", b"\xED\xB0\x80a"),
            (
                b"\xFF\xFE\x00\xD8\x00\xD8\x00\xDC",
                b"\xED\xA0\x80\xF0\x90\x80\x80",
            ),
            (b"\xFF\xFE\x00\xD8", b"\xED\xA0\x80"),
            (b"\xFF\xFE", b""),
        ] {
            assert_eq!(read(bytes, 5).unwrap(), expected);
        }
        assert!(read(b"\xFF\xFEa", 5).is_err());
    }
}
