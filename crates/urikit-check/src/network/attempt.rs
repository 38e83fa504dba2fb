//! One attempt to check a URL.

use super::permission::Permission;
use super::probing::{HostProbe, MAX_COMPARED};
use super::room::Room;
use super::sink::{Page, Part};
use super::{Network, Redirected, Task, answer, fields, host_of, judge, may_change, redirects};
use crate::probe::{Probed, Validators};
use crate::{Finding, Outcome, Reason, Rule};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use urikit::{AnyRef, IriRef};
use urikit_access::policy::Refusal;
use urikit_access::protocol::http::Cookies;
use urikit_access::{
    Client, Error, ErrorKind, Hop, NoPrompt, Redirects, Request, Response, Wanted,
};

/// The maximum number of bytes to read from a page. Fragments in longer pages are not checked.
const MAX_PAGE: usize = 16 << 20;

/// The result of an attempt.
pub(super) enum Attempted {
    Done(Box<Probed>),
    /// The request must be sent a second time.
    Again {
        delay: Duration,
        /// The host to which no other request may be sent during the delay.
        pauses: Option<String>,
        /// True if the second attempt keeps cookies.
        has_cookies: bool,
    },
    /// The request continues at another host.
    Redirected(Box<Redirected>),
    Cancelled,
}

/// The parts of a target to request.
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(super) struct Want<'a> {
    /// The number of bytes of the body to fetch; `None` to fetch only the metadata.
    pub(super) limit: Option<usize>,
    /// True if a binary body is also fetched.
    pub(super) takes_binary: bool,
    /// True if the request asks for the body, even if only the metadata is needed.
    pub(super) by_get: bool,
    pub(super) has_cookies: bool,
    /// The redirects to follow; `None` for all that the policy allows.
    pub(super) redirects: Option<&'a dyn Redirects>,
    /// True if the URL is the target of a redirect from another host.
    pub(super) is_foreign: bool,
    pub(super) validators: Option<&'a Validators>,
    /// Where a large page reserves its place in memory. `None` if the limit is too low for one.
    pub(super) room: Option<&'a Arc<Room>>,
    /// Another header field.
    pub(super) field: Option<(&'static str, String)>,
}

impl Want<'_> {
    /// Returns a request for metadata.
    // Every request must say whether it is foreign, because secrets and permissions depend on it.
    pub(super) const fn new(is_foreign: bool) -> Self {
        Self {
            limit: None,
            takes_binary: false,
            by_get: false,
            has_cookies: false,
            redirects: None,
            is_foreign,
            validators: None,
            room: None,
            field: None,
        }
    }
}

/// The result of a request.
pub(super) struct Fetched {
    pub(super) result: Result<Response, Error>,
    pub(super) page: Page,
}

impl Fetched {
    pub(super) fn hops(&self) -> &[Hop] {
        match &self.result {
            Ok(response) => &response.hops,
            Err(error) => error.hops(),
        }
    }

    /// Returns true if the server sent everything that was requested.
    pub(super) fn is_ok(&self) -> bool {
        self.result.is_ok() || self.page.is_enough()
    }

    /// Returns the target of a redirect that `Want::redirects` did not allow.
    pub(super) fn elsewhere(&self) -> Option<&str> {
        let error = self.result.as_ref().err()?;
        matches!(error.kind(), ErrorKind::Refused(Refusal::Target { .. }))
            .then(|| error.hops().last()?.location.as_deref())?
            .and_then(|url| url.split('#').next())
    }

    fn status(&self) -> Option<u16> {
        judge::last_http(self.hops()).and_then(|hop| hop.status)
    }

    /// Returns true if the server or the protocol does not support a request for metadata alone.
    fn needs_get(&self) -> bool {
        match &self.result {
            Ok(_) => false,
            Err(error) => {
                matches!(self.status(), Some(405 | 501))
                    || matches!(error.kind(), ErrorKind::Unsupported(_))
            }
        }
    }
}

