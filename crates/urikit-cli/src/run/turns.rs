//! Workers that find their tasks themselves, and write the results in the order of the tasks: for
//! tasks that are slow, and easy to find. No other thread takes part, which small tasks would have to
//! wake.
//!
//! ```text
//! tasks → workers → results, by the worker whose turn it is
//! ```
//!
//! The results of a task wait until it is its turn; then its worker writes them, and what the
//! tasks after it have by then. A worker waits if too many of its results wait, or if it is too far
//! ahead. This bounds memory.

use std::collections::VecDeque;
use std::io;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many tasks may wait for their turn: more than one of each of a few workers, or a worker would
/// wait whenever the one whose turn it is is not quick enough.
const AHEAD: usize = 16;

/// Runs `work` on each task, on so many threads, and passes the results to `take` in the order of
/// the tasks, on those threads. At most `waiting` results of each task wait for their turn.
///
/// # Errors
///
/// Those of `take`; nothing more is done then, and threads are not waited for: the program may end
/// although its input has not.
///
/// # Panics
///
/// If `work` panics.
pub(super) fn in_turn<S, T, W>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    threads: usize,
    waiting: usize,
    work: W,
    take: impl Fn(T) -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let turns = Arc::new(Turns {
        state: Mutex::new(State {
            first: 0,
            begun: VecDeque::new(),
            is_writing: false,
            sleeping: 0,
            workers: threads,
            error: None,
        }),
        changed: Condvar::new(),
        over: Condvar::new(),
        ahead: threads.max(AHEAD),
        waiting,
        take: Box::new(take),
    });
    let tasks = Arc::new(Mutex::new(tasks.fuse()));
    let work = Arc::new(work);
    let worker = |_| {
        let (tasks, work) = (Arc::clone(&tasks), Arc::clone(&work));
        let turns = Arc::clone(&turns);
        thread::spawn(move || {
            let worker = Worker(&turns);
            loop {
                // The lock is held while waiting for a task, so that they are numbered in order.
                let Ok(mut tasks) = tasks.lock() else { return };
                turns.wait_for_room();
                let Some(task) = tasks.next() else { return };
                let Some(sink) = worker.begin() else { return };
                drop(tasks);
                work(task, &sink);
            }
        })
    };
    let all: Vec<_> = (0..threads).map(worker).collect();
    turns.end()?;
    for thread in all {
        if let Err(panic) = thread.join() {
            resume_unwind(panic);
        }
    }
    Ok(())
}

/// Whose turn it is, and what waits for its turn.
struct Turns<T> {
    state: Mutex<State<T>>,
    /// There is room for a result, or for a task.
    changed: Condvar,
    /// No worker is left, or there is an error.
    over: Condvar,
    ahead: usize,
    waiting: usize,
    take: Box<dyn Fn(T) -> io::Result<()> + Send + Sync>,
}

struct State<T> {
    /// The number of the task whose turn it is, from 0.
    first: u64,
    /// This task and those after it that were begun.
    begun: VecDeque<Begun<T>>,
    /// Whether a worker is writing: one at a time.
    is_writing: bool,
    /// How many workers wait for room.
    sleeping: usize,
    workers: usize,
    error: Option<io::Error>,
}

/// A task.
struct Begun<T> {
    results: VecDeque<T>,
    is_ended: bool,
}

impl<T> Turns<T> {
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

    fn wait_for_room(&self) {
        let mut state = self.lock();
        while state.begun.len() >= self.ahead && state.error.is_none() {
            state = self.sleep(state);
        }
    }

    /// Puts a result of a task. Returns `false` when no more are wanted.
    fn put(&self, nth: u64, result: T) -> bool {
        let mut state = self.lock();
        loop {
            let waiting = self.waiting;
            let Some(task) = state.task(nth) else {
                return false;
            };
            if task.results.len() < waiting {
                task.results.push_back(result);
                break;
            }
            state = self.sleep(state);
        }
        self.write(nth, state)
    }

