//! Proxies, which are servers that connect to other servers on behalf of this client.

use crate::command::Secret;
use crate::request::Credentials;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use urikit::{Uri, UriRef};
use urikit_mime::base64;
use urikit_schemes::Gateway;

/// A proxy. Its text form consists of an optional `http://`, `socks5://` or `socks5h://`, an
/// optional `user:password@`, a host and an optional port. As in curl, the default port is 1080,
/// and the default scheme is `http`.
///
/// For `http` URLs, an HTTP proxy receives the complete URI. For all other schemes, the client
/// asks the HTTP proxy to connect to the server (`CONNECT`, RFC 9110, 9.3.6). With `socks5` (RFC
/// 1928), this client resolves names, so the policy checks their addresses. With `socks5h` and
/// with `http`, the proxy resolves names.
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
    /// The host, as written in the URL.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) credentials: Option<Credentials>,
    /// The proxy as a gateway, if requests to it contain the complete URI.
    pub(crate) gateway: Gateway,
}

/// The protocol of a proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Http,
    /// SOCKS5 with addresses.
    Socks5,
    /// SOCKS5 with host names that the proxy resolves.
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

/// The error for a string that does not describe a proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProxyError {
    /// The string is not the URL of a server.
    Url,
    /// The scheme is not `http`, `socks5` or `socks5h`.
    Scheme,
    /// An `ADDRESS/BITS` entry in the list of servers that need no proxy has an invalid address or
    /// number of bits.
    Network,
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url => "expected a proxy as [SCHEME://][USER:PASSWORD@]HOST[:PORT]",
            Self::Scheme => "expected a proxy with the scheme http, socks5 or socks5h",
            Self::Network => {
                "expected networks as ADDRESS/BITS, up to /32 for IPv4 and /128 for IPv6"
            }
        })
    }
}

impl std::error::Error for ProxyError {}

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
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
    /// Returns the token of the "Basic" scheme (RFC 7617) for the user and password of the proxy.
    pub(crate) fn token(&self) -> Option<Secret> {
        let Credentials { user, password } = self.credentials.as_ref()?;
        let token = base64::encode(format!("{user}:{password}").as_bytes()).to_string();
        Secret::new(token.bytes(), "password").ok()
    }
}

impl fmt::Display for Proxy {
    /// Writes the URL of the proxy without the user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}:{}", self.kind.name(), self.host, self.port)
    }
}

impl fmt::Debug for Proxy {
    /// Writes the URL of the proxy without the user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The proxies to use for URLs, depending on scheme and host.
///
/// ```
/// use urikit_access::{Client, Policy, Proxies};
/// let proxies = Proxies::new().all("socks5://localhost".parse()?);
/// let proxies = proxies.except("localhost,.example.org")?;
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

/// A server that the client connects to without a proxy.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Exception {
    Every,
    /// A name and its subdomains.
    Name(String),
    /// A network, given by an address and the length of its prefix in bits.
    Network(IpAddr, u8),
}

impl Proxies {
    /// Creates a list without proxies.
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

    /// Sets the proxy for URLs of all other schemes, and for `http` and `https` if no proxy is set
    /// for them. If this proxy is set, datagrams and programs that open their own connections are
    /// refused.
    #[must_use]
    pub fn all(mut self, proxy: Proxy) -> Self {
        self.all = Some(proxy);
        self
    }

    /// Sets the servers that need no proxy, in the format of the `no_proxy` variable. The list
    /// contains names, addresses and networks (`10.0.0.0/8`), separated by commas or spaces. A
    /// name includes its subdomains. `*` means every server.
    ///
    /// ```
    /// use urikit_access::Proxies;
    /// assert!(Proxies::new().except("localhost, 10.0.0.0/8").is_ok());
    /// assert!(Proxies::new().except("10.0.0.0/33").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a network is not valid. If the network were ignored, requests that must bypass the
    /// proxy would go through it.
    pub fn except(mut self, list: &str) -> Result<Self, ProxyError> {
        let words = list.split([',', ' ']).filter(|word| !word.is_empty());
        self.exceptions = words.map(Exception::of).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Returns the proxy for a server, whose host is written as in a URL.
    pub(crate) fn find(&self, scheme: &str, host: &str) -> Option<&Proxy> {
        let own = if scheme.eq_ignore_ascii_case("http") {
            self.http.as_ref()
        } else if scheme.eq_ignore_ascii_case("https") {
            self.https.as_ref()
        } else {
            None
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
    fn of(word: &str) -> Result<Self, ProxyError> {
        if word == "*" {
            return Ok(Self::Every);
        }
        let (address, bits) = match word.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (word, None),
        };
        let address = address.trim_start_matches('[').trim_end_matches(']');
        let address: Option<IpAddr> = address.parse().ok();
        let most = if address.is_some_and(|it| it.is_ipv4()) {
            32
        } else {
            128
        };
        match (address, bits) {
            (Some(address), None) => Ok(Self::Network(address, most)),
            (Some(address), Some(bits)) => {
                let is_number = bits.bytes().all(|byte| byte.is_ascii_digit());
                let bits = bits.parse().ok().filter(|bits| is_number && *bits <= most);
                let bits = bits.ok_or(ProxyError::Network)?;
                Ok(Self::Network(address, bits))
            }
            (None, Some(_)) => Err(ProxyError::Network),
            (None, None) => Ok(Self::Name(plain(word.trim_start_matches('.')))),
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

/// Converts a name to lower case, and removes a trailing dot.
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
    use super::{Proxies, Proxy, ProxyError};

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
            .except("localhost, .Example.org,10.0.0.0/8 192.168.1.1,[::1],fd00::/8")
            .unwrap();
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
        let every = proxies.except("*").unwrap();
        assert!(every.find("http", "h.dom").is_none());
        let all = Proxies::new().all("h".parse().unwrap());
        let all = all.except("0.0.0.0/0,[fd00::]/128").unwrap();
        assert!(all.find("http", "10.0.0.1").is_none());
        for list in [
            "10.0.0.0/33",
            "a,10.0.0.0/33",
            "10.0.0.0/256",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.0/-1",
            "10.0.0.0/255.0.0.0",
            "10.0.0.0/8/8",
            "fd00::/129",
            "10/8",
            "example.org/8",
            "/8",
        ] {
            let error = Proxies::new().except(list).unwrap_err();
            assert_eq!(error, ProxyError::Network, "{list}");
        }
    }
}
