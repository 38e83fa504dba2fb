//! A pool of workers whose results keep the order of the tasks.
//!
//! ```text
//! tasks → workers → results, task by task
//! ```
//!
//! Workers find their tasks themselves; tasks that are slow to find are read ahead ([`ahead`]).
//! The results are written by the caller ([`ordered`]), while all workers go on, or by the worker
//! whose turn it is ([`in_turn`]): then small tasks need not wake another thread.
//!
//! The results of a task wait until it is its turn. A worker waits if too many results wait, or if it is too far ahead. This bounds memory.

use std::collections::VecDeque;
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// More threads than this only cost memory.
const MAX_THREADS: usize = 256;

/// The number of threads for `--jobs`, where 0 means one per core.
pub(crate) fn threads(jobs: usize) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MAX_THREADS),
    }
}

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

/// Tasks that a thread reads ahead, so many at most.
///
/// # Panics
///
/// If `tasks` panics.
pub(crate) fn ahead<S: Send + 'static>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    most: usize,
) -> impl Iterator<Item = S> + Send + 'static {
    let (to_workers, queue) = sync_channel(most);
    let send = move || {
        for task in tasks {
            // Sending fails once the workers are gone.
            if to_workers.send(task).is_err() {
                return;
            }
        }
    };
    let mut reader = Some(thread::spawn(send));
    std::iter::from_fn(move || {
        let task = queue.recv().ok();
        if task.is_none()
            && let Some(Err(panic)) = reader.take().map(JoinHandle::join)
        {
            resume_unwind(panic);
        }
        task
    })
}

/// Runs `work` on each task, and passes the results to `take` in the order of the tasks.
///
/// # Errors
///
/// Those of `take`; nothing more is done then, and threads are not waited for: the program may end
/// although its input has not.
///
/// # Panics
///
/// If `tasks` or `work` panics.
pub(crate) fn ordered<S, T, W>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    limits: Limits,
    work: W,
    take: impl FnMut(Turn<T>) -> io::Result<()>,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let turns = Arc::new(Turns::new(limits, None));
    let workers = begin(&turns, tasks, work);
    turns.take_here(take)?;
    join(workers);
    Ok(())
}

/// The same, with `take` called by the workers: those that have results when it is their turn.
///
/// # Errors
///
/// As [`ordered`].
///
/// # Panics
///
/// As [`ordered`].
pub(crate) fn in_turn<S, T, W>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    limits: Limits,
    work: W,
    take: impl Fn(Turn<T>) -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let turns = Arc::new(Turns::new(limits, Some(Box::new(take))));
    let workers = begin(&turns, tasks, work);
    turns.end()?;
    join(workers);
    Ok(())
}

/// Starts the workers.
fn begin<S, T, W>(
    turns: &Arc<Turns<T>>,
    tasks: impl Iterator<Item = S> + Send + 'static,
    work: W,
) -> Vec<JoinHandle<()>>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let tasks = Arc::new(Mutex::new(tasks.fuse()));
    let work = Arc::new(work);
    let worker = |_| {
        let (tasks, work) = (Arc::clone(&tasks), Arc::clone(&work));
        let turns = Arc::clone(turns);
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
    (0..turns.limits.threads).map(worker).collect()
}

fn join(workers: Vec<JoinHandle<()>>) {
    for worker in workers {
        if let Err(panic) = worker.join() {
            resume_unwind(panic);
        }
    }
}

type Take<T> = dyn Fn(Turn<T>) -> io::Result<()> + Send + Sync;

/// Whose turn it is, and what waits for its turn.
struct Turns<T> {
    state: Mutex<State<T>>,
    /// There is room for a result, or for a task.
    changed: Condvar,
    /// For the caller: there is a result to take, no worker is left, or there is an error.
    called: Condvar,
    limits: Limits,
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
    error: Option<io::Error>,
}

/// A task.
struct Begun<T> {
    results: VecDeque<T>,
    is_ended: bool,
}

