//! From parts to a prospero URL.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::{OBJECT_VERSION, Prospero};
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use crate::{Standard, UriRefBuf};
use alloc::vec::Vec;

/// What stands for itself in a field: `fieldname` without `?`, which later standards take for a query.
const FIELD: ByteSet = UNRESERVED.or(ByteSet::of(b":@&"));

/// What stands for itself in an object name: `ppath` without `?`.
const HSONAME: ByteSet = FIELD.or(ByteSet::of(b"/="));

/// Makes a prospero URL out of parts, which are octets.
///
/// What no client can send, such as a control character, is built all the same; `steps` says so.
///
/// Slashes mean nothing in an object name (RFC 1738, 3.11). One beside `.` or `..` is escaped, or resolvers would
/// take the dots for a level; a name that is `.` or `..` has no slash to escape.
///
/// ```
/// use urikit::Rfc1630;
/// use urikit::scheme::Prospero;
/// // RFC 1738, 3.11
/// let object = || Prospero::to("host.dom").hsoname("/pros/name");
/// assert_eq!(object().build()?.as_str(), "prospero://host.dom//pros/name");
/// let url = object().version("2").build()?;
/// assert_eq!(url.as_str(), "prospero://host.dom//pros/name;OBJECT-VERSION=2");
/// let url = object().version("2").build_as::<Rfc1630>()?;
/// assert_eq!(url.as_str(), "prospero://host.dom//pros/name%002");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProsperoBuilder<'a> {
    server: ServerParts<'a>,
    hsoname: Data<'a>,
    version: Option<Data<'a>>,
    fields: Vec<(Data<'a>, Data<'a>)>,
}

impl Prospero<'_> {
    /// Begins a URL to a host: a name or an address, as a URL has it.
    pub const fn to(host: &str) -> ProsperoBuilder<'_> {
        ProsperoBuilder {
            server: ServerParts::new(host),
            hsoname: Data::Borrowed(&[]),
            version: None,
            fields: Vec::new(),
        }
    }
}

impl<'a> ProsperoBuilder<'a> {
    /// Another port than 1525.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The host-specific object name.
    #[must_use]
    pub fn hsoname<T: AsRef<[u8]> + ?Sized>(mut self, hsoname: &'a T) -> Self {
        self.hsoname = data(hsoname);
        self
    }

    /// The version: the first field, `OBJECT-VERSION`, or RFC 1630's number.
    #[must_use]
    pub fn version<T: AsRef<[u8]> + ?Sized>(mut self, version: &'a T) -> Self {
        self.version = Some(data(version));
        self
    }

    /// One more field. RFC 1630 has none.
    #[must_use]
    pub fn field<T: AsRef<[u8]> + ?Sized, V: AsRef<[u8]> + ?Sized>(
        mut self,
        name: &'a T,
        value: &'a V,
    ) -> Self {
        self.fields.push((data(name), data(value)));
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no prospero URL.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("prospero");
        text.server(&self.server);
        text.push("/");
        text.escape_opaque(&self.hsoname, &HSONAME);
        let mut fields = Vec::new();
        match &self.version {
            Some(version) if S::STANDARD == Standard::Rfc1630 => {
                text.push("%00");
                text.escape(version, Component::Path, &UNRESERVED);
            }
            Some(version) => fields.push((OBJECT_VERSION, &**version)),
            None => {}
        }
        fields.extend(self.fields.iter().map(|(name, value)| (&**name, &**value)));
        for (name, value) in &fields {
            text.push(";");
            text.escape(name, Component::Path, &FIELD);
            text.push("=");
            text.escape(value, Component::Path, &FIELD);
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
    read.decode().eq(data.iter().copied())
}
