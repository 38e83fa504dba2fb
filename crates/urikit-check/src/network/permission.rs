//! Reads the robots.txt of each server once, before anything else is requested.

use super::attempt::Want;
use super::robots::{MAX_LENGTH, Robots, ascii};
use super::{AGENT, Network, judge, locked};
use crate::{Outcome, Reason};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use urikit::IriRef;

/// The permission to request a URL, according to robots.txt.
pub(super) enum Permission {
    Granted,
    Denied,
    /// The server did not answer. The URL gets this outcome, unless a later attempt succeeds.
    Unknown(Outcome),
    Cancelled,
}

/// The robots.txt files of a host, whose http and https servers each have their own. Threads that
/// need the same robots.txt wait for it.
#[derive(Default)]
pub(super) struct Permissions {
    http: Arc<Mutex<Option<Answer>>>,
    https: Arc<Mutex<Option<Answer>>>,
}

/// A server's answer to the request for robots.txt.
enum Answer {
    Rules(Robots),
    /// The request failed.
    Failed {
        /// The outcome for URLs of this server.
        outcome: Outcome,
        at: Instant,
        /// True if a redirect from another host led to this server. The policy may refuse only
        /// such requests.
        was_foreign: bool,
    },
}

/// The beginning of https URLs.
const HTTPS: &str = "https:";

impl Network {
    /// Asks whether the host's robots.txt allows a URL. `is_foreign` is true if a redirect from
    /// another host led to the URL.
    pub(super) fn permission(&self, host: &str, url: &str, is_foreign: bool) -> Permission {
        let start = url.get(..HTTPS.len()).unwrap_or_default();
        let is_secure = start.eq_ignore_ascii_case(HTTPS);
        let cell = self.hosts.change(host, |host| {
            let Permissions { http, https } = &host.permissions;
            Arc::clone(if is_secure { https } else { http })
        });
        let mut answer = locked(&cell);
        let is_known = match &*answer {
            None => false,
            Some(Answer::Rules(_)) => true,
            // Other requests in the same round of attempts fail at once instead of repeating the
            // request.
            Some(Answer::Failed {
                at, was_foreign, ..
            }) => at.elapsed() < self.retry_delay && (is_foreign || !was_foreign),
        };
        if !is_known {
            let Some(origin) = origin(url) else {
                return Permission::Granted;
            };
            match self.read_robots(host, &format!("{origin}/robots.txt"), is_foreign) {
                Some(read) => *answer = Some(read),
                None => return Permission::Cancelled,
            }
        }
        match &*answer {
            Some(Answer::Rules(robots)) if !robots.allow(AGENT, &ascii(url)) => Permission::Denied,
            Some(Answer::Failed { outcome, .. }) => Permission::Unknown(outcome.clone()),
            _ => Permission::Granted,
        }
    }

    /// Reads robots.txt as RFC 9309, 2.3.1 describes. Returns `None` if the run was cancelled.
    fn read_robots(&self, host: &str, url: &str, is_foreign: bool) -> Option<Answer> {
        let url = IriRef::parse(url).ok()?;
        let want = Want {
            limit: Some(MAX_LENGTH),
            ..Want::new(is_foreign)
        };
        let fetched = self.fetch(host, url.into(), &want);
        let outcome = judge::outcome(&fetched.result, fetched.page.is_enough())?;
        let failed = |outcome| Answer::Failed {
            outcome,
            at: Instant::now(),
            was_foreign: is_foreign,
        };
        Some(match outcome {
            Outcome::Ok => Answer::Rules(Robots::new(&fetched.page.bytes())),
            // "Unavailable": the crawler may access any resources.
            Outcome::Broken(
                Reason::Status(_) | Reason::RedirectLoop | Reason::TooManyRedirects,
            )
            | Outcome::Unverifiable(Reason::Status(..500) | Reason::BotWall) => {
                Answer::Rules(Robots::new(b""))
            }
            // "Unreachable": the crawler must assume complete disallow.
            Outcome::Unverifiable(Reason::Status(status)) => {
                let why = format!("robots.txt is not available: {}", Reason::Status(status));
                failed(Outcome::Unverifiable(Reason::Failed(why)))
            }
            outcome => failed(outcome),
        })
    }
}

/// Returns the scheme and the authority of an HTTP URL, without the userinfo.
pub(super) fn origin(url: &str) -> Option<String> {
    let url = IriRef::parse(url).ok()?;
    let host = url.host()?.as_str().to_ascii_lowercase();
    let port = url.port().filter(|port| !port.is_empty());
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let scheme = url.scheme()?.to_ascii_lowercase();
    Some(format!("{scheme}://{host}{port}"))
}
