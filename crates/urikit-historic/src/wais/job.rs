//! The request that a URL describes, with its target, its commands, and the plan for the messages
//! to send.

use super::codec::{DocumentHeader, Unit};
use super::entry::first_type;
use super::{Command, Databases, DocumentId, WaisProtocol};
use std::borrow::Cow;
use std::ops::Range;
use urikit_access::{
    Action, Argument, Error, ErrorKind, Plan, Question, Request, Result, UrlError,
};
use urikit_schemes::{WaisDocument, WaisTarget};

/// The size of messages that the client requests in Init, in octets. This size limits the number of
/// documents that a search can return.
pub(super) const MAX_MESSAGE: u32 = 64 << 10;

/// The first message.
pub(super) const INIT: Command = Command::Init {
    max_message: MAX_MESSAGE,
};

/// The maximum total length of the search words, in octets.
const MAX_WORDS: usize = 64 << 10;

/// The maximum number of bytes to request at a time. With this number, responses from freeWAIS fit
/// into messages of 32 KiB, if both sides have agreed on that size.
const MAX_PART: u64 = 30_000;

/// The name of the server's own catalogue.
pub(super) const CATALOGUE: &[u8] = b"INFO";

/// Words that every description of a database contains.
const COMMON_WORDS: &[u8] = b"source database server description";

/// The type of a document if the server does not state it. RFC 1625 does not define the types, so
/// this module uses the types of freeWAIS.
pub(super) const DEFAULT_TYPE: &[u8] = b"TEXT";

/// The request to carry out.
pub(super) struct Job {
    /// The host as written in the URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) databases: Databases,
    pub(super) target: Target,
    pub(super) wants_body: bool,
    /// The number of bytes in the document that the caller already has.
    pub(super) resume: u64,
    pub(super) settings: WaisProtocol,
}

/// The resource that a URL identifies.
pub(super) enum Target {
    /// The description of the database that the URL names.
    Database,
    /// The databases on the server.
    Catalogue,
    /// A search for words.
    Search(Argument),
    Document(Document),
}

/// A document to fetch.
pub(super) struct Document {
    pub(super) databases: Databases,
    /// The type, such as `TEXT`.
    pub(super) type_name: Argument,
    pub(super) id: DocumentId,
    /// The length in bytes, if known.
    pub(super) length: Option<u64>,
}

impl Job {
    /// Reads the URL of a request.
    pub(super) fn of(request: &Request<'_>, settings: WaisProtocol) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "a proxy must be an HTTP server, not a WAIS server";
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

    /// Returns a search in the databases that the URL names.
    pub(super) fn search(&self, words: &Argument) -> Command {
        self.search_in(self.databases.clone(), words.clone())
    }

    /// Returns a search in the given databases.
    const fn search_in(&self, databases: Databases, words: Argument) -> Command {
        Command::Search {
            databases,
            words,
            max_documents: self.settings.max_documents,
        }
    }

    /// Returns the search that finds all databases on the server.
    pub(super) fn catalogue_search(&self) -> Result<Command> {
        Ok(self.search(&words(COMMON_WORDS.iter().copied())?))
    }

    /// Returns the searches for the description of the database. The first search looks for the
    /// database's name in the server's catalogue, and the second searches the database itself
    /// without words. Returns an empty list if the URL contains several databases.
    pub(super) fn description_searches(&self) -> Result<Vec<Command>> {
        let Some(name) = self.databases.only() else {
            return Ok(Vec::new());
        };
        let catalogue = Databases::new(CATALOGUE.iter().copied())?;
        let last = name.rsplit(|octet| *octet == b'/').next();
        let last = words(last.into_iter().flatten().copied())?;
        let in_catalogue = self.search_in(catalogue, last);
        Ok(vec![in_catalogue, self.search(&words([])?)])
    }

    /// Returns the part of a document to request first, if messages may have `max_message` octets.
    /// Later parts are never larger.
    pub(super) fn first_part(&self, document: &Document, max_message: u64) -> (Unit, Range<u64>) {
        let (unit, max) = match self.settings.lines {
            Some(lines) => (Unit::Lines, lines.get().into()),
            None => (Unit::Bytes, document.max_part(max_message)),
        };
        // One byte is enough to show that a document exists.
        let max = if self.wants_body || document.has_reference() {
            max
        } else {
            1
        };
        let start = match unit {
            Unit::Bytes if self.wants_body => self.resume,
            _ => 0,
        };
        (unit, document.range(unit, start, max))
    }

    /// Plans the messages that will be sent.
    pub(super) fn plan(&self) -> Result<Plan> {
        let mut plan = Plan::new();
        plan.push(Action::Connect(self.host.clone(), self.port));
        plan.send(INIT);
        match &self.target {
            Target::Search(words) => plan.send(self.search(words)),
            Target::Document(document) => self.plan_document(document, &mut plan),
            Target::Catalogue => {
                plan.send(self.catalogue_search()?);
                plan.step_if(Condition::NoResult, Step::FetchFound);
            }
            Target::Database => {
                for (index, search) in self.description_searches()?.into_iter().enumerate() {
                    match index {
                        0 => plan.send(search),
                        _ => plan.send_if(Condition::NotDescribed, search),
                    }
                    plan.step_if(Condition::Described, Step::FetchFound);
                }
                let ask = Action::Ask(Question::SearchWords);
                plan.push_if(Condition::NotDescribed, ask);
                let names: Vec<_> = self.databases.names().collect();
                let search = Step::SendWords(names.join(&b", "[..]));
                plan.step_if(Condition::NotDescribed, search);
            }
        }
        Ok(plan)
    }

    /// Plans the first part of a document, and a step for the remaining parts.
    fn plan_document(&self, document: &Document, plan: &mut Plan) {
        let (unit, range) = self.first_part(document, MAX_MESSAGE.into());
        let is_all = match (unit, document.known_length()) {
            (Unit::Bytes, Some(length)) => range.end >= length,
            _ => false,
        };
        plan.send(document.part(unit, range));
        if self.wants_body && !is_all {
            plan.step_if(Condition::MoreToFetch, Step::FetchPages);
        }
    }
}

/// A condition in a WAIS plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server has a description of the database.
    Described,
    /// The server has no description of the database.
    NotDescribed,
    /// The search finds nothing.
    NoResult,
    /// The document is longer than its first part.
    MoreToFetch,
}

