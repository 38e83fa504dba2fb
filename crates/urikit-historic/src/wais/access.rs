//! Carries out a transfer: searches, fetches documents in parts, and describes databases.

use super::codec::{Diagnostic, DocumentHeader, Record, SearchResponse, Source, Unit};
use super::entry::{
    described_url, document_url, entries, first_type, is_named, is_no_result, text, url_in,
};
use super::job::{CATALOGUE, Document, Job, Target, is_source, is_url, media_type, words};
use super::session::{Session, is_closed};
use super::{Command, Databases};
use std::ops::Range;
use urikit_access::policy::Refusal;
use urikit_access::{Argument, Context, Error, ErrorKind, Metadata, Output, Result};

/// The maximum length of a description in bytes.
const MAX_SOURCE: usize = 64 << 10;

/// The maximum number of descriptions to read when looking for the database's description.
const MAX_CANDIDATES: usize = 8;

/// A transfer in progress.
pub(super) struct Access<'a, 'c, 'o> {
    job: &'a Job,
    session: Session,
    context: &'a mut Context<'c>,
    output: &'a mut Output<'o>,
}

/// A response to a search, which has already been checked, so decoding it cannot fail.
struct Found(Vec<u8>);

/// The contents of a response to a search.
struct Summary<'a> {
    documents: u64,
    /// The catalogue of the database, which freeWAIS returns as a placeholder for an empty result.
    catalogue: Option<DocumentHeader<'a>>,
    diagnostic: Option<Diagnostic<'a>>,
}

/// The progress of the transfer of a document.
struct Transfer<'a> {
    document: &'a Document,
    unit: Unit,
    /// The number of units to request at a time.
    step: u64,
    /// The next unit to request.
    next: u64,
    /// The number of bytes in the document before the next unit.
    bytes: u64,
    has_begun: bool,
    is_at_end: bool,
}

impl<'a, 'c, 'o> Access<'a, 'c, 'o> {
    /// Connects to the server.
    pub(super) fn open(
        job: &'a Job,
        context: &'a mut Context<'c>,
        output: &'a mut Output<'o>,
    ) -> Result<Self> {
        Ok(Self {
            session: Session::open(job, context)?,
            job,
            context,
            output,
        })
    }

    /// Fetches the target of the URL.
    pub(super) fn run(&mut self) -> Result<()> {
        let job = self.job;
        match &job.target {
            Target::Search(words) => self.list(words),
            Target::Document(document) => self.fetch(document),
            Target::Catalogue => self.list_databases(),
            Target::Database => self.describe(),
        }
    }

    /// Connects again.
    fn reopen(&mut self) -> Result<()> {
        self.session = Session::open(self.job, self.context)?;
        Ok(())
    }

    /// Searches for words, and lists the documents that were found.
    fn list(&mut self, words: &Argument) -> Result<()> {
        let found = self.search(self.job.search(words))?;
        self.deliver(&found)
    }

    /// Runs a search. Requests half as many documents if the response would exceed the maximum
    /// message size.
    fn search(&mut self, mut command: Command) -> Result<Found> {
        loop {
            let apdu = self.session.ask(&command);
            let apdu = apdu.map_err(|error| error.with_step("searching"))?;
            if !apdu.is_empty() {
                let found = Found(apdu);
                let count = found.summary(&self.session)?.documents;
                self.context
                    .received(format!("Search response: {count} documents").as_bytes());
                return Ok(found);
            }
            self.context.received(b"an empty message");
            match &mut command {
                Command::Search { max_documents, .. } if *max_documents > 1 => *max_documents /= 2,
                _ => {
                    let kind = ErrorKind::Protocol("a response, found an empty message");
                    return Err(self.session.error(kind).with_step("searching"));
                }
            }
        }
    }

