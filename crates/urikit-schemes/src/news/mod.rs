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
//! 5538 adds a server, patterns of names, and `snews`, the same over TLS. Without a server, the
//! configured one is used.
//!
//! Names of groups and message identifiers are case-sensitive (RFC 5536, 3.1.3).

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
pub(super) mod group;
mod message_id;
mod wildmat;

#[cfg(feature = "alloc")]
pub use builder::NewsBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape, is_scheme};
use super::{Edition, Facts, ReadError, facts};
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630, rfc1738};
use urikit::internal::encoded;
use urikit::{AnyRef, Standard};

const FACTS: Facts<'static> = facts("news");

const SNEWS_FACTS: Facts<'static> = facts("snews");

pub(super) static NEWS: Builtin = builtin!(FACTS, News);
pub(super) static SNEWS: Builtin = builtin!(SNEWS_FACTS, News);

const NEWS_URL: Rule = Rule::new("newsURL", "RFC 5538, 4");
const NEWSGROUPS: Rule = Rule::new("newsgroups", "RFC 5538, Appendix A");
const ARTICLE: Rule = Rule::new("article", "RFC 5538, 4");

/// A news or snews URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{News, Newsgroups};
/// // RFC 5538, Appendix B
/// let url = Uri::parse("news://news.gmane.org/p0624081dc30b8699bf9b@%5B10.20.30.108%5D")?;
/// let news = News::read(url)?;
/// assert_eq!((news.host().unwrap().as_str(), news.port()), ("news.gmane.org", Some(119)));
/// assert_eq!(news.message_id().unwrap().to_utf8()?, "p0624081dc30b8699bf9b@[10.20.30.108]");
/// // RFC 1738, 3.6
/// let url = Uri::parse("news:*")?;
/// assert!(matches!(News::read(url)?.newsgroups(), Some(Newsgroups::All)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct News<'a> {
    server: Option<Server<'a>>,
    what: What<'a>,
    is_snews: bool,
    specification: &'static str,
}

