//! Markdown, by `pulldown-cmark`: links, images, autolinks and definitions; HTML within it; and links in the text.
//!
//! Each use of a definition is a reference too: what is written is then the whole link. Code and mathematics have no references.

mod destination;
mod text;

use crate::decode::OffsetMap;
use crate::found::{Bases, Reference, Unresolved};
use crate::html::{Event as HtmlEvent, Scan};
use crate::link::Kind;
use crate::plain::Finder;
use core::ops::Range;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use text::TextRun;

/// The byte that stands for those that are no text while the document is parsed: a control, which ends every link.
const SUBSTITUTE: u8 = 0x1A;

/// Gives the references of a whole document, in order.
pub(crate) fn read(
    document: &[u8],
    finder: &Finder,
    bases: &Bases,
    each: &mut dyn FnMut(Reference<'_>),
) {
    let source = as_text(document);
    let mut reader = Reader {
        source: &source,
        document,
        found: Vec::new(),
        links: Vec::new(),
        last_end: 0,
        code: 0,
        text: TextRun::new(finder),
        html: None,
        finder,
    };
    let parser = Parser::new_ext(&source, options());
    for (_, definition) in parser.reference_definitions().iter() {
        let label = definition.span.clone();
        if let Some(range) = destination::of_definition(&source, label) {
            reader.link(range, &definition.dest);
        }
    }
    for (event, range) in parser.into_offset_iter() {
        reader.take(event, range);
    }
    reader.end_text();
    reader.end_html();
    let mut found = reader.found;
    found.sort_by_key(|found| (found.range.start, found.range.end));
    for found in found {
        each(found.into_reference(Cow::Borrowed(bases)));
    }
}

/// The document as text: each byte that is none is replaced by one that is, so that offsets stay what they are.
fn as_text(document: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = core::str::from_utf8(document) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(document.len());
    for chunk in document.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::from(SUBSTITUTE)));
    }
    Cow::Owned(text)
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_MATH
}

struct Reader<'s, 'f> {
    source: &'s str,
    document: &'s [u8],
    found: Vec<Unresolved<'s>>,
    /// The links that are open, each with where its end will look for the destination.
    links: Vec<Open<'s>>,
    /// Where the last event within a link ended.
    last_end: usize,
    /// How many blocks of code are open.
    code: usize,
    text: TextRun<'f>,
    /// The HTML of the document, one piece after the other, and where those stand.
    html: Option<(Scan<'f>, OffsetMap)>,
    finder: &'f Finder,
}

/// A link that is open.
struct Open<'s> {
    kind: LinkType,
    destination: CowStr<'s>,
    range: Range<usize>,
}

