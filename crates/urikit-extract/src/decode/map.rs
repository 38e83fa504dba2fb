//! From what a text decodes to, back to where it stands.

use std::collections::VecDeque;
use std::ops::Range;

/// Maps offsets in a decoded text to offsets in its source. It is built from the front, piece by piece; pieces of one
/// kind that follow each other take no more room than one.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffsetMap {
    runs: VecDeque<Run>,
    /// How long the decoded text is.
    decoded: usize,
    /// Where the source of what comes next begins.
    source: usize,
}

/// Units of the same size that follow each other.
#[derive(Clone, Copy, Debug)]
struct Run {
    decoded: usize,
    source: usize,
    unit: Unit,
}

/// What is decoded at once: how long it is decoded, and how long in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unit {
    decoded: u16,
    source: u16,
}

impl Run {
    /// Where the byte at an offset begins in the source. Base64 has four characters for three bytes: its characters
    /// are told apart.
    fn start(&self, offset: usize) -> usize {
        let (decoded, source) = self.unit.sizes();
        let behind = offset - self.decoded;
        let within = behind % decoded;
        let inner = if self.unit == Unit::BASE64 { within } else { 0 };
        self.source + behind / decoded * source + inner
    }

    /// Where what is decoded before an offset ends in the source.
    fn end(&self, offset: usize) -> usize {
        let (decoded, source) = self.unit.sizes();
        let behind = offset - self.decoded;
        let within = behind % decoded;
        let inner = match (within, self.unit) {
            (0, _) => 0,
            (_, Unit::BASE64) => within + 1,
            _ => source,
        };
        self.source + behind / decoded * source + inner
    }
}

impl Unit {
    const SAME: Self = Self {
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
    /// A map of what begins at an offset of the source.
    pub(crate) fn new(source: usize) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// So many bytes stand for themselves.
    pub(crate) fn copied(&mut self, length: usize) {
        if length > 0 {
            self.add(Unit::SAME, length, length);
        }
    }

    /// These bytes of the source stand for those of the text.
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

    /// So many bytes of the source stand for nothing.
    pub(crate) fn skipped(&mut self, length: usize) {
        self.source += length;
    }

    /// What comes next stands at this offset of the source.
    pub(crate) fn skip_to(&mut self, source: usize) {
        self.source = source;
    }

    /// How long the decoded text is.
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

    /// Where in the source the decoded byte at this offset begins.
    pub(crate) fn start(&self, offset: usize) -> usize {
        let behind = self.runs.partition_point(|run| run.decoded <= offset);
        match behind.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) if offset < self.decoded => run.start(offset),
            _ => self.source,
        }
    }

    /// Where in the source that ends whose decoded form ends at this offset.
    pub(crate) fn end(&self, offset: usize) -> usize {
        let behind = self.runs.partition_point(|run| run.decoded < offset);
        match behind.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) => run.end(offset),
            None => self.start(offset),
        }
    }

    /// The bytes of the source that stand for a range of the decoded text.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.start(range.start);
        if range.is_empty() {
            return start..start;
        }
        start..self.end(range.end)
    }

    /// Forgets what is before an offset of the decoded text.
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
        // a&amp;b=\nc\u{e9} with an entity, a line end that goes, and two escapes of three bytes each
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
    fn base64_by_its_characters() {
        let mut map = OffsetMap::new(0);
        map.replaced(3, 4);
        map.replaced(3, 4);
        map.skipped(2);
        map.replaced(3, 4);
        assert_eq!(map.runs.len(), 2);
        // Eight bits a byte, six a character.
        assert_eq!(map.range(0..1), 0..2);
        assert_eq!(map.range(1..2), 1..3);
        assert_eq!(map.range(2..3), 2..4);
        assert_eq!(map.range(2..4), 2..6);
        assert_eq!(map.range(5..7), 6..12);
        assert_eq!(map.range(6..9), 10..14);
    }
}
