//! `nntp`: an article by its number in a group of one server.
//!
//! ```text
//! nntpurl     = "nntp://" hostport "/" group [ "/" digits ]        RFC 1738, 5
//! nntpaddress = n n t p : group / digits                           RFC 1630
//! nntpURL     = "nntp:" server "/" group [ "/" article-number ]    RFC 5538, 3
//! ```
//!
//! RFC 1630's production has no server, but its prose has: both forms are read, and without a
//! server the configured one is meant. RFC 5538 limits the number to 16 digits and allows any
//! escapes in names.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;

#[cfg(feature = "alloc")]
pub use builder::NntpBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::news::group;
use super::shape::{Server, Shape};
use super::{Edition, Facts, ReadError, Userinfo, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630, rfc1738};
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("nntp");

/// RFC 1630 and RFC 1738 have no userinfo.
const ORIGINAL: Facts<'static> = FACTS.userinfo(Userinfo::None);

pub(super) static NNTP: Builtin = builtin!(FACTS, Nntp);

const NNTP_URL: Rule = Rule::new("nntpURL", "RFC 5538, 3");
const GROUP: Rule = Rule::new("group", "RFC 5538, 3");
const ARTICLE_NUMBER: Rule = Rule::new("article-number", "RFC 5538, 3");

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
    specification: &'static str,
}

impl<'a> Nntp<'a> {
    /// Reads a reference as an nntp URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not an nntp URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as an nntp URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not an nntp URL by that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_original = edition == Edition::Original;
        let is_rfc1630 = is_original && reference.standard() == urikit::Standard::Rfc1630;
        let (rule, facts, specification) = match edition {
            Edition::Successor => (NNTP_URL, &FACTS, "RFC 5538, 3"),
            Edition::Original if is_rfc1630 => (rfc1630::NNTPADDRESS, &ORIGINAL, "RFC 1630, NNTP"),
            Edition::Original => (rfc1738::NNTPURL, &ORIGINAL, "RFC 1738, 3.7"),
        };
        let shape = Shape::new(reference, edition, FACTS.name, rule)?;
        let server = if is_rfc1630 {
            shape.any_server(facts)?
        } else {
            Some(shape.server(facts)?)
        };
        shape.no_query("no query")?;
        let part = shape.behind_authority();
        let path = match (server, part.as_str().strip_prefix('/')) {
            (Some(_), Some(path)) => encoded(path),
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
            // The parser has checked RFC 1630's.
            Self::check_group(&shape, group, is_original)?;
            article.map_or(Ok(()), |article| {
                Self::check_article(&shape, article, is_original)
            })?;
        }
        Ok(Self {
            server,
            group,
            article,
            specification,
        })
    }

    fn check_group(
        shape: &Shape<'a>,
        name: Encoded<'a>,
        is_original: bool,
    ) -> Result<(), ReadError> {
        let (rule, checked) = if is_original {
            (*rfc1738::GROUP.rule(), group::rfc1738(name.as_str()))
        } else if name.is_empty() {
            (GROUP, Err(0))
        } else {
            (GROUP, group::rfc5538(name.as_str(), false))
        };
        let start = shape.offset(name.as_str());
        checked.map_err(|at| shape.mismatch_in(start + at, group::EXPECTED, rule))
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
            return Err(shape.mismatch_in(start + most, "no more than 16 digits", rule));
        }
        if digits == 0 || digits < article.len() {
            return Err(shape.mismatch_in(start + digits, "the digits of an article", rule));
        }
        Ok(())
    }

    /// The host of the server; `None` in RFC 1630's form without a server, which means the
    /// configured one.
    pub fn host(&self) -> Option<Host<'a>> {
        Some(self.server?.host())
    }

    /// The port of that server, by default 119; `None` without a host, and for a port above 65535.
    pub fn port(&self) -> Option<u16> {
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

    /// The name of the group, as written.
    pub const fn group(&self) -> Encoded<'a> {
        self.group
    }

    /// The digits of the article's number on that server; `None` if the URL names the group.
    pub const fn article(&self) -> Option<&'a str> {
        self.article
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: the server, `group` and the
    /// number of the `article` (as digits if it exceeds 64 bits).
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}
