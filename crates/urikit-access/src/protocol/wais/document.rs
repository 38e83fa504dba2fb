//! A document, fetched in parts.

use super::codec::{Diagnostic, Record, SearchResponse, Source, Unit};
use super::entry::{text, url_in};
use super::job::{Document, Job};
use super::session::Session;
use super::{link, media_type};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::policy::Refusal;
use crate::sink::Metadata;
use std::ops::Range;

/// Where a transfer is.
struct Transfer<'a> {
    session: &'a mut Session,
    document: &'a Document,
    unit: Unit,
    /// How many units are requested at once.
    step: u64,
    /// The next unit.
    at: u64,
    /// How many bytes precede it.
    bytes: u64,
    has_begun: bool,
    is_at_end: bool,
}

/// Fetches a document.
pub(super) fn fetch(
    session: &mut Session,
    job: &Job,
    document: &Document,
    context: &Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut transfer = Transfer::new(session, job, document);
    let offset = transfer.bytes;
    let fetching = |error: Error| error.at("fetching the document");
    let first = transfer.next(context).map_err(fetching)?;
    let is_all = offset == 0 && transfer.is_at_end;
    let mut metadata = metadata(document, is_all.then_some(&first));
    metadata.offset = offset;
    output.begin(metadata)?;
    if !job.wants_body {
        return Ok(());
    }
    output.bytes(&first)?;
    while !transfer.is_at_end {
        let part = transfer.next(context).map_err(fetching)?;
        output.bytes(&part)?;
    }
    Ok(())
}

/// Fetches a document of at most `max` bytes.
pub(super) fn fetch_small(
    session: &mut Session,
    job: &Job,
    document: &Document,
    max: usize,
    context: &Context<'_>,
) -> Result<Vec<u8>> {
    let mut transfer = Transfer::new(session, job, document);
    let mut all = Vec::new();
    while !transfer.is_at_end {
        all.extend_from_slice(&transfer.next(context)?);
        if all.len() > max {
            let max = u64::try_from(max).unwrap_or(u64::MAX);
            return Err(Refusal::Bytes { max }.into());
        }
    }
    Ok(all)
}

/// What is known of a document. If all of it is there, that includes what a description or a URL
/// in it says.
pub(super) fn metadata(document: &Document, all: Option<&Vec<u8>>) -> Metadata {
    let document_type = document.wtype.octets();
    let mut metadata = Metadata {
        media_type: media_type::media_type(document_type).map(str::to_owned),
        size: document.length(),
        ..Metadata::default()
    };
    let mut add = |name: &str, value: &str| {
        let attribute = (name.to_owned(), value.to_owned());
        metadata.attributes.push(attribute);
    };
    add("type", &text(document_type));
    let all = all.map_or(&[][..], Vec::as_slice);
    let mut reference = None;
    if media_type::is_source(document_type)
        && let Some(source) = Source::read(all)
    {
        for (name, value) in source.fields() {
            add(&text(name), &text(value));
        }
        reference = link::described(&source);
    } else if media_type::is_url(document_type) {
        reference = url_in(&text(all));
    }
    if let Some(reference) = reference {
        add("reference", &reference);
    }
    metadata
}

impl<'a> Transfer<'a> {
    fn new(session: &'a mut Session, job: &Job, document: &'a Document) -> Self {
        let (unit, range) = job.first_part(document, session.max_message);
        Self {
            session,
            document,
            unit,
            step: range.end.saturating_sub(range.start).max(1),
            at: range.start,
            bytes: range.start,
            has_begun: false,
            is_at_end: false,
        }
    }

    /// Fetches the next part. Where the answer would not have fit into a message, half as much is
    /// requested.
    fn next(&mut self, context: &Context<'_>) -> Result<Vec<u8>> {
        loop {
            let range = self.document.range(self.unit, self.at, self.step);
            let command = self.document.part(self.unit, range.clone());
            let apdu = self.session.ask(&command)?;
            if !apdu.is_empty() {
                let part = self.read(&apdu, &range)?;
                context.received(format!("Search response: {} bytes", part.len()).as_bytes());
                return Ok(part);
            }
            context.received(b"an empty message");
            if self.step == 1 {
                let kind = ErrorKind::Protocol("a part of the document, found an empty message");
                return Err(self.session.error(kind));
            }
            self.step /= 2;
        }
    }

    /// Reads an answer, and moves on.
    fn read(&mut self, apdu: &[u8], range: &Range<u64>) -> Result<Vec<u8>> {
        let failed = |error| self.session.failed(error);
        let response = SearchResponse::decode(apdu).map_err(failed)?;
        let (mut part, mut diagnostic) = (None, None);
        for record in response.records {
            match record.map_err(failed)? {
                Record::Text(text) => part
                    .get_or_insert_with(Vec::new)
                    .extend_from_slice(text.text),
                Record::Diagnostic(found) => {
                    diagnostic.get_or_insert(found);
                }
                _ => {}
            }
        }
        self.is_at_end = self.ends(part.as_deref(), diagnostic)?;
        let part = part.unwrap_or_default();
        let bytes = u64::try_from(part.len()).unwrap_or(u64::MAX);
        let units = match self.unit {
            Unit::Bytes => bytes,
            Unit::Lines => {
                // Only the last line may have no end.
                self.is_at_end |= part.last().is_some_and(|octet| *octet != b'\n');
                let lines = part.split_inclusive(|octet| *octet == b'\n');
                u64::try_from(lines.count()).unwrap_or(u64::MAX)
            }
        };
        let requested = range.end.saturating_sub(range.start);
        if units > requested {
            let kind = ErrorKind::Protocol("no more of the document than was requested");
            return Err(self.session.error(kind));
        }
        self.at = self.at.saturating_add(units);
        self.bytes = self.bytes.saturating_add(bytes);
        let length = self.document.length();
        self.is_at_end |= match length {
            Some(length) => self.bytes >= length,
            None => units < requested,
        };
        self.has_begun = true;
        Ok(part)
    }

    /// Whether the document ends with this part. A server that has no more of it says that the
    /// request is out of range, as it does where there is no document.
    fn ends(&self, part: Option<&[u8]>, diagnostic: Option<Diagnostic<'_>>) -> Result<bool> {
        let has_text = part.is_some_and(|part| !part.is_empty());
        let Some(diagnostic) = diagnostic else {
            if part.is_none() && !self.has_begun {
                let kind = ErrorKind::Protocol("a part of the document");
                return Err(self.session.error(kind));
            }
            return Ok(!has_text);
        };
        // The document is empty, or was complete.
        let is_nothing = self.document.length == Some(self.bytes);
        if diagnostic.code == Diagnostic::OUT_OF_RANGE && (has_text || self.has_begun || is_nothing)
        {
            return Ok(true);
        }
        Err(self.session.denied(diagnostic))
    }
}
