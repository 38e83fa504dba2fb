//! The route of a request: the protocol of its scheme or of a gateway, and the proxies on the way.

use crate::command::Secret;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::http1;
use crate::plan::{Action, Plan};
use crate::policy::{Policy, Source};
use crate::protocol::Protocol;
use crate::request::{Credentials, Request};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use urikit::{AnyRef, Uri, UriRef};
use urikit_mime::base64;
use urikit_schemes::{Edition, Gateway, SchemeRegistry};

/// Schemes, gateways and protocols.
pub(crate) struct Routes {
    pub(crate) registry: SchemeRegistry,
    /// The first one that supports a scheme is used.
    pub(crate) protocols: Vec<Box<dyn Protocol>>,
    pub(crate) proxies: Proxies,
}

impl Routes {
    /// Passes the request to the protocol of its scheme, or of a gateway for the scheme. The
    /// policy must allow both schemes, that of the request and that of the gateway.
    pub(crate) fn choose<T>(
        &self,
        request: &Request<'_>,
        (policy, source): (&Policy, Source),
        work: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let name = scheme(request.reference)?;
        policy.check_scheme(name, source)?;
        let Some(gateway) = self.registry.gateway(name) else {
            check_port(request.reference)?;
            let request = &Request {
                via: self.whole_uri_proxy(request.reference),
                ..*request
            };
            return self.with_protocol(name, |protocol| work(request, protocol));
        };
        if gateway.is_proxy() {
            let proxy = Request {
                proxy: Some(gateway),
                // They are for the server, not for the proxy.
                credentials: None,
                ..*request
            };
            let name = gateway.url().scheme();
            policy.check_scheme(name, source)?;
            return self.with_protocol(name, |protocol| work(&proxy, protocol));
        }
        let url = gateway.ask(request.reference)?;
        let forwarded = Request {
            reference: (&url).into(),
            edition: Edition::Successor,
            credentials: None,
            ..*request
        };
        let name = scheme(forwarded.reference)?;
        policy.check_scheme(name, source)?;
        self.with_protocol(name, |protocol| work(&forwarded, protocol))
    }

    /// The proxy that gets the complete URI in a request line: an HTTP proxy, for `http`.
    fn whole_uri_proxy(&self, reference: AnyRef<'_>) -> Option<&Proxy> {
        let scheme = reference.scheme()?;
        let host = reference.host()?;
        let proxy = self.proxies.find(scheme, host.as_str())?;
        let is_http = proxy.kind == Kind::Http && scheme.eq_ignore_ascii_case("http");
        is_http.then_some(proxy)
    }

    /// Replaces the connections of a plan by those through proxies.
    pub(crate) fn through_proxies(&self, request: &Request<'_>, plan: &mut Plan) -> Result<()> {
        let scheme = scheme(request.reference)?;
        plan.replace_connections(|host, port| {
            let Some(proxy) = self.proxies.find(scheme, host) else {
                return Ok(None);
            };
            let mut steps = vec![Action::ConnectProxy(proxy.host.clone(), proxy.port)];
            if proxy.kind == Kind::Http {
                let lines = http1::connect_lines(host, port, proxy.token().as_ref())?;
                steps.extend(lines.into_iter().map(Action::send));
            } else {
                steps.push(Action::AskProxy(host.to_owned(), port));
            }
            Ok(Some(steps))
        })
    }

    fn with_protocol<T>(
        &self,
        name: &str,
        work: impl FnOnce(&dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let is_it = |scheme: &&str| scheme.eq_ignore_ascii_case(name);
        let mut protocols = self.protocols.iter().map(AsRef::as_ref);
        let speaks = |protocol: &&dyn Protocol| protocol.schemes().iter().any(is_it);
        if let Some(protocol) = protocols.find(speaks) {
            return work(protocol);
        }
        let scheme = name.to_ascii_lowercase();
        Err(Error::new(ErrorKind::NoProtocol { scheme }))
    }

    /// The default port of the request's scheme, or of the proxy's if there is one.
    pub(crate) fn port_of(&self, request: &Request<'_>) -> Option<u16> {
        let name = match request.proxy {
            Some(gateway) => Some(gateway.url().scheme()),
            None => request.reference.scheme(),
        };
        self.registry.find(name?)?.facts().port
    }
}

/// Whether the port can be connected to. A grammar allows any number.
fn check_port(reference: AnyRef<'_>) -> Result<()> {
    let authority = reference.authority();
    let is_given = reference.port().is_some_and(|digits| !digits.is_empty());
    match authority.and_then(|authority| authority.port_number()) {
        None if is_given => Err(UrlError::PortRange.into()),
        _ => Ok(()),
    }
}

/// The scheme of a reference. A relative reference is an error.
pub(crate) fn scheme(reference: AnyRef<'_>) -> Result<&str> {
    reference
        .scheme()
        .ok_or_else(|| Error::new(ErrorKind::Relative))
}

/// A proxy, read from `http://`, `socks5://` or `socks5h://` with an optional `user:password@`, a
/// host and an optional port, which is 1080 by default, as in curl. Without a scheme, it is `http`.
///
/// An HTTP proxy gets the complete URI of `http` URLs; to servers of all other schemes, it connects
/// (`CONNECT`, RFC 9110, 9.3.6). With `socks5` (RFC 1928), names are resolved here, so that the policy
/// judges their addresses; with `socks5h`, and by an HTTP proxy, they are resolved there.
///
/// ```
/// use urikit_access::Proxy;
/// let proxy: Proxy = "socks5h://localhost:9050".parse()?;
/// assert_eq!(proxy.to_string(), "socks5h://localhost:9050");
/// assert!("https://proxy.example".parse::<Proxy>().is_err());
/// # Ok::<(), urikit_access::ProxyError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    pub(crate) kind: Kind,
    /// As written in the URL.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) credentials: Option<Credentials>,
    /// For the complete URI in a request line.
    pub(crate) gateway: Gateway,
}

