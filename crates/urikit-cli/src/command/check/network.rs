//! The network options, the progress line, and the table of hosts.

use crate::columns::columns;
use crate::command::fetch::{TransportOptions, seconds};
use crate::safe::safe;
use crate::style::DIM;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urikit_access::Policy;
use urikit_access::policy::HostRule;
use urikit_access::protocol::HttpProtocol;
use urikit_check::{HostSummary, Network, Progress, Recursion, Scope};

/// The options for requests to servers.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // one for each option without a value
pub(super) struct NetworkOptions {
    /// Make at most N requests to one host at a time
    #[arg(long, value_name = "N", default_value_t = 8)]
    per_host: usize,

    /// Give up on a request after SECONDS; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds,
          allow_negative_numbers = true)]
    timeout: Duration,

    /// Give up on a request if connecting takes longer than SECONDS; with 0, only --timeout
    /// applies
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds,
          allow_negative_numbers = true)]
    connect_timeout: Duration,

    /// Wait at most SECONDS for a host that limits requests; if the host asks for more, other links
    /// to it are unverifiable
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds,
          allow_negative_numbers = true)]
    max_wait: Duration,

    /// Send a header field to a host; may be repeated
    ///
    /// If the last word of VALUE is $NAME, it is replaced with the value of the environment
    /// variable NAME. The field is sent over https, and over http only to this machine. To send it
    /// to another host over http, write http://HOST.
    #[arg(long, value_name = "HOST: NAME: VALUE", value_parser = field)]
    header: Vec<Field>,

    /// Report http links to hosts that also support https (insecure)
    #[arg(long)]
    pub(super) https: bool,

    /// Ask each host once for a page that does not exist, and report parked domains (parked) and
    /// pages that look like the response (soft-404)
    ///
    /// If a host answers this request with status 200, its pages are read and compared with that
    /// response.
    #[arg(long)]
    pub(super) probe: bool,

    /// Ignore robots.txt
    #[arg(long)]
    no_robots: bool,

    /// Allow connections to this machine and to private networks
    #[arg(long)]
    allow_private: bool,

    /// Allow this host to have private addresses; `*.DOMAIN` means all subdomains; may be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    allow_host: Vec<HostRule>,

    /// Allow connections to port N, even if the port belongs to another protocol; may be repeated
    #[arg(long, value_name = "N")]
    allow_port: Vec<u16>,

    /// Follow at most N redirects
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_redirs: usize,

    /// http: send this User-Agent
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,

    #[command(flatten)]
    transport: TransportOptions,
}

/// The options for reading linked pages recursively.
#[derive(clap::Args, Debug)]
pub(super) struct RecursionOptions {
    /// Also read the pages linked from those on the command line, and check their links
    ///
    /// Only pages of the same origin are read, unless --scope names other pages. Three rules stop
    /// the recursion on seemingly endless sites: a path with more than 32 segments, a segment that
    /// occurs more than 3 times, and too many URLs that differ only in numbers (--max-similar). The
    /// report names the rule that stopped the recursion.
    #[arg(short, long)]
    recursive: bool,

    /// With --recursive, read the pages whose URLs begin with PREFIX, or all pages of the domain;
    /// may be repeated
    #[arg(long, value_name = "PREFIX|domain", requires = "recursive")]
    scope: Vec<String>,

    /// With --recursive, follow at most N links from the first page
    #[arg(long, value_name = "N", requires = "recursive")]
    depth: Option<usize>,

    /// With --recursive, read at most N pages whose URLs differ only in numbers
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "recursive")]
    max_similar: u32,
}

impl RecursionOptions {
    /// Converts the options.
    pub(super) fn recursion(&self) -> Option<Recursion> {
        let recursion = Recursion::new()
            .depth(self.depth.unwrap_or(usize::MAX))
            .max_similar(self.max_similar);
        let scopes = self.scope.iter().map(|scope| match scope.as_str() {
            "domain" => Scope::Domain,
            prefix => Scope::Prefix(prefix.to_owned()),
        });
        let recursion = scopes.fold(recursion, Recursion::scope);
        self.recursive.then_some(recursion)
    }

