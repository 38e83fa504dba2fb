//! Room for results that wait for their turn.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Room for results that wait for their turn. The task whose turn it is always gets some, or the
/// results of the others would never leave.
pub(super) struct Room {
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The number of the task whose turn it is, from 0.
    turn: u64,
    /// How many results there are.
    results: usize,
    /// How many threads wait for room.
    sleeping: usize,
    is_over: bool,
}

/// How many more results there may be of the task whose turn it is.
const IN_TURN: usize = 2;

impl Room {
    /// Room for so many results, and a few more.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for a result of task `nth`. Returns `false` if no more are wanted.
    pub(super) fn enter(&self, nth: u64) -> bool {
        let mut state = self.lock();
        loop {
            let more = if state.turn == nth { IN_TURN } else { 0 };
            if state.is_over || state.results < self.most + more {
                state.results += 1;
                return !state.is_over;
            }
            state.sleeping += 1;
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
    }

    /// A result of the task whose turn it is has left.
    pub(super) fn leave(&self) {
        self.change(|state| state.results -= 1);
    }

    /// The turn of the next task begins.
    pub(super) fn turn(&self) {
        self.change(|state| state.turn += 1);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if state.sleeping > 0 {
            self.changed.notify_all();
        }
    }

    /// No more results are wanted once the value is dropped.
    pub(super) const fn end(&self) -> End<'_> {
        End(self)
    }
}

/// See [`Room::end`].
pub(super) struct End<'a>(&'a Room);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_over = true);
    }
}

#[cfg(test)]
mod tests {
    use super::Room;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn only_the_task_whose_turn_it_is_has_room() {
        let room = Room::new(1);
        assert!(room.enter(7));
        thread::scope(|scope| {
            let (send, entered) = channel();
            let room = &room;
            scope.spawn(move || send.send(room.enter(1)));
            let soon = Duration::from_millis(20);
            assert!(entered.recv_timeout(soon).is_err());
            // It waits no longer than until its turn.
            assert!(room.enter(0));
            room.turn();
            assert!(entered.recv().unwrap());
        });
        drop(room.end());
        assert!(!room.enter(1));
    }
}
