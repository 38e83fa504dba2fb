//! Tests of containers, which the tests build themselves.
//!
//! | module | subject |
//! |---|---|
//! | `attached` | archives that are attached to mail, and mail in archives |
//! | `damage` | limits, and files that are cut or changed |
//! | `encrypted` | encrypted PDF |
//! | `office` | office documents and e-books |
//! | `paths` | paths and positions of entries in containers, also in nested ones |
//! | `pdf` | the structure of PDF files: tables, object streams, filters, fonts and damage |
//! | `options` | the options of an extractor apply within containers |

#![cfg(all(
    feature = "gzip",
    feature = "zstd",
    feature = "xz",
    feature = "bzip2",
    feature = "tar",
    feature = "zip",
    feature = "pdf",
    feature = "xml"
))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing)]

mod attached;
mod build;
mod damage;
mod encrypted;
mod office;
mod options;
mod paths;
mod pdf;

use std::io::Cursor;
use std::ops::ControlFlow;
use urikit_extract::Kind;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format};

/// Returns the reported events: `PATH: LINE:COLUMN TARGET` for a reference, and all others except
/// bytes and ends.
fn extracted_within(name: &str, file: &[u8], limits: Limits, is_stream: bool) -> Vec<String> {
    let extractor = Extractor::new().positions(true);
    extracted_by(&extractor, name, file, limits, is_stream)
}

/// Returns the events reported with this extractor. A refanged reference follows its text.
fn extracted_by(
    extractor: &Extractor,
    name: &str,
    file: &[u8],
    limits: Limits,
    is_stream: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut each = |path: &str, event: Event<'_>| {
        match event {
            Event::Reference(reference) => {
                let entry = Some(path).filter(|path| *path != name);
                assert_eq!(reference.place().entry(), entry);
                // A link in a PDF is not part of the text.
                let at = reference.position();
                let at = at.map_or("-".to_owned(), |at| format!("{}:{}", at.line, at.column));
                let target = reference.target();
                let target = target.as_deref().unwrap_or(reference.uri());
                let written = match reference.kind() {
                    Kind::Defanged => format!("{} ", reference.text()),
                    _ => String::new(),
                };
                found.push(format!("{path}: {at} {written}{target}"));
            }
            Event::Binary => found.push(format!("{path}: binary")),
            Event::Failed(problem) => found.push(format!("{path}: failed: {problem}")),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let Some(container) = Container::guess(name, file) else {
        let format = Format::guess(name, file).expect(name);
        extractor.read(format, name, &mut &*file, limits, &mut each);
        return found;
    };
    let mut file = Cursor::new(file);
    let input = if is_stream {
        Input::Stream(&mut file)
    } else {
        Input::File(&mut file)
    };
    extractor.unpack(container, name, input, limits, &mut each);
    found
}

/// Reads a container from a file and from a stream, and checks that the events are equal.
fn extracted(name: &str, file: &[u8]) -> Vec<String> {
    let found = extracted_within(name, file, Limits::default(), false);
    let streamed = extracted_within(name, file, Limits::default(), true);
    assert_eq!(found, streamed, "{name}");
    found
}

const PAGE: &[u8] = b"\n<a href=\"http://a.example/\">";
