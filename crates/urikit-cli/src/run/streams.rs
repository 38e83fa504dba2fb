//! Standard output and standard error, and the parts that are written to them.

use crate::exit::Exit;
use crate::input::Meter;
use crate::output::{Printed, Sample};
use crate::progress::Progress;
use crate::rejected::Rejected;
use crate::report::Reporter;
use crate::screen::fitted;
use crate::stdout::Out;
use crate::style::NOTE;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;

/// The results and messages of consecutive inputs.
pub(crate) struct Part {
    pub(super) printed: Printed,
    pub(super) exit: Exit,
    pub(super) inputs: u64,
    /// True if the source may have so many inputs that only the first messages are kept.
    pub(super) is_bulk: bool,
    /// The end of each kept message, for bulk inputs.
    message_ends: Vec<usize>,
    /// Messages about unreadable sources, all of which are printed after the other messages.
    pub(super) unreadable: String,
}

/// The maximum number of messages about files with a very large number of inputs.
const MESSAGES: usize = 10;

/// The size at which a part is written, in bytes.
const FULL: usize = 256 * 1024;

/// Larger buffers are freed instead of being reused. Reuse saves page faults, but the buffer of a
/// single giant input must not be kept.
const MAX_SPARE: usize = 4 << 20;

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

impl Part {
    /// Returns true if the part must be written before it grows larger.
    pub(super) fn is_full(&self) -> bool {
        self.printed.out.len() + self.printed.messages.len() >= FULL
    }

    /// Empties the part, but keeps its memory.
    fn clear(&mut self) {
        let Printed {
            out,
            messages,
            spill,
            later,
            rejected,
            sample,
        } = &mut self.printed;
        out.clear();
        *out = spare(std::mem::take(out));
        messages.clear();
        *spill = None;
        *later = None;
        *rejected = Rejected::default();
        *sample = Sample::default();
        self.message_ends.clear();
        self.unreadable.clear();
        self.exit = Exit::Good;
        self.inputs = 0;
    }

    /// Drops the messages after `before` if the part already has the maximum number of messages.
    pub(super) fn limit_messages(&mut self, before: usize) {
        let messages = &mut self.printed.messages;
        if self.message_ends.len() >= MESSAGES {
            messages.truncate(before);
        } else if messages.len() > before {
            self.message_ends.push(messages.len());
        }
    }
}

/// Returns the memory if it is small enough to keep.
pub(super) fn spare(memory: Vec<u8>) -> Vec<u8> {
    if memory.capacity() <= MAX_SPARE {
        memory
    } else {
        Vec::new()
    }
}

/// Writes results and messages.
pub(super) struct Streams {
    out: Box<dyn Out>,
    /// True if results go to a terminal, where each result must appear before the messages about
    /// it.
    interactive: bool,
    error: AutoStream<io::Stderr>,
    progress: Progress,
    exit: Exit,
    reporter: Reporter,
    /// True if rejected inputs are counted.
    is_bulk: bool,
    rejected: Rejected,
    sample: Sample,
    inputs: u64,
    /// The number of printed messages about files with a very large number of inputs.
    shown: u64,
}

impl Streams {
    pub(super) fn new(out: Box<dyn Out>, reporter: Reporter, meter: Arc<Meter>) -> Self {
        Self {
            out,
            interactive: io::stdout().is_terminal(),
            error: AutoStream::auto(io::stderr()),
            progress: Progress::new(reporter.quiet, "inputs").of(meter),
            exit: Exit::Good,
            reporter,
            is_bulk: false,
            rejected: Rejected::default(),
            sample: Sample::default(),
            inputs: 0,
            shown: 0,
        }
    }

    /// Returns true if a part must be written before the end of its batch.
    pub(super) fn wants(&self, part: &Part) -> bool {
        part.is_full() || self.interactive && !part.printed.messages.is_empty()
    }

    /// Writes a part, and empties it.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be written.
    pub(super) fn put(&mut self, part: &mut Part) -> io::Result<()> {
        self.exit = self.exit.max(part.exit);
        // Each part is large or urgent, so another buffer would not help.
        self.out.write_all(&part.printed.out)?;
        self.out.flush()?;
        let wanted = self.wanted_messages(part);
        for messages in [wanted, &part.unreadable] {
            if !messages.is_empty() {
                self.progress.clear();
                // An error cannot be reported if standard error is closed.
                let _ = self.messages(fitted(messages).as_bytes());
            }
        }
        self.is_bulk |= part.is_bulk;
        self.rejected.append(&mut part.printed.rejected);
        self.sample.append(part.printed.sample);
        self.inputs += part.inputs;
        self.progress.add(part.inputs);
        part.clear();
        Ok(())
    }

    /// Returns the messages of a part that are printed: for files with a very large number of
    /// inputs, only the first messages of the run.
    fn wanted_messages<'p>(&mut self, part: &'p Part) -> &'p str {
        let all = part.printed.messages.as_str();
        if !part.is_bulk || part.message_ends.is_empty() {
            return all;
        }
        let left = (MESSAGES as u64).saturating_sub(self.shown);
        let wanted = part.message_ends.iter().zip(0..left);
        let mut end = 0;
        for (next, _) in wanted {
            end = *next;
            self.shown += 1;
        }
        all.get(..end).unwrap_or_default()
    }

    /// Writes messages. Messages contain colours only if standard error supports them, so nothing
    /// has to be stripped.
    fn messages(&mut self, messages: &[u8]) -> io::Result<()> {
        if self.error.current_choice() == ColorChoice::Always {
            return self.error.write_all(messages);
        }
        self.error.as_inner().lock().write_all(messages)
    }

    /// Flushes the output, and returns the exit status.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be written.
    pub(super) fn finish(&mut self) -> io::Result<Exit> {
        self.progress.clear();
        self.out.end()?;
        if self.is_bulk {
            let summary = self
                .reporter
                .rejected(&self.rejected, self.inputs, self.shown);
            let _ = self.messages(fitted(&summary).as_bytes());
        }
        if let Some(hint) = self.sample.hint().filter(|_| !self.reporter.quiet) {
            let note = self.reporter.style(NOTE);
            let hint = format!("{note}uri:{note:#} {hint}\n");
            let _ = self.messages(fitted(&hint).as_bytes());
        }
        Ok(self.exit)
    }
}
