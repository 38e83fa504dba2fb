//! MIME: headers, parameters, parts and transfer encodings.

use crate::input;
use urikit_mime::boundary::{self, Delimiter};
use urikit_mime::transfer::{Decoder, Encoding};
use urikit_mime::{ContentType, header, word};

/// The length of pieces by the first octet, and a message.
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

/// The parts are those that the delimiter lines separate, one after another.
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
        // The line end before a delimiter line belongs to it.
        assert_eq!(found.start, start);
        assert!(found.end <= end && end - found.end <= 2, "{found:?} {end}");
    }
}
