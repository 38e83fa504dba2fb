//! Looks up the addresses of hosts, and caches the answers for a short time.
//!
//! The system's resolver cannot be cancelled, and does not say how long its answers are valid. So
//! lookups run in separate threads, at most [`MAX_THREADS`] at a time, and answers have a fixed
//! lifetime. The policy checks the addresses again for every access, even if an earlier access
//! looked them up.

use crate::cancel;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::host::Name;
use crate::policy::Policy;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Resolves host names. The policy checks the addresses that a resolver returns.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a host name, which must be ASCII. This function runs in a thread of
    /// the client, and may outlive the access.
    ///
    /// # Errors
    ///
    /// Fails if the host name cannot be resolved.
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let addresses = (name, 0).to_socket_addrs()?;
        Ok(addresses.map(|address| address.ip()).collect())
    }
}

/// The maximum number of simultaneous lookups. Further names wait in a queue.
const MAX_THREADS: usize = 32;

/// The maximum number of cached answers. The oldest answer is dropped first.
const MAX_ANSWERS: usize = 4096;

/// The maximum number of addresses in a cached answer. Longer answers are not cached.
const MAX_ADDRESSES: usize = 64;

/// The time for which addresses are cached.
const FOUND: Duration = Duration::from_secs(60);

/// The time for which the client remembers that a name does not exist.
const MISSING: Duration = Duration::from_secs(10);

/// A resolver and its answers, which all clones share.
#[derive(Clone)]
pub(crate) struct Lookups(Arc<Shared>);

struct Shared {
    resolver: Box<dyn Resolver>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    answers: HashMap<String, Answer>,
    /// The names that have a cached answer, oldest answer first.
    order: VecDeque<String>,
    /// The lookups that are in progress or in the queue. All accesses that need the same name
    /// share one lookup.
    pending: HashMap<String, Arc<Lookup>>,
    queue: VecDeque<String>,
    threads: usize,
}

struct Answer {
    found: Found,
    until: Instant,
}

/// The result of a lookup.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Found {
    Addresses(Vec<IpAddr>),
    Missing,
    /// No name server answered.
    Temporary,
}

/// A lookup that is in progress or in the queue.
#[derive(Default)]
struct Lookup {
    found: Mutex<Option<Found>>,
    is_done: Condvar,
}

impl Lookups {
    pub(crate) fn new(resolver: impl Resolver + 'static) -> Self {
        Self(Arc::new(Shared {
            resolver: Box::new(resolver),
            state: Mutex::default(),
        }))
    }

    /// Returns the addresses of a name, after waiting for at most `max`.
    pub(super) fn find(
        &self,
        name: &str,
        deadline: &Deadline,
        max: Duration,
    ) -> Result<Vec<IpAddr>> {
        deadline.left(max)?;
        let name = name.to_ascii_lowercase();
        let lookup = {
            let mut state = locked(&self.0.state);
            if let Some(found) = state.answer(&name, Instant::now()) {
                return found.result();
            }
            match state.pending.get(&name) {
                Some(lookup) => Arc::clone(lookup),
                None => self.begin(&mut state, &name)?,
            }
        };
        match lookup.wait(deadline, max) {
            Ok(found) => found.result(),
            Err(error) => {
                locked(&self.0.state).leave(&name, lookup);
                Err(error)
            }
        }
    }

    /// Puts a name into the queue, and starts another thread if fewer than [`MAX_THREADS`] are
    /// running.
    fn begin(&self, state: &mut State, name: &str) -> Result<Arc<Lookup>> {
        if state.threads < MAX_THREADS {
            let shared = Arc::clone(&self.0);
            let begun = std::thread::Builder::new().spawn(move || shared.work());
            match begun {
                Ok(_) => state.threads += 1,
                // Another thread will take the name from the queue.
                Err(_) if state.threads > 0 => {}
                Err(error) => return Err(Error::new(ErrorKind::Local(error))),
            }
        }
        let lookup = Arc::new(Lookup::default());
        state.pending.insert(name.to_owned(), Arc::clone(&lookup));
        state.queue.push_back(name.to_owned());
        Ok(lookup)
    }
}

impl Shared {
    /// Looks up names until the queue is empty.
    fn work(&self) {
        loop {
            let mut state = locked(&self.state);
            let Some(name) = state.queue.pop_front() else {
                state.threads -= 1;
                return;
            };
            drop(state);
            // The resolver may be the caller's code, and a panic in it must not leave a name
            // pending forever.
            let resolved = catch_unwind(AssertUnwindSafe(|| self.resolver.resolve(&name)));
            let found = Found::of(resolved.unwrap_or_else(|_| Err(io::ErrorKind::NotFound.into())));
            let mut state = locked(&self.state);
            state.keep(&name, &found, Instant::now());
            let lookup = state.pending.remove(&name);
            drop(state);
            if let Some(lookup) = lookup {
                *locked(&lookup.found) = Some(found);
                lookup.is_done.notify_all();
            }
        }
    }
}