    /// Writes a listing of the documents that were found.
    fn deliver(&mut self, found: &Found) -> Result<()> {
        let summary = found.summary(&self.session)?;
        if let Some(diagnostic) = summary.diagnostic {
            if summary.documents == 0 {
                return Err(self.session.denied(diagnostic).with_step("searching"));
            }
            self.context.received(&diagnostic.line());
        }
        let mut metadata = Metadata::listing();
        let count = summary.documents.to_string();
        metadata.attributes.push(("documents".to_owned(), count));
        if let Some(catalogue) = summary.catalogue.filter(|_| summary.documents == 0) {
            self.context.note("nothing was found");
            let (first, length) = (first_type(&catalogue), catalogue.length);
            if let Some(url) = document_url(self.job, &catalogue, first, length) {
                metadata.attributes.push(("catalogue".to_owned(), url));
            }
        }
        if summary.documents >= self.job.settings.max_documents.into() {
            self.context
                .note("there may be more documents than were requested");
        }
        self.output.begin(metadata)?;
        if self.job.wants_body {
            for header in found.documents() {
                for entry in entries(self.job, &header) {
                    self.output.entry(&entry)?;
                }
            }
        }
        Ok(())
    }

    /// Fetches a document.
    fn fetch(&mut self, document: &Document) -> Result<()> {
        let mut transfer = self.transfer(document);
        let offset = transfer.bytes;
        let fetching = |error: Error| error.with_step("fetching the document");
        let first = self.next_part(&mut transfer).map_err(fetching)?;
        let is_all = offset == 0 && transfer.is_at_end;
        let content = is_all.then_some(first.as_slice());
        let mut metadata = metadata(document, content.unwrap_or_default());
        metadata.offset = offset;
        self.output.begin(metadata)?;
        if !self.job.wants_body {
            return Ok(());
        }
        self.output.bytes(&first)?;
        while !transfer.is_at_end {
            let part = self.next_part(&mut transfer).map_err(fetching)?;
            self.output.bytes(&part)?;
        }
        Ok(())
    }

    /// Fetches a description into memory. Fails if the description has more than [`MAX_SOURCE`]
    /// bytes.
    fn fetch_source(&mut self, document: &Document) -> Result<Vec<u8>> {
        let mut transfer = self.transfer(document);
        let mut all = Vec::new();
        while !transfer.is_at_end {
            all.extend_from_slice(&self.next_part(&mut transfer)?);
            if all.len() > MAX_SOURCE {
                let max = u64::try_from(MAX_SOURCE).unwrap_or(u64::MAX);
                return Err(Refusal::Bytes { max }.into());
            }
        }
        Ok(all)
    }

