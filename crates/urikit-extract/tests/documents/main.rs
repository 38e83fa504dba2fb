//! References out of documents, as `testdata/extract_documents/` has them, and properties that hold for every document.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing)]

mod corpus;
mod cuts;
mod large;
mod linear;
mod rows;

use urikit::op::Layer;
use urikit_extract::document::{Extractor, Format, Position};
use urikit_extract::{Finder, Kind};

/// A reference, kept.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Kept {
    start: usize,
    end: usize,
    place: Position,
    kind: Kind,
    text: String,
    uri: String,
    alternative: Option<String>,
    target: Option<String>,
    part: Option<std::ops::Range<usize>>,
}

/// What an extractor finds that looks for everything.
fn extractor(base: Option<&str>) -> Extractor {
    let extractor = Extractor::new().finder(Finder::new()).positions(true);
    match base {
        Some(base) => extractor.base(Layer::Retrieval, base).unwrap(),
        None => extractor,
    }
}

/// The references of a document that comes in these pieces.
fn pieces<'p>(
    extractor: &Extractor,
    format: Format,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Vec<Kept> {
    let mut kept = Vec::new();
    let mut extraction = extractor.begin(format);
    let mut each = |found: urikit_extract::document::Reference<'_>| {
        kept.push(Kept {
            start: found.range().start,
            end: found.range().end,
            place: found.position().unwrap(),
            kind: found.kind(),
            text: found.text().to_owned(),
            uri: found.uri().to_owned(),
            alternative: found.alternative().map(str::to_owned),
            target: found.target(),
            part: found.part(),
        });
    };
    for piece in pieces {
        extraction.push(piece, &mut each).unwrap();
    }
    extraction.finish(&mut each);
    kept
}

/// The place of an offset, counted slowly.
fn place(document: &[u8], offset: usize) -> Position {
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
