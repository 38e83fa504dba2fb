//! A schedule that threads share.

use super::{Begun, HostLimits, NextTask, Schedule};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A [`Schedule`] that any number of threads share. Each thread takes a task, works on it, and
/// then takes the next task. A thread sleeps while no task can begin.
///
/// ```
/// use std::sync::Mutex;
/// use urikit_access::{HostLimits, Scheduler};
/// let scheduler = Scheduler::new(HostLimits { tasks: 1, ..HostLimits::default() });
/// for path in ["/1", "/2", "/3"] {
///     scheduler.add("a.example", path);
/// }
/// scheduler.close(); // no other task follows
/// let done = Mutex::new(Vec::new());
/// let work = || {
///     while let Some((path, _turn)) = scheduler.take() {
///         done.lock().unwrap().push(path);
///     }
/// };
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(work);
///     }
/// });
/// assert_eq!(done.into_inner().unwrap(), ["/1", "/2", "/3"]);
/// ```
#[derive(Debug)]
pub struct Scheduler<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    schedule: Schedule<T>,
    is_closed: bool,
    /// The time at which one of the sleeping threads wakes up. The other threads sleep until they
    /// are woken, so a task whose waiting time ends does not wake all threads.
    alarm: Option<Instant>,
    /// The number of threads that are sleeping.
    sleeping: usize,
}

impl<T> State<T> {
    /// Returns true if another thread can begin a task, or has to set an alarm.
    fn needs_thread(&self) -> bool {
        let is_earlier = |time| self.alarm.is_none_or(|alarm| time < alarm);
        self.schedule.is_ready() || self.schedule.next_time().is_some_and(is_earlier)
    }
}

/// The outcome of [`Scheduler::take_within`].
#[derive(Debug)]
pub enum Taken<'s, T> {
    /// A task to work on. Dropping the [`Turn`] ends the task.
    Task(T, Turn<'s, T>),
    /// No task can begin yet.
    None,
    /// No task is left, and no further task will be added.
    Closed,
}

