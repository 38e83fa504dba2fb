//! `wais`: databases, searches and documents of Wide Area Information Servers (RFC 1625).
//!
//! ```text
//! waisdatabase = "wais://" hostport "/" database                          RFC 1738, 5
//! waisindex    = "wais://" hostport "/" database "?" search
//! waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
//! waisindex    = w a i s : / / hostport / database [ ? search ]           RFC 1630
//! waisdoc      = w a i s : / / hostport / database / wtype / wpath
//! wpath        = digits = path ; [ wpath ]
//! ```
//!
//! In RFC 1738 the wpath is opaque and has no slash. In RFC 1630, the wpath consists of the
//! numbered fields of the document-id. RFC 4156 repeats RFC 1738's prose without its grammar. In
//! RFC 4156, everything after the slash that follows the type is the opaque wpath, which may
//! contain slashes.

#[cfg(feature = "alloc")]
mod builder;
mod document;

#[cfg(feature = "alloc")]
pub use builder::WaisBuilder;
pub use document::{WaisDocument, WaisField};

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading, units};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};
#[cfg(feature = "alloc")]
use {
    super::{Detail, Details, Fields},
    alloc::{string::String, vec},
};

const WAISURL: Rule = Rule::new("waisurl", "RFC 1738, 3.9");
const WAIS_URI: Rule = Rule::new("wais-URI", "RFC 4156, 2");

const DEFINITION: Definition = Definition::new("wais", WAISURL, "RFC 1738, 3.9")
    .rfc1630(WAISURL, "RFC 1630, WAIS")
    .successor(WAIS_URI, "RFC 4156, 2");

pub(super) static WAIS: Builtin = builtin!(DEFINITION, Wais);

/// A wais URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Wais, WaisTarget};
/// // RFC 1630, References
/// let url = Uri::parse("wais://quake.think.com/wais-discussion-archives?lynch")?;
/// let wais = Wais::read(url)?;
/// assert_eq!((wais.database().as_str(), wais.port()), ("wais-discussion-archives", Some(210)));
/// let WaisTarget::Search(words) = wais.target() else { panic!() };
/// assert_eq!(words, "lynch");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Wais<'a> {
    server: Server<'a>,
    database: Encoded<'a>,
    target: WaisTarget<'a>,
    is_rfc1630: bool,
    read_by: ReadBy,
}

/// The object that a wais URL refers to (RFC 1738, 3.9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaisTarget<'a> {
    /// The database itself, which a client can search.
    Database,
    /// A search in the database: its words, as written.
    Search(Encoded<'a>),
    /// A document in the database.
    Document(WaisDocument<'a>),
}

reading!(
    Wais,
    "a wais URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `database`, and
    /// `search`, or `type` and `document_id` (RFC 1630: `fields`), decoded.
    details
);
host_and_port!(Wais, "210");

impl<'a> Wais<'a> {
    /// Reads a reference as a wais URL according to the specifications of `edition`. Only the
    /// successor allows slashes in a wpath.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a wais URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let server = shape.server()?;
        let Some(path) = shape.url_path() else {
            let offset = shape.offset(reference.path().as_str());
            return Err(shape.mismatch(offset, "`/` and a database"));
        };
        let (database, target) = match (path.split_once('/'), reference.query()) {
            (None, None) => (path, WaisTarget::Database),
            (None, Some(search)) => (path, WaisTarget::Search(search)),
            (Some((database, rest)), _) => {
                let document = read_document(&shape, rest)?;
                (database, WaisTarget::Document(document))
            }
        };
        Ok(Self {
            server,
            database,
            target,
            is_rfc1630: shape.is_rfc1630(),
            read_by: shape.read_by(),
        })
    }

    /// Returns the name of the database, as written. The name may be empty, except under RFC 1630.
    pub const fn database(&self) -> Encoded<'a> {
        self.database
    }

    /// Returns the object that the URL refers to: the database, a search or a document.
    pub const fn target(&self) -> WaisTarget<'a> {
        self.target
    }

    /// Returns the decoded octets of the search words. Under RFC 1630, a `+` is a space (section
    /// Query strings). Under all other standards, it is a plus sign. Returns `None` if the URL is
    /// not a search.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Wais;
    /// let url = Standard::Rfc1630.parse("wais://h/db?red+hat")?;
    /// assert!(Wais::read(url)?.words().unwrap().eq(*b"red hat"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self) -> Option<impl Iterator<Item = u8> + use<'a>> {
        let WaisTarget::Search(search) = self.target else {
            return None;
        };
        let is_rfc1630 = self.is_rfc1630;
        Some(units(search).map(move |unit| {
            let is_plus_sign = unit.octet == b'+' && unit.end - unit.start == 1;
            if is_rfc1630 && is_plus_sign {
                b' '
            } else {
                unit.octet
            }
        }))
    }
}

/// Reads the type and the wpath, which follow the database.
fn read_document<'a>(shape: &Shape<'a>, rest: Encoded<'a>) -> Result<WaisDocument<'a>, ReadError> {
    let start = shape.offset(rest.as_str());
    let Some((wtype, wpath)) = rest.split_once('/') else {
        return Err(shape.mismatch(start + rest.len(), "`/` and a document-id"));
    };
    let has_slashes = shape.is_rfc1630() || shape.edition == Edition::Successor;
    if !has_slashes && let Some((before, _)) = wpath.split_once('/') {
        let offset = shape.offset(wpath.as_str()) + before.len();
        let expected = "no second `/` (in a document-id it is written `%2F`)";
        return Err(shape.mismatch_in(offset, expected, *rfc1738::WPATH.rule()));
    }
    shape.no_query("no query after a document-id (a `?` in a document-id is written `%3F`)")?;
    Ok(WaisDocument::new(wtype, wpath, shape.is_rfc1630()))
}

#[cfg(feature = "alloc")]
impl<'a> Wais<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        match self.target() {
            WaisTarget::Database => details
                .with("kind", "database")
                .with("database", self.database()),
            WaisTarget::Search(search) => {
                let words = self.words().into_iter().flatten().collect();
                let words = String::from_utf8(words);
                let as_written = |_| Detail::from(search.as_str());
                details
                    .with("kind", "search")
                    .with("database", self.database())
                    .with("search", words.map_or_else(as_written, Detail::from))
            }
            WaisTarget::Document(document) => {
                let details = details
                    .with("kind", "document")
                    .with("database", self.database())
                    .with("type", document.wtype());
                if document.is_rfc1630() {
                    details.with("fields", fields(document))
                } else {
                    details.with("document_id", document.wpath())
                }
            }
        }
    }
}

/// Returns the fields of a document-id, each with its number, name and contents.
#[cfg(feature = "alloc")]
fn fields(document: WaisDocument<'_>) -> Detail<'_> {
    let fields = document.fields().into_iter().flatten().map(|field| {
        let fields: Fields<'_> = vec![
            ("number", field.number().map(u64::from).into()),
            ("name", field.name().into()),
            ("value", field.value().into()),
        ];
        Detail::Fields(fields)
    });
    Detail::list(fields)
}
