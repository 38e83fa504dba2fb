//! Links in the text between tags.

use super::entity;
use super::event::{Each, Event};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::Link;
use crate::plain::Finder;
use crate::plain::Stream;
use std::borrow::Cow;

/// The text nodes of a document, one after another. A tag ends a link.
#[derive(Debug)]
pub(crate) struct TextNodes<'f> {
    stream: Stream<'f>,
    /// Maps the concatenated, decoded text of all nodes to the document.
    map: OffsetMap,
    /// The source of the current node, from the first offset that may still be needed.
    written: Vec<u8>,
    written_start: usize,
    /// The end of the last piece, if it may begin a character reference.
    partial: Vec<u8>,
    decoded: Vec<u8>,
}

impl<'f> TextNodes<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        Self {
            stream: finder.stream(),
            map: OffsetMap::new(0),
            written: Vec::new(),
            written_start: 0,
            partial: Vec::new(),
            decoded: Vec::new(),
        }
    }

    /// The offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> Option<usize> {
        (!self.written.is_empty()).then_some(self.written_start)
    }

    /// Takes a piece of a node, at the offset `start`.
    pub(crate) fn push(
        &mut self,
        piece: &[u8],
        start: usize,
        is_escaped: bool,
        is_last: bool,
        each: &mut Each<'_>,
    ) {
        if self.written.is_empty() {
            self.map.skip_to(start);
            self.written_start = start;
        }
        self.written.extend_from_slice(piece);
        self.decoded.clear();
        if is_escaped {
            self.decode(piece, is_last);
        } else {
            self.decoded.extend_from_slice(piece);
            self.map.copied(piece.len());
        }
        let (map, written) = (&self.map, (self.written_start, self.written.as_slice()));
        self.stream
            .push_written(&self.decoded, |link, _| each(found(link, map, written)));
        if is_last {
            self.end(each);
        } else {
            let kept = self.stream.undecided_from();
            self.map.discard_before(kept);
            let passed = self.map.start(kept).saturating_sub(self.written_start);
            // Only from time to time, so that small pieces do not each move the remaining text.
            if passed > self.written.len() / 2 {
                self.written.drain(..passed.min(self.written.len()));
                self.written_start += passed;
            }
        }
    }

    /// Ends the node.
    fn end(&mut self, each: &mut Each<'_>) {
        let (map, written) = (&self.map, (self.written_start, self.written.as_slice()));
        self.stream
            .end_part(|link, _| each(found(link, map, written)));
        self.map.discard_before(self.map.len());
        self.written.clear();
    }

    fn decode(&mut self, piece: &[u8], is_last: bool) {
        if self.partial.is_empty() {
            let read = entity::decode(piece, false, is_last, &mut self.decoded, &mut self.map);
            self.partial
                .extend_from_slice(piece.get(read..).unwrap_or_default());
            return;
        }
        let mut joined = core::mem::take(&mut self.partial);
        joined.extend_from_slice(piece);
        let read = entity::decode(&joined, false, is_last, &mut self.decoded, &mut self.map);
        joined.drain(..read);
        self.partial = joined;
    }
}

fn found<'a>(link: Link<'a>, map: &OffsetMap, (start, written): (usize, &'a [u8])) -> Event<'a> {
    let range = map.range(link.range());
    let text = range.start.saturating_sub(start)..range.end.saturating_sub(start);
    Event::Reference(Unresolved {
        range,
        kind: link.kind(),
        text: Cow::Borrowed(written.get(text).unwrap_or_default()),
        alternative: link.alternative,
        uri: link.uri,
        codebase: None,
        place: Place::default(),
        marks: link.marks,
    })
}
