//! Reads one section of a document with `pulldown-cmark`.

use super::collector::{Collector, Output};
use super::definitions::Definitions;
use super::destination::{definition_destination, link_destination};
use crate::decode::{OffsetMap, as_text};
use crate::found::Syntax;
use crate::link::{Kind, Link};
use crate::plain::Finder;
use core::ops::Range;
use memchr::memmem;
use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// `pulldown-cmark` expands definitions up to this number of bytes, or up to the length of the
/// text.
pub(super) const MAX_USES: usize = 100_000;

/// Reads a section that begins at `start` in the document.
pub(super) fn read(
    section: &[u8],
    start: usize,
    definitions: &Definitions,
    collector: &mut Collector<'_>,
    output: &mut Output<'_, '_>,
) {
    let written = as_text(section);
    let prefix = definitions.footnotes_of(&written);
    let source = match prefix.as_str() {
        "" => written,
        prefix => Cow::Owned([prefix, &written].concat()),
    };
    let defined = |link: BrokenLink<'_>| {
        let definition = definitions.link(&link.reference)?;
        Some((
            CowStr::Borrowed(&definition.destination),
            CowStr::Borrowed(""),
        ))
    };
    let parser = Parser::new_with_broken_link_callback(&source, options(), Some(defined));
    let offset = |at: usize| start + at.saturating_sub(prefix.len());
    let own = parser.reference_definitions().iter();
    let own = own.filter_map(|(label, definition)| {
        let begins = offset(definition.span.start);
        let first = definitions.link(label);
        if first.is_some_and(|first| first.start != begins) {
            return None;
        }
        let range = definition_destination(&source, definition.span.clone())?;
        Some((range, definition.dest.to_string()))
    });
    let mut reader = SectionReader {
        source: &source,
        section,
        start,
        prefix: prefix.len(),
        own: OwnDefinitions::new(own.collect()),
        definitions,
        links: Vec::new(),
        last_end: 0,
        code: 0,
        emphasis: Vec::new(),
        text: TextRun::new(collector.context().finder, &source),
        uses: 0,
        collector,
    };
    for (event, range) in parser.into_offset_iter() {
        if reader.collector.is_long() && reader.links.is_empty() {
            reader.release(range.start, output);
        }
        reader.take(event, range);
    }
    reader.end_text();
    reader.take_definitions(usize::MAX);
}

/// Reads a section without markup.
pub(super) fn read_text(section: &[u8], start: usize, collector: &mut Collector<'_>) {
    let source = as_text(section);
    for link in collector.context().finder.links(&source) {
        let range = link.range();
        collector.text(range.start + start..range.end + start, link);
    }
}

/// Reads a section that consists of HTML.
pub(super) fn read_html(section: &[u8], start: usize, collector: &mut Collector<'_>) {
    let mut at = start;
    for line in section.split_inclusive(|byte| *byte == b'\n') {
        // The parser normalizes line endings.
        match line.strip_suffix(b"\r\n") {
            Some(text) => {
                collector.html(text, at);
                collector.html(b"\n", at + line.len() - 1);
            }
            None => collector.html(line, at),
        }
        at += line.len();
    }
}

/// The maximum distance between the start of a URL and the first emphasis in it, in bytes.
const MAX_URL_START: usize = 256;

/// The definitions in a section, in order.
struct OwnDefinitions {
    all: Vec<(Range<usize>, String)>,
    /// The number of definitions already returned.
    taken: usize,
}

impl OwnDefinitions {
    fn new(mut all: Vec<(Range<usize>, String)>) -> Self {
        all.sort_by_key(|(range, _)| range.start);
        Self { all, taken: 0 }
    }

    /// Returns the next definition if it begins before `offset`.
    fn next_before(&mut self, offset: usize) -> Option<(Range<usize>, String)> {
        let (range, uri) = self.all.get_mut(self.taken)?;
        if range.start >= offset {
            return None;
        }
        self.taken += 1;
        Some((range.clone(), core::mem::take(uri)))
    }
}

