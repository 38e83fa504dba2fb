//! The policy, which determines what an access may do. The client checks the policy before each
//! step.
//!
//! Protocols have no access to the policy. Protocols use the network and start programs only
//! through [`Context`](crate::Context), which checks the policy. Two protocols open files
//! themselves: the one for `file`, and the one for `mid` and `cid`, which searches mailboxes. For
//! these two protocols, only the scheme is checked.

mod hosts;
mod refusal;
mod rules;
#[cfg(test)]
mod tests;

pub use hosts::{HostRule, HostRuleError};
pub use refusal::{Refusal, Source};
pub use rules::{RulesError, SchemeRules};
pub use urikit::component::AddressKind;

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

/// Schemes whose URLs are not fetched from a server. No setting allows redirects to them, and the
/// default policy refuses them in the caller's references too.
const LOCAL: &[&str] = &[
    "file", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "data",
];

/// Ports of other protocols, whose servers might execute parts of a URL as commands. The ports are
/// the bad ports of the Fetch standard (section "Port blocking"), in ascending order.
static BAD_PORTS: &[u16] = &[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080,
];

/// Limits on what an access may do, how much it may transfer, and how long it may take.
///
/// [`new`](Self::new) is safe for untrusted URLs. [`permissive`](Self::permissive)
/// is for URLs that the user typed.
///
/// ```
/// use std::time::Duration;
/// use urikit_access::Policy;
/// let policy = Policy::new()
///     .schemes(["http", "https"])
///     .max_bytes(10 << 20)
///     .total_timeout(Duration::from_secs(20));
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) connect_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) min_rate: (u64, Duration),
    pub(crate) max_rate: u64,
    pub(crate) max_line: usize,
    pub(crate) max_bytes: u64,
    pub(crate) max_items: u64,
    pub(crate) max_depth: usize,
    pub(crate) buffer: usize,
    allow_private: bool,
    /// The hosts that may have private addresses.
    hosts: Vec<HostRule>,
    /// The only host that the rules in `hosts` apply to. `None` if the rules apply to every host.
    trusted: Option<String>,
    ports: Vec<u16>,
    schemes: SchemeRules,
    network_schemes: SchemeRules,
    allow_downgrade: bool,
    allow_local: bool,
    max_redirects: usize,
}

impl Policy {
    /// Creates a policy for untrusted URLs, such as those that a server receives from its clients.
    ///
    /// It refuses
    /// - schemes whose URLs are not fetched from a server (`file`, `data`, `mailto`, `telnet`,
    ///   `rlogin`, `tn3270`, `mid` and `cid`);
    /// - addresses that are not public, and ports of other protocols;
    /// - redirects from `https` to `http`, and more than 10 redirects.
    ///
    /// An access fails if connecting takes more than 30 seconds, if no data arrives for 60
    /// seconds, or if a body arrives at less than 100 bytes per second over a minute. The limits
    /// are 64 KiB for a line, 10 GiB for a body, a million items for a listing, and 32 levels for
    /// nested data.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
    /// let client = Client::new(Policy::new().schemes(["http", "https"]));
    /// let fetch = |url| {
    ///     let request = Request::new(Uri::from_static(url));
    ///     let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
    ///     fetched.unwrap_err().to_string()
    /// };
    /// assert_eq!(fetch("file:///etc/passwd"), "refused: the scheme `file` is not allowed");
    /// assert!(fetch("http://127.1/").ends_with("refused: 127.0.0.1 is a loopback address"));
    /// ```
    pub fn new() -> Self {
        Self {
            connect_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(60),
            total_timeout: Duration::MAX,
            min_rate: (100, Duration::from_secs(60)),
            max_rate: u64::MAX,
            max_line: 64 << 10,
            max_bytes: 10 << 30,
            max_items: 1_000_000,
            max_depth: 32,
            buffer: 64 << 10,
            allow_private: false,
            hosts: Vec::new(),
            trusted: None,
            ports: Vec::new(),
            schemes: SchemeRules::default(),
            network_schemes: SchemeRules::default(),
            allow_downgrade: false,
            allow_local: false,
            max_redirects: 10,
        }
    }

    /// Creates a policy for URLs that the user of the program typed or chose. Unlike
    /// [`new`](Self::new), it allows redirects from `https` to `http`, and every scheme, so that
    /// `file:///etc/passwd` is read.
    pub fn permissive() -> Self {
        Self::new().allow_downgrade(true).allow_local(true)
    }

    /// Allows schemes whose URLs are not fetched from a server: `file`, `data`, `mailto`,
    /// `telnet`, `rlogin`, `tn3270`, `mid` and `cid`. Redirects to these schemes are always
    /// refused.
    #[must_use]
    pub const fn allow_local(mut self, allow: bool) -> Self {
        self.allow_local = allow;
        self
    }

