//! The messages that the client sends, with the names and document-ids in them, as values of Rust
//! types. The messages are binary, so plans describe them in words.

use super::codec::{
    DocumentSearch, Init, Unit, WordSearch, decode_document_id, encode_document_id, message,
};
use std::fmt;
use std::ops::Range;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit_access::{Argument, Command as Sent, Error, ErrorKind, Result, Wire};
use urikit_schemes::WaisDocument;

/// The maximum total length of the database names. The names are part of an APDU's header part,
/// which must be shorter than 64 KiB.
const MAX_NAMES: usize = 32 << 10;

/// The maximum length of a document-id.
const MAX_ID: usize = 64 << 10;

/// Separates the names of several databases.
const SEPARATOR: u8 = 0x1F;

/// A message to a WAIS server (RFC 1625, 4).
///
/// ```
/// use urikit_historic::wais::{Command, Databases};
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
    /// Agrees with the server on the size of messages.
    Init {
        /// The maximum size of messages, in octets.
        max_message: u32,
    },
    /// Searches for words.
    Search {
        /// The databases to search.
        databases: Databases,
        /// The words to search for.
        words: Argument,
        /// The maximum number of documents to return.
        max_documents: u32,
    },
    /// Fetches part of a document by searching for the document.
    Document {
        /// The databases that contain the document.
        databases: Databases,
        /// The type of the document, such as `TEXT`.
        document_type: Argument,
        /// The document-id.
        id: DocumentId,
        /// The unit that the range is counted in.
        unit: Unit,
        /// The range to fetch, counted from 0.
        range: Range<u64>,
    },
}

/// The names of one or more databases to search. An empty name selects the server's own catalogue.
///
/// ```
/// use urikit_historic::wais::Databases;
/// let several = Databases::new(*b"sea\x1Flog")?;
/// assert_eq!(several.names().collect::<Vec<_>>(), [b"sea", b"log"]);
/// assert!(Databases::new(*b"sea\nlog").is_err());
/// # Ok::<(), urikit_access::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Databases(Vec<Argument>);

impl Databases {
    /// Splits the decoded octets of the database in a URL into names. The octet 1F separates names
    /// in URLs and in messages.
    ///
    /// # Errors
    ///
    /// Fails if the octets contain another control character, or if they are longer than 32 KiB.
    pub fn new(octets: impl IntoIterator<Item = u8>) -> Result<Self> {
        let octets: Vec<u8> = octets.into_iter().collect();
        if octets.len() > MAX_NAMES {
            let what = "the database names are longer than 32 KiB";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let names = octets.split(|octet| *octet == SEPARATOR);
        let names = names.map(|name| Argument::new(name.iter().copied(), "database"));
        Ok(Self(names.collect::<std::result::Result<_, _>>()?))
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Argument::octets)
    }

    /// Returns the name of the only database, or `None` if the search uses several databases.
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
    /// Returns the message, which consists of a header and an APDU.
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

/// Puts octets in quotation marks. The octets must not contain control characters.
fn quoted(octets: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(octets))
}

/// A document-id, whose octets only the server that created it can interpret.
///
/// ```
/// use urikit::Uri;
/// use urikit_historic::wais::DocumentId;
/// use urikit_schemes::{Wais, WaisTarget};
/// let read = |url| -> Result<DocumentId, Box<dyn std::error::Error>> {
///     let url = Wais::read(Uri::parse(url)?)?;
///     let WaisTarget::Document(document) = url.target() else { panic!() };
///     Ok(DocumentId::of(document)?)
/// };
/// // RFC 1738, 3.9: opaque; RFC 1630, WAIS: numbered fields
/// let opaque = read("wais://h/db/TEXT/%02%02db%03%080%2067%20%2Fa")?;
/// assert_eq!(opaque.octets(), b"\x02\x02db\x03\x080 67 /a");
/// let fields = read("wais://h/db/TEXT/67/2=db;3=0%2067%20%2Fa;")?;
/// assert_eq!(fields.octets(), b"\x02\x02db\x03\x070 67 /a");
/// assert_eq!(fields.to_string(), "2=db;3=0%2067%20%2Fa;");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DocumentId(Vec<u8>);

impl DocumentId {
    /// Reads the document-id in a URL.
    ///
    /// If the document-id consists of numbered fields, they are converted to octets (RFC 1630,
    /// WAIS), whichever standard applies to the URL, because libwww and Lynx write document-ids in
    /// this form. Any other document-id is opaque (RFC 1738, 3.9), and is percent-decoded.
    ///
    /// # Errors
    ///
    /// Fails if the number of a field is above 268435455, or if the result is longer than 64 KiB.
    pub fn of(document: WaisDocument<'_>) -> Result<Self> {
        let what = "the number of a document-id's field is above 268435455";
        let number = || Error::new(ErrorKind::Unsupported(what));
        let id = match document.fields() {
            None => document.wpath().decode().octets().collect(),
            Some(fields) => {
                let fields = fields.map(|field| {
                    let number = field.number().ok_or_else(number)?;
                    Ok((number, field.value().to_bytes()))
                });
                let fields = fields.collect::<Result<Vec<_>>>()?;
                encode_document_id(fields).ok_or_else(number)?
            }
        };
        if id.len() > MAX_ID {
            let what = "the document-id is longer than 64 KiB";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(Self(id))
    }

    /// Converts the document-id in a record. Returns `None` if the document-id is empty or longer
    /// than 64 KiB.
    pub(super) fn received(id: &[u8]) -> Option<Self> {
        (!id.is_empty() && id.len() <= MAX_ID).then(|| Self(id.to_vec()))
    }

    /// Returns the octets.
    pub fn octets(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    /// Writes the document-id as in a URL, which means as numbered fields if possible, and
    /// otherwise as octets. Percent-encodes everything except letters, digits and `-._~`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = decode_document_id(&self.0) else {
            return write!(f, "{}", encode_with(&self.0, UNRESERVED.set()));
        };
        for (number, value) in fields {
            write!(f, "{number}={};", encode_with(value, UNRESERVED.set()))?;
        }
        Ok(())
    }
}

impl fmt::Debug for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentId({self})")
    }
}