/// The options do not include attributes of headings, because they make the parser (0.13.6) panic
/// at an underlined heading in a quote.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

/// Reads the events of a section. Ranges are those in `source`.
struct SectionReader<'s, 'c, 'f> {
    /// The definitions of footnotes, and the section as text.
    source: &'s str,
    section: &'s [u8],
    /// The offset of the section in the document.
    start: usize,
    /// The length of the definitions before the section.
    prefix: usize,
    own: OwnDefinitions,
    definitions: &'s Definitions,
    /// The open links.
    links: Vec<OpenLink<'s>>,
    /// The end of the last event within a link.
    last_end: usize,
    /// The number of open code blocks.
    code: usize,
    /// An entry for each open emphasis: true if its delimiters are part of a URL.
    emphasis: Vec<bool>,
    text: TextRun<'f, 's>,
    /// The total length of the definitions used, in bytes.
    uses: usize,
    collector: &'c mut Collector<'f>,
}

/// An open link.
struct OpenLink<'s> {
    kind: LinkType,
    is_image: bool,
    destination: CowStr<'s>,
    range: Range<usize>,
}

impl OpenLink<'_> {
    fn syntax(&self) -> Syntax {
        match self.kind {
            _ if self.is_image => Syntax::Image,
            LinkType::Inline => Syntax::Link,
            LinkType::Autolink | LinkType::Email => Syntax::Autolink,
            _ => Syntax::Reference,
        }
    }
}

impl<'s> SectionReader<'s, '_, '_> {
    /// Converts a range in the source to a range in the document.
    const fn in_document(&self, range: Range<usize>) -> Range<usize> {
        let start = range.start.saturating_sub(self.prefix);
        let end = range.end.saturating_sub(self.prefix);
        self.start + start..self.start + end
    }

    /// Reports the references before `offset`, in order. Stops where unfinished text begins,
    /// because more references may be found in it.
    fn release(&mut self, offset: usize, output: &mut Output<'_, '_>) {
        let offset = self.text.start().map_or(offset, |start| start.min(offset));
        self.take_definitions(offset);
        let Range { start, .. } = self.in_document(offset..offset);
        self.collector.release(start, output);
    }

    /// Adds the definitions before `offset`.
    fn take_definitions(&mut self, offset: usize) {
        while let Some((range, uri)) = self.own.next_before(offset) {
            self.push(range, Kind::Link, uri, Syntax::Definition);
        }
    }

    fn take(&mut self, event: Event<'s>, range: Range<usize>) {
        let is_autolink = self
            .links
            .last()
            .is_some_and(|link| matches!(link.kind, LinkType::Autolink | LinkType::Email));
        let begins = matches!(event, Event::Start(_));
        match event {
            Event::Text(text) if self.code == 0 && !is_autolink => {
                self.text.push(text, range.clone());
            }
            Event::SoftBreak | Event::HardBreak => {
                self.text.push("\n".into(), range.clone());
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                self.end_text();
                self.html(range.clone());
            }
            Event::Start(tag @ (Tag::Emphasis | Tag::Strong | Tag::Strikethrough)) => {
                let is_in_url = self.is_in_url(range.start);
                self.emphasis.push(is_in_url);
                let length = self.delimiter(tag.to_end(), range.start);
                self.end_text_unless(is_in_url, range.start..range.start + length);
            }
            Event::End(tag @ (TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough)) => {
                let is_in_url = self.emphasis.pop().unwrap_or_default();
                let length = self.delimiter(tag, range.start);
                self.end_text_unless(is_in_url, range.end - length..range.end);
            }
            other => {
                self.end_text();
                self.mark(other, &range);
            }
        }
        if !begins {
            self.last_end = self.last_end.max(range.end);
        }
    }