impl Network {
    /// Makes one attempt.
    pub(super) fn attempt(&self, task: &Task, host: &str, room: &Arc<Room>) -> Attempted {
        if self.cancel.is_cancelled() {
            return Attempted::Cancelled;
        }
        let url = task.url();
        let without_answer = |outcome| Probed {
            redirected: task.redirected.is_some().then(|| url.to_owned()),
            ..Probed::from(outcome)
        };
        let given_up = self.hosts.change(host, |host| host.given_up.clone());
        if let Some(outcome) = given_up {
            return done(without_answer(outcome));
        }
        let reference = match IriRef::parse(url) {
            Ok(reference) => reference,
            Err(error) => {
                let reason = Reason::Invalid(error.to_string());
                return done(without_answer(Outcome::Broken(reason)));
            }
        };
        let scheme = reference.scheme().unwrap_or_default().to_ascii_lowercase();
        let is_http = matches!(&*scheme, "http" | "https");
        if is_http && self.has_robots && !self.own_hosts.iter().any(|own| own == host) {
            match self.permission(host, url, task.redirected.is_some()) {
                Permission::Granted => {}
                Permission::Denied => {
                    return done(without_answer(Outcome::Unverifiable(Reason::Robots)));
                }
                Permission::Unknown(outcome) => {
                    let findings = tls(&outcome);
                    let probed = Probed {
                        findings,
                        ..without_answer(outcome)
                    };
                    return self.ended(task, host, probed, Wish::default());
                }
                Permission::Cancelled => return Attempted::Cancelled,
            }
        }
        let same_host = self.same_host(host, url);
        // If pages must be compared with the answer to the probe, the first request also fetches
        // the body.
        let is_compared = self.has_probe
            && self.hosts.change(host, |host| {
                let probe = host.probe(task.redirected.is_some());
                probe.get().is_some_and(HostProbe::has_page)
            });
        let limit = task.request.needs_content.then_some(MAX_PAGE);
        let mut want = Want {
            limit: limit.or(is_compared.then_some(MAX_COMPARED)),
            takes_binary: task.request.is_source,
            // Some servers answer HEAD with a different status than GET. Gopher has only one kind
            // of request.
            by_get: is_http && task.is_retry || scheme == "gopher",
            has_cookies: task.has_cookies,
            // Cookies are kept only within one access, which therefore follows all redirects
            // itself.
            redirects: (!task.has_cookies).then_some(&same_host),
            validators: task.request.validators.as_ref(),
            room: Some(room),
            ..Want::new(task.redirected.is_some())
        };
        let mut fetched = self.fetch(host, reference.into(), &want);
        if fetched.needs_get() && want.limit.is_none() && !want.by_get {
            want.by_get = true;
            fetched = self.fetch(host, reference.into(), &want);
        }
        self.answered(task, host, fetched)
    }

    /// Makes one request.
    pub(super) fn fetch(&self, host: &str, url: AnyRef<'_>, want: &Want<'_>) -> Fetched {
        self.hosts.change(host, |host| host.requests += 1);
        let part = match want.limit {
            Some(limit) => Part::Body(limit),
            None if want.by_get => Part::Start,
            None => Part::Metadata,
        };
        let mut page = Page::new(part, want.room.cloned()).takes_binary(want.takes_binary);
        let wanted = match part {
            Part::Metadata => Wanted::Metadata,
            Part::Start | Part::Body(_) => Wanted::Body,
        };
        let mut request = Request::new(url)
            .wanted(wanted)
            .without_events()
            .cancel(&self.cancel);
        if let Some(rule) = want.redirects {
            request = request.redirects(rule);
        }
        if want.is_foreign {
            request = request.foreign();
        }
        let result = self
            .client_for(host, url, want)
            .and_then(|client| client.fetch(&request, &mut NoPrompt, &mut page));
        Fetched { result, page }
    }

    /// Returns the rule for the redirects of a URL. Header fields for its host may apply to only
    /// one scheme, so another scheme needs another client.
    pub(super) fn same_host<'h>(&self, host: &'h str, url: &'h str) -> SameHost<'h> {
        let has_fields = self.fields.iter().any(|field| field.host == host);
        let scheme = url.split_once(':').map(|(scheme, _)| scheme);
        SameHost {
            host,
            scheme: scheme.filter(|_| has_fields),
        }
    }

    /// Returns the client with the header fields for a URL of a host.
    fn client_for(&self, host: &str, url: AnyRef<'_>, want: &Want<'_>) -> Result<Client, Error> {
        let fields = self.fields.iter().filter(|field| field.applies(host, url));
        let own = fields.map(|field| (&*field.name, &*field.value));
        let validators = want.validators.into_iter().flat_map(|validators| {
            let etag = validators.etag.as_deref();
            let modified = validators.modified.as_deref();
            let etag = etag.map(|etag| ("If-None-Match", etag));
            etag.into_iter()
                .chain(modified.map(|date| ("If-Modified-Since", date)))
        });
        let other = want
            .field
            .iter()
            .map(|(name, value)| (*name, value.as_str()));
        let mut extra = own.chain(validators).chain(other).peekable();
        if extra.peek().is_none() && !want.has_cookies {
            return Ok(self.client.clone());
        }
        let mut http = self.http.clone();
        for (name, value) in extra {
            http = http.field(name, value)?;
        }
        if want.has_cookies {
            http = http.cookies(Cookies::new());
        }
        Ok(self.client.clone().protocol(http))
    }