/// How a proxy is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Http,
    /// It gets addresses.
    Socks5,
    /// It resolves names.
    Socks5h,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Socks5 => "socks5",
            Self::Socks5h => "socks5h",
        }
    }
}

/// Why a text names no proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProxyError {
    /// It is not a URL of a server.
    Url,
    /// The scheme is neither `http` nor `socks5` nor `socks5h`.
    Scheme,
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url => "expected a proxy as [SCHEME://][USER:PASSWORD@]HOST[:PORT]",
            Self::Scheme => "expected a proxy of the scheme http, socks5 or socks5h",
        })
    }
}

impl std::error::Error for ProxyError {}

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> std::result::Result<Self, ProxyError> {
        let text = if text.contains("://") {
            text.to_owned()
        } else {
            format!("http://{text}")
        };
        let url = Uri::parse(&text).map_err(|_| ProxyError::Url)?;
        let scheme = url.scheme().to_ascii_lowercase();
        let kinds = [Kind::Http, Kind::Socks5, Kind::Socks5h];
        let kind = kinds.into_iter().find(|kind| kind.name() == scheme);
        let kind = kind.ok_or(ProxyError::Scheme)?;
        let authority = url.authority().ok_or(ProxyError::Url)?;
        let host = authority.host().as_str().to_owned();
        let port = match url.port() {
            Some(digits) if !digits.is_empty() => authority
                .port_number()
                .filter(|port| *port > 0)
                .ok_or(ProxyError::Url)?,
            _ => 1080,
        };
        let is_server = ["", "/"].contains(&url.path().as_str())
            && url.query().is_none()
            && url.fragment().is_none();
        if !is_server || host.is_empty() {
            return Err(ProxyError::Url);
        }
        let gateway = Gateway::proxy(&format!("http://{host}:{port}"));
        let credentials = UriRef::parse(&text)
            .ok()
            .and_then(|url| Credentials::of(url.into()));
        Ok(Self {
            kind,
            host,
            port,
            credentials,
            gateway: gateway.map_err(|_| ProxyError::Url)?,
        })
    }
}

impl Proxy {
    /// The token of the "Basic" scheme (RFC 7617) for its user and password.
    pub(crate) fn token(&self) -> Option<Secret> {
        let Credentials { user, password } = self.credentials.as_ref()?;
        let token = base64::encode(format!("{user}:{password}").as_bytes()).to_string();
        Secret::new(token.bytes(), "password").ok()
    }
}

impl fmt::Display for Proxy {
    /// Without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}:{}", self.kind.name(), self.host, self.port)
    }
}

impl fmt::Debug for Proxy {
    /// Without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which proxy is used for which URLs.
///
/// ```
/// use urikit_access::{Client, Policy, Proxies};
/// let proxies = Proxies::new().all("socks5://localhost".parse()?).except("localhost,.example.org");
/// let client = Client::new(Policy::new()).proxies(proxies);
/// # Ok::<(), urikit_access::ProxyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    all: Option<Proxy>,
    exceptions: Vec<Exception>,
}

/// A server that is connected to without a proxy.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Exception {
    Every,
    /// A name, and all names that end in it after a dot.
    Name(String),
    /// Addresses with the same leading bits, so many of them.
    Network(IpAddr, u8),
}

impl Proxies {
    /// No proxies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the proxy for `http` URLs.
    #[must_use]
    pub fn http(mut self, proxy: Proxy) -> Self {
        self.http = Some(proxy);
        self
    }

    /// Sets the proxy for `https` URLs.
    #[must_use]
    pub fn https(mut self, proxy: Proxy) -> Self {
        self.https = Some(proxy);
        self
    }

