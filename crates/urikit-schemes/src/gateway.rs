//! Gateways: servers of one protocol that provide access to URLs of another scheme.
//!
//! Two kinds exist. An HTTP server "being used as a gateway (or `proxy`)" receives "the entire
//! URI, whether HTTP or some other scheme", in the request line (RFC 1630, HTTP). Other gateways
//! have a prefix, to which the client appends the URI. RFC 1630 (Encoding reserved characters)
//! requires this mapping to be "unambiguous, reversible" and to map hierarchy to slashes. The URI
//! is therefore data: in a query all delimiters are escaped, and in a path all delimiters except
//! the slashes. The percent sign is escaped too, so the gateway decodes once to get the URI. A
//! slash before a segment `.` or `..` is escaped too, because resolving that segment would leave
//! the gateway's path.
//!
//! The fragment is never sent (RFC 1630, HTTP; RFC 1738, Appendix).

use super::build::slash;
use super::registry::{NameError, check_name};
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use urikit::grammar::{ByteSet, rfc3986};
use urikit::octet::escape;
use urikit::percent::Place;
use urikit::{AnyRef, ParseError, Standard, UriBuf, UriRef};

/// A server through which the URLs of a scheme are accessed.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Gateway;
/// let url = Uri::parse("gopher://h/11/a%20b#c")?;
/// let gateway = Gateway::prefix("http://gateway.example/get?uri=")?;
/// assert_eq!(
///     gateway.ask(url)?.as_str(),
///     "http://gateway.example/get?uri=gopher://h/11/a%2520b",
/// );
/// let proxy = Gateway::proxy("http://proxy.example:8080")?;
/// assert_eq!(proxy.ask(url)?.as_str(), "gopher://h/11/a%20b"); // GET gopher://h/11/a%20b
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gateway {
    url: UriBuf,
    is_proxy: bool,
}

/// A gateway and the scheme that it serves, written `SCHEME=URL` or `SCHEME=proxy:URL`.
///
/// ```
/// use urikit_schemes::GatewayRule;
/// let rule: GatewayRule = "wais=proxy:http://proxy.example:8080/".parse()?;
/// assert_eq!(rule.scheme, "wais");
/// assert!(rule.gateway.is_proxy());
/// # Ok::<(), urikit_schemes::GatewayError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatewayRule {
    /// The name of the scheme, in lower case.
    pub scheme: String,
    /// The gateway for this scheme.
    pub gateway: Gateway,
}

/// The reason why a gateway cannot be created, or cannot request a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GatewayError {
    /// The gateway's URL is not valid under RFC 3986.
    Url(ParseError),
    /// The gateway's URL has no host, or it has a fragment, which is never sent.
    NoServer,
    /// The proxy's URL is not an http or https URL, or it has a path or a query.
    NoProxy,
    /// The text has no `=` between the scheme and the URL.
    NoEquals,
    /// The name before the `=` is not a valid scheme.
    Name(NameError),
    /// The reference is relative.
    Relative,
    /// The reference cannot be written as an RFC 3986 URI, as HTTP requires.
    Reference(ParseError),
}

impl Gateway {
    /// Creates a gateway from the prefix to which the URI is appended. The prefix is a URL with a
    /// host, such as `http://gateway.example/` or `http://gateway.example/get?uri=`.
    ///
    /// # Errors
    ///
    /// Fails if the prefix is not a valid URL, has no host, or has a fragment.
    pub fn prefix(url: &str) -> Result<Self, GatewayError> {
        let parsed = server(url)?;
        let has_path = !parsed.path().is_empty() || parsed.query().is_some();
        let mut text = url.to_owned();
        if !has_path {
            // Without this slash, the URI would be parsed as part of the host.
            text.push('/');
        }
        Ok(Self {
            url: buffer(text).map_err(GatewayError::Url)?,
            is_proxy: false,
        })
    }

    /// Creates a gateway from an HTTP server that accepts complete URIs in the request line. The
    /// URL is `http://host` or `https://host`.
    ///
    /// # Errors
    ///
    /// Fails if the URL is not valid, has a different scheme, or contains more than a scheme and a
    /// server.
    pub fn proxy(url: &str) -> Result<Self, GatewayError> {
        let parsed = server(url)?;
        let is_http = ["http", "https"].into_iter().any(|name| {
            let is_it = |scheme: &str| scheme.eq_ignore_ascii_case(name);
            parsed.scheme().is_some_and(is_it)
        });
        let is_server = ["", "/"].contains(&parsed.path().as_str()) && parsed.query().is_none();
        if !is_http || !is_server {
            return Err(GatewayError::NoProxy);
        }
        Ok(Self {
            url: buffer(url.to_owned()).map_err(GatewayError::Url)?,
            is_proxy: true,
        })
    }

    /// Returns the prefix, or the proxy's URL.
    pub const fn url(&self) -> &UriBuf {
        &self.url
    }

    /// Returns true if the gateway is a proxy.
    pub const fn is_proxy(&self) -> bool {
        self.is_proxy
    }

