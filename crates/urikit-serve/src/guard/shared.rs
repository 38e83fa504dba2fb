//! The state that all requests share.

use super::{Clients, Hosts, Proxies};
use crate::config::{Config, Limits};
use crate::metrics::Metrics;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use tokio::sync::Semaphore;
use urikit_access::{Client, Policy};
use urikit_report::protocols;

/// The maximum number of simultaneous batches.
const MOST_BATCHES: usize = 64;

/// The state that all requests share.
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) hosts: Hosts,
    pub(crate) clients: Arc<Clients>,
    pub(crate) proxies: Proxies,
    pub(crate) metrics: Metrics,
    /// The address of the gateway, if it is on.
    pub(crate) gateway: Option<GatewayAddress>,
    /// The schemes of the resources that the gateway shows, once it exists.
    pub(crate) schemes: OnceLock<Arc<[String]>>,
    /// One permit for each byte that bodies and long results may still occupy.
    pub(crate) memory: Arc<Semaphore>,
    /// One permit for each processor that may do slow work.
    pub(crate) processors: Semaphore,
    /// Plans the accesses that explanations show. It never connects.
    pub(crate) planner: Client,
    /// One permit for each batch that may begin.
    pub(crate) batches: Arc<Semaphore>,
}

impl Shared {
    /// `addresses` are the addresses on which the server listens.
    pub(crate) fn new(
        config: Config,
        addresses: &[SocketAddr],
        gateway: Option<SocketAddr>,
    ) -> Self {
        let limits = config.limits;
        let given = config.gateway.and_then(|gateway| gateway.url);
        Self {
            hosts: Hosts::new(addresses, &config.public_hosts),
            clients: Arc::new(Clients::new(&limits)),
            proxies: Proxies::new(&config.trusted_proxies),
            metrics: Metrics::default(),
            gateway: gateway.map(|address| match given {
                Some(url) => GatewayAddress::Url(url),
                None => GatewayAddress::Port(address.port()),
            }),
            schemes: OnceLock::new(),
            memory: Arc::new(Semaphore::new(limits.memory.min(Semaphore::MAX_PERMITS))),
            processors: Semaphore::new(available_parallelism().map_or(1, usize::from)),
            planner: protocols::client(Policy::permissive()),
            batches: Arc::new(Semaphore::new(MOST_BATCHES)),
            limits,
        }
    }

    /// Returns the schemes of the resources that the gateway shows; none if it is off.
    pub(crate) fn gateway_schemes(&self) -> Arc<[String]> {
        self.schemes.get().cloned().unwrap_or_default()
    }
}

/// The address at which browsers reach the gateway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GatewayAddress {
    /// An absolute URL.
    Url(String),
    /// A port on the host of the page.
    Port(u16),
}

impl GatewayAddress {
    /// Returns the URL of the gateway, for a request with this `Host` field.
    pub(crate) fn url(&self, host: &str) -> String {
        match self {
            Self::Url(url) => url.trim_end_matches('/').to_owned(),
            Self::Port(port) => {
                let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
                let name = if host.ends_with(']') { host } else { name };
                format!("http://{name}:{port}")
            }
        }
    }
}
