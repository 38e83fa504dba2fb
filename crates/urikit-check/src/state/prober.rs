//! Answers requests from a state file, and adds answers from the network to the file.

use super::StateError;
use super::journal::Journal;
use super::record::{key, read, write};
use crate::{HostSummary, Outcome, Probed, Prober, Reason, Request, RequestId};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A prober that records the answers of another prober in a file, and answers from the file.
///
/// After the run, call [`finish`](Self::finish), which reports a write error, and
/// [`remove`](Self::remove) if the run was complete.
///
/// ```
/// use std::sync::Arc;
/// use urikit_check::{Check, Offline, Source, State};
/// let path = std::env::temp_dir().join(format!("urikit-state-{}", std::process::id()));
/// let state = State::open(&path, "http://a.example/")?;
/// let check = Check::new();
/// let start = Source::url("http://a.example/");
/// let stop = check.stop();
/// let report = check.run([start], &state.prober(&Offline, stop));
/// state.finish()?;
/// state.remove()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct State {
    journal: Mutex<Journal>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("len", &self.len()).finish()
    }
}

impl State {
    /// Opens or creates the state file of a run. `of` describes the run: its sources and the
    /// options that affect the answers.
    ///
    /// # Errors
    ///
    /// Fails if the file belongs to another run, is damaged, is in use, or cannot be read or
    /// written. In these cases, the file is unchanged. An incomplete frame at the end of the file
    /// is not an error.
    pub fn open(path: &Path, of: &str) -> Result<Self, StateError> {
        let key = |payload: &[u8]| Some(key(read(payload)?.0.url()));
        let journal = Journal::open(path, of, &key)?;
        Ok(Self {
            journal: Mutex::new(journal),
        })
    }

    /// Returns the number of URLs with an answer.
    pub fn len(&self) -> usize {
        self.journal().len()
    }

    /// Returns true if the state has no answers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a prober that answers from the state, and asks `inner` for the other answers. `stop`
    /// is the stop flag of the [`Check`](crate::Check).
    pub fn prober<'p>(&'p self, inner: &'p dyn Prober, stop: Arc<AtomicBool>) -> impl Prober {
        StateProber {
            state: self,
            inner,
            stop,
        }
    }

    /// Checks that all answers were written.
    ///
    /// # Errors
    ///
    /// Fails if the file could not be written. Only the first call reports the error.
    pub fn finish(&self) -> io::Result<()> {
        self.journal().take_error().map_or(Ok(()), Err)
    }

    /// Removes the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        let journal = self.journal.into_inner();
        journal.unwrap_or_else(PoisonError::into_inner).remove()
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the stored answer to a request, if it is enough.
    fn answer(&self, request: &Request) -> Option<Probed> {
        let payload = self.journal().get(key(&request.url))?;
        let (record, content) = read(&payload)?;
        let is_enough = record.url() == request.url
            && (!request.needs_content || record.is_sought || !record.is_ok())
            && (!record.not_modified || request.validators.is_some());
        is_enough
            .then(|| record.probed(content, request.needs_content))
            .flatten()
    }
}

/// The prober of a [`State`].
struct StateProber<'p> {
    state: &'p State,
    inner: &'p dyn Prober,
    stop: Arc<AtomicBool>,
}

/// A request that was passed on.
struct Passed {
    url: Box<str>,
    is_sought: bool,
}

impl StateProber<'_> {
    /// Answers requests, and further requests that result from the answers. Returns the requests
    /// that the state cannot answer.
    fn answer(
        &self,
        requests: Vec<Request>,
        passed: &Mutex<HashMap<RequestId, Passed>>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) -> Vec<Request> {
        let mut rest = Vec::new();
        // Keep the order in which an uninterrupted run finds the pages: their depths depend on it.
        let mut waiting = VecDeque::from(requests);
        while let Some(request) = waiting.pop_front() {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            if let Some(probed) = self.state.answer(&request) {
                waiting.extend(done(request.id, probed));
                continue;
            }
            let is_sought = request.needs_content;
            let url = Box::from(&*request.url);
            locked(passed).insert(request.id, Passed { url, is_sought });
            rest.push(request);
        }
        rest
    }
}

impl Prober for StateProber<'_> {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        let passed = Mutex::new(HashMap::new());
        let rest = self.answer(requests, &passed, done);
        if rest.is_empty() {
            return;
        }
        self.inner.probe(rest, &|id, probed| {
            let request = locked(&passed).remove(&id);
            // These outcomes say nothing about the server.
            let is_answer = !matches!(
                probed.outcome,
                Outcome::NotChecked(Reason::Offline | Reason::Interrupted)
            );
            if let Some(Passed { url, is_sought }) = request.filter(|_| is_answer) {
                let payload = write(&url, &probed, is_sought);
                self.state.journal().append(key(&url), &payload);
            }
            self.answer(done(id, probed), &passed, done)
        });
    }

    fn hosts(&self) -> Vec<HostSummary> {
        self.inner.hosts()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
