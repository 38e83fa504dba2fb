//! `nntp`: an article, identified by its number in a group on one server.
//!
//! ```text
//! nntpurl     = "nntp://" hostport "/" group [ "/" digits ]        RFC 1738, 5
//! nntpaddress = n n t p : group / digits                           RFC 1630
//! nntpURL     = "nntp:" server "/" group [ "/" article-number ]    RFC 5538, 3
//! ```
//!
//! RFC 1630's production has no server, but its prose mentions one. URLs are accepted with and
//! without a server. A URL without a server refers to the configured server. RFC 5538 limits the
//! article number to 16 digits and allows any escapes in group names.

use super::news::syntax;
use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, reading, user_and_password};
use super::{Edition, ReadError, Userinfo};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630, rfc1738};
#[cfg(feature = "alloc")]
use {
    super::build::{
        BuildError, Data, Parts, ServerParts, UrlText, build_methods, data, is, set_port,
        set_user_and_password, unchanged,
    },
    super::{Detail, Details},
    alloc::string::ToString as _,
    urikit::{Standard, percent::Place},
};

const NNTP_URL: Rule = Rule::new("nntpURL", "RFC 5538, 3");
const GROUP_RULE: Rule = Rule::new("group", "RFC 5538, 3");
const ARTICLE_NUMBER: Rule = Rule::new("article-number", "RFC 5538, 3");

const DEFINITION: Definition = Definition::new("nntp", rfc1738::NNTPURL, "RFC 1738, 3.7")
    .rfc1630(rfc1630::NNTPADDRESS, "RFC 1630, NNTP")
    .successor(NNTP_URL, "RFC 5538, 3");

pub(super) static NNTP: Builtin = builtin!(DEFINITION, Nntp);

/// An nntp URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Nntp;
/// // RFC 5538, 3
/// let url = Uri::parse("nntp://news.server.example/example.group.this/12345")?;
/// let nntp = Nntp::read(url)?;
/// assert_eq!((nntp.host().unwrap().as_str(), nntp.port()), ("news.server.example", Some(119)));
/// assert_eq!((nntp.group().as_str(), nntp.article()), ("example.group.this", Some("12345")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nntp<'a> {
    server: Option<Server<'a>>,
    group: Encoded<'a>,
    article: Option<&'a str>,
    read_by: ReadBy,
}

reading!(
    Nntp,
    "an nntp URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `group`, decoded, and
    /// the number of the `article`, as a string of digits if it exceeds 64 bits.
    details
);
user_and_password!(
    Nntp,
    /// Returns the user, as written (RFC 5538, 7).
    user,
    /// Returns the password, as written. RFC 5538, 7, discourages passwords.
    password
);

