//! From a server, a group and a number to an nntp URL.

use super::super::Edition;
use super::super::build::{BuildError, Data, ServerParts, UrlText, data};
use super::Nntp;
use crate::UriRefBuf;
use crate::grammar::{ByteSet, DIGITS, LETTERS};
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use alloc::string::ToString as _;

/// What stands for itself in the name of a group.
const GROUP: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));

/// Makes an nntp URL out of parts.
///
/// What no client can send, such as a control character, is built all the same; `steps` says so.
///
/// ```
/// use urikit::scheme::Nntp;
/// // RFC 5538, 3
/// let url = Nntp::to("wild.server.example", "example.group.n/a").article(12345).build()?;
/// assert_eq!(url.as_str(), "nntp://wild.server.example/example.group.n%2Fa/12345");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NntpBuilder<'a> {
    server: ServerParts<'a>,
    group: Data<'a>,
    article: Option<u64>,
}

impl Nntp<'_> {
    /// Begins a URL to a group of a host: a name or an address, as a URL has it.
    pub fn to<'a, T: AsRef<[u8]> + ?Sized>(host: &'a str, group: &'a T) -> NntpBuilder<'a> {
        NntpBuilder {
            server: ServerParts::new(host),
            group: data(group),
            article: None,
        }
    }
}

impl<'a> NntpBuilder<'a> {
    /// Another port than 119.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The user (RFC 5538, 7).
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// The password, which needs a user (RFC 5538, 7). Whoever reads the URL sees it.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// The number of an article, of at most 16 digits. Without it, the group.
    #[must_use]
    pub const fn article(mut self, number: u64) -> Self {
        self.article = Some(number);
        self
    }

    /// The URL, as a reference of RFC 3986; RFC 1738 takes it too where it has no user and the name of the group
    /// no escape.
    ///
    /// # Errors
    ///
    /// Where the parts make no nntp URL.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`; with a user, it is read by RFC 5538.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("nntp");
        text.server(&self.server);
        text.push("/");
        text.escape(&self.group, Component::Path, &GROUP);
        let digits = self.article.map(|number| number.to_string());
        if let Some(digits) = &digits {
            text.push("/");
            text.push(digits);
        }
        let has_userinfo = self.server.user.is_some() || self.server.password.is_some();
        let edition = if has_userinfo {
            Edition::Successor
        } else {
            Edition::of(S::STANDARD)
        };
        text.finish(|url| {
            let read = Nntp::read_as(url, edition).map_err(BuildError::Scheme)?;
            if let Some(server) = &read.server {
                self.server.check(server)?;
            }
            let part = if !read.group().decode().eq(self.group.iter().copied()) {
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
