//! What an access may do. The policy is asked before anything is done.
//!
//! Protocols know nothing of it. They reach the network, and programs, only through
//! [`Context`](crate::Context), which asks the policy. Files, which `file`, `mid` and `cid` open
//! themselves, are subject to the check of the scheme alone. The defaults are safe for references
//! from untrusted sources.

mod datagram;
mod ports;
mod refusal;
mod source;

pub use refusal::Refusal;
pub use source::Source;
pub use urikit::component::AddressKind;

use std::net::IpAddr;
use std::time::Duration;

/// Schemes that access this machine, the user or a program. No setting allows a redirect to them.
const NEVER_FROM_NETWORK: &[&str] = &[
    "file", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "data",
];

/// Where redirects lead by default.
const NETWORK: &[&str] = &["http", "https", "ftp", "gopher", "nntp", "news", "snews"];

/// What an access may do, and how much of it.
///
/// ```
/// use std::time::Duration;
/// use urikit_access::Policy;
/// let policy = Policy::new()
///     .allow_private(true)
///     .allow_port(2525)
///     .total_timeout(Duration::from_secs(20));
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) connect_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) max_line: usize,
    pub(crate) max_bytes: u64,
    pub(crate) max_items: u64,
    pub(crate) max_depth: usize,
    allow_private: bool,
    ports: Vec<u16>,
    schemes: Option<Vec<String>>,
    network_schemes: Option<Vec<String>>,
    max_redirects: usize,
}

impl Policy {
    /// The safe defaults: public addresses, no port of another protocol, at most 10 redirects; 30
    /// seconds to connect, 60 without data, an hour in all; 64 KiB for a line, 10 GiB for a body,
    /// a million items for a listing, 32 levels of nesting.
    pub fn new() -> Self {
        Self {
            connect_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(60),
            total_timeout: Duration::from_secs(60 * 60),
            max_line: 64 << 10,
            max_bytes: 10 << 30,
            max_items: 1_000_000,
            max_depth: 32,
            allow_private: false,
            ports: Vec::new(),
            schemes: None,
            network_schemes: None,
            max_redirects: 10,
        }
    }

    /// Whether loopback and private addresses may be connected to. Link-local and reserved
    /// addresses stay refused.
    #[must_use]
    pub const fn allow_private(mut self, allow: bool) -> Self {
        self.allow_private = allow;
        self
    }

    /// Allows another port, for every scheme. Datagrams, which `prospero` sends, may go to no other
    /// ports than the scheme's own and these.
    #[must_use]
    pub fn allow_port(mut self, port: u16) -> Self {
        self.ports.push(port);
        self
    }

    /// Allows only these schemes in references that the user gives. By default, all are allowed.
    /// The scheme of a gateway must be allowed too.
    #[must_use]
    pub fn schemes<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.schemes = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Allows redirects only to these schemes; by default `http`, `https`, `ftp`, `gopher`,
    /// `nntp`, `news` and `snews`, and from `prospero` also to itself and `wais`. Schemes that
    /// access this machine or the user, such as `file`, `mailto` and `telnet`, stay refused.
    #[must_use]
    pub fn network_schemes<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.network_schemes = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// How many redirects are followed.
    #[must_use]
    pub const fn max_redirects(mut self, max: usize) -> Self {
        self.max_redirects = max;
        self
    }

    /// How long connecting may take, including the look-up of the name.
    #[must_use]
    pub const fn connect_timeout(mut self, max: Duration) -> Self {
        self.connect_timeout = max;
        self
    }

    /// How long a server may send or accept nothing.
    #[must_use]
    pub const fn idle_timeout(mut self, max: Duration) -> Self {
        self.idle_timeout = max;
        self
    }

    /// How long the complete access may take.
    #[must_use]
    pub const fn total_timeout(mut self, max: Duration) -> Self {
        self.total_timeout = max;
        self
    }

    /// The longest line that a server may send, in bytes.
    #[must_use]
    pub const fn max_line(mut self, max: usize) -> Self {
        self.max_line = max;
        self
    }

