//! XML: RSS, Atom, SVG, sitemaps, OPML, embedded XHTML, and any other vocabulary.
//!
//! `quick-xml` reads the markup. Only character references and the five entities of XML are
//! expanded, so that a document type cannot cause exponential growth. References are found in:
//!
//! - attributes that contain references in common vocabularies (`href`, `src`, `xlink:href`, `url`
//!   …), and `style` elements and attributes; `xml:base` sets the base of an element (XML
//!   Base);
//! - elements that contain references (`loc`, `link`, `guid` …);
//! - HTML in the text of RSS and Atom;
//! - the text of all other elements and attributes, except namespaces, which are names.

use super::{Prose, trim};
use crate::decode::{OffsetMap, as_text};
use crate::format::Format;
use crate::found::{Bases, Place};
use crate::html::clean;
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use urikit::op::Layer;

/// The names, without prefixes, of attributes that contain one reference.
const ATTRIBUTES: [&[u8]; 16] = [
    b"href",
    b"src",
    b"url",
    b"xmlUrl",
    b"htmlUrl",
    b"resource",
    b"about",
    b"noNamespaceSchemaLocation",
    b"schemaLocationHint",
    b"poster",
    b"cite",
    b"action",
    b"longdesc",
    b"codebase",
    b"background",
    b"formaction",
];

/// The names, without prefixes, of elements whose text is one reference.
const ELEMENTS: [&str; 16] = [
    "loc",
    "player_loc",
    "content_loc",
    "thumbnail_loc",
    "link",
    "url",
    "uri",
    "guid",
    "comments",
    "docs",
    "icon",
    "logo",
    "origLink",
    "commentRss",
    "wfw",
    "href",
];

/// Elements of RSS whose text is HTML.
const HTML: [&[u8]; 4] = [b"description", b"encoded", b"fullitem", b"body"];

/// Elements of Word documents that end a paragraph or a word.
const BREAKS: [&[u8]; 4] = [b"w:p", b"w:br", b"w:tab", b"w:cr"];

/// Reads a complete document.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let source = as_text(document);
    let mut reader = Reader::from_str(&source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut xml = XmlReader {
        document,
        source: &source,
        prose: Prose::new(document, context, bases, each),
        open: Vec::new(),
        bases: Vec::new(),
        deeper: 0,
        text: Vec::new(),
        map: OffsetMap::new(0),
    };
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => xml.take(&event),
            Err(_) => {
                // The rest is either markup that is never closed, or not markup at all. Read the
                // rest as text.
                xml.end_text();
                xml.prose.noticed.malformed = Some(start);
                xml.prose.copy(start..document.len());
                xml.prose.end();
                break;
            }
        }
    }
    xml.end_text();
    xml.prose.finish()
}

/// Returns the range of `part` in `text`. `quick-xml` borrows from the text that it reads.
pub(super) fn place_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let range = start..start.checked_add(part.len())?;
    (range.end <= text.len()).then_some(range)
}

/// The deepest level at which elements are tracked. Deeper elements are only counted.
const MAX_DEPTH: usize = 1024;

struct XmlReader<'p, 'c> {
    document: &'p [u8],
    /// The document, with a substitute for each byte that is not UTF-8.
    source: &'p str,
    prose: Prose<'p, 'c>,
    /// The open elements.
    open: Vec<Element>,
    /// The bases outside each element with `xml:base`, and the depth of that element.
    bases: Vec<(usize, Bases)>,
    /// The number of open elements beyond the limit.
    deeper: usize,
    /// Text since the last tag, decoded.
    text: Vec<u8>,
    map: OffsetMap,
}

/// The attributes of an element that describe its references.
#[derive(Default)]
struct LinkAttributes<'t> {
    rel: Option<Cow<'t, str>>,
    media_type: Option<Cow<'t, str>>,
    is_external: bool,
}

/// The kind of text in an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Text,
    /// One reference, in the element with this name.
    Reference(&'static str),
    Html,
    Css,
    /// A name that is not a link.
    Identifier,
}

