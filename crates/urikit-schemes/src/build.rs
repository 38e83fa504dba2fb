//! What the builders of all schemes share: building a URL from its parts.
//!
//! A part is data, given as octets: characters that are reserved in its place are escaped, and so
//! is every `%`. The result is parsed and read back, and it is returned only if every part comes
//! back as it was given.

use super::ReadError;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};
use urikit::grammar::ByteSet;
use urikit::internal::escape;
use urikit::percent::Place;
use urikit::{AnyRef, AnyRefBuf, ParseError, Standard, UriBuf};

/// Why no URL was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The parts do not make a reference of the standard, for example with a space in the host, or
    /// with an IPv6 address before RFC 2732. The offset counts in the URL that was tried.
    Syntax(ParseError),
    /// The parts do not make a URL of the scheme. The offset counts in the URL that was tried.
    Scheme(ReadError),
    /// This part would be read back as something other than what was given.
    Misread {
        /// The part, such as `host`.
        part: &'static str,
    },
    /// This part contains a control character, which no client may accept from it.
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

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            Self::Scheme(error) => Some(error),
            _ => None,
        }
    }
}

/// Data for a part of a URL.
pub(super) type Data<'a> = Cow<'a, [u8]>;

/// Octets, as data for a part.
pub(super) fn data<T: AsRef<[u8]> + ?Sized>(value: &T) -> Data<'_> {
    Cow::Borrowed(value.as_ref())
}

/// The server of a URL that is being built.
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
        let is = |data: &Option<Data<'_>>, read: Option<urikit::component::Encoded<'_>>| match (
            data, read,
        ) {
            (Some(data), Some(read)) => read.decode().octets().eq(data.iter().copied()),
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

/// The text of a URL that is being built, as a reference of a standard.
pub(super) struct UrlText {
    text: String,
    standard: Standard,
}

impl UrlText {
    /// Begins with a scheme and its colon.
    pub(super) fn new(scheme: &str, standard: Standard) -> Self {
        let mut text = String::from(scheme);
        text.push(':');
        Self { text, standard }
    }

    /// Appends `//`, and the server.
    pub(super) fn server(&mut self, server: &ServerParts<'_>) {
        self.text.push_str("//");
        if server.user.is_some() || server.password.is_some() {
            let user = server.user.as_deref().unwrap_or_default();
            self.escape(user, Place::User, &UNRESERVED);
            if let Some(password) = &server.password {
                self.text.push(':');
                self.escape(password, Place::Password, &UNRESERVED);
            }
            self.text.push('@');
        }
        self.text.push_str(server.host);
        if let Some(port) = server.port {
            let _ = write!(self.text, ":{port}");
        }
    }

    /// Appends a delimiter or a keyword of the scheme, unchanged.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends data. A character is written unescaped if it is both in the scheme's set and in the
    /// standard's set for the component.
    pub(super) fn escape(&mut self, data: &[u8], component: Place, set: &ByteSet) {
        let class = component.class(self.standard);
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

    /// Appends data to a path in which slashes have no meaning: those next to a segment `.` or
    /// `..` are escaped.
    pub(super) fn escape_opaque(&mut self, data: &[u8], set: &ByteSet) {
        for (at, segment) in data.split(|octet| *octet == b'/').enumerate() {
            if at > 0 {
                let slash = slash(&self.text, segment);
                self.text.push_str(slash);
            }
            self.escape(segment, Place::Path, set);
        }
    }

    /// The URL, if it parses and `check` reads back what was given.
    pub(super) fn finish(
        self,
        check: impl FnOnce(AnyRef<'_>) -> Result<(), BuildError>,
    ) -> Result<AnyRefBuf, BuildError> {
        let url = AnyRefBuf::from_string(self.text, self.standard)
            .map_err(|rejected| BuildError::Syntax(rejected.error()))?;
        check(url.borrow())?;
        Ok(url)
    }
}

/// Converts a URL that was built as a reference of RFC 3986, which has a scheme.
pub(super) fn uri(url: AnyRefBuf) -> Result<UriBuf, BuildError> {
    UriBuf::try_from(url).map_err(|rejected| BuildError::Syntax(rejected.error()))
}

/// A slash for the path of an opaque name, between what is written and the next segment. It is
/// escaped where it would make a segment `.` or `..`, which resolving removes (RFC 3986, 5.2.4).
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

/// The characters that no scheme and no standard reserves: RFC 1738's `unreserved`, which later
/// standards adopt unchanged.
pub(super) const UNRESERVED: ByteSet = *urikit::grammar::rfc1738::UNRESERVED.set();