    fn transfer<'d>(&self, document: &'d Document) -> Transfer<'d> {
        let (unit, range) = self.job.first_part(document, self.session.max_message);
        Transfer {
            document,
            unit,
            step: range.end.saturating_sub(range.start).max(1),
            next: range.start,
            bytes: range.start,
            has_begun: false,
            is_at_end: false,
        }
    }

    /// Fetches the next part of a document. Requests a part half as long if the response would
    /// exceed the maximum message size.
    fn next_part(&mut self, transfer: &mut Transfer<'_>) -> Result<Vec<u8>> {
        loop {
            let (document, unit) = (transfer.document, transfer.unit);
            let range = document.range(unit, transfer.next, transfer.step);
            let command = document.part(unit, range.clone());
            let apdu = self.session.ask(&command)?;
            if !apdu.is_empty() {
                let part = transfer.read(&self.session, &apdu, &range)?;
                self.context
                    .received(format!("Search response: {} bytes", part.len()).as_bytes());
                return Ok(part);
            }
            self.context.received(b"an empty message");
            if transfer.step == 1 {
                let kind = ErrorKind::Protocol("a part of the document, found an empty message");
                return Err(self.session.error(kind));
            }
            transfer.step /= 2;
        }
    }

    /// Lists the databases on the server by searching for words that all descriptions contain. If
    /// the response contains only a catalogue, fetches this catalogue.
    fn list_databases(&mut self) -> Result<()> {
        let found = self.search(self.job.catalogue_search()?)?;
        if found.documents().next().is_none()
            && let Some(header) = found.catalogue()
            && let Some(document) =
                Document::found(Databases::new(CATALOGUE.iter().copied())?, &header)
        {
            return self.fetch(&document);
        }
        self.deliver(&found)
    }

    /// Fetches the description of the database. If the server has no description, asks the user
    /// for words, and searches for them.
    fn describe(&mut self) -> Result<()> {
        let mut diagnostic = None;
        for command in self.job.description_searches()? {
            diagnostic = None;
            match self.find_description(&command, &mut diagnostic) {
                Ok(Some((document, text))) => {
                    self.output.begin(metadata(&document, &text))?;
                    if self.job.wants_body {
                        self.output.bytes(&text)?;
                    }
                    return Ok(());
                }
                Ok(None) => {}
                // Some servers close the connection when they receive a search that they do not
                // support.
                Err(error) if is_closed(&error) => self.reopen()?,
                Err(error) => return Err(error),
            }
        }
        let words = self.ask_for_words(diagnostic.as_deref())?;
        match self.list(&words) {
            // The server may have closed the connection because the user took too long.
            Err(error) if is_closed(&error) => {
                self.reopen()?;
                self.list(&words)
            }
            listed => listed,
        }
    }

    /// Searches for the description of the database, and fetches it. Stores the diagnostic of the
    /// search in `diagnostic`.
    fn find_description(
        &mut self,
        command: &Command,
        diagnostic: &mut Option<Vec<u8>>,
    ) -> Result<Option<(Document, Vec<u8>)>> {
        let name = self.job.databases.only();
        let (Command::Search { databases, .. }, Some(name)) = (command, name) else {
            return Ok(None);
        };
        let found = self.search(command.clone())?;
        *diagnostic = found.diagnostic();
        if let Some(text) = diagnostic {
            self.context.received(text);
        }
        let mut candidates: Vec<_> = found
            .documents()
            .filter(|header| is_source(first_type(header)))
            .collect();
        let file = [name, b".src"].concat();
        candidates.sort_by_key(|header| !is_named(header.headline, &file));
        let documents = candidates.iter().take(MAX_CANDIDATES);
        for document in documents.filter_map(|header| Document::found(databases.clone(), header)) {
            let text = match self.fetch_source(&document) {
                Ok(text) => text,
                Err(error) if error.kind().is_denial() => continue,
                Err(error) if matches!(error.kind(), ErrorKind::Refused(_)) => continue,
                Err(error) => return Err(error.with_step("fetching the description")),
            };
            let source = Source::read(&text);
            let described = source
                .as_ref()
                .and_then(|source| source.get("database-name"));
            if described.is_some_and(|it| is_named(it, name) || is_named(name, it)) {
                return Ok(Some((document, text)));
            }
        }
        Ok(None)
    }

    /// Asks the user for search words. If the user enters no words, fails with the diagnostic of
    /// the last search, because the database may not exist.
    fn ask_for_words(&mut self, diagnostic: Option<&[u8]>) -> Result<Argument> {
        let names = self.job.databases.names().map(String::from_utf8_lossy);
        let names = names.collect::<Vec<_>>().join(", ");
        let question = format!("Search {names} at {} for", self.job.host);
        match self.context.prompt().input(&question, "") {
            Some(answer) if !answer.is_empty() => words(answer.into_bytes()),
            _ => {
                let what = "the server does not describe the database, and a search needs words, \
                    as in wais://host/database?words";
                let error = Error::new(ErrorKind::Unsupported(what));
                Err(match diagnostic {
                    Some(text) => error.with_received(text),
                    None => error,
                })
            }
        }
    }
}

