//! Parses references under any standard: the RFCs of the core, and the WHATWG URL Standard.

mod failure;
pub mod whatwg;

use crate::Reader;
use crate::input::Unparsed;
pub use failure::Failure;
use urikit::component::{Authority, Encoded};
use urikit::{AnyRef, Form, HostKind, ParseError, Standard};
use urikit_schemes::{Details, Edition, ReadError, Scheme};

/// An input, parsed under one standard.
pub struct Reading<'a> {
    reader: Reader,
    outcome: Outcome<'a>,
    /// The edition of the scheme's specification, unless it is the default for the standard.
    edition: Option<Edition>,
}

enum Outcome<'a> {
    Rfc {
        standard: Standard,
        input: Unparsed<'a>,
        parsed: Result<AnyRef<'a>, ParseError>,
    },
    Whatwg(Result<whatwg::Url, whatwg::Refusal>),
}

impl Reader {
    /// Parses an input, which need not be UTF-8.
    pub fn read<'a>(self, input: impl Into<Unparsed<'a>>) -> Reading<'a> {
        let input = input.into();
        let outcome = match self {
            Self::Rfc(standard) => Outcome::Rfc {
                standard,
                input,
                parsed: input.parse(standard),
            },
            Self::Whatwg => Outcome::Whatwg(whatwg::parse(input)),
        };
        Reading {
            reader: self,
            outcome,
            edition: None,
        }
    }
}

impl<'a> Reading<'a> {
    /// Sets the edition of the scheme's specification.
    #[must_use]
    pub const fn by(mut self, edition: Option<Edition>) -> Self {
        self.edition = edition;
        self
    }

    /// Returns the edition of the scheme's specification, if one was chosen.
    const fn edition(&self) -> Option<Edition> {
        self.edition
    }

    /// Returns the standard.
    pub const fn reader(&self) -> Reader {
        self.reader
    }

    /// Returns true if the input is valid. If the standard has a production for the input's
    /// scheme, that production decides.
    pub const fn is_valid(&self) -> bool {
        match &self.outcome {
            Outcome::Rfc { parsed, .. } => parsed.is_ok(),
            Outcome::Whatwg(url) => url.is_ok(),
        }
    }

    /// Returns true if the input is valid under the generic production, regardless of its scheme.
    pub fn is_generic_valid(&self) -> bool {
        self.generic()
            .map_or_else(|| self.is_valid(), |generic| generic.is_ok())
    }

    /// Parses with the generic production, if the standard also has scheme-specific productions.
    /// The result is rarely needed, so it is not stored.
    fn generic(&self) -> Option<Result<AnyRef<'a>, ParseError>> {
        match &self.outcome {
            Outcome::Rfc {
                standard, input, ..
            } if matches!(standard, Standard::Rfc1630 | Standard::Rfc1738) => {
                Some(input.parse_generic(*standard))
            }
            _ => None,
        }
    }

    /// Returns the reason why the input is invalid.
    pub fn failure(&self) -> Option<Failure> {
        match &self.outcome {
            Outcome::Rfc { parsed, .. } => parsed.as_ref().err().copied().map(Failure::Rfc),
            Outcome::Whatwg(url) => url.as_ref().err().copied().map(Failure::Whatwg),
        }
    }

    /// Returns the reference as the core parses it, falling back to the generic production.
    pub fn reference(&self) -> Option<AnyRef<'a>> {
        match &self.outcome {
            Outcome::Rfc {
                parsed: Ok(parsed), ..
            } => Some(*parsed),
            Outcome::Rfc { .. } => self.generic()?.ok(),
            Outcome::Whatwg(_) => None,
        }
    }

    /// Returns the URL as browsers serialize it.
    pub fn href(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url.as_str()),
            _ => None,
        }
    }

    /// Returns the WHATWG URL record.
    pub const fn url(&self) -> Option<&whatwg::Url> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url),
            _ => None,
        }
    }

    /// Returns the components, falling back to the generic production.
    pub fn components(&self) -> Option<Components<'_>> {
        match &self.outcome {
            Outcome::Whatwg(url) => url.as_ref().ok().map(whatwg::components),
            Outcome::Rfc { .. } => self.reference().map(Components::of),
        }
    }
}

/// Parses an input into a reference of the `urikit` crate. Under the WHATWG standard, writes the
/// serialized URL to `memory`, escapes characters that RFC 3986 does not allow, and parses the
/// result under RFC 3986.
///
/// # Errors
///
/// Returns the reason why the input is invalid.
pub fn parse<'a>(
    reader: Reader,
    input: Unparsed<'a>,
    memory: &'a mut String,
) -> Result<AnyRef<'a>, Failure> {
    match reader {
        Reader::Rfc(standard) => input.parse(standard).map_err(Failure::Rfc),
        Reader::Whatwg => {
            *memory = serialize(input)?;
            Standard::Rfc3986.parse(memory).map_err(Failure::Rfc)
        }
    }
}

