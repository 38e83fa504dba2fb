//! Whose turn it is, and what waits for its turn.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What a pool may have at a time.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// Tasks that were begun and have not had their turn: more than one for each of a few workers, or
    /// a worker would wait whenever the one whose turn it is is not quick enough.
    pub(crate) tasks: usize,
    /// Results that wait for the turn of their tasks. The task whose turn it is always has room for a
    /// few more, or the results of the others would never leave.
    pub(crate) results: usize,
}

/// How many more results there may be of the task whose turn it is.
const IN_TURN: usize = 2;

/// What comes next, in the order of the tasks.
pub(crate) enum Turn<T> {
    /// A result.
    Result(T),
    /// No other is there yet: what was written so far must not wait for it.
    Waiting,
}

type Take<T> = dyn Fn(Turn<T>) -> io::Result<()> + Send + Sync;

/// Whose turn it is, and what waits for its turn.
pub(super) struct Turns<T> {
    state: Mutex<State<T>>,
    /// There is room for a result, or for a task.
    changed: Condvar,
    /// For the caller: there is a result to take, no worker is left, or there is an error.
    called: Condvar,
    pub(super) limits: Limits,
    /// What workers do with results; `None` if the caller takes them.
    take: Option<Box<Take<T>>>,
}

struct State<T> {
    /// The number of the task whose turn it is, from 0.
    first: u64,
    /// This task and those after it that were begun.
    begun: VecDeque<Begun<T>>,
    /// How many results these have.
    results: usize,
    /// Whether a worker is writing: one at a time.
    is_writing: bool,
    /// How many workers wait for room.
    sleeping: usize,
    workers: usize,
    /// Whether there was an error, which the caller may already have taken.
    is_over: bool,
    error: Option<io::Error>,
}

/// A task.
struct Begun<T> {
    results: VecDeque<T>,
    is_ended: bool,
}

impl<T> Turns<T> {
    pub(super) fn new(limits: Limits, take: Option<Box<Take<T>>>) -> Self {
        Self {
            state: Mutex::new(State {
                first: 0,
                begun: VecDeque::new(),
                results: 0,
                is_writing: false,
                sleeping: 0,
                workers: limits.threads,
                is_over: false,
                error: None,
            }),
            changed: Condvar::new(),
            called: Condvar::new(),
            limits,
            take,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room.
    fn sleep<'a>(&self, mut state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        state.sleeping += 1;
        let woken = self.changed.wait(state);
        let mut state = woken.unwrap_or_else(PoisonError::into_inner);
        state.sleeping -= 1;
        state
    }

    pub(super) fn wait_for_room(&self) {
        let mut state = self.lock();
        while state.begun.len() >= self.limits.tasks && !state.is_over {
            state = self.sleep(state);
        }
    }

    /// Puts a result of a task. Returns `false` when no more are wanted.
    fn put(&self, nth: u64, result: T) -> bool {
        let mut state = self.lock();
        loop {
            let more = if state.first == nth { IN_TURN } else { 0 };
            let has_room = state.results < self.limits.results + more;
            let Some(task) = state.task(nth) else {
                return false;
            };
            if has_room {
                task.results.push_back(result);
                state.results += 1;
                break;
            }
            state = self.sleep(state);
        }
        self.write(nth, state)
    }

    /// If it is the turn of this task: takes what can be taken, unless another worker does.
    fn write<'a>(&'a self, nth: u64, mut state: MutexGuard<'a, State<T>>) -> bool {
        if nth != state.first || state.is_writing {
            return !state.is_over;
        }
        let Some(take) = &self.take else {
            self.called.notify_all();
            return !state.is_over;
        };
        state.is_writing = true;
        let mut writing = Writing {
            turns: self,
            is_done: false,
        };
        let mut has_taken = false;
        while let Some(turn) = state.turn(has_taken) {
            has_taken = matches!(turn, Turn::Result(_));
            self.wake(&state);
            drop(state);
            let taken = take(turn);
            state = self.lock();
            if let Err(error) = taken {
                state.fail(error);
                self.called.notify_all();
            }
        }
        writing.is_done = true;
        state.is_writing = false;
        self.wake(&state);
        !state.is_over
    }

