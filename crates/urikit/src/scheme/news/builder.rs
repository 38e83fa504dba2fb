//! From groups and message identifiers to a news URL.

use super::super::Edition;
use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::{FACTS, News, Newsgroups, SNEWS_FACTS, What};
use crate::UriRefBuf;
use crate::component::Encoded;
use crate::grammar::{ByteSet, DIGITS, LETTERS};
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};

/// What stands for itself in the name of a group.
const GROUP: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));
const PATTERN: ByteSet = GROUP.or(ByteSet::of(b"*"));

/// Makes a news URL out of parts, which are octets as the commands send them.
///
/// What no client can send, such as a control character, is built all the same; `steps` says so.
///
/// ```
/// use urikit::scheme::News;
/// // RFC 1738, 3.6, and RFC 5538, 4
/// let url = News::group("comp.infosystems.www.misc").build()?;
/// assert_eq!(url.as_str(), "news:comp.infosystems.www.misc");
/// let url = News::matching("example.group.th?se").server("wild.server.example").build()?;
/// assert_eq!(url.as_str(), "news://wild.server.example/example.group.th%3Fse");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewsBuilder<'a> {
    server: ServerParts<'a>,
    has_server: bool,
    what: Part<'a>,
    is_snews: bool,
}

#[derive(Clone, Debug)]
enum Part<'a> {
    All,
    Group(Data<'a>),
    Matching(Data<'a>),
    Article(Data<'a>),
}

impl News<'_> {
    /// Begins a URL of all groups.
    pub const fn all() -> NewsBuilder<'static> {
        NewsBuilder::new(Part::All)
    }

    /// Begins a URL of one group.
    pub fn group<T: AsRef<[u8]> + ?Sized>(name: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Part::Group(data(name)))
    }

    /// Begins a URL of the groups that match a pattern with `*` or `?` (RFC 5538, 4).
    pub fn matching<T: AsRef<[u8]> + ?Sized>(pattern: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Part::Matching(data(pattern)))
    }

    /// Begins a URL of the article with a message identifier, without angle brackets.
    pub fn article<T: AsRef<[u8]> + ?Sized>(message_id: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Part::Article(data(message_id)))
    }
}

impl<'a> NewsBuilder<'a> {
    const fn new(what: Part<'a>) -> Self {
        Self {
            server: ServerParts::new(""),
            has_server: false,
            what,
            is_snews: false,
        }
    }

    /// A server, by its name or address, as a URL has it (RFC 5538, 4).
    #[must_use]
    pub const fn server(mut self, host: &'a str) -> Self {
        self.server.host = host;
        self.has_server = true;
        self
    }

    /// Another port of the [`server`](Self::server) than 119, or 563 for [`snews`](Self::snews).
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The user of the [`server`](Self::server) (RFC 5538, 4).
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// The password, which needs a user. Whoever reads the URL sees it.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// The `snews` scheme, whose use is deprecated (RFC 5538, 8.1).
    #[must_use]
    pub const fn snews(mut self) -> Self {
        self.is_snews = true;
        self
    }

    /// The URL, as a reference of RFC 3986; RFC 1738 takes it too where it names neither a server nor a pattern.
    ///
    /// # Errors
    ///
    /// Where the parts make no news URL: a port, a user or a password without a server too.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`. What needs RFC 5538 is then read by RFC 5538.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let scheme = if self.is_snews {
            SNEWS_FACTS.name
        } else {
            FACTS.name
        };
        let mut text = UrlText::<S>::new(scheme);
        if self.has_server {
            text.server(&self.server);
            text.push("/");
        } else if let Some(part) = self.part_of_no_server() {
            return Err(BuildError::Misread { part });
        }
        match &self.what {
            Part::All => text.push("*"),
            Part::Group(name) => text.escape(name, Component::Path, &GROUP),
            Part::Matching(pattern) => text.escape(pattern, Component::Path, &PATTERN),
            Part::Article(message_id) => {
                let at = message_id.iter().rposition(|octet| *octet == b'@');
                let at = match message_id.iter().rposition(|octet| *octet == b'[') {
                    Some(bracket) if message_id.last() == Some(&b']') => bracket.checked_sub(1),
                    _ => at,
                };
                let (left, right) = message_id.split_at(at.unwrap_or(message_id.len()));
                text.escape(left, Component::Path, &UNRESERVED);
                if let Some((_, right)) = right.split_first() {
                    text.push("@");
                    text.escape(right, Component::Path, &UNRESERVED);
                }
            }
        }
        let is_original = !self.has_server && !matches!(self.what, Part::Matching(_));
        let edition = if is_original {
            Edition::of(S::STANDARD)
        } else {
            Edition::Successor
        };
        text.finish(|url| {
            let read = News::read_as(url, edition).map_err(BuildError::Scheme)?;
            match &read.server {
                Some(read) if self.has_server => self.server.check(read)?,
                None if !self.has_server => {}
                _ => return Err(BuildError::Misread { part: "server" }),
            }
            let is = |part: Encoded<'_>, data: &Data<'_>| part.decode().eq(data.iter().copied());
            let (part, is_it) = match (&self.what, read.what) {
                (Part::All, What::Newsgroups(Newsgroups::All)) => return Ok(()),
                (Part::Group(data), What::Newsgroups(Newsgroups::One(part))) => {
                    ("group", is(part, data))
                }
                (Part::Matching(data), What::Newsgroups(Newsgroups::Matching(part))) => {
                    ("pattern", is(part, data))
                }
                (Part::Article(data), What::Article(part)) => {
                    ("message identifier", is(part, data))
                }
                (Part::All | Part::Group(_), _) => ("group", false),
                (Part::Matching(_), _) => ("pattern", false),
                (Part::Article(_), _) => ("message identifier", false),
            };
            if is_it {
                Ok(())
            } else {
                Err(BuildError::Misread { part })
            }
        })
    }

    /// What would belong to a server.
    const fn part_of_no_server(&self) -> Option<&'static str> {
        if self.server.port.is_some() {
            Some("port")
        } else if self.server.user.is_some() {
            Some("user")
        } else if self.server.password.is_some() {
            Some("password")
        } else {
            None
        }
    }
}
