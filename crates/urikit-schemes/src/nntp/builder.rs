//! Building nntp URLs from a server, a group and a number.

use super::super::Edition;
use super::super::build::{BuildError, Data, ServerParts, UrlText, data, uri};
use super::Nntp;
use alloc::string::ToString as _;
use urikit::grammar::{ByteSet, DIGITS, LETTERS};
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in the name of a group.
const GROUP: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));

/// Builds an nntp URL from parts.
///
/// Data that no client can send, such as a control character, is still built; a client
/// refuses it.
///
/// ```
/// use urikit_schemes::Nntp;
/// // RFC 5538, 3
/// let url = Nntp::builder("wild.server.example", "example.group.n/a").article(12345).build()?;
/// assert_eq!(url.as_str(), "nntp://wild.server.example/example.group.n%2Fa/12345");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NntpBuilder<'a> {
    server: ServerParts<'a>,
    group: Data<'a>,
    article: Option<u64>,
}

impl Nntp<'_> {
    /// Starts a URL for a group of a host: a name or an address, written as in a URL.
    pub fn builder<'a, T: AsRef<[u8]> + ?Sized>(host: &'a str, group: &'a T) -> NntpBuilder<'a> {
        NntpBuilder {
            server: ServerParts::new(host),
            group: data(group),
            article: None,
        }
    }
}

impl<'a> NntpBuilder<'a> {
    /// Sets a port other than 119.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// Sets the user (RFC 5538, 7).
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// Sets the password, which needs a user (RFC 5538, 7). It is visible to everyone who sees the
    /// URL.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// Sets the number of an article, of at most 16 digits. Without it, the URL names the group.
    #[must_use]
    pub const fn article(mut self, number: u64) -> Self {
        self.article = Some(number);
        self
    }

    /// Builds the URL as a URI of RFC 3986; it is also valid under RFC 1738 if it has no user and
    /// the name of the group has no escapes.
    ///
    /// # Errors
    ///
    /// If the parts do not make an nntp URL.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`; with a user, it is read back by RFC 5538.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("nntp", standard);
        text.server(&self.server);
        text.push("/");
        text.escape(&self.group, Place::Path, &GROUP);
        let digits = self.article.map(|number| number.to_string());
        if let Some(digits) = &digits {
            text.push("/");
            text.push(digits);
        }
        let has_userinfo = self.server.user.is_some() || self.server.password.is_some();
        let edition = if has_userinfo {
            Edition::Successor
        } else {
            Edition::of(standard)
        };
        text.finish(|url| {
            let read = Nntp::read_as(url, edition).map_err(BuildError::Scheme)?;
            if let Some(server) = &read.server {
                self.server.check(server)?;
            }
            let part = if !read
                .group()
                .decode()
                .octets()
                .eq(self.group.iter().copied())
            {
                "group"
            } else if read.article() != digits.as_deref() {
                "article"
            } else {
                return Ok(());
            };
            Err(BuildError::Misread { part })
        })
    }
}