    /// Judges an answer.
    fn answered(&self, task: &Task, host: &str, fetched: Fetched) -> Attempted {
        let before = task.redirected.as_deref();
        let hops = match before {
            None => Cow::Borrowed(fetched.hops()),
            Some(before) => Cow::Owned([&before.hops, fetched.hops()].concat()),
        };
        let outcome = match fetched.elsewhere() {
            None => judge::outcome(&fetched.result, fetched.page.is_enough()),
            // The first attempt keeps no cookies, so visiting a URL again would have the same
            // result.
            Some(url) if hops.iter().any(|hop| hop.uri == url) => {
                Some(Outcome::Broken(Reason::RedirectLoop))
            }
            Some(_) if redirects::count(&hops) > self.max_redirects => {
                Some(Outcome::Broken(Reason::TooManyRedirects))
            }
            Some(url) => {
                self.keep_limit(host, &hops);
                let (url, hops) = (url.to_owned(), hops.into_owned());
                return Attempted::Redirected(Box::new(Redirected { url, hops }));
            }
        };
        let Some(mut outcome) = outcome else {
            return Attempted::Cancelled;
        };
        let request = &task.request;
        let not_modified = request.validators.is_some() && fetched.status() == Some(304);
        if not_modified {
            outcome = Outcome::Ok;
        }
        if self.is_known_to_forge(&request.url, &outcome) {
            return done(Probed::from(Outcome::Ok));
        }
        let last = judge::last_http(&hops);
        let error = fetched.result.as_ref().err();
        let wish = Wish {
            asked: error.and_then(Error::retry_after),
            limit: last.and_then(|hop| fields::rate_limit(hop, now())),
            host: hops
                .last()
                .filter(|hop| hop.uri != task.url())
                .map(|hop| host_of(&hop.uri)),
        };
        let mut findings = match &outcome {
            Outcome::Ok => redirects::findings(&request.url, &hops),
            outcome => tls(outcome),
        };
        let redirected = redirects::target(&hops);
        if outcome == Outcome::Ok {
            let is_secure = redirected
                .as_deref()
                .is_some_and(|url| url.starts_with("https:"));
            let first_host = || host_of(&request.url);
            if self.seeks_https && !is_secure && self.offers_https(&first_host(), &request.url) {
                findings.push(Finding {
                    rule: Rule::Insecure,
                    message: "the server also answers over https".to_owned(),
                    suggestion: None,
                });
            }
        }
        let first = |name: &'static str| {
            let mut values = last.into_iter().flat_map(move |hop| hop.values(name));
            values.next().map(str::to_owned)
        };
        let validators = Validators {
            etag: first("ETag"),
            modified: first("Last-Modified"),
        };
        let validators = (validators != Validators::default()).then_some(validators);
        // A 304 response may omit fields that have not changed.
        let known = request.validators.clone().filter(|_| not_modified);
        let validators = validators.or(known);
        let is_ok = outcome == Outcome::Ok && !not_modified;
        let final_url = redirected.as_deref().unwrap_or(&request.url);
        let final_url = final_url.split('#').next().unwrap_or_default();
        // Once a redirect has led to another host, a later redirect back may lead to any URL.
        let is_foreign = hops
            .iter()
            .any(|hop| host_of(&hop.uri) != host_of(&request.url));
        drop(hops);
        let page = fetched.page;
        let content = is_ok.then(|| page.content(final_url)).flatten();
        if self.has_probe && is_ok && final_url.starts_with("http") {
            findings.extend(self.doubt(&request.url, final_url, content.as_ref(), is_foreign));
        }
        let probed = Probed {
            content: content.filter(|_| request.needs_content),
            redirected,
            validators,
            not_modified,
            ..answer(outcome, findings)
        };
        self.ended(task, host, probed, wish)
    }

    /// Pauses a host if its response says that a rate limit has been reached, but redirects to
    /// another host.
    fn keep_limit(&self, host: &str, hops: &[Hop]) {
        let limit = judge::last_http(hops).and_then(|hop| fields::rate_limit(hop, now()));
        let pause = limit.filter(|pause| !pause.is_zero() && *pause <= self.max_wait);
        let Some(pause) = pause else {
            return;
        };
        self.hosts.change(host, |host| {
            if host.left > 1 {
                host.pause(Instant::now(), pause);
            }
        });
        self.scheduler.pause(host, pause);
    }

    /// Decides whether a second attempt follows.
    fn ended(&self, task: &Task, host: &str, probed: Probed, wish: Wish) -> Attempted {
        let outcome = &probed.outcome;
        let has_failed = matches!(outcome, Outcome::Broken(_) | Outcome::Unverifiable(_));
        if has_failed {
            self.hosts.change(host, |host| host.failures += 1);
        }
        let is_limited = *outcome == Outcome::Unverifiable(Reason::Status(429));
        let asked = wish.asked.or(wish.limit).filter(|time| !time.is_zero());
        // If the server limits requests but does not specify a delay, the wait is five times as
        // long as for other retries.
        let unsaid = is_limited.then(|| self.retry_delay.saturating_mul(5));
        let pause = asked
            .or(unsaid)
            .filter(|_| is_limited || has_failed || wish.limit.is_some());
        let asking = wish.host.unwrap_or_else(|| host.to_owned());
        if is_limited && pause > Some(self.max_wait) {
            self.hosts
                .change(&asking, |host| host.given_up = Some(outcome.clone()));
            return done(probed);
        }
        let pause = pause.filter(|pause| *pause <= self.max_wait);
        if let Some(pause) = pause {
            let is_needed = |host: &mut super::hosts::Host| host.left > 1 || !task.is_retry;
            self.hosts.change(&asking, |host| {
                if is_needed(host) {
                    host.pause(Instant::now(), pause);
                }
            });
        }
        if !task.is_retry && may_change(outcome) {
            return Attempted::Again {
                delay: pause.unwrap_or_default().max(self.retry_delay),
                pauses: pause.map(|_| asking),
                has_cookies: matches!(
                    outcome,
                    Outcome::Broken(Reason::RedirectLoop | Reason::TooManyRedirects)
                ),
            };
        }
        if let Some(pause) = pause {
            self.scheduler.pause(&asking, pause);
        }
        let is_hosts_fault = is_limited
            || matches!(
                outcome,
                Outcome::Unverifiable(Reason::Timeout | Reason::DnsFailure)
            );
        self.hosts
            .change(host, |host| host.ended(outcome, is_hosts_fault));
        done(probed)
    }

    /// Returns true if the host of an http URL also supports https. Asks each host only once.
    fn offers_https(&self, host: &str, url: &str) -> bool {
        let Some(rest) = url.strip_prefix("http://").filter(|_| !host.contains(':')) else {
            return false;
        };
        let cell = self.hosts.change(host, |host| Arc::clone(&host.is_secure));
        *cell.get_or_init(|| {
            let url = format!("https://{rest}");
            let Ok(reference) = IriRef::parse(&url) else {
                return false;
            };
            let want = Want {
                by_get: true,
                ..Want::new(false)
            };
            let fetched = self.fetch(host, reference.into(), &want);
            let back = redirects::target(fetched.hops());
            let is_back = back.is_some_and(|url| !url.starts_with("https:"));
            fetched.is_ok() && !is_back
        })
    }
}

