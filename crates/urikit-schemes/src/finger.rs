//! `finger`: information about the users of a host (RFC 1288).
//!
//! ```text
//! finger-URI = "finger:" "//" [ user "@" ] host [ ":" port ] [ "/" [ request ] ]
//! request    = [ "/W" [ SP ] ] [ username ] *( "@" hostname )      RFC 1288, 2.3
//! ```
//!
//! The only description of finger URLs is a draft from 1995 (draft-ietf-uri-url-finger-02), in
//! which the escaped request follows the slash. In practice, some URLs have the user before the
//! host instead, which IANA's registry of schemes does not forbid. A URL must not contain both a
//! user and a request.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading, strip_octets};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{
        BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, build_methods, data, is,
        set_port, unchanged,
    },
    urikit::Standard,
    urikit::percent::Place,
};

const SECTION: &str = "draft-ietf-uri-url-finger-02";

const DEFINITION: Definition = Definition::new("finger", Rule::new("finger-URI", SECTION), SECTION);

pub(super) static FINGER: Builtin = builtin!(DEFINITION, Finger);

/// A finger URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Finger;
/// let url = Uri::parse("finger://host.example/%2FW%20timbl")?;
/// let finger = Finger::read(url)?;
/// assert_eq!((finger.port(), finger.is_verbose()), (Some(79), true));
/// assert_eq!(finger.request().decode(), "/W timbl");
/// // Without a request, the server lists the users who are logged in.
/// assert!(Finger::read(Uri::parse("finger://host.example")?)?.request().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Finger<'a> {
    server: Server<'a>,
    request: Encoded<'a>,
    read_by: ReadBy,
}

reading!(
    Finger,
    "a finger URL",
    /// Returns the parts of the URL as named values, for display or for JSON: the `request`,
    /// decoded, and whether it asks for a `verbose` answer.
    details
);
host_and_port!(Finger, "79");

impl<'a> Finger<'a> {
    /// Reads a reference as a finger URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a finger URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let shape = Shape::new(reference.into(), edition, &DEFINITION)?;
        let server = super::http::server(&shape)?;
        let path = shape.after_authority();
        let request = Encoded::assume_valid(path.as_str().strip_prefix('/').unwrap_or_default());
        // For schemes that RFC 1738 does not define, the RFC 1738 parser leaves the query in the
        // path.
        if let Some((before, _)) = path.split_once('?') {
            let offset = shape.offset(path.as_str()) + before.len();
            return Err(shape.mismatch(offset, "no `?` (in a request it is written `%3F`)"));
        }
        let request = match server.user() {
            None => request,
            Some(user) if request.is_empty() => user,
            Some(_) => {
                let offset = shape.offset(request.as_str());
                return Err(shape.mismatch(offset, "no request, because a user precedes the host"));
            }
        };
        Ok(Self {
            server,
            request,
            read_by: shape.read_by(),
        })
    }

    /// Returns the request, as written: a user, hosts to forward the request to, or both. An empty
    /// request asks the server to list all users who are logged in.
    pub const fn request(&self) -> Encoded<'a> {
        self.request
    }

    /// Returns true if the request begins with `/W`, which asks for more information (RFC 1288,
    /// 2.5.4).
    pub fn is_verbose(&self) -> bool {
        let rest = strip_octets(self.request, b"/W").or_else(|| strip_octets(self.request, b"/w"));
        rest.is_some_and(|rest| rest.is_empty() || strip_octets(rest, b" ").is_some())
    }
}

#[cfg(feature = "alloc")]
impl<'a> Finger<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("request", self.request())
            .with("verbose", self.is_verbose())
    }

    /// Starts building a finger URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> FingerBuilder<'a> {
        FingerBuilder {
            server: ServerParts::new(host),
            request: Data::Borrowed(&[]),
        }
    }
}

/// Builds a finger URL from parts that are passed as octets.
///
/// ```
/// use urikit_schemes::Finger;
/// let url = Finger::builder("host.example").request("/W timbl").build()?;
/// assert_eq!(url.as_str(), "finger://host.example/%2FW%20timbl");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct FingerBuilder<'a> {
    server: ServerParts<'a>,
    request: Data<'a>,
}

#[cfg(feature = "alloc")]
set_port!(FingerBuilder, server, "79");

#[cfg(feature = "alloc")]
impl<'a> FingerBuilder<'a> {
    /// Sets the request (RFC 1288, 2.3), for example a user name.
    #[must_use]
    pub fn request<T: AsRef<[u8]> + ?Sized>(mut self, request: &'a T) -> Self {
        self.request = data(request);
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    FingerBuilder,
    /// Builds the URL as an RFC 3986 URI.
    build,
    /// Fails if the parts do not form a finger URL, for example if the host is not valid.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for FingerBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        text.push("/");
        text.escape(&self.request, Place::Path, &UNRESERVED);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Finger::read(url)?;
        self.server.check(&read.server)?;
        unchanged("request", is(read.request, &self.request))
    }
}
