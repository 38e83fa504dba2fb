//! Markdown, parsed by `pulldown-cmark`: links, images, autolinks, link reference definitions,
//! embedded HTML, and links in text.
//!
//! Each use of a definition is also a reference, whose range is the entire link. Code and
//! mathematics are not searched.
//!
//! `pulldown-cmark` reports the destination of a link, but not its range. This module finds the
//! range (CommonMark 0.31, 6.3 and 4.7).

use crate::decode::{OffsetMap, SUBSTITUTE, as_text};
use crate::found::{Bases, Exceeded, Held, Place, SharedPlaces, Syntax, Unresolved};
use crate::html::{Event as HtmlEvent, Scan};
use crate::link::{Kind, Link, Marks};
use crate::plain::Finder;
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::memmem;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// `pulldown-cmark` expands definitions up to this number of bytes, or up to the length of the
/// document.
const MAX_USES: usize = 100_000;

/// Calls `each` with the references of a complete document, in order.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let source = as_text(document);
    let front = front_matter_end(&source);
    let body = source.get(front..).unwrap_or_default();
    let parser = Parser::new_ext(body, options());
    let in_document = |range: Range<usize>| range.start + front..range.end + front;
    let definitions = parser.reference_definitions().iter();
    let definitions = definitions
        .filter_map(|(_, definition)| {
            let span = in_document(definition.span.clone());
            let range = definition_destination(&source, span)?;
            Some((range, CowStr::from(definition.dest.to_string())))
        })
        .collect();
    let mut reader = MarkdownReader {
        source: &source,
        document,
        found: Vec::new(),
        places: SharedPlaces::default(),
        sort_at: MIN_SORTED,
        definitions: Definitions::new(definitions),
        links: Vec::new(),
        last_end: 0,
        code: 0,
        emphasis: Vec::new(),
        text: TextRun::new(context.finder, &source),
        html: None,
        context,
        uses: 0,
        exceeded: Exceeded::default(),
    };
    if front > 0 {
        reader.written(0..front);
        reader.end_text();
    }
    for (event, range) in parser.into_offset_iter() {
        let range = in_document(range);
        if reader.found.len() >= reader.sort_at && reader.links.is_empty() {
            reader.release(range.start, bases, each);
        }
        reader.take(event, range);
    }
    reader.end_text();
    reader.end_html();
    reader.release(usize::MAX, bases, each);
    reader.exceeded.into()
}

/// The maximum distance between the start of a URL and the first emphasis in it, in bytes.
const MAX_URL_START: usize = 256;

/// The number of references to collect before the first sort.
const MIN_SORTED: usize = 4096;

/// The definitions of a document, in order.
struct Definitions<'s> {
    all: Vec<(Range<usize>, CowStr<'s>)>,
    /// The number of definitions already returned.
    taken: usize,
}

impl<'s> Definitions<'s> {
    fn new(mut all: Vec<(Range<usize>, CowStr<'s>)>) -> Self {
        all.sort_by_key(|(range, _)| range.start);
        Self { all, taken: 0 }
    }

    /// Returns the next definition if it begins before `offset`.
    fn next_before(&mut self, offset: usize) -> Option<(Range<usize>, CowStr<'s>)> {
        let (range, uri) = self.all.get_mut(self.taken)?;
        if range.start >= offset {
            return None;
        }
        self.taken += 1;
        Some((range.clone(), core::mem::replace(uri, "".into())))
    }
}

/// Returns the end of the front matter: metadata in YAML or TOML between two lines `---` or `+++`,
/// beginning on the first line of the document. Front matter is text, not Markdown.
fn front_matter_end(source: &str) -> usize {
    let text = source.strip_prefix('\u{FEFF}').unwrap_or(source);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let closes: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return 0,
    };
    let mut end = source.len() - text.len() + first.len();
    for (nth, line) in lines.enumerate() {
        end += line.len();
        let line = line.trim_end();
        if closes.contains(&line) {
            return end;
        }
        // If an empty line follows, the first line is a thematic break, not the start of front
        // matter.
        if nth == 0 && line.is_empty() {
            return 0;
        }
    }
    0
}

