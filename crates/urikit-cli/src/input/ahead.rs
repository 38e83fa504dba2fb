//! Reading several sources at once, each on a thread of its own.
//!
//! What is read ahead of its turn waits in a channel that holds a few batches, so that memory is
//! bounded.

use super::event::Event;
use super::open::{How, Open, Unit};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// How many batches of one source may wait for their turn.
const WAITING: usize = 8;

/// Sources that are read ahead of their turn.
pub(super) struct Ahead {
    /// The events of each, in order.
    turns: VecDeque<Receiver<Event>>,
    /// How many may be read at once.
    most: usize,
}

impl Ahead {
    pub(super) const fn new(most: usize) -> Self {
        let turns = VecDeque::new();
        Self { turns, most }
    }

    /// Whether sources are being read.
    pub(super) fn has_begun(&self) -> bool {
        !self.turns.is_empty()
    }

    /// The next event; `None` when all that were begun have ended.
    pub(super) fn next(&mut self, units: &mut VecDeque<Unit>, how: &How) -> Option<Event> {
        loop {
            while self.turns.len() < self.most
                && let Some(unit) = units.pop_front()
            {
                let mut parts = unit.in_parts(how).into_iter();
                if let Some(first) = parts.next() {
                    self.turns.push_back(begin(first, how.clone()));
                }
                for part in parts.rev() {
                    units.push_front(part);
                }
            }
            if let Ok(event) = self.turns.front()?.recv() {
                return Some(event);
            }
            self.turns.pop_front();
        }
    }
}

/// Reads a source on a thread.
fn begin(unit: Unit, how: How) -> Receiver<Event> {
    let (send, events) = sync_channel(WAITING);
    // Sending fails when nothing more is wanted.
    thread::spawn(move || {
        let mut open = match Open::new(unit, &how) {
            Ok(open) => open,
            Err((source, error)) => {
                let _ = send.send(Event::Unreadable(source, error));
                return;
            }
        };
        loop {
            let event = match open.read(Vec::new()) {
                Ok(Some(batch)) => Event::Batch(batch),
                Ok(None) => return,
                Err(error) => {
                    let _ = send.send(Event::Unreadable(open.source, error));
                    return;
                }
            };
            if send.send(event).is_err() {
                return;
            }
        }
    });
    events
}
