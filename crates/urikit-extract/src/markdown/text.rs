//! Links in the text of Markdown.

use crate::decode::OffsetMap;
use crate::link::Link;
use crate::plain::Finder;
use core::ops::Range;
use pulldown_cmark::CowStr;

/// A run of text without markup in it. The parser splits it at escapes and entities, which it
/// decodes, and at line ends.
///
/// Most runs have no character that can be in a link. So the pieces are joined only if one has.
pub(super) struct TextRun<'f, 's> {
    finder: &'f Finder,
    pieces: Vec<(CowStr<'s>, Range<usize>)>,
    may_have_links: bool,
    text: String,
    map: OffsetMap,
}

impl<'f, 's> TextRun<'f, 's> {
    pub(super) fn new(finder: &'f Finder) -> Self {
        Self {
            finder,
            pieces: Vec::new(),
            may_have_links: false,
            text: String::new(),
            map: OffsetMap::new(0),
        }
    }

    /// Adds a text at a range of the source.
    pub(super) fn push(&mut self, text: CowStr<'s>, range: Range<usize>) {
        self.may_have_links = self.may_have_links || self.finder.may_find(text.as_bytes());
        self.pieces.push((text, range));
    }

    /// Where it begins, unless it is empty.
    pub(super) fn start(&self) -> Option<usize> {
        self.pieces.first().map(|(_, range)| range.start)
    }

    /// Ends the text, and calls `each` with its links and their ranges in the source.
    pub(super) fn end(&mut self, source: &str, mut each: impl FnMut(Range<usize>, Link<'_>)) {
        if self.may_have_links {
            self.join(source);
            for link in self.finder.links(&self.text) {
                each(self.map.range(link.range()), link);
            }
            self.may_have_links = false;
        }
        self.pieces.clear();
    }

    fn join(&mut self, source: &str) {
        self.text.clear();
        self.map.clear();
        for (text, range) in &self.pieces {
            self.map.skip_to(range.start);
            self.text.push_str(text);
            if source.get(range.clone()) == Some(text) {
                self.map.copied(text.len());
            } else {
                self.map.replaced(text.len(), range.len());
            }
        }
    }
}