/// A step in a WAIS plan whose messages are not known in advance.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Searches the given database for the words that the user typed.
    SendWords(Vec<u8>),
    /// Fetches the remaining parts of the document, using similar messages.
    FetchPages,
    /// Fetches the document that was found.
    FetchFound,
}

impl urikit_access::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::Described => "the server has a description",
            Self::NotDescribed => "the server has no description",
            Self::NoResult => "nothing is found",
            Self::MoreToFetch => "there is more",
        }
    }
}

impl urikit_access::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::SendWords(database) => {
                return ("searches for the words in the database", database.into());
            }
            Self::FetchPages => "fetches the rest of the document in the same way",
            Self::FetchFound => "fetches the document that was found",
        };
        (words, Cow::Borrowed(&[]))
    }
}

/// Checks the search words.
pub(super) fn words(octets: impl IntoIterator<Item = u8>) -> Result<Argument> {
    let words = Argument::new(octets, "search")?;
    if words.octets().len() > MAX_WORDS {
        let what = "the search words are longer than 64 KiB";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    Ok(words)
}

impl Document {
    fn of(document: WaisDocument<'_>, databases: Databases) -> Result<Self> {
        let document_type = document.wtype().decode().octets();
        // libwww writes all of the document's types, separated by commas. Any of them can be
        // requested.
        let document_type = document_type.take_while(|octet| *octet != b',');
        Ok(Self {
            databases,
            type_name: Argument::new(document_type, "type")?,
            id: DocumentId::of(document)?,
            length: document.length(),
        })
    }

    /// Converts a search result to a document. Returns `None` if the server sent no document-id,
    /// or if the type contains control characters.
    pub(super) fn found(databases: Databases, header: &DocumentHeader<'_>) -> Option<Self> {
        Some(Self {
            databases,
            type_name: Argument::new(first_type(header).iter().copied(), "type").ok()?,
            id: DocumentId::received(header.id)?,
            length: header.length,
        })
    }

    /// Returns the length in bytes. A length of 0 means that the length is unknown.
    pub(super) fn known_length(&self) -> Option<u64> {
        self.length.filter(|length| *length > 0)
    }

    /// Returns true if the document is a URL, or a description with the URL of a database.
    fn has_reference(&self) -> bool {
        let name = self.type_name.octets();
        is_source(name) || is_url(name)
    }

    /// Returns how many bytes of the document fit in a message of the given size.
    fn max_part(&self, max_message: u64) -> u64 {
        // A response repeats the document-id, and has fewer than 128 octets of headers and tags.
        let overhead = u64::try_from(self.id.octets().len()).unwrap_or(u64::MAX);
        let room = max_message.saturating_sub(overhead.saturating_add(128));
        room.clamp(1, MAX_PART)
    }

    /// Returns a range of at most `max` units that does not extend past the end of the document.
    pub(super) fn range(&self, unit: Unit, start: u64, max: u64) -> Range<u64> {
        let end = start.saturating_add(max);
        match (unit, self.known_length()) {
            (Unit::Bytes, Some(length)) => start..length.clamp(start.min(end), end),
            _ => start..end,
        }
    }

    /// Returns the command that fetches a part of the document.
    pub(super) fn part(&self, unit: Unit, range: Range<u64>) -> Command {
        Command::Document {
            databases: self.databases.clone(),
            document_type: self.type_name.clone(),
            id: self.id.clone(),
            unit,
            range,
        }
    }
}

/// Returns the media type for a WAIS document type. Returns `None` if the type is unknown, in
/// which case the media type is detected from the first bytes of the document.
pub(super) fn media_type(document_type: &[u8]) -> Option<&'static str> {
    Some(match document_type.to_ascii_uppercase().as_slice() {
        b"TEXT" | b"WCAT" | b"URL" => "text/plain",
        b"HTML" => "text/html",
        b"WSRC" => "application/x-wais-source",
        b"PS" => "application/postscript",
        b"GIF" => "image/gif",
        b"JPEG" | b"JPG" => "image/jpeg",
        b"TIFF" => "image/tiff",
        b"PICT" => "image/x-pict",
        b"MPEG" => "video/mpeg",
        b"DVI" => "application/x-dvi",
        _ => return None,
    })
}

/// Returns true if documents of this type contain a URL.
pub(super) fn is_url(document_type: &[u8]) -> bool {
    document_type.eq_ignore_ascii_case(b"URL")
}

/// Returns true if documents of this type describe a database.
pub(super) fn is_source(document_type: &[u8]) -> bool {
    document_type.eq_ignore_ascii_case(b"WSRC")
}