impl XmlReader<'_, '_> {
    fn take(&mut self, event: &Event<'_>) {
        let part: &str = match event {
            Event::Text(text) | Event::DocType(text) => text,
            Event::GeneralRef(name) => name,
            Event::CData(text) => text,
            Event::PI(text) => text,
            _ => "",
        };
        let range = place_in(self.source, part).unwrap_or_default();
        match event {
            Event::Start(tag) => self.tag(tag, true),
            Event::Empty(tag) => self.tag(tag, false),
            Event::End(tag) => {
                if !is_inline(tag.name().as_ref().as_bytes()) {
                    self.end_text();
                }
                self.close();
            }
            Event::Text(_) => self.text(range),
            Event::GeneralRef(_) => self.text(range.start.saturating_sub(1)..range.end + 1),
            Event::CData(_) => {
                self.map.skip_to(range.start);
                let text = self.document.get(range).unwrap_or_default();
                self.text.extend_from_slice(text);
                self.map.copied(part.len());
            }
            Event::PI(_) => {
                self.end_text();
                self.instruction(range);
            }
            Event::DocType(_) => {
                self.end_text();
                self.prose.copy(range);
                self.prose.end();
            }
            _ => {}
        }
    }

    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.document.get(range.clone()).unwrap_or_default()
    }

    fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        self.open.pop();
        let depth = self.open.len();
        if let Some((_, bases)) = self.bases.pop_if(|(outer, _)| *outer > depth) {
            self.prose.set_bases(bases);
        }
    }

    /// Text with character references.
    fn text(&mut self, range: Range<usize>) {
        let text = self.document.get(range.clone()).unwrap_or_default();
        self.map.skip_to(range.start);
        decode(text, &mut self.text, &mut self.map);
    }

    /// Ends the text that began after the last tag, and reads it according to its element.
    fn end_text(&mut self) {
        let text = core::mem::take(&mut self.text);
        let map = core::mem::take(&mut self.map);
        if text.trim_ascii().is_empty() {
            return;
        }
        let to_file = |range| map.range(range);
        let prose = &mut self.prose;
        match self.open.last().copied().unwrap_or(Element::Text) {
            Element::Identifier => {}
            Element::Css => prose.document(Format::Css, &text, &to_file),
            Element::Html => prose.document(Format::Html, &text, &to_file),
            Element::Reference(name) if !is_prose(name, &text) => {
                let range = trim(&text, 0..text.len());
                let uri = clean(text.trim_ascii());
                prose.link(map.range(range), uri.as_bytes(), Place::element_named(name));
            }
            _ => prose.text(&text, &to_file),
        }
    }

    fn tag(&mut self, tag: &BytesStart<'_>, opens: bool) {
        let name = tag.name();
        let name = name.as_ref().as_bytes();
        if !is_inline(name) {
            self.end_text();
        }
        let element = tag.name().as_ref().to_owned();
        let name_end = local(name);
        let mut kind = match name_end {
            b"style" => Element::Css,
            _ if HTML.contains(&name_end) => Element::Html,
            name => {
                let known = ELEMENTS.iter().find(|known| known.as_bytes() == name);
                known.map_or(Element::Text, |known| Element::Reference(known))
            }
        };
        let mut attributes = Vec::new();
        for attribute in tag.html_attributes().with_checks(false).flatten() {
            let name = place_in(self.source, attribute.key.as_ref());
            let value = place_in(self.source, &attribute.value);
            attributes.extend(name.zip(value));
        }
        let mut link = LinkAttributes::default();
        for (name, value) in &attributes {
            let text = || Some(Cow::Borrowed(self.source.get(value.clone())?));
            match self.slice(name) {
                b"rel" => link.rel = text(),
                b"type" => link.media_type = text(),
                b"TargetMode" => link.is_external = self.slice(value) == b"External",
                _ => {}
            }
            match (self.slice(name), self.slice(value)) {
                // Atom's text constructs (RFC 4287, 3.1).
                (b"type", b"html" | b"text/html") => kind = Element::Html,
                // In RSS 2.0, `isPermaLink="false"` marks a `guid` that is not a permalink.
                (b"isPermaLink", b"false") => kind = Element::Identifier,
                _ => {}
            }
        }
        if opens {
            if self.open.len() < MAX_DEPTH {
                self.open.push(kind);
            } else {
                self.deeper += 1;
            }
        }
        let is_base = |found: &&(Range<usize>, Range<usize>)| self.slice(&found.0) == b"xml:base";
        let base = attributes.iter().find(is_base).cloned();
        let outer = base.map(|(_, value)| {
            let (text, map) = self.value(&value);
            let outer = self.prose.bases().clone();
            let place = Place::element_named(element.clone()).with_attribute("xml:base");
            self.prose.link(map.range(0..text.len()), &text, place);
            let uri = String::from_utf8_lossy(&text);
            let long = &mut self.prose.noticed.exceeded.long_bases;
            let bases = outer.within(Layer::Embedded, uri.trim(), long).into_owned();
            self.prose.set_bases(bases);
            outer
        });
        for (name, value) in attributes {
            self.attribute(tag, &name, &value, &link);
        }
        if let Some(outer) = outer {
            if opens && self.deeper == 0 {
                self.bases.push((self.open.len(), outer));
            } else {
                self.prose.set_bases(outer);
            }
        }
    }

    /// Decodes the value of an attribute, in which tabs and line endings are spaces (XML 1.0, 2.11
    /// and 3.3.3).
    fn value(&self, range: &Range<usize>) -> (Vec<u8>, OffsetMap) {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new(range.start));
        let mut rest = self.slice(range);
        loop {
            let plain = memchr::memchr3(b'\t', b'\n', b'\r', rest).unwrap_or(rest.len());
            let (before, after) = rest.split_at(plain);
            decode(before, &mut text, &mut map);
            let length = match after {
                [] => return (text, map),
                [b'\r', b'\n', ..] => 2,
                _ => 1,
            };
            text.push(b' ');
            map.replaced(1, length);
            rest = after.get(length..).unwrap_or_default();
        }
    }

    fn attribute(
        &mut self,
        tag: &BytesStart<'_>,
        name: &Range<usize>,
        value: &Range<usize>,
        link: &LinkAttributes<'_>,
    ) {
        let name = self.slice(name).to_vec();
        let is_namespace = name == b"xmlns" || name.starts_with(b"xmlns:");
        if is_namespace || name == b"xml:base" || is_identifier(tag, &name) {
            return;
        }
        let (text, map) = self.value(value);
        let to_file = |range| map.range(range);
        let element = tag.name();
        let place = Place::element_named(element.as_ref())
            .with_attribute(String::from_utf8_lossy(&name))
            .with_rel(link.rel.clone())
            .with_type(link.media_type.clone());
        let name = local(&name);
        let trimmed = trim(&text, 0..text.len());
        if name == b"style" || memchr::memmem::find(&text, b"url(").is_some() {
            self.prose.document(Format::Css, &text, &to_file);
        } else if !trimmed.is_empty()
            && (ATTRIBUTES.contains(&name) || is_target(tag, name) && link.is_external)
        {
            let uri = clean(text.trim_ascii());
            self.prose.link(map.range(trimmed), uri.as_bytes(), place);
        } else {
            self.prose.text(&text, &to_file);
        }
    }

    /// Reports the style sheet in a processing instruction (Associating Style Sheets with XML, 3).
    fn instruction(&mut self, range: Range<usize>) {
        let text = self.slice(&range);
        let href = text
            .strip_prefix(b"xml-stylesheet")
            .and_then(|rest| memchr::memmem::find(rest, b"href="));
        let Some(at) = href.map(|at| b"xml-stylesheet".len() + at + b"href=".len()) else {
            return;
        };
        let value = text.get(at + 1..).unwrap_or_default();
        let quote = text.get(at).copied().unwrap_or_default();
        let Some(length) = memchr::memchr(quote, value) else {
            return;
        };
        let value = range.start + at + 1..range.start + at + 1 + length;
        let (text, map) = self.value(&value);
        let place = Place::element_named("xml-stylesheet").with_attribute("href");
        self.prose.link(map.range(0..text.len()), &text, place);
    }
}

