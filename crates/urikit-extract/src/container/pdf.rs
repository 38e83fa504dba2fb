//! PDF: the links and the text of its pages. Each page is an entry, named by its number.
//!
//! A link in PDF is an annotation and not part of a text, so its range is empty.

use super::Problem;
use super::walk::{Entry, Flow, Walk};
use crate::document::Format;
use core::ops::ControlFlow;
use lopdf::{Dictionary, Document, LoadOptions, Object};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum size of an unpacked stream, in bytes.
const MAX_STREAM: usize = 64 << 20;

/// The maximum number of pages that are read. The work for each page grows with their number.
const MAX_PAGES: usize = 20_000;

/// The number of unpacked bytes that an annotation counts as, besides its URI.
const ANNOTATION: usize = 64;

/// Reads the pages of a document.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, bytes: &[u8]) -> Flow {
    let limit = usize::try_from(walk.budget.left()).unwrap_or(usize::MAX);
    let options = LoadOptions {
        max_decompressed_size: Some(limit.min(MAX_STREAM)),
        ..LoadOptions::default()
    };
    // A panic in a parser of this size must not end the program.
    let load = || Document::load_mem_with_options(bytes, options);
    let document = match catch_unwind(AssertUnwindSafe(load)) {
        Ok(Ok(document)) => document,
        Ok(Err(error)) => return walk.failed(path, &damaged(&error.to_string())),
        Err(_) => return walk.failed(path, &damaged("the PDF cannot be parsed")),
    };
    if document.is_encrypted() {
        let what = "the PDF is encrypted".to_owned();
        return walk.failed(path, &Problem::Unsupported(what));
    }
    let pages = document.get_pages();
    for (number, page) in pages.iter().take(MAX_PAGES) {
        let inner = format!("{path}!/{number}");
        let annotations = document.get_page_annotations(*page).unwrap_or_default();
        for annotation in annotations {
            let uri = uri(&document, annotation);
            // Pages may share annotations, so each use counts.
            let length = ANNOTATION + uri.as_ref().map_or(0, String::len);
            let length = u64::try_from(length).unwrap_or(u64::MAX);
            if let Err(limit) = walk.budget.unpack(length) {
                return walk.failed(&inner, &limit.into());
            }
            if let Some(uri) = uri {
                walk.link(&inner, &uri)?;
            }
        }
        let limit = usize::try_from(walk.budget.left()).unwrap_or(usize::MAX);
        let limit = limit.min(MAX_STREAM);
        let read = || {
            let content = document.get_page_content_with_limit(*page, limit)?;
            let text = document.extract_text_with_limit(&[*number], limit);
            Ok::<_, lopdf::Error>((content.len(), text))
        };
        let (length, text) = match catch_unwind(AssertUnwindSafe(read)) {
            Ok(Ok((length, text))) => (length, text),
            Ok(Err(error)) => {
                walk.failed(&inner, &damaged(&error.to_string()))?;
                continue;
            }
            Err(_) => {
                walk.failed(&inner, &damaged("the page cannot be parsed"))?;
                continue;
            }
        };
        if let Err(limit) = walk
            .budget
            .unpack(u64::try_from(length).unwrap_or(u64::MAX))
        {
            return walk.failed(&inner, &limit.into());
        }
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                walk.failed(&inner, &damaged(&error.to_string()))?;
                continue;
            }
        };
        let entry = Entry {
            format: Some(Format::Text),
            ..Entry::new(&inner, "")
        };
        walk.entry(entry, &mut text.as_bytes())?;
    }
    if pages.len() > MAX_PAGES {
        let what = format!("only the first {MAX_PAGES} pages are read");
        return walk.failed(path, &Problem::Unsupported(what));
    }
    ControlFlow::Continue(())
}

fn damaged(message: &str) -> Problem {
    Problem::Io(io::Error::new(
        io::ErrorKind::InvalidData,
        message.to_owned(),
    ))
}

/// Returns the URI of a link's action (ISO 32000-2, 12.6.4.8).
fn uri(document: &Document, annotation: &Dictionary) -> Option<String> {
    let value = |dictionary: &Dictionary, name: &[u8]| {
        let object = dictionary.get(name).ok()?;
        document
            .dereference(object)
            .ok()
            .map(|(_, object)| object.clone())
    };
    let Object::Dictionary(action) = value(annotation, b"A")? else {
        return None;
    };
    match value(&action, b"URI")? {
        Object::String(bytes, _) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}
