//! Builds news and snews URLs.

use super::super::Edition;
use super::super::build::{
    BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, build_methods, data, is, is_some,
    set_port, set_user_and_password, unchanged,
};
use super::syntax::{GROUP_CHAR, PATTERN_CHAR};
use super::{DEFINITION, News, Newsgroups, SNEWS_DEFINITION};
use urikit::percent::Place;
use urikit::{AnyRef, Standard};

/// Builds a news URL from parts, which are the octets that NNTP commands send.
///
/// The builder also accepts data that no client can send, such as a control character. Clients
/// reject these URLs.
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
    subject: Subject<'a>,
    is_snews: bool,
}

#[derive(Clone, Debug)]
enum Subject<'a> {
    All,
    Group(Data<'a>),
    Matching(Data<'a>),
    Article(Data<'a>),
}

impl News<'_> {
    /// Starts building a URL for all groups.
    pub const fn all() -> NewsBuilder<'static> {
        NewsBuilder::new(Subject::All)
    }

    /// Starts building a URL for one group.
    pub fn group<T: AsRef<[u8]> + ?Sized>(name: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Subject::Group(data(name)))
    }

    /// Starts building a URL for the groups that match a pattern with `*` or `?` (RFC 5538, 4).
    pub fn matching<T: AsRef<[u8]> + ?Sized>(pattern: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Subject::Matching(data(pattern)))
    }

    /// Starts building a URL for an article, given its message identifier without angle brackets.
    pub fn article<T: AsRef<[u8]> + ?Sized>(message_id: &T) -> NewsBuilder<'_> {
        NewsBuilder::new(Subject::Article(data(message_id)))
    }
}

set_port!(NewsBuilder, server, "119, or 563 for snews");
set_user_and_password!(
    NewsBuilder,
    /// Sets the user for the [`server`](Self::server) (RFC 5538, 4).
    user,
    /// Sets the password, which requires a user. Anyone who sees the URL can read the password.
    password
);

impl<'a> NewsBuilder<'a> {
    const fn new(subject: Subject<'a>) -> Self {
        Self {
            server: ServerParts::new(""),
            has_server: false,
            subject,
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

    /// Uses the `snews` scheme, which is deprecated (RFC 5538, 8.1).
    #[must_use]
    pub const fn snews(mut self) -> Self {
        self.is_snews = true;
        self
    }

    /// Returns the name of a part that was set but is not allowed without a server.
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

build_methods!(
    NewsBuilder,
    /// Builds the URL as an RFC 3986 URI. The URL is also valid under RFC 1738 if it has neither a
    /// server nor a pattern.
    build,
    /// Fails if the parts do not form a news URL, for example if a port, a user or a password is
    /// set without a server.
    errors
);

impl Parts for NewsBuilder<'_> {
    fn scheme(&self) -> &'static str {
        if self.is_snews {
            SNEWS_DEFINITION.facts.name
        } else {
            DEFINITION.facts.name
        }
    }

    fn precheck(&self) -> Result<(), BuildError> {
        match self.part_of_no_server() {
            Some(part) if !self.has_server => Err(BuildError::Misread { part }),
            _ => Ok(()),
        }
    }

    fn write(&self, text: &mut UrlText) {
        if self.has_server {
            text.server(&self.server);
            text.push("/");
        }
        match &self.subject {
            Subject::All => text.push("*"),
            Subject::Group(name) => text.escape(name, Place::Path, &GROUP_CHAR),
            Subject::Matching(pattern) => text.escape(pattern, Place::Path, &PATTERN_CHAR),
            Subject::Article(message_id) => {
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
    }

    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError> {
        let is_original = !self.has_server && !matches!(self.subject, Subject::Matching(_));
        let edition = if is_original {
            Edition::of(standard)
        } else {
            Edition::Successor // the first edition with servers and patterns
        };
        let read = News::read_as(url, edition)?;
        match &read.server {
            Some(read) if self.has_server => self.server.check(read)?,
            server => unchanged("server", server.is_none() && !self.has_server)?,
        }
        match &self.subject {
            Subject::All => {
                let is_all = matches!(read.newsgroups(), Some(Newsgroups::All));
                unchanged("group", is_all)
            }
            Subject::Group(name) => {
                let is_same =
                    matches!(read.newsgroups(), Some(Newsgroups::One(read)) if is(read, name));
                unchanged("group", is_same)
            }
            Subject::Matching(pattern) => {
                let is_same = matches!(
                    read.newsgroups(),
                    Some(Newsgroups::Matching(read)) if is(read, pattern)
                );
                unchanged("pattern", is_same)
            }
            Subject::Article(message_id) => {
                let is_same = is_some(read.message_id(), Some(message_id));
                unchanged("message identifier", is_same)
            }
        }
    }
}
