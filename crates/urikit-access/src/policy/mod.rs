//! What an access may do. The policy is asked before anything is done.
//!
//! Protocols know nothing of it. They reach the network, and programs, only through
//! [`Context`](crate::Context), which asks the policy. Files, which `file`, `mid` and `cid` open
//! themselves, are subject to the check of the scheme alone. For URLs that somebody else wrote, begin
//! with [`Policy::strict`].

mod datagram;
mod ports;
mod refusal;
mod rules;
mod source;
#[cfg(test)]
mod tests;

pub use refusal::Refusal;
pub use rules::{RulesError, SchemeRules};
pub use source::Source;
pub use urikit::component::AddressKind;

use std::net::IpAddr;
use std::time::Duration;

/// Schemes that access this machine, the user or a program. No setting allows a redirect to them, and
/// a strict policy not even what the caller asks for.
const LOCAL: &[&str] = &[
    "file", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "data",
];

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
    pub(crate) min_rate: (u64, Duration),
    pub(crate) max_rate: u64,
    pub(crate) max_line: usize,
    pub(crate) max_bytes: u64,
    pub(crate) max_items: u64,
    pub(crate) max_depth: usize,
    allow_private: bool,
    ports: Vec<u16>,
    schemes: SchemeRules,
    network_schemes: SchemeRules,
    allow_downgrade: bool,
    allow_local: bool,
    max_redirects: usize,
}

impl Policy {
    /// For URLs that the user of the program wrote, or chose: public addresses, no port of another protocol, at most 10 redirects; 30
    /// seconds to connect, 60 without data, 100 bytes per second of a body over a minute; 64 KiB for
    /// a line, 10 GiB for a body, a million items for a listing, 32 levels of nesting.
    ///
    /// Every scheme is allowed: `file:///etc/passwd` is read. For URLs from elsewhere, take
    /// [`strict`](Self::strict).
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
            allow_private: false,
            ports: Vec::new(),
            schemes: SchemeRules::default(),
            network_schemes: SchemeRules::default(),
            allow_downgrade: true,
            allow_local: true,
            max_redirects: 10,
        }
    }

    /// For URLs that somebody else wrote, such as those that a server gets from its clients: as
    /// [`new`](Self::new), but schemes that access this machine, the user or a program are refused
    /// (`file`, `data`, `mailto`, `telnet`, `rlogin`, `tn3270`, `mid` and `cid`), and so are
    /// redirects from `https` to `http`. [`schemes`](Self::schemes) can allow fewer.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
    /// let mut client = Client::new(Policy::strict().schemes(["http", "https"]));
    /// let mut fetch = |url| {
    ///     let request = Request::new(Uri::from_static(url));
    ///     let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
    ///     fetched.unwrap_err().to_string()
    /// };
    /// assert_eq!(fetch("file:///etc/passwd"), "refused: the scheme `file` is not allowed");
    /// assert!(fetch("http://127.1/").ends_with("refused: 127.0.0.1 is a loopback address"));
    /// ```
    pub fn strict() -> Self {
        Self::new().allow_downgrade(false).allow_local(false)
    }

    /// Whether the caller's own references may have schemes that access this machine, the user or a
    /// program: `file`, `data`, `mailto`, `telnet`, `rlogin`, `tn3270`, `mid` and `cid`. Redirects
    /// may not in any case.
    #[must_use]
    pub const fn allow_local(mut self, allow: bool) -> Self {
        self.allow_local = allow;
        self
    }

    /// Whether redirects from `https` to `http` are followed, which [events](crate::Event) report.
    /// Credentials are not sent to the `http` server in any case.
    #[must_use]
    pub const fn allow_downgrade(mut self, allow: bool) -> Self {
        self.allow_downgrade = allow;
        self
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

    /// Sets which schemes are allowed: a list of exactly those, or [`SchemeRules`]. By default, all
    /// are allowed. The rules apply to redirects too. The scheme of a gateway must be allowed too.
    ///
    /// ```
    /// use urikit_access::Policy;
    /// use urikit_access::policy::SchemeRules;
    /// let policy = Policy::new().schemes(["http", "https"]);
    /// let policy = Policy::new().schemes("-telnet".parse::<SchemeRules>()?);
    /// # Ok::<(), urikit_access::policy::RulesError>(())
    /// ```
    #[must_use]
    pub fn schemes(mut self, rules: impl Into<SchemeRules>) -> Self {
        self.schemes = rules.into();
        self
    }

    /// Sets which schemes redirects may lead to: a list of exactly those, or [`SchemeRules`], which
    /// change the default. By default, redirects lead from `http` and `https` to these two; from
    /// `prospero` to itself, `ftp`, `gopher` and `wais`; and from any other scheme to itself.
    ///
    /// Schemes that access this machine or the user, such as `file`, `mailto` and `telnet`, stay
    /// refused, and so do those that [`schemes`](Self::schemes) refuses.
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

    /// How slow a body or a listing may be: the access fails if it is slower than this many bytes per
    /// second, on average over `time`. 0 for no limit. Time in which the sink takes data does not
    /// count.
    #[must_use]
    pub const fn min_rate(mut self, bytes_per_second: u64, time: Duration) -> Self {
        self.min_rate = (bytes_per_second, time);
        self
    }

    /// How fast a body is received: on average at most this many bytes per second.
    #[must_use]
    pub const fn max_rate(mut self, bytes_per_second: u64) -> Self {
        self.max_rate = bytes_per_second;
        self
    }

    /// How long the complete access may take. By default, there is no such limit.
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

    /// Whether a scheme may be used, in a reference or in the URL of a gateway for it.
    pub(crate) fn check_scheme(&self, scheme: &str, source: Source) -> Result<(), Refusal> {
        let is_it = |name: &&str| name.eq_ignore_ascii_case(scheme);
        let is_trusted = source == Source::User && self.allow_local;
        let is_safe = is_trusted || !LOCAL.iter().any(is_it);
        let scheme = scheme.to_ascii_lowercase();
        (is_safe && self.schemes.allow(&scheme, true))
            .then_some(())
            .ok_or(Refusal::Scheme { scheme, source })
    }

    /// Whether a server of one scheme may redirect to another. By default it may redirect to its own
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

/// Whether a redirect gives up encryption.
pub(crate) fn is_downgrade(from: &str, to: &str) -> bool {
    from.eq_ignore_ascii_case("https") && to.eq_ignore_ascii_case("http")
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}