    /// Sets the proxy for URLs of all other schemes, and for `http` and `https` if they have none.
    /// What a proxy cannot do is refused: datagrams, and programs that connect by themselves.
    #[must_use]
    pub fn all(mut self, proxy: Proxy) -> Self {
        self.all = Some(proxy);
        self
    }

    /// Sets the servers that are connected to directly, as in the variable `no_proxy`: names, each
    /// with its subdomains, addresses and networks (`10.0.0.0/8`), separated by commas or spaces; `*`
    /// is every server.
    #[must_use]
    pub fn except(mut self, list: &str) -> Self {
        let words = list.split([',', ' ']).filter(|word| !word.is_empty());
        self.exceptions = words.map(Exception::of).collect();
        self
    }

    /// The proxy for a server; the host is as written in a URL.
    pub(crate) fn find(&self, scheme: &str, host: &str) -> Option<&Proxy> {
        let own = match scheme.to_ascii_lowercase().as_str() {
            "http" => self.http.as_ref(),
            "https" => self.https.as_ref(),
            _ => None,
        };
        let proxy = own.or(self.all.as_ref())?;
        let is_direct = self
            .exceptions
            .iter()
            .any(|exception| exception.is_for(host));
        (!is_direct).then_some(proxy)
    }
}

impl Exception {
    fn of(word: &str) -> Self {
        if word == "*" {
            return Self::Every;
        }
        let (address, bits) = match word.split_once('/') {
            Some((address, bits)) => (address, bits.parse().ok()),
            None => (word, Some(u8::MAX)),
        };
        let address = address.trim_start_matches('[').trim_end_matches(']');
        match (address.parse(), bits) {
            (Ok(address), Some(bits)) => Self::Network(address, bits),
            _ => Self::Name(plain(word.trim_start_matches('.'))),
        }
    }

    fn is_for(&self, host: &str) -> bool {
        match self {
            Self::Every => true,
            Self::Name(name) => {
                let host = plain(host);
                let before = host.strip_suffix(name.as_str());
                before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
            }
            Self::Network(network, bits) => {
                let host = host.trim_start_matches('[').trim_end_matches(']');
                let host = host.parse::<IpAddr>().map(|host| host.to_canonical());
                host.is_ok_and(|host| has_prefix(host, *network, *bits))
            }
        }
    }
}

/// In lower case, without a last dot.
fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

fn has_prefix(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            let shift = 32_u32.saturating_sub(bits.into());
            let differ = address.to_bits() ^ network.to_bits();
            differ.checked_shr(shift).unwrap_or(0) == 0
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            let shift = 128_u32.saturating_sub(bits.into());
            let differ = address.to_bits() ^ network.to_bits();
            differ.checked_shr(shift).unwrap_or(0) == 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Proxies, Proxy};

    #[test]
    fn proxies_are_read_as_curl_reads_them() {
        for (text, shown) in [
            ("proxy.example", "http://proxy.example:1080"),
            ("proxy.example:3128", "http://proxy.example:3128"),
            (
                "HTTP://u:p@proxy.example:8080/",
                "http://proxy.example:8080",
            ),
            ("socks5://[::1]", "socks5://[::1]:1080"),
            ("socks5h://h:1", "socks5h://h:1"),
        ] {
            let proxy: Proxy = text.parse().unwrap();
            assert_eq!(proxy.to_string(), shown, "{text}");
            assert_eq!(format!("{proxy:?}"), shown);
        }
        for text in [
            "",
            "http://",
            "https://h",
            "socks4://h",
            "ftp://h",
            "h:0",
            "h:65536",
            "h/a",
            "h?a",
        ] {
            assert!(text.parse::<Proxy>().is_err(), "{text}");
        }
    }

    #[test]
    fn exceptions_are_those_of_curl() {
        let proxies = Proxies::new()
            .all("h".parse().unwrap())
            .http("g".parse().unwrap())
            .except("localhost, .Example.org,10.0.0.0/8 192.168.1.1,[::1],fd00::/8");
        for (host, is_direct) in [
            ("localhost", true),
            ("LOCALHOST.", true),
            ("example.org", true),
            ("a.example.org", true),
            ("anexample.org", false),
            ("10.255.0.1", true),
            ("11.0.0.1", false),
            ("192.168.1.1", true),
            ("192.168.1.2", false),
            ("[::1]", true),
            ("[fd12::1]", true),
            ("[fe80::1]", false),
            ("[::ffff:10.0.0.1]", true),
            ("10.example", false),
        ] {
            assert_eq!(proxies.find("ftp", host).is_none(), is_direct, "{host}");
        }
        assert_eq!(proxies.find("HTTP", "h.dom").unwrap().host, "g");
        assert_eq!(proxies.find("https", "h.dom").unwrap().host, "h");
        assert!(proxies.except("*").find("http", "h.dom").is_none());
    }
}
