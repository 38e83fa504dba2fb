//! The queue of tasks: the current task, and the results of later tasks, which wait for their turn.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The limits of a pool.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// The maximum number of tasks that have begun but have not yet had their turn. The limit is
    /// higher than the number of workers, so a slow task at the head does not stall the rest.
    pub(crate) tasks: usize,
    /// The maximum number of results that are held until it is their task's turn. The current task
    /// may exceed this limit by a few results; otherwise the results of later tasks could block it
    /// forever.
    pub(crate) results: usize,
    /// The time for which the caller waits for more results after the first. Waking a thread takes
    /// longer than reading a small file.
    pub(crate) gathering: Duration,
}

/// The number of results by which the current task may exceed the limit.
const EXTRA_FOR_CURRENT: usize = 2;

/// The next step, in the order of the tasks.
pub(crate) enum Turn<T> {
    /// A result of the current task.
    Result(T),
    /// No other result is available yet, so the results so far should be flushed.
    Waiting,
}

type Take<T> = dyn Fn(Turn<T>) -> io::Result<()> + Send + Sync;

/// The tasks in order, shared by the workers and the caller.
pub(super) struct Turns<T> {
    queue: Mutex<Queue<T>>,
    /// Tells workers that the queue has room for a result or a task.
    has_room: Condvar,
    /// Wakes the caller when results are available, the last worker has ended, or a worker failed.
    for_caller: Condvar,
    pub(super) limits: Limits,
    /// The function that workers call for each result; `None` if the caller takes the results.
    take: Option<Box<Take<T>>>,
}

struct Queue<T> {
    /// The number of the current task, counting from 0.
    first: u64,
    /// The current task, and later tasks that have begun.
    begun: VecDeque<Begun<T>>,
    /// The number of results of these tasks that are waiting to be taken.
    results: usize,
    /// True while a worker is taking results. Only one worker takes results at a time.
    is_taking: bool,
    /// True if workers wait for room in the queue, and have not been woken.
    has_sleepers: bool,
    caller: Caller,
    workers: usize,
    /// True after an error, even if the caller has already taken the error.
    is_over: bool,
    error: Option<io::Error>,
}

/// The state of the caller that takes the results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caller {
    Busy,
    /// Waiting for a result.
    Waiting,
    /// Waiting for more results, but only for a moment.
    Gathering,
}

/// A task that has begun.
struct Begun<T> {
    results: VecDeque<T>,
    is_ended: bool,
}

impl<T> Turns<T> {
    pub(super) fn new(limits: Limits, take: Option<Box<Take<T>>>) -> Self {
        Self {
            queue: Mutex::new(Queue {
                first: 0,
                begun: VecDeque::new(),
                results: 0,
                is_taking: false,
                has_sleepers: false,
                caller: Caller::Busy,
                workers: limits.threads,
                is_over: false,
                error: None,
            }),
            has_room: Condvar::new(),
            for_caller: Condvar::new(),
            limits,
            take,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a signal that the queue has room.
    fn sleep<'a>(&self, mut queue: MutexGuard<'a, Queue<T>>) -> MutexGuard<'a, Queue<T>> {
        queue.has_sleepers = true;
        self.wake_caller(&mut queue);
        let woken = self.has_room.wait(queue);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if another task may begin.
    fn has_room(&self) -> bool {
        self.lock().begun.len() < self.limits.tasks
    }

    pub(super) fn wait_for_room(&self) {
        let mut queue = self.lock();
        while queue.begun.len() >= self.limits.tasks && !queue.is_over {
            queue = self.sleep(queue);
        }
    }

    /// Queues one result of a task. Returns `false` if no more results are wanted.
    fn put(&self, nth: u64, result: T) -> bool {
        let mut queue = self.lock();
        loop {
            let extra = if queue.first == nth {
                EXTRA_FOR_CURRENT
            } else {
                0
            };
            let fits = queue.results < self.limits.results + extra;
            let Some(task) = queue.task(nth) else {
                return false;
            };
            if fits {
                task.results.push_back(result);
                queue.results += 1;
                break;
            }
            queue = self.sleep(queue);
        }
        self.take_available(nth, queue)
    }

    /// Takes all available results if this is the current task, unless another worker is taking
    /// them.
    fn take_available<'a>(&'a self, nth: u64, mut queue: MutexGuard<'a, Queue<T>>) -> bool {
        if nth != queue.first || queue.is_taking {
            return !queue.is_over;
        }
        let Some(take) = &self.take else {
            if queue.skip_ended() {
                self.wake(&mut queue);
            }
            self.wake_caller(&mut queue);
            return !queue.is_over;
        };
        queue.is_taking = true;
        let mut taking = Taking {
            turns: self,
            is_done: false,
        };
        let mut has_taken = false;
        while let Some(turn) = queue.turn(has_taken) {
            has_taken = matches!(turn, Turn::Result(_));
            self.wake(&mut queue);
            drop(queue);
            let taken = take(turn);
            queue = self.lock();
            if let Err(error) = taken {
                queue.fail(error);
                self.for_caller.notify_all();
            }
        }
        taking.is_done = true;
        queue.is_taking = false;
        self.wake(&mut queue);
        !queue.is_over
    }