/// The options do not include attributes of headings, because they make the parser (0.13.6) panic
/// at an underlined heading in a quote.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

struct MarkdownReader<'s, 'f> {
    source: &'s str,
    document: &'s [u8],
    /// References that have not been sorted.
    found: Vec<Held<'s>>,
    places: SharedPlaces,
    /// The number of references at which the next sort happens: twice the number that remained
    /// after the last sort, which keeps the work linear.
    sort_at: usize,
    definitions: Definitions<'s>,
    /// The open links.
    links: Vec<OpenLink<'s>>,
    /// The end of the last event within a link.
    last_end: usize,
    /// The number of open code blocks.
    code: usize,
    /// An entry for each open emphasis: true if its delimiters are part of a URL.
    emphasis: Vec<bool>,
    text: TextRun<'f, 's>,
    /// The reader for all HTML in the document, and the map from its input to the document.
    html: Option<(Scan<'f>, OffsetMap)>,
    context: Context<'f>,
    /// The total length of the definitions used, in bytes.
    uses: usize,
    exceeded: Exceeded,
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

impl<'s> MarkdownReader<'s, '_> {
    /// Calls `each` with the references before `offset`, in order. Stops where unfinished text or
    /// HTML begins, because more references may be found in it.
    fn release(&mut self, offset: usize, bases: &Bases, each: &mut Each<'_>) {
        let html = self.html.as_ref();
        let html = html.map(|(scan, map)| map.start(scan.undecided_from()));
        let offset = [self.text.start(), html]
            .into_iter()
            .flatten()
            .fold(offset, usize::min);
        while let Some((range, uri)) = self.definitions.next_before(offset) {
            self.link(range, &uri, Syntax::Definition);
        }
        self.found
            .sort_by_key(|found| (found.range.start, found.range.end));
        let count = self
            .found
            .partition_point(|found| found.range.start < offset);
        for found in self.found.drain(..count) {
            found.release(|found| each(found.into_reference(Cow::Borrowed(bases))));
        }
        self.sort_at = MIN_SORTED.max(2 * self.found.len());
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
                ..
            }) => {
                self.used(link_type, dest_url.len() + title.len(), range.end);
                self.start_link(link_type, dest_url, range, 1);
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                ..
            }) => {
                self.used(link_type, dest_url.len() + title.len(), range.end);
                self.start_link(link_type, dest_url, range, 2);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(),
            Event::Start(Tag::CodeBlock(_)) => self.code += 1,
            Event::End(TagEnd::CodeBlock) => self.code = self.code.saturating_sub(1),
            _ => {}
        }
    }

    /// Counts one use of a definition.
    fn used(&mut self, kind: LinkType, length: usize, end: usize) {
        if matches!(
            kind,
            LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut
        ) {
            self.uses += length;
            if self.uses >= self.source.len().max(MAX_USES) {
                self.exceeded.definitions_until.get_or_insert(end);
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
                self.push(inner, Kind::Link, Cow::Owned(uri), Syntax::Autolink);
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
                    Cow::Owned(uri.to_owned()),
                    Syntax::Autolink,
                );
            }
            _ => self.link(inner, &link.destination, Syntax::Autolink),
        }
    }

    fn link(&mut self, range: Range<usize>, uri: &str, syntax: Syntax) {
        self.push(range, Kind::Link, Cow::Owned(uri.to_owned()), syntax);
    }

    fn push(&mut self, range: Range<usize>, kind: Kind, uri: Cow<'static, str>, syntax: Syntax) {
        let uri =
            if self.source.len() == self.document.len() && uri.contains(char::from(SUBSTITUTE)) {
                let shown = char::REPLACEMENT_CHARACTER.to_string();
                Cow::Owned(uri.replace(char::from(SUBSTITUTE), &shown))
            } else {
                uri
            };
        let text = Cow::Borrowed(self.document.get(range.clone()).unwrap_or_default());
        let found = Unresolved {
            text: text.clone(),
            range,
            kind,
            uri,
            alternative: None,
            codebase: None,
            place: Place::in_syntax(syntax),
            marks: Marks::MARKUP,
        };
        self.found.push(found.held(text, &mut self.places));
    }

    fn html(&mut self, range: Range<usize>) {
        let (scan, map) = self
            .html
            .get_or_insert_with(|| (Scan::new(self.context), OffsetMap::new(0)));
        map.skip_to(range.start);
        map.copied(range.len());
        let piece = self.document.get(range).unwrap_or_default();
        let (map, document) = (&*map, self.document);
        let (found, places) = (&mut self.found, &mut self.places);
        scan.push(piece, &mut |event| {
            found.push(locate(event, map, document, places));
        });
    }

    fn end_html(&mut self) {
        if let Some((scan, map)) = self.html.take() {
            let document = self.document;
            let (found, places) = (&mut self.found, &mut self.places);
            let long = scan.finish(&mut |event| {
                found.push(locate(event, &map, document, places));
            });
            self.exceeded.long_tags += long;
        }
    }

    fn end_text(&mut self) {
        let document = self.document;
        let (found, places) = (&mut self.found, &mut self.places);
        self.text.end(|range, link| {
            let text = Cow::Borrowed(document.get(range.clone()).unwrap_or_default());
            let link = Unresolved {
                text: text.clone(),
                range,
                kind: link.kind(),
                alternative: link.alternative,
                marks: link.marks,
                uri: link.uri,
                codebase: None,
                place: Place::default(),
            };
            found.push(link.held(text, places));
        });
    }
}