impl<T> Scheduler<T> {
    /// Creates a scheduler without tasks.
    pub fn new(limits: HostLimits) -> Self {
        Self {
            state: Mutex::new(State {
                schedule: Schedule::new(limits),
                is_closed: false,
                alarm: None,
                sleeping: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// Locks the state, which is consistent even if a thread has panicked.
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task at the end of the queue. Returns the number of the task. A worker may add tasks
    /// while it works.
    pub fn add(&self, host: &str, task: T) -> u64 {
        let mut state = self.state();
        let number = state.schedule.add(host, task);
        if state.sleeping > 0 {
            self.changed.notify_one();
        }
        number
    }

    /// Prevents tasks of this host from beginning for this length of time.
    pub fn pause(&self, host: &str, time: Duration) {
        self.state().schedule.pause(host, after(time));
    }

    /// Declares that only workers add tasks from now on. After this call, [`take`](Self::take)
    /// returns `None` once all tasks have ended.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Drops the tasks that have not begun, and [closes](Self::close) the scheduler.
    pub fn clear(&self) {
        let mut state = self.state();
        let dropped = state.schedule.clear();
        state.is_closed = true;
        drop(state);
        drop(dropped);
        self.changed.notify_all();
    }

    /// Makes all waiting calls to [`take_within`](Self::take_within) return.
    pub fn wake(&self) {
        self.changed.notify_all();
    }

    /// Wakes a sleeping thread if it would have something to do.
    // Notifying needs a system call even if no thread is sleeping, which would slow down small
    // tasks.
    fn wake_another(&self, state: &State<T>) {
        if state.sleeping > 0 && state.needs_thread() {
            self.changed.notify_one();
        }
    }

    /// Returns true if another thread would have something to do, and no existing thread is free. A
    /// caller that starts threads as needed calls this method after each [`take`](Self::take).
    pub fn needs_thread(&self) -> bool {
        let state = self.state();
        state.sleeping == 0 && state.needs_thread()
    }

    /// Returns the number of tasks that have not begun.
    pub fn waiting(&self) -> usize {
        self.state().schedule.waiting()
    }

    /// Returns the paused host whose tasks may begin first, and how long these tasks have to wait.
    pub fn next_paused(&self) -> Option<(String, Duration)> {
        let state = self.state();
        let (host, until) = state.schedule.paused().next()?;
        let left = until.saturating_duration_since(Instant::now());
        Some((host.to_owned(), left))
    }

    /// Waits for a task. Dropping the [`Turn`] ends the task. Returns `None` when all tasks have
    /// ended after [`close`](Self::close).
    pub fn take(&self) -> Option<(T, Turn<'_, T>)> {
        self.take_locked(self.state())
    }

    /// Ends a turn, and waits for the next task. Dropping the turn and calling
    /// [`take`](Self::take) would also wake another thread for the task that this thread takes.
    pub fn take_after<'s>(&'s self, mut turn: Turn<'s, T>) -> Option<(T, Turn<'s, T>)> {
        turn.has_ended = true;
        let mut state = self.state();
        state.schedule.end(&turn.host);
        if state.is_closed && state.schedule.is_idle() {
            self.changed.notify_all();
        }
        self.take_locked(state)
    }

    fn take_locked<'s>(&'s self, state: MutexGuard<'s, State<T>>) -> Option<(T, Turn<'s, T>)> {
        let mut taken = self.take_within_locked(state, Duration::MAX);
        loop {
            match taken {
                Taken::Task(task, turn) => return Some((task, turn)),
                Taken::None => taken = self.take_within(Duration::MAX),
                Taken::Closed => return None,
            }
        }
    }

    /// Waits for a task, but no longer than `time`. May return [`Taken::None`] earlier, for example
    /// after [`wake`](Self::wake).
    pub fn take_within(&self, time: Duration) -> Taken<'_, T> {
        self.take_within_locked(self.state(), time)
    }

    fn take_within_locked<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<T>>,
        time: Duration,
    ) -> Taken<'s, T> {
        let mut may_wait = !time.is_zero();
        loop {
            let now = Instant::now();
            let until = match state.schedule.next(now) {
                NextTask::Begin(Begun { task, host, number }) => {
                    self.wake_another(&state);
                    let turn = Turn {
                        scheduler: self,
                        host,
                        number,
                        has_ended: false,
                    };
                    return Taken::Task(task, turn);
                }
                NextTask::Idle if state.is_closed => return Taken::Closed,
                NextTask::WaitUntil(until) => Some(until),
                NextTask::Wait | NextTask::Idle => None,
            };
            if !may_wait {
                self.wake_another(&state); // it has to set the alarm
                return Taken::None;
            }
            may_wait = false;
            let is_earlier = |until: &Instant| state.alarm.is_none_or(|alarm| *until < alarm);
            let alarm = until.filter(is_earlier);
            state.alarm = alarm.or(state.alarm);
            let wait = alarm.map_or(time, |alarm| alarm.duration_since(now).min(time));
            state.sleeping += 1;
            let woken = self.changed.wait_timeout(state, wait);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
            if alarm.is_some() && state.alarm == alarm {
                state.alarm = None;
            }
        }
    }
}

/// A guard that a worker holds while it runs a task. Dropping the guard ends the task, so a panic
/// in a task does not block its host.
#[derive(Debug)]
pub struct Turn<'s, T> {
    scheduler: &'s Scheduler<T>,
    host: Arc<str>,
    number: u64,
    has_ended: bool,
}

impl<T> Turn<'_, T> {
    /// Returns the host of the task.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Ends the task and adds it again, at its old position in the order. The task may begin again
    /// after this length of time. Until then, no task of the host in `pauses` may begin either,
    /// which is useful if that host sent `Retry-After`.
    pub fn retry(self, task: T, time: Duration, pauses: Option<&str>) {
        let (host, number) = (Arc::clone(&self.host), self.number);
        let begun = Begun { task, host, number };
        let until = after(time);
        let mut state = self.scheduler.state();
        state.schedule.add_again(begun, until);
        if let Some(host) = pauses {
            state.schedule.pause(host, until);
        }
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.scheduler.state();
        state.schedule.end(&self.host);
        if state.is_closed && state.schedule.is_idle() {
            self.scheduler.changed.notify_all();
        } else {
            self.scheduler.wake_another(&state);
        }
    }
}

/// A long duration that any clock can represent.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Returns the time after this duration.
fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + FAR)
}
