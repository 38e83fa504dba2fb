//! `news` and `snews`: groups and articles of Usenet news.
//!
//! ```text
//! newsurl     = "news:" grouppart                                  RFC 1738, 5
//! grouppart   = "*" | group | article
//! group       = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
//! article     = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
//! newsaddress = n e w s : groupart                                 RFC 1630
//! newsURL     = "news:" [ server "/" ] ( article / newsgroups )    RFC 5538, 4
//! newsgroups  = *( group-char / pct-encoded / "*" )
//! article     = msg-id-core
//! ```
//!
//! An `@` distinguishes an article from a group (RFC 1630, News; RFC 1738, 3.6; RFC 5538, 4). RFC
//! 5538 adds a server, patterns for group names, and `snews`, which uses TLS. A URL without a
//! server refers to the configured server.
//!
//! Group names and message identifiers are case-sensitive (RFC 5536, 3.1.3).

#[cfg(feature = "alloc")]
mod builder;
pub(super) mod syntax;

#[cfg(feature = "alloc")]
pub use builder::NewsBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, is_scheme, reading, user_and_password};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630, rfc1738};

const NEWS_URL: Rule = Rule::new("newsURL", "RFC 5538, 4");
const NEWSGROUPS: Rule = Rule::new("newsgroups", "RFC 5538, Appendix A");
const ARTICLE: Rule = Rule::new("article", "RFC 5538, 4");

const DEFINITION: Definition = Definition::new("news", rfc1738::GROUPPART, "RFC 1738, 3.6")
    .rfc1630(rfc1630::GROUPART, "RFC 1630, News")
    .successor(NEWS_URL, "RFC 5538, 4");

/// RFC 5538 is the first RFC to define `snews`.
const SNEWS_DEFINITION: Definition = Definition::new("snews", NEWS_URL, "RFC 5538, 8.1");

pub(super) static NEWS: Builtin = builtin!(DEFINITION, News);
pub(super) static SNEWS: Builtin = builtin!(SNEWS_DEFINITION, News);

/// A news or snews URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{News, Newsgroups};
/// // RFC 5538, Appendix B
/// let url = Uri::parse("news://news.gmane.org/p0624081dc30b8699bf9b@%5B10.20.30.108%5D")?;
/// let news = News::read(url)?;
/// assert_eq!((news.host().unwrap().as_str(), news.port()), ("news.gmane.org", Some(119)));
/// assert_eq!(news.message_id().unwrap().decode_utf8()?, "p0624081dc30b8699bf9b@[10.20.30.108]");
/// // RFC 1738, 3.6
/// let url = Uri::parse("news:*")?;
/// assert!(matches!(News::read(url)?.newsgroups(), Some(Newsgroups::All)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct News<'a> {
    server: Option<Server<'a>>,
    subject: Subject<'a>,
    is_snews: bool,
    read_by: ReadBy,
}

