//! `http` and `https`: resources of a server, by the Hypertext Transfer Protocol.
//!
//! ```text
//! httpaddress = h t t p : / / hostport [ / path ] [ ? search ]        RFC 1630
//! httpurl     = "http://" hostport [ "/" hpath [ "?" search ]]        RFC 1738, 5
//! http_URL    = "http:" "//" host [ ":" port ] [ abs_path [ "?" query ]]   RFC 2616, 3.2.2
//! http-URI    = "http" "://" authority path-abempty [ "?" query ]     RFC 9110, 4.2.1
//! ```
//!
//! Path and query are interpreted by the server: a client sends both as written. Only RFC 1630 has
//! words in a search part, with `+` for a space.
//!
//! RFC 9110 gives both schemes an `authority`, so its grammar allows a userinfo, and it warns
//! about it (4.2.4): it can be read here, and is never sent. All earlier RFCs refuse it. The first
//! definition of `https` (RFC 2818, 2.4) is RFC 2616's production with that name in place of
//! `http`.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
mod target;

#[cfg(feature = "alloc")]
pub use builder::HttpBuilder;
#[cfg(feature = "alloc")]
pub(super) use target::TargetParts;
pub(super) use target::{Target, server};

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape, is_scheme};
use super::{Edition, Facts, ReadError, Userinfo, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630};

const HTTP_FACTS: Facts<'static> = facts("http");

const HTTPS_FACTS: Facts<'static> = facts("https");

pub(super) static HTTP: Builtin = builtin!(HTTP_FACTS, Http);
pub(super) static HTTPS: Builtin = builtin!(HTTPS_FACTS, Http);

const HTTPURL: Rule = Rule::new("httpurl", "RFC 1738, 3.3");
const HTTP_URL: Rule = Rule::new("http_URL", "RFC 2616, 3.2.2");
const HTTP_URI: Rule = Rule::new("http-URI", "RFC 9110, 4.2.1");
const HTTPS_URI: Rule = Rule::new("https-URI", "RFC 9110, 4.2.2");

/// An http or https URL.
///
/// ```
/// use urikit::Standard;
/// use urikit_schemes::Http;
/// // RFC 1630, HTTP: "a search on a text database"
/// let url = Standard::Rfc1630.parse("http://info.my.org/AboutUs/Index/Phonebook?dobbins")?;
/// let http = Http::read(url)?;
/// assert_eq!((http.host().as_str(), http.port()), ("info.my.org", Some(80)));
/// assert_eq!(http.path(), "/AboutUs/Index/Phonebook");
/// assert!(http.words().eq(http.query()));
/// assert!(!http.is_secure());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Http<'a> {
    server: Server<'a>,
    target: Target<'a>,
    is_secure: bool,
    is_rfc1630: bool,
    specification: &'static str,
}

impl<'a> Http<'a> {
    /// Reads a reference as an http or https URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is neither.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as an http or https URL, by the specifications of `edition`.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Edition, Http};
    /// let url = Uri::parse("http://www.example.com?q")?;
    /// assert!(Http::read(url).is_ok());
    /// // RFC 1738, 3.3: the `/` may be omitted only if there is no search part.
    /// assert!(Http::read_as(url, Edition::Original).is_err());
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the reference is neither.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_secure = is_scheme(reference, HTTPS_FACTS.name);
        let is_original = edition == Edition::Original;
        let is_rfc1630 = is_original && reference.standard() == urikit::Standard::Rfc1630;
        let (facts, production, specification) = match (is_secure, is_original) {
            (false, true) if is_rfc1630 => (HTTP_FACTS, rfc1630::HTTPADDRESS, "RFC 1630, HTTP"),
            (false, true) => (HTTP_FACTS, HTTPURL, "RFC 1738, 3.3"),
            (false, false) => (HTTP_FACTS, HTTP_URI, "RFC 9110, 4.2.1"),
            (true, true) => (HTTPS_FACTS, HTTP_URL, "RFC 2818, 2.4"),
            (true, false) => (HTTPS_FACTS, HTTPS_URI, "RFC 9110, 4.2.2"),
        };
        let shape = Shape::new(reference, edition, facts.name, production)?;
        let server = if is_original {
            server(&shape, &facts)?
        } else {
            server(&shape, &facts.userinfo(Userinfo::UserAndPassword))?
        };
        let target = Target::new(&shape);
        if is_original && !is_rfc1630 {
            target.needs_path(&shape)?;
        }
        Ok(Self {
            server,
            target,
            is_secure,
            is_rfc1630,
            specification,
        })
    }

    /// Whether the connection is secure: `https`.
    pub const fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 80 or 443; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// The user, as written, which only RFC 9110's grammar allows. It is "likely being used to
    /// obscure the authority for the sake of phishing attacks" (4.2.4), and is never sent.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.server.user()
    }

    /// The password, as written; as [`user`](Self::user).
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.server.password()
    }

    /// The path, as written, with its first slash; empty if the URL has no path, which is the same
    /// as `/` (RFC 9110, 4.2.3).
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// The query, or the search part, as written.
    pub const fn query(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }

    /// The words of RFC 1630's search part, as written: what is between the plus signs, which mean
    /// spaces. Under every other standard a `+` is a plus sign, and the query is one word.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Http;
    /// // RFC 1630, Query strings: real plus signs must be encoded.
    /// let url = Standard::Rfc1630.parse("http://info.my.org/Phonebook?j+dobbins+c%2B%2B")?;
    /// let words: Vec<_> = Http::read(url)?.words().map(|word| word.to_utf8()).collect::<Result<_, _>>()?;
    /// assert_eq!(words, ["j", "dobbins", "c++"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let (split, whole) = if self.is_rfc1630 {
            (self.query().map(|query| query.split('+')), None)
        } else {
            (None, self.query())
        };
        split.into_iter().flatten().chain(whole)
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: whether it is `secure`, and the
    /// `target` of the request. Path and query are for the server to decode; RFC 1630's search
    /// part has `words`, which are decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}