impl State {
    /// Returns the cached answer for a name, or `None` if the answer is missing or too old.
    fn answer(&self, name: &str, now: Instant) -> Option<Found> {
        let answer = self.answers.get(name).filter(|answer| now < answer.until);
        answer.map(|answer| answer.found.clone())
    }

    /// Keeps an answer.
    fn keep(&mut self, name: &str, found: &Found, now: Instant) {
        let lifetime = match found {
            Found::Addresses(addresses) if addresses.len() <= MAX_ADDRESSES => FOUND,
            Found::Missing => MISSING,
            Found::Addresses(_) | Found::Temporary => return,
        };
        let answer = Answer {
            found: found.clone(),
            until: now + lifetime,
        };
        if self.answers.insert(name.to_owned(), answer).is_none() {
            self.order.push_back(name.to_owned());
            if self.order.len() > MAX_ANSWERS
                && let Some(oldest) = self.order.pop_front()
            {
                self.answers.remove(&oldest);
            }
        }
    }

    /// Removes a name from the queue if no other access is waiting for it. A lookup that has
    /// already started cannot be stopped.
    fn leave(&mut self, name: &str, lookup: Arc<Lookup>) {
        drop(lookup);
        let left = self.pending.get(name).map(Arc::strong_count);
        if let Some(at) = self.queue.iter().position(|it| it == name)
            && left == Some(1)
        {
            self.queue.remove(at);
            self.pending.remove(name);
        }
    }
}

