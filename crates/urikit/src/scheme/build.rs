//! From parts to a URL: what the builders of all schemes share.
//!
//! A part is data, as octets: what is reserved in its place is escaped, and a `%` is one. The text is
//! parsed and read again, and is given only when every part comes back as it was put in.

use super::ReadError;
use crate::grammar::ByteSet;
use crate::op::percent::{Component, escape};
use crate::standard::Spec;
use crate::{AnyRef, ParseError, UriRefBuf};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};

/// Why no URL was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The parts make no reference of the standard: a host with a space, or an IPv6 address before RFC 2732. The
    /// offset counts in the URL that was tried.
    Syntax(ParseError),
    /// The parts make no URL of the scheme. The offset counts in the URL that was tried.
    Scheme(ReadError),
    /// This part would be read as something else than was put in.
    Misread {
        /// The part, such as `host`.
        part: &'static str,
    },
    /// This part holds a control character, which no client may take from it.
    Control {
        /// The part, such as `header field`.
        part: &'static str,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Scheme(error) => error.fmt(f),
            Self::Misread { part } => {
                let article = match part.as_bytes() {
                    [b'a' | b'e' | b'i' | b'o', ..] => "an",
                    _ => "a",
                };
                write!(
                    f,
                    "expected {article} {part} that reads back as it is, found one that does not"
                )
            }
            Self::Control { part } => {
                write!(f, "expected no control character in the {part}, found one")
            }
        }
    }
}

impl core::error::Error for BuildError {}

/// Data for a part of a URL.
pub(super) type Data<'a> = Cow<'a, [u8]>;

/// Anything that is octets, as data for a part.
pub(super) fn data<T: AsRef<[u8]> + ?Sized>(value: &T) -> Data<'_> {
    Cow::Borrowed(value.as_ref())
}

/// The server of a URL to be built.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ServerParts<'a> {
    pub(super) host: &'a str,
    pub(super) port: Option<u16>,
    pub(super) user: Option<Data<'a>>,
    pub(super) password: Option<Data<'a>>,
}

impl<'a> ServerParts<'a> {
    pub(super) const fn new(host: &'a str) -> Self {
        Self {
            host,
            port: None,
            user: None,
            password: None,
        }
    }

    /// Whether the URL that was built names this server.
    pub(super) fn check(&self, server: &super::shape::Server<'_>) -> Result<(), BuildError> {
        let is = |data: &Option<Data<'_>>, read: Option<crate::component::Encoded<'_>>| match (
            data, read,
        ) {
            (Some(data), Some(read)) => read.decode().eq(data.iter().copied()),
            (data, read) => data.is_none() && read.is_none(),
        };
        let part = if !is(&self.user, server.user()) {
            "user"
        } else if !is(&self.password, server.password()) {
            "password"
        } else if server.host() != self.host {
            "host"
        } else if self.port.is_some() && server.port() != self.port {
            "port"
        } else {
            return Ok(());
        };
        Err(BuildError::Misread { part })
    }
}

impl fmt::Debug for ServerParts<'_> {
    /// The password is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &self.user.as_ref().map(|user| user.escape_ascii()))
            .field("password", &self.password.as_ref().map(|_| "***"))
            .finish()
    }
}

/// The text of a URL under way, for a reference of the standard `S`.
pub(super) struct UrlText<S: Spec> {
    text: String,
    standard: core::marker::PhantomData<S>,
}

impl<S: Spec> UrlText<S> {
    /// Begins with a scheme and its colon.
    pub(super) fn new(scheme: &str) -> Self {
        let mut text = String::from(scheme);
        text.push(':');
        Self {
            text,
            standard: core::marker::PhantomData,
        }
    }

    /// Appends `//`, and the server.
    pub(super) fn server(&mut self, server: &ServerParts<'_>) {
        self.text.push_str("//");
        if server.user.is_some() || server.password.is_some() {
            let user = server.user.as_deref().unwrap_or_default();
            self.escape(user, Component::User, &UNRESERVED);
            if let Some(password) = &server.password {
                self.text.push(':');
                self.escape(password, Component::Password, &UNRESERVED);
            }
            self.text.push('@');
        }
        self.text.push_str(server.host);
        if let Some(port) = server.port {
            let _ = write!(self.text, ":{port}");
        }
    }

    /// Appends a delimiter or a word of the scheme, as it is.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends data. What stands for itself is in the scheme's own set, and in the standard's for the component.
    pub(super) fn escape(&mut self, data: &[u8], component: Component, set: &ByteSet) {
        let class = component.class(S::STANDARD);
        for octet in data {
            let is_plain = octet.is_ascii()
                && set.contains(*octet)
                && class.is_some_and(|class| class.set().contains(*octet));
            if is_plain {
                self.text.push(char::from(*octet));
            } else {
                self.text.push_str(escape(*octet));
            }
        }
    }

    /// Appends data to the path in which slashes mean nothing: those beside a segment `.` or `..` are escaped.
    pub(super) fn escape_opaque(&mut self, data: &[u8], set: &ByteSet) {
        for (at, segment) in data.split(|octet| *octet == b'/').enumerate() {
            if at > 0 {
                let slash = slash(&self.text, segment);
                self.text.push_str(slash);
            }
            self.escape(segment, Component::Path, set);
        }
    }

    /// The URL, if it parses, and if `check` reads from it what was put in.
    pub(super) fn finish(
        self,
        check: impl FnOnce(AnyRef<'_>) -> Result<(), BuildError>,
    ) -> Result<UriRefBuf<S>, BuildError> {
        let url = UriRefBuf::<S>::parse_as(self.text)
            .map_err(|rejected| BuildError::Syntax(rejected.error()))?;
        check(url.as_uri_ref().as_any())?;
        Ok(url)
    }
}

/// A slash for the path of an opaque name, between what is written and the next segment: escaped where it would
/// make a segment `.` or `..`, which whoever resolves references takes out (RFC 3986, 5.2.4).
pub(super) fn slash(written: &str, next: &[u8]) -> &'static str {
    let last = written.rsplit('/').next().unwrap_or_default();
    if is_dots(last.as_bytes()) || is_dots(next) {
        escape(b'/')
    } else {
        "/"
    }
}

fn is_dots(segment: &[u8]) -> bool {
    matches!(segment, b"." | b"..")
}

/// What no scheme and no standard reserves: RFC 1738's `unreserved`, which later texts take as it is.
pub(super) const UNRESERVED: ByteSet = *crate::grammar::rfc1738::UNRESERVED.set();
