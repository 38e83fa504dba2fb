//! Building news URLs from groups and message identifiers.

use super::super::Edition;
use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data, uri};
use super::{FACTS, News, Newsgroups, SNEWS_FACTS, What};
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, DIGITS, LETTERS};
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in the name of a group.
const GROUP: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));
const PATTERN: ByteSet = GROUP.or(ByteSet::of(b"*"));

/// Builds a news URL from parts, which are octets as the commands send them.
///
/// Data that no client can send, such as a control character, is still built; a client
/// refuses it.
///
/// ```
/// use urikit_schemes::News;
/// // RFC 1738, 3.6, and RFC 5538, 4
/// let url = News::group("comp.infosystems.www.misc").build()?;
/// assert_eq!(url.as_str(), "news:comp.infosystems.www.misc");
/// let url = News::matching("example.group.th?se").server("wild.server.example").build()?;
/// assert_eq!(url.as_str(), "news://wild.server.example/example.group.th%3Fse");
/// # Ok::<(), urikit_schemes::BuildError>(())
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
    /// Starts a URL for all groups.
    pub const fn all() -> NewsBuilder<'static> {
        NewsBuilder::new(Part::All)
    }

    /// Starts a URL for one group.
    pub fn group<T: AsRef<[u8]> + ?Sized>(name: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Part::Group(data(name)))
    }

    /// Starts a URL for the groups that match a pattern with `*` or `?` (RFC 5538, 4).
    pub fn matching<T: AsRef<[u8]> + ?Sized>(pattern: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Part::Matching(data(pattern)))
    }

    /// Starts a URL for the article with a message identifier, without angle brackets.
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

    /// Sets the server: a name or an address, written as in a URL (RFC 5538, 4).
    #[must_use]
    pub const fn server(mut self, host: &'a str) -> Self {
        self.server.host = host;
        self.has_server = true;
        self
    }

    /// Sets a port of the [`server`](Self::server) other than 119, or 563 for
    /// [`snews`](Self::snews).
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// Sets the user for the [`server`](Self::server) (RFC 5538, 4).
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// Sets the password, which needs a user. It is visible to everyone who sees the URL.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// Uses the `snews` scheme, which is deprecated (RFC 5538, 8.1).
    #[must_use]
    pub const fn snews(mut self) -> Self {
        self.is_snews = true;
        self
    }

    /// Builds the URL as a URI of RFC 3986; it is also valid under RFC 1738 if it has neither a
    /// server nor a pattern.
    ///
    /// # Errors
    ///
    /// If the parts do not make a news URL, for example a port, a user or a password without a
    /// server.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`. What needs RFC 5538 is read back by RFC 5538.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let scheme = if self.is_snews {
            SNEWS_FACTS.name
        } else {
            FACTS.name
        };
        let mut text = UrlText::new(scheme, standard);
        if self.has_server {
            text.server(&self.server);
            text.push("/");
        } else if let Some(part) = self.part_of_no_server() {
            return Err(BuildError::Misread { part });
        }
        match &self.what {
            Part::All => text.push("*"),
            Part::Group(name) => text.escape(name, Place::Path, &GROUP),
            Part::Matching(pattern) => text.escape(pattern, Place::Path, &PATTERN),
            Part::Article(message_id) => {
                let at = message_id.iter().rposition(|octet| *octet == b'@');
                let at = match message_id.iter().rposition(|octet| *octet == b'[') {
                    Some(bracket) if message_id.last() == Some(&b']') => bracket.checked_sub(1),
                    _ => at,
                };
                let (left, right) = message_id.split_at(at.unwrap_or(message_id.len()));
                text.escape(left, Place::Path, &UNRESERVED);
                if let Some((_, right)) = right.split_first() {
                    text.push("@");
                    text.escape(right, Place::Path, &UNRESERVED);
                }
            }
        }
        let is_original = !self.has_server && !matches!(self.what, Part::Matching(_));
        let edition = if is_original {
            Edition::of(standard)
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
            let is = |part: Encoded<'_>, data: &Data<'_>| {
                part.decode().octets().eq(data.iter().copied())
            };
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

    /// The part that needs a server.
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
