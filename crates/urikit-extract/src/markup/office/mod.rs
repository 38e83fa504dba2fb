//! The parts of office documents: Office Open XML (ISO/IEC 29500) and OpenDocument (ISO/IEC 26300).
//!
//! The references are those that a reader of the document sees: hyperlinks, and links in the text
//! of paragraphs, cells and slides. Namespaces, styles, identifiers, deleted text and links within
//! the document are not references. [`Package`](crate::container) reads the relationships of a part
//! first, because in Office Open XML, a hyperlink in the part contains only an identifier.

mod field;
mod open_document;
mod open_xml;
mod relationships;
mod shared;

use super::Prose;
use super::xml::{decode, place_in};
use crate::decode::as_text;
use crate::found::{Bases, Found, Location, Place};
use crate::reader::{Context, Each, Noticed};
use core::cell::RefCell;
use core::ops::Range;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) use relationships::{Relationship, relationships, sheets_and_slides};
pub(crate) use shared::{SharedStrings, shared_strings};

/// A part of a document, and the other parts that it needs.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The targets outside the document, by the identifiers of their relationships.
    pub(crate) targets: HashMap<String, String>,
    /// The sheet or slide that the part belongs to.
    pub(crate) location: Location,
    pub(crate) strings: Option<Arc<SharedStrings>>,
}

impl Part {
    /// Reads the complete part, and sets the location of each reference.
    pub(crate) fn read(
        &self,
        document: &[u8],
        context: Context<'_>,
        bases: &Bases,
        each: &mut Each<'_>,
    ) -> Noticed {
        let location = RefCell::new(Arc::new(self.location.clone()));
        let each = &mut |mut found: Found<'_>| {
            let location = Arc::clone(&location.borrow());
            found.place = core::mem::take(&mut found.place).with_location(location);
            each(found);
        };
        read(document, context, bases, self, &location, each)
    }
}

/// Reads a complete part.
fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    part: &Part,
    location: &RefCell<Arc<Location>>,
    each: &mut Each<'_>,
) -> Noticed {
    let source = as_text(document);
    let mut reader = quick_xml::Reader::from_str(&source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut text = PartText {
        source: &source,
        part,
        location,
        prose: Prose::new(document, context, bases, each),
        skipped: 0,
        paragraphs: 0,
        open: Vec::new(),
    };
    // Limit the text that cells add, because many cells may refer to one string. `uri extract` has
    // the same limit for its output.
    text.prose.allowed = document.len().saturating_mul(64).saturating_add(1 << 20);
    let mut vocabulary: Option<Box<dyn Vocabulary>> = None;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => event,
            Err(_) => {
                text.prose.noticed.malformed = Some(start);
                break;
            }
        };
        let vocabulary = match (&mut vocabulary, &event) {
            (Some(vocabulary), _) => vocabulary,
            (None, Event::Start(tag)) => {
                let root = tag.name();
                let root = local(root.as_ref());
                let Some(found) =
                    open_xml::vocabulary(root).or_else(|| open_document::vocabulary(root))
                else {
                    // Styles, themes and settings have no text.
                    return text.prose.finish();
                };
                vocabulary.insert(found)
            }
            _ => continue,
        };
        text.take(&mut **vocabulary, &event);
    }
    text.prose.finish()
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The elements of a vocabulary.
trait Vocabulary {
    fn start(&mut self, text: &mut PartText<'_, '_>, tag: &Tag<'_>);
    fn end(&mut self, text: &mut PartText<'_, '_>, name: &str);
    /// Receives a run of text with character references, at this range.
    fn text(&mut self, text: &mut PartText<'_, '_>, range: Range<usize>);
}

/// A start tag.
struct Tag<'t> {
    /// The name without its prefix.
    name: &'t str,
    /// The complete name.
    qualified: &'t str,
    /// True unless the element is empty.
    opens: bool,
    /// The offset after the name.
    end: usize,
    /// The ranges of the names and values of the attributes.
    attributes: Vec<(Range<usize>, Range<usize>)>,
}

/// The text of a part, and the place of its next reference.
struct PartText<'p, 'c> {
    source: &'p str,
    part: &'p Part,
    location: &'p RefCell<Arc<Location>>,
    prose: Prose<'p, 'c>,
    /// The number of open elements, counting from the element that is being skipped.
    skipped: usize,
    /// The number of paragraphs so far.
    paragraphs: u32,
    /// The numbers of the open paragraphs.
    open: Vec<u32>,
}

/// The maximum nesting depth of paragraphs. Text boxes, notes and comments contain nested
/// paragraphs.
const MAX_OPEN: usize = 64;

