//! Runs the rows of `testdata/extract_documents/`, and checks properties of every document.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing)]

mod linear;
mod robust;
mod rows;

use urikit::op::Layer;
use urikit_extract::document::{Extractor, Format, Place, Position, Syntax};
use urikit_extract::{Finder, Kind};

/// An owned copy of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Extracted {
    start: usize,
    end: usize,
    position: Position,
    kind: Kind,
    text: String,
    uri: String,
    alternative: Option<String>,
    target: Option<String>,
    part: Option<std::ops::Range<usize>>,
    place: String,
}

/// Creates an extractor with positions and an optional base.
fn extractor(base: Option<&str>) -> Extractor {
    let extractor = Extractor::new().finder(Finder::new()).positions(true);
    match base {
        Some(base) => extractor.base(Layer::Retrieval, base).unwrap(),
        None => extractor,
    }
}

/// Returns the references of a document that arrives in these pieces.
fn pieces<'p>(
    extractor: &Extractor,
    format: Format,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Vec<Extracted> {
    let mut extracted = Vec::new();
    let mut extraction = extractor.begin(format);
    // References begin where they may.
    let decided = std::cell::Cell::new(0);
    let mut each = |found: urikit_extract::document::Found<'_>| {
        assert!(decided.get() <= found.range().start, "{}", found.uri());
        extracted.push(Extracted {
            start: found.range().start,
            end: found.range().end,
            position: found.position().unwrap(),
            kind: found.kind(),
            text: found.text().to_owned(),
            uri: found.uri().to_owned(),
            alternative: found.alternative().map(str::to_owned),
            target: found.target(),
            part: found.part(),
            place: place(found.place()),
        });
    };
    for piece in pieces {
        extraction.push(piece, &mut each).unwrap();
        decided.set(extraction.undecided_from());
    }
    extraction.finish(&mut each);
    extracted
}

/// Writes a place in the format of the rows: `a@href rel=nofollow`.
fn place(place: &Place<'_>) -> String {
    let attribute = place.attribute().map(|name| format!("@{name}"));
    let element = place.element().unwrap_or_default();
    let mut words = vec![[element, &attribute.unwrap_or_default()].concat()];
    for (key, value) in [
        ("rel", place.rel()),
        ("type", place.media_type()),
        ("syntax", place.syntax().map(Syntax::as_str)),
        ("field", place.field()),
    ] {
        words.extend(value.map(|value| format!("{key}={value}")));
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// Computes the position of an offset from its definition.
fn position(document: &[u8], offset: usize) -> Position {
    let before = &document[..offset];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    Position {
        line: before.split(|byte| *byte == b'\n').count(),
        column: 1 + before[line_start..]
            .iter()
            .filter(|byte| **byte & 0xC0 != 0x80)
            .count(),
    }
}