    /// Adds text as written in the document.
    fn written(&mut self, range: Range<usize>) {
        if let Some(text) = self.source.get(range.clone()) {
            self.text.push(text.into(), range);
        }
    }

    /// Ends the text, or adds an emphasis delimiter that is part of a URL, such as
    /// `http://a.example/__init__.py`.
    fn end_text_unless(&mut self, is_in_url: bool, delimiter: Range<usize>) {
        if is_in_url {
            self.written(delimiter);
        } else {
            self.end_text();
        }
    }

    /// Returns the length of the emphasis delimiters that begin at `start`.
    fn delimiter(&self, emphasis: TagEnd, start: usize) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        match emphasis {
            TagEnd::Emphasis => 1,
            TagEnd::Strikethrough if !rest.starts_with("~~") => 1,
            _ => 2,
        }
    }

    /// Returns true if the word that ends at this offset of the text begins a URL.
    fn is_in_url(&self, end: usize) -> bool {
        let Some(start) = self.text.start() else {
            return false;
        };
        let start = start.max(end.saturating_sub(MAX_URL_START));
        let text = self.source.as_bytes().get(start..end).unwrap_or_default();
        let is_separator = |byte: &u8| byte.is_ascii_whitespace() || b"<>\"".contains(byte);
        let word = text.rsplit(is_separator).next().unwrap_or_default();
        memmem::find(word, b"://").is_some() || memmem::find(word, b"www.").is_some()
    }

    /// Handles the start and end of links and code blocks.
    fn mark(&mut self, event: Event<'s>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                self.used(link_type, dest_url.len() + title.len(), range.end);
                let destination = self.defined(link_type, &id).unwrap_or(dest_url);
                self.start_link(link_type, destination, range, 1);
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                self.used(link_type, dest_url.len() + title.len(), range.end);
                let destination = self.defined(link_type, &id).unwrap_or(dest_url);
                self.start_link(link_type, destination, range, 2);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(),
            Event::Start(Tag::CodeBlock(_)) => self.code += 1,
            Event::End(TagEnd::CodeBlock) => self.code = self.code.saturating_sub(1),
            _ => {}
        }
    }

    /// Returns the destination of the first definition of a label, if the link uses a definition in
    /// this section. An earlier section may define the label too.
    fn defined(&self, kind: LinkType, label: &str) -> Option<CowStr<'s>> {
        let definition = is_defined_here(kind).then(|| self.definitions.link(label))??;
        Some(CowStr::Borrowed(&definition.destination))
    }

    /// Counts one use of a definition.
    fn used(&mut self, kind: LinkType, length: usize, end: usize) {
        if is_defined_here(kind) || is_defined_elsewhere(kind) {
            self.uses += length;
            if self.uses >= self.source.len().max(MAX_USES) {
                let end = self.in_document(end..end).end;
                let exceeded = &mut self.collector.exceeded;
                exceeded.definitions_until.get_or_insert(end);
            }
        }
    }

    fn start_link(
        &mut self,
        kind: LinkType,
        destination: CowStr<'s>,
        range: &Range<usize>,
        opening: usize,
    ) {
        self.links.push(OpenLink {
            kind,
            is_image: opening == 2,
            destination,
            range: range.clone(),
        });
        // The link text ends here unless another event follows.
        self.last_end = range.start + opening;
    }

    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else {
            return;
        };
        match link.kind {
            LinkType::Inline => {
                let text_end = self.last_end.min(link.range.end);
                let locate = link_destination(self.source, text_end..link.range.end);
                self.link(
                    locate.unwrap_or_else(|| link.range.clone()),
                    &link.destination,
                    link.syntax(),
                );
            }
            LinkType::Autolink => self.autolink(&link),
            LinkType::Email => {
                let inner = within_angles(&link.range);
                let uri = ["mailto:", &link.destination].concat();
                self.push(inner, Kind::Link, uri, Syntax::Autolink);
            }
            _ => self.link(
                self.with_empty_label(&link.range),
                &link.destination,
                link.syntax(),
            ),
        }
        self.last_end = link.range.end;
    }

    /// Extends the range of a collapsed reference link, `[foo][]`: `pulldown-cmark` leaves out the
    /// `[]`.
    fn with_empty_label(&self, range: &Range<usize>) -> Range<usize> {
        let after = self.source.get(range.end..).unwrap_or_default();
        let has_label = after.starts_with("[]");
        range.start..range.end + if has_label { 2 } else { 0 }
    }

    /// Reports an autolink `<http://…>`, or a wrapper as in RFC 1738, `<URL:http://…>`.
    fn autolink(&mut self, link: &OpenLink<'s>) {
        let inner = within_angles(&link.range);
        match link.destination.split_at_checked(4) {
            Some((prefix, uri)) if prefix.eq_ignore_ascii_case("url:") => {
                self.push(
                    link.range.clone(),
                    Kind::Wrapped,
                    uri.to_owned(),
                    Syntax::Autolink,
                );
            }
            _ => self.link(inner, &link.destination, Syntax::Autolink),
        }
    }

    fn link(&mut self, range: Range<usize>, uri: &str, syntax: Syntax) {
        self.push(range, Kind::Link, uri.to_owned(), syntax);
    }

    fn push(&mut self, range: Range<usize>, kind: Kind, uri: String, syntax: Syntax) {
        let range = self.in_document(range);
        self.collector.markup(range, kind, Cow::Owned(uri), syntax);
    }

    fn html(&mut self, range: Range<usize>) {
        let start = range.start.saturating_sub(self.prefix);
        let end = range.end.saturating_sub(self.prefix);
        let piece = self.section.get(start..end).unwrap_or_default();
        self.collector.html(piece, self.start + start);
    }

    fn end_text(&mut self) {
        let (start, prefix) = (self.start, self.prefix);
        let collector = &mut *self.collector;
        self.text.end(|range, link| {
            let begins = start + range.start.saturating_sub(prefix);
            let ends = start + range.end.saturating_sub(prefix);
            collector.text(begins..ends, link);
        });
    }
}

