//! Links in the text between markup.

use crate::decode::OffsetMap;
use crate::link::Link;
use crate::plain::Finder;
use core::ops::Range;
use pulldown_cmark::CowStr;

/// A run of text without markup. The parser splits the run at line endings, and at the escapes and
/// entities that it decodes.
///
/// Most runs have no character that links need. The pieces are joined only if one of them has such
/// a character.
pub(super) struct TextRun<'f, 's> {
    finder: &'f Finder,
    source: &'s str,
    pieces: Vec<Piece<'s>>,
    may_have_links: bool,
    /// The position in the source of the next character that links need.
    next: usize,
    text: String,
    map: OffsetMap,
}

/// A piece of text at a range of the source.
struct Piece<'s> {
    /// The text, or `None` if it equals the source.
    text: Option<CowStr<'s>>,
    range: Range<usize>,
}

impl<'f, 's> TextRun<'f, 's> {
    pub(super) fn new(finder: &'f Finder, source: &'s str) -> Self {
        Self {
            finder,
            source,
            pieces: Vec::new(),
            may_have_links: false,
            next: 0,
            text: String::new(),
            map: OffsetMap::new(0),
        }
    }

    /// Adds text at a range of the source. Ranges increase.
    #[inline]
    pub(super) fn push(&mut self, text: &CowStr<'s>, range: &Range<usize>) {
        let bytes = text.as_bytes();
        let source = self.source.as_bytes();
        let written = source.get(range.clone()).unwrap_or_default();
        let is_written = bytes.len() == written.len()
            && (core::ptr::eq(bytes.as_ptr(), written.as_ptr()) || bytes == written);
        if !is_written {
            let may_find = self.finder.may_find(bytes).is_some();
            self.may_have_links = self.may_have_links || may_find;
            return self.pieces.push(Piece {
                text: Some(text.clone()),
                range: range.clone(),
            });
        }
        if self.next < range.start {
            let rest = source.get(range.start..);
            let next = rest.and_then(|rest| self.finder.may_find(rest));
            self.next = next.map_or(usize::MAX, |next| range.start + next);
        }
        self.may_have_links |= self.next < range.end;
        match self.pieces.last_mut() {
            Some(last) if last.text.is_none() && last.range.end == range.start => {
                last.range.end = range.end;
            }
            _ => self.pieces.push(Piece {
                text: None,
                range: range.clone(),
            }),
        }
    }

    /// Returns the start of the run, unless it is empty.
    pub(super) fn start(&self) -> Option<usize> {
        self.pieces.first().map(|piece| piece.range.start)
    }

    /// Ends the run, and calls `each` with its links and their ranges in the source.
    #[inline]
    pub(super) fn end(&mut self, each: impl FnMut(Range<usize>, Link<'_>)) {
        if self.may_have_links {
            self.links(each);
            self.may_have_links = false;
        }
        self.pieces.clear();
    }

    fn links(&mut self, mut each: impl FnMut(Range<usize>, Link<'_>)) {
        self.text.clear();
        self.map.clear();
        for Piece { text, range } in &self.pieces {
            self.map.skip_to(range.start);
            if let Some(text) = text {
                self.text.push_str(text);
                self.map.replaced(text.len(), range.len());
            } else {
                self.text
                    .push_str(self.source.get(range.clone()).unwrap_or_default());
                self.map.copied(range.len());
            }
        }
        for link in self.finder.links(&self.text) {
            each(self.map.range(link.range()), link);
        }
    }
}
