//! `prospero`: objects located by the Prospero directory service.
//!
//! ```text
//! prosperourl  = "prospero://" hostport "/" ppath *[ fieldspec ]           RFC 1738, 5
//! fieldspec    = ";" fieldname "=" fieldvalue
//! prosperolink = p r o s p e r o : / / hostport / hsoname                  RFC 1630
//!                [ % 0 0 version [ attributes ] ]
//! ```
//!
//! The host-specific object name follows the first slash. The name is opaque: only the server knows
//! the meaning of its slashes. RFC 4157 repeats RFC 1738's definition. Under RFC 2396 and its
//! successors a `?` begins a query, which a prospero URL does not have; RFC 1738 allows `?` in
//! names.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};
#[cfg(feature = "alloc")]
use {
    super::build::{
        BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, are_pairs, build_methods, data,
        is, set_port, unchanged,
    },
    super::{Detail, Details, Fields},
    alloc::{vec, vec::Vec},
    urikit::{Standard, grammar::ByteSet, percent::Place},
};

const PROSPEROURL: Rule = Rule::new("prosperourl", "RFC 1738, 3.11");
const PROSPERO_URI: Rule = Rule::new("prospero-URI", "RFC 4157, 2");

const DEFINITION: Definition = Definition::new("prospero", PROSPEROURL, "RFC 1738, 3.11")
    .rfc1630(PROSPEROURL, "RFC 1630, Prospero")
    .successor(PROSPERO_URI, "RFC 4157, 2");

pub(super) static PROSPERO: Builtin = builtin!(DEFINITION, Prospero);

/// The name of the field that contains a version (RFC 1738, 3.11).
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
    read_by: ReadBy,
}

/// The text after the object name.
#[derive(Clone, Copy, Debug)]
enum Suffix<'a> {
    /// The text after the first `;`.
    Fields(Option<Encoded<'a>>),
    /// RFC 1630's version, and its attributes, which may be empty.
    Version(Option<(Encoded<'a>, Encoded<'a>)>),
}

/// A field of a prospero URL. Fields help to identify the target (RFC 1738, 3.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProsperoField<'a> {
    /// The name, as written.
    pub name: Encoded<'a>,
    /// The value, as written.
    pub value: Encoded<'a>,
}

reading!(
    Prospero,
    "a prospero URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `hsoname`, `version`,
    /// and `fields` (RFC 1630: `attributes`), decoded.
    details
);
host_and_port!(Prospero, "1525");

impl<'a> Prospero<'a> {
    /// Reads a reference as a prospero URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a prospero URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let server = shape.server()?;
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
            read_by: shape.read_by(),
        })
    }

    /// Returns the host-specific object name, as written. The name may begin with a slash.
    pub const fn hsoname(&self) -> Encoded<'a> {
        self.hsoname
    }

    /// Returns the fields, in order. RFC 1630 does not define fields.
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

    /// Returns the version of the object, as written. The version is the value of the
    /// `OBJECT-VERSION` field (RFC 1738, 3.11), or under RFC 1630 the number after `%00`.
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

    /// Returns the attributes that RFC 1630 allows after the version. The attributes are letters
    /// and digits, and RFC 1630 does not define their meaning.
    pub const fn attributes(&self) -> Option<Encoded<'a>> {
        match self.suffix {
            Suffix::Version(Some((_, attributes))) if !attributes.is_empty() => Some(attributes),
            _ => None,
        }
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let details = details
            .with("hsoname", self.hsoname())
            .with("version", self.version());
        if matches!(self.suffix, Suffix::Version(_)) {
            return details.with("attributes", self.attributes());
        }
        let fields = self.fields().map(|field| {
            let fields: Fields<'a> =
                vec![("name", field.name.into()), ("value", field.value.into())];
            Detail::Fields(fields)
        });
        details.with("fields", Detail::list(fields))
    }
}

impl ProsperoField<'_> {
    /// Returns true if this is the field that contains the version.
    pub fn is_version(self) -> bool {
        self.name
            .decode()
            .octets()
            .eq(OBJECT_VERSION.iter().copied())
    }
}

/// Splits RFC 1630's name, version and attributes. Returns `None` if no version follows the last
/// `%00`. Any other `%00` is part of the name, because RFC 1630 defines the name as a `path`.
fn split_version(path: Encoded<'_>) -> Option<[Encoded<'_>; 3]> {
    let (name, after) = path.as_str().rsplit_once("%00")?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let (version, attributes) = after.split_at_checked(digits)?;
    let is_version = digits > 0 && attributes.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_version.then_some([name, version, attributes].map(Encoded::assume_valid))
}

/// Checks `fieldname "=" fieldvalue`. Neither the name nor the value contains `/` or `=`.
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
            "`;` or the end (a `/` in a value is written `%2F`, an `=` is written `%3D`)",
        ),
        None => Ok(()),
    }
}

