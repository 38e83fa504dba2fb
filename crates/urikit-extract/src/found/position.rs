//! Lines and columns in a text that arrives in pieces.

use memchr::{memchr_iter, memrchr};

/// A position in a file, as editors count.
///
/// ```
/// use urikit_extract::document::{Extractor, Format, Position};
/// let extractor = Extractor::new().positions(true);
/// let mut found = None;
/// extractor.extract(Format::Text, "é\né http://a.example/".as_bytes(), &mut |reference| {
///     found = reference.position();
/// })?;
/// assert_eq!(found, Some(Position { line: 2, column: 3 }));
/// # Ok::<(), urikit_extract::document::TooLong>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1. Lines end with LF.
    pub line: usize,
    /// The column, from 1, in characters (Unicode scalar values).
    pub column: usize,
}

impl Position {
    const START: Self = Self { line: 1, column: 1 };

    /// The position after this text.
    fn after(self, text: &[u8]) -> Self {
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

/// How many characters begin in a text: the bytes that do not continue one.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// Computes the positions of offsets. Each byte is counted once if the offsets increase. The text
/// is kept from the first offset that may still be needed.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    text: Vec<u8>,
    /// Where the kept text begins.
    start: Mark,
    /// Up to where lines and columns have been counted.
    last: Mark,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: usize,
    position: Position,
}

impl Positions {
    pub(crate) const fn new() -> Self {
        let start = Mark {
            offset: 0,
            position: Position::START,
        };
        Self {
            text: Vec::new(),
            start,
            last: start,
        }
    }

    /// The positions while the next piece of the text is read. Of it only the end is copied.
    pub(crate) const fn with<'p>(&'p mut self, piece: &'p [u8]) -> InPiece<'p> {
        InPiece { kept: self, piece }
    }
}

/// The positions in the text that is kept, and in a piece that follows it.
pub(crate) struct InPiece<'p> {
    kept: &'p mut Positions,
    piece: &'p [u8],
}

impl InPiece<'_> {
    /// The position of an offset that has not been discarded.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let kept = &mut *self.kept;
        if offset < kept.last.offset {
            kept.last = kept.start;
        }
        let from = kept.last.offset - kept.start.offset;
        let to = offset.saturating_sub(kept.start.offset);
        let length = kept.text.len();
        let before = kept.text.get(from.min(length)..to.min(length));
        let after = self
            .piece
            .get(from.saturating_sub(length)..to.saturating_sub(length));
        let position = kept.last.position.after(before.unwrap_or_default());
        kept.last = Mark {
            offset,
            position: position.after(after.unwrap_or_default()),
        };
        kept.last.position
    }

    /// Ends the piece, and discards the text before this offset.
    pub(crate) fn discard_before(mut self, offset: usize) {
        let dropped = offset.saturating_sub(self.kept.start.offset);
        if dropped > 0 {
            self.at(offset);
        }
        let kept = self.kept;
        if dropped > 0 {
            kept.start = kept.last;
        }
        if let Some(passed) = dropped.checked_sub(kept.text.len()) {
            kept.text.clear();
            let rest = self.piece.get(passed..).unwrap_or_default();
            kept.text.extend_from_slice(rest);
        } else {
            kept.text.drain(..dropped);
            kept.text.extend_from_slice(self.piece);
        }
    }
}

/// Computes the positions of offsets in a complete text. Each byte is counted once if the offsets
/// increase.
#[derive(Debug)]
pub(crate) struct PositionsIn<'t> {
    text: &'t [u8],
    last: Mark,
}

impl<'t> PositionsIn<'t> {
    pub(crate) const fn new(text: &'t [u8]) -> Self {
        let last = Mark {
            offset: 0,
            position: Position::START,
        };
        Self { text, last }
    }

    pub(crate) fn at(&mut self, offset: usize) -> Position {
        if offset < self.last.offset {
            *self = Self::new(self.text);
        }
        let between = self.text.get(self.last.offset..offset).unwrap_or_default();
        self.last = Mark {
            offset,
            position: self.last.position.after(between),
        };
        self.last.position
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Positions};

    #[test]
    fn counts_lines_and_characters() {
        let text = "a\né\u{1F600}x\r\n\nz".as_bytes();
        let mut positions = Positions::new();
        for byte in text {
            positions.with(&[*byte]).discard_before(0);
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
            assert_eq!(
                positions.with(b"").at(offset),
                Position { line, column },
                "{offset}"
            );
        }
        positions.with(b"").discard_before(8);
        assert_eq!(positions.text.len(), 5);
        assert_eq!(positions.with(b"").at(12), Position { line: 4, column: 1 });
        let mut piece = positions.with(b"y\nx");
        assert_eq!(piece.at(14), Position { line: 4, column: 3 });
        assert_eq!(piece.at(15), Position { line: 5, column: 1 });
        piece.discard_before(15);
        assert_eq!(positions.text, b"x");
    }
}
