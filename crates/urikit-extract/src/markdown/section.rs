//! Reads a section of a document.

use super::destination::{definition_destination, link_destination};
use super::text::TextRun;
use crate::decode::{OffsetMap, SUBSTITUTE, as_text};
use crate::found::{Bases, Exceeded, Held, Place, SharedPlaces, Syntax, Unresolved};
use crate::html::{Event as HtmlEvent, Scan};
use crate::link::{Kind, Marks};
use crate::reader::{Context, Each, Noticed};
use core::ops::{ControlFlow, Range};
use memchr::{memmem, memrchr, memrchr2};
use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

/// `pulldown-cmark` expands definitions up to this number of bytes, or up to the length of the
/// text that it parses.
const MAX_USES: usize = 100_000;

/// The end of the definitions before a section: an empty heading, which ends every other block.
pub(super) const END: &str = "#\n";

/// A section of a document, and the text that surrounds it.
pub(super) struct Section<'t> {
    /// The definitions of earlier sections, then the section, then text that is searched only for
    /// definitions.
    pub(super) text: &'t [u8],
    /// The offset of the section in `text`.
    pub(super) start: usize,
    /// True if the document begins here, possibly with front matter.
    pub(super) is_first: bool,
    /// The section must end before this offset, between two blocks or list items. `None` if
    /// the section extends to the end of `text`.
    pub(super) limit: Option<usize>,
}

/// The result of reading a section.
pub(super) struct Read {
    /// The offset of the end of the section in the text, or of its start if no end was found.
    pub(super) end: usize,
    /// Markdown that defines the section's link labels and footnotes again.
    pub(super) definitions: String,
    pub(super) noticed: Noticed,
}

/// The maximum number of undefined labels to remember. Any text in brackets may be a label.
const MAX_UNDEFINED: usize = 100_000;

/// The labels of earlier sections for which no definition was found.
#[derive(Default, Debug)]
pub(super) struct Undefined {
    /// The hash of each label, ignoring case.
    labels: HashSet<u64>,
    hasher: RandomState,
}

impl Undefined {
    fn hash(&self, label: &str) -> u64 {
        self.hasher.hash_one(label.to_uppercase().to_lowercase())
    }

    fn add(&mut self, label: u64) {
        if self.labels.len() < MAX_UNDEFINED {
            self.labels.insert(label);
        }
    }
}

impl Section<'_> {
    /// Calls `each` with the references in the section, in order. Ranges are offsets in the text.
    pub(super) fn read(
        &self,
        context: Context<'_>,
        bases: &Bases,
        undefined: &mut Undefined,
        each: &mut Each<'_>,
    ) -> Read {
        let is_last = self.limit.is_none();
        let document = if is_last {
            self.text
        } else {
            // The parser could mistake the beginning of an incomplete line for a definition. Only
            // LF reliably ends a line: the parser (0.13.6) reads CR as part of the language of a
            // code block.
            let end = memrchr(b'\n', self.text).map_or(self.start, |at| at + 1);
            self.text.get(..end).unwrap_or_default()
        };
        let source = as_text(document);
        let front = if self.is_first {
            front_matter_end(&source)
        } else {
            0
        };
        let body = source.get(front..).unwrap_or_default();
        // The hashes of labels without a definition, and the offsets of their uses.
        let mut unknown = Vec::new();
        let note_unknown = |link: BrokenLink<'_>| -> Option<(CowStr<'_>, CowStr<'_>)> {
            unknown.push((undefined.hash(&link.reference), link.span.start + front));
            None
        };
        let note_unknown = (!is_last).then_some(note_unknown);
        let parser = Parser::new_with_broken_link_callback(body, options(), note_unknown);
        let in_document = |range: Range<usize>| range.start + front..range.end + front;
        let definitions = Definitions::new(parser.reference_definitions().iter().filter_map(
            |(label, definition)| {
                let span = in_document(definition.span.clone());
                (span.start >= self.start).then_some(())?;
                Some(Definition {
                    range: definition_destination(&source, span)?,
                    label: label.to_owned(),
                    uri: definition.dest.to_string(),
                })
            },
        ));
        let mut reader = SectionReader {
            source: &source,
            document,
            found: Vec::new(),
            places: SharedPlaces::default(),
            sort_at: MIN_SORTED,
            definitions,
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
        let mut ends = Ends::new(self, &source);
        let mut footnotes = Footnotes::default();
        let mut events = parser.into_offset_iter();
        // Events are large, and take longer to move than to read.
        while let Some((event, range)) = &events.next() {
            let range = in_document(range.clone());
            footnotes.take(event, range.start, self.start);
            if range.start < self.start {
                continue;
            }
            if ends.take(event, &range).is_break() {
                break;
            }
            if reader.found.len() >= reader.sort_at && reader.links.is_empty() {
                let decided = if is_last { range.start } else { ends.last };
                reader.release(decided, bases, each);
            }
            reader.take(event, &range);
        }
        reader.end_text();
        reader.end_html();
        let end = ends.finish();
        reader.release(end, bases, each);
        // Uses after the end are read again.
        let until = &mut reader.exceeded.definitions_until;
        *until = until.filter(|at| *at <= end);
        let late = |definition: &&Definition| {
            let label = undefined.hash(&definition.label);
            undefined.labels.remove(&label)
        };
        reader.exceeded.late_definitions = reader.definitions.before(end).filter(late).count();
        for (label, _) in unknown.into_iter().filter(|(_, offset)| *offset < end) {
            undefined.add(label);
        }
        let mut definitions = String::new();
        if !is_last {
            footnotes.write(end, &mut definitions);
            reader.definitions.write(end, &mut definitions);
        }
        Read {
            end: end.min(self.text.len()),
            definitions,
            noticed: reader.exceeded.into(),
        }
    }
}

