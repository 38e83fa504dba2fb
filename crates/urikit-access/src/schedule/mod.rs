//! Decides which task begins next. A task waits while its host already has as many running tasks
//! as the limits allow, or while the host must not be contacted yet. A waiting task occupies no
//! thread.
//!
//! [`Schedule`] makes this decision without using threads or a clock. [`Scheduler`] shares one
//! schedule between threads.

mod scheduler;
#[cfg(test)]
mod tests;

pub use scheduler::{Scheduler, Taken, Turn};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The limits for each host.
///
/// ```
/// use std::time::Duration;
/// use urikit_access::HostLimits;
/// let polite = HostLimits { tasks: 2, delay: Duration::from_millis(100) };
/// assert_eq!(HostLimits::default().delay, Duration::ZERO);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostLimits {
    /// The maximum number of simultaneous tasks, unlimited by default. 0 counts as 1.
    pub tasks: usize,
    /// The minimum time between the starts of two tasks. The default is zero.
    pub delay: Duration,
}

impl Default for HostLimits {
    fn default() -> Self {
        Self {
            tasks: usize::MAX,
            delay: Duration::ZERO,
        }
    }
}

/// The next step of a [`Schedule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextTask<T> {
    /// The given task begins now. [`end`](Schedule::end) must follow.
    Begin(Begun<T>),
    /// No task can begin before this time, unless a running task ends or a new task is added.
    WaitUntil(Instant),
    /// No task can begin before a running task ends or a new task is added.
    Wait,
    /// No task is waiting or running.
    Idle,
}

/// A task that has begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begun<T> {
    /// The task.
    pub task: T,
    /// The host of the task.
    pub host: Arc<str>,
    /// The position in the order in which tasks were added, counting from 0.
    pub number: u64,
}

/// Queues of tasks, one per host. A schedule uses neither threads nor a clock, so the caller
/// passes the time.
///
/// Tasks begin in the order in which they were added, unless a host makes its tasks wait. Each
/// operation takes logarithmic time, and hosts without tasks use no memory unless they are paused.
///
/// ```
/// use std::time::{Duration, Instant};
/// use urikit_access::{HostLimits, NextTask, Schedule};
/// let mut schedule = Schedule::new(HostLimits { tasks: 1, ..HostLimits::default() });
/// for (host, path) in [("a.example", "/1"), ("a.example", "/2"), ("b.example", "/3")] {
///     schedule.add(host, path);
/// }
/// let now = Instant::now();
/// let mut next = || match schedule.next(now) {
///     NextTask::Begin(begun) => Some(begun.task),
///     _ => None,
/// };
/// assert_eq!((next(), next(), next()), (Some("/1"), Some("/3"), None));
/// schedule.end("a.example");
/// schedule.pause("a.example", now + Duration::from_secs(60)); // as in Retry-After
/// assert_eq!(schedule.next(now), NextTask::WaitUntil(now + Duration::from_secs(60)));
/// ```
#[derive(Debug)]
pub struct Schedule<T> {
    limits: HostLimits,
    hosts: HashMap<Arc<str>, Host<T>>,
    /// The hosts whose first task may begin, sorted by the number of that task.
    ready: BTreeSet<(u64, Arc<str>)>,
    /// The hosts that must not be contacted before a certain time.
    paused: BTreeSet<(Instant, Arc<str>)>,
    /// Tasks that must wait regardless of their host, sorted by time and number.
    later: BTreeMap<(Instant, u64), (Arc<str>, T)>,
    /// The number of tasks that have been added.
    count: u64,
    running: usize,
    waiting: usize,
}

#[derive(Debug)]
struct Host<T> {
    /// The tasks that are waiting for the host, by number.
    tasks: BTreeMap<u64, T>,
    running: usize,
    /// The time before which no task of the host may begin.
    paused_until: Option<Instant>,
}

impl<T> Schedule<T> {
    /// Creates an empty schedule.
    pub fn new(limits: HostLimits) -> Self {
        Self {
            limits,
            hosts: HashMap::new(),
            ready: BTreeSet::new(),
            paused: BTreeSet::new(),
            later: BTreeMap::new(),
            count: 0,
            running: 0,
            waiting: 0,
        }
    }

    /// Adds a task at the end of the queue. Returns the number of the task.
    ///
    /// `host` is any text that identifies what the limits apply to, such as a host and a port.
    pub fn add(&mut self, host: &str, task: T) -> u64 {
        let number = self.count;
        self.count += 1;
        self.insert(&Arc::from(host), number, task);
        number
    }

    /// Puts back a task that has begun, for example to repeat it. The task keeps its number, and
    /// does not begin before `until`. The caller must still call [`end`](Self::end).
    pub fn add_again(&mut self, begun: Begun<T>, until: Instant) {
        let Begun { task, host, number } = begun;
        self.waiting += 1;
        self.later.insert((until, number), (host, task));
    }

    fn insert(&mut self, host: &Arc<str>, number: u64, task: T) {
        self.waiting += 1;
        self.update(host, |it| {
            it.tasks.insert(number, task);
        });
    }

