//! Answers requests from the store, and records the results of all other requests.

use super::{Store, Stored};
use crate::{HostSummary, Outcome, OutcomeKind, Probed, Prober, Reason, Request, RequestId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A prober that answers from a store, passes on all other requests, and records the results.
///
/// ```
/// use urikit_check::store::{Ages, Date, Store, StoredProber};
/// use urikit_check::{Check, Offline, Source};
///
/// let store = Store::new(Ages::default(), Date::constant(2026, 11, 23));
/// let prober = StoredProber::new(store, None); // as --check-store
/// let text = Source::text("a.txt", "see http://a.example/");
/// let report = Check::new().folder("/tmp").run([text], &prober);
/// let document = report.documents().next().unwrap();
/// let checked = document.links().next().unwrap();
/// assert_eq!(checked.findings[0].message, "the store does not contain this URL");
/// ```
pub struct StoredProber<'p> {
    store: Mutex<Store>,
    /// The prober that makes requests; `None` for `--check-store`.
    inner: Option<&'p dyn Prober>,
    accepts: &'p (dyn Fn(u16) -> bool + Sync),
}

impl fmt::Debug for StoredProber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredProber").finish_non_exhaustive()
    }
}

/// A request that was passed on to the inner prober.
struct Passed {
    url: String,
    has_validators: bool,
}

impl<'p> StoredProber<'p> {
    /// Creates a prober. If `inner` is `None`, nothing is requested, as with `--check-store`.
    pub fn new(store: Store, inner: Option<&'p dyn Prober>) -> Self {
        Self {
            store: Mutex::new(store),
            inner,
            accepts: &|_| false,
        }
    }

    /// Sets the HTTP statuses that count as success (`--accept`).
    #[must_use]
    pub fn accept(mut self, accepts: &'p (dyn Fn(u16) -> bool + Sync)) -> Self {
        self.accepts = accepts;
        self
    }

    /// Returns the store with the results of this run.
    pub fn into_store(self) -> Store {
        self.store
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the requests that the store can answer, and the further requests that result from
    /// the answers. Returns the requests that the store cannot answer.
    fn answer(
        &self,
        requests: Vec<Request>,
        passed: &Mutex<HashMap<RequestId, Passed>>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) -> Vec<Request> {
        let mut waiting = requests;
        let mut rest = Vec::new();
        while let Some(mut request) = waiting.pop() {
            let stored = {
                let mut store = self.store();
                match self.inner {
                    None => Some(store.verdict(&request.url, &request.fragments)),
                    // A page whose links are checked needs its content, which the store does not
                    // keep.
                    Some(_) if request.is_page => None,
                    Some(_) => store.fresh(&request.url, &request.fragments),
                }
            };
            if let Some(stored) = stored {
                waiting.extend(done(request.id, probed(stored)));
                continue;
            }
            if !request.is_page {
                request.validators = self.store().validators(&request.url, &request.fragments);
            }
            let url = request.url.clone();
            let has_validators = request.validators.is_some();
            let mut passed = passed.lock().unwrap_or_else(PoisonError::into_inner);
            passed.insert(
                request.id,
                Passed {
                    url,
                    has_validators,
                },
            );
            rest.push(request);
        }
        // Restore the order of the requests.
        rest.reverse();
        rest
    }

    /// Records a result, and returns it with the outcome to report.
    fn record(&self, passed: &Passed, mut probed: Probed) -> Probed {
        if let Outcome::Broken(Reason::Status(status))
        | Outcome::Unverifiable(Reason::Status(status)) = probed.outcome
            && (self.accepts)(status)
        {
            probed.outcome = Outcome::Ok;
        }
        // A server that sends 304 without validators confirms nothing.
        probed.not_modified &= passed.has_validators;
        probed.fragments_found |= probed.not_modified;
        probed.outcome = self.store().record(&passed.url, &probed);
        probed
    }
}

impl Prober for StoredProber<'_> {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        let passed = Mutex::new(HashMap::new());
        let rest = self.answer(requests, &passed, done);
        let (Some(inner), false) = (self.inner, rest.is_empty()) else {
            return;
        };
        inner.probe(rest, &|id, probed| {
            let request = passed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&id);
            let probed = match request {
                Some(request) => self.record(&request, probed),
                None => probed,
            };
            self.answer(done(id, probed), &passed, done)
        });
    }

    fn hosts(&self) -> Vec<HostSummary> {
        self.inner.map(Prober::hosts).unwrap_or_default()
    }
}

/// Returns the answer to a request. A page that is ok contains all fragments that are not listed as
/// missing.
fn probed(stored: Stored) -> Probed {
    Probed {
        fragments_found: stored.outcome.kind() == OutcomeKind::Ok,
        fragments_not_stored: stored.missing_fragments,
        findings: stored.findings,
        redirected: stored.redirected,
        ..Probed::from(stored.outcome)
    }
}