/// Returns true if the section defines the label of a link.
const fn is_defined_here(kind: LinkType) -> bool {
    matches!(
        kind,
        LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut
    )
}

/// Returns true if another section defines the label of a link.
const fn is_defined_elsewhere(kind: LinkType) -> bool {
    matches!(
        kind,
        LinkType::ReferenceUnknown | LinkType::CollapsedUnknown | LinkType::ShortcutUnknown
    )
}

fn within_angles(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end.saturating_sub(1).max(range.start + 1)
}

/// A run of text without markup. The parser splits the run at line endings, and at the escapes and
/// entities that it decodes.
///
/// Most runs have no character that links need. The pieces are joined only if one of them has such
/// a character.
struct TextRun<'f, 's> {
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
    fn new(finder: &'f Finder, source: &'s str) -> Self {
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
    fn push(&mut self, text: CowStr<'s>, range: Range<usize>) {
        let bytes = text.as_bytes();
        let source = self.source.as_bytes();
        let written = source.get(range.clone()).unwrap_or_default();
        let is_written = bytes.len() == written.len()
            && (core::ptr::eq(bytes.as_ptr(), written.as_ptr()) || bytes == written);
        if !is_written {
            let may_find = self.finder.may_find(bytes).is_some();
            self.may_have_links = self.may_have_links || may_find;
            let text = Some(text);
            return self.pieces.push(Piece { text, range });
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
            _ => self.pieces.push(Piece { text: None, range }),
        }
    }

    /// Returns the start of the run, unless it is empty.
    fn start(&self) -> Option<usize> {
        self.pieces.first().map(|piece| piece.range.start)
    }

    /// Ends the run, and calls `each` with its links and their ranges in the source.
    #[inline]
    fn end(&mut self, each: impl FnMut(Range<usize>, Link<'_>)) {
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
