//! `wais`: databases, searches and documents of Wide Area Information Servers (RFC 1738, 3.9; RFC
//! 1625; RFC 1630, WAIS).
//!
//! | URL | result | messages |
//! |---|---|---|
//! | `wais://h/db?words` | a listing of the documents found | Init, a search for the words |
//! | `wais://h/db/TYPE/id` | the document | Init, a search for each part of it |
//! | `wais://h/db` | the description of the database; else words are asked for | Init, searches |
//! | `wais://h/` | a listing of the server's databases | Init, a search |
//!
//! The protocol is Z39.50-1988 without its encodings by ASN.1: each message has a header of 25
//! octets and an APDU of numbered fields. Documents are fetched by searches too (RFC 1625, 3).
//!
//! # Searches
//!
//! Each document is an entry: its headline, score, types and size, and a wais URL of it. The URL
//! has the server and database of the search, and the document-id in numbered fields after the
//! length, as libwww and Lynx write it; a document-id that does not consist of fields is opaque, as
//! in RFC 1738. The octet 1F (`%1F`) separates several databases. Of what freeWAIS returns where
//! nothing was found, a catalogue of the database with the score 0, no entry is made: the listing
//! is empty, and its metadata has the URL of the catalogue.
//!
//! A document of the type `URL` is an entry with that URL, if its headline is one. It is never
//! followed.
//!
//! # Documents
//!
//! They are fetched in parts of at most 30,000 bytes, or in fewer where the server agreed on
//! smaller messages: freeWAIS answers a request for more with an empty message, after which half as
//! much is requested. A URL with a length ends there, and less is an error. Without one, the
//! document ends where the server sends less than was requested.
//!
//! # Databases
//!
//! The description is looked for in the server's catalogue, the database `INFO`, and then in the
//! database itself, which freeWAIS describes to a search without words. Otherwise the user is asked
//! for words. The fields of a description become [`Metadata`](crate::Metadata), with `reference`,
//! the URL of the database.
//!
//! # Errors
//!
//! Diagnostics are errors with the text of the server, except beside documents that were found.

pub(crate) mod codec;
mod command;
mod describe;
mod document;
mod document_id;
mod entry;
mod exchange;
mod job;
mod link;
mod media_type;
mod plan;
#[doc(hidden)]
pub mod replay;
mod search;
mod session;

pub use codec::Unit;
pub use command::{Command, Databases};
pub use document_id::DocumentId;
pub use plan::{Condition, Step};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use job::{Job, Target};
use session::Session;
use std::num::NonZeroU32;

/// Fetches `wais` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// // RFC 1630, References
/// let url = UriRef::parse("wais://quake.think.com/wais-discussion-archives?lynch")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  quake.think.com:210\n\
///      send     Init: messages of at most 65536 bytes\n\
///      send     a search in \"wais-discussion-archives\" for \"lynch\": at most 200 documents\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wais {
    max_documents: u32,
    lines: Option<NonZeroU32>,
}

impl Wais {
    /// Searches for up to 200 documents, and fetches documents by bytes.
    pub const fn new() -> Self {
        Self {
            max_documents: 200,
            lines: None,
        }
    }

    /// Sets how many documents a search may return. The size of messages limits it too.
    ///
    /// ```
    /// use urikit_access::protocol::Wais;
    /// use urikit_access::{Client, Policy};
    /// let client = Client::new(Policy::new()).protocol(Wais::new().max_documents(40));
    /// ```
    #[must_use]
    pub const fn max_documents(mut self, max: u32) -> Self {
        self.max_documents = max;
        self
    }

    /// Fetches documents in parts of this many lines, not by bytes: for servers that have no ranges
    /// of bytes for a text. Such a transfer cannot be resumed.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use urikit_access::protocol::Wais;
    /// use urikit_access::{Client, Policy};
    /// let lines = NonZeroU32::new(500).unwrap();
    /// let client = Client::new(Policy::new()).protocol(Wais::new().lines(lines));
    /// ```
    #[must_use]
    pub const fn lines(mut self, count: NonZeroU32) -> Self {
        self.lines = Some(count);
        self
    }
}

impl Default for Wais {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for Wais {
    fn schemes(&self) -> &[&'static str] {
        &["wais"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        plan::plan(&Job::of(request, *self)?)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = Job::of(request, *self)?;
        match &job.target {
            Target::Search(words) => {
                let mut session = Session::open(&job, context)?;
                search::list(&mut session, &job, words, context, output)
            }
            Target::Document(document) => {
                let mut session = Session::open(&job, context)?;
                document::fetch(&mut session, &job, document, context, output)
            }
            Target::Catalogue => describe::catalogue(&job, context, output),
            Target::Database => describe::database(&job, context, output),
        }
        .map(|()| Outcome::Done)
    }
}
