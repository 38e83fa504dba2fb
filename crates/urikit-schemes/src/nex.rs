//! `nex`: documents and directories over the Nex protocol.
//!
//! ```text
//! nex-URI = "nex:" "//" host [ ":" port ] path-abempty
//! ```
//!
//! The specification ("The Nex Protocol", nightfall.city) has no grammar. A client sends the path,
//! which the specification's examples show without the leading slash. An empty path, or one that
//! ends in a slash, refers to a directory. The protocol has no queries.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading};
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
    alloc::borrow::Cow,
    urikit::Standard,
};

const SECTION: &str = "The Nex Protocol";

const DEFINITION: Definition = Definition::new("nex", Rule::new("nex-URI", SECTION), SECTION);

pub(super) static NEX: Builtin = builtin!(DEFINITION, Nex);

/// A nex URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Nex;
/// let url = Uri::parse("nex://nex.example/info/specification.txt")?;
/// let nex = Nex::read(url)?;
/// assert_eq!((nex.port(), nex.is_directory()), (Some(1900), false));
/// assert_eq!(nex.path(), "info/specification.txt");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nex<'a> {
    server: Server<'a>,
    path: Encoded<'a>,
    read_by: ReadBy,
}

reading!(
    Nex,
    "a nex URL",
    /// Returns the parts of the URL as named values, for display or for JSON: the `path`, decoded,
    /// and whether it is a `directory`.
    details
);
host_and_port!(Nex, "1900");

impl<'a> Nex<'a> {
    /// Reads a reference as a nex URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a nex URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let shape = Shape::new(reference.into(), edition, &DEFINITION)?;
        let server = super::http::server(&shape)?;
        let path = shape.after_authority();
        // For schemes that RFC 1738 does not define, the RFC 1738 parser leaves the query in the
        // path.
        if let Some((before, _)) = path.split_once('?') {
            let offset = shape.offset(path.as_str()) + before.len();
            return Err(shape.mismatch(offset, "no `?` (in a path it is written `%3F`)"));
        }
        Ok(Self {
            server,
            path: Encoded::assume_valid(path.as_str().strip_prefix('/').unwrap_or_default()),
            read_by: shape.read_by(),
        })
    }

    /// Returns the path that a client sends, as written: without the slash after the host. A
    /// client decodes the path before sending it.
    pub const fn path(&self) -> Encoded<'a> {
        self.path
    }

    /// Returns true if the path is empty or ends in a slash.
    pub fn is_directory(&self) -> bool {
        self.path.is_empty() || self.path.as_str().ends_with('/')
    }
}

#[cfg(feature = "alloc")]
impl<'a> Nex<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("path", self.path())
            .with("directory", self.is_directory())
    }

    /// Starts building a nex URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> NexBuilder<'a> {
        NexBuilder {
            server: ServerParts::new(host),
            path: Cow::Borrowed(&[]),
        }
    }
}

/// Builds a nex URL from parts that are passed as octets.
///
/// ```
/// use urikit_schemes::Nex;
/// let url = Nex::builder("nex.example").path("a b/c.txt").build()?;
/// assert_eq!(url.as_str(), "nex://nex.example/a%20b/c.txt");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct NexBuilder<'a> {
    server: ServerParts<'a>,
    path: Data<'a>,
}

#[cfg(feature = "alloc")]
set_port!(NexBuilder, server, "1900");

#[cfg(feature = "alloc")]
impl<'a> NexBuilder<'a> {
    /// Sets the path, without a leading slash.
    #[must_use]
    pub fn path<T: AsRef<[u8]> + ?Sized>(mut self, path: &'a T) -> Self {
        self.path = data(path);
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    NexBuilder,
    /// Builds the URL as an RFC 3986 URI.
    build,
    /// Fails if the parts do not form a nex URL, for example if the host is not valid.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for NexBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        text.push("/");
        text.escape_opaque(&self.path, &UNRESERVED);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Nex::read(url)?;
        self.server.check(&read.server)?;
        unchanged("path", is(read.path, &self.path))
    }
}
