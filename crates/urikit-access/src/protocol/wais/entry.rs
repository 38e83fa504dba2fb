//! The entry of a document that was found.

use super::codec::DocumentHeader;
use super::job::Job;
use super::{link, media_type};
use crate::listing::{Entry, EntryKind};
use std::borrow::Cow;
use urikit::Uri;

/// What freeWAIS calls the catalogue that it returns where nothing was found.
const NO_RESULT: &[u8] = b"Search produced no result";

/// Whether it is no document that was found, but the answer that there is none.
pub(super) fn is_no_result(header: &DocumentHeader<'_>) -> bool {
    header.score.unwrap_or_default() == 0 && header.headline.starts_with(NO_RESULT)
}

/// The URL of a document that was found.
pub(super) fn reference(job: &Job, header: &DocumentHeader<'_>) -> Option<String> {
    let database = link::database(&job.databases, header.source);
    let document_type = header.types().next().unwrap_or(media_type::DEFAULT_TYPE);
    link::document(job, database, (document_type, header.id), header.length)
}

/// The entry of a document that was found.
pub(super) fn entry(job: &Job, header: &DocumentHeader<'_>) -> Entry {
    let headline = text(header.headline);
    let document = reference(job, header);
    let is_url = header.types().any(media_type::is_url);
    let link = url_in(&headline).filter(|_| is_url);
    let kind = match link {
        Some(_) => EntryKind::Link,
        None => EntryKind::File,
    };
    let mut entry = Entry::new(kind, headline.as_bytes()).size(header.length);
    let numbers = [
        ("score", header.score),
        ("best_match", header.best_match.filter(|place| *place > 0)),
        ("lines", header.lines),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            entry = entry.detail(name, number.to_string().as_bytes());
        }
    }
    let types = header.types().collect::<Vec<_>>().join(&b","[..]);
    let date = match header.date {
        b"0" => b"",
        date => date,
    };
    for (name, value) in [
        ("types", types.as_slice()),
        ("source", header.source),
        ("date", date),
        ("origin", header.origin_city),
    ] {
        if !value.is_empty() {
            entry = entry.detail(name, text(value).as_bytes());
        }
    }
    if let (Some(_), Some(document)) = (&link, &document) {
        entry = entry.detail("document", document.as_bytes());
    }
    entry.reference = link.or(document);
    entry
}

/// Text as UTF-8, or else as ISO 8859-1, which most servers have.
pub(super) fn text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => octets.iter().copied().map(char::from).collect(),
    }
}

/// The text, if it is a URL.
pub(super) fn url_in(text: &str) -> Option<String> {
    let url = Uri::parse(text.trim()).ok()?;
    Some(url.as_str().to_owned())
}
