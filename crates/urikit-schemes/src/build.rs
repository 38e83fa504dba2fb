//! Builds URLs of all schemes from their parts.
//!
//! Each part consists of unescaped octets. Every `%` is escaped, and so are the characters that are
//! reserved in that part. The URL is then parsed and read, and it is returned only if this yields
//! every part unchanged.

use super::ReadError;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::octet::escape;
use urikit::percent::Place;
use urikit::{AnyRef, AnyRefBuf, ParseError, Standard, UriBuf};

/// The reason why no URL was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The parts do not form a reference that is valid under the standard. Examples are a space in
    /// the host, and an IPv6 address under a standard before RFC 2732. The offset is a position in
    /// the URL that the parts would have formed.
    Syntax(ParseError),
    /// The parts do not form a URL of the scheme. The offset is a position in the URL that the
    /// parts would have formed.
    Scheme(ReadError),
    /// Parsing the URL would return a different value for this part.
    Misread {
        /// The part, such as `host`.
        part: &'static str,
    },
    /// The part contains a control character, which clients must not accept there.
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
                write!(f, "the {part} would parse back as a different value")
            }
            Self::Control { part } => {
                write!(f, "the {part} contains a control character")
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

impl From<ReadError> for BuildError {
    fn from(error: ReadError) -> Self {
        Self::Scheme(error)
    }
}

/// The parts of a URL, which the builder for its scheme stores.
pub(super) trait Parts {
    /// Returns the name of the scheme.
    fn scheme(&self) -> &'static str;

    /// Rejects parts that are not allowed, even if parsing the URL would yield them unchanged.
    fn precheck(&self) -> Result<(), BuildError> {
        Ok(())
    }

    /// Appends everything after the scheme's colon.
    fn write(&self, text: &mut UrlText);

    /// Reads the URL, which is a reference under `standard`, and compares its parts with the
    /// given ones.
    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError>;
}

/// Builds the URL as a reference under `standard`, and checks that parsing it yields the same
/// parts.
pub(super) fn build(parts: &impl Parts, standard: Standard) -> Result<AnyRefBuf, BuildError> {
    parts.precheck()?;
    let mut text = UrlText {
        text: String::from(parts.scheme()),
        standard,
    };
    text.push(":");
    parts.write(&mut text);
    let url = AnyRefBuf::from_string(text.text, standard)
        .map_err(|rejected| BuildError::Syntax(rejected.error()))?;
    parts.check(url.as_any_ref(), standard)?;
    Ok(url)
}

/// Defines the `build` and `build_any` methods of a builder. The type implements [`Parts`].
macro_rules! build_methods {
    ($builder:ident, $(#[$build:meta])+ build, $(#[$error:meta])+ errors) => {
        impl $builder<'_> {
            $(#[$build])+
            ///
            /// # Errors
            ///
            $(#[$error])+
            pub fn build(self) -> Result<urikit::UriBuf, $crate::BuildError> {
                self.build_any(urikit::Standard::Rfc3986)
                    .and_then($crate::build::uri)
            }

            /// Builds the URL as a reference under `standard`.
            ///
            /// # Errors
            ///
            /// Fails if [`build`](Self::build) fails, or if the URL is not valid under `standard`.
            pub fn build_any(
                self,
                standard: urikit::Standard,
            ) -> Result<urikit::AnyRefBuf, $crate::BuildError> {
                $crate::build::build(&self, standard)
            }
        }
    };
}
pub(super) use build_methods;

/// Defines the `port` method of a builder. The macro's second argument is the path to the server
/// field.
macro_rules! set_port {
    ($builder:ident, $($field:ident).+, $default:literal) => {
        impl $builder<'_> {
            #[doc = concat!("Sets the port. A URL without a port means ", $default, ".")]
            #[must_use]
            pub const fn port(mut self, port: u16) -> Self {
                self.$($field).+.port = Some(port);
                self
            }
        }
    };
}
pub(super) use set_port;

/// Defines the `user` and `password` methods of a builder. The builder must have a `server` field.
macro_rules! set_user_and_password {
    ($builder:ident, $(#[$user:meta])+ user, $(#[$password:meta])+ password) => {
        impl<'a> $builder<'a> {
            $(#[$user])+
            #[must_use]
            pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
                self.server.user = Some($crate::build::data(user));
                self
            }

            $(#[$password])+
            #[must_use]
            pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
                self.server.password = Some($crate::build::data(password));
                self
            }
        }
    };
}
pub(super) use set_user_and_password;

/// Returns true if a part decodes to the given data.
pub(super) fn is(read: Encoded<'_>, given: &[u8]) -> bool {
    read.decode().octets().eq(given.iter().copied())
}

/// Returns true if the part and the given data are both absent, or if the part decodes to the
/// data.
pub(super) fn is_some(read: Option<Encoded<'_>>, given: Option<&[u8]>) -> bool {
    match (read, given) {
        (Some(read), Some(given)) => is(read, given),
        (read, given) => read.is_none() && given.is_none(),
    }
}

/// Returns true if the parts decode to the given data, one by one.
pub(super) fn are<'a>(mut read: impl Iterator<Item = Encoded<'a>>, given: &[Data<'_>]) -> bool {
    let mut given = given.iter();
    given.all(|given| read.next().is_some_and(|read| is(read, given))) && read.next().is_none()
}

/// Returns true if the pairs of names and values decode to the given data, one by one.
pub(super) fn are_pairs<'a>(
    mut read: impl Iterator<Item = (Encoded<'a>, Encoded<'a>)>,
    given: &[(&[u8], &[u8])],
) -> bool {
    let mut given = given.iter();
    given.all(|(name, value)| {
        let read = read.next();
        read.is_some_and(|read| is(read.0, name) && is(read.1, value))
    }) && read.next().is_none()
}

/// Returns the error for a part that would be parsed back as a different value.
pub(super) const fn unchanged(part: &'static str, is_same: bool) -> Result<(), BuildError> {
    if is_same {
        Ok(())
    } else {
        Err(BuildError::Misread { part })
    }
}

/// The data of one part.
pub(super) type Data<'a> = Cow<'a, [u8]>;

/// Borrows octets as the data of a part.
pub(super) fn data<T: AsRef<[u8]> + ?Sized>(value: &T) -> Data<'_> {
    Cow::Borrowed(value.as_ref())
}

/// The server of a URL that is being built. The host must be written as in a URL.
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

    /// Checks that the finished URL has this server.
    pub(super) fn check(&self, read: &super::shape::Server<'_>) -> Result<(), BuildError> {
        unchanged("user", is_some(read.user(), self.user.as_deref()))?;
        let password = self.password.as_deref();
        unchanged("password", is_some(read.password(), password))?;
        unchanged("host", read.host() == self.host)?;
        unchanged("port", self.port.is_none() || read.port() == self.port)
    }
}