    /// Collects the results of all tasks on the calling thread.
    pub(super) fn take_here(
        &self,
        mut take: impl FnMut(Turn<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        // If `take` fails or panics, dropping this value stops the workers.
        let mut taking = Taking {
            turns: self,
            is_done: false,
        };
        let mut has_taken = false;
        loop {
            let mut queue = self.lock();
            let turn = loop {
                if let Some(turn) = queue.turn(has_taken) {
                    break turn;
                }
                if queue.workers == 0 {
                    taking.is_done = true;
                    return Ok(());
                }
                // A task whose worker is asleep, waiting for room, may now have its turn.
                self.wake(&mut queue);
                queue = self.wait_for_results(queue);
            };
            has_taken = matches!(turn, Turn::Result(_));
            // Workers wake less often if there is room for several tasks. Flushing may take a long
            // time.
            let is_half_empty = queue.begun.len() <= self.limits.tasks / 2
                && queue.results <= self.limits.results / 2;
            if is_half_empty || !has_taken {
                self.wake(&mut queue);
            }
            drop(queue);
            take(turn)?;
        }
    }

    /// Waits for results, as the caller.
    fn wait_for_results<'a>(
        &self,
        mut queue: MutexGuard<'a, Queue<T>>,
    ) -> MutexGuard<'a, Queue<T>> {
        queue.caller = Caller::Waiting;
        let woken = self.for_caller.wait(queue);
        let mut queue = woken.unwrap_or_else(PoisonError::into_inner);
        queue.caller = Caller::Gathering;
        let is_early = |queue: &mut Queue<T>| !self.has_gathered(queue);
        let woken = self
            .for_caller
            .wait_timeout_while(queue, self.limits.gathering, is_early);
        let (mut queue, _) = woken.unwrap_or_else(PoisonError::into_inner);
        queue.caller = Caller::Busy;
        queue
    }

    /// Returns true if the caller should not wait for more results.
    fn has_gathered(&self, queue: &Queue<T>) -> bool {
        let is_half_full = queue.results >= self.limits.results / 2;
        is_half_full || queue.has_sleepers || queue.workers == 0 || queue.is_over
    }

    /// Wakes the caller once if it waits for the results in the queue.
    fn wake_caller(&self, queue: &mut Queue<T>) {
        queue.caller = match queue.caller {
            Caller::Waiting if queue.has_result() => Caller::Gathering,
            Caller::Gathering if self.has_gathered(queue) => Caller::Busy,
            _ => return,
        };
        self.for_caller.notify_all();
    }

    fn wake(&self, queue: &mut Queue<T>) {
        if std::mem::take(&mut queue.has_sleepers) {
            self.has_room.notify_all();
        }
    }

    /// Waits until all workers have ended or an error occurs.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut queue = self.lock();
        while queue.workers > 0 && !queue.is_over {
            let woken = self.for_caller.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
        queue.error.take().map_or(Ok(()), Err)
    }
}

