//! Checks links by sending requests to their servers.
//!
//! ```text
//! Network: worker threads → Scheduler: which host is next
//!    attempt: robots.txt, HEAD or GET → judge: outcome → redirects: findings
//!    hosts: counts, waits, and servers that are given up
//! ```
//!
//! A redirect to another host ends the attempt, and its target waits for its turn at that host. A
//! link counts as broken, or as timed out, only after a second attempt some time later. Waiting
//! does not occupy a thread.

mod attempt;
mod fields;
mod forges;
mod hosts;
mod judge;
mod parking;
mod permission;
mod probing;
mod redirects;
mod robots;
mod room;
mod sink;

use crate::probe::{HostSummary, Probed, Prober, Request, RequestId};
use crate::{Finding, Outcome, Reason};
use attempt::Attempted;
use forges::Forge;
use hosts::Hosts;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use urikit::{AnyRef, IriRef};
use urikit_access::mask::MaskedUrl;
use urikit_access::protocol::HttpProtocol;
use urikit_access::{Cancel, Client, Error, ErrorKind, Hop, HostLimits, Scheduler};

/// The name in robots.txt.
const AGENT: &str = "urikit";

/// The interval at which the stop flag is polled.
const WATCH: Duration = Duration::from_millis(50);

type Show = dyn Fn(&Progress) + Send + Sync;

type Done<'a> = &'a (dyn Fn(RequestId, Probed) -> Vec<Request> + Sync);

/// The prober that requests URLs from servers, with all protocols of its client.
///
/// The policy of the client limits addresses, ports, times and sizes.
///
/// ```no_run
/// use urikit_access::{Client, Policy};
/// use urikit_check::{Check, Network, Source};
/// let network = Network::new(Client::new(Policy::new())).per_host(2);
/// let report = Check::new().run([Source::text("a.txt", "see http://a.example/")], &network);
/// ```
pub struct Network {
    client: Client,
    http: HttpProtocol,
    fields: Vec<HostField>,
    own_hosts: Vec<String>,
    forges: Vec<Forge>,
    has_robots: bool,
    seeks_https: bool,
    has_probe: bool,
    jobs: usize,
    retry_delay: Duration,
    max_wait: Duration,
    max_redirects: usize,
    scheduler: Scheduler<Task>,
    hosts: Hosts,
    cancel: Cancel,
    stop: Arc<AtomicBool>,
    progress: Option<Box<Show>>,
    /// The hosts of the requests in progress, in the order in which the requests began.
    running: Mutex<BTreeMap<u64, String>>,
    large_pages: Arc<room::LargePages>,
    begun: AtomicU64,
    done: AtomicUsize,
    added: AtomicUsize,
}

/// The state of a run, for a progress line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of URLs that were checked.
    pub done: usize,
    /// The number of URLs that are known so far.
    pub total: usize,
    /// The host that has kept a request waiting the longest, or that asked for a pause.
    pub host: Option<String>,
    /// The length of the pause that the host asked for, if nothing else is left to do.
    pub pause: Option<Duration>,
}

/// A request waiting for its turn.
#[derive(Debug)]
struct Task {
    request: Request,
    /// True if the first attempt failed.
    is_retry: bool,
    /// True if the first attempt failed because of redirects, which may come to an end if the
    /// client keeps cookies.
    has_cookies: bool,
    /// The redirects that led to the host at which the task waits.
    redirected: Option<Box<Redirected>>,
}

/// The redirects that led to another host, whose limits apply to the next request.
struct Redirected {
    /// The URL to request next.
    url: String,
    /// The responses so far.
    hops: Vec<Hop>,
}

impl std::fmt::Debug for Redirected {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redirected")
            .field("url", &MaskedUrl(&self.url))
            .field("hops", &self.hops)
            .finish()
    }
}

