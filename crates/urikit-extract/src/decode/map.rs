//! Maps offsets in decoded text to the bytes that it was decoded from.

use std::collections::VecDeque;
use std::ops::Range;

/// Maps byte offsets in decoded text to byte offsets in its source.
///
/// The map is built while the text is decoded, from start to end. Adjacent units of the same size
/// share one entry.
// The decoders of other crates return the text without offsets in the source. This crate therefore
// contains separate decoders for charsets, character references and encoded words.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffsetMap {
    runs: VecDeque<Run>,
    /// The length of the decoded text.
    decoded: usize,
    /// The offset of the next unit in the source.
    source: usize,
}

/// Adjacent units of the same size.
#[derive(Clone, Copy, Debug)]
struct Run {
    decoded: usize,
    source: usize,
    unit: Unit,
}

/// The size of a unit that is decoded as a whole: its decoded length, and its length in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unit {
    decoded: u16,
    source: u16,
}

impl Run {
    /// Returns the source offset of the decoded byte at an offset. Four base64 characters represent
    /// three bytes, each of which begins within a different character.
    fn start(&self, offset: usize) -> usize {
        let (decoded, source) = self.unit.sizes();
        let distance = offset - self.decoded;
        let within = distance % decoded;
        let inner = if self.unit == Unit::BASE64 { within } else { 0 };
        self.source + distance / decoded * source + inner
    }

    /// Returns the source offset after the bytes that decode to the text before `offset`.
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
    /// Creates a map for text whose source begins at this offset.
    pub(crate) fn new(source: usize) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Empties the map but keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        (self.decoded, self.source) = (0, 0);
    }

    /// Records that the next `length` bytes were copied.
    pub(crate) fn copied(&mut self, length: usize) {
        if length > 0 {
            self.add(Unit::COPIED, length, length);
        }
    }

    /// Records that the next `source` bytes were decoded to `decoded` bytes.
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

    /// Records that the next `count` groups of four base64 characters were decoded to three bytes
    /// each.
    pub(crate) fn groups(&mut self, count: usize) {
        if count > 0 {
            self.add(Unit::BASE64, 3 * count, 4 * count);
        }
    }

    /// Records that the next `length` bytes of the source produced no output.
    pub(crate) fn skipped(&mut self, length: usize) {
        self.source += length;
    }

    /// Moves to this offset in the source.
    pub(crate) fn skip_to(&mut self, source: usize) {
        self.source = source;
    }

    /// Appends the map of the next `length` bytes of the source. Source offsets in `other` are
    /// relative to the current offset.
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

    /// Returns the length of the decoded text.
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

    /// Returns the source offset of the decoded byte at this offset.
    pub(crate) fn start(&self, offset: usize) -> usize {
        let count = self.runs.partition_point(|run| run.decoded <= offset);
        match count.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) if offset < self.decoded => run.start(offset),
            _ => self.source,
        }
    }

    /// Returns the source offset after the bytes that decode to the text before `offset`.
    pub(crate) fn end(&self, offset: usize) -> usize {
        let count = self.runs.partition_point(|run| run.decoded < offset);
        match count.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) => run.end(offset),
            None => self.start(offset),
        }
    }

    /// Converts a range in the text to the range in the source from which it was decoded.
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
