//! Reading several sources at once, each on a thread of its own.
//!
//! What is read ahead of its turn waits in a channel that holds a few batches, so that memory is
//! bounded. Parts of a source are left to the threads that work on them.

use super::event::Event;
use super::how::How;
use super::open::Open;
use super::portion::{Portion, Unread};
use super::units::{Unit, Units};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// How many batches of one source may wait for their turn.
const WAITING: usize = 8;

/// Sources that are read ahead of their turn.
pub(super) struct Ahead {
    /// In order.
    turns: VecDeque<Turn>,
    /// How many may be read at once.
    most: usize,
}

/// One of them.
enum Turn {
    Begun(Receiver<Event>),
    Unread(Box<Unread>),
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

    /// The next inputs; `None` when all that were begun have ended.
    pub(super) fn next(&mut self, units: &mut Units, how: &How) -> Option<Portion> {
        loop {
            while self.turns.len() < self.most
                && let Some(unit) = units.next(how)
            {
                self.turns.push_back(match unit.rows() {
                    Some(rows) => Turn::Unread(Box::new(Unread::new(unit, rows, how.clone()))),
                    None => Turn::Begun(begin(unit, how.clone())),
                });
            }
            match self.turns.pop_front()? {
                Turn::Unread(unread) => return Some(Portion::Unread(unread)),
                Turn::Begun(events) => {
                    if let Ok(event) = events.recv() {
                        self.turns.push_front(Turn::Begun(events));
                        return Some(Portion::Read(event));
                    }
                }
            }
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