    /// The longest body, in bytes.
    #[must_use]
    pub const fn max_bytes(mut self, max: u64) -> Self {
        self.max_bytes = max;
        self
    }

    /// The longest listing, in entries.
    #[must_use]
    pub const fn max_items(mut self, max: u64) -> Self {
        self.max_items = max;
        self
    }

    /// How deeply data may be nested, such as the parts of a message.
    #[must_use]
    pub const fn max_depth(mut self, max: usize) -> Self {
        self.max_depth = max;
        self
    }

    /// Whether a scheme may be used.
    pub(crate) fn check_scheme(&self, scheme: &str, source: Source) -> Result<(), Refusal> {
        let is_it = |name: &str| name.eq_ignore_ascii_case(scheme);
        let allowed = match source {
            Source::User => self
                .schemes
                .as_ref()
                .is_none_or(|names| names.iter().any(|name| is_it(name))),
            Source::Network => {
                !NEVER_FROM_NETWORK.iter().any(|name| is_it(name))
                    && self
                        .network_schemes
                        .as_ref()
                        .is_none_or(|names| names.iter().any(|name| is_it(name)))
            }
        };
        let scheme = scheme.to_ascii_lowercase();
        allowed
            .then_some(())
            .ok_or(Refusal::Scheme { scheme, source })
    }

    /// Whether a redirect may lead from one scheme to another.
    pub(crate) fn check_redirect(&self, from: &str, to: &str) -> Result<(), Refusal> {
        let source = Source::Network;
        self.check_scheme(to, source)?;
        let (from, scheme) = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        // The access methods of a Prospero object.
        let is_method = from == "prospero" && matches!(&*scheme, "prospero" | "wais");
        let is_allowed = self.network_schemes.is_some() || is_method || NETWORK.contains(&&*scheme);
        is_allowed
            .then_some(())
            .ok_or(Refusal::Scheme { scheme, source })
    }

    /// Whether a port may be connected to. The scheme's `own` ports are allowed by default.
    pub(crate) fn check_port(&self, port: u16, own: &[u16]) -> Result<(), Refusal> {
        let allowed = port != 0
            && (own.contains(&port) || self.ports.contains(&port) || !ports::is_bad(port));
        allowed.then_some(()).ok_or(Refusal::Port { port })
    }

    /// Whether an address may be connected to.
    pub(crate) fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
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

    /// Whether another redirect may be followed, after `redirects` of them.
    pub(crate) const fn check_redirects(&self, redirects: usize) -> Result<(), Refusal> {
        if redirects < self.max_redirects {
            Ok(())
        } else {
            Err(Refusal::Redirects {
                max: self.max_redirects,
            })
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
    fn no_setting_allows_redirects_to_this_machine() {
        let policy = Policy::new().network_schemes(["file", "telnet", "mailto", "FTP"]);
        for scheme in ["file", "FILE", "telnet", "mailto", "x-own", "http"] {
            assert!(
                policy.check_scheme(scheme, Source::Network).is_err(),
                "{scheme}"
            );
            assert!(
                policy.check_scheme(scheme, Source::User).is_ok(),
                "{scheme}"
            );
        }
        assert!(policy.check_scheme("ftp", Source::Network).is_ok());
        assert!(
            Policy::new()
                .schemes(["http"])
                .check_scheme("ftp", Source::User)
                .is_err()
        );
    }

    #[test]
    fn ports() {
        let policy = Policy::new();
        assert!(policy.check_port(21, &[21]).is_ok());
        assert!(policy.check_port(25, &[21]).is_err());
        assert!(policy.check_port(0, &[0]).is_err());
        assert!(policy.check_port(8080, &[80]).is_ok());
        assert!(policy.clone().allow_port(25).check_port(25, &[]).is_ok());
        assert!(policy.allow_port(0).check_port(0, &[]).is_err());
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
                strict.check_address(address).is_ok(),
                by_default,
                "{address}"
            );
            assert_eq!(
                free.check_address(address).is_ok(),
                with_private,
                "{address}"
            );
        }
    }
}
