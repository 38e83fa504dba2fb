//! `prospero`: objects that the Prospero directory service finds.
//!
//! ```text
//! prosperourl  = "prospero://" hostport "/" ppath *[ fieldspec ]           RFC 1738, 5
//! fieldspec    = ";" fieldname "=" fieldvalue
//! prosperolink = p r o s p e r o : / / hostport / hsoname                  RFC 1630
//!                [ % 0 0 version [ attributes ] ]
//! ```
//!
//! What follows the first slash is the host-specific object name, which is opaque: its slashes
//! have a meaning only for the server. RFC 4157 repeats RFC 1738's definition. Under RFC 2396 and
//! its successors a `?` begins a query, which a prospero URL does not have; RFC 1738 allows `?` in
//! names.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;

#[cfg(feature = "alloc")]
pub use builder::ProsperoBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape};
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("prospero");

pub(super) static PROSPERO: Builtin = builtin!(FACTS, Prospero);

const PROSPEROURL: Rule = Rule::new("prosperourl", "RFC 1738, 3.11");
const PROSPERO_URI: Rule = Rule::new("prospero-URI", "RFC 4157, 2");

/// The field that names a version (RFC 1738, 3.11).
const OBJECT_VERSION: &[u8] = b"OBJECT-VERSION";

/// A prospero URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Prospero;
/// // RFC 1738, 3.11
/// let url = Uri::parse("prospero://host.dom//pros/name")?;
/// let prospero = Prospero::read(url)?;
/// assert_eq!((prospero.hsoname().as_str(), prospero.port()), ("/pros/name", Some(1525)));
/// let url = Uri::parse("prospero://host.dom//pros/name;OBJECT-VERSION=2")?;
/// assert_eq!(Prospero::read(url)?.version().unwrap(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Prospero<'a> {
    server: Server<'a>,
    hsoname: Encoded<'a>,
    suffix: Suffix<'a>,
    specification: &'static str,
}

/// What follows the object name.
#[derive(Clone, Copy, Debug)]
enum Suffix<'a> {
    /// What follows the first `;`.
    Fields(Option<Encoded<'a>>),
    /// RFC 1630's version and attributes, which may be empty.
    Version(Option<(Encoded<'a>, Encoded<'a>)>),
}

/// A field of a prospero URL, which helps to identify its target (RFC 1738, 3.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProsperoField<'a> {
    /// Its name, as written.
    pub name: Encoded<'a>,
    /// Its value, as written.
    pub value: Encoded<'a>,
}

impl<'a> Prospero<'a> {
    /// Reads a reference as a prospero URL; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is not a prospero URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a prospero URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not a prospero URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let production = match edition {
            Edition::Original => PROSPEROURL,
            Edition::Successor => PROSPERO_URI,
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        let server = shape.server(&FACTS)?;
        let Some(path) = shape.url_path() else {
            let offset = shape.offset(reference.path().as_str());
            return Err(shape.mismatch(offset, "`/` and an object name"));
        };
        let (hsoname, suffix) = if shape.is_rfc1630() {
            match split_version(path) {
                Some([hsoname, version, attributes]) => {
                    (hsoname, Suffix::Version(Some((version, attributes))))
                }
                None => (path, Suffix::Version(None)),
            }
        } else if let Some((hsoname, fields)) = path.split_once(';') {
            for field in fields.split(';') {
                check_field(&shape, field)?;
            }
            (hsoname, Suffix::Fields(Some(fields)))
        } else {
            (path, Suffix::Fields(None))
        };
        shape.no_query("no query (a `?` in an object name is written `%3F`)")?;
        Ok(Self {
            server,
            hsoname,
            suffix,
            specification: match edition {
                Edition::Successor => "RFC 4157, 2",
                Edition::Original if shape.is_rfc1630() => "RFC 1630, Prospero",
                Edition::Original => "RFC 1738, 3.11",
            },
        })
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 1525; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// The host-specific object name, as written; it may begin with a slash.
    pub const fn hsoname(&self) -> Encoded<'a> {
        self.hsoname
    }

    /// The fields, in order. RFC 1630 does not have fields.
    pub fn fields(&self) -> impl Iterator<Item = ProsperoField<'a>> + use<'a> {
        let fields = match self.suffix {
            Suffix::Fields(fields) => fields,
            Suffix::Version(_) => None,
        };
        let fields = fields.into_iter().flat_map(|fields| fields.split(';'));
        fields.filter_map(|field| {
            let (name, value) = field.split_once('=')?;
            Some(ProsperoField { name, value })
        })
    }

    /// The version of the object, as written: the value of the field `OBJECT-VERSION` (RFC 1738,
    /// 3.11); under RFC 1630 the number after `%00`.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Prospero;
    /// let url = Standard::Rfc1630.parse("prospero://host.dom//pros/name%002")?;
    /// let prospero = Prospero::read(url)?;
    /// assert_eq!(prospero.hsoname(), "/pros/name");
    /// assert_eq!(prospero.version().unwrap(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn version(&self) -> Option<Encoded<'a>> {
        match self.suffix {
            Suffix::Fields(_) => {
                let field = self.fields().find(|field| field.is_version());
                field.map(|field| field.value)
            }
            Suffix::Version(version) => version.map(|(version, _)| version),
        }
    }

    /// The attributes that RFC 1630 has after the version: letters and digits, whose meaning it
    /// does not define.
    pub const fn attributes(&self) -> Option<Encoded<'a>> {
        match self.suffix {
            Suffix::Version(Some((_, attributes))) if !attributes.is_empty() => Some(attributes),
            _ => None,
        }
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: `hsoname`, `version`, and
    /// `fields` (RFC 1630: `attributes`), decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}

impl ProsperoField<'_> {
    /// Whether it names the version.
    pub fn is_version(self) -> bool {
        self.name
            .decode()
            .octets()
            .eq(OBJECT_VERSION.iter().copied())
    }
}

/// RFC 1630's name, version and attributes, if a version follows the last `%00`. Any other `%00`
/// is part of the name, which is a `path`.
fn split_version(path: Encoded<'_>) -> Option<[Encoded<'_>; 3]> {
    let (name, after) = path.as_str().rsplit_once("%00")?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let (version, attributes) = after.split_at_checked(digits)?;
    let is_version = digits > 0 && attributes.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_version.then_some([name, version, attributes].map(encoded))
}

/// `fieldname "=" fieldvalue`, neither of which contains `/` or `=`.
fn check_field(shape: &Shape<'_>, field: Encoded<'_>) -> Result<(), ReadError> {
    let start = shape.offset(field.as_str());
    let (name, value) = match field.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (field, None),
    };
    let mismatch = |at, expected| Err(shape.mismatch_in(start + at, expected, rfc1738::FIELDSPEC));
    if let Some(at) = name.as_str().find('/') {
        return mismatch(at, "`=` and a value (a `/` in a field is written `%2F`)");
    }
    let Some(value) = value else {
        return mismatch(
            name.len(),
            "`=` and a value (a `;` in a name is written `%3B`)",
        );
    };
    match value.as_str().find(['/', '=']) {
        Some(at) => mismatch(
            name.len() + 1 + at,
            "`;` or the end (a `/` in a value is written `%2F`, a `=` `%3D`)",
        ),
        None => Ok(()),
    }
}
