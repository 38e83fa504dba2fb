//! Results and messages on their way out.

use super::intake::Intake;
use super::work::Work;
use crate::exit::Exit;
use crate::input::Event;
use crate::output::Printed;
use std::io;

/// The results and messages of consecutive inputs.
pub(super) struct Part {
    pub(super) printed: Printed,
    pub(super) exit: Exit,
    pub(super) inputs: u64,
}

impl Default for Part {
    fn default() -> Self {
        Self {
            printed: Printed::default(),
            exit: Exit::Good,
            inputs: 0,
        }
    }
}

/// A part of this many bytes is full.
const FULL: usize = 256 * 1024;

/// Memory is used again, which saves page faults, unless a giant input made it larger than this.
const MAX_SPARE: usize = 4 << 20;

impl Part {
    /// Whether to write it before it grows larger.
    pub(super) fn is_full(&self) -> bool {
        self.printed.out.len() + self.printed.messages.len() >= FULL
    }

    /// Empties it, and keeps its memory.
    pub(super) fn clear(&mut self) {
        let Printed {
            out,
            messages,
            spill,
        } = &mut self.printed;
        out.clear();
        messages.clear();
        *spill = None;
        *out = spare(std::mem::take(out));
        self.exit = Exit::Good;
        self.inputs = 0;
    }

    /// Adds the results of `work` on an event, and calls `each` after each input. Returns the
    /// memory that the inputs were in.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    pub(super) fn take<T: Work>(
        &mut self,
        work: &T,
        intake: Intake,
        event: Event,
        mut each: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        match event {
            Event::Batch(batch) => {
                for input in batch.inputs() {
                    let exit = intake.take(work, input, &mut self.printed)?;
                    self.exit = self.exit.max(exit);
                    self.inputs += 1;
                    each(self)?;
                }
                Ok(spare(batch.into_memory()))
            }
            Event::Unreadable(source, error) => {
                self.exit = Exit::Io;
                intake
                    .reporter
                    .unreadable(&source, &error, &mut self.printed.messages);
                Ok(Vec::new())
            }
        }
    }
}

/// The memory if it is small enough to keep.
fn spare(memory: Vec<u8>) -> Vec<u8> {
    if memory.capacity() <= MAX_SPARE {
        memory
    } else {
        Vec::new()
    }
}