impl<'s> Reader<'s, '_> {
    fn take(&mut self, event: Event<'s>, range: Range<usize>) {
        let is_autolink = self
            .links
            .last()
            .is_some_and(|link| matches!(link.kind, LinkType::Autolink | LinkType::Email));
        let begins = matches!(event, Event::Start(_));
        match event {
            Event::Text(text) if self.code == 0 && !is_autolink => {
                self.text.push(&text, self.source, range.clone());
            }
            Event::SoftBreak | Event::HardBreak => {
                self.text.push("\n", self.source, range.clone());
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                self.end_text();
                self.html(range.clone());
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

    /// Begins and ends what is marked up.
    fn mark(&mut self, event: Event<'s>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => self.start_link(link_type, dest_url, range, 1),
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                ..
            }) => self.start_link(link_type, dest_url, range, 2),
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(),
            Event::Start(Tag::CodeBlock(_)) => self.code += 1,
            Event::End(TagEnd::CodeBlock) => self.code = self.code.saturating_sub(1),
            _ => {}
        }
    }

    fn start_link(
        &mut self,
        kind: LinkType,
        destination: CowStr<'s>,
        range: &Range<usize>,
        opening: usize,
    ) {
        self.links.push(Open {
            kind,
            destination,
            range: range.clone(),
        });
        // What is behind the link's end is of no event within it.
        self.last_end = range.start + opening;
    }

    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else {
            return;
        };
        match link.kind {
            LinkType::Inline => {
                let text_end = self.last_end.min(link.range.end);
                let place = destination::of_link(self.source, text_end..link.range.end);
                self.link(
                    place.unwrap_or_else(|| link.range.clone()),
                    &link.destination,
                );
            }
            LinkType::Autolink => self.autolink(&link),
            LinkType::Email => {
                let inner = within_angles(&link.range);
                let uri = ["mailto:", &link.destination].concat();
                self.push(inner, Kind::Link, Cow::Owned(uri));
            }
            _ => self.link(self.with_empty_label(&link.range), &link.destination),
        }
        self.last_end = link.range.end;
    }

    /// A link by its own text, `[foo][]`, whose range the parser ends before the empty label.
    fn with_empty_label(&self, range: &Range<usize>) -> Range<usize> {
        let behind = self.source.get(range.end..).unwrap_or_default();
        let has_label = behind.starts_with("[]");
        range.start..range.end + if has_label { 2 } else { 0 }
    }

    /// `<http://…>`; `<URL:http://…>` is a wrapper of the RFCs.
    fn autolink(&mut self, link: &Open<'s>) {
        let inner = within_angles(&link.range);
        match link.destination.split_at_checked(4) {
            Some((prefix, uri)) if prefix.eq_ignore_ascii_case("url:") => {
                self.push(
                    link.range.clone(),
                    Kind::Wrapped,
                    Cow::Owned(uri.to_owned()),
                );
            }
            _ => self.link(inner, &link.destination),
        }
    }

    fn link(&mut self, range: Range<usize>, uri: &str) {
        self.push(range, Kind::Link, Cow::Owned(uri.to_owned()));
    }

    fn push(&mut self, range: Range<usize>, kind: Kind, uri: Cow<'static, str>) {
        let uri =
            if self.source.len() == self.document.len() && uri.contains(char::from(SUBSTITUTE)) {
                let shown = char::REPLACEMENT_CHARACTER.to_string();
                Cow::Owned(uri.replace(char::from(SUBSTITUTE), &shown))
            } else {
                uri
            };
        self.found.push(Unresolved {
            text: Cow::Borrowed(self.document.get(range.clone()).unwrap_or_default()),
            range,
            kind,
            uri,
            alternative: None,
            codebase: None,
        });
    }

    fn html(&mut self, range: Range<usize>) {
        let (scan, map) = self
            .html
            .get_or_insert_with(|| (Scan::new(self.finder), OffsetMap::new(0)));
        map.skip_to(range.start);
        map.copied(range.len());
        let piece = self.document.get(range).unwrap_or_default();
        let (map, document, found) = (&*map, self.document, &mut self.found);
        scan.push(piece, &mut |event| {
            found.extend(place(event, map, document));
        });
    }

    fn end_html(&mut self) {
        if let Some((scan, map)) = self.html.take() {
            let (document, found) = (self.document, &mut self.found);
            scan.finish(&mut |event| found.extend(place(event, &map, document)));
        }
    }

    fn end_text(&mut self) {
        let (document, found) = (self.document, &mut self.found);
        self.text.end(|range, link| {
            found.push(Unresolved {
                text: Cow::Borrowed(document.get(range.clone()).unwrap_or_default()),
                range,
                kind: link.kind(),
                alternative: link.alternative.clone(),
                uri: Cow::Owned(link.into_uri().into_owned()),
                codebase: None,
            });
        });
    }
}

/// A reference in a document's HTML, at its place in the document. A base there is a reference as any other.
fn place<'s>(event: HtmlEvent<'_>, map: &OffsetMap, document: &'s [u8]) -> Option<Unresolved<'s>> {
    let (HtmlEvent::Reference(found) | HtmlEvent::Base(found)) = event else {
        return None;
    };
    let mut found = found.into_owned();
    found.range = map.range(found.range);
    found.text = Cow::Borrowed(document.get(found.range.clone()).unwrap_or_default());
    Some(found)
}

fn within_angles(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end.saturating_sub(1).max(range.start + 1)
}