    /// Returns the options that decide which pages belong to a run.
    pub(super) fn description(&self) -> Vec<String> {
        let scopes = self.scope.iter().map(|scope| format!("--scope {scope}"));
        let recursive = self.recursive.then(|| "--recursive".to_owned());
        recursive.into_iter().chain(scopes).collect()
    }
}

/// A header field that is sent to one host.
#[derive(Clone, Debug)]
struct Field {
    host: String,
    name: String,
    value: String,
}

/// Parses `HOST: NAME: VALUE`.
fn field(text: &str) -> Result<Field, String> {
    let parts = text.split_once(": ").and_then(|(host, rest)| {
        let (name, value) = rest.split_once(':')?;
        Some((host.trim(), name.trim(), value.trim()))
    });
    let (host, name, value) = parts.ok_or("expected `HOST: NAME: VALUE`")?;
    let field = Field {
        host: host.to_owned(),
        name: name.to_owned(),
        value: expanded(value)?,
    };
    let checked = HttpProtocol::new().field(&field.name, &field.value);
    checked.map_err(|error| error.to_string())?;
    Ok(field)
}

/// If the last word is `$NAME`, replaces it with the value of that environment variable.
fn expanded(value: &str) -> Result<String, String> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
    };
    match value.rsplit_once('$') {
        Some((before, name)) if is_name(name) && (before.is_empty() || before.ends_with(' ')) => {
            let found = std::env::var(name);
            let found = found.map_err(|_| format!("the variable {name} is not set"))?;
            Ok(format!("{before}{found}"))
        }
        _ => Ok(value.to_owned()),
    }
}

impl NetworkOptions {
    /// Returns the options that cause additional findings.
    pub(super) fn description(&self) -> Vec<String> {
        let options = [(self.https, "--https"), (self.probe, "--probe")];
        let given = options.into_iter().filter(|(is_given, _)| *is_given);
        given.map(|(_, name)| name.to_owned()).collect()
    }

    /// Builds the prober.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn network(&self, jobs: usize, is_quiet: bool) -> Result<Network, String> {
        let mut policy = Policy::new()
            .total_timeout(self.timeout)
            .connect_timeout(self.connect_timeout.min(self.timeout))
            .max_redirects(self.max_redirs)
            .allow_downgrade(true)
            .allow_private(self.allow_private);
        for rule in &self.allow_host {
            policy = policy.allow_host(rule.clone());
        }
        for port in &self.allow_port {
            policy = policy.allow_port(*port);
        }
        let client = urikit_report::protocols::client(policy);
        let mut network = Network::new(self.transport.apply(client)?)
            .max_redirects(self.max_redirs)
            .per_host(self.per_host)
            .max_wait(self.max_wait)
            .https(self.https)
            .probing(self.probe)
            .robots(!self.no_robots);
        if jobs > 0 {
            network = network.jobs(jobs);
        }
        if let Some(name) = &self.user_agent {
            network = network.user_agent(name);
        }
        let token = |name| std::env::var(name).ok().filter(|token| !token.is_empty());
        if let Some(token) = token("GITHUB_TOKEN") {
            network = network.github("https://api.github.com", &token);
        }
        if let Some(token) = token("GITLAB_TOKEN") {
            network = network.gitlab("https://gitlab.com/api/v4", &token);
        }
        for Field { host, name, value } in &self.header {
            let added = network.field(host, name, value);
            network = added.map_err(|error| error.to_string())?;
        }
        if !is_quiet && io::stderr().is_terminal() {
            let line = Mutex::new(Line::new());
            network = network.progress(move |progress| {
                if let Ok(mut line) = line.lock() {
                    line.show(progress);
                }
            });
        }
        Ok(network)
    }
}

