//! `gemini` and `spartan`: resources on a server of the small web.
//!
//! ```text
//! gemini-URI  = "gemini:" "//" host [ ":" port ] path-abempty [ "?" query ]    Gemini 0.24.1
//! spartan-URI = "spartan:" "//" host [ ":" port ] path-abempty [ "?" query ]   Spartan
//! ```
//!
//! Both specifications use RFC 3986's syntax, require a host and forbid a userinfo. A Gemini client
//! sends the URL itself, with the user's input as the query. A Spartan client sends the host and
//! the path, and the decoded query as a block of data.

use super::http::Target;
use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{BuildError, Parts, UrlText, build_methods, data, set_port},
    super::http::{TargetParts, sent_host},
    alloc::{string::String, vec},
    core::fmt::Write as _,
    urikit::Standard,
};

const GEMINI_SECTION: &str = "Gemini 0.24.1, The Gemini URI Scheme";
const SPARTAN_SECTION: &str = "Spartan, Requests";

const GEMINI_DEFINITION: Definition = Definition::new(
    "gemini",
    Rule::new("gemini-URI", GEMINI_SECTION),
    GEMINI_SECTION,
);
const SPARTAN_DEFINITION: Definition = Definition::new(
    "spartan",
    Rule::new("spartan-URI", SPARTAN_SECTION),
    SPARTAN_SECTION,
);

pub(super) static GEMINI: Builtin = builtin!(GEMINI_DEFINITION, Gemini);
pub(super) static SPARTAN: Builtin = builtin!(SPARTAN_DEFINITION, Spartan);

/// A gemini URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Gemini;
/// let url = Uri::parse("gemini://example.com:1965?ferret#nose")?;
/// let gemini = Gemini::read(url)?;
/// assert_eq!((gemini.host().as_str(), gemini.port()), ("example.com", Some(1965)));
/// // The request has a slash for an empty path, and neither the default port nor the fragment.
/// assert_eq!(gemini.request(), "gemini://example.com/?ferret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gemini<'a> {
    server: Server<'a>,
    target: Target<'a>,
    read_by: ReadBy,
}

/// A spartan URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Spartan;
/// let url = Uri::parse("spartan://example.com/guestbook?hello%20there")?;
/// let spartan = Spartan::read(url)?;
/// assert_eq!(spartan.port(), Some(300));
/// assert_eq!(spartan.request_path(), "/guestbook");
/// assert_eq!(spartan.data().unwrap().decode(), "hello there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spartan<'a> {
    server: Server<'a>,
    target: Target<'a>,
    read_by: ReadBy,
}

reading!(
    Gemini,
    "a gemini URL",
    /// Returns the parts of the URL as named values, for display or for JSON: the URL that is
    /// requested, and the user's `input`, decoded.
    details
);
host_and_port!(Gemini, "1965");
reading!(
    Spartan,
    "a spartan URL",
    /// Returns the parts of the URL as named values, for display or for JSON: the `path` that is
    /// requested, and the `data` that is sent, decoded.
    details
);
host_and_port!(Spartan, "300");

impl<'a> Gemini<'a> {
    /// Reads a reference as a gemini URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a gemini URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let shape = Shape::new(reference.into(), edition, &GEMINI_DEFINITION)?;
        Ok(Self {
            server: super::http::server(&shape)?,
            target: Target::new(&shape),
            read_by: shape.read_by(),
        })
    }

    /// Returns the path as written, including its leading slash. The path may be empty.
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// Returns the user's input, as written: the query.
    pub const fn input(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }
}

impl<'a> Spartan<'a> {
    /// Reads a reference as a spartan URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a spartan URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let shape = Shape::new(reference.into(), edition, &SPARTAN_DEFINITION)?;
        Ok(Self {
            server: super::http::server(&shape)?,
            target: Target::new(&shape),
            read_by: shape.read_by(),
        })
    }

    /// Returns the path as written, including its leading slash. The path may be empty.
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// Returns the data to send, as written: the query. A client decodes the data before sending
    /// it.
    pub const fn data(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }
}