impl<T> Turns<T> {
    fn new(limits: Limits, take: Option<Box<Take<T>>>) -> Self {
        Self {
            state: Mutex::new(State {
                first: 0,
                begun: VecDeque::new(),
                results: 0,
                is_writing: false,
                sleeping: 0,
                workers: limits.threads,
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

    fn wait_for_room(&self) {
        let mut state = self.lock();
        while state.begun.len() >= self.limits.tasks && state.error.is_none() {
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
            return state.error.is_none();
        }
        let Some(take) = &self.take else {
            self.called.notify_all();
            return state.error.is_none();
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
                state.error = Some(error);
                self.called.notify_all();
            }
        }
        writing.is_done = true;
        state.is_writing = false;
        self.wake(&state);
        state.error.is_none()
    }

    /// Takes all results on this thread.
    fn take_here(&self, mut take: impl FnMut(Turn<T>) -> io::Result<()>) -> io::Result<()> {
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
    fn end(&self) -> io::Result<()> {
        let mut state = self.lock();
        while state.workers > 0 && state.error.is_none() {
            let woken = self.called.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        match state.error.replace(io::Error::other("the work is over")) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl<T> State<T> {
    /// A task that was begun and has not had its turn; `None` after an error.
    fn task(&mut self, nth: u64) -> Option<&mut Begun<T>> {
        let at = usize::try_from(nth.checked_sub(self.first)?).ok()?;
        let is_good = self.error.is_none();
        self.begun.get_mut(at).filter(|_| is_good)
    }

    /// What can be taken now, after a result or after nothing.
    fn turn(&mut self, has_taken: bool) -> Option<Turn<T>> {
        match self.next() {
            Some(result) => Some(Turn::Result(result)),
            None => (has_taken && self.error.is_none()).then_some(Turn::Waiting),
        }
    }

    /// The next result that can be taken.
    fn next(&mut self) -> Option<T> {
        while self.error.is_none() {
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
            state.error = Some(io::Error::other("writing panicked"));
            self.turns.called.notify_all();
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

#[cfg(test)]
mod tests {
    use super::{Limits, Sink, Turn, ahead, in_turn, ordered};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    const fn limits(threads: usize, results: usize) -> Limits {
        Limits {
            threads,
            tasks: 16,
            results,
        }
    }

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
            for by_workers in [false, true] {
                let taken = Arc::new(Mutex::new((Vec::new(), false)));
                let to = Arc::clone(&taken);
                let take = move |turn| {
                    let (results, is_flushed) = &mut *to.lock().unwrap();
                    *is_flushed = matches!(turn, Turn::Waiting);
                    results.extend(result(turn));
                    Ok(())
                };
                let (tasks, limits) = (ahead(0..40_u64, 3), limits(threads, 16));
                if by_workers {
                    in_turn(tasks, limits, work, take).unwrap();
                } else {
                    ordered(tasks, limits, work, take).unwrap();
                }
                let (results, is_flushed) = &*taken.lock().unwrap();
                assert_eq!(results.len(), 1600);
                assert!(results.is_sorted());
                assert!(is_flushed);
            }
        }
    }

    fn result<T>(turn: Turn<T>) -> Option<T> {
        match turn {
            Turn::Result(result) => Some(result),
            Turn::Waiting => None,
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
        let take = move |turn| {
            if let Some(task) = result(turn) {
                let ahead: u64 = *begun.lock().unwrap() - task;
                let mut furthest = furthest.lock().unwrap();
                *furthest = ahead.max(*furthest);
            }
            Ok(())
        };
        ordered(tasks, limits(2, 1), work, take).unwrap();
        let most = *most.lock().unwrap();
        assert!((2..=17).contains(&most), "{most}");
    }

    #[test]
    fn work_stops_when_the_output_is_closed() {
        let work = |_, sink: &Sink<()>| {
            sink.put(());
        };
        let closed = |_| Err(std::io::ErrorKind::BrokenPipe.into());
        assert!(ordered(0..u64::MAX, limits(2, 1), work, closed).is_err());
        assert!(in_turn(0..u64::MAX, limits(2, 1), work, closed).is_err());
    }

    #[test]
    #[should_panic(expected = "the third task")]
    fn a_panic_is_passed_on() {
        let work = |task, sink: &Sink<i32>| {
            assert!(task != 3, "the third task");
            sink.put(task);
        };
        let _ = ordered(0..10, limits(2, 1), work, |_| Ok(()));
    }

    #[test]
    #[should_panic(expected = "the third is not found")]
    fn a_panic_while_reading_ahead_is_passed_on() {
        let tasks = (0..10).inspect(|task| assert!(*task != 3, "the third is not found"));
        let work = |task, sink: &Sink<i32>| {
            sink.put(task);
        };
        let _ = ordered(ahead(tasks, 1), limits(2, 1), work, |_| Ok(()));
    }

    #[test]
    fn a_panic_while_writing_ends_the_work() {
        let work = |task, sink: &Sink<u64>| {
            sink.put(task);
        };
        let take = |turn| {
            assert!(result(turn) != Some(3), "the third result");
            Ok(())
        };
        assert!(in_turn(0..u64::MAX, limits(2, 1), work, take).is_err());
    }

    /// The task whose turn it is has room for more, whatever waits.
    #[test]
    fn the_results_of_others_do_not_block_the_task_whose_turn_it_is() {
        let work = |task, sink: &Sink<u64>| {
            if task == 0 {
                std::thread::sleep(Duration::from_millis(20));
            }
            for part in 0..10 {
                sink.put(task * 100 + part);
            }
        };
        let mut count = 0;
        let take = |turn| {
            count += u64::from(result(turn).is_some());
            Ok(())
        };
        ordered(0..20_u64, limits(4, 3), work, take).unwrap();
        assert_eq!(count, 200);
    }
}