impl PartText<'_, '_> {
    fn take(&mut self, vocabulary: &mut dyn Vocabulary, event: &Event<'_>) {
        match event {
            Event::Start(_) if self.skipped > 0 => self.skipped += 1,
            Event::End(_) if self.skipped > 0 => self.skipped -= 1,
            Event::Start(tag) => self.tag(vocabulary, tag, true),
            Event::Empty(tag) if self.skipped == 0 => self.tag(vocabulary, tag, false),
            Event::End(tag) => vocabulary.end(self, local(tag.name().as_ref())),
            _ if self.skipped > 0 => {}
            Event::Text(part) => {
                if let Some(range) = place_in(self.source, part) {
                    vocabulary.text(self, range);
                }
            }
            Event::CData(part) => {
                if let Some(range) = place_in(self.source, part) {
                    vocabulary.text(self, range);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(range) = place_in(self.source, name) {
                    let end = (range.end + 1).min(self.source.len());
                    vocabulary.text(self, range.start.saturating_sub(1)..end);
                }
            }
            _ => {}
        }
    }

    fn tag(&mut self, vocabulary: &mut dyn Vocabulary, tag: &BytesStart<'_>, opens: bool) {
        let name = tag.name();
        let qualified = name.as_ref();
        let mut attributes = Vec::new();
        for attribute in tag.html_attributes().with_checks(false).flatten() {
            let name = place_in(self.source, attribute.key.as_ref());
            let value = place_in(self.source, &attribute.value);
            attributes.extend(name.zip(value));
        }
        let tag = Tag {
            name: local(qualified),
            qualified,
            opens,
            end: place_in(self.source, qualified).map_or(0, |range| range.end),
            attributes,
        };
        vocabulary.start(self, &tag);
    }

    /// Skips an element with its content.
    fn skip(&mut self, tag: &Tag<'_>) {
        if tag.opens {
            self.skipped = 1;
        }
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        self.source.get(range.clone()).unwrap_or_default()
    }

    /// Returns the value of the attribute with this name, ignoring the attribute's prefix.
    fn attribute(&self, tag: &Tag<'_>, name: &str) -> Option<(String, Range<usize>)> {
        let is_it = |found: &&(Range<usize>, Range<usize>)| local(self.slice(&found.0)) == name;
        let (_, value) = tag.attributes.iter().find(is_it)?;
        Some((self.decoded(value.clone()), value.clone()))
    }

    /// Returns the value of the attribute with this name, as a number.
    fn number(&self, tag: &Tag<'_>, name: &str) -> Option<u32> {
        self.attribute(tag, name)?.0.parse().ok()
    }

    /// Returns text with its character references decoded.
    fn decoded(&self, range: Range<usize>) -> String {
        let mut text = Vec::new();
        let mut map = crate::decode::OffsetMap::new(range.start);
        decode(self.slice(&range).as_bytes(), &mut text, &mut map);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Adds the text at a range to the paragraph.
    fn add(&mut self, range: Range<usize>) {
        let text = self.source.as_bytes().get(range.clone());
        self.prose.map.skip_to(range.start);
        decode(
            text.unwrap_or_default(),
            &mut self.prose.text,
            &mut self.prose.map,
        );
    }

    /// Adds text in place of an element.
    fn add_in_place(&mut self, tag: &Tag<'_>, text: &[u8]) {
        self.prose.replace(tag.end..tag.end, text);
    }

    /// Changes the location that is reported for the references that follow. Ends the current link.
    fn set_location(&mut self, change: impl FnOnce(&mut Location)) {
        self.prose.end();
        change(Arc::make_mut(&mut self.location.borrow_mut()));
    }

    fn start_paragraph(&mut self, tag: &Tag<'_>) {
        self.paragraphs = self.paragraphs.saturating_add(1);
        let number = self.paragraphs;
        self.set_location(|location| {
            if !location.has_cell() {
                location.paragraph = Some(number);
            }
        });
        if tag.opens && self.open.len() < MAX_OPEN {
            self.open.push(number);
        }
    }

    fn end_paragraph(&mut self) {
        self.open.pop();
        let outer = self.open.last().copied();
        self.set_location(|location| location.paragraph = outer);
    }

    /// Reports an element's hyperlink, with the range of one of its attributes.
    fn link(&mut self, tag: &Tag<'_>, name: &str, range: Range<usize>, uri: &str) {
        let place = Place::element_named(tag.qualified.to_owned()).with_attribute(name.to_owned());
        self.prose.link(range, uri.trim().as_bytes(), place);
    }
}
