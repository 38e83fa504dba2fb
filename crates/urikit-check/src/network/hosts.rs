//! Records the counts and pauses of each host, and the hosts that the run has given up on.

use super::locked;
use super::permission::Permissions;
use super::probing::HostProbe;
use crate::Outcome;
use crate::probe::HostSummary;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The number of consecutive failures after which the run gives up on a host. Otherwise, a server
/// that never answers would delay the run by one timeout for each of its links.
const MAX_FAILURES: u32 = 8;

/// All hosts, indexed by name.
#[derive(Default)]
pub(super) struct Hosts(Mutex<HashMap<String, Host>>);

/// A host.
#[derive(Default)]
pub(super) struct Host {
    /// The number of URLs that do not yet have an outcome.
    pub(super) left: usize,
    pub(super) requests: u64,
    pub(super) failures: u64,
    waited: Duration,
    paused_until: Option<Instant>,
    /// The number of final failures in a row.
    in_a_row: u32,
    /// The outcome of all further URLs of the host, once the run has given up on the host.
    pub(super) given_up: Option<Outcome>,
    pub(super) permissions: Permissions,
    /// True if the host answers over https; empty until this is known.
    pub(super) is_secure: Arc<OnceLock<bool>>,
    /// The answer to the probe, once it is known.
    probe: Arc<OnceLock<HostProbe>>,
    /// The answer to a probe without secrets, after a redirect from another host.
    foreign_probe: Arc<OnceLock<HostProbe>>,
}

impl Host {
    /// Returns the cell for the answer to the probe. `is_foreign` is true if a redirect from
    /// another host led to this one, in which case a known answer is used too.
    pub(super) fn probe(&self, is_foreign: bool) -> Arc<OnceLock<HostProbe>> {
        let has_own = !is_foreign || self.probe.get().is_some();
        Arc::clone(if has_own {
            &self.probe
        } else {
            &self.foreign_probe
        })
    }
}

impl Hosts {
    /// Reads or changes a host.
    pub(super) fn change<T>(&self, name: &str, change: impl FnOnce(&mut Host) -> T) -> T {
        let mut hosts = locked(&self.0);
        match hosts.get_mut(name) {
            Some(host) => change(host),
            None => change(hosts.entry(name.to_owned()).or_default()),
        }
    }

    /// Returns the counts, beginning with the hosts that got the most requests.
    pub(super) fn summary(&self, now: Instant) -> Vec<HostSummary> {
        let hosts = locked(&self.0);
        let summary = |(name, host): (&String, &Host)| HostSummary {
            host: name.clone(),
            requests: host.requests,
            // A run that was interrupted did not wait until the end of the pause.
            waited: host.waited.saturating_sub(
                host.paused_until
                    .map_or(Duration::ZERO, |until| until.saturating_duration_since(now)),
            ),
            failures: host.failures,
        };
        let asked = hosts.iter().filter(|(_, host)| host.requests > 0);
        let mut all: Vec<_> = asked.map(summary).collect();
        all.sort_by(|one, other| {
            let order = other.requests.cmp(&one.requests);
            order.then_with(|| one.host.cmp(&other.host))
        });
        all
    }
}

impl Host {
    /// Records that no request may go to the host for this length of time.
    pub(super) fn pause(&mut self, now: Instant, time: Duration) {
        let Some(until) = now.checked_add(time) else {
            return;
        };
        let since = self.paused_until.map_or(now, |paused| paused.max(now));
        self.waited += until.saturating_duration_since(since);
        self.paused_until = self.paused_until.max(Some(until));
    }

    /// Records the outcome of a URL. Gives up on the host after too many failures in a row.
    pub(super) fn ended(&mut self, outcome: &Outcome, is_hosts_fault: bool) {
        if !is_hosts_fault {
            self.in_a_row = 0;
            return;
        }
        self.in_a_row += 1;
        if self.in_a_row >= MAX_FAILURES {
            self.given_up = Some(outcome.clone());
        }
    }
}
