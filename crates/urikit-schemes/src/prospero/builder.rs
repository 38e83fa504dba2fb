//! Building prospero URLs from parts.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data, uri};
use super::{OBJECT_VERSION, Prospero};
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in a field: `fieldname` without `?`, where a query begins under later
/// standards.
const FIELD: ByteSet = UNRESERVED.or(ByteSet::of(b":@&"));

/// What is not escaped in an object name: `ppath` without `?`.
const HSONAME: ByteSet = FIELD.or(ByteSet::of(b"/="));

/// Builds a prospero URL from parts, which are octets.
///
/// Data that no client can send, such as a control character, is still built; a client
/// refuses it.
///
/// Slashes have no meaning in an object name (RFC 1738, 3.11). A slash next to `.` or `..` is
/// escaped, since resolving would remove the segment. A name that is `.` or `..` has no slash to
/// escape.
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
#[derive(Clone, Debug)]
pub struct ProsperoBuilder<'a> {
    server: ServerParts<'a>,
    hsoname: Data<'a>,
    version: Option<Data<'a>>,
    fields: Vec<(Data<'a>, Data<'a>)>,
}

impl Prospero<'_> {
    /// Starts a URL for a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> ProsperoBuilder<'_> {
        ProsperoBuilder {
            server: ServerParts::new(host),
            hsoname: Data::Borrowed(&[]),
            version: None,
            fields: Vec::new(),
        }
    }
}

impl<'a> ProsperoBuilder<'a> {
    /// Sets a port other than 1525.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// Sets the host-specific object name.
    #[must_use]
    pub fn hsoname<T: AsRef<[u8]> + ?Sized>(mut self, hsoname: &'a T) -> Self {
        self.hsoname = data(hsoname);
        self
    }

    /// Sets the version: the first field, `OBJECT-VERSION`, or RFC 1630's number.
    #[must_use]
    pub fn version<T: AsRef<[u8]> + ?Sized>(mut self, version: &'a T) -> Self {
        self.version = Some(data(version));
        self
    }

    /// Adds a field. RFC 1630 does not have fields.
    #[must_use]
    pub fn field<T: AsRef<[u8]> + ?Sized, V: AsRef<[u8]> + ?Sized>(
        mut self,
        name: &'a T,
        value: &'a V,
    ) -> Self {
        self.fields.push((data(name), data(value)));
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
    ///
    /// # Errors
    ///
    /// If the parts do not make a prospero URL.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("prospero", standard);
        text.server(&self.server);
        text.push("/");
        text.escape_opaque(&self.hsoname, &HSONAME);
        let mut fields = Vec::new();
        match &self.version {
            Some(version) if standard == Standard::Rfc1630 => {
                text.push("%00");
                text.escape(version, Place::Path, &UNRESERVED);
            }
            Some(version) => fields.push((OBJECT_VERSION, &**version)),
            None => {}
        }
        fields.extend(self.fields.iter().map(|(name, value)| (&**name, &**value)));
        for (name, value) in &fields {
            text.push(";");
            text.escape(name, Place::Path, &FIELD);
            text.push("=");
            text.escape(value, Place::Path, &FIELD);
        }
        text.finish(|url| {
            let read = Prospero::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)?;
            let is_version = match (&self.version, read.version()) {
                (Some(version), Some(read)) => is(read, version),
                // A field that the caller named so, among the fields.
                (None, Some(_)) => read.fields().next().is_some(),
                (version, None) => version.is_none(),
            };
            let are_fields = read.fields().count() == fields.len()
                && read
                    .fields()
                    .zip(&fields)
                    .all(|(read, (name, value))| is(read.name, name) && is(read.value, value));
            let part = if !is(read.hsoname(), &self.hsoname) {
                "object name"
            } else if !is_version || read.attributes().is_some() {
                "version"
            } else if !are_fields {
                "field"
            } else {
                return Ok(());
            };
            Err(BuildError::Misread { part })
        })
    }
}

fn is(read: Encoded<'_>, data: &[u8]) -> bool {
    read.decode().octets().eq(data.iter().copied())
}