impl Lookup {
    fn wait(&self, deadline: &Deadline, max: Duration) -> Result<Found> {
        let mut found = locked(&self.found);
        loop {
            if let Some(found) = &*found {
                return Ok(found.clone());
            }
            let left = deadline.left(max).map_err(|error| match error.kind() {
                ErrorKind::Timeout(_) => {
                    Error::new(ErrorKind::Timeout("resolving the host name took too long"))
                }
                _ => error,
            })?;
            let left = match deadline.cancel() {
                Some(_) => left.min(cancel::SLICE),
                None => left,
            };
            let woken = self.is_done.wait_timeout(found, left);
            (found, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Found {
    fn of(resolved: io::Result<Vec<IpAddr>>) -> Self {
        match resolved {
            Ok(addresses) if addresses.is_empty() => Self::Missing,
            Ok(addresses) => Self::Addresses(addresses),
            Err(error) => {
                // `getaddrinfo` returns EAI_AGAIN if a DNS server does not answer, but the standard
                // library passes on only the error text of glibc or musl.
                let text = error.to_string();
                let is_temporary = ["Temporary failure", "Try again"]
                    .iter()
                    .any(|part| text.contains(part));
                if is_temporary {
                    Self::Temporary
                } else {
                    Self::Missing
                }
            }
        }
    }

    fn result(self) -> Result<Vec<IpAddr>> {
        match self {
            Self::Addresses(addresses) => Ok(addresses),
            Self::Missing => Err(Error::new(ErrorKind::HostNotFound)),
            Self::Temporary => Err(Error::new(ErrorKind::HostNotFound).with_retry_after(None)),
        }
    }
}

/// Locks a mutex, even if a thread has panicked, because its data is still consistent.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parses a host as written in a URL. Fails if the host is an address that the policy refuses.
pub(super) fn allowed(host: &str, policy: &Policy) -> Result<Name> {
    let name = Name::of(host).ok_or_else(|| Error::new(ErrorKind::HostNotFound))?;
    if let Some(address) = name.address() {
        policy.check_address(address)?;
    }
    Ok(name)
}

/// Fails if a host, written as in a URL, is an address that the policy refuses. Accepts a host
/// that is not a DNS name, although connecting to such a host will fail.
pub(crate) fn check_host(host: &str, policy: &Policy) -> Result<()> {
    match allowed(host, policy) {
        Err(error) if matches!(error.kind(), ErrorKind::Refused(_)) => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{FOUND, Found, Lookups, MAX_ANSWERS, MAX_THREADS, MISSING, Resolver, State};
    use crate::cancel::Cancel;
    use crate::deadline::Deadline;
    use crate::error::ErrorKind;
    use std::io;
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex};
    use std::time::{Duration, Instant};

    fn address() -> IpAddr {
        [192, 0, 2, 1].into()
    }

    #[test]
    fn answers_have_a_lifetime_and_a_bound() {
        let (mut state, now) = (State::default(), Instant::now());
        let found = Found::Addresses(vec![address()]);
        state.keep("a.example", &found, now);
        state.keep("b.example", &Found::Missing, now);
        state.keep("c.example", &Found::Temporary, now);
        let almost = |time: Duration| now + time.saturating_sub(Duration::from_nanos(1));
        assert_eq!(state.answer("a.example", almost(FOUND)), Some(found));
        assert_eq!(state.answer("a.example", now + FOUND), None);
        let not_found = state.answer("b.example", almost(MISSING));
        assert_eq!(not_found, Some(Found::Missing));
        assert_eq!(state.answer("b.example", now + MISSING), None);
        assert_eq!(state.answer("c.example", now), None);
        for number in 0..10_000 {
            state.keep(&format!("{number}.example"), &Found::Missing, now);
        }
        assert_eq!(state.answers.len(), MAX_ANSWERS);
        assert_eq!(state.order.len(), MAX_ANSWERS);
        assert_eq!(state.answer("a.example", now), None);
        assert!(state.answer("9999.example", now).is_some());
    }

    /// Answers when the gate is open.
    struct Gate(Arc<(Mutex<bool>, Condvar)>, Arc<AtomicUsize>);

    impl Resolver for Gate {
        fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            self.1.fetch_add(1, Ordering::SeqCst);
            let (is_open, opened) = &*self.0;
            let _open = opened.wait_while(is_open.lock().unwrap(), |open| !*open);
            Ok(vec![address()])
        }
    }

    #[test]
    fn a_resolver_that_hangs_has_a_bounded_number_of_threads() {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let calls = Arc::new(AtomicUsize::new(0));
        let lookups = Lookups::new(Gate(Arc::clone(&gate), Arc::clone(&calls)));
        let find = |name: &str, time| {
            let time = Duration::from_millis(time);
            lookups.find(name, &Deadline::after(time), Duration::MAX)
        };
        std::thread::scope(|scope| {
            for number in 0..3 * MAX_THREADS {
                scope.spawn(move || {
                    let error = find(&format!("{number}.example"), 300).unwrap_err();
                    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
                });
            }
        });
        assert_eq!(calls.load(Ordering::SeqCst), MAX_THREADS);
        {
            // Nobody waits for the names in the queue, so they are forgotten.
            let state = super::locked(&lookups.0.state);
            assert_eq!((state.queue.len(), state.threads), (0, MAX_THREADS));
            assert_eq!(state.pending.len(), MAX_THREADS);
        }
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        assert_eq!(find("later.example", 10_000).unwrap(), [address()]);
        // The names that were abandoned were answered in the meantime, and names have no case.
        let before = calls.load(Ordering::SeqCst);
        assert_eq!(find("LATER.example", 10_000).unwrap(), [address()]);
        assert_eq!(calls.load(Ordering::SeqCst), before);
    }

    #[test]
    fn one_look_up_serves_all_who_wait_for_a_name() {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let calls = Arc::new(AtomicUsize::new(0));
        let lookups = Lookups::new(Gate(Arc::clone(&gate), Arc::clone(&calls)));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let deadline = Deadline::after(Duration::from_secs(10));
                    let found = lookups.find("a.example", &deadline, Duration::MAX);
                    assert_eq!(found.unwrap(), [address()]);
                });
            }
            std::thread::sleep(Duration::from_millis(50));
            *gate.0.lock().unwrap() = true;
            gate.1.notify_all();
        });
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn waiting_for_a_name_can_be_cancelled() {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let lookups = Lookups::new(Gate(gate, Arc::default()));
        let cancel = Cancel::new();
        let other = cancel.clone();
        let begun = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            other.cancel();
        });
        let deadline = Deadline::after(Duration::from_secs(60)).with_cancel(Some(&cancel));
        let error = lookups.find("a.example", &deadline, Duration::MAX);
        assert!(matches!(error.unwrap_err().kind(), ErrorKind::Cancelled));
        assert!(begun.elapsed() < Duration::from_secs(10));
        thread.join().unwrap();
    }

    /// A resolver that panics.
    struct Panics;

    impl Resolver for Panics {
        fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            panic!("a resolver of the caller");
        }
    }

    #[test]
    fn a_resolver_that_panics_finds_nothing() {
        let lookups = Lookups::new(Panics);
        for _ in 0..2 {
            let deadline = Deadline::after(Duration::from_secs(10));
            let error = lookups.find("a.example", &deadline, Duration::MAX);
            assert!(matches!(error.unwrap_err().kind(), ErrorKind::HostNotFound));
        }
    }
}
