//! What the readers of this folder report to: text in which links are looked for, and references of
//! the markup.

use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::{Bases, Found, Place, Unresolved};
use crate::link::{Kind, Marks};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use std::borrow::Cow;

/// What the uses of definitions may add up to, in bytes, or the length of the document.
const MAX_USES: usize = 100_000;

/// After so many bytes, a run of text ends at the next opportunity.
const LONG_RUN: usize = 64 << 10;

/// A document with markup, read from the front.
pub(super) struct Prose<'p, 'c> {
    document: &'p [u8],
    context: Context<'p>,
    bases: Cow<'p, Bases>,
    each: &'p mut Each<'c>,
    /// A run of text without markup in it, its escapes undone.
    text: Vec<u8>,
    map: OffsetMap,
    /// What the uses of definitions may still add up to.
    allowed: usize,
    pub(super) noticed: Noticed,
}

impl<'p, 'c> Prose<'p, 'c> {
    pub(super) fn new(
        document: &'p [u8],
        context: Context<'p>,
        bases: &'p Bases,
        each: &'p mut Each<'c>,
    ) -> Self {
        Self {
            document,
            context,
            bases: Cow::Borrowed(bases),
            each,
            text: Vec::new(),
            map: OffsetMap::new(0),
            allowed: document.len().max(MAX_USES),
            noticed: Noticed::default(),
        }
    }

    /// The base URIs that apply from here on.
    pub(super) fn set_bases(&mut self, bases: Bases) {
        self.end();
        self.bases = Cow::Owned(bases);
    }

    pub(super) fn bases(&self) -> &Bases {
        &self.bases
    }

    /// Text as it is written, at a range of the document. Ranges increase.
    pub(super) fn copy(&mut self, range: Range<usize>) {
        let text = self.document.get(range.clone()).unwrap_or_default();
        self.map.skip_to(range.start);
        self.text.extend_from_slice(text);
        self.map.copied(text.len());
    }

    /// What is written at a range means this text. If that is empty, the texts around it are joined.
    pub(super) fn replace(&mut self, range: Range<usize>, text: &[u8]) {
        self.map.skip_to(range.start);
        self.text.extend_from_slice(text);
        self.map.replaced(text.len(), range.len());
    }

    /// Ends the run of text if it is long. No link extends past this place.
    pub(super) fn may_end(&mut self) {
        if self.text.len() > LONG_RUN {
            self.end();
        }
    }

    /// Ends the run of text: no link extends past this place.
    pub(super) fn end(&mut self) {
        if self.text.is_empty() {
            return;
        }
        for link in self.context.finder.links(&self.text) {
            let range = self.map.range(link.range());
            let written = self.document.get(range.clone()).unwrap_or_default();
            let mut found = Found::plain(link, written, &self.bases);
            found.range = range;
            (self.each)(found);
        }
        self.text.clear();
        self.map = OffsetMap::new(0);
    }

    /// A complete text, decoded, and the way back to its place. It ends the run of text.
    pub(super) fn text(&mut self, text: &[u8], to_file: &dyn Fn(Range<usize>) -> Range<usize>) {
        self.end();
        for link in self.context.finder.links(text) {
            let range = to_file(link.range());
            let written = self.document.get(range.clone()).unwrap_or_default();
            let mut found = Found::plain(link, written, &self.bases);
            found.range = range;
            (self.each)(found);
        }
    }

    /// A reference of the markup: where it is, and its text without escapes. It ends the run of
    /// text.
    pub(super) fn link(&mut self, range: Range<usize>, uri: &[u8], place: Place<'_>) {
        self.end();
        let found = Unresolved {
            text: Cow::Borrowed(self.document.get(range.clone()).unwrap_or_default()),
            range,
            kind: Kind::Link,
            uri: String::from_utf8_lossy(uri),
            alternative: None,
            codebase: None,
            place,
            marks: Marks::MARKUP,
        };
        (self.each)(found.into_reference(Cow::Borrowed(&self.bases)));
    }

    /// Whether something defined elsewhere may be used here, which adds this many bytes. If it may
    /// not, that is noticed.
    pub(super) fn may_use(&mut self, length: usize, at: usize) -> bool {
        let Some(allowed) = self.allowed.checked_sub(length) else {
            let until = &mut self.noticed.exceeded.definitions_until;
            until.get_or_insert(at);
            return false;
        };
        self.allowed = allowed;
        true
    }

    /// A document within this one, decoded, and the way back to its place.
    pub(super) fn document(
        &mut self,
        format: Format,
        text: &[u8],
        to_file: &dyn Fn(Range<usize>) -> Range<usize>,
    ) {
        if format == Format::Text {
            return self.text(text, to_file);
        }
        self.end();
        let bases = &*self.bases;
        let mut reader = self.context.open_part(format, bases);
        let each = &mut *self.each;
        let mut inner = |mut found: Found<'_>| {
            found.range = to_file(found.range);
            found.part = None;
            each(found);
        };
        // It is no longer than the document around it, which is in memory.
        let _ = reader.push(text, &mut inner);
        let noticed = reader.finish(&mut inner);
        self.noticed.add(noticed, &|at| to_file(at..at).start);
    }

    /// Ends the document.
    pub(super) fn finish(mut self) -> Noticed {
        self.end();
        self.noticed
    }
}