    /// Allows redirects from `https` to `http`. An [event](crate::Event::Downgraded) reports each
    /// of these redirects, and credentials are never sent to the `http` server.
    #[must_use]
    pub const fn allow_downgrade(mut self, allow: bool) -> Self {
        self.allow_downgrade = allow;
        self
    }

    /// Allows connections to loopback and private addresses. Link-local and reserved addresses are
    /// always refused.
    #[must_use]
    pub const fn allow_private(mut self, allow: bool) -> Self {
        self.allow_private = allow;
        self
    }

    /// Allows connections to this host even if its address is loopback or private, provided that
    /// the URL comes from the caller. A rule without a port applies to the default ports of the
    /// scheme.
    ///
    /// A redirect within the host keeps this permission. After a redirect from another host to
    /// this host, the permission does not apply.
    #[must_use]
    pub fn allow_host(mut self, rule: HostRule) -> Self {
        self.hosts.push(rule);
        self
    }

    /// Returns true if the policy has rules that allow hosts to have private addresses.
    pub(crate) fn has_hosts(&self) -> bool {
        !self.hosts.is_empty()
    }

    /// Makes the rules for hosts apply to this host only. If the URL has no host, the rules apply
    /// to the servers in the settings.
    pub(crate) fn trusting(mut self, host: Option<&str>) -> Self {
        self.trusted = host.map(str::to_owned);
        self
    }

    /// Removes the rules for hosts, because the URL comes from the network.
    pub(crate) fn trusting_nothing(mut self) -> Self {
        self.hosts.clear();
        self
    }

