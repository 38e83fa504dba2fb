//! Extraction: a document has the same references however it is cut into pieces, they are where
//! they say, and they take no more memory than the input allows.

use crate::input;
use std::io::Cursor;
use std::ops::ControlFlow;
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format, Found};

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
    let mut each = |reference: Found<'_>| {
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

/// Documents of the formats that are held in memory, by the first octet.
pub(crate) fn markup(data: &[u8]) {
    let Some((format, rest)) = input::choice(data) else {
        return;
    };
    let mut held = Format::ALL.into_iter().filter(|it| !it.is_streamed());
    let count = held.clone().count();
    if let Some(format) = held.nth(format % count) {
        document(format, rest);
    }
}

/// Containers, from a file and from a stream. What is unpacked is limited, so that a bomb is no
/// crash.
pub(crate) fn container(data: &[u8]) {
    let limits = Limits::default().max_unpacked(16 << 20).max_entries(1000);
    let Some(container) = Container::guess("x.tar", data) else {
        return;
    };
    let read = |input: Input<'_>| {
        let mut found = Vec::new();
        let extractor = Extractor::new().max_document_length(16 << 20);
        extractor.unpack(container, "x", input, limits, &mut |path, event| {
            assert!(path.starts_with('x'));
            if let Event::Reference(reference) = event {
                assert_eq!(reference.place().entry(), Some(path));
                found.push(format!("{path} {}", reference.uri()));
            }
            ControlFlow::Continue(())
        });
        found
    };
    let file = read(Input::File(&mut Cursor::new(data)));
    assert_eq!(read(Input::Stream(&mut &*data)), file);
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