impl Task {
    /// Returns the URL to request.
    fn url(&self) -> &str {
        let redirected = self.redirected.as_ref();
        redirected.map_or(&self.request.url, |redirected| &redirected.url)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("jobs", &self.jobs)
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Creates a prober with the default limits of [`jobs`](Self::jobs) and
    /// [`per_host`](Self::per_host).
    pub fn new(client: Client) -> Self {
        let http = HttpProtocol::new().compressed(true);
        Self {
            client: client.protocol(http.clone()),
            http,
            fields: Vec::new(),
            own_hosts: Vec::new(),
            forges: Vec::new(),
            has_robots: true,
            seeks_https: false,
            has_probe: false,
            jobs: 256,
            retry_delay: Duration::from_secs(2),
            max_wait: Duration::from_secs(120),
            max_redirects: 10,
            scheduler: scheduler(8),
            hosts: Hosts::default(),
            cancel: Cancel::new(),
            stop: Arc::default(),
            progress: None,
            running: Mutex::default(),
            large_pages: Arc::default(),
            begun: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            added: AtomicUsize::new(0),
        }
    }

    /// Sets the maximum number of simultaneous requests: 256 by default.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets the maximum number of simultaneous requests to one host: 8 by default.
    #[must_use]
    pub fn per_host(mut self, requests: usize) -> Self {
        self.scheduler = scheduler(requests);
        self
    }

    /// Sets the delay before a failed request is retried: 2 seconds by default.
    #[must_use]
    pub const fn retry_delay(mut self, delay: Duration) -> Self {
        self.retry_delay = delay;
        self
    }

    /// Sets the longest wait that a host may ask for: 2 minutes by default. The remaining links to
    /// a host that asks for a longer wait are unverifiable.
    #[must_use]
    pub const fn max_wait(mut self, max: Duration) -> Self {
        self.max_wait = max;
        self
    }

    /// Sets the maximum number of redirects: 10 by default. The policy of the client limits
    /// redirects within one host.
    #[must_use]
    pub const fn max_redirects(mut self, max: usize) -> Self {
        self.max_redirects = max;
        self
    }

    /// Sets the `User-Agent` of HTTP requests. The name that is looked up in robots.txt remains
    /// `urikit`.
    #[must_use]
    pub fn user_agent(mut self, name: &str) -> Self {
        self.http = self.http.user_agent(name);
        self.client = self.client.protocol(self.http.clone());
        self
    }

    /// Adds a header field to the HTTP requests to a host: `a.example` or `a.example:8080`.
    ///
    /// The field is sent over https, and over http only to this machine (`localhost` or a loopback
    /// address). To send it to another host over http, write `http://a.example`. With
    /// `https://a.example`, it is sent only over https.
    ///
    /// # Errors
    ///
    /// Fails if the name or the value cannot be sent, or if more than a host follows the scheme.
    pub fn field(mut self, host: &str, name: &str, value: &str) -> Result<Self, Error> {
        self.http.clone().field(name, value)?;
        let host = host.to_ascii_lowercase();
        let (scheme, host) = match host.split_once("://") {
            Some((scheme, rest)) => {
                let rest = rest.strip_suffix('/').unwrap_or(rest);
                if !matches!(scheme, "http" | "https") || rest.contains(['/', '?', '#', '@']) {
                    let what = "a header field needs a host, or a host after http:// or https://";
                    return Err(Error::new(ErrorKind::Unsupported(what)));
                }
                (
                    Some(scheme.to_owned()),
                    host_of(&format!("{scheme}://{rest}")),
                )
            }
            None => (None, host),
        };
        self.fields.push(HostField {
            scheme,
            host,
            name: name.to_owned(),
            value: value.to_owned(),
        });
        Ok(self)
    }

    /// Adds a URL of the site itself. The robots.txt of its host is ignored, because its rules are
    /// meant for other people's crawlers.
    #[must_use]
    pub fn own_site(mut self, url: &str) -> Self {
        self.own_hosts.push(host_of(url));
        self
    }

    /// Sets whether robots.txt is read and obeyed. The default is true.
    #[must_use]
    pub const fn robots(mut self, yes: bool) -> Self {
        self.has_robots = yes;
        self
    }

    /// Sets whether the hosts of `http` links are tested, once each, for support of `https`. The
    /// default is false.
    #[must_use]
    pub const fn https(mut self, yes: bool) -> Self {
        self.seeks_https = yes;
        self
    }

    /// Sets whether each host is asked once for a page that does not exist, to find
    /// [parked](crate::Rule::Parked) domains and [soft 404s](crate::Rule::Soft404). The default is
    /// false. If a host answers with status 200, its pages are read and compared with the answer.
    #[must_use]
    pub const fn probing(mut self, yes: bool) -> Self {
        self.has_probe = yes;
        self
    }

    /// Sets a flag that ends the requests once it is true, such as [`Check::stop`](crate::Check).
    #[must_use]
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Sets a function that receives the progress about 20 times per second.
    #[must_use]
    pub fn progress(mut self, show: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(show));
        self
    }

