//! The way back from decoded text to the bytes it was decoded from.

use std::collections::VecDeque;
use std::ops::Range;

/// Maps byte offsets in a decoded text to byte offsets in its source.
///
/// A map is built from the front while the text is decoded. Adjacent pieces of the same kind take
/// no more memory than one.
///
/// This is why the decoders of this crate (charsets, character references, encoded words) are its
/// own: the decoders of other crates return the text without these offsets.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffsetMap {
    runs: VecDeque<Run>,
    /// The length of the decoded text.
    decoded: usize,
    /// The offset in the source of the next piece.
    source: usize,
}

/// Adjacent units of the same sizes.
#[derive(Clone, Copy, Debug)]
struct Run {
    decoded: usize,
    source: usize,
    unit: Unit,
}

/// A unit that is decoded at once: its decoded length, and its length in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unit {
    decoded: u16,
    source: u16,
}

impl Run {
    /// The offset in the source of the decoded byte at an offset. Base64 has four characters for
    /// three bytes, and a byte begins within one particular character.
    fn start(&self, offset: usize) -> usize {
        let (decoded, source) = self.unit.sizes();
        let distance = offset - self.decoded;
        let within = distance % decoded;
        let inner = if self.unit == Unit::BASE64 { within } else { 0 };
        self.source + distance / decoded * source + inner
    }

    /// The offset in the source at which the bytes decoded before an offset end.
    fn end(&self, offset: usize) -> usize {
        let (decoded, source) = self.unit.sizes();
        let distance = offset - self.decoded;
        let within = distance % decoded;
        let inner = match (within, self.unit) {
            (0, _) => 0,
            (_, Unit::BASE64) => within + 1,
            _ => source,
        };
        self.source + distance / decoded * source + inner
    }
}

impl Unit {
    const COPIED: Self = Self {
        decoded: 1,
        source: 1,
    };
    const BASE64: Self = Self {
        decoded: 3,
        source: 4,
    };

    fn sizes(self) -> (usize, usize) {
        (usize::from(self.decoded.max(1)), usize::from(self.source))
    }
}

impl OffsetMap {
    /// A map for a text whose source begins at this offset.
    pub(crate) fn new(source: usize) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Empties the map, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        (self.decoded, self.source) = (0, 0);
    }

    /// The next `length` bytes were copied.
    pub(crate) fn copied(&mut self, length: usize) {
        if length > 0 {
            self.add(Unit::COPIED, length, length);
        }
    }

    /// The next `source` bytes were decoded to `decoded` bytes.
    pub(crate) fn replaced(&mut self, decoded: usize, source: usize) {
        if decoded == 0 {
            self.skipped(source);
            return;
        }
        let size = |length| u16::try_from(length).unwrap_or(u16::MAX);
        let unit = Unit {
            decoded: size(decoded),
            source: size(source),
        };
        self.add(unit, decoded, source);
    }

    /// The next `count` groups of four characters of base64 were decoded to three bytes each.
    pub(crate) fn groups(&mut self, count: usize) {
        if count > 0 {
            self.add(Unit::BASE64, 3 * count, 4 * count);
        }
    }

    /// The next `length` bytes of the source decode to nothing.
    pub(crate) fn skipped(&mut self, length: usize) {
        self.source += length;
    }

    /// The next piece is at this offset of the source.
    pub(crate) fn skip_to(&mut self, source: usize) {
        self.source = source;
    }

    /// The next `length` bytes of the source were decoded as `other` says, whose offsets in the
    /// source begin here.
    pub(crate) fn append(&mut self, other: &Self, length: usize) {
        let start = self.source;
        let ends = other.runs.iter().skip(1).map(|run| run.decoded);
        for (run, end) in other.runs.iter().zip(ends.chain([other.decoded])) {
            self.source = start + run.source;
            let source = run.end(end) - run.source;
            self.add(run.unit, end - run.decoded, source);
        }
        self.source = start + length;
    }

    /// The length of the decoded text.
    pub(crate) const fn len(&self) -> usize {
        self.decoded
    }

    fn add(&mut self, unit: Unit, decoded: usize, source: usize) {
        let continues = self
            .runs
            .back()
            .is_some_and(|run| run.unit == unit && run.end(self.decoded) == self.source);
        if !continues {
            self.runs.push_back(Run {
                decoded: self.decoded,
                source: self.source,
                unit,
            });
        }
        self.decoded += decoded;
        self.source += source;
    }

    /// The offset in the source of the decoded byte at an offset.
    pub(crate) fn start(&self, offset: usize) -> usize {
        let count = self.runs.partition_point(|run| run.decoded <= offset);
        match count.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) if offset < self.decoded => run.start(offset),
            _ => self.source,
        }
    }

    /// The offset in the source at which the bytes decoded before an offset end.
    pub(crate) fn end(&self, offset: usize) -> usize {
        let count = self.runs.partition_point(|run| run.decoded < offset);
        match count.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) => run.end(offset),
            None => self.start(offset),
        }
    }

    /// The range of the source that was decoded to a range of the text.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.start(range.start);
        if range.is_empty() {
            return start..start;
        }
        start..self.end(range.end)
    }

    /// Discards the mapping of offsets before this one.
    pub(crate) fn discard_before(&mut self, offset: usize) {
        while self.runs.get(1).is_some_and(|next| next.decoded <= offset) {
            self.runs.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OffsetMap;

    #[test]
    fn maps_back_to_the_source() {
        // a&amp;b=\nc\u{e9} with a character reference, a soft line break, and two escaped octets
        let mut map = OffsetMap::new(10);
        map.copied(1);
        map.replaced(1, 5);
        map.copied(1);
        map.skipped(2);
        map.copied(1);
        map.replaced(1, 3);
        map.replaced(1, 3);
        assert_eq!(map.runs.len(), 5);
        assert_eq!(map.len(), 6);
        assert_eq!(map.range(0..1), 10..11);
        assert_eq!(map.range(0..2), 10..16);
        assert_eq!(map.range(1..2), 11..16);
        assert_eq!(map.range(2..3), 16..17);
        assert_eq!(map.range(2..4), 16..20);
        assert_eq!(map.range(4..6), 20..26);
        assert_eq!(map.range(5..6), 23..26);
        assert_eq!(map.range(6..6), 26..26);
        map.discard_before(3);
        assert_eq!(map.runs.len(), 2);
        assert_eq!(map.range(3..6), 19..26);
    }

    #[test]
    fn maps_base64_character_by_character() {
        let mut map = OffsetMap::new(0);
        map.replaced(3, 4);
        map.replaced(3, 4);
        map.skipped(2);
        map.replaced(3, 4);
        assert_eq!(map.runs.len(), 2);
        // A byte has eight bits, a character six.
        assert_eq!(map.range(0..1), 0..2);
        assert_eq!(map.range(1..2), 1..3);
        assert_eq!(map.range(2..3), 2..4);
        assert_eq!(map.range(2..4), 2..6);
        assert_eq!(map.range(5..7), 6..12);
        assert_eq!(map.range(6..9), 10..14);
    }
}