/// Serializes an input as browsers do, and escapes characters that RFC 3986 does not allow.
///
/// # Errors
///
/// Returns the reason why browsers reject the input.
pub fn serialize(input: Unparsed<'_>) -> Result<String, Failure> {
    let url = whatwg::parse(input).map_err(Failure::Whatwg)?;
    if Standard::Rfc3986.parse(url.as_str()).is_ok() {
        return Ok(url.into());
    }
    match urikit::repair(url.as_str()) {
        Ok(repaired) => Ok(repaired.reference.into_string()),
        Err(error) => Err(Failure::Operation(error.to_string())),
    }
}

/// A reference, with the scheme that defines its meaning.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// The reference.
    pub reference: AnyRef<'a>,
    /// The scheme.
    pub scheme: &'static dyn Scheme,
    /// The edition of the scheme's specification.
    pub edition: Edition,
}

impl Reading<'_> {
    /// Returns the reference with its scheme, if the scheme is known. Under the WHATWG standard,
    /// parses the serialized URL again under RFC 3986.
    pub fn meaning(&self) -> Option<Meaning<'_>> {
        let reference = match self.href() {
            Some(href) => Standard::Rfc3986.parse(href).ok()?,
            None => self.reference()?,
        };
        Some(Meaning {
            reference,
            scheme: urikit_schemes::find(reference.scheme()?)?,
            edition: self.edition().unwrap_or(Edition::of(reference.standard())),
        })
    }
}

impl<'a> Meaning<'a> {
    /// Returns the fields that the specification of the scheme defines.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a valid URL of the scheme.
    pub fn details(self) -> Result<Details<'a>, ReadError> {
        self.scheme.details(self.reference, self.edition)
    }
}

/// The components of a reference as written or, for `whatwg`, the components of the URL record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Components<'a> {
    /// The form, such as absolute or relative.
    pub form: Form,
    /// The scheme, without its colon.
    pub scheme: Option<&'a str>,
    /// The authority, without its two slashes.
    pub authority: Option<&'a str>,
    /// The userinfo.
    pub userinfo: Option<&'a str>,
    /// The part of the userinfo before the first colon.
    pub user: Option<&'a str>,
    /// The part of the userinfo after the first colon.
    pub password: Option<&'a str>,
    /// The host.
    pub host: Option<&'a str>,
    /// The kind of host.
    pub host_kind: Option<HostKind>,
    /// The digits of the port.
    pub port: Option<&'a str>,
    /// The path, which may be empty.
    pub path: &'a str,
    /// The parameters after the first `;` of the path (RFC 1808).
    pub params: Option<&'a str>,
    /// The query, without its question mark.
    pub query: Option<&'a str>,
    /// The fragment, without its number sign.
    pub fragment: Option<&'a str>,
    /// True if only the scheme defines the meaning of the text after its colon.
    pub opaque: bool,
}

impl<'a> Components<'a> {
    /// Returns the components of a parsed reference.
    fn of(reference: AnyRef<'a>) -> Self {
        let authority = reference.authority();
        Self {
            form: reference.form(),
            scheme: reference.scheme(),
            authority: authority.map(Authority::as_str),
            userinfo: authority.and_then(|a| Some(a.userinfo()?.as_str())),
            user: authority.and_then(|a| Some(a.user()?.as_str())),
            password: authority.and_then(|a| Some(a.password()?.as_str())),
            host: authority.map(|a| a.host().as_str()),
            host_kind: reference.host_kind(),
            port: authority.and_then(Authority::port),
            path: reference.path().as_str(),
            params: reference.params().map(Encoded::as_str),
            query: reference.query().map(Encoded::as_str),
            fragment: reference.fragment().map(Encoded::as_str),
            opaque: reference.is_opaque(),
        }
    }

    /// Returns the port as a number; `None` if it is absent, empty or above 65535.
    pub fn port_number(&self) -> Option<u16> {
        self.port?.parse().ok()
    }

    /// The keys of [`texts`](Self::texts).
    pub const KEYS: [&'static str; 13] = [
        "form",
        "scheme",
        "authority",
        "userinfo",
        "user",
        "password",
        "host",
        "host_kind",
        "port",
        "path",
        "params",
        "query",
        "fragment",
    ];

    /// Returns all text components with their keys, in the order of `--json`.
    pub fn texts(&self) -> [(&'static str, Option<&'a str>); 13] {
        [
            ("form", Some(self.form.as_str())),
            ("scheme", self.scheme),
            ("authority", self.authority),
            ("userinfo", self.userinfo),
            ("user", self.user),
            ("password", self.password),
            ("host", self.host),
            ("host_kind", self.host_kind.map(HostKind::as_str)),
            ("port", self.port),
            ("path", Some(self.path)),
            ("params", self.params),
            ("query", self.query),
            ("fragment", self.fragment),
        ]
    }
}
