//! Reads text formats that have their own markup, with one module for each format.
//!
//! Each module except `csv` has one function, which reads a complete document once and reports to a
//! [`Prose`]. The function reports references in the markup, and text with the escapes of the
//! language removed.

pub(crate) mod asciidoc;
pub(crate) mod css;
pub(crate) mod csv;
pub(crate) mod gemtext;
pub(crate) mod http;
pub(crate) mod icalendar;
pub(crate) mod json;
pub(crate) mod latex;
#[cfg(all(feature = "zip", feature = "xml"))]
pub(crate) mod office;
pub(crate) mod org;
pub(crate) mod roff;
pub(crate) mod rst;
pub(crate) mod wat;
#[cfg(feature = "xml")]
pub(crate) mod xml;

use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::{Bases, Found, Place, Unresolved};
use crate::html::trim;
use crate::link::{Kind, Marks};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use std::borrow::Cow;

/// The maximum total size of the definitions that are used, in bytes. For longer documents, the
/// maximum is the length of the document.
const MAX_USES: usize = 100_000;

/// The length, in bytes, above which a run of text is ended at the next opportunity.
const LONG_RUN: usize = 64 << 10;

/// Collects the text and the references of a document with markup, from start to end.
struct Prose<'p, 'c> {
    document: &'p [u8],
    context: Context<'p>,
    bases: Cow<'p, Bases>,
    each: &'p mut Each<'c>,
    /// A run of text without markup, unescaped.
    text: Vec<u8>,
    map: OffsetMap,
    /// The number of bytes that further uses of definitions may still add.
    allowed: usize,
    noticed: Noticed,
}

impl<'p, 'c> Prose<'p, 'c> {
    fn new(
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

    /// Sets the base URIs for the following references.
    fn set_bases(&mut self, bases: Bases) {
        self.end();
        self.bases = Cow::Owned(bases);
    }

    fn bases(&self) -> &Bases {
        &self.bases
    }

    /// Adds the text in a range of the document, unchanged. Calls must pass ranges in increasing
    /// order.
    fn copy(&mut self, range: Range<usize>) {
        let text = self.document.get(range.clone()).unwrap_or_default();
        self.map.skip_to(range.start);
        self.text.extend_from_slice(text);
        self.map.copied(text.len());
    }

    /// Adds the text in a range of the document, unchanged, but ends a link before a mark that
    /// closes literal or struck-out text: `=http://a.example/=` in Org. White space or punctuation
    /// precedes the mark that opens this text, and follows the mark that closes it.
    fn copy_marked(&mut self, range: Range<usize>, marks: [u8; 2]) {
        let text = self.document.get(range.clone()).unwrap_or_default();
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let precedes = |byte: &u8| is_space(byte) || b"-({'\"`|*_".contains(byte);
        let follows = |byte: &u8| is_space(byte) || b"-.,;:!?'\")}[\\`|*_".contains(byte);
        let [first, second] = marks;
        let mut done = range.start;
        let (mut first_is_open, mut second_is_open) = (false, false);
        for at in memchr::memchr2_iter(first, second, text) {
            let mark = text.get(at);
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            let after = text.get(at + 1);
            // Doubled marks have this meaning in plain text too.
            if before == mark || after == mark {
                continue;
            }
            let is_open = if mark == Some(&first) {
                &mut first_is_open
            } else {
                &mut second_is_open
            };
            let is_text = |byte: Option<&u8>| byte.is_some_and(|byte| !is_space(byte));
            if *is_open && is_text(before) && after.is_none_or(follows) {
                self.copy(done..range.start + at);
                self.end();
                done = range.start + at;
                *is_open = false;
            } else if before.is_none_or(precedes) && is_text(after) {
                *is_open = true;
            }
        }
        self.copy(done..range.end);
    }

    /// Adds `text` in place of the text at `range`. If `text` is empty, the range is removed, and
    /// the text before it is joined with the text after it.
    fn replace(&mut self, range: Range<usize>, text: &[u8]) {
        self.map.skip_to(range.start);
        self.text.extend_from_slice(text);
        self.map.replaced(text.len(), range.len());
    }

    /// Ends the run of text if it is long. The caller must ensure that no link crosses this
    /// position.
    fn may_end(&mut self) {
        if self.text.len() > LONG_RUN {
            self.end();
        }
    }

    /// Ends the run of text. No link crosses this position.
    fn end(&mut self) {
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

    /// Ends the current run, and searches complete, decoded text. `to_file` maps ranges in this
    /// text to ranges in the document.
    fn text(&mut self, text: &[u8], to_file: &dyn Fn(Range<usize>) -> Range<usize>) {
        self.end();
        for link in self.context.finder.links(text) {
            let range = to_file(link.range());
            let written = self.document.get(range.clone()).unwrap_or_default();
            let mut found = Found::plain(link, written, &self.bases);
            found.range = range;
            (self.each)(found);
        }
    }

    /// Ends the preceding run of text, and reports a reference. `range` is its place in the
    /// document, and `uri` is unescaped.
    fn link(&mut self, range: Range<usize>, uri: &[u8], place: Place<'_>) {
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

    /// Returns true if a use of a definition may add `length` bytes. Otherwise, records that the
    /// limit is exceeded.
    fn may_use(&mut self, length: usize, at: usize) -> bool {
        let Some(allowed) = self.allowed.checked_sub(length) else {
            let until = &mut self.noticed.exceeded.definitions_until;
            until.get_or_insert(at);
            return false;
        };
        self.allowed = allowed;
        true
    }

    /// Reads a decoded document within this one. `to_file` maps ranges to the document.
    fn document(
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
        // The inner document is not longer than the outer one, which is already in memory.
        let _ = reader.push(text, &mut inner);
        let noticed = reader.finish(&mut inner);
        self.noticed.add(noticed, &|at| to_file(at..at).start);
    }

    /// Ends the document.
    fn finish(mut self) -> Noticed {
        self.end();
        self.noticed
    }
}

/// Iterates over lines, as ranges without line endings.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

/// Returns the lines of the text.
const fn lines(text: &[u8]) -> Lines<'_> {
    Lines { text, at: 0 }
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += length + 1;
        let line = rest.get(..length).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(start..start + line.len())
    }
}

/// Returns the indentation of a line, in bytes.
fn indent(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// Returns true if a line is empty or contains only white space.
fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Adds a line to a paragraph, or starts a paragraph with it.
fn add_line(paragraph: &mut Option<Range<usize>>, line: Range<usize>) {
    match paragraph {
        Some(paragraph) => paragraph.end = line.end,
        None => *paragraph = Some(line),
    }
}

/// Returns the offset of the first `end` that has no backslash before it.
fn unescaped_end(text: &[u8], end: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(end, b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&end) {
            return Some(at);
        }
        at += 2;
    }
}

/// Returns true if the text begins with a scheme and a colon (RFC 3986, 3.1). A single letter is
/// taken to be a drive letter.
fn has_scheme(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = text.iter().take_while(|byte| is_part(byte)).count();
    length > 1
        && text.get(length) == Some(&b':')
        && text.first().is_some_and(u8::is_ascii_alphabetic)
}