/// The characters that stay unescaped in a field: those allowed in `fieldname`, except `?`, which
/// begins a query under later standards.
#[cfg(feature = "alloc")]
const FIELD: ByteSet = UNRESERVED.or(ByteSet::of(b":@&"));

/// The characters that stay unescaped in an object name: those allowed in `ppath`, except `?`.
#[cfg(feature = "alloc")]
const HSONAME: ByteSet = FIELD.or(ByteSet::of(b"/="));

/// Builds a prospero URL from parts that are passed as octets.
///
/// The builder also accepts data that no client can send, such as control characters. Clients
/// reject these URLs.
///
/// Slashes have no meaning in an object name (RFC 1738, 3.11). A slash next to `.` or `..` is
/// escaped, because resolving would remove the segment. The names `.` and `..` cannot be protected
/// in this way, because they contain no slash.
///
/// ```
/// use urikit::Standard;
/// use urikit_schemes::Prospero;
/// // RFC 1738, 3.11
/// let object = || Prospero::builder("host.dom").hsoname("/pros/name");
/// assert_eq!(object().build()?.as_str(), "prospero://host.dom//pros/name");
/// let url = object().version("2").build()?;
/// assert_eq!(url.as_str(), "prospero://host.dom//pros/name;OBJECT-VERSION=2");
/// let url = object().version("2").build_any(Standard::Rfc1630)?;
/// assert_eq!(url.as_str(), "prospero://host.dom//pros/name%002");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct ProsperoBuilder<'a> {
    server: ServerParts<'a>,
    hsoname: Data<'a>,
    version: Option<Data<'a>>,
    fields: Vec<(Data<'a>, Data<'a>)>,
}

#[cfg(feature = "alloc")]
impl Prospero<'_> {
    /// Starts building a URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> ProsperoBuilder<'_> {
        ProsperoBuilder {
            server: ServerParts::new(host),
            hsoname: Data::Borrowed(&[]),
            version: None,
            fields: Vec::new(),
        }
    }
}

#[cfg(feature = "alloc")]
set_port!(ProsperoBuilder, server, "1525");

#[cfg(feature = "alloc")]
impl<'a> ProsperoBuilder<'a> {
    /// Sets the host-specific object name.
    #[must_use]
    pub fn hsoname<T: AsRef<[u8]> + ?Sized>(mut self, hsoname: &'a T) -> Self {
        self.hsoname = data(hsoname);
        self
    }

    /// Sets the version. The version is written as the first field, `OBJECT-VERSION`, or under RFC
    /// 1630 as the number after `%00`.
    #[must_use]
    pub fn version<T: AsRef<[u8]> + ?Sized>(mut self, version: &'a T) -> Self {
        self.version = Some(data(version));
        self
    }

    /// Adds a field. RFC 1630 does not define fields.
    #[must_use]
    pub fn field<T: AsRef<[u8]> + ?Sized, V: AsRef<[u8]> + ?Sized>(
        mut self,
        name: &'a T,
        value: &'a V,
    ) -> Self {
        self.fields.push((data(name), data(value)));
        self
    }
}

#[cfg(feature = "alloc")]
impl ProsperoBuilder<'_> {
    /// Returns all fields. From RFC 1738 on, the version is the first field.
    fn all_fields(&self, standard: Standard) -> Vec<(&[u8], &[u8])> {
        let version = self.version.as_deref();
        let version = version.filter(|_| standard != Standard::Rfc1630);
        let version = version.map(|version| (OBJECT_VERSION, version));
        let others = self.fields.iter().map(|(name, value)| (&**name, &**value));
        version.into_iter().chain(others).collect()
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    ProsperoBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form a prospero URL.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for ProsperoBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        text.push("/");
        text.escape_opaque(&self.hsoname, &HSONAME);
        if let Some(version) = &self.version
            && text.standard() == Standard::Rfc1630
        {
            text.push("%00");
            text.escape(version, Place::Path, &UNRESERVED);
        }
        for (name, value) in self.all_fields(text.standard()) {
            text.push(";");
            text.escape(name, Place::Path, &FIELD);
            text.push("=");
            text.escape(value, Place::Path, &FIELD);
        }
    }

    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError> {
        let read = Prospero::read(url)?;
        self.server.check(&read.server)?;
        unchanged("object name", is(read.hsoname(), &self.hsoname))?;
        let is_version = match (&self.version, read.version()) {
            (Some(version), Some(read)) => is(read, version),
            // The caller passed the version as a field.
            (None, Some(_)) => read.fields().next().is_some(),
            (version, None) => version.is_none(),
        };
        unchanged("version", is_version && read.attributes().is_none())?;
        let fields = read.fields().map(|field| (field.name, field.value));
        unchanged("field", are_pairs(fields, &self.all_fields(standard)))
    }
}