/// The groups or the article of a news URL.
#[derive(Clone, Copy, Debug)]
enum Subject<'a> {
    Newsgroups(Newsgroups<'a>),
    Article(Encoded<'a>),
}

/// The groups to which a news URL refers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Newsgroups<'a> {
    /// All groups on the server: `*`, or an empty name in RFC 5538.
    All,
    /// One group: its name, as written.
    One(Encoded<'a>),
    /// The groups whose names match a pattern, as written. In the decoded pattern, a `*` matches
    /// any characters and a `?` matches one (RFC 5538, 4; RFC 3977, 4.1: `wildmat-pattern`).
    Matching(Encoded<'a>),
}

reading!(
    News,
    "a news or snews URL",
    /// Returns the parts of the URL as named values, for display or for JSON: one of `newsgroups`
    /// (`*` or a pattern), `group` and `message_id`, decoded.
    details
);
user_and_password!(
    News,
    /// Returns the user, as written (RFC 5538, 7).
    user,
    /// Returns the password, as written. RFC 5538, 7, discourages it.
    password
);

impl<'a> News<'a> {
    /// Reads a reference as a news or snews URL according to the specifications of `edition`.
    /// RFC 5538 is the first to define `snews`.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a news or snews URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_snews = is_scheme(reference, SNEWS_DEFINITION.facts.name);
        let definition = if is_snews {
            &SNEWS_DEFINITION
        } else {
            &DEFINITION
        };
        let shape = Shape::new(reference, edition, definition)?;
        let (server, subject) = if is_snews || edition == Edition::Successor {
            Self::rfc5538(&shape)?
        } else if shape.is_rfc1630() {
            (None, Self::rfc1630(shape.scheme_part()))
        } else {
            (None, Self::rfc1738(&shape)?)
        };
        Ok(Self {
            server,
            subject,
            is_snews,
            read_by: shape.read_by(),
        })
    }

    /// Reads a part that the parser has already checked. A part that could be either a group or an
    /// article is an article if it contains an `@` (RFC 1630, News).
    fn rfc1630(part: Encoded<'a>) -> Subject<'a> {
        if part == "*" {
            Subject::Newsgroups(Newsgroups::All)
        } else if urikit::parse::is_article(part.as_str().as_bytes(), 0, part.len()) {
            Subject::Article(part)
        } else {
            Subject::Newsgroups(Newsgroups::One(part))
        }
    }

    fn rfc1738(shape: &Shape<'a>) -> Result<Subject<'a>, ReadError> {
        shape.no_authority("a group or an article, and no server")?;
        shape.no_query("no query (a `?` in a message identifier is written `%3F`)")?;
        let part = shape.scheme_part();
        let start = shape.offset(part.as_str());
        let error = |at, expected, rule| Err(shape.mismatch_in(start + at, expected, rule));
        if part == "*" {
            Ok(Subject::Newsgroups(Newsgroups::All))
        } else if part.as_str().contains('@') {
            match syntax::message_id_rfc1738(part.as_str()) {
                Ok(()) => Ok(Subject::Article(part)),
                Err(at) => error(
                    at,
                    "a message identifier such as `a@host.dom`",
                    *rfc1738::ARTICLE.rule(),
                ),
            }
        } else {
            match syntax::group_rfc1738(part.as_str()) {
                Ok(()) => Ok(Subject::Newsgroups(Newsgroups::One(part))),
                Err(at) => error(at, syntax::EXPECTED_GROUP, rfc1738::GROUPPART),
            }
        }
    }

    fn rfc5538(shape: &Shape<'a>) -> Result<(Option<Server<'a>>, Subject<'a>), ReadError> {
        shape.no_query("no query (a `?` in a pattern or an identifier is written `%3F`)")?;
        let server = shape.optional_server()?;
        let part = shape.after_authority();
        let start = shape.offset(part.as_str());
        let (part, start) = match (server.is_some(), part.as_str().strip_prefix('/')) {
            (true, Some(part)) => (Encoded::assume_valid(part), start + 1),
            (true, None) => return Err(shape.mismatch(start, "`/` after the server")),
            (false, _) => (part, start),
        };
        let error = |at, expected, rule| Err(shape.mismatch_in(start + at, expected, rule));
        let subject = if part.as_str().contains('@') {
            if let Err(at) = syntax::message_id_rfc5536(part.as_str()) {
                return error(at, "a message identifier such as `a@host.dom`", ARTICLE);
            }
            Subject::Article(part)
        } else {
            if let Err(at) = syntax::group_rfc5538(part.as_str(), true) {
                return error(at, syntax::EXPECTED_PATTERN, NEWSGROUPS);
            }
            Subject::Newsgroups(Newsgroups::rfc5538(part))
        };
        Ok((server, subject))
    }

    /// Returns the host of the server. `None` means the configured server (RFC 1738, 3.6; RFC 5538,
    /// 4).
    pub fn host(&self) -> Option<Host<'a>> {
        let host = self.server?.host();
        (!host.as_str().is_empty()).then_some(host)
    }

    /// Returns the port of the server, or the default (119, or 563 for snews) if the URL has no
    /// port. Returns `None` if the URL has no host or the port is above 65535.
    pub fn port(&self) -> Option<u16> {
        self.host()?;
        self.server?.port()
    }

    /// Returns true if the scheme is `snews`, which uses TLS from the beginning (RFC 5538, 8.1).
    pub const fn is_snews(&self) -> bool {
        self.is_snews
    }

    /// Returns the groups. Returns `None` if the URL refers to an article.
    pub const fn newsgroups(&self) -> Option<Newsgroups<'a>> {
        match self.subject {
            Subject::Newsgroups(newsgroups) => Some(newsgroups),
            Subject::Article(_) => None,
        }
    }

    /// Returns the message identifier of an article without angle brackets, as written. Returns
    /// `None` if the URL refers to groups.
    pub const fn message_id(&self) -> Option<Encoded<'a>> {
        match self.subject {
            Subject::Article(message_id) => Some(message_id),
            Subject::Newsgroups(_) => None,
        }
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        match self.subject {
            Subject::Newsgroups(Newsgroups::All) => details.with("newsgroups", "*"),
            Subject::Newsgroups(Newsgroups::One(name)) => details.with("group", name),
            Subject::Newsgroups(Newsgroups::Matching(pattern)) => {
                details.with("newsgroups", pattern)
            }
            Subject::Article(message_id) => details.with("message_id", message_id),
        }
    }
}

impl<'a> Newsgroups<'a> {
    /// Returns true if the group with that name is included (RFC 3977, 4.2). Case matters.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::News;
    /// let url = Uri::parse("news:example.group.*")?; // RFC 5538, 4
    /// let groups = News::read(url)?.newsgroups().unwrap();
    /// assert!(groups.contains("example.group.this"));
    /// assert!(!groups.contains("example.Group.this"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::One(group) => group.decode().octets().eq(name.bytes()),
            Self::Matching(pattern) => syntax::matches(pattern, name),
        }
    }

    /// Reads RFC 5538's groups. The decoded text determines whether the part is a pattern, and an
    /// empty part means `*` (section 4).
    fn rfc5538(part: Encoded<'a>) -> Self {
        if part.is_empty() || part.decode().octets().eq(*b"*") {
            Self::All
        } else if part
            .decode()
            .octets()
            .any(|octet| matches!(octet, b'*' | b'?'))
        {
            Self::Matching(part)
        } else {
            Self::One(part)
        }
    }
}