impl<T> Queue<T> {
    /// Ends the work, because no more results are wanted.
    fn fail(&mut self, error: io::Error) {
        self.is_over = true;
        self.error = Some(error);
    }

    /// Returns a task that has begun but has not yet had its turn; `None` after an error.
    fn task(&mut self, nth: u64) -> Option<&mut Begun<T>> {
        let at = usize::try_from(nth.checked_sub(self.first)?).ok()?;
        let is_good = !self.is_over;
        self.begun.get_mut(at).filter(|_| is_good)
    }

    /// Returns the next step. `has_taken` is true if the previous step was a result.
    fn turn(&mut self, has_taken: bool) -> Option<Turn<T>> {
        match self.next() {
            Some(result) => Some(Turn::Result(result)),
            None => (has_taken && !self.is_over).then_some(Turn::Waiting),
        }
    }

    /// Removes the next available result.
    fn next(&mut self) -> Option<T> {
        if self.is_over {
            return None;
        }
        self.skip_ended();
        let result = self.begun.front_mut()?.results.pop_front()?;
        self.results -= 1;
        Some(result)
    }

    /// Returns true if the current task has a result.
    fn has_result(&self) -> bool {
        let current = self.begun.front();
        current.is_some_and(|task| !task.results.is_empty())
    }

    /// Removes tasks that have ended and whose results have been taken. Returns true if there are
    /// any.
    fn skip_ended(&mut self) -> bool {
        let is_past = |task: &Begun<T>| task.is_ended && task.results.is_empty();
        let before = self.first;
        while self.begun.front().is_some_and(is_past) {
            self.begun.pop_front();
            self.first += 1;
        }
        self.first > before
    }
}

/// A thread that takes results. If the thread panics, dropping this value ends the work.
struct Taking<'a, T> {
    turns: &'a Turns<T>,
    is_done: bool,
}

impl<T> Drop for Taking<'_, T> {
    fn drop(&mut self) {
        // After a panic in `take`, the other threads would otherwise wait forever.
        if !self.is_done {
            let mut queue = self.turns.lock();
            queue.fail(io::Error::other("writing panicked"));
            self.turns.for_caller.notify_all();
            self.turns.wake(&mut queue);
        }
    }
}

/// A worker. Dropping the last worker signals the caller.
pub(super) struct Worker<'a, T>(pub(super) &'a Arc<Turns<T>>);

impl<T> Worker<'_, T> {
    /// Returns true if another task may begin.
    pub(super) fn has_room(&self) -> bool {
        self.0.has_room()
    }

    /// Returns true after an error: no more results are wanted.
    pub(super) fn is_over(&self) -> bool {
        self.0.lock().is_over
    }

    /// Starts the next task; returns `None` if no more results are wanted.
    pub(super) fn begin(&self) -> Option<Sink<T>> {
        let mut queue = self.0.lock();
        if queue.is_over {
            return None;
        }
        let nth = queue.first + queue.begun.len() as u64;
        queue.begun.push_back(Begun {
            results: VecDeque::new(),
            is_ended: false,
        });
        let turns = Arc::clone(self.0);
        Some(Sink(Arc::new(Task { turns, nth })))
    }
}

impl<T> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.workers -= 1;
        if queue.workers == 0 {
            self.0.for_caller.notify_all();
        }
    }
}

/// The sink for the results of a task. The task ends when the last clone of its sink is dropped.
pub(crate) struct Sink<T>(Arc<Task<T>>);

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Sink<T> {
    /// Adds a result. Returns `false` if no more results are wanted.
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
        let mut queue = self.turns.lock();
        if let Some(task) = queue.task(self.nth) {
            task.is_ended = true;
            self.turns.take_available(self.nth, queue);
        }
    }
}