/// Returns true if the text of an element in [`ELEMENTS`] is not a single reference but text that
/// may contain links. The text then has several words, and the element has other meanings in many
/// vocabularies, or no word could be part of a path, or the first word is a complete URL of a
/// folder, or another word begins a URL or a remark.
fn is_prose(name: &str, text: &[u8]) -> bool {
    let mut words = text.trim_ascii().split(u8::is_ascii_whitespace);
    let first = words.next().unwrap_or_default();
    let is_url = |word: &[u8]| memchr::memmem::find(word, b"://").is_some();
    let is_path = |word: &[u8]| memchr::memchr3(b'/', b'.', b':', word).is_some();
    let begins_another =
        |word: &[u8]| is_url(word) || word.starts_with(b"mailto:") || word.starts_with(b"(");
    words.clone().next().is_some()
        && (matches!(name, "comments" | "docs")
            || !is_path(first) && !words.clone().any(is_path)
            || is_url(first) && first.ends_with(b"/")
            || words.any(begins_another))
}

/// Returns a name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    let end = memchr::memchr(b':', name).map_or(0, |colon| colon + 1);
    name.get(end..).unwrap_or_default()
}

/// Returns true if the text before a tag continues after the tag: within a paragraph in Word, or
/// within a word in OpenDocument.
fn is_inline(name: &[u8]) -> bool {
    name.starts_with(b"w:") && !BREAKS.contains(&name) || name == b"text:span"
}

