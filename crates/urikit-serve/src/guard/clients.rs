//! Counts the connections and requests of each client.

use crate::config::Limits;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The connections and requests of all clients.
#[derive(Debug)]
pub(crate) struct Clients {
    all: Mutex<All>,
    most: usize,
    most_per_client: usize,
    /// The number of requests per second.
    rate: f64,
}

#[derive(Default, Debug)]
struct All {
    connections: usize,
    /// Contains the clients that have connections, and those that recently had a connection.
    clients: HashMap<IpAddr, Client>,
}

#[derive(Debug)]
struct Client {
    connections: usize,
    /// The number of requests that the client may send now.
    tokens: f64,
    updated: Instant,
}

/// The size of a burst, in seconds: a client may send the requests of this many seconds at once.
const BURST: f64 = 5.0;

/// The number of recorded clients at which clients without connections are removed.
const MANY: usize = 10_000;

impl Clients {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            all: Mutex::default(),
            most: limits.connections,
            most_per_client: limits.connections_per_client,
            rate: limits.requests_per_second.into(),
        }
    }

    /// Returns the number of connections.
    pub(crate) fn connections(&self) -> usize {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.connections
    }

    /// Counts a connection until the result is dropped. Returns `None` if there are too many
    /// connections. Connections of a proxy belong to many clients, so only their total is limited.
    pub(crate) fn connect(self: &Arc<Self>, address: IpAddr, is_proxy: bool) -> Option<Connected> {
        let address = group(address);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.connections >= self.most {
            return None;
        }
        if all.clients.len() >= MANY {
            all.clients.retain(|_, client| client.connections > 0);
        }
        let client = all.clients.entry(address).or_insert_with(|| Client {
            connections: 0,
            tokens: self.rate * BURST,
            updated: Instant::now(),
        });
        if client.connections >= self.most_per_client && !is_proxy {
            return None;
        }
        client.connections += 1;
        all.connections += 1;
        Some(Connected {
            clients: Arc::clone(self),
            address,
        })
    }

    /// Counts a request. Returns false if the client has sent too many requests.
    pub(crate) fn admit(&self, address: IpAddr) -> bool {
        if self.rate == 0.0 {
            return true;
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.clients.len() >= MANY {
            all.clients.retain(|_, client| client.connections > 0);
        }
        let now = Instant::now();
        // If a client uses a proxy, its requests arrive on the proxy's connections.
        let client = all.clients.entry(group(address)).or_insert_with(|| Client {
            connections: 0,
            tokens: self.rate * BURST,
            updated: now,
        });
        let passed = now.duration_since(client.updated).as_secs_f64();
        client.tokens = (client.tokens + passed * self.rate).min(self.rate * BURST);
        client.updated = now;
        let is_admitted = client.tokens >= 1.0;
        if is_admitted {
            client.tokens -= 1.0;
        }
        is_admitted
    }
}

/// A connection of a client.
#[derive(Debug)]
pub(crate) struct Connected {
    clients: Arc<Clients>,
    address: IpAddr,
}

impl Drop for Connected {
    fn drop(&mut self) {
        let all = &self.clients.all;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.connections = all.connections.saturating_sub(1);
        if let Some(client) = all.clients.get_mut(&self.address) {
            client.connections = client.connections.saturating_sub(1);
        }
    }
}

/// Returns the address that represents a client. All addresses of an IPv6 network count as one
/// client.
fn group(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::Clients;
    use crate::config::Limits;
    use std::net::IpAddr;
    use std::sync::Arc;

    #[test]
    fn connections_are_counted() {
        let clients = Arc::new(Clients::new(&Limits {
            connections: 3,
            connections_per_client: 2,
            ..Limits::default()
        }));
        let [a, same_network, b]: [IpAddr; 3] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|text| text.parse().unwrap());
        let one = clients.connect(a, false);
        let _two = clients.connect(same_network, false).unwrap();
        assert!(one.is_some() && clients.connect(a, false).is_none());
        let _other = clients.connect(b, false).unwrap();
        assert!(clients.connect(b, false).is_none(), "three in total");
        drop(one);
        assert!(clients.connect(a, false).is_some());
    }

    #[test]
    fn requests_are_counted() {
        let limits = Limits {
            requests_per_second: 10,
            ..Limits::default()
        };
        let clients = Arc::new(Clients::new(&limits));
        let [a, b]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let _connections = (clients.connect(a, false), clients.connect(b, false));
        let admitted = (0..1000).filter(|_| clients.admit(a)).count();
        assert!((50..100).contains(&admitted), "{admitted}");
        assert!(clients.admit(b));
    }
}
