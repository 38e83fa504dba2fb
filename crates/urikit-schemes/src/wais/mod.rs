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
//! In RFC 1738 the wpath is opaque and has no slash. In RFC 1630 it consists of the numbered
//! fields of the document-id. RFC 4156 repeats RFC 1738's prose without its grammar: there
//! everything after the type's slash is the opaque wpath, with its slashes.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
mod document;

#[cfg(feature = "alloc")]
pub use builder::WaisBuilder;
pub use document::{WaisDocument, WaisField};

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape};
use super::units::units;
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};

const FACTS: Facts<'static> = facts("wais");

pub(super) static WAIS: Builtin = builtin!(FACTS, Wais);

const WAISURL: Rule = Rule::new("waisurl", "RFC 1738, 3.9");
const WAIS_URI: Rule = Rule::new("wais-URI", "RFC 4156, 2");

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
    specification: &'static str,
}

/// What a wais URL designates: one of three things (RFC 1738, 3.9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaisTarget<'a> {
    /// The database, for searching.
    Database,
    /// A search in the database: its words, as written.
    Search(Encoded<'a>),
    /// A document of the database.
    Document(WaisDocument<'a>),
}

impl<'a> Wais<'a> {
    /// Reads a reference as a wais URL.
    ///
    /// # Errors
    ///
    /// If the reference is not a wais URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a wais URL by the specifications of `edition`. The successor allows
    /// slashes in a wpath.
    ///
    /// # Errors
    ///
    /// If the reference is not a wais URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let production = match edition {
            Edition::Original => WAISURL,
            Edition::Successor => WAIS_URI,
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        let server = shape.server(&FACTS)?;
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
            specification: match edition {
                Edition::Successor => "RFC 4156, 2",
                Edition::Original if shape.is_rfc1630() => "RFC 1630, WAIS",
                Edition::Original => "RFC 1738, 3.9",
            },
        })
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 210; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// The database, as written; may be empty, except in RFC 1630.
    pub const fn database(&self) -> Encoded<'a> {
        self.database
    }

    /// What it designates.
    pub const fn target(&self) -> WaisTarget<'a> {
        self.target
    }

    /// The octets of the words to search for. Under RFC 1630 a `+` is a space (Query strings),
    /// elsewhere a plus sign.
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

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: `database`, and `search`, or
    /// `type` and `document_id` (RFC 1630: `fields`), decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}

/// The type and the wpath, which follow the database.
fn read_document<'a>(shape: &Shape<'a>, rest: Encoded<'a>) -> Result<WaisDocument<'a>, ReadError> {
    let start = shape.offset(rest.as_str());
    let Some((wtype, wpath)) = rest.split_once('/') else {
        return Err(shape.mismatch(start + rest.len(), "`/` and a document-id"));
    };
    let has_slashes = shape.is_rfc1630() || shape.edition == Edition::Successor;
    if !has_slashes && let Some((before, _)) = wpath.split_once('/') {
        let offset = shape.offset(wpath.as_str()) + before.len();
        let expected = "no further `/` (in a document-id it is written `%2F`)";
        return Err(shape.mismatch_in(offset, expected, *rfc1738::WPATH.rule()));
    }
    shape.no_query("no search after a document (a `?` in a document-id is written `%3F`)")?;
    Ok(WaisDocument::new(wtype, wpath, shape.is_rfc1630()))
}
