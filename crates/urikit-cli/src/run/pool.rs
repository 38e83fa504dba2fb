//! A pool of workers whose results keep the order of the tasks.
//!
//! ```text
//! tasks → queue → workers → one channel per task → results, task by task
//! ```
//!
//! Only so many results may wait ([`Room`]), so a worker that is ahead of the task whose turn it is
//! waits when they are too many. This bounds memory, and the task whose turn it is always has a
//! worker.

use super::room::Room;
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// More threads than this only cost memory.
const MAX_THREADS: usize = 256;

/// The number of threads for `--jobs`, where 0 means one per core.
pub(crate) fn threads(jobs: usize) -> usize {
    match jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MAX_THREADS),
    }
}

/// What comes next, in the order of the tasks.
pub(crate) enum Turn<T> {
    /// A result.
    Result(T),
    /// Nothing is ready: what was written so far must not wait for what comes.
    Waiting,
}

/// Runs `work` on each task, on so many threads, and passes the results to `take` in the order of
/// the tasks. At most `waiting` results for each thread wait for their turn.
///
/// # Errors
///
/// Those of `take`; nothing more is done then, and threads are not waited for: the program may end
/// although its input has not.
///
/// # Panics
///
/// If `work` panics.
pub(crate) fn ordered<S, T, W>(
    tasks: impl Iterator<Item = S> + Send + 'static,
    threads: usize,
    waiting: usize,
    work: W,
    mut take: impl FnMut(Turn<T>) -> io::Result<()>,
) -> io::Result<()>
where
    S: Send + 'static,
    T: Send + 'static,
    W: Fn(S, &Sink<T>) + Send + Sync + 'static,
{
    let (to_workers, queue) = sync_channel::<(S, Sink<T>)>(threads);
    let (turns, in_turn) = sync_channel::<Receiver<T>>(threads);
    let queue = Arc::new(Mutex::new(queue));
    let work = Arc::new(work);
    let room = Arc::new(Room::new(waiting.saturating_mul(threads)));
    let _end = room.end();
    let worker = |_| {
        let queue = Arc::clone(&queue);
        let work = Arc::clone(&work);
        thread::spawn(move || {
            loop {
                // The lock is held while waiting for a task, and released before the work.
                let task = match queue.lock() {
                    Ok(queue) => queue.recv(),
                    Err(_) => return,
                };
                let Ok((task, sink)) = task else { return };
                work(task, &sink);
            }
        })
    };
    let mut all: Vec<_> = (0..threads).map(worker).collect();
    // Only workers own the queue, so that sending fails once they are all gone.
    drop(queue);
    let sinks = Arc::clone(&room);
    all.push(thread::spawn(move || {
        for (nth, task) in (0..).zip(tasks) {
            let (results, turn) = channel();
            let room = Arc::clone(&sinks);
            let sink = Sink { results, nth, room };
            if to_workers.send((task, sink)).is_err() || turns.send(turn).is_err() {
                return;
            }
        }
    }));
    while let Some(turn) = next(&in_turn, || take(Turn::Waiting))? {
        while let Some(result) = next(&turn, || take(Turn::Waiting))? {
            room.leave();
            take(Turn::Result(result))?;
        }
        room.turn();
    }
    // All tasks are done, so that no thread is waited for. One that panicked lost results.
    for thread in all {
        if let Err(panic) = thread.join() {
            resume_unwind(panic);
        }
    }
    Ok(())
}

/// The next of a channel; `None` at its end. If it has to be waited for, `waiting` comes first.
fn next<T>(
    channel: &Receiver<T>,
    waiting: impl FnOnce() -> io::Result<()>,
) -> io::Result<Option<T>> {
    match channel.try_recv() {
        Ok(next) => Ok(Some(next)),
        Err(TryRecvError::Disconnected) => Ok(None),
        Err(TryRecvError::Empty) => {
            waiting()?;
            Ok(channel.recv().ok())
        }
    }
}

/// Where a worker puts the results of a task. While there is a clone, the task has not ended.
pub(crate) struct Sink<T> {
    results: Sender<T>,
    /// The number of the task, from 0.
    nth: u64,
    room: Arc<Room>,
}

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self {
            results: self.results.clone(),
            nth: self.nth,
            room: Arc::clone(&self.room),
        }
    }
}

impl<T> Sink<T> {
    /// Puts one result; returns `false` when no more are wanted.
    pub(crate) fn put(&self, result: T) -> bool {
        self.room.enter(self.nth) && self.results.send(result).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Sink, Turn, ordered};

    #[test]
    fn results_keep_the_order_of_the_tasks() {
        // Early tasks are slow, and have more results than may wait.
        let work = |task, sink: &Sink<u64>| {
            std::thread::sleep(std::time::Duration::from_millis(4 - task % 4));
            for part in 0..40 {
                sink.put(task * 100 + part);
            }
        };
        let mut taken = Vec::new();
        let take = |turn| {
            if let Turn::Result(result) = turn {
                taken.push(result);
            }
            Ok(())
        };
        ordered(0..40_u64, 4, 16, work, take).unwrap();
        assert_eq!(taken.len(), 1600);
        assert!(taken.is_sorted());
    }

    #[test]
    fn work_stops_when_the_output_is_closed() {
        let closed = || Err(std::io::ErrorKind::BrokenPipe.into());
        let work = |_, sink: &Sink<()>| {
            sink.put(());
        };
        assert!(ordered(0..u64::MAX, 2, 1, work, |_| closed()).is_err());
    }

    #[test]
    #[should_panic(expected = "the third task")]
    fn a_panic_is_passed_on() {
        let _ = ordered(0..10, 2, 1, third_panics, |_| Ok(()));
    }

    #[allow(clippy::trivially_copy_pass_by_ref)] // as the pool calls it
    fn third_panics(task: i32, sink: &Sink<i32>) {
        assert!(task != 3, "the third task");
        sink.put(task);
    }
}