    fn add(&self, requests: Vec<Request>) {
        for request in requests {
            self.added.fetch_add(1, Ordering::Relaxed);
            self.place(Task {
                request,
                is_retry: false,
                has_cookies: false,
                redirected: None,
            });
        }
    }

    /// Lets a task wait for its turn at the host of its URL.
    fn place(&self, task: Task) {
        let host = host_of(task.url());
        self.hosts.change(&host, |host| host.left += 1);
        self.scheduler.add(&host, task);
    }

    /// Works on tasks until none is left. Starts another thread whenever one is needed.
    fn work<'scope, 'env>(
        &'env self,
        scope: &'scope thread::Scope<'scope, 'env>,
        threads: &'env AtomicUsize,
        done: Done<'env>,
    ) {
        let mut next = self.scheduler.take();
        while let Some((task, turn)) = next {
            if self.scheduler.needs_thread()
                && threads.fetch_add(1, Ordering::Relaxed) < self.jobs.saturating_sub(1)
            {
                // If the thread cannot be started, the existing threads do the work.
                let _ = thread::Builder::new()
                    .spawn_scoped(scope, move || self.work(scope, threads, done));
            }
            let host = turn.host();
            let leave = || {
                self.hosts
                    .change(host, |host| host.left = host.left.saturating_sub(1));
            };
            // The first attempt ended at another host, but the second attempt begins again at the
            // first URL.
            if task.is_retry && task.redirected.is_none() && host_of(task.url()) != host {
                leave();
                self.place(task);
                next = self.scheduler.take_after(turn);
                continue;
            }
            let number = self.begun.fetch_add(1, Ordering::Relaxed);
            locked(&self.running).insert(number, host.to_owned());
            let room = room::Room::new(&self.large_pages, &self.cancel);
            let attempted = self.attempt(&task, host, &room);
            locked(&self.running).remove(&number);
            match attempted {
                Attempted::Done(probed) => {
                    leave();
                    self.done.fetch_add(1, Ordering::Relaxed);
                    self.add(done(task.request.id, *probed));
                    // A thread that waits for a task must not keep room from the others.
                    drop(room);
                    next = self.scheduler.take_after(turn);
                }
                Attempted::Again {
                    delay,
                    pauses,
                    has_cookies,
                } => {
                    drop(room);
                    let task = Task {
                        is_retry: true,
                        has_cookies,
                        redirected: None,
                        ..task
                    };
                    turn.retry(task, delay, pauses.as_deref());
                    next = self.scheduler.take();
                }
                Attempted::Redirected(redirected) => {
                    drop(room);
                    leave();
                    self.place(Task {
                        redirected: Some(redirected),
                        ..task
                    });
                    next = self.scheduler.take_after(turn);
                }
                Attempted::Cancelled => {
                    drop(room);
                    next = self.scheduler.take_after(turn);
                }
            }
        }
    }

    /// Polls the stop flag and shows the progress until the work is done.
    fn watch(&self, (has_ended, changed): &(Mutex<bool>, Condvar)) {
        let mut guard = locked(has_ended);
        while !*guard {
            let woken = changed.wait_timeout(guard, WATCH);
            (guard, _) = woken.unwrap_or_else(PoisonError::into_inner);
            if self.stop.load(Ordering::Relaxed) {
                self.cancel.cancel();
                self.scheduler.clear();
            }
            if let Some(show) = &self.progress {
                show(&self.state());
            }
        }
    }

    fn state(&self) -> Progress {
        let running = locked(&self.running);
        let (host, pause) = match (running.values().next(), self.scheduler.next_paused()) {
            (Some(host), _) => (Some(host.clone()), None),
            (None, Some((host, left))) => (Some(host), Some(left)),
            (None, None) => (None, None),
        };
        Progress {
            done: self.done.load(Ordering::Relaxed),
            total: self.added.load(Ordering::Relaxed),
            host,
            pause,
        }
    }
}

