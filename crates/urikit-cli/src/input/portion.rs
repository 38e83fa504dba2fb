//! Consecutive inputs, which may still have to be read.

use super::event::Event;
use super::how::How;
use super::open::Open;
use super::units::Unit;
use std::iter::{Chain, Flatten};
use std::option;

/// What [`Inputs::next`](super::Inputs::next) returns: events, one after another.
pub(crate) enum Portion {
    Read(Event),
    /// To be read by the thread that works on the inputs.
    Unread(Box<Unread>),
}

impl Portion {
    /// How many inputs there are.
    pub(super) const fn len(&self) -> u64 {
        match self {
            Self::Read(Event::Batch(batch)) => batch.len(),
            Self::Read(Event::Unreadable(..)) => 0,
            Self::Unread(unread) => unread.len,
        }
    }

    /// The same, with so many inputs before it.
    pub(super) fn after(self, inputs: u64) -> Self {
        match self {
            Self::Read(Event::Batch(batch)) => Self::Read(Event::Batch(batch.after(inputs))),
            Self::Read(Event::Unreadable(..)) => self,
            Self::Unread(mut unread) => {
                unread.index = inputs;
                Self::Unread(unread)
            }
        }
    }
}

impl IntoIterator for Portion {
    type Item = Event;
    type IntoIter = Chain<option::IntoIter<Event>, Flatten<option::IntoIter<Box<Unread>>>>;

    fn into_iter(self) -> Self::IntoIter {
        let (event, unread) = match self {
            Self::Read(event) => (Some(event), None),
            Self::Unread(unread) => (None, Some(unread)),
        };
        event.into_iter().chain(unread.into_iter().flatten())
    }
}

/// A part of a source that is still to be read.
pub(crate) struct Unread {
    state: State,
    how: How,
    /// How many inputs are before it.
    index: u64,
    /// How many inputs it has.
    len: u64,
}

enum State {
    New(Unit),
    Open(Open),
    Over,
}

impl Unread {
    pub(super) const fn new(unit: Unit, len: u64, how: How) -> Self {
        Self {
            state: State::New(unit),
            how,
            index: 0,
            len,
        }
    }
}

impl Iterator for Unread {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut open = match std::mem::replace(&mut self.state, State::Over) {
            State::New(unit) => match Open::new(unit, &self.how) {
                Ok(open) => open,
                Err((source, error)) => return Some(Event::Unreadable(source, error)),
            },
            State::Open(open) => open,
            State::Over => return None,
        };
        match open.read(Vec::new()) {
            Ok(batch) => {
                let batch = batch?.after(self.index);
                self.index += batch.len();
                self.state = State::Open(open);
                Some(Event::Batch(batch))
            }
            Err(error) => Some(Event::Unreadable(open.source, error)),
        }
    }
}
