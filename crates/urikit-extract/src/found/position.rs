//! Lines and columns in a text that comes in pieces.

use memchr::{memchr_iter, memrchr};

/// A place in a file, as people and editors count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line, from 1; it ends with LF.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl Place {
    const START: Self = Self { line: 1, column: 1 };

    /// The place behind this text.
    fn behind(self, text: &[u8]) -> Self {
        let line = self.line + memchr_iter(b'\n', text).count();
        match memrchr(b'\n', text) {
            None => Self {
                line,
                column: self.column + characters(text),
            },
            Some(end) => Self {
                line,
                column: 1 + characters(text.get(end + 1..).unwrap_or_default()),
            },
        }
    }
}

/// How many characters begin in a text: all bytes but those that go on with one.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// Gives the places of offsets, each byte counted once when they come in order. What is kept is the text from the first
/// offset that may still be asked for.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    held: Vec<u8>,
    /// Where the held text begins.
    start: Mark,
    /// Where was counted last.
    last: Mark,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: usize,
    place: Place,
}

impl Places {
    pub(crate) const fn new() -> Self {
        let start = Mark {
            offset: 0,
            place: Place::START,
        };
        Self {
            held: Vec::new(),
            start,
            last: start,
        }
    }

    /// Takes the next piece of the text.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.held.extend_from_slice(piece);
    }

    /// The place of an offset that was not released.
    pub(crate) fn place(&mut self, offset: usize) -> Place {
        if offset < self.last.offset {
            self.last = self.start;
        }
        let between = self
            .held
            .get(self.last.offset - self.start.offset..offset.saturating_sub(self.start.offset))
            .unwrap_or_default();
        self.last = Mark {
            offset,
            place: self.last.place.behind(between),
        };
        self.last.place
    }

    /// Says that nothing before this offset will be asked for.
    pub(crate) fn release(&mut self, offset: usize) {
        if offset <= self.start.offset {
            return;
        }
        self.place(offset);
        self.held
            .drain(..(offset - self.start.offset).min(self.held.len()));
        self.start = self.last;
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Places};

    #[test]
    fn counts_lines_and_characters() {
        let text = "a\né\u{1F600}x\r\n\nz".as_bytes();
        let mut places = Places::new();
        for byte in text {
            places.push(&[*byte]);
        }
        let expected = [
            (0, 1, 1),
            (1, 1, 2),
            (2, 2, 1),
            (4, 2, 2),
            (8, 2, 3),
            (11, 3, 1),
            (12, 4, 1),
            (8, 2, 3),
        ];
        for (offset, line, column) in expected {
            assert_eq!(places.place(offset), Place { line, column }, "{offset}");
        }
        places.release(8);
        assert_eq!(places.held.len(), 5);
        assert_eq!(places.place(12), Place { line: 4, column: 1 });
    }
}
