//! What may be done: one value, asked before anything is done, with nothing around it.
//!
//! Protocols know nothing of it. They reach the network and programs by [`Context`](crate::Context) alone, which asks
//! here. Files, which `file`, `mid` and `cid` open themselves, are judged by the scheme alone. The defaults are for
//! references that anyone may have written.

mod address;
mod ports;
mod refusal;
mod source;

pub use address::AddressKind;
pub use refusal::Refusal;
pub use source::Source;

use std::net::IpAddr;
use std::time::Duration;

/// Schemes that lead to this machine, to a person or to a program. What comes from the network never leads
/// there, whoever says so.
const NEVER_FROM_NETWORK: &[&str] = &[
    "file", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "data",
];

/// What is allowed, and how much of it.
///
/// ```
/// use std::time::Duration;
/// use urikit_access::Policy;
/// let policy = Policy::new().allow_private(true).total_time(Duration::from_secs(20)).allow_port(2525);
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) connect_time: Duration,
    pub(crate) idle_time: Duration,
    pub(crate) total_time: Duration,
    pub(crate) longest_line: usize,
    pub(crate) most_bytes: u64,
    pub(crate) most_items: u64,
    pub(crate) deepest: usize,
    allow_private: bool,
    ports: Vec<u16>,
    schemes: Option<Vec<String>>,
    network_schemes: Vec<String>,
    hops: usize,
}

impl Policy {
    /// The safe defaults: public addresses, no port of another protocol, at most 10 hops, 30 seconds to connect, 60 of
    /// silence, an hour in all; 64 KiB for a line, 10 GiB and a million items for a body, 32 levels of nesting.
    pub fn new() -> Self {
        let network = ["http", "https", "ftp", "gopher", "nntp", "news", "snews"];
        Self {
            connect_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(60),
            total_time: Duration::from_secs(60 * 60),
            longest_line: 64 << 10,
            most_bytes: 10 << 30,
            most_items: 1_000_000,
            deepest: 32,
            allow_private: false,
            ports: Vec::new(),
            schemes: None,
            network_schemes: network.map(String::from).to_vec(),
            hops: 10,
        }
    }

    /// Whether this machine and private networks may be connected to. The link is not among them, nor is what is
    /// reserved.
    #[must_use]
    pub const fn allow_private(mut self, allow: bool) -> Self {
        self.allow_private = allow;
        self
    }

    /// Allows one more port, for every scheme.
    #[must_use]
    pub fn allow_port(mut self, port: u16) -> Self {
        self.ports.push(port);
        self
    }