/// The maximum distance between the start of a URL and the first emphasis in it, in bytes.
const MAX_URL_START: usize = 256;

/// The number of references to collect before the first sort.
const MIN_SORTED: usize = 4096;

/// A link reference definition.
struct Definition {
    /// The range of the destination.
    range: Range<usize>,
    label: String,
    uri: String,
}

/// The definitions of a section and of the text after it, in order.
struct Definitions {
    all: Vec<Definition>,
    /// The number of definitions already returned.
    taken: usize,
}

impl Definitions {
    fn new(all: impl Iterator<Item = Definition>) -> Self {
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|definition| definition.range.start);
        Self { all, taken: 0 }
    }

    /// Returns the next definition if it begins before `offset`.
    fn next_before(&mut self, offset: usize) -> Option<(Range<usize>, String)> {
        let next = self.all.get(self.taken)?;
        if next.range.start >= offset {
            return None;
        }
        self.taken += 1;
        Some((next.range.clone(), next.uri.clone()))
    }

    /// Returns the definitions before `offset`.
    fn before(&self, offset: usize) -> impl Iterator<Item = &Definition> {
        let is_before = move |definition: &&Definition| definition.range.start < offset;
        self.all.iter().take_while(is_before)
    }

    /// Appends the definitions before `offset` as Markdown.
    fn write(&self, offset: usize, out: &mut String) {
        for Definition { label, uri, .. } in self.before(offset) {
            // Without the spaces, a `^` at the start of the label would begin a footnote, and a
            // backslash at its end would escape the bracket.
            out.extend(["[ ", label, " ]: <"]);
            for character in uri.chars() {
                match character {
                    '\n' => out.push_str("&#10;"),
                    '\r' => out.push_str("&#13;"),
                    '<' | '>' | '\\' | '&' => out.extend(['\\', character]),
                    _ => out.push(character),
                }
            }
            out.push_str(">\n");
        }
    }
}

/// The labels of the footnotes in the text. `[^a]` refers to a footnote only if the footnote is
/// defined, and is text otherwise.
#[derive(Default)]
struct Footnotes<'s> {
    known: HashSet<CowStr<'s>>,
    /// The labels first defined in or after the section, with their offsets.
    new: Vec<(CowStr<'s>, usize)>,
}

impl<'s> Footnotes<'s> {
    fn take(&mut self, event: &Event<'s>, offset: usize, section: usize) {
        if let Event::Start(Tag::FootnoteDefinition(label)) = event
            && self.known.insert(label.clone())
            && offset >= section
        {
            self.new.push((label.clone(), offset));
        }
    }

    /// Appends the new labels before `end`, each defined as an empty footnote.
    fn write(&self, end: usize, out: &mut String) {
        for (label, _) in self.new.iter().filter(|(_, offset)| *offset < end) {
            // With the space, a backslash at the end of the label does not escape the bracket.
            out.extend(["[^", label, " ]:\n"]);
        }
    }
}

/// Finds the offsets at which a section may end.
struct Ends<'s> {
    source: &'s str,
    /// The last offset found.
    last: usize,
    /// The greatest offset at which the section may end, or `None` for the last section.
    limit: Option<usize>,
    /// The number of open blocks and inline elements.
    depth: usize,
    /// The end of the last block that is not inside another.
    block_end: usize,
    /// True if that block may continue after a blank line.
    may_continue: bool,
}

impl<'s> Ends<'s> {
    fn new(section: &Section<'_>, source: &'s str) -> Self {
        Self {
            source,
            last: section.start,
            limit: section.limit,
            depth: 0,
            block_end: section.start,
            may_continue: false,
        }
    }

