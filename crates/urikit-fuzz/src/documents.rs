//! The checks for extraction and MIME.
//!
//! A document yields the same references regardless of how it is split into pieces, each reference
//! is at its reported position, and memory use stays within the limits.

use crate::input;
use std::io::Cursor;
use std::ops::ControlFlow;
use urikit::op::Layer;
use urikit_extract::Finder;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format, Found};
use urikit_mime::boundary::{self, Delimiter};
use urikit_mime::transfer::{Decoder, Encoding};
use urikit_mime::{ContentType, header, word};

/// Checks a document. The first octet selects options, the second selects the length of the pieces,
/// and the rest is the document.
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

/// Checks a document that is buffered in memory. The first octet selects the format of the
/// document, and the rest is the document.
pub(crate) fn markup(data: &[u8]) {
    let Some((format, rest)) = input::choice(data) else {
        return;
    };
    let is_held = |it: &Format| !it.is_streamed() || *it == Format::Markdown;
    let mut held = Format::ALL.into_iter().filter(is_held);
    let count = held.clone().count();
    if let Some(format) = held.nth(format % count) {
        document(format, rest);
    }
}

/// Reads a container from a file and from a stream.
pub(crate) fn container(data: &[u8]) {
    read_container(data);
}

/// Reads a container from a file and from a stream. The amount of unpacked data is limited, so
/// archive bombs do not count as crashes.
pub(crate) fn read_container(data: &[u8]) {
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

pub(crate) fn extract_mail(data: &[u8]) {
    document(Format::Mail, data);
}

pub(crate) fn markdown(data: &[u8]) {
    document(Format::Markdown, data);
}

pub(crate) fn text(data: &[u8]) {
    document(Format::Text, data);
}

/// Checks a message. The first octet selects the length of the pieces, and the rest is the message.
pub(crate) fn mail(data: &[u8]) {
    let Some((piece, message)) = input::choice(data) else {
        return;
    };
    let (head, body) = header::split(message);
    assert!(head.len() + body.len() <= message.len());
    for field in header::fields(head) {
        assert_eq!(&head[field.range.clone()], field.value);
        let unfolded = field.unfolded();
        assert!(!unfolded.contains(&b'\n') && unfolded.len() <= field.value.len());
        let mut length = 0;
        word::decode_q(field.value, |run| length += run.source_len());
        assert_eq!(length, field.value.len());
        if let Some(content) = ContentType::parse(field.value) {
            for name in ["charset", "boundary", "name", "a"] {
                if let Some(value) = content.parameter(name) {
                    assert!(value.octets.len() <= field.value.len());
                }
            }
            if let Some(boundary) = content.boundary() {
                parts(body, &boundary);
            }
        }
    }
    for encoding in [
        Encoding::Identity,
        Encoding::Base64,
        Encoding::QuotedPrintable,
    ] {
        let complete = decoded(body, encoding, body.len().max(1));
        assert_eq!(decoded(body, encoding, piece + 1), complete, "{encoding:?}");
        assert_eq!(
            complete.1,
            body.len(),
            "each octet is accounted for: {encoding:?}"
        );
        assert!(complete.0.len() <= body.len());
    }
}

fn decoded(body: &[u8], encoding: Encoding, piece: usize) -> (Vec<u8>, usize) {
    let (mut octets, mut source) = (Vec::new(), 0);
    let mut decoder = Decoder::new(encoding);
    for piece in body.chunks(piece) {
        decoder.push(piece, |run| {
            octets.extend_from_slice(run.octets());
            source += run.source_len();
        });
    }
    decoder.finish(|run| {
        octets.extend_from_slice(run.octets());
        source += run.source_len();
    });
    (octets, source)
}

/// Checks that delimiter lines separate the parts of a body, and that the parts are in order.
fn parts(body: &[u8], boundary: &[u8]) {
    let (mut expected, mut start, mut at) = (Vec::new(), None, 0);
    let mut is_over = false;
    for line in body.split_inclusive(|octet| *octet == b'\n') {
        if let Some(delimiter) = boundary::delimiter(line, boundary).filter(|_| !is_over) {
            if let Some(start) = start {
                expected.push((start, at));
            }
            start = Some(at + line.len());
            is_over = delimiter == Delimiter::Last;
            if is_over {
                start = None;
            }
        }
        at += line.len();
    }
    if let Some(start) = start {
        expected.push((start, body.len()));
    }
    let found: Vec<_> = boundary::parts(body, boundary).collect();
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (found, (start, end)) in found.into_iter().zip(expected) {
        // The line ending before a delimiter line belongs to the delimiter.
        assert_eq!(found.start, start);
        assert!(found.end <= end && end - found.end <= 2, "{found:?} {end}");
    }
}
