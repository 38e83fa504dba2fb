//! The options for the policy, gateways and protocols: those that `uri fetch` and `uri send` share,
//! and those that only `uri fetch` has.

use super::http::HttpOptions;
use super::login::LoginOptions;
use super::transport::{TransportOptions, variable};
use crate::options::bytes;
use crate::suggest::did_you_mean;
use clap::ValueHint;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use urikit_access::policy::{HostRule, HostRuleError, RulesError, SchemeRules};
use urikit_access::protocol::{
    FtpProtocol, FtpsProtocol, GeminiProtocol, HttpProtocol, MailProtocol, MailtoProtocol,
    NewsProtocol, TelnetProtocol,
};
use urikit_access::{Client, Error, KnownHosts, Policy};
use urikit_report::schemes::{find_facts, sorted};
use urikit_schemes::{GatewayRule, SchemeRegistry};

/// The options for access.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct AccessOptions {
    #[command(flatten)]
    pub(super) login: LoginOptions,

    /// Limit the time for each reference to SECONDS; 0 for no limit
    ///
    /// As in curl, the limit applies to each retry separately, and the delays between retries are
    /// not included.
    #[arg(short, long, value_name = "SECONDS", default_value = "0", value_parser = seconds,
          allow_negative_numbers = true)]
    pub(super) max_time: Duration,

    /// Limit the time for connecting to SECONDS; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds,
          allow_negative_numbers = true)]
    connect_timeout: Duration,

    /// Give up if no data arrives for SECONDS; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds,
          allow_negative_numbers = true)]
    idle_timeout: Duration,

    /// Give up on a body or list that arrives more slowly than BYTES per second, averaged over
    /// --speed-time; 0 for no limit
    #[arg(short = 'Y', long, value_name = "BYTES", default_value = "100", value_parser = bytes)]
    speed_limit: u64,

    /// Average the speed for --speed-limit over SECONDS
    #[arg(short = 'y', long, value_name = "SECONDS", default_value = "60", value_parser = seconds,
          allow_negative_numbers = true)]
    speed_time: Duration,

    /// Transfer at most BYTES per second; the suffixes k, M and G multiply by powers of 1024
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    limit_rate: Option<u64>,

    /// Refuse bodies larger than BYTES; the suffixes k, M and G multiply by powers of 1024; for
    /// listings, see --max-items
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 30, value_parser = bytes)]
    max_filesize: u64,

    /// Allow or deny schemes: `=https` allows only https, `=http,https` only these two, `-ftp`
    /// denies ftp; by default, every scheme is allowed
    ///
    /// The rules in the comma-separated list apply in order, as in curl: `=NAME` allows this scheme
    /// and denies all others, `+NAME` or NAME allows it in addition to those allowed so far, and
    /// `-NAME` denies it. `all` means every scheme. Unlike in curl, it is an error if no name has a
    /// prefix, because such a list would deny nothing, and if a scheme is unknown.
    #[arg(
        long,
        value_name = "SCHEMES",
        default_value = "all",
        allow_hyphen_values = true,
        value_parser = scheme_rules
    )]
    proto: SchemeRules,

    /// Allow connections to this machine and to private networks
    #[arg(long)]
    allow_private: bool,

    /// Allow this host to have private addresses; `*.DOMAIN` means all subdomains; may be repeated
    ///
    /// Without a port, the default port of the scheme is allowed. The permission applies to the
    /// URLs that you give and to redirects on the same host, but never to a redirect from another
    /// host.
    #[arg(long, value_name = "HOST[:PORT]")]
    allow_host: Vec<HostRule>,

    /// Allow connections to port N, even if the port belongs to another protocol; may be repeated
    #[arg(long, value_name = "N")]
    allow_port: Vec<u16>,

    /// Fetch URLs of SCHEME through a gateway: append them to URL, or send them to an HTTP proxy;
    /// may be repeated
    #[arg(long, value_name = "SCHEME=URL|SCHEME=proxy:URL")]
    gateway: Vec<String>,

    /// ftp: send this password for anonymous login, by convention an email address
    #[arg(long, value_name = "TEXT")]
    anonymous_password: Option<String>,

    /// ftp: skip the empty directory names in `//`, which many servers refuse
    #[arg(long)]
    skip_null_cwd: bool,

    #[command(flatten)]
    pub(super) http: HttpOptions,

    #[command(flatten)]
    transport: TransportOptions,

    /// gemini: remember the certificates of servers in FILE; an empty value stores none
    ///
    /// The certificate of an unknown server is trusted. Another certificate of the same server is
    /// refused until the first one expires, unless a trusted CA has signed it. The default is the
    /// file urikit/known_hosts in $XDG_STATE_HOME or ~/.local/state (%LOCALAPPDATA% on Windows).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    known_hosts: Option<OsString>,

    /// news: use this server for URLs without a server; the default is $NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]")]
    news_server: Option<String>,

    /// mailto: send through this mail server; `smtps://` starts with TLS on any port, not only on
    /// 465
    #[arg(long, value_name = "[smtps://]HOST[:PORT]")]
    smtp: Option<String>,

    /// mailto: the address of the sender
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,

    /// ftp, mailto: require TLS (AUTH TLS, STARTTLS)
    #[arg(long)]
    ssl_reqd: bool,
}

