//! Records the events of an access.

use crate::escape::excerpt;
use crate::event::Event;
use std::sync::{Arc, Mutex, PoisonError};

/// A server can cause any number of events. More than these are not recorded.
const MAX_EVENTS: usize = 1000;

/// The events of one access, shared by its connections.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Arc<Mutex<Vec<Event>>>);

impl Trace {
    pub(crate) fn record(&self, event: Event) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() < MAX_EVENTS {
            events.push(event);
        } else if events.len() == MAX_EVENTS {
            events.push(Event::Truncated);
        }
    }

    /// Records a command that was sent, secrets masked already.
    pub(crate) fn sent(&self, command: &'static str, line: &[u8]) {
        let line = excerpt(line);
        self.record(Event::Sent { command, line });
    }

    /// Records a line that was received, secrets masked already.
    pub(crate) fn received(&self, line: &[u8]) {
        self.record(Event::Received(excerpt(line)));
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