#[cfg(feature = "alloc")]
impl<'a> Gemini<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("request", self.request())
            .with("input", self.input())
    }

    /// Returns the URL that a client sends: without the fragment and the default port, and with a
    /// slash for an empty path. Characters that RFC 3986 does not allow are escaped.
    pub fn request(&self) -> String {
        let mut text = String::from("gemini://");
        text.push_str(&sent_host(self.server.host()));
        if let Some(port) = self.port()
            && Some(port) != GEMINI_DEFINITION.facts.port
        {
            let _ = write!(text, ":{port}");
        }
        text.push_str(&self.target.origin_form(true));
        text
    }

    /// Returns the URL that a client sends, without the query. If the server asks for input, the
    /// client appends a `?` and the input.
    pub fn request_without_input(&self) -> String {
        let mut text = self.request();
        text.truncate(text.find('?').unwrap_or(text.len()));
        text
    }

    /// Starts building a gemini URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> GeminiBuilder<'a> {
        GeminiBuilder {
            target: TargetParts::new(host),
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a> Spartan<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("path", self.request_path())
            .with("data", self.data())
    }

    /// Returns the path that a client sends, with a slash for an empty path. Characters that RFC
    /// 3986 does not allow are escaped.
    pub fn request_path(&self) -> String {
        let mut text = self.target.origin_form(true);
        text.truncate(text.find('?').unwrap_or(text.len()));
        text
    }

    /// Returns the host that a client sends, without the port. Characters that RFC 3986 does not
    /// allow are escaped.
    pub fn request_host(&self) -> String {
        sent_host(self.server.host())
    }

    /// Starts building a spartan URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> SpartanBuilder<'a> {
        SpartanBuilder {
            target: TargetParts::new(host),
        }
    }
}

/// Builds a gemini URL from parts that are passed as octets.
///
/// ```
/// use urikit_schemes::Gemini;
/// let url = Gemini::builder("example.com").segment("search").input("red hat?").build()?;
/// assert_eq!(url.as_str(), "gemini://example.com/search?red%20hat%3F");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct GeminiBuilder<'a> {
    target: TargetParts<'a>,
}

/// Builds a spartan URL from parts that are passed as octets.
///
/// ```
/// use urikit_schemes::Spartan;
/// let url = Spartan::builder("example.com").segment("guestbook").data("hello").build()?;
/// assert_eq!(url.as_str(), "spartan://example.com/guestbook?hello");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct SpartanBuilder<'a> {
    target: TargetParts<'a>,
}

/// Defines the methods of a builder.
#[cfg(feature = "alloc")]
macro_rules! builder {
    ($builder:ident, $reading:ident, $definition:ident, $port:literal, $query:ident, $doc:literal) => {
        set_port!($builder, target.server, $port);

        impl<'a> $builder<'a> {
            /// Adds a segment, which may be empty, to the path. If no segment is added, the path
            /// is `/`.
            #[must_use]
            pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
                self.target.segments.push(data(segment));
                self
            }

            #[doc = $doc]
            #[must_use]
            pub fn $query<T: AsRef<[u8]> + ?Sized>(mut self, $query: &'a T) -> Self {
                self.target.query = Some(vec![data($query)]);
                self
            }
        }

        build_methods!(
            $builder,
            /// Builds the URL as an RFC 3986 URI.
            build,
            /// Fails if the parts do not form a URL of the scheme, for example if the host is not
            /// valid.
            errors
        );

        impl Parts for $builder<'_> {
            fn scheme(&self) -> &'static str {
                $definition.facts.name
            }

            fn write(&self, text: &mut UrlText) {
                self.target.write(text);
            }

            fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
                let read = $reading::read(url)?;
                self.target.check(read.path(), &read.server)?;
                self.target.check_query(read.$query().into_iter())
            }
        }
    };
}

#[cfg(feature = "alloc")]
builder!(
    GeminiBuilder,
    Gemini,
    GEMINI_DEFINITION,
    "1965",
    input,
    "Sets the user's input."
);

#[cfg(feature = "alloc")]
builder!(
    SpartanBuilder,
    Spartan,
    SPARTAN_DEFINITION,
    "300",
    data,
    "Sets the data to send."
);