/// Ends the run early at the first SIGINT or SIGTERM, and the process at the second.
pub(super) fn stop_at_signals(stop: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// The progress line on standard error, which is cleared at the end of the run.
struct Line {
    next: Instant,
    is_shown: bool,
}

impl Line {
    fn new() -> Self {
        Self {
            next: Instant::now() + Duration::from_secs(1),
            is_shown: false,
        }
    }

    fn show(&mut self, progress: &Progress) {
        let now = Instant::now();
        let is_last = progress.done >= progress.total;
        if is_last && std::mem::take(&mut self.is_shown) {
            // Failing to write to the terminal must not end the run.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        if is_last || now < self.next {
            return;
        }
        self.next = now + Duration::from_millis(200);
        self.is_shown = true;
        let columns = columns(io::stderr()).unwrap_or(80);
        let text: String = text(progress)
            .chars()
            .take(columns.saturating_sub(1))
            .collect();
        let _ = write!(io::stderr(), "\r\x1b[K{text}");
    }
}

/// Returns the progress as text.
fn text(progress: &Progress) -> String {
    let mut text = format!("{} of {} URLs", progress.done, progress.total);
    if let Some(host) = &progress.host {
        text.push_str(", waiting for ");
        text.push_str(&safe(host));
    }
    match progress.pause {
        Some(pause) => format!("{text} ({} s)", pause.as_secs() + 1),
        None => text,
    }
}

/// The maximum number of hosts in the table, unless the report is verbose.
const MAX_HOSTS: usize = 10;

/// Writes the table of hosts.
pub(super) fn hosts(
    hosts: &[HostSummary],
    is_verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let max = if is_verbose { usize::MAX } else { MAX_HOSTS };
    let names: Vec<_> = hosts
        .iter()
        .take(max)
        .map(|host| safe(&host.host))
        .collect();
    let Some(width) = names.iter().map(|name| name.chars().count()).max() else {
        return Ok(());
    };
    let width = width.max("host".len());
    writeln!(
        out,
        "{DIM}{:width$}  requests   waited  failed{DIM:#}",
        "host"
    )?;
    for (name, host) in names.iter().zip(hosts) {
        let waited = format!("{} s", host.waited.as_secs());
        writeln!(
            out,
            "{name:width$}  {:>8}  {waited:>7}  {:>6}",
            host.requests, host.failures
        )?;
    }
    if let Some(rest) = hosts.len().checked_sub(max).filter(|rest| *rest > 0) {
        writeln!(out, "and {rest} more; -v shows them")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{field, hosts, text};
    use std::time::Duration;
    use urikit_check::{HostSummary, Progress};

    #[test]
    fn fields() {
        let found = field("a.example:8080: Authorization: Bearer x").unwrap();
        assert_eq!(found.host, "a.example:8080");
        assert_eq!((&*found.name, &*found.value), ("Authorization", "Bearer x"));
        let path = std::env::var("PATH").unwrap();
        assert_eq!(
            field("a: X: Bearer $PATH").unwrap().value,
            format!("Bearer {path}")
        );
        assert_eq!(field("a: X: 5$ or $x.y").unwrap().value, "5$ or $x.y");
        let unset = field("a: X: $URIKIT_UNSET").unwrap_err();
        assert_eq!(unset, "the variable URIKIT_UNSET is not set");
        assert!(field("X: 1").is_err() && field("a: X Y: 1").is_err());
    }

    #[test]
    fn lines() {
        let progress = Progress {
            done: 3,
            total: 10,
            host: Some("a.example".to_owned()),
            pause: Some(Duration::from_millis(29_500)),
        };
        assert_eq!(
            text(&progress),
            "3 of 10 URLs, waiting for a.example (30 s)"
        );
        let host = |name: &str, requests| HostSummary {
            host: name.to_owned(),
            requests,
            waited: Duration::from_secs(60),
            failures: 1,
        };
        let mut out = Vec::new();
        hosts(&[host("a.example", 12), host("b", 3)], false, &mut out).unwrap();
        let out = anstream::adapter::strip_bytes(&out).into_vec();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "host       requests   waited  failed\n\
             a.example        12     60 s       1\n\
             b                 3     60 s       1\n"
        );
    }
}
