//! What was made of some inputs, on its way out.

use super::{Event, Work, spare};
use crate::exit::Exit;
use crate::report::Reporter;
use std::io;

/// Results and messages of inputs that follow each other.
pub(super) struct Part {
    pub(super) out: Vec<u8>,
    pub(super) messages: String,
    pub(super) exit: Exit,
    pub(super) inputs: u64,
}

impl Default for Part {
    fn default() -> Self {
        Self {
            out: Vec::new(),
            messages: String::new(),
            exit: Exit::Good,
            inputs: 0,
        }
    }
}

/// A part that holds so much is full.
const FULL: usize = 256 * 1024;

impl Part {
    /// Whether it is to go out before it grows larger.
    pub(super) fn is_full(&self) -> bool {
        self.out.len() + self.messages.len() >= FULL
    }

    /// Empties it, and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.messages.clear();
        self.out = spare(std::mem::take(&mut self.out));
        self.exit = Exit::Good;
        self.inputs = 0;
    }

    /// Adds what `work` makes of an event, with `each` looking at it after each input; gives the memory that the inputs were in.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    pub(super) fn take<T: Work>(
        &mut self,
        work: &T,
        reporter: Reporter,
        event: Event,
        mut each: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        match event {
            Event::Batch(batch) => {
                for input in batch.inputs() {
                    let exit = work.input(input, &mut self.out, &mut self.messages)?;
                    self.exit = self.exit.max(exit);
                    self.inputs += 1;
                    each(self)?;
                }
                Ok(spare(batch.into_memory()))
            }
            Event::Unreadable(source, error) => {
                self.exit = Exit::Io;
                reporter.unreadable(&source, &error, &mut self.messages);
                Ok(Vec::new())
            }
        }
    }
}
