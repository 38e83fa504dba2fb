//! The relationships of the parts of an Office Open XML package (ISO/IEC 29500-2, 6.5), and the
//! lists of sheets and slides.

use super::super::xml::{decode, place_in};
use super::local;
use crate::decode::{OffsetMap, as_text};
use quick_xml::events::{BytesStart, Event};

/// A relationship of a part.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Relationship {
    pub(crate) id: String,
    pub(crate) target: String,
    /// True if the target is outside the package.
    pub(crate) is_external: bool,
}

/// Calls `each` with the start tags of a document.
fn tags(document: &[u8], each: &mut dyn FnMut(&str, &BytesStart<'_>)) {
    let source = as_text(document);
    let mut reader = quick_xml::Reader::from_str(&source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => each(&source, &tag),
            _ => {}
        }
    }
}

/// Calls `each` with the names, without prefixes, and the values of the attributes of a tag.
fn attributes(source: &str, tag: &BytesStart<'_>, each: &mut dyn FnMut(&str, String)) {
    for attribute in tag.html_attributes().with_checks(false).flatten() {
        let Some(range) = place_in(source, &attribute.value) else {
            continue;
        };
        let (mut text, mut map) = (Vec::new(), OffsetMap::new(0));
        let value = source.as_bytes().get(range).unwrap_or_default();
        decode(value, &mut text, &mut map);
        each(
            attribute.key.as_ref(),
            String::from_utf8_lossy(&text).into_owned(),
        );
    }
}

/// Reads a part that lists the relationships of another part.
pub(crate) fn relationships(document: &[u8]) -> Vec<Relationship> {
    let mut found = Vec::new();
    tags(document, &mut |source, tag| {
        if local(tag.name().as_ref()) != "Relationship" {
            return;
        }
        let mut relationship = Relationship::default();
        attributes(source, tag, &mut |name, value| match name {
            "Id" => relationship.id = value,
            "Target" => relationship.target = value,
            "TargetMode" => relationship.is_external = value == "External",
            _ => {}
        });
        found.push(relationship);
    });
    found
}

/// Returns the relationship identifiers of the sheets in a workbook or of the slides in a
/// presentation, in order. Sheets also have names.
pub(crate) fn sheets_and_slides(document: &[u8]) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    tags(document, &mut |source, tag| {
        let name = tag.name();
        if !matches!(local(name.as_ref()), "sheet" | "sldId") {
            return;
        }
        let (mut id, mut sheet) = (None, None);
        attributes(source, tag, &mut |name, value| match name {
            "name" => sheet = Some(value),
            // Only `id` with a prefix is an identifier: without a prefix, it numbers slides.
            name if name.contains(':') && local(name) == "id" => id = Some(value),
            _ => {}
        });
        found.extend(id.map(|id| (id, sheet)));
    });
    found
}
