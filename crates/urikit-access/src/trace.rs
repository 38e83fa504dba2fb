//! Records the events of an access, and knows its secrets.

use crate::escape::cut;
use crate::event::Event;
use crate::mask::Secrets;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A server can cause any number of events. More than these are not recorded.
const MAX_EVENTS: usize = 1000;

/// The events of one access, and the secrets that are masked in them; shared by its connections.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Arc<Mutex<Inner>>);

#[derive(Default, Debug)]
struct Inner {
    events: Vec<Event>,
    secrets: Secrets,
}

impl Trace {
    /// A trace that masks these secrets, and those that are sent.
    pub(crate) fn new(secrets: Secrets) -> Self {
        let events = Vec::new();
        Self(Arc::new(Mutex::new(Inner { events, secrets })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event, with secrets masked.
    pub(crate) fn record(&self, event: Event) {
        self.inner().record(|secrets| event.masked(secrets));
    }

    /// Takes note of the secrets in a line that is sent.
    pub(crate) fn learn(&self, line: &[u8], secrets: &[Range<usize>]) {
        for range in secrets {
            self.inner().secrets.add_sent(line, range.clone());
        }
    }

    /// Records a command that was sent, secrets masked already.
    pub(crate) fn sent(&self, command: &'static str, line: &[u8]) {
        self.inner().record(|secrets| {
            let line = cut(&secrets.mask(line)).into_owned();
            Event::Sent { command, line }
        });
    }

    /// Records a line that was received.
    pub(crate) fn received(&self, line: &[u8]) {
        self.inner()
            .record(|secrets| Event::Received(cut(&secrets.mask(line)).into_owned()));
    }

    /// The secrets that are known by now.
    pub(crate) fn secrets(&self) -> Secrets {
        self.inner().secrets.clone()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.inner().events.clone()
    }
}

impl Inner {
    fn record(&mut self, event: impl FnOnce(&Secrets) -> Event) {
        if self.events.len() < MAX_EVENTS {
            let event = event(&self.secrets);
            self.events.push(event);
        } else if self.events.len() == MAX_EVENTS {
            self.events.push(Event::Truncated);
        }
    }
}
