//! The configuration of the server.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The configuration of the server.
///
/// ```
/// use urikit_serve::{Config, ConfigError};
/// let config = Config {
///     listen: vec!["0.0.0.0:80".parse()?],
///     ..Config::default()
/// };
/// assert_eq!(config.check(), Err(ConfigError::NoPublicHost("0.0.0.0:80".parse()?)));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// The addresses to listen on.
    pub listen: Vec<SocketAddr>,
    /// The names under which clients reach the server, without ports.
    pub public_hosts: Vec<String>,
    /// The proxies in front of the server, whose `X-Forwarded-` fields are trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// The gateway, if it is on.
    pub gateway: Option<GatewayConfig>,
    /// The limits for clients.
    pub limits: Limits,
}

/// The configuration of the gateway: a second listener, which shows resources of other servers.
///
/// ```
/// use urikit_serve::GatewayConfig;
/// assert_eq!(GatewayConfig::default().listen.port(), 8739);
/// ```
#[derive(Clone, Debug)]
pub struct GatewayConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The URL at which browsers reach the gateway. The default URL has the host of the page and
    /// the port of the gateway.
    pub url: Option<String>,
    /// True if the gateway may connect to loopback and private addresses.
    pub allow_private: bool,
    /// Ports of other protocols to which the gateway may connect.
    pub allow_ports: Vec<u16>,
    /// The news server for URLs that do not name one.
    pub news_server: Option<String>,
    /// The maximum number of simultaneous transfers.
    pub transfers: usize,
}

impl Default for GatewayConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8739),
            url: None,
            allow_private: false,
            allow_ports: Vec::new(),
            news_server: None,
            transfers: 256,
        }
    }
}

impl Config {
    /// The default address: port 8738 on loopback.
    pub const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8738);

    /// Checks that a public host is given if an address is not on loopback, and that each public
    /// host is a host name or an IP address.
    ///
    /// # Errors
    /// Returns the reason why the configuration is not valid.
    pub fn check(&self) -> Result<(), ConfigError> {
        let gateway = self.gateway.iter().map(|gateway| &gateway.listen);
        let outside = self
            .listen
            .iter()
            .chain(gateway)
            .find(|address| !address.ip().is_loopback());
        if let (Some(address), []) = (outside, self.public_hosts.as_slice()) {
            return Err(ConfigError::NoPublicHost(*address));
        }
        let is_host = |name: &&String| {
            urikit::Uri::parse(&format!("http://{name}/")).is_ok_and(|uri| {
                uri.authority()
                    .is_some_and(|all| all.host().as_str() == name.as_str())
            }) && !name.is_empty()
        };
        match self.public_hosts.iter().find(|name| !is_host(name)) {
            Some(name) => Err(ConfigError::NotAHost(name.clone())),
            None => Ok(()),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: vec![Self::LISTEN],
            public_hosts: Vec::new(),
            trusted_proxies: Vec::new(),
            gateway: None,
            limits: Limits::default(),
        }
    }
}

/// The reason why a configuration is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigError {
    /// An address is not on loopback, and no public host is given.
    NoPublicHost(SocketAddr),
    /// A public host is not a valid host.
    NotAHost(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPublicHost(address) => write!(
                f,
                "{address} can be reached by other machines: --public-host must name the host in \
                 their requests"
            ),
            Self::NotAHost(_) => {
                f.write_str("--public-host: expected a host name or an IP address, without a port")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// The limits for clients.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum length of a body, and of a line in a batch, in bytes.
    pub body: usize,
    /// The maximum number of lines in a batch.
    pub batch: usize,
    /// The maximum memory for all bodies and all results waiting to be sent, in bytes.
    pub memory: usize,
    /// The time limit for the head of a request, and for an idle connection.
    pub head_time: Duration,
    /// The time limit for a body.
    pub body_time: Duration,
    /// The time limit for a batch.
    pub batch_time: Duration,
    /// The time after which a client that receives nothing is disconnected.
    pub write_time: Duration,
    /// The time limit for requests that are still running when the server stops.
    pub grace: Duration,
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of connections from one client.
    pub connections_per_client: usize,
    /// The number of requests per second that one client may send on average; 0 for no limit.
    pub requests_per_second: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            batch: 100_000,
            memory: 128 << 20,
            head_time: Duration::from_secs(20),
            body_time: Duration::from_secs(30),
            batch_time: Duration::from_secs(300),
            write_time: Duration::from_secs(20),
            grace: Duration::from_secs(10),
            connections: 2000,
            connections_per_client: 100,
            requests_per_second: 200,
        }
    }
}
