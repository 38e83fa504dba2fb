//! The `wais` scheme, for databases, searches and documents on Wide Area Information Servers (RFC
//! 1738, 3.9; RFC 1625; RFC 1630, WAIS).
//!
//! | URL | result | messages |
//! |---|---|---|
//! | `wais://h/db?words` | a listing of the documents found | Init, a search for the words |
//! | `wais://h/db/TYPE/id` | the document | Init, a search for each part |
//! | `wais://h/db` | the description of the database, or a search for words | Init, searches |
//! | `wais://h/` | a listing of the server's databases | Init, a search |
//!
//! The protocol is Z39.50-1988 without its ASN.1 encodings. Each message has a header of 25 octets
//! and an APDU that consists of numbered fields. Searches are also used to fetch documents (RFC
//! 1625, 3).
//!
//! # Searches
//!
//! Each document becomes an entry with its headline, score, types, size and wais URL. The URL
//! contains the server and database of the search, the length, and the document-id as numbered
//! fields, as in libwww and Lynx. A document-id that does not consist of fields is opaque, as in
//! RFC 1738. If a URL names several databases, the octet 1F (`%1F`) separates them. If freeWAIS
//! finds nothing, it returns a catalogue of the database as a single record with a score of 0. In
//! that case, the listing is empty, and its metadata contains the URL of the catalogue.
//!
//! If the headline of a document of type `URL` is a URL, the document's entry has that URL. The
//! client never follows this URL.
//!
//! # Documents
//!
//! Documents are fetched in parts of at most 30,000 bytes, or fewer if the client and the server
//! have agreed on smaller messages. If a part is too large, freeWAIS responds with an empty
//! message, and the client requests a part half as long. A transfer ends when it reaches the
//! length in the URL, and fails if the server sends less. If the URL contains no length, the
//! document ends when the server sends less than was requested.
//!
//! # Databases
//!
//! The client searches for the description in the server's catalogue, the database `INFO`, and
//! then in the database itself, because freeWAIS sends the description in response to a search
//! without words. If both searches fail, the client asks the user for search words. The fields of a
//! description become [`Metadata`](urikit_access::Metadata), with the URL of the database in
//! `reference`.
//!
//! # Errors
//!
//! A diagnostic becomes an error with the server's text, unless the response also contains
//! documents.

mod access;
pub mod codec;
mod command;
mod entry;
mod job;
mod session;

pub use codec::Unit;
pub use command::{Command, Databases, DocumentId};
pub use job::{Condition, Step};
#[doc(hidden)]
pub use session::replay;

use access::Access;
use job::Job;
use std::num::NonZeroU32;
use urikit_access::protocol::{Outcome, Protocol};
use urikit_access::{Context, Output, Plan, Request, Result};

/// Fetches `wais` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// use urikit_historic::WaisProtocol;
/// // RFC 1630, References
/// let url = UriRef::parse("wais://quake.think.com/wais-discussion-archives?lynch")?;
/// let client = Client::new(Policy::new()).protocol(WaisProtocol::new());
/// let plan = client.plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  quake.think.com:210\n\
///      send     Init: messages of at most 65536 bytes\n\
///      send     a search in \"wais-discussion-archives\" for \"lynch\": at most 200 documents\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaisProtocol {
    max_documents: u32,
    lines: Option<NonZeroU32>,
}

impl WaisProtocol {
    /// Returns the default settings: a search returns at most 200 documents, and documents are
    /// fetched in parts that are measured in bytes.
    pub const fn new() -> Self {
        Self {
            max_documents: 200,
            lines: None,
        }
    }

    /// Sets the maximum number of documents that a search returns. The maximum size of messages
    /// also limits this number.
    ///
    /// ```
    /// use urikit_historic::WaisProtocol;
    /// use urikit_access::{Client, Policy};
    /// let client = Client::new(Policy::new()).protocol(WaisProtocol::new().max_documents(40));
    /// ```
    #[must_use]
    pub const fn max_documents(mut self, max: u32) -> Self {
        self.max_documents = max;
        self
    }

    /// Fetches documents in parts of this many lines, for servers that do not support byte ranges
    /// in text documents. These transfers cannot be resumed.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use urikit_historic::WaisProtocol;
    /// use urikit_access::{Client, Policy};
    /// let lines = NonZeroU32::new(500).unwrap();
    /// let client = Client::new(Policy::new()).protocol(WaisProtocol::new().lines(lines));
    /// ```
    #[must_use]
    pub const fn lines(mut self, count: NonZeroU32) -> Self {
        self.lines = Some(count);
        self
    }
}

impl Default for WaisProtocol {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for WaisProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["wais"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        Job::of(request, *self)?.plan()
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = Job::of(request, *self)?;
        Access::open(&job, context, output)?.run()?;
        Ok(Outcome::Done)
    }
}