    /// Allows a person these schemes only; all, by default. The scheme of a gateway needs to be among them too.
    #[must_use]
    pub fn schemes<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.schemes = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Allows the network to lead to these schemes only, among those that it may lead to at all: `file`, `mailto`,
    /// `telnet` and others that reach this machine or a person stay refused. By default `http`, `https`, `ftp`,
    /// `gopher`, `nntp`, `news` and `snews`.
    #[must_use]
    pub fn network_schemes<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.network_schemes = names.into_iter().map(Into::into).collect();
        self
    }

    /// How often the network may lead on.
    #[must_use]
    pub const fn hops(mut self, most: usize) -> Self {
        self.hops = most;
        self
    }

    /// How long connecting may take, with the look-up of the name.
    #[must_use]
    pub const fn connect_time(mut self, most: Duration) -> Self {
        self.connect_time = most;
        self
    }

    /// How long nothing may come or go.
    #[must_use]
    pub const fn idle_time(mut self, most: Duration) -> Self {
        self.idle_time = most;
        self
    }

    /// How long all of it may take.
    #[must_use]
    pub const fn total_time(mut self, most: Duration) -> Self {
        self.total_time = most;
        self
    }

    /// The longest line of a protocol, in bytes.
    #[must_use]
    pub const fn longest_line(mut self, most: usize) -> Self {
        self.longest_line = most;
        self
    }

    /// The longest body, in bytes.
    #[must_use]
    pub const fn most_bytes(mut self, most: u64) -> Self {
        self.most_bytes = most;
        self
    }

    /// The longest listing, in items.
    #[must_use]
    pub const fn most_items(mut self, most: u64) -> Self {
        self.most_items = most;
        self
    }

    /// How deep what is nested may be, such as the parts of a message.
    #[must_use]
    pub const fn deepest(mut self, most: usize) -> Self {
        self.deepest = most;
        self
    }

    /// Whether a scheme may be followed.
    pub(crate) fn judge_scheme(&self, scheme: &str, source: Source) -> Result<(), Refusal> {
        let is_it = |name: &str| name.eq_ignore_ascii_case(scheme);
        let allowed = match source {
            Source::User => self
                .schemes
                .as_ref()
                .is_none_or(|names| names.iter().any(|name| is_it(name))),
            Source::Network => {
                !NEVER_FROM_NETWORK.iter().any(|name| is_it(name))
                    && self.network_schemes.iter().any(|name| is_it(name))
            }
        };
        let scheme = scheme.to_ascii_lowercase();
        allowed
            .then_some(())
            .ok_or(Refusal::Scheme { scheme, source })
    }

    /// Whether a port may be connected to; `own` are the scheme's.
    pub(crate) fn judge_port(&self, port: u16, own: &[u16]) -> Result<(), Refusal> {
        let allowed = port != 0
            && (own.contains(&port) || self.ports.contains(&port) || !ports::is_bad(port));
        allowed.then_some(()).ok_or(Refusal::Port { port })
    }

    /// Whether an address may be connected to.
    pub(crate) fn judge_address(&self, address: IpAddr) -> Result<(), Refusal> {
        let kind = AddressKind::of(address);
        let allowed = match kind {
            AddressKind::Public => true,
            AddressKind::Loopback | AddressKind::Private => self.allow_private,
            _ => false,
        };
        allowed
            .then_some(())
            .ok_or(Refusal::Address { address, kind })
    }

    /// Whether the network may lead on, having done so `hops` times.
    pub(crate) const fn judge_hop(&self, hops: usize) -> Result<(), Refusal> {
        if hops < self.hops {
            Ok(())
        } else {
            Err(Refusal::Hops { most: self.hops })
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Policy, Source};

    #[test]
    fn nothing_makes_the_network_lead_to_this_machine() {
        let policy = Policy::new().network_schemes(["file", "telnet", "mailto", "FTP"]);
        for scheme in ["file", "FILE", "telnet", "mailto", "x-own", "http"] {
            assert!(
                policy.judge_scheme(scheme, Source::Network).is_err(),
                "{scheme}"
            );
            assert!(
                policy.judge_scheme(scheme, Source::User).is_ok(),
                "{scheme}"
            );
        }
        assert!(policy.judge_scheme("ftp", Source::Network).is_ok());
        assert!(
            Policy::new()
                .schemes(["http"])
                .judge_scheme("ftp", Source::User)
                .is_err()
        );
    }

    #[test]
    fn ports() {
        let policy = Policy::new();
        assert!(policy.judge_port(21, &[21]).is_ok());
        assert!(policy.judge_port(25, &[21]).is_err());
        assert!(policy.judge_port(0, &[0]).is_err());
        assert!(policy.judge_port(8080, &[80]).is_ok());
        assert!(policy.clone().allow_port(25).judge_port(25, &[]).is_ok());
        assert!(policy.allow_port(0).judge_port(0, &[]).is_err());
    }

    #[test]
    fn addresses() {
        let (strict, free) = (Policy::new(), Policy::new().allow_private(true));
        for (address, by_default, with_private) in [
            ("93.184.216.34", true, true),
            ("127.0.0.1", false, true),
            ("::1", false, true),
            ("::ffff:192.168.0.1", false, true),
            ("169.254.169.254", false, false),
            ("0.0.0.0", false, false),
            ("224.0.0.1", false, false),
        ] {
            let address = address.parse().unwrap();
            assert_eq!(
                strict.judge_address(address).is_ok(),
                by_default,
                "{address}"
            );
            assert_eq!(
                free.judge_address(address).is_ok(),
                with_private,
                "{address}"
            );
        }
    }
}
