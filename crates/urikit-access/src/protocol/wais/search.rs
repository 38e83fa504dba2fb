//! A search for words, and the listing of what was found.

use super::codec::{Diagnostic, DocumentHeader, Record, SearchResponse};
use super::job::Job;
use super::session::{Session, text};
use super::{Command, entry};
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::output::Output;
use crate::sink::Metadata;

/// The answer to a search, which was decoded once without an error.
pub(super) struct Answer(Vec<u8>);

/// What an answer contains.
struct Summary<'a> {
    documents: u64,
    /// The catalogue that takes the place of a result.
    catalogue: Option<DocumentHeader<'a>>,
    diagnostic: Option<Diagnostic<'a>>,
}

/// Searches, and lists the documents.
pub(super) fn list(
    session: &mut Session,
    job: &Job,
    words: &Argument,
    context: &Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let answer = search(session, job.search(words), context)?;
    deliver(session, job, &answer, context, output)
}

/// Searches. Where the answer would not have fit into a message, fewer documents are requested.
pub(super) fn search(
    session: &mut Session,
    mut command: Command,
    context: &Context<'_>,
) -> Result<Answer> {
    loop {
        let apdu = session
            .ask(&command)
            .map_err(|error| error.at("searching"))?;
        if !apdu.is_empty() {
            let answer = Answer(apdu);
            let count = answer.summary(session)?.documents;
            context.received(format!("Search response: {count} documents").as_bytes());
            return Ok(answer);
        }
        context.received(b"an empty message");
        match &mut command {
            Command::Search { max_documents, .. } if *max_documents > 1 => *max_documents /= 2,
            _ => {
                let kind = ErrorKind::Protocol("an answer, found an empty message");
                return Err(session.error(kind).at("searching"));
            }
        }
    }
}

/// Lists the documents of an answer.
pub(super) fn deliver(
    session: &Session,
    job: &Job,
    answer: &Answer,
    context: &Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let summary = answer.summary(session)?;
    if let Some(diagnostic) = summary.diagnostic {
        if summary.documents == 0 {
            return Err(session.denied(diagnostic).at("searching"));
        }
        context.received(&text(diagnostic));
    }
    let mut metadata = Metadata::listing();
    let count = summary.documents.to_string();
    metadata.attributes.push(("documents".to_owned(), count));
    if let Some(catalogue) = summary.catalogue.filter(|_| summary.documents == 0) {
        context.note("nothing was found");
        if let Some(reference) = entry::reference(job, &catalogue) {
            metadata
                .attributes
                .push(("catalogue".to_owned(), reference));
        }
    }
    if summary.documents >= job.settings.max_documents.into() {
        context.note("there may be more documents than were requested");
    }
    output.begin(metadata)?;
    if job.wants_body {
        for header in answer.documents() {
            output.entry(&entry::entry(job, &header))?;
        }
    }
    Ok(())
}

impl Answer {
    /// Counts the documents, and finds what else there is.
    fn summary(&self, session: &Session) -> Result<Summary<'_>> {
        let failed = |error| session.failed(error);
        let response = SearchResponse::decode(&self.0).map_err(failed)?;
        let mut summary = Summary {
            documents: 0,
            catalogue: None,
            diagnostic: None,
        };
        for record in response.records {
            match record.map_err(failed)? {
                Record::Header(header) if entry::is_no_result(&header) => {
                    summary.catalogue.get_or_insert(header);
                }
                Record::Header(_) => summary.documents += 1,
                Record::Diagnostic(diagnostic) => {
                    summary.diagnostic.get_or_insert(diagnostic);
                }
                _ => {}
            }
        }
        Ok(summary)
    }

    /// The documents that were found.
    pub(super) fn documents(&self) -> impl Iterator<Item = DocumentHeader<'_>> {
        let headers = self.headers();
        headers.filter(|header| !entry::is_no_result(header))
    }

    /// The catalogue that takes the place of a result.
    pub(super) fn catalogue(&self) -> Option<DocumentHeader<'_>> {
        self.headers().find(entry::is_no_result)
    }

    /// The first diagnostic.
    pub(super) fn diagnostic(&self) -> Option<Vec<u8>> {
        self.records().find_map(|record| match record {
            Record::Diagnostic(diagnostic) => Some(text(diagnostic)),
            _ => None,
        })
    }

    fn headers(&self) -> impl Iterator<Item = DocumentHeader<'_>> {
        self.records().filter_map(|record| match record {
            Record::Header(header) => Some(header),
            _ => None,
        })
    }

    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        let response = SearchResponse::decode(&self.0).ok();
        let records = response.into_iter().flat_map(|response| response.records);
        records.flatten()
    }
}
