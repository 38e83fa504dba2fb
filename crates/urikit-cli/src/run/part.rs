//! Results and messages on their way out.

use super::intake::Intake;
use super::work::Work;
use crate::exit::Exit;
use crate::input::{Batch, Event, Portion};
use crate::output::Printed;
use crate::rejected::Rejected;
use std::io;

/// The results and messages of consecutive inputs.
pub(super) struct Part {
    pub(super) printed: Printed,
    pub(super) exit: Exit,
    pub(super) inputs: u64,
    /// Whether there may be very many inputs. Then only the first messages are kept.
    pub(super) is_bulk: bool,
    /// Where each of these ends.
    pub(super) message_ends: Vec<usize>,
    /// Messages about what could not be read, all of which are printed, after the others.
    pub(super) unreadable: String,
}

/// So many messages of a bulk file are printed.
pub(super) const MESSAGES: usize = 10;

impl Default for Part {
    fn default() -> Self {
        Self {
            printed: Printed::default(),
            exit: Exit::Good,
            inputs: 0,
            is_bulk: false,
            message_ends: Vec::new(),
            unreadable: String::new(),
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
            ..
        } = &mut self.printed;
        out.clear();
        messages.clear();
        *spill = None;
        *out = spare(std::mem::take(out));
        self.printed.rejected = Rejected::default();
        self.message_ends.clear();
        self.unreadable.clear();
        self.exit = Exit::Good;
        self.inputs = 0;
    }

    /// Adds the results of `work` on some inputs, and calls `each` after each input. Returns the
    /// memory that the inputs were in.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    pub(super) fn take<T: Work>(
        &mut self,
        work: &T,
        intake: Intake,
        portion: Portion,
        mut each: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        let mut memory = Vec::new();
        for event in portion {
            match event {
                Event::Batch(batch) => {
                    self.batch(work, intake, &batch, &mut each)?;
                    memory = spare(batch.into_memory());
                }
                Event::Unreadable(source, error) => {
                    self.exit = self.exit.max(Exit::Io);
                    let messages = &mut self.unreadable;
                    intake.reporter.unreadable(&source, &error, messages);
                }
            }
        }
        Ok(memory)
    }

    /// The same for a batch.
    fn batch<T: Work>(
        &mut self,
        work: &T,
        intake: Intake,
        batch: &Batch,
        mut each: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.is_bulk = intake.is_bulk || batch.is_bulk();
        for (input, broken) in batch.inputs() {
            let printed = &mut self.printed;
            let before = printed.messages.len();
            let exit = match broken {
                Some(why) => intake.without_value(work, input, why, printed)?,
                None => intake.take(work, input, printed)?,
            };
            self.exit = self.exit.max(exit);
            self.inputs += 1;
            if self.is_bulk {
                self.limit_messages(before);
            }
            each(self)?;
        }
        Ok(())
    }
}

impl Part {
    /// Keeps what is after `before` only if it is among the first messages.
    fn limit_messages(&mut self, before: usize) {
        let messages = &mut self.printed.messages;
        if self.message_ends.len() >= MESSAGES {
            messages.truncate(before);
        } else if messages.len() > before {
            self.message_ends.push(messages.len());
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
