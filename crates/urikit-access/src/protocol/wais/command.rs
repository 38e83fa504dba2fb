//! The messages that are sent, as values. They are binary, so a plan shows them in words.

use super::DocumentId;
use super::codec::{DocumentSearch, Init, Unit, WordSearch, message};
use crate::command::{Argument, Command as Sent, Wire};
use crate::error::{Error, ErrorKind, Result};
use std::ops::Range;

/// The names of databases are shorter in all, so that the header part of an APDU has room for
/// them.
const MAX_NAMES: usize = 32 << 10;

/// Between the names of several databases.
const SEPARATOR: u8 = 0x1F;

/// A message to a WAIS server (RFC 1625, 4).
///
/// ```
/// use urikit_access::protocol::wais::{Command, Databases};
/// use urikit_access::{Argument, Command as _};
/// let search = Command::Search {
///     databases: Databases::new(*b"sea")?,
///     words: Argument::new(*b"whale", "search")?,
///     max_documents: 40,
/// };
/// let words = search.words().unwrap();
/// assert_eq!(words, "a search in \"sea\" for \"whale\": at most 40 documents");
/// assert!(search.octets().starts_with(b"0000000038z2wais        0\x00\x15\x16"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// Init: agrees on the size of messages.
    Init {
        /// The largest message in octets.
        max_message: u32,
    },
    /// A search for words.
    Search {
        /// Where to search.
        databases: Databases,
        /// What to search for.
        words: Argument,
        /// How many documents are returned at most.
        max_documents: u32,
    },
    /// A search for a part of a document, which fetches it.
    Document {
        /// The databases that the document is in.
        databases: Databases,
        /// The type, such as `TEXT`.
        document_type: Argument,
        /// The document-id.
        id: DocumentId,
        /// What the range counts.
        unit: Unit,
        /// The part, counted from 0.
        range: Range<u64>,
    },
}

/// The databases of a search: one or more names. The empty name is the server's own catalogue.
///
/// ```
/// use urikit_access::protocol::wais::Databases;
/// let several = Databases::new(*b"sea\x1Flog")?;
/// assert_eq!(several.names().collect::<Vec<_>>(), [b"sea", b"log"]);
/// assert!(Databases::new(*b"sea\nlog").is_err());
/// # Ok::<(), urikit_access::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Databases(Vec<Argument>);

impl Databases {
    /// Takes the decoded octets of a URL's database. The octet 1F separates several names, as it
    /// does in the message.
    ///
    /// # Errors
    ///
    /// At any other control character, and if they are longer than 32 KiB.
    pub fn new(octets: impl IntoIterator<Item = u8>) -> Result<Self> {
        let octets: Vec<u8> = octets.into_iter().collect();
        if octets.len() > MAX_NAMES {
            let what = "the names of the databases are longer than 32 KiB";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let names = octets.split(|octet| *octet == SEPARATOR);
        let names = names.map(|name| Argument::new(name.iter().copied(), "database"));
        Ok(Self(names.collect::<std::result::Result<_, _>>()?))
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Argument::octets)
    }

    /// The name, if there is only one.
    pub fn only(&self) -> Option<&[u8]> {
        match self.0.as_slice() {
            [name] => Some(name.octets()),
            _ => None,
        }
    }

    fn quoted(&self) -> String {
        let names = self.names().map(quoted);
        names.collect::<Vec<_>>().join(" and ")
    }
}

impl Command {
    /// The message: its header and the APDU.
    fn message(&self) -> Vec<u8> {
        message(&match self {
            Self::Init { max_message } => Init {
                options: Init::SEARCH,
                max_message: *max_message,
                implementation_name: b"urikit",
                implementation_version: env!("CARGO_PKG_VERSION").as_bytes(),
            }
            .encode(),
            Self::Search {
                databases,
                words,
                max_documents,
            } => WordSearch {
                databases: &databases.names().collect::<Vec<_>>(),
                words: words.octets(),
                max_documents: *max_documents,
            }
            .encode(),
            Self::Document {
                databases,
                document_type,
                id,
                unit,
                range,
            } => DocumentSearch {
                databases: &databases.names().collect::<Vec<_>>(),
                id: id.octets(),
                document_type: document_type.octets(),
                unit: *unit,
                range: range.clone(),
            }
            .encode(),
        })
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Init { .. } => "Init",
            Self::Search { .. } | Self::Document { .. } => "Search",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.message(&self.message());
    }

    fn words(&self) -> Option<String> {
        Some(match self {
            Self::Init { max_message } => format!("Init: messages of at most {max_message} bytes"),
            Self::Search {
                databases,
                words,
                max_documents,
            } => format!(
                "a search in {} for {}: at most {max_documents} documents",
                databases.quoted(),
                quoted(words.octets()),
            ),
            Self::Document {
                databases,
                document_type,
                id,
                unit,
                range,
            } => format!(
                "a search in {} for {unit} {} to {} of a document of type {}: {id}",
                databases.quoted(),
                range.start,
                range.end,
                quoted(document_type.octets()),
            ),
        })
    }
}

/// Octets in quotation marks. They contain no control characters.
fn quoted(octets: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(octets))
}
