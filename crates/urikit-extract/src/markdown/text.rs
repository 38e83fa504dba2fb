//! Links in the text of Markdown.

use crate::decode::OffsetMap;
use crate::link::Link;
use crate::plain::Finder;
use core::ops::Range;

/// A run of text without markup in it. The parser splits it at escapes and entities, which it
/// decodes, and at line ends.
pub(super) struct TextRun<'f> {
    finder: &'f Finder,
    text: String,
    map: OffsetMap,
}

impl<'f> TextRun<'f> {
    pub(super) fn new(finder: &'f Finder) -> Self {
        Self {
            finder,
            text: String::new(),
            map: OffsetMap::new(0),
        }
    }

    /// Adds a text at a range of the source.
    pub(super) fn push(&mut self, text: &str, source: &str, range: Range<usize>) {
        self.map.skip_to(range.start);
        self.text.push_str(text);
        if source.get(range.clone()) == Some(text) {
            self.map.copied(text.len());
        } else {
            self.map.replaced(text.len(), range.len());
        }
    }

    /// Ends the text, and calls `each` with its links and their ranges in the source.
    pub(super) fn end(&mut self, mut each: impl FnMut(Range<usize>, Link<'_>)) {
        if self.text.is_empty() {
            return;
        }
        for link in self.finder.links(&self.text) {
            each(self.map.range(link.range()), link);
        }
        self.text.clear();
        self.map = OffsetMap::new(0);
    }
}