impl<'a> Nntp<'a> {
    /// Reads a reference as an nntp URL according to the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not an nntp URL under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_original = edition == Edition::Original;
        let mut shape = Shape::new(reference, edition, &DEFINITION)?;
        if is_original {
            // RFC 1630 and RFC 1738 do not allow a userinfo.
            shape.facts = shape.facts.userinfo(Userinfo::None);
        }
        let is_rfc1630 = shape.is_by_rfc1630();
        let server = if is_rfc1630 {
            shape.optional_server()?
        } else {
            Some(shape.server()?)
        };
        shape.no_query("no query")?;
        let part = shape.after_authority();
        let path = match (server, part.as_str().strip_prefix('/')) {
            (Some(_), Some(path)) => Encoded::assume_valid(path),
            (Some(_), None) => {
                let start = shape.offset(part.as_str());
                return Err(shape.mismatch(start, "`/` and a group"));
            }
            (None, _) => part,
        };
        let (group, article) = match path.split_once('/') {
            Some((group, article)) => (group, Some(article.as_str())),
            None => (path, None),
        };
        if !is_rfc1630 {
            // Under RFC 1630, the parser has already checked the group and the article.
            Self::check_group(&shape, group, is_original)?;
            article.map_or(Ok(()), |article| {
                Self::check_article(&shape, article, is_original)
            })?;
        }
        Ok(Self {
            server,
            group,
            article,
            read_by: shape.read_by(),
        })
    }

    fn check_group(
        shape: &Shape<'a>,
        name: Encoded<'a>,
        is_original: bool,
    ) -> Result<(), ReadError> {
        let (rule, checked) = if is_original {
            (*rfc1738::GROUP.rule(), syntax::group_rfc1738(name.as_str()))
        } else if name.is_empty() {
            (GROUP_RULE, Err(0))
        } else {
            (GROUP_RULE, syntax::group_rfc5538(name.as_str(), false))
        };
        let start = shape.offset(name.as_str());
        checked.map_err(|at| shape.mismatch_in(start + at, syntax::EXPECTED_GROUP, rule))
    }

    fn check_article(
        shape: &Shape<'a>,
        article: &'a str,
        is_original: bool,
    ) -> Result<(), ReadError> {
        let (rule, most) = if is_original {
            (rfc1738::DIGITS_RULE, usize::MAX)
        } else {
            (ARTICLE_NUMBER, 16)
        };
        let start = shape.offset(article);
        let digits = article.bytes().take_while(u8::is_ascii_digit).count();
        if digits > most {
            return Err(shape.mismatch_in(start + most, "at most 16 digits", rule));
        }
        if digits == 0 || digits < article.len() {
            return Err(shape.mismatch_in(start + digits, "the digits of an article", rule));
        }
        Ok(())
    }

    /// Returns the host of the server. RFC 1630's form has no host: `None` means the configured
    /// server.
    pub fn host(&self) -> Option<Host<'a>> {
        Some(self.server?.host())
    }

    /// Returns the port of the server, or 119 if the URL has no port. Returns `None` if the URL
    /// has no host or the port is above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server?.port()
    }

    /// Returns the name of the group, as written.
    pub const fn group(&self) -> Encoded<'a> {
        self.group
    }

    /// Returns the digits of the article's number on that server. Returns `None` if the URL refers
    /// to the group.
    pub const fn article(&self) -> Option<&'a str> {
        self.article
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let article = self.article.map(|digits| match digits.parse::<u64>() {
            Ok(number) => Detail::Number(number),
            Err(_) => digits.into(),
        });
        details.with("group", self.group()).with("article", article)
    }
}

/// Builds an nntp URL from parts.
///
/// The builder also accepts data that no client can send, such as a control character. Clients
/// reject these URLs.
///
/// ```
/// use urikit_schemes::Nntp;
/// // RFC 5538, 3
/// let url = Nntp::builder("wild.server.example", "example.group.n/a").article(12345).build()?;
/// assert_eq!(url.as_str(), "nntp://wild.server.example/example.group.n%2Fa/12345");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct NntpBuilder<'a> {
    server: ServerParts<'a>,
    group: Data<'a>,
    article: Option<u64>,
}

#[cfg(feature = "alloc")]
impl Nntp<'_> {
    /// Starts building a URL with a host and a group. The host is a name or an address, written as
    /// in a URL.
    pub fn builder<'a, T: AsRef<[u8]> + ?Sized>(host: &'a str, group: &'a T) -> NntpBuilder<'a> {
        NntpBuilder {
            server: ServerParts::new(host),
            group: data(group),
            article: None,
        }
    }
}

#[cfg(feature = "alloc")]
set_port!(NntpBuilder, server, "119");
#[cfg(feature = "alloc")]
set_user_and_password!(
    NntpBuilder,
    /// Sets the user (RFC 5538, 7).
    user,
    /// Sets the password, which requires a user (RFC 5538, 7). Anyone who sees the URL can read
    /// the password.
    password
);

#[cfg(feature = "alloc")]
impl NntpBuilder<'_> {
    /// Sets the number of an article, of at most 16 digits. Without a number, the URL refers to the
    /// group.
    #[must_use]
    pub const fn article(mut self, number: u64) -> Self {
        self.article = Some(number);
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    NntpBuilder,
    /// Builds the URL as an RFC 3986 URI. The URL is also valid under RFC 1738 if it has no user
    /// and the name of the group has no escapes.
    build,
    /// Fails if the parts do not form an nntp URL.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for NntpBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        text.push("/");
        text.escape(&self.group, Place::Path, &syntax::GROUP_CHAR);
        if let Some(article) = self.article {
            text.push("/");
            text.push(&article.to_string());
        }
    }

    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError> {
        let has_userinfo = self.server.user.is_some() || self.server.password.is_some();
        let edition = if has_userinfo {
            Edition::Successor // the first edition with a userinfo
        } else {
            Edition::of(standard)
        };
        let read = Nntp::read_as(url, edition)?;
        if let Some(server) = &read.server {
            self.server.check(server)?;
        }
        unchanged("group", is(read.group(), &self.group))?;
        let article = self.article.map(|number| number.to_string());
        unchanged("article", read.article() == article.as_deref())
    }
}
