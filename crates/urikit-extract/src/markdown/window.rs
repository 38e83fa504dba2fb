//! The part of a document that is still needed.

use crate::found::Position;
use core::ops::Range;
use std::collections::VecDeque;

/// The last bytes of a document.
#[derive(Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// The offset of the first byte in the document.
    start: usize,
}

impl Window {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    pub(super) const fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// Returns the bytes in this range of the document.
    pub(super) fn get(&self, range: Range<usize>) -> &[u8] {
        let start = range.start.saturating_sub(self.start);
        let end = range.end.saturating_sub(self.start).min(self.bytes.len());
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Discards the bytes before this offset if they are more than `slack`. A larger `slack` means
    /// that the remaining bytes are moved less often.
    pub(super) fn discard_before(&mut self, offset: usize, slack: usize) {
        let passed = offset.saturating_sub(self.start).min(self.bytes.len());
        if passed > slack {
            self.bytes.drain(..passed);
            self.start += passed;
        }
    }
}

/// The positions at which sections begin.
#[derive(Debug, Default)]
pub(super) struct Positions {
    known: VecDeque<KnownPosition>,
}

/// An offset and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownPosition {
    pub(super) offset: usize,
    pub(super) position: Position,
}

impl Positions {
    pub(super) fn push(&mut self, known: KnownPosition) {
        self.known.push_back(known);
    }

    /// Discards the positions that are not needed for offsets at or after this one. Returns the
    /// first offset that is still needed.
    pub(super) fn discard_before(&mut self, offset: usize) -> Option<usize> {
        while self.known.get(1).is_some_and(|next| next.offset <= offset) {
            self.known.pop_front();
        }
        self.known.front().map(|known| known.offset)
    }

    /// Returns the position of an offset. Offsets must not decrease; then each byte is counted only
    /// once.
    pub(super) fn at(&mut self, offset: usize, window: &Window) -> Option<Position> {
        self.discard_before(offset);
        let known = self.known.front_mut()?;
        known.position = known.position.after(window.get(known.offset..offset));
        known.offset = offset;
        Some(known.position)
    }
}
