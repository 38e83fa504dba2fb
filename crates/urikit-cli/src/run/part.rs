//! Results and messages on their way out.

use crate::exit::Exit;
use crate::output::Printed;
use crate::rejected::Rejected;

/// The results and messages of consecutive inputs.
pub(crate) struct Part {
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

    /// Keeps what is after `before` only if it is among the first messages.
    pub(super) fn limit_messages(&mut self, before: usize) {
        let messages = &mut self.printed.messages;
        if self.message_ends.len() >= MESSAGES {
            messages.truncate(before);
        } else if messages.len() > before {
            self.message_ends.push(messages.len());
        }
    }
}

/// The memory if it is small enough to keep.
pub(super) fn spare(memory: Vec<u8>) -> Vec<u8> {
    if memory.capacity() <= MAX_SPARE {
        memory
    } else {
        Vec::new()
    }
}
