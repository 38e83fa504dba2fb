//! The result of reading an input.

use crate::curl::CurlError;
use crate::java::JavaError;
use crate::urllib::UrllibError;
use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use urikit::component::MASK;

/// The components that a reader finds in an input. Some readers decode components, convert them to
/// lower case or fill in defaults; others leave components as written.
///
/// `Debug` masks the password.
///
/// ```
/// use urikit_audit::{Curl, Reader as _};
/// let reading = Curl.read("http://0x7f.1:0080/")?;
/// assert_eq!(reading.host.as_deref(), Some("127.0.0.1"));
/// assert_eq!(reading.port.as_deref(), Some("80"));
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Reading<'a> {
    /// The scheme without its colon.
    pub scheme: Option<Cow<'a, str>>,
    /// The authority without its slashes, or `None` if the reader does not report one.
    pub authority: Option<Cow<'a, str>>,
    /// The userinfo without its `@`.
    pub userinfo: Option<Cow<'a, str>>,
    /// The host, with brackets if the reader keeps them.
    pub host: Option<Cow<'a, str>>,
    /// The address that this reader finds in the host, or `None` for a name.
    pub address: Option<IpAddr>,
    /// The port: digits, and for some readers other characters too.
    pub port: Option<Cow<'a, str>>,
    /// The path. For an opaque reference, the text between the scheme and the query.
    pub path: Cow<'a, str>,
    /// The query without its `?`. `urllib` treats an empty query as absent.
    pub query: Option<Cow<'a, str>>,
    /// The fragment without its `#`. For `urllib` and curl, an empty fragment is absent.
    pub fragment: Option<Cow<'a, str>>,
    /// True if the reader accepts the authority but returns no host: `java.net.URI` returns null
    /// as the host of `http://a_b/`.
    pub has_null_host: bool,
}

impl Reading<'_> {
    /// Returns the userinfo up to its first colon.
    pub fn user(&self) -> Option<&str> {
        let userinfo = self.userinfo.as_deref()?;
        Some(userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// Returns the userinfo after its first colon.
    pub fn password(&self) -> Option<&str> {
        let (_, password) = self.userinfo.as_deref()?.split_once(':')?;
        Some(password)
    }

    /// Returns the port, or the default port of the scheme if the port is absent or empty.
    ///
    /// Returns `None` if the scheme has no default, or if the port is not a number up to 65535.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_audit::Reader as _;
    /// assert_eq!(Standard::Rfc3986.read("https://a/")?.port_number(), Some(443));
    /// assert_eq!(Standard::Rfc3986.read("https://a:0080/")?.port_number(), Some(80));
    /// assert_eq!(Standard::Rfc3986.read("https://a:65616/")?.port_number(), None);
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    pub fn port_number(&self) -> Option<u16> {
        match self.port.as_deref() {
            None | Some("") => urikit::scheme::default_port(self.scheme.as_deref()?),
            Some(digits) => {
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| digits.parse().ok())?
            }
        }
    }

    /// Copies the text of all components.
    pub fn into_owned(self) -> Reading<'static> {
        let own = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Reading {
            scheme: own(self.scheme),
            authority: own(self.authority),
            userinfo: own(self.userinfo),
            host: own(self.host),
            address: self.address,
            port: own(self.port),
            path: Cow::Owned(self.path.into_owned()),
            query: own(self.query),
            fragment: own(self.fragment),
            has_null_host: self.has_null_host,
        }
    }
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading")
            .field("scheme", &self.scheme)
            .field("user", &self.user())
            .field("password", &self.password().map(|_| MASK))
            .field("host", &self.host)
            .field("address", &self.address)
            .field("port", &self.port)
            .field("path", &self.path)
            .field("query", &self.query)
            .field("fragment", &self.fragment)
            .field("has_null_host", &self.has_null_host)
            .finish()
    }
}

/// The reason why a reader rejects an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rejection {
    /// The error from an RFC parser.
    Rfc(urikit::ParseError),
    /// The error from the WHATWG URL parser.
    Whatwg(url::ParseError),
    /// The error from `java.net.URI`.
    Java(JavaError),
    /// The error from curl.
    Curl(CurlError),
    /// The error from Python's `urllib.parse`.
    Urllib(UrllibError),
    /// The reason given by a reader from another crate.
    Other(&'static str),
}

impl Rejection {
    /// Returns the offset of the error in bytes, if the reader reports one.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Rfc(error) => Some(error.offset()),
            Self::Java(error) => Some(error.offset()),
            Self::Whatwg(_) | Self::Curl(_) | Self::Urllib(_) | Self::Other(_) => None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rfc(error) => error.fmt(f),
            Self::Whatwg(error) => error.fmt(f),
            Self::Java(error) => error.fmt(f),
            Self::Curl(error) => error.fmt(f),
            Self::Urllib(error) => error.fmt(f),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Rejection {}