    /// Returns `Break` if the section ends before the event.
    fn take(&mut self, event: &Event<'_>, range: &Range<usize>) -> ControlFlow<()> {
        let Some(limit) = self.limit else {
            return ControlFlow::Continue(());
        };
        let may_end = match event {
            Event::Start(Tag::Item) => self.depth == 1,
            Event::Start(_) | Event::Rule => self.depth == 0,
            _ => false,
        };
        if may_end {
            let line = self.line_start(range.start);
            if line > limit {
                if self.depth > 0 {
                    self.block_end = limit;
                }
                self.may_continue = false;
                return ControlFlow::Break(());
            }
            if self.is_end(event, line..range.start) {
                self.last = line;
            }
        }
        match event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth == 0 {
            self.block_end = range.end;
            self.may_continue = matches!(
                event,
                Event::End(TagEnd::List(_) | TagEnd::FootnoteDefinition | TagEnd::CodeBlock)
            );
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the text from here on can be parsed by itself. `indentation` is the range of
    /// the white space before the block or item that begins here.
    fn is_end(&self, event: &Event<'_>, indentation: Range<usize>) -> bool {
        let at = indentation.start;
        let start = self.source.get(indentation.end..).unwrap_or_default();
        // The parser may end a footnote before an indented block, which would then be code.
        let spaces = self.source.get(indentation).unwrap_or_default();
        let is_block = spaces.len() < 4 && spaces.bytes().all(|byte| byte == b' ');
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => self.follows_blank_line(at),
            // These begin a block even after a paragraph.
            Event::Start(
                Tag::Item | Tag::CodeBlock(_) | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_),
            )
            | Event::Rule => is_block,
            Event::Start(Tag::Heading { .. }) if start.starts_with('#') => is_block,
            // After a definition, the rest of its paragraph may look like another block.
            _ => is_block && self.follows_blank_line(at),
        }
    }

    /// Returns the offset at which the section ends, which may be between definitions or blank
    /// lines after a block.
    fn finish(&self) -> usize {
        let Some(limit) = self.limit else {
            return usize::MAX;
        };
        let mut end = self.line_start(limit.min(self.source.len()));
        while end > self.block_end.max(self.last) {
            let line = self.source.get(end..).unwrap_or_default();
            let ends_block = !self.may_continue || line.starts_with('[');
            if ends_block && self.follows_blank_line(end) {
                return end;
            }
            end = self.line_start(end - 1);
        }
        self.last
    }

    /// Returns the start of the line that contains an offset.
    fn line_start(&self, offset: usize) -> usize {
        let before = self.source.as_bytes().get(..offset).unwrap_or_default();
        memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
    }

    /// Returns true if a blank line precedes the line that begins here.
    fn follows_blank_line(&self, start: usize) -> bool {
        let before = self.source.get(..start).unwrap_or_default();
        let before = before.strip_suffix('\n').unwrap_or(before);
        let before = before.strip_suffix('\r').unwrap_or(before);
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        line.trim_matches([' ', '\t']).is_empty()
    }
}

/// Returns the end of the front matter: YAML between two `---` lines, or TOML between two `+++`
/// lines, beginning on the first line of the document. Front matter is text, not Markdown.
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

/// The options leave out heading attributes, which make the parser (0.13.6) panic on an underlined
/// heading in a quote.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

struct SectionReader<'s, 'f> {
    source: &'s str,
    document: &'s [u8],
    /// References that have not been sorted.
    found: Vec<Held<'s>>,
    places: SharedPlaces,
    /// The number of references at which the next sort happens: twice the number that remained
    /// after the last sort, which keeps the work linear.
    sort_at: usize,
    definitions: Definitions,
    /// The open links.
    links: Vec<OpenLink<'s>>,
    /// The end of the last event within a link.
    last_end: usize,
    /// The number of open code blocks.
    code: usize,
    /// An entry for each open emphasis: true if its delimiters are part of a URL.
    emphasis: Vec<bool>,
    text: TextRun<'f, 's>,
    /// The reader for all HTML in the section, and the map from its input to the section.
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

impl<'s> SectionReader<'s, '_> {
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

    fn take(&mut self, event: &Event<'s>, range: &Range<usize>) {
        match event {
            Event::Text(text) if self.code == 0 && !self.is_in_autolink() => {
                self.text.push(text, range);
            }
            Event::SoftBreak | Event::HardBreak => {
                self.text.push(&CowStr::Borrowed("\n"), range);
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
                let length = self.delimiter(*tag, range.start);
                self.end_text_unless(is_in_url, range.end - length..range.end);
            }
            other => {
                self.end_text();
                self.mark(other, range);
            }
        }
        if !matches!(event, Event::Start(_)) {
            self.last_end = self.last_end.max(range.end);
        }
    }

    fn is_in_autolink(&self) -> bool {
        let link = self.links.last();
        link.is_some_and(|link| matches!(link.kind, LinkType::Autolink | LinkType::Email))
    }

    /// Adds text as written in the document.
    fn written(&mut self, range: Range<usize>) {
        if let Some(text) = self.source.get(range.clone()) {
            self.text.push(&text.into(), &range);
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
    fn mark(&mut self, event: &Event<'s>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                ..
            }) => {
                self.used(*link_type, dest_url.len() + title.len(), range.end);
                self.start_link(*link_type, dest_url.clone(), range, 1);
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                ..
            }) => {
                self.used(*link_type, dest_url.len() + title.len(), range.end);
                self.start_link(*link_type, dest_url.clone(), range, 2);
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