    /// Writes what can be written, if it is the turn of this task and no other worker does.
    fn write<'a>(&'a self, nth: u64, mut state: MutexGuard<'a, State<T>>) -> bool {
        if nth != state.first || state.is_writing {
            return state.error.is_none();
        }
        state.is_writing = true;
        let mut writing = Writing {
            turns: self,
            is_done: false,
        };
        while let Some(result) = state.next() {
            self.wake(&state);
            drop(state);
            let taken = (self.take)(result);
            state = self.lock();
            if let Err(error) = taken {
                state.error = Some(error);
                self.over.notify_all();
            }
        }
        writing.is_done = true;
        state.is_writing = false;
        self.wake(&state);
        state.error.is_none()
    }

    fn wake(&self, state: &State<T>) {
        if state.sleeping > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for the end.
    fn end(&self) -> io::Result<()> {
        let mut state = self.lock();
        while state.workers > 0 && state.error.is_none() {
            let woken = self.over.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

impl<T> State<T> {
    /// A task that was begun and has not had its turn; `None` after an error.
    fn task(&mut self, nth: u64) -> Option<&mut Begun<T>> {
        let at = usize::try_from(nth.checked_sub(self.first)?).ok()?;
        let is_good = self.error.is_none();
        self.begun.get_mut(at).filter(|_| is_good)
    }

    /// The next result that can be written.
    fn next(&mut self) -> Option<T> {
        while self.error.is_none() {
            let first = self.begun.front_mut()?;
            if let Some(result) = first.results.pop_front() {
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

/// While it exists, a worker is writing.
struct Writing<'a, T> {
    turns: &'a Turns<T>,
    is_done: bool,
}

impl<T> Drop for Writing<'_, T> {
    fn drop(&mut self) {
        // Otherwise `take` has panicked, and the others would wait forever.
        if !self.is_done {
            let mut state = self.turns.lock();
            state.error = Some(io::Error::other("writing panicked"));
            self.turns.over.notify_all();
            self.turns.wake(&state);
        }
    }
}

/// While it exists, there is a worker that may begin tasks.
struct Worker<'a, T>(&'a Arc<Turns<T>>);

impl<T> Worker<'_, T> {
    /// Begins the next task; `None` if no more results are wanted.
    fn begin(&self) -> Option<Sink<T>> {
        let mut state = self.0.lock();
        if state.error.is_some() {
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
            self.0.over.notify_all();
        }
    }
}

/// Where a worker puts the results of a task. While there is a clone, the task has not ended.
pub(super) struct Sink<T>(Arc<Task<T>>);

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Sink<T> {
    /// Puts one result; returns `false` when no more are wanted.
    pub(super) fn put(&self, result: T) -> bool {
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

#[cfg(test)]
mod tests {
    use super::{Sink, in_turn};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[test]
    fn results_keep_the_order_of_the_tasks() {
        // Early tasks are slow, and have more results than may wait.
        let work = |task, sink: &Sink<u64>| {
            std::thread::sleep(Duration::from_millis(4 - task % 4));
            for part in 0..40 {
                sink.put(task * 100 + part);
            }
        };
        for threads in [1, 2, 4, 40] {
            let taken = Arc::new(Mutex::new(Vec::new()));
            let to = Arc::clone(&taken);
            let take = move |result| {
                to.lock().unwrap().push(result);
                Ok(())
            };
            in_turn(0..40_u64, threads, 16, work, take).unwrap();
            let taken = taken.lock().unwrap();
            assert_eq!(taken.len(), 1600);
            assert!(taken.is_sorted());
        }
    }

    #[test]
    fn tasks_are_not_far_ahead_of_the_one_whose_turn_it_is() {
        let begun = Arc::new(Mutex::new(0_u64));
        let (count, most) = (Arc::clone(&begun), Arc::new(Mutex::new(0)));
        let tasks = (0..100_u64).inspect(move |nth| *count.lock().unwrap() = *nth);
        let work = |task, sink: &Sink<u64>| {
            if task % 20 == 0 {
                std::thread::sleep(Duration::from_millis(20));
            }
            sink.put(task);
        };
        let furthest = Arc::clone(&most);
        let take = move |task| {
            let ahead: u64 = *begun.lock().unwrap() - task;
            let mut furthest = furthest.lock().unwrap();
            *furthest = ahead.max(*furthest);
            Ok(())
        };
        in_turn(tasks, 2, 1, work, take).unwrap();
        let most = *most.lock().unwrap();
        assert!((2..=17).contains(&most), "{most}");
    }

    #[test]
    fn work_stops_when_the_output_is_closed() {
        let work = |_, sink: &Sink<()>| {
            sink.put(());
        };
        let closed = |()| Err(std::io::ErrorKind::BrokenPipe.into());
        assert!(in_turn(0..u64::MAX, 2, 1, work, closed).is_err());
    }

    #[test]
    #[should_panic(expected = "the third task")]
    fn a_panic_is_passed_on() {
        let work = |task, sink: &Sink<i32>| {
            assert!(task != 3, "the third task");
            sink.put(task);
        };
        let _ = in_turn(0..10, 2, 1, work, |_| Ok(()));
    }

    #[test]
    fn a_panic_while_writing_ends_the_work() {
        let work = |task, sink: &Sink<u64>| {
            sink.put(task);
        };
        let take = |task| {
            assert!(task != 3, "the third result");
            Ok(())
        };
        assert!(in_turn(0..u64::MAX, 2, 1, work, take).is_err());
    }
}