    /// Returns the URL for requesting the reference from the gateway. For a proxy, the result is
    /// the URI for the request line. The returned URL has no fragment. Characters that RFC 3986
    /// does not allow are escaped ("as must other disallowed characters", RFC 1630, HTTP).
    ///
    /// # Errors
    ///
    /// Fails if the reference is relative, or cannot be written as an RFC 3986 URI.
    pub fn ask<'r>(&self, reference: impl Into<AnyRef<'r>>) -> Result<UriBuf, GatewayError> {
        let reference = reference.into();
        let uri = buffer(sendable(reference)?).map_err(GatewayError::Reference)?;
        if self.is_proxy {
            return Ok(uri);
        }
        let mut text = self.url.as_str().to_owned();
        if self.url.query().is_some() {
            push(uri.as_str(), Place::QueryValue, &mut text);
        } else {
            for (at, segment) in uri.as_str().split('/').enumerate() {
                if at > 0 {
                    let slash = slash(&text, segment.as_bytes());
                    text.push_str(slash);
                }
                push(segment, Place::Path, &mut text);
            }
        }
        buffer(text).map_err(GatewayError::Reference)
    }
}

/// Appends data, escaped for an RFC 3986 component.
fn push(data: &str, component: Place, text: &mut String) {
    let class = component.class(Standard::Rfc3986);
    let is_plain = |byte| class.is_some_and(|class| class.set().contains(byte));
    push_escaped(data, is_plain, text);
}

fn push_escaped(data: &str, is_plain: impl Fn(u8) -> bool, text: &mut String) {
    for byte in data.bytes() {
        if is_plain(byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(escape(byte));
        }
    }
}

fn buffer(text: String) -> Result<UriBuf, ParseError> {
    UriBuf::try_from(text).map_err(|rejected| rejected.error())
}

/// Parses a URL that must have a host and no fragment.
fn server(url: &str) -> Result<UriRef<'_>, GatewayError> {
    let parsed = UriRef::parse(url).map_err(GatewayError::Url)?;
    let has_host = parsed.host().is_some_and(|host| !host.as_str().is_empty());
    if parsed.scheme().is_none() || !has_host || parsed.fragment().is_some() {
        return Err(GatewayError::NoServer);
    }
    Ok(parsed)
}

/// The characters that RFC 3986 allows in a URI. RFC 3986 allows brackets only in hosts.
static URI_CHARACTERS: ByteSet = rfc3986::RESERVED
    .set()
    .or(*rfc3986::UNRESERVED.set())
    .or(ByteSet::of(b"%"));
static BRACKETS: ByteSet = ByteSet::of(b"[]");

/// Returns the reference without its fragment. Escapes characters that RFC 3986 does not allow.
fn sendable(reference: AnyRef<'_>) -> Result<String, GatewayError> {
    let scheme = reference.scheme().ok_or(GatewayError::Relative)?;
    let text = reference.as_str();
    let fragment = reference
        .fragment()
        .map_or(0, |fragment| fragment.len() + 1);
    let end = text.len() - fragment;
    let authority = reference
        .authority()
        .map_or(0, |authority| authority.as_str().len() + 2);
    let middle = scheme.len() + 1 + authority;
    let (front, back) = (text.get(..middle), text.get(middle..end));
    let mut out = String::with_capacity(text.len());
    let is_plain = |byte| URI_CHARACTERS.contains(byte);
    push_escaped(front.unwrap_or_default(), is_plain, &mut out);
    let is_plain = |byte| URI_CHARACTERS.contains(byte) && !BRACKETS.contains(byte);
    push_escaped(back.unwrap_or_default(), is_plain, &mut out);
    Ok(out)
}

impl FromStr for GatewayRule {
    type Err = GatewayError;

    /// Parses `SCHEME=URL` or `SCHEME=proxy:URL`, ignoring the case of the scheme.
    fn from_str(text: &str) -> Result<Self, GatewayError> {
        let (scheme, url) = text.split_once('=').ok_or(GatewayError::NoEquals)?;
        let scheme = scheme.to_ascii_lowercase();
        check_name(&scheme).map_err(GatewayError::Name)?;
        let gateway = match url.strip_prefix("proxy:") {
            Some(url) => Gateway::proxy(url)?,
            None => Gateway::prefix(url)?,
        };
        Ok(Self { scheme, gateway })
    }
}

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => write!(f, "the gateway's URL: {error}"),
            Self::NoServer => f.write_str("the gateway's URL must have a host and no fragment"),
            Self::NoProxy => {
                f.write_str("the proxy's URL must consist of http:// or https:// and a server")
            }
            Self::NoEquals => {
                f.write_str("expected SCHEME=URL or SCHEME=proxy:URL, but found no `=`")
            }
            Self::Name(error) => error.fmt(f),
            Self::Relative => f.write_str("a gateway needs a reference with a scheme"),
            Self::Reference(error) => write!(f, "the URI for the gateway: {error}"),
        }
    }
}

impl core::error::Error for GatewayError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Url(error) | Self::Reference(error) => Some(error),
            Self::Name(error) => Some(error),
            _ => None,
        }
    }
}