/// What a news URL is for.
#[derive(Clone, Copy, Debug)]
enum What<'a> {
    Newsgroups(Newsgroups<'a>),
    Article(Encoded<'a>),
}

/// The groups that a news URL is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Newsgroups<'a> {
    /// All groups of the server: `*`, or in RFC 5538 nothing.
    All,
    /// One group, by its name, as written.
    One(Encoded<'a>),
    /// The groups whose names match a pattern, as written; decoded, a `*` matches any characters
    /// and a `?` matches one (RFC 5538, 4; RFC 3977, 4.1: `wildmat-pattern`).
    Matching(Encoded<'a>),
}

impl<'a> News<'a> {
    /// Reads a reference as a news or snews URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not such a URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a news or snews URL by the specifications of `edition`. `snews` is
    /// first defined in RFC 5538.
    ///
    /// # Errors
    ///
    /// If the reference is not such a URL by that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        if is_scheme(reference, SNEWS_FACTS.name) {
            let shape = Shape::new(reference, edition, SNEWS_FACTS.name, NEWS_URL)?;
            return Self::rfc5538(&shape, &SNEWS_FACTS, "RFC 5538, 8.1");
        }
        let production = match edition {
            Edition::Successor => NEWS_URL,
            Edition::Original if reference.standard() == Standard::Rfc1630 => rfc1630::GROUPART,
            Edition::Original => rfc1738::GROUPPART,
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        if edition == Edition::Successor {
            return Self::rfc5538(&shape, &FACTS, "RFC 5538, 4");
        }
        let (what, specification) = if shape.is_rfc1630() {
            (Self::rfc1630(shape.scheme_part()), "RFC 1630, News")
        } else {
            (Self::rfc1738(&shape)?, "RFC 1738, 3.6")
        };
        Ok(Self {
            server: None,
            what,
            is_snews: false,
            specification,
        })
    }

    /// The parser has checked it. If both a group and an article match, the `@` decides (RFC 1630,
    /// News).
    fn rfc1630(part: Encoded<'a>) -> What<'a> {
        if part == "*" {
            What::Newsgroups(Newsgroups::All)
        } else if urikit::internal::is_article(part.as_str().as_bytes(), 0, part.len()) {
            What::Article(part)
        } else {
            What::Newsgroups(Newsgroups::One(part))
        }
    }

    fn rfc1738(shape: &Shape<'a>) -> Result<What<'a>, ReadError> {
        shape.no_authority("a group or an article, and no server")?;
        shape.no_query("no query (a `?` in a message identifier is written `%3F`)")?;
        let part = shape.scheme_part();
        let start = shape.offset(part.as_str());
        let error = |at, expected, rule| Err(shape.mismatch_in(start + at, expected, rule));
        if part == "*" {
            Ok(What::Newsgroups(Newsgroups::All))
        } else if part.as_str().contains('@') {
            match message_id::rfc1738(part.as_str()) {
                Ok(()) => Ok(What::Article(part)),
                Err(at) => error(
                    at,
                    "a message identifier such as `a@host.dom`",
                    *rfc1738::ARTICLE.rule(),
                ),
            }
        } else {
            match group::rfc1738(part.as_str()) {
                Ok(()) => Ok(What::Newsgroups(Newsgroups::One(part))),
                Err(at) => error(at, group::EXPECTED, rfc1738::GROUPPART),
            }
        }
    }

    fn rfc5538(
        shape: &Shape<'a>,
        facts: &Facts<'_>,
        specification: &'static str,
    ) -> Result<Self, ReadError> {
        shape.no_query("no query (a `?` in a pattern or an identifier is written `%3F`)")?;
        let server = shape.any_server(facts)?;
        let part = shape.behind_authority();
        let start = shape.offset(part.as_str());
        let (part, start) = match (server.is_some(), part.as_str().strip_prefix('/')) {
            (true, Some(part)) => (encoded(part), start + 1),
            (true, None) => return Err(shape.mismatch(start, "`/` after the server")),
            (false, _) => (part, start),
        };
        let error = |at, expected, rule| Err(shape.mismatch_in(start + at, expected, rule));
        let what = if part.as_str().contains('@') {
            if let Err(at) = message_id::rfc5536(part.as_str()) {
                return error(at, "a message identifier such as `a@host.dom`", ARTICLE);
            }
            What::Article(part)
        } else {
            if let Err(at) = group::rfc5538(part.as_str(), true) {
                return error(at, group::EXPECTED_PATTERN, NEWSGROUPS);
            }
            What::Newsgroups(Newsgroups::rfc5538(part))
        };
        Ok(Self {
            server,
            what,
            is_snews: facts.name == SNEWS_FACTS.name,
            specification,
        })
    }

    /// The host of the server; `None` means the configured one (RFC 1738, 3.6; RFC 5538, 4).
    pub fn host(&self) -> Option<Host<'a>> {
        let host = self.server?.host();
        (!host.as_str().is_empty()).then_some(host)
    }

    /// The port of that server, by default 119 (563 for snews); `None` without a host, and for a
    /// port above 65535.
    pub fn port(&self) -> Option<u16> {
        self.host()?;
        self.server?.port()
    }

    /// The user, as written (RFC 5538, 7).
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.server?.user()
    }

    /// The password, as written, which RFC 5538 discourages (7).
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.server?.password()
    }

    /// Whether it is an snews URL: TLS from the beginning (RFC 5538, 8.1).
    pub const fn is_snews(&self) -> bool {
        self.is_snews
    }

    /// The groups; `None` for an article.
    pub const fn newsgroups(&self) -> Option<Newsgroups<'a>> {
        match self.what {
            What::Newsgroups(newsgroups) => Some(newsgroups),
            What::Article(_) => None,
        }
    }

    /// The message identifier of an article, without angle brackets, as written.
    pub const fn message_id(&self) -> Option<Encoded<'a>> {
        match self.what {
            What::Article(message_id) => Some(message_id),
            What::Newsgroups(_) => None,
        }
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: a server, if there is one, and
    /// one of `newsgroups` (`*` or a pattern), `group` and `message_id`, decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}

impl<'a> Newsgroups<'a> {
    /// Whether the group with that name is one of them (RFC 3977, 4.2); case matters.
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
            Self::Matching(pattern) => wildmat::matches(pattern, name),
        }
    }

    /// RFC 5538, 4: the decoded text shows whether it is a pattern; an empty one is the same as
    /// `*`.
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
