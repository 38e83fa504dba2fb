//! What a URL asks for.

use super::codec::{DocumentHeader, Unit};
use super::{Command, Databases, DocumentId, Wais, media_type};
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result};
use crate::request::Request;
use crate::url_error::UrlError;
use std::ops::Range;
use urikit_schemes::{WaisDocument, WaisTarget};

/// More words are not sent.
const MAX_WORDS: usize = 64 << 10;

/// The most that is requested at once: freeWAIS is known to answer it where both sides agree on
/// messages of 32 KiB.
const MAX_PART: u64 = 30_000;

/// The name of the server's own catalogue.
pub(super) const CATALOGUE: &[u8] = b"INFO";

/// One access.
pub(super) struct Job {
    /// As written in the URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) databases: Databases,
    pub(super) target: Target,
    pub(super) wants_body: bool,
    /// How many bytes of a document are there already.
    pub(super) resume: u64,
    pub(super) settings: Wais,
}

/// What is requested.
pub(super) enum Target {
    /// The description of the database.
    Database,
    /// The databases of the server.
    Catalogue,
    /// A search for words.
    Search(Argument),
    Document(Document),
}

/// A document.
pub(super) struct Document {
    pub(super) databases: Databases,
    /// Its type.
    pub(super) wtype: Argument,
    pub(super) id: DocumentId,
    /// Its length in bytes, if known.
    pub(super) length: Option<u64>,
}

impl Job {
    /// Reads the URL of a request.
    pub(super) fn of(request: &Request<'_>, settings: Wais) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "only an HTTP server can be a proxy, not a WAIS server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let url = urikit_schemes::Wais::read_as(request.reference, request.edition)?;
        let databases = Databases::new(url.database().decode().octets())?;
        let target = match url.target() {
            WaisTarget::Search(_) => Target::Search(words(url.words().into_iter().flatten())?),
            WaisTarget::Document(document) => {
                Target::Document(Document::of(document, databases.clone())?)
            }
            WaisTarget::Database => match databases.only() {
                Some(b"" | CATALOGUE) => Target::Catalogue,
                _ => Target::Database,
            },
        };
        let can_resume = match &target {
            Target::Document(document) => {
                let length = document.length.unwrap_or(u64::MAX);
                settings.lines.is_none() && request.resume <= length
            }
            _ => false,
        };
        if request.wants_body() && request.resume > 0 && !can_resume {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        Ok(Self {
            host: url.host().as_str().to_owned(),
            port: url.port().ok_or(UrlError::NoPort)?,
            databases,
            target,
            wants_body: request.wants_body(),
            resume: request.resume,
            settings,
        })
    }

    /// A search in the databases of the URL.
    pub(super) fn search(&self, words: &Argument) -> Command {
        self.search_in(self.databases.clone(), words.clone())
    }

    /// A search in other databases.
    pub(super) const fn search_in(&self, databases: Databases, words: Argument) -> Command {
        Command::Search {
            databases,
            words,
            max_documents: self.settings.max_documents,
        }
    }

    /// The first part of a document that is requested, where messages may have this many octets,
    /// and the largest one that may be.
    pub(super) fn first_part(&self, document: &Document, max_message: u64) -> (Unit, Range<u64>) {
        let (unit, most) = match self.settings.lines {
            Some(lines) => (Unit::Lines, lines.get().into()),
            None => (Unit::Bytes, document.max_part(max_message)),
        };
        // One byte shows that a document exists.
        let most = if self.wants_body || document.has_reference() {
            most
        } else {
            1
        };
        let start = match unit {
            Unit::Bytes if self.wants_body => self.resume,
            _ => 0,
        };
        (unit, document.range(unit, start, most))
    }
}

/// The words of a search.
pub(super) fn words(octets: impl IntoIterator<Item = u8>) -> Result<Argument> {
    let words = Argument::new(octets, "search")?;
    if words.octets().len() > MAX_WORDS {
        let what = "the words of the search are longer than 64 KiB";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    Ok(words)
}

impl Document {
    fn of(document: WaisDocument<'_>, databases: Databases) -> Result<Self> {
        let wtype = document.wtype().decode().octets();
        // libwww writes all types of the document, separated by commas. Any of them will do.
        let wtype = wtype.take_while(|octet| *octet != b',');
        Ok(Self {
            databases,
            wtype: Argument::new(wtype, "type")?,
            id: DocumentId::of(document)?,
            length: document.length(),
        })
    }

    /// A document that was found; `None` if the server gave no document-id, or an unusable type.
    pub(super) fn found(databases: Databases, header: &DocumentHeader<'_>) -> Option<Self> {
        let wtype = header.types().next().unwrap_or(media_type::DEFAULT_TYPE);
        Some(Self {
            databases,
            wtype: Argument::new(wtype.iter().copied(), "type").ok()?,
            id: DocumentId::received(header.id)?,
            length: header.length,
        })
    }

    /// The length in bytes. 0 is taken for unknown.
    pub(super) fn length(&self) -> Option<u64> {
        self.length.filter(|length| *length > 0)
    }

    /// Whether what it contains is a URL, or leads to one.
    pub(super) fn has_reference(&self) -> bool {
        let name = self.wtype.octets();
        media_type::is_source(name) || media_type::is_url(name)
    }

    /// How many bytes fit into a message of this size.
    fn max_part(&self, max_message: u64) -> u64 {
        // Before the text, an answer has the document-id, and less than this in headers and tags.
        let overhead = u64::try_from(self.id.octets().len()).unwrap_or(u64::MAX);
        let room = max_message.saturating_sub(overhead.saturating_add(128));
        room.clamp(1, MAX_PART)
    }

    /// A range of at most so many units, which ends with the document.
    pub(super) fn range(&self, unit: Unit, start: u64, most: u64) -> Range<u64> {
        let end = start.saturating_add(most);
        match (unit, self.length()) {
            (Unit::Bytes, Some(length)) => start..length.clamp(start.min(end), end),
            _ => start..end,
        }
    }

    /// A search for a part of it.
    pub(super) fn part(&self, unit: Unit, range: Range<u64>) -> Command {
        Command::Document {
            databases: self.databases.clone(),
            document_type: self.wtype.clone(),
            id: self.id.clone(),
            unit,
            range,
        }
    }
}