impl Found {
    /// Decodes the records: documents, the placeholder for an empty result, and diagnostics.
    fn summary(&self, session: &Session) -> Result<Summary<'_>> {
        let malformed = |error| session.malformed(error);
        let response = SearchResponse::decode(&self.0).map_err(malformed)?;
        let mut summary = Summary {
            documents: 0,
            catalogue: None,
            diagnostic: None,
        };
        for record in response.records {
            match record.map_err(malformed)? {
                Record::Header(header) if is_no_result(&header) => {
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

    /// Returns the documents that were found.
    fn documents(&self) -> impl Iterator<Item = DocumentHeader<'_>> {
        self.headers().filter(|header| !is_no_result(header))
    }

    /// Returns the placeholder that freeWAIS returns for an empty result.
    fn catalogue(&self) -> Option<DocumentHeader<'_>> {
        self.headers().find(is_no_result)
    }

    /// Returns the first diagnostic.
    fn diagnostic(&self) -> Option<Vec<u8>> {
        self.records().find_map(|record| match record {
            Record::Diagnostic(diagnostic) => Some(diagnostic.line()),
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

impl Transfer<'_> {
    /// Reads a response, and moves on to the next part.
    fn read(&mut self, session: &Session, apdu: &[u8], range: &Range<u64>) -> Result<Vec<u8>> {
        let malformed = |error| session.malformed(error);
        let response = SearchResponse::decode(apdu).map_err(malformed)?;
        let (mut part, mut diagnostic) = (None, None);
        for record in response.records {
            match record.map_err(malformed)? {
                Record::Text(text) => part
                    .get_or_insert_with(Vec::new)
                    .extend_from_slice(text.text),
                Record::Diagnostic(found) => {
                    diagnostic.get_or_insert(found);
                }
                _ => {}
            }
        }
        self.is_at_end = self.ends(session, part.as_deref(), diagnostic)?;
        let part = part.unwrap_or_default();
        let bytes = u64::try_from(part.len()).unwrap_or(u64::MAX);
        let units = match self.unit {
            Unit::Bytes => bytes,
            Unit::Lines => {
                // Only the last line of the document may lack a line ending.
                self.is_at_end |= part.last().is_some_and(|octet| *octet != b'\n');
                let lines = part.split_inclusive(|octet| *octet == b'\n');
                u64::try_from(lines.count()).unwrap_or(u64::MAX)
            }
        };
        let requested = range.end.saturating_sub(range.start);
        if units > requested {
            let kind = ErrorKind::Protocol("no more of the document than was requested");
            return Err(session.error(kind));
        }
        self.next = self.next.saturating_add(units);
        self.bytes = self.bytes.saturating_add(bytes);
        self.is_at_end |= match self.document.known_length() {
            Some(length) => self.bytes >= length,
            None => units < requested,
        };
        self.has_begun = true;
        Ok(part)
    }

    /// Returns true if this part is the last part of the document. Fails if the server reports an
    /// error.
    fn ends(
        &self,
        session: &Session,
        part: Option<&[u8]>,
        diagnostic: Option<Diagnostic<'_>>,
    ) -> Result<bool> {
        let has_text = part.is_some_and(|part| !part.is_empty());
        let Some(diagnostic) = diagnostic else {
            if part.is_none() && !self.has_begun {
                let kind = ErrorKind::Protocol("a part of the document");
                return Err(session.error(kind));
            }
            return Ok(!has_text);
        };
        // Servers send "out of range" both at the end of a document and for a document that does
        // not exist. The document ends here if some text has already been received, or if the
        // received length equals the length in the URL.
        let is_complete = self.document.length == Some(self.bytes);
        let may_end = has_text || self.has_begun || is_complete;
        if diagnostic.code == Diagnostic::OUT_OF_RANGE && may_end {
            return Ok(true);
        }
        Err(session.denied(diagnostic))
    }
}

/// Collects the metadata of a document. `content` is the complete document, or is empty. The
/// reference in the metadata comes from a description or from a URL in the content.
fn metadata(document: &Document, content: &[u8]) -> Metadata {
    let document_type = document.type_name.octets();
    let mut metadata = Metadata::default();
    metadata.media_type = media_type(document_type).map(str::to_owned);
    metadata.size = document.known_length();
    let mut add = |name: &str, value: &str| {
        let attribute = (name.to_owned(), value.to_owned());
        metadata.attributes.push(attribute);
    };
    add("type", &text(document_type));
    let mut reference = None;
    if is_source(document_type)
        && let Some(source) = Source::read(content)
    {
        for (name, value) in source.fields() {
            add(&text(name), &text(value));
        }
        reference = described_url(&source);
    } else if is_url(document_type) {
        reference = url_in(&text(content));
    }
    if let Some(reference) = reference {
        add("reference", &reference);
    }
    metadata
}
