//! A pool of workers whose results keep the order of the tasks.
//!
//! ```text
//! tasks → workers → results, task by task
//! ```
//!
//! Workers take tasks from an iterator. If finding the next task is slow, a separate thread finds
//! tasks in advance ([`ahead`]). The caller writes the results while all workers continue
//! ([`ordered`]), or the worker of the current task writes them ([`scheduled`]), which avoids
//! waking another thread for small tasks.
//!
//! Tasks take turns in order, and each result waits for the turn of its task. A worker blocks if
//! too many results are pending, or if it is too far ahead. This bounds memory.

mod found;
mod scheduled;
#[cfg(test)]
mod tests;
mod turns;

use found::Found;
use std::io;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use turns::{Turns, Worker};

pub(crate) use scheduled::{Again, scheduled};
pub(crate) use turns::{Limits, Sink, Turn};

/// The maximum number of threads. More threads would only use more memory.
const MAX_THREADS: usize = 256;

/// Returns the number of threads for `--jobs`, where 0 means one per core.
pub(crate) fn threads(jobs: usize) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MAX_THREADS),
    }
}

/// Fetches up to `most` tasks from the iterator in advance, on a new thread.
///
/// # Panics
///
/// Panics if `tasks` panics.
pub(crate) fn ahead<S: Send + 'static>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    most: usize,
) -> impl Iterator<Item = S> + Send + 'static {
    let (finder, taker) = Found::bounded(most);
    let find = move || {
        for task in tasks {
            // This fails once all workers have ended.
            if !finder.put(task) {
                return;
            }
        }
    };
    let mut reader = Some(thread::spawn(find));
    std::iter::from_fn(move || {
        let task = taker.take();
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
/// Fails if `take` fails. In this case, the workers stop, but this function does not wait for
/// them, because a worker may be blocked on input that never ends.
///
/// # Panics
///
/// Panics if `tasks` or `work` panics.
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
                // Holding the lock until the task is numbered keeps the tasks in order.
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