    /// Returns the policy for a server, given its host as written in a URL, its port, and the
    /// default ports of the scheme.
    pub(crate) fn at(&self, host: &str, port: u16, default_ports: &[u16]) -> Cow<'_, Self> {
        let is_trusted = self
            .trusted
            .as_ref()
            .is_none_or(|trusted| trusted.eq_ignore_ascii_case(host));
        let applies = |rule: &HostRule| rule.applies(host, port, default_ports);
        if is_trusted && self.hosts.iter().any(applies) {
            Cow::Owned(self.clone().allow_private(true))
        } else {
            Cow::Borrowed(self)
        }
    }

    /// Allows an additional port, for every scheme. Datagrams can be sent only to the ports
    /// allowed here and to the default ports of their scheme.
    #[must_use]
    pub fn allow_port(mut self, port: u16) -> Self {
        self.ports.push(port);
        self
    }

    /// Sets the schemes that are allowed for references, redirects and gateways, given as a list
    /// or as [`SchemeRules`]. By default, all schemes are allowed. A scheme that requires
    /// [`allow_local`](Self::allow_local) is refused without it, even if the rules allow the
    /// scheme.
    ///
    /// ```
    /// use urikit_access::Policy;
    /// use urikit_access::policy::SchemeRules;
    /// let policy = Policy::new().schemes(["http", "https"]);
    /// let policy = Policy::new().schemes("-ftp".parse::<SchemeRules>()?);
    /// # Ok::<(), urikit_access::policy::RulesError>(())
    /// ```
    #[must_use]
    pub fn schemes(mut self, rules: impl Into<SchemeRules>) -> Self {
        self.schemes = rules.into();
        self
    }

    /// Sets the schemes that servers may redirect to, given as a list, or as [`SchemeRules`] that
    /// change the default. By default, a server may redirect to its own scheme and to the
    /// [`redirect_schemes`](crate::protocol::Protocol::redirect_schemes) of its protocol, such as
    /// from `http` to `https`.
    ///
    /// Some redirects are always refused: redirects to schemes whose URLs are not fetched from a
    /// server, such as `file`, and redirects to schemes that [`schemes`](Self::schemes) refuses.
    ///
    /// ```
    /// use urikit_access::Policy;
    /// use urikit_access::policy::SchemeRules;
    /// let policy = Policy::new().network_schemes("+gopher".parse::<SchemeRules>()?);
    /// # Ok::<(), urikit_access::policy::RulesError>(())
    /// ```
    #[must_use]
    pub fn network_schemes(mut self, rules: impl Into<SchemeRules>) -> Self {
        self.network_schemes = rules.into();
        self
    }

    /// Sets how many redirects are followed.
    #[must_use]
    pub const fn max_redirects(mut self, max: usize) -> Self {
        self.max_redirects = max;
        self
    }

    /// Sets how long connecting may take, including name resolution.
    #[must_use]
    pub const fn connect_timeout(mut self, max: Duration) -> Self {
        self.connect_timeout = max;
        self
    }

    /// Sets how long a server may be idle, neither sending nor accepting data.
    #[must_use]
    pub const fn idle_timeout(mut self, max: Duration) -> Self {
        self.idle_timeout = max;
        self
    }

    /// Sets the minimum transfer rate of a body or a listing. The access fails if fewer bytes per
    /// second arrive, on average over `time`. A rate of 0 means no limit. Time spent in the sink
    /// is not counted.
    #[must_use]
    pub const fn min_rate(mut self, bytes_per_second: u64, time: Duration) -> Self {
        self.min_rate = (bytes_per_second, time);
        self
    }

    /// Sets the maximum average transfer rate of a body, in bytes per second.
    #[must_use]
    pub const fn max_rate(mut self, bytes_per_second: u64) -> Self {
        self.max_rate = bytes_per_second;
        self
    }

    /// Sets how long the access may take from start to end. By default, this time is not limited.
    #[must_use]
    pub const fn total_timeout(mut self, max: Duration) -> Self {
        self.total_timeout = max;
        self
    }

    /// Sets the maximum length of a line from a server, in bytes.
    #[must_use]
    pub const fn max_line(mut self, max: usize) -> Self {
        self.max_line = max;
        self
    }

    /// Sets the maximum length of a body, in bytes.
    #[must_use]
    pub const fn max_bytes(mut self, max: u64) -> Self {
        self.max_bytes = max;
        self
    }

    /// Sets the maximum length of a listing, in entries.
    #[must_use]
    pub const fn max_items(mut self, max: u64) -> Self {
        self.max_items = max;
        self
    }

    /// Sets how deeply data, such as the parts of a message, may be nested.
    #[must_use]
    pub const fn max_depth(mut self, max: usize) -> Self {
        self.max_depth = max;
        self
    }

    /// Sets the size of a connection's buffer, in bytes. The default is 64 KiB, and the minimum is
    /// 1 KiB. A smaller buffer needs less memory, but more system calls. The buffer grows to 64
    /// KiB after 8 MiB have been received. HTTP uses a separate buffer.
    ///
    /// ```
    /// let policy = urikit_access::Policy::new().buffer(16 << 10);
    /// ```
    #[must_use]
    pub const fn buffer(mut self, bytes: usize) -> Self {
        self.buffer = if bytes < 1 << 10 { 1 << 10 } else { bytes };
        self
    }

    /// Checks the scheme of a reference, or of its gateway.
    pub(crate) fn check_scheme(&self, scheme: &str, source: Source) -> Result<(), Refusal> {
        let is_it = |name: &&str| name.eq_ignore_ascii_case(scheme);
        let is_trusted = source == Source::User && self.allow_local;
        let is_safe = is_trusted || !LOCAL.iter().any(is_it);
        if is_safe && self.schemes.allow(scheme, true) {
            return Ok(());
        }
        let scheme = scheme.to_ascii_lowercase();
        Err(Refusal::Scheme { scheme, source })
    }

    /// Checks a redirect from one scheme to another. By default, a server may redirect to its own
    /// scheme, and to the `targets` of its protocol.
    pub(crate) fn check_redirect(
        &self,
        from: &str,
        to: &str,
        targets: &[&str],
    ) -> Result<(), Refusal> {
        self.check_scheme(to, Source::Network)?;
        let (from, to) = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        let by_default = from == to || targets.contains(&&*to);
        if !self.network_schemes.allow(&to, by_default) {
            return Err(Refusal::Redirect { from, to });
        }
        if is_downgrade(&from, &to) && !self.allow_downgrade {
            return Err(Refusal::Downgrade);
        }
        Ok(())
    }

    /// Checks the port of a connection. The scheme's `own` ports are allowed by default.
    pub(crate) fn check_port(&self, port: u16, own: &[u16]) -> Result<(), Refusal> {
        let is_bad = BAD_PORTS.binary_search(&port).is_ok();
        let allowed = port != 0 && (own.contains(&port) || self.ports.contains(&port) || !is_bad);
        allowed.then_some(()).ok_or(Refusal::Port { port })
    }

    /// Checks the destination port of datagrams, which must be one of the scheme's `own` ports, or
    /// a port that was [allowed](Policy::allow_port).
    pub(crate) fn check_datagram_port(&self, port: u16, own: &[u16]) -> Result<(), Refusal> {
        let allowed = port != 0 && (own.contains(&port) || self.ports.contains(&port));
        allowed.then_some(()).ok_or(Refusal::DatagramPort { port })
    }

    /// Checks the address of a connection.
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

    /// Checks whether the policy allows another redirect after this many redirects.
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

/// Returns true if a redirect goes from an encrypted scheme to an unencrypted one.
pub(crate) fn is_downgrade(from: &str, to: &str) -> bool {
    from.eq_ignore_ascii_case("https") && to.eq_ignore_ascii_case("http")
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}