impl AccessOptions {
    /// Returns the policy.
    fn policy(&self) -> Result<Policy, String> {
        let policy = Policy::permissive()
            .total_timeout(self.max_time)
            .connect_timeout(self.connect_timeout)
            .idle_timeout(self.idle_timeout)
            .min_rate(self.speed_limit, self.speed_time)
            .max_rate(self.limit_rate.filter(|rate| *rate > 0).unwrap_or(u64::MAX))
            .schemes(self.proto.clone())
            .max_bytes(self.max_filesize)
            .allow_private(self.allow_private);
        let hosts = variable(&["URI_ALLOW_HOSTS"])?.unwrap_or_default();
        let hosts = hosts
            .split(',')
            .map(str::trim)
            .filter(|rule| !rule.is_empty());
        let mut hosts = hosts;
        let mut policy = hosts.try_fold(policy, |policy, rule| {
            let parsed = rule
                .parse()
                .map_err(|error: HostRuleError| format!("URI_ALLOW_HOSTS: `{rule}`: {error}"));
            parsed.map(|rule| policy.allow_host(rule))
        })?;
        for rule in &self.allow_host {
            policy = policy.allow_host(rule.clone());
        }
        for port in &self.allow_port {
            policy = policy.allow_port(*port);
        }
        Ok(policy)
    }

