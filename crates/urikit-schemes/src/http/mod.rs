//! `http` and `https`: resources on a server, over the Hypertext Transfer Protocol.
//!
//! ```text
//! httpaddress = h t t p : / / hostport [ / path ] [ ? search ]        RFC 1630
//! httpurl     = "http://" hostport [ "/" hpath [ "?" search ]]        RFC 1738, 5
//! http_URL    = "http:" "//" host [ ":" port ] [ abs_path [ "?" query ]]   RFC 2616, 3.2.2
//! http-URI    = "http" "://" authority path-abempty [ "?" query ]     RFC 9110, 4.2.1
//! ```
//!
//! Only the server interprets the path and the query: a client sends both as written. Only RFC
//! 1630 has words in a search part, with `+` for a space.
//!
//! RFC 9110 gives both schemes an `authority`, so its grammar allows a userinfo, but its text
//! warns against one (4.2.4). This crate can read a userinfo, but it is not part of the request
//! target or of the `Host` field. (`urikit-access` sends the user and password of the caller's own
//! URL as Basic credentials.) All earlier RFCs forbid a userinfo. The first definition of `https`
//! (RFC 2818, 2.4) is RFC 2616's production with the `https` scheme instead of `http`.

mod target;

pub(super) use target::{Target, server};
#[cfg(feature = "alloc")]
pub(super) use target::{TargetParts, sent_host};

use super::scheme::{Builtin, builtin};
use super::shape::{
    Definition, ReadBy, Server, Shape, host_and_port, is_scheme, reading, user_and_password,
};
use super::{Edition, ReadError, Userinfo};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630};
#[cfg(feature = "alloc")]
use {
    super::build::{BuildError, Parts, UrlText, build_methods, data, set_port},
    super::{Detail, Details},
    alloc::{string::String, vec},
    urikit::Standard,
};

const HTTPURL: Rule = Rule::new("httpurl", "RFC 1738, 3.3");
const HTTP_URL: Rule = Rule::new("http_URL", "RFC 2616, 3.2.2");
const HTTP_URI: Rule = Rule::new("http-URI", "RFC 9110, 4.2.1");
const HTTPS_URI: Rule = Rule::new("https-URI", "RFC 9110, 4.2.2");

const HTTP_DEFINITION: Definition = Definition::new("http", HTTPURL, "RFC 1738, 3.3")
    .rfc1630(rfc1630::HTTPADDRESS, "RFC 1630, HTTP")
    .successor(HTTP_URI, "RFC 9110, 4.2.1");

const HTTPS_DEFINITION: Definition =
    Definition::new("https", HTTP_URL, "RFC 2818, 2.4").successor(HTTPS_URI, "RFC 9110, 4.2.2");

pub(super) static HTTP: Builtin = builtin!(HTTP_DEFINITION, Http);
pub(super) static HTTPS: Builtin = builtin!(HTTPS_DEFINITION, Http);

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
    read_by: ReadBy,
}

reading!(
    Http,
    "an http or https URL",
    /// Returns the parts of the URL as named values, for display or for JSON: whether the
    /// connection is `secure`, and the `target` of the request. The server decodes the path and the
    /// query. The search part that RFC 1630 defines is returned as `words`, decoded.
    details
);
host_and_port!(Http, "80 for http and 443 for https");
user_and_password!(
    Http,
    /// Returns the user, as written. Only RFC 9110 allows a userinfo. A userinfo is "likely being
    /// used to obscure the authority for the sake of phishing attacks" (4.2.4). It is not part of
    /// the request target.
    user,
    /// Returns the password, as written. Only RFC 9110 allows a userinfo (4.2.4), which is not part
    /// of the request target.
    password
);

impl<'a> Http<'a> {
    /// Reads a reference as an http or https URL, according to the specifications of `edition`.
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
    /// Fails if the reference is not an http or https URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_secure = is_scheme(reference, HTTPS_DEFINITION.facts.name);
        let definition = if is_secure {
            &HTTPS_DEFINITION
        } else {
            &HTTP_DEFINITION
        };
        let mut shape = Shape::new(reference, edition, definition)?;
        if edition == Edition::Successor {
            shape.facts = shape.facts.userinfo(Userinfo::UserAndPassword);
        }
        let server = server(&shape)?;
        let target = Target::new(&shape);
        if edition == Edition::Original && !shape.is_rfc1630() {
            target.needs_path(&shape)?;
        }
        Ok(Self {
            server,
            target,
            is_secure,
            is_rfc1630: shape.is_by_rfc1630(),
            read_by: shape.read_by(),
        })
    }

    /// Returns true if the scheme is `https`, which uses a secure connection.
    pub const fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Returns the path as written, including its leading slash. An empty path means `/` (RFC
    /// 9110, 4.2.3).
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// Returns the query (RFC 1630 and RFC 1738: the search part), as written.
    pub const fn query(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }

    /// Returns the words of RFC 1630's search part, as written. Plus signs between the words
    /// represent spaces. Under all other standards a `+` is a plus sign, and the query is one word.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Http;
    /// // RFC 1630, Query strings: real plus signs must be encoded.
    /// let url = Standard::Rfc1630.parse("http://info.my.org/Phonebook?j+dobbins+c%2B%2B")?;
    /// let mut words = Http::read(url)?.words();
    /// assert_eq!(words.nth(2).unwrap().decode_utf8()?, "c++");
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
}

