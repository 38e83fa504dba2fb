//! Extraction: a document has the same references however it is cut into pieces, they are where
//! they say, and they take no more memory than the input allows.

use crate::input;
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::document::{Extractor, Format, Reference};

/// Options by the first octet, the length of pieces by the second, and a document.
fn document(format: Format, data: &[u8]) {
    let Some((options, rest)) = input::choice(data) else {
        return;
    };
    let Some((piece, document)) = input::choice(rest) else {
        return;
    };
    let finder = Finder::new()
        .abbreviated(options & 1 > 0)
        .addresses(options & 2 > 0);
    let mut extractor = Extractor::new()
        .finder(finder)
        .positions(true)
        .deep(options & 8 > 0);
    if options & 4 > 0 {
        extractor = extractor
            .base(Layer::Retrieval, "http://a.example/b/c?d")
            .unwrap();
    }
    let complete = extracted(&extractor, format, document, document.len().max(1));
    let found = extracted(&extractor, format, document, piece + 1);
    assert_eq!(found, complete, "in pieces of {}", piece + 1);
}

fn extracted(extractor: &Extractor, format: Format, document: &[u8], piece: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut each = |reference: Reference<'_>| {
        let range = reference.range();
        assert!(
            range.start <= range.end && range.end <= document.len(),
            "{range:?}"
        );
        assert!(reference.position().is_some());
        if let Some(part) = reference.part() {
            assert!(part.end <= document.len());
        }
        found.push(format!(
            "{reference:?} {:?} {:?}",
            reference.target(),
            reference.repaired()
        ));
    };
    let mut extraction = extractor.begin(format);
    for piece in document.chunks(piece) {
        extraction.push(piece, &mut each).unwrap();
    }
    let report = extraction.finish(&mut each);
    found.push(format!("{report:?}"));
    found
}

pub(crate) fn html(data: &[u8]) {
    document(Format::Html, data);
}

pub(crate) fn mail(data: &[u8]) {
    document(Format::Mail, data);
}

pub(crate) fn markdown(data: &[u8]) {
    document(Format::Markdown, data);
}

pub(crate) fn text(data: &[u8]) {
    document(Format::Text, data);
}