    /// Builds a client for fetching.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn fetcher(
        &self,
        fetching: &FetchOptions,
        http: HttpProtocol,
    ) -> Result<Client, String> {
        if let Some(rules) = &fetching.proto_redir {
            check_names("--proto-redir", rules, &self.registry()?)?;
        }
        let policy = fetching.limit(self.policy()?);
        let client = self.client(policy, http)?;
        let mailto = self.mailto().send(fetching.send);
        Ok(client.protocol(fetching.mail_stores()).protocol(mailto))
    }

    /// Builds a client for sending.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn sender(&self, http: HttpProtocol) -> Result<Client, String> {
        Ok(self.client(self.policy()?, http)?.protocol(self.mailto()))
    }

    /// Builds a client with gateways, certificates, proxies and configured protocols.
    fn client(&self, policy: Policy, http: HttpProtocol) -> Result<Client, String> {
        let registry = self.registry()?;
        check_names("--proto", &self.proto, &registry)?;
        let mut client = urikit_report::protocols::client(policy).registry(registry);
        client = self.transport.apply(client)?;
        let mut ftp = FtpProtocol::new()
            .skip_null_directories(self.skip_null_cwd)
            .tls(self.ssl_reqd);
        if let Some(password) = &self.anonymous_password {
            ftp = ftp.anonymous_password(password);
        }
        client = client
            .protocol(FtpsProtocol::with(ftp.clone()))
            .protocol(ftp);
        client = client.protocol(http);
        client = client.protocol(GeminiProtocol::new().known_hosts(self.known_hosts()));
        if let Some(server) = self.news_server()? {
            client = client.protocol(NewsProtocol::new().server(server));
        }
        if let Ok(name) = std::env::var("TERM") {
            client = client.protocol(TelnetProtocol::new().terminal_type(name));
        }
        Ok(client)
    }

    /// Returns the settings for sending mail.
    pub(super) fn mailto(&self) -> MailtoProtocol {
        let mut mailto = MailtoProtocol::new()
            .starttls(self.ssl_reqd)
            .oauth2(self.login.has_token());
        if let Some(server) = &self.smtp {
            mailto = mailto.server(server);
        }
        if let Some(address) = &self.mail_from {
            mailto = mailto.sender(address);
        }
        mailto
    }

    /// Returns the store for certificates that are trusted on first use: the file given by the
    /// option, the default file or, if there is no folder for it, memory.
    fn known_hosts(&self) -> KnownHosts {
        let path = match &self.known_hosts {
            Some(path) => Some(PathBuf::from(path)),
            None => state_folder().map(|folder| folder.join("urikit").join("known_hosts")),
        };
        match path.filter(|path| !path.as_os_str().is_empty()) {
            Some(path) => KnownHosts::file(path),
            None => KnownHosts::memory(),
        }
    }

    /// Returns the news server from the option or from the environment.
    fn news_server(&self) -> Result<Option<String>, String> {
        match &self.news_server {
            Some(server) => Ok(Some(server.clone())),
            None => variable(&["NNTPSERVER"]),
        }
    }

    /// Maps schemes to their gateways. Options override the environment.
    fn registry(&self) -> Result<SchemeRegistry, String> {
        let mut registry = SchemeRegistry::new();
        let environment = variable(&["URI_GATEWAYS"])?.unwrap_or_default();
        let rules = environment.split_whitespace();
        for rule in rules.chain(self.gateway.iter().map(String::as_str)) {
            let gateway: GatewayRule = rule
                .parse()
                .map_err(|error| format!("the gateway `{rule}`: {error}"))?;
            registry
                .set_gateway(&gateway.scheme, gateway.gateway)
                .map_err(|error| format!("the gateway `{rule}`: {error}"))?;
        }
        Ok(registry)
    }
}

/// Parses the value of `--proto` or `--proto-redir`. Rejects a list in which no name has a prefix:
/// in curl, it only adds schemes to those allowed by default, but it looks as if it allowed no
/// others.
fn scheme_rules(text: &str) -> Result<SchemeRules, String> {
    let rules: SchemeRules = text
        .parse()
        .map_err(|error: RulesError| error.to_string())?;
    let is_bare =
        |name: &str| !name.starts_with(['=', '+', '-']) && !name.eq_ignore_ascii_case("all");
    if text.split(',').all(is_bare) {
        return Err(format!(
            "without a prefix, a name only adds to the schemes allowed by default; `={text}` \
             allows no other schemes, `+{text}` adds"
        ));
    }
    Ok(rules)
}

/// Rejects names of schemes that are neither known nor have a gateway: they are probably
/// misspelled, so the rules would not do what they should.
fn check_names(option: &str, rules: &SchemeRules, registry: &SchemeRegistry) -> Result<(), String> {
    let is_known = |name: &str| find_facts(name).is_some() || registry.gateway(name).is_some();
    let Some(name) = rules.names().find(|name| !is_known(name)) else {
        return Ok(());
    };
    let near = did_you_mean(name, sorted().into_iter().map(|facts| facts.name));
    Err(format!(
        "`{option}`: no known scheme \"{name}\"{near} (see uri schemes)"
    ))
}

/// Returns the folder for files that programs keep between runs (XDG Base Directory Specification).
fn state_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    if cfg!(windows) {
        return absolute("LOCALAPPDATA");
    }
    absolute("XDG_STATE_HOME").or_else(|| Some(std::env::home_dir()?.join(".local/state")))
}

/// The access options that only `uri fetch` has.
#[derive(clap::Args, Debug)]
pub(super) struct FetchOptions {
    #[command(flatten)]
    pub(super) retry: RetryOptions,

