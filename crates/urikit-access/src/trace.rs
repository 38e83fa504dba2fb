//! What was done, a line for each step, secrets masked.

use std::sync::{Arc, Mutex, PoisonError};

/// Steps more than these are not kept: a server can make them many.
const MOST: usize = 1000;

/// The steps of one access, shared by its connections.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    pub(crate) fn note(&self, step: String) {
        let mut steps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if steps.len() < MOST {
            steps.push(step);
        } else if steps.len() == MOST {
            steps.push("…".to_owned());
        }
    }

    pub(crate) fn steps(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
