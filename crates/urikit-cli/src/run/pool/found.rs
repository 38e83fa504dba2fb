//! The queue of tasks that have been found but have not begun.
//!
//! If the queue is full, the thread that finds tasks sleeps until half of the queue is empty. A
//! channel of `std` would wake this thread for each task, and `uri extract -j1` would take 2.6
//! times the processor time for 20,000 small files.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The tasks, shared by the thread that finds them and the worker that takes the next one.
pub(super) struct Found<S> {
    queue: Mutex<Queue<S>>,
    /// Signals that half of a full queue has been taken, or that no more tasks are wanted.
    has_room: Condvar,
    /// Signals that there is a task, or that there are no more.
    has_task: Condvar,
    most: usize,
}

struct Queue<S> {
    tasks: VecDeque<S>,
    /// True once all tasks have been found, or once no more are wanted.
    has_ended: bool,
    finder_waits: bool,
    taker_waits: bool,
}

impl<S> Found<S> {
    /// Creates a queue of at most `most` tasks. `most` must not be 0.
    pub(super) fn bounded(most: usize) -> (Finder<S>, Taker<S>) {
        let found = Arc::new(Self {
            queue: Mutex::new(Queue {
                tasks: VecDeque::new(),
                has_ended: false,
                finder_waits: false,
                taker_waits: false,
            }),
            has_room: Condvar::new(),
            has_task: Condvar::new(),
            most,
        });
        (Finder(Arc::clone(&found)), Taker(found))
    }

    fn lock(&self) -> MutexGuard<'_, Queue<S>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the queue, and wakes the thread on the other side.
    fn end(&self) {
        self.lock().has_ended = true;
        self.has_room.notify_all();
        self.has_task.notify_all();
    }
}

/// The side that finds tasks. Dropping it, even in a panic, ends the queue.
pub(super) struct Finder<S>(Arc<Found<S>>);

impl<S> Finder<S> {
    /// Adds a task. Waits if the queue is full. Returns false if no more tasks are wanted.
    pub(super) fn put(&self, task: S) -> bool {
        let found = &*self.0;
        let mut queue = found.lock();
        if queue.tasks.len() >= found.most {
            while queue.tasks.len() > found.most / 2 && !queue.has_ended {
                queue.finder_waits = true;
                let woken = found.has_room.wait(queue);
                queue = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
        if queue.has_ended {
            return false;
        }
        queue.tasks.push_back(task);
        if std::mem::take(&mut queue.taker_waits) {
            found.has_task.notify_all();
        }
        true
    }
}

impl<S> Drop for Finder<S> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The side that takes tasks. Dropping it ends the queue.
pub(super) struct Taker<S>(Arc<Found<S>>);

impl<S> Taker<S> {
    /// Removes the next task. Waits until there is one. Returns `None` after the last task.
    pub(super) fn take(&self) -> Option<S> {
        let found = &*self.0;
        let mut queue = found.lock();
        loop {
            if let Some(task) = queue.tasks.pop_front() {
                if queue.finder_waits && queue.tasks.len() <= found.most / 2 {
                    queue.finder_waits = false;
                    found.has_room.notify_all();
                }
                return Some(task);
            }
            if queue.has_ended {
                return None;
            }
            queue.taker_waits = true;
            let woken = found.has_task.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<S> Drop for Taker<S> {
    fn drop(&mut self) {
        self.0.end();
    }
}