    /// Refuse lists of more than N entries
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(super) max_items: u64,

    /// Follow at most N redirects
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_redirs: usize,

    /// Allow or deny redirects to schemes, in the syntax of --proto; by default, every scheme may
    /// redirect to itself, http and https to each other, and prospero to ftp, gopher and wais
    #[arg(
        long,
        value_name = "SCHEMES",
        allow_hyphen_values = true,
        value_parser = scheme_rules
    )]
    proto_redir: Option<SchemeRules>,

    /// mid, cid: search this mailbox, Maildir, MH folder or message; may be repeated
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    mail: Vec<PathBuf>,

    /// mailto: send the message instead of printing it
    #[arg(long, requires_all = ["smtp", "mail_from"])]
    send: bool,
}

impl FetchOptions {
    /// Adds the limits for lists and redirects to a policy.
    fn limit(&self, policy: Policy) -> Policy {
        let policy = policy
            .max_items(self.max_items)
            .max_redirects(self.max_redirs);
        match &self.proto_redir {
            Some(rules) => policy.network_schemes(rules.clone()),
            None => policy,
        }
    }

    /// Returns the mailboxes and files to search for messages.
    fn mail_stores(&self) -> MailProtocol {
        let mut mail = MailProtocol::new();
        for path in &self.mail {
            mail = mail.store(path);
        }
        mail
    }
}

/// The maximum delay between two attempts, unless the server requests a longer one.
const MAX_DELAY: Duration = Duration::from_secs(600);

/// The options for retries.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct RetryOptions {
    /// Retry up to N times after a timeout, a lost connection, HTTP status 408, 429, 500, 502, 503
    /// or 504, or FTP reply 4yz
    ///
    /// The first delay is one second. Each delay is twice as long as the one before, up to ten
    /// minutes. A Retry-After field in the response overrides the delay.
    #[arg(long, value_name = "N", default_value_t = 0)]
    retry: u32,

    /// With --retry, wait SECONDS before each attempt
    #[arg(long, value_name = "SECONDS", value_parser = delay)]
    retry_delay: Option<Duration>,

    /// With --retry, do not start another attempt after SECONDS; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    retry_max_time: Duration,
}

/// The attempts to fetch one reference.
pub(super) struct Attempts {
    options: RetryOptions,
    begun: Instant,
    left: u32,
    next_delay: Duration,
}

impl RetryOptions {
    /// Starts the first attempt.
    pub(super) fn attempts(self) -> Attempts {
        Attempts {
            options: self,
            begun: Instant::now(),
            left: self.retry,
            next_delay: Duration::from_secs(1),
        }
    }
}

impl Attempts {
    /// Returns true if this is the last attempt.
    pub(super) const fn is_last(&self) -> bool {
        self.left == 0
    }

    /// Returns the delay before the next attempt; `None` if the error is final.
    pub(super) fn delay_after(&mut self, error: &Error) -> Option<Duration> {
        if self.left == 0 || !error.is_transient() {
            return None;
        }
        self.left -= 1;
        let delay = error
            .retry_after()
            .or(self.options.retry_delay)
            .unwrap_or(self.next_delay);
        self.next_delay = self.next_delay.saturating_mul(2).min(MAX_DELAY);
        let time = self.begun.elapsed().saturating_add(delay);
        (time <= self.options.retry_max_time).then_some(delay)
    }
}

/// Parses a delay in seconds. 0 means no delay.
fn delay(text: &str) -> Result<Duration, String> {
    let is_zero = text.parse() == Ok(0.0);
    if is_zero {
        Ok(Duration::ZERO)
    } else {
        seconds(text)
    }
}

/// Parses a number of seconds. Zero means no limit, and is converted to the longest duration.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    match seconds.filter(|seconds| seconds.is_finite() && seconds.is_sign_positive()) {
        None => Err("expected a number of seconds, 0 or more".to_owned()),
        Some(0.0) => Ok(Duration::MAX),
        // A number that exceeds the longest duration also means no limit.
        Some(seconds) => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
    }
}