/// Maps a reference in HTML to its range in the document. A `<base>` is reported as an ordinary
/// reference.
fn locate<'s>(
    event: HtmlEvent<'_>,
    map: &OffsetMap,
    document: &'s [u8],
    places: &mut SharedPlaces,
) -> Held<'s> {
    let mut found = event.into_reference();
    found.range = map.range(found.range);
    let text = document.get(found.range.clone()).unwrap_or_default();
    found.held(Cow::Borrowed(text), places)
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

/// Returns the destination of an inline link. `rest` is the source after the link text: `](`, white
/// space, the destination.
fn link_destination(source: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let after = source.get(rest.clone())?;
    let open = rest.start + after.find("](")? + 2;
    destination(source, open, rest.end)
}

/// Returns the destination of a definition, which follows the label's `]:`.
fn definition_destination(source: &str, span: Range<usize>) -> Option<Range<usize>> {
    let bytes = source.as_bytes();
    let mut at = span.start;
    while at < span.end {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b']' if bytes.get(at + 1) == Some(&b':') => {
                return destination(source, at + 2, span.end);
            }
            _ => at += 1,
        }
    }
    None
}

/// Returns the destination after the white space at `from`: in angle brackets, or up to white space
/// or an unmatched closing parenthesis.
fn destination(source: &str, from: usize, end: usize) -> Option<Range<usize>> {
    let bytes = source.as_bytes().get(..end)?;
    let start = skip_white_space(bytes, from);
    if bytes.get(start) == Some(&b'<') {
        let inner = start + 1;
        let mut at = inner;
        loop {
            match bytes.get(at)? {
                b'\\' => at += 2,
                b'>' => return Some(inner..at),
                _ => at += 1,
            }
        }
    }
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            0..=b' ' | 0x7F => break,
            _ => {}
        }
        at += 1;
    }
    Some(start..at.min(end))
}

/// Skips white space, and block quote markers at the start of a line.
fn skip_white_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    let mut begins_line = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => begins_line = true,
            b' ' | b'\t' | b'\r' => {}
            b'>' if begins_line => {}
            _ => break,
        }
        at += 1;
    }
    at
}