impl Prober for Network {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        self.add(requests);
        let end = (Mutex::new(false), Condvar::new());
        let threads = AtomicUsize::new(0);
        thread::scope(|scope| {
            let watching = thread::Builder::new().spawn_scoped(scope, || self.watch(&end));
            self.work(scope, &threads, done);
            *locked(&end.0) = true;
            end.1.notify_all();
            drop(watching);
        });
    }

    fn hosts(&self) -> Vec<HostSummary> {
        self.hosts.summary(Instant::now())
    }
}

/// Returns a scheduler to which only its workers add tasks.
fn scheduler(per_host: usize) -> Scheduler<Task> {
    let limits = HostLimits {
        tasks: per_host.max(1),
        ..HostLimits::default()
    };
    let scheduler = Scheduler::new(limits);
    scheduler.close();
    scheduler
}

/// A header field for the requests to one host.
#[derive(Clone)]
struct HostField {
    /// The scheme of the requests, if it was given.
    scheme: Option<String>,
    /// The host, and the port if it is not the default.
    host: String,
    name: String,
    value: String,
}

impl HostField {
    /// Returns true if requests for this URL of the host contain the field.
    fn applies(&self, host: &str, url: AnyRef<'_>) -> bool {
        let scheme = url.scheme().unwrap_or_default();
        let is_scheme = match &self.scheme {
            Some(given) => scheme.eq_ignore_ascii_case(given),
            // Others could read the field.
            None if scheme.eq_ignore_ascii_case("http") => is_here(url),
            None => true,
        };
        is_scheme && self.host == host
    }
}

/// Returns true if the host of a URL is this machine.
fn is_here(url: AnyRef<'_>) -> bool {
    let host = url.host().map(|host| host.as_str()).unwrap_or_default();
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let address = inner.unwrap_or(host).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Returns the host of a URL in lower case, with its port if it is not the default of the scheme.
/// If the URL has no host, returns the scheme.
fn host_of(url: &str) -> String {
    let Ok(url) = IriRef::parse(url) else {
        return String::new();
    };
    let scheme = url.scheme().unwrap_or_default().to_ascii_lowercase();
    let Some(host) = url.host() else {
        return format!("{scheme}:");
    };
    let host = host.as_str().to_ascii_lowercase();
    let default = urikit::scheme::known(&scheme).and_then(|known| known.port);
    let authority = url.authority();
    let written = authority.and_then(|authority| authority.port());
    let number = authority.and_then(|authority| authority.port_number());
    match (number, written) {
        (Some(port), _) if Some(port) != default => [&*host, ":", &port.to_string()].concat(),
        // No server can listen on this port, so its URLs are not grouped with those of the host.
        (None, Some(port)) if !port.is_empty() => [&*host, ":", port].concat(),
        _ => host,
    }
}

/// Locks a mutex, even if another thread has panicked while holding it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an answer without content.
fn answer(outcome: Outcome, findings: Vec<Finding>) -> Probed {
    Probed {
        findings,
        ..Probed::from(outcome)
    }
}

/// Returns true if the outcome of a second attempt may differ.
fn may_change(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Broken(reason) => !matches!(reason, Reason::Invalid(_)),
        Outcome::Unverifiable(reason) => matches!(
            reason,
            Reason::Status(408 | 429 | 500..=599)
                | Reason::Timeout
                | Reason::DnsFailure
                | Reason::Failed(_)
        ),
        Outcome::Ok | Outcome::NotChecked(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn hosts_with_their_ports() {
        for (url, host) in [
            ("http://A.example/", "a.example"),
            ("http://a.example:/", "a.example"),
            ("http://a.example:080/", "a.example"),
            ("https://a.example:443", "a.example"),
            ("https://a.example:80/", "a.example:80"),
            ("http://a.example:99999/", "a.example:99999"),
            ("mailto:a", "mailto:"),
        ] {
            assert_eq!(host_of(url), host, "{url}");
        }
    }
}