#[cfg(feature = "alloc")]
impl<'a> Http<'a> {
    /// Returns the target of the request line: the path and the query as written, with a slash for
    /// an empty path (RFC 7230, 5.3.1). Characters that HTTP does not allow are escaped. The
    /// fragment is not included.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Http;
    /// let url = Uri::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
    /// assert_eq!(Http::read(url)?.request_target(), "/where?q=now");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request_target(&self) -> String {
        self.target.origin_form(true)
    }

    /// Returns the value of the `Host` field: the host and the port as written, without the
    /// userinfo (RFC 7230, 5.4; RFC 9110, 4.2.4). Characters that HTTP does not allow are escaped.
    /// To get the host of an IRI in its DNS form, convert the IRI to a URI first.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Http;
    /// let url = Uri::parse("http://user@www.example.org:8001/pub/")?;
    /// assert_eq!(Http::read(url)?.host_field(), "www.example.org:8001");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host_field(&self) -> String {
        self.target.host_field()
    }

    fn values(&self, details: Details<'a>) -> Details<'a> {
        let has_words = self.is_rfc1630 && self.query().is_some();
        details
            .with("secure", self.is_secure)
            .with("words", has_words.then(|| Detail::list(self.words())))
            .with("target", self.request_target())
    }
}

/// Builds an http or https URL from parts that are passed as octets. The builder never writes a
/// userinfo (RFC 1738, 3.3; RFC 9110, 4.2.4).
///
/// ```
/// use urikit_schemes::Http;
/// // RFC 1630, HTTP
/// let folder = Http::builder("www.my.uni.edu").segment("info").segment("matriculation");
/// let url = folder.segment("enroling.html").build()?;
/// assert_eq!(url.as_str(), "http://www.my.uni.edu/info/matriculation/enroling.html");
/// let url = Http::builder("www.example.org").secure().segment("a/b?c").query("q=now").build()?;
/// assert_eq!(url.as_str(), "https://www.example.org/a%2Fb%3Fc?q=now");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct HttpBuilder<'a> {
    is_secure: bool,
    target: TargetParts<'a>,
}

#[cfg(feature = "alloc")]
impl Http<'_> {
    /// Starts building an http URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> HttpBuilder<'_> {
        HttpBuilder {
            is_secure: false,
            target: TargetParts::new(host),
        }
    }
}

#[cfg(feature = "alloc")]
set_port!(HttpBuilder, target.server, "80 for http and 443 for https");

#[cfg(feature = "alloc")]
impl<'a> HttpBuilder<'a> {
    /// Uses the `https` scheme instead of `http`.
    #[must_use]
    pub const fn secure(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Adds a segment, which may be empty, to the path. If no segment is added, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.target.segments.push(data(segment));
        self
    }

    /// Sets the query. The characters `/`, `;` and `?` are escaped (RFC 1738, 3.3), and so is `+`,
    /// which some programs decode to a space.
    #[must_use]
    pub fn query<T: AsRef<[u8]> + ?Sized>(mut self, query: &'a T) -> Self {
        self.target.query = Some(vec![data(query)]);
        self
    }

    /// Adds a word to the search part. Only RFC 1630 allows more than one word, and it does not
    /// allow empty words.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Http;
    /// let search = Http::builder("info.my.org").segment("Phonebook").word("j").word("c++");
    /// let url = search.clone().build_any(Standard::Rfc1630)?;
    /// assert_eq!(url.as_str(), "http://info.my.org/Phonebook?j+c%2B%2B");
    /// assert!(search.build().is_err()); // under RFC 3986, a `+` is not a space
    /// # Ok::<(), urikit_schemes::BuildError>(())
    /// ```
    #[must_use]
    pub fn word<T: AsRef<[u8]> + ?Sized>(mut self, word: &'a T) -> Self {
        let words = self.target.query.get_or_insert_default();
        words.push(data(word));
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    HttpBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form a URL of the scheme. This happens, for example, if the host
    /// is not valid, or if the search part has several words, which only RFC 1630 allows.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for HttpBuilder<'_> {
    fn scheme(&self) -> &'static str {
        if self.is_secure { "https" } else { "http" }
    }

    fn write(&self, text: &mut UrlText) {
        self.target.write(text);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Http::read(url)?;
        self.target.check(read.path(), &read.server)?;
        self.target.check_query(read.words())
    }
}
