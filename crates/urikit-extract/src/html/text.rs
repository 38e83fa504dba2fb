//! Links in the text between tags.

use super::entity;
use super::event::{Each, Event};
use super::token::{Text, TextKind};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::Link;
use crate::plain::Finder;
use crate::plain::Stream;
use std::borrow::Cow;

/// The length of the shortest link, `a:b`. Most shorter texts are white space.
const SHORTEST: usize = 3;

/// The text nodes of a document, one after another. A tag ends a link.
#[derive(Debug)]
pub(crate) struct TextNodes<'f> {
    finder: &'f Finder,
    stream: Stream<'f>,
    /// Whether a node has begun that has not ended.
    is_open: bool,
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
            finder,
            stream: finder.stream(),
            is_open: false,
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

    /// Takes a node, or a piece of one.
    #[inline]
    pub(crate) fn push(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        let is_complete = text.is_last && !self.is_open;
        let has_none = |text: &[u8]| text.len() < SHORTEST || has_no_colon(text);
        if !(is_complete && self.finder.needs_colon() && has_none(text.bytes)) {
            let is_escaped = text.kind == TextKind::Escaped;
            if is_complete {
                self.complete(text, is_escaped, each);
            } else {
                self.piece(text, is_escaped, each);
            }
        }
    }

    /// A complete node.
    fn complete(&mut self, text: Text<'_>, is_escaped: bool, each: &mut Each<'_>) {
        let written = (text.start, text.bytes);
        let mut map = OffsetMap::new(text.start);
        self.decoded.clear();
        let decoded = if is_escaped && memchr::memchr(b'&', text.bytes).is_some() {
            entity::decode(text.bytes, false, true, &mut self.decoded, &mut map);
            &self.decoded
        } else {
            map.copied(text.bytes.len());
            text.bytes
        };
        for link in self.finder.links(decoded) {
            each(found(link, &map, written));
        }
    }

    /// A piece of a node.
    fn piece(&mut self, text: Text<'_>, is_escaped: bool, each: &mut Each<'_>) {
        let piece = text.bytes;
        if self.written.is_empty() {
            self.map.skip_to(text.start);
            self.written_start = text.start;
        }
        self.is_open = true;
        self.written.extend_from_slice(piece);
        self.decoded.clear();
        if is_escaped {
            self.decode(piece, text.is_last);
        } else {
            self.decoded.extend_from_slice(piece);
            self.map.copied(piece.len());
        }
        let (map, written) = (&self.map, (self.written_start, self.written.as_slice()));
        self.stream
            .push_written(&self.decoded, |link, _| each(found(link, map, written)));
        if text.is_last {
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
        self.is_open = false;
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

/// Whether a text has no colon, and no character reference to one: `&colon;`, `&#58;`.
#[inline]
fn has_no_colon(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b':', b'&', text.get(from..).unwrap_or_default()) {
        from += at + 1;
        let is_other = text.get(from - 1) == Some(&b'&')
            && !matches!(text.get(from), Some(b'#' | b'c' | b'C'));
        if !is_other {
            return false;
        }
    }
    true
}