    /// Takes all results on this thread.
    pub(super) fn take_here(
        &self,
        mut take: impl FnMut(Turn<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        // An error ends the work, as a panic does.
        let mut writing = Writing {
            turns: self,
            is_done: false,
        };
        let mut has_taken = false;
        loop {
            let mut state = self.lock();
            let turn = loop {
                if let Some(turn) = state.turn(has_taken) {
                    break turn;
                }
                if state.workers == 0 {
                    writing.is_done = true;
                    return Ok(());
                }
                // The turn may have passed to a task that waits for it.
                self.wake(&state);
                let woken = self.called.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
            };
            has_taken = matches!(turn, Turn::Result(_));
            self.wake(&state);
            drop(state);
            take(turn)?;
        }
    }

    fn wake(&self, state: &State<T>) {
        if state.sleeping > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for the end.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut state = self.lock();
        while state.workers > 0 && !state.is_over {
            let woken = self.called.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

impl<T> State<T> {
    /// Nothing more is wanted.
    fn fail(&mut self, error: io::Error) {
        self.is_over = true;
        self.error = Some(error);
    }

    /// A task that was begun and has not had its turn; `None` after an error.
    fn task(&mut self, nth: u64) -> Option<&mut Begun<T>> {
        let at = usize::try_from(nth.checked_sub(self.first)?).ok()?;
        let is_good = !self.is_over;
        self.begun.get_mut(at).filter(|_| is_good)
    }

    /// What can be taken now, after a result or after nothing.
    fn turn(&mut self, has_taken: bool) -> Option<Turn<T>> {
        match self.next() {
            Some(result) => Some(Turn::Result(result)),
            None => (has_taken && !self.is_over).then_some(Turn::Waiting),
        }
    }

    /// The next result that can be taken.
    fn next(&mut self) -> Option<T> {
        while !self.is_over {
            let first = self.begun.front_mut()?;
            if let Some(result) = first.results.pop_front() {
                self.results -= 1;
                return Some(result);
            }
            if !first.is_ended {
                return None;
            }
            self.begun.pop_front();
            self.first += 1;
        }
        None
    }
}

/// While it exists, a thread takes results.
struct Writing<'a, T> {
    turns: &'a Turns<T>,
    is_done: bool,
}

impl<T> Drop for Writing<'_, T> {
    fn drop(&mut self) {
        // Otherwise `take` has panicked, and the others would wait forever.
        if !self.is_done {
            let mut state = self.turns.lock();
            state.fail(io::Error::other("writing panicked"));
            self.turns.called.notify_all();
            self.turns.wake(&state);
        }
    }
}

/// While it exists, there is a worker that may begin tasks.
pub(super) struct Worker<'a, T>(pub(super) &'a Arc<Turns<T>>);

impl<T> Worker<'_, T> {
    /// Begins the next task; `None` if no more results are wanted.
    pub(super) fn begin(&self) -> Option<Sink<T>> {
        let mut state = self.0.lock();
        if state.is_over {
            return None;
        }
        let nth = state.first + state.begun.len() as u64;
        state.begun.push_back(Begun {
            results: VecDeque::new(),
            is_ended: false,
        });
        let turns = Arc::clone(self.0);
        Some(Sink(Arc::new(Task { turns, nth })))
    }
}

impl<T> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.workers -= 1;
        if state.workers == 0 {
            self.0.called.notify_all();
        }
    }
}

/// Where a worker puts the results of a task. While there is a clone, the task has not ended.
pub(crate) struct Sink<T>(Arc<Task<T>>);

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Sink<T> {
    /// Puts one result; returns `false` when no more are wanted.
    pub(crate) fn put(&self, result: T) -> bool {
        self.0.turns.put(self.0.nth, result)
    }
}

struct Task<T> {
    turns: Arc<Turns<T>>,
    nth: u64,
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        if let Some(task) = state.task(self.nth) {
            task.is_ended = true;
            self.turns.write(self.nth, state);
        }
    }
}
