//! Gateways: servers of one protocol that give what URLs of another scheme lead to.
//!
//! Two kinds are known. An HTTP server "being used as a gateway (or `proxy`)" gets "the entire URI, whether HTTP or
//! some other scheme", in the request line (RFC 1630, HTTP). Others have a place of their own in front of what
//! they give: the URI is put behind a prefix. RFC 1630 (Encoding reserved characters) asks of such a mapping
//! to be "unambiguous, reversible", and to map hierarchy onto slashes. So the whole URI is data there: behind a `?` all
//! that delimits in a query is escaped, and in a path all but the slashes. The percent sign is data too, so
//! that the gateway decodes once and has the URI. A slash before a segment `.` or `..` is escaped, or
//! whoever resolves such segments would leave the place of the gateway.
//!
//! The fragment is never sent (RFC 1630, HTTP; RFC 1738, Appendix).

use super::NameError;
use super::build::slash;
use super::registry::check_name;
use crate::grammar::{ByteSet, rfc3986};
use crate::op::percent::{Component, escape};
use crate::{AnyRef, ParseError, Standard, UriRef, UriRefBuf};
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// A server that stands for a scheme.
///
/// ```
/// use urikit::UriRef;
/// use urikit::scheme::Gateway;
/// let url = UriRef::parse("gopher://h/11/a%20b#c")?;
/// let gateway = Gateway::prefix("http://gateway.example/get?uri=")?;
/// assert_eq!(
///     gateway.ask(url.as_any())?.as_str(),
///     "http://gateway.example/get?uri=gopher://h/11/a%2520b",
/// );
/// let proxy = Gateway::proxy("http://proxy.example:8080")?;
/// assert_eq!(proxy.ask(url.as_any())?.as_str(), "gopher://h/11/a%20b"); // GET gopher://h/11/a%20b
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gateway {
    url: UriRefBuf,
    is_proxy: bool,
}

/// A gateway and the scheme that it stands for, as `SCHEME=URL` or `SCHEME=proxy:URL`.
///
/// ```
/// use urikit::scheme::GatewayRule;
/// let rule: GatewayRule = "wais=proxy:http://proxy.example:8080/".parse()?;
/// assert_eq!(rule.scheme, "wais");
/// assert!(rule.gateway.is_proxy());
/// # Ok::<(), urikit::scheme::GatewayError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatewayRule {
    /// The name of the scheme, in lower case.
    pub scheme: String,
    /// What stands for it.
    pub gateway: Gateway,
}

/// Why there is no gateway, or nothing that it could be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GatewayError {
    /// The gateway's URL is none by RFC 3986.
    Url(ParseError),
    /// It names no server, or has a fragment, which would never be sent.
    NoServer,
    /// A proxy is a server of http or https, without a path or query.
    NoProxy,
    /// There is no `=` between the scheme and the URL.
    NoEquals,
    /// The name before the `=` is no scheme's.
    Name(NameError),
    /// A relative reference is asked for.
    Relative,
    /// The reference cannot be written as a URI of RFC 3986, which HTTP sends.
    Reference(ParseError),
}

impl Gateway {
    /// A gateway that gives what is named behind a prefix: a URL with a host, such as `http://gateway.example/`
    /// or `http://gateway.example/get?uri=`.
    ///
    /// # Errors
    ///
    /// Where the prefix is no such URL, or has a fragment.
    pub fn prefix(url: &str) -> Result<Self, GatewayError> {
        let parsed = server(url)?;
        let has_path = !parsed.path().is_empty() || parsed.query().is_some();
        let mut text = url.to_owned();
        if !has_path {
            // Else the URI would go on with the host.
            text.push('/');
        }
        Ok(Self {
            url: buffer(text).map_err(GatewayError::Url)?,
            is_proxy: false,
        })
    }

    /// An HTTP server that takes whole URIs in the request line: `http://host` or `https://host`.
    ///
    /// # Errors
    ///
    /// Where the URL is none, or says more than the server.
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

    /// The prefix, or the proxy's URL.
    pub const fn url(&self) -> &UriRefBuf {
        &self.url
    }

    /// Whether it is a proxy.
    pub const fn is_proxy(&self) -> bool {
        self.is_proxy
    }

    /// What to ask for: the URL that leads through the gateway, or the URI for the request line of the proxy. There
    /// is no fragment in it, and what RFC 3986 does not have is escaped ("as must other disallowed
    /// characters", RFC 1630, HTTP).
    ///
    /// # Errors
    ///
    /// For a relative reference, and for one that RFC 3986 refuses however it is escaped.
    pub fn ask(&self, reference: AnyRef<'_>) -> Result<UriRefBuf, GatewayError> {
        let uri = buffer(sendable(reference)?).map_err(GatewayError::Reference)?;
        if self.is_proxy {
            return Ok(uri);
        }
        let mut text = self.url.as_str().to_owned();
        if self.url.as_uri_ref().query().is_some() {
            push(uri.as_str(), Component::QueryValue, &mut text);
        } else {
            for (at, segment) in uri.as_str().split('/').enumerate() {
                if at > 0 {
                    let slash = slash(&text, segment.as_bytes());
                    text.push_str(slash);
                }
                push(segment, Component::Path, &mut text);
            }
        }
        buffer(text).map_err(GatewayError::Reference)
    }
}

/// Appends data, escaped for a component of RFC 3986.
fn push(data: &str, component: Component, text: &mut String) {
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

fn buffer(text: String) -> Result<UriRefBuf, ParseError> {
    UriRefBuf::parse_as(text).map_err(|rejected| rejected.error())
}

/// A URL with a host and without a fragment.
fn server(url: &str) -> Result<UriRef<'_>, GatewayError> {
    let parsed = UriRef::parse(url).map_err(GatewayError::Url)?;
    let has_host = parsed.host().is_some_and(|host| !host.as_str().is_empty());
    if parsed.scheme().is_none() || !has_host || parsed.fragment().is_some() {
        return Err(GatewayError::NoServer);
    }
    Ok(parsed)
}

/// What RFC 3986 has anywhere; brackets stand in hosts alone.
static URI_CHARACTERS: ByteSet = rfc3986::RESERVED
    .set()
    .or(*rfc3986::UNRESERVED.set())
    .or(ByteSet::of(b"%"));
static BRACKETS: ByteSet = ByteSet::of(b"[]");

/// The reference without its fragment, with escapes for what RFC 3986 does not have.
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

    /// Reads `SCHEME=URL` or `SCHEME=proxy:URL`, the scheme in any case.
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
            Self::NoServer => f.write_str(
                "expected a host and no fragment in the gateway's URL, found something else",
            ),
            Self::NoProxy => f.write_str(
                "expected http or https and a host alone in the proxy's URL, found something else",
            ),
            Self::NoEquals => f.write_str("expected SCHEME=URL or SCHEME=proxy:URL, found no `=`"),
            Self::Name(error) => error.fmt(f),
            Self::Relative => {
                f.write_str("expected a reference with a scheme, found a relative one")
            }
            Self::Reference(error) => write!(f, "what a gateway is asked for: {error}"),
        }
    }
}

impl core::error::Error for GatewayError {}
