//! Workers for tasks that wait for servers.
//!
//! A worker that has nothing to do reads further tasks into the schedule, as far as the limits
//! allow. Therefore, tasks for a host that must wait do not delay tasks for other hosts.

use super::join;
use super::turns::{Limits, Sink, Turn, Turns, Worker};
use std::io;
use std::sync::{Arc, Mutex, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use urikit_access::{HostLimits, Scheduler, Taken};

/// Requests that a task be repeated later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Again {
    pub(crate) delay: Duration,
    /// The host whose other tasks must wait just as long, if any.
    pub(crate) pauses: Option<String>,
}

/// Runs `work` on each task, and calls `take` for the results in the order of the tasks, in the
/// worker of the current task. A task that returns [`Again`] is repeated later, with the same sink.
///
/// If tasks are repeated, `limits.results` must not be less than the number of results that
/// `limits.tasks` tasks can produce. Otherwise, results of later tasks could block all workers
/// while the current task waits to be repeated.
///
/// # Errors
///
/// Fails if `take` fails. In this case, the workers stop, but this function does not wait for
/// them, because a worker may be blocked on input that never ends.
///
/// # Panics
///
/// Panics if `tasks` or `work` panics.
pub(crate) fn scheduled<S, T, W>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    host: impl Fn(&S) -> String + Send + Sync + 'static,
    limits: Limits,
    work: W,
    take: impl Fn(Turn<T>) -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(&mut S, &Sink<T>) -> Option<Again> + Send + Sync + 'static,
{
    let turns = Arc::new(Turns::new(limits, Some(Box::new(take))));
    let shared = Arc::new(Shared {
        tasks: Mutex::new(tasks.fuse()),
        host,
        scheduler: Scheduler::new(HostLimits::default()),
        work,
    });
    let worker = |_| -> JoinHandle<()> {
        let (turns, shared) = (Arc::clone(&turns), Arc::clone(&shared));
        thread::spawn(move || shared.work(&Worker(&turns)))
    };
    let workers = (0..limits.threads).map(worker).collect();
    drop(shared);
    turns.end()?;
    join(workers);
    Ok(())
}

/// The state that the workers share.
struct Shared<I, S, T, H, W> {
    tasks: Mutex<I>,
    host: H,
    scheduler: Scheduler<(S, Sink<T>)>,
    work: W,
}

impl<I, S, T, H, W> Shared<I, S, T, H, W>
where
    I: Iterator<Item = S>,
    H: Fn(&S) -> String,
    W: Fn(&mut S, &Sink<T>) -> Option<Again>,
{
    fn work(&self, worker: &Worker<'_, T>) {
        let scheduler = &self.scheduler;
        // After a panic, the other workers must learn that no more tasks can be read.
        let _wakes = Wakes(scheduler);
        loop {
            if worker.is_over() {
                return scheduler.clear();
            }
            let taken = match scheduler.take_within(Duration::ZERO) {
                Taken::None if self.read(worker) => continue,
                Taken::None => scheduler.take_within(Duration::MAX),
                taken => taken,
            };
            match taken {
                Taken::Task((mut task, sink), turn) => {
                    if let Some(Again { delay, pauses }) = (self.work)(&mut task, &sink) {
                        turn.retry((task, sink), delay, pauses.as_deref());
                    }
                }
                Taken::None => {}
                Taken::Closed => return,
            }
        }
    }

    /// Adds the next task to the schedule. Returns false if another worker is reading a task, or
    /// if too many tasks have begun.
    fn read(&self, worker: &Worker<'_, T>) -> bool {
        if !worker.has_room() {
            return false;
        }
        let mut tasks = match self.tasks.try_lock() {
            Ok(tasks) => tasks,
            Err(TryLockError::WouldBlock) => return false,
            Err(TryLockError::Poisoned(_)) => {
                self.scheduler.close();
                return false;
            }
        };
        match tasks.next() {
            Some(task) => {
                // Holding the lock until the task is numbered keeps the tasks in order.
                if let Some(sink) = worker.begin() {
                    self.scheduler.add(&(self.host)(&task), (task, sink));
                }
            }
            None => self.scheduler.close(),
        }
        true
    }
}

struct Wakes<'a, T>(&'a Scheduler<T>);

impl<T> Drop for Wakes<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.wake();
        }
    }
}