/// Returns true if an attribute is a name that looks like a reference: the type of a relationship
/// or the kind of a drawing in Office Open XML, or a schema.
fn is_identifier(tag: &BytesStart<'_>, name: &[u8]) -> bool {
    let element = tag.name();
    let element = element.as_ref().as_bytes();
    let is_drawing = local(element) == b"graphicData" || local(element) == b"ext";
    element == b"Relationship" && name == b"Type"
        || is_drawing && name == b"uri"
        || matches!(name, b"xsi:schemaLocation" | b"requires" | b"mc:Ignorable")
}

/// Returns true if an attribute is the target of a relationship. The target is a reference if it is
/// outside the container (Open Packaging Conventions).
fn is_target(tag: &BytesStart<'_>, name: &[u8]) -> bool {
    tag.name().as_ref() == "Relationship" && name == b"Target"
}

/// Appends text, decoding its character references and the five entities of XML. Other entities are
/// kept.
pub(super) fn decode(text: &[u8], out: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut rest = text;
    loop {
        let plain = memchr::memchr(b'&', rest).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        out.extend_from_slice(before);
        map.copied(before.len());
        if after.is_empty() {
            return;
        }
        let seen = after.get(1..16.min(after.len())).unwrap_or_default();
        let name = memchr::memchr(b';', seen).and_then(|end| seen.get(..end));
        let character = name.and_then(|name| Some((name.len() + 2, entity(name)?)));
        let length = if let Some((length, character)) = character {
            let bytes = &mut [0; 4];
            let bytes = character.encode_utf8(bytes).as_bytes();
            out.extend_from_slice(bytes);
            map.replaced(bytes.len(), length);
            length
        } else {
            out.push(b'&');
            map.copied(1);
            1
        };
        rest = after.get(length..).unwrap_or_default();
    }
}

fn entity(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        [b'#', b'x', digits @ ..] => {
            let digits = core::str::from_utf8(digits).ok()?;
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        [b'#', digits @ ..] => char::from_u32(core::str::from_utf8(digits).ok()?.parse().ok()?),
        _ => None,
    }
}