/// Follows only redirects within one host, because a request to another host must wait its turn.
#[derive(Debug)]
pub(super) struct SameHost<'h> {
    host: &'h str,
    /// The scheme, if redirects to another one must not be followed.
    scheme: Option<&'h str>,
}

impl Redirects for SameHost<'_> {
    fn follows(&self, to: AnyRef<'_>) -> bool {
        // Let the policy refuse a redirect with a user name, so that the error gives the reason.
        let has_scheme = |scheme| {
            to.scheme()
                .is_some_and(|to| to.eq_ignore_ascii_case(scheme))
        };
        to.userinfo().is_some()
            || host_of(to.as_str()) == self.host && self.scheme.is_none_or(has_scheme)
    }
}

/// The pauses that a server asked for.
#[derive(Default)]
struct Wish {
    /// The pause in `Retry-After`.
    asked: Option<Duration>,
    /// The time until the server's rate limit allows requests again.
    limit: Option<Duration>,
    /// The host that asked, if redirects led to another host.
    host: Option<String>,
}

/// Returns the seconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

/// Returns the finding about a certificate.
fn tls(outcome: &Outcome) -> Vec<Finding> {
    let Outcome::Broken(Reason::Tls(why)) = outcome else {
        return Vec::new();
    };
    vec![Finding {
        rule: Rule::Tls,
        message: format!("the certificate is not valid: {why}"),
        suggestion: None,
    }]
}

fn done(probed: Probed) -> Attempted {
    Attempted::Done(Box::new(probed))
}