impl fmt::Debug for ServerParts<'_> {
    /// Masks the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &self.user.as_ref().map(|user| user.escape_ascii()))
            .field("password", &self.password.as_ref().map(|_| "***"))
            .finish()
    }
}

/// The text of a URL that is being built, and the standard that it must conform to.
pub(super) struct UrlText {
    text: String,
    standard: Standard,
}

impl UrlText {
    /// Returns the standard of the URL.
    pub(super) const fn standard(&self) -> Standard {
        self.standard
    }

    /// Appends `//` and the server.
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

    /// Appends a delimiter or a keyword, unchanged.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends data. Escapes all characters except those that both the scheme (`set`) and the
    /// standard allow in the component.
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

    /// Appends data to a path in which slashes have no meaning. Escapes the slashes next to a
    /// segment `.` or `..`, because resolving would remove that segment.
    pub(super) fn escape_opaque(&mut self, data: &[u8], set: &ByteSet) {
        for (at, segment) in data.split(|octet| *octet == b'/').enumerate() {
            if at > 0 {
                let slash = slash(&self.text, segment);
                self.text.push_str(slash);
            }
            self.escape(segment, Place::Path, set);
        }
    }
}

/// Converts a URL that was built as an RFC 3986 reference.
pub(super) fn uri(url: AnyRefBuf) -> Result<UriBuf, BuildError> {
    UriBuf::try_from(url).map_err(|rejected| BuildError::Syntax(rejected.error()))
}

/// Returns the slash between `written` and the next segment of an opaque name. The slash is escaped
/// next to `.` and `..`, which resolution would otherwise remove (RFC 3986, 5.2.4).
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

/// The characters that no scheme and no standard reserves: RFC 1738's `unreserved`.
pub(super) const UNRESERVED: ByteSet = *urikit::grammar::rfc1738::UNRESERVED.set();