    /// Prevents tasks of this host from beginning before this time. A time in the past, or before
    /// the time of an earlier call, has no effect.
    pub fn pause(&mut self, host: &str, until: Instant) {
        self.update(&Arc::from(host), |it| {
            it.paused_until = it.paused_until.max(Some(until));
        });
    }

    /// Ends a task that has begun.
    pub fn end(&mut self, host: &str) {
        let known = self.hosts.get_key_value(host);
        let running = known.filter(|(_, host)| host.running > 0);
        if let Some(name) = running.map(|(name, _)| Arc::clone(name)) {
            self.running -= 1;
            self.update(&name, |it| it.running -= 1);
        }
    }

    /// Begins the next task, or returns what the caller must wait for.
    pub fn next(&mut self, now: Instant) -> NextTask<T> {
        self.release(now);
        let Some((number, host)) = self.ready.first().cloned() else {
            if self.is_idle() {
                return NextTask::Idle;
            }
            return self.next_time().map_or(NextTask::Wait, NextTask::WaitUntil);
        };
        let mut begun = None;
        let delay = self.limits.delay;
        self.update(&host, |it| {
            begun = it.tasks.remove(&number);
            it.running += 1;
            if !delay.is_zero() {
                it.paused_until = it.paused_until.max(now.checked_add(delay));
            }
        });
        match begun {
            Some(task) => {
                self.waiting -= 1;
                self.running += 1;
                NextTask::Begin(Begun { task, host, number })
            }
            None => NextTask::Wait, // never, because a ready host has this task
        }
    }

    /// Returns true if a task may begin.
    pub(super) fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns the time at which the next wait ends, or `None` if no task is waiting.
    pub(super) fn next_time(&self) -> Option<Instant> {
        let times = [
            self.paused.first().map(|(until, _)| *until),
            self.later.first_key_value().map(|((until, _), _)| *until),
        ];
        times
            .into_iter()
            .flatten()
            .min()
            .filter(|_| self.waiting > 0)
    }

    /// Removes the tasks that have not begun, and returns them. Paused hosts stay paused.
    pub fn clear(&mut self) -> Vec<T> {
        let names: Vec<_> = self.hosts.keys().map(Arc::clone).collect();
        let mut dropped = Vec::new();
        for name in names {
            self.update(&name, |it| {
                dropped.extend(std::mem::take(&mut it.tasks).into_values());
            });
        }
        let later = std::mem::take(&mut self.later);
        dropped.extend(later.into_values().map(|(_, task)| task));
        self.waiting = 0;
        dropped
    }

    /// Returns true if no task is waiting or running.
    pub const fn is_idle(&self) -> bool {
        self.waiting == 0 && self.running == 0
    }

    /// Returns the number of tasks that have not begun.
    pub const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the paused hosts that have tasks, and the time at which each pause ends, earliest
    /// first.
    pub fn paused(&self) -> impl Iterator<Item = (&str, Instant)> {
        let has_tasks = |host: &Arc<str>| {
            let host = self.hosts.get(host);
            host.is_some_and(|host| !host.tasks.is_empty())
        };
        let paused = self.paused.iter().filter(move |(_, host)| has_tasks(host));
        paused.map(|(until, host)| (&**host, *until))
    }

    /// Makes tasks and hosts ready if their waiting time has passed.
    fn release(&mut self, now: Instant) {
        while let Some(entry) = self.later.first_entry()
            && entry.key().0 <= now
        {
            let ((_, number), (host, task)) = entry.remove_entry();
            self.waiting -= 1;
            self.insert(&host, number, task);
        }
        while let Some((until, host)) = self.paused.first().cloned()
            && until <= now
        {
            self.update(&host, |it| it.paused_until = None);
        }
    }

    /// Changes a host, and updates the sets of ready and paused hosts accordingly.
    fn update(&mut self, name: &Arc<str>, change: impl FnOnce(&mut Host<T>)) {
        let host = self.hosts.entry(Arc::clone(name)).or_insert_with(|| Host {
            tasks: BTreeMap::new(),
            running: 0,
            paused_until: None,
        });
        let most = self.limits.tasks.max(1);
        if let Some(number) = host.ready(most) {
            self.ready.remove(&(number, Arc::clone(name)));
        }
        if let Some(until) = host.paused_until {
            self.paused.remove(&(until, Arc::clone(name)));
        }
        change(host);
        if let Some(number) = host.ready(most) {
            self.ready.insert((number, Arc::clone(name)));
        }
        if let Some(until) = host.paused_until {
            self.paused.insert((until, Arc::clone(name)));
        } else if host.tasks.is_empty() && host.running == 0 {
            self.hosts.remove(name);
        }
    }
}

impl<T> Host<T> {
    /// Returns the number of the host's first task, if this task may begin.
    fn ready(&self, most: usize) -> Option<u64> {
        let is_ready = self.paused_until.is_none() && self.running < most;
        self.tasks
            .first_key_value()
            .map(|(number, _)| *number)
            .filter(|_| is_ready)
    }
}
