//! Standard output and standard error.

use super::part::{MESSAGES, Part};
use crate::exit::Exit;
use crate::input::Meter;
use crate::progress::Progress;
use crate::rejected::Rejected;
use crate::report::Reporter;
use crate::screen::fitted;
use crate::sheet::Out;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;

/// Where results and messages go.
pub(super) struct Streams {
    out: Box<dyn Out>,
    /// Whether results go to a terminal, where each must appear before the messages about it.
    interactive: bool,
    error: AutoStream<io::Stderr>,
    progress: Progress,
    exit: Exit,
    reporter: Reporter,
    /// Whether rejected inputs are counted.
    is_bulk: bool,
    rejected: Rejected,
    inputs: u64,
    /// How many messages of bulk files were printed.
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
            inputs: 0,
            shown: 0,
        }
    }

    /// Whether to write a part now, although more of its batch follows.
    pub(super) fn wants(&self, part: &Part) -> bool {
        part.is_full() || self.interactive && !part.printed.messages.is_empty()
    }

    /// Writes a part, and empties it.
    ///
    /// # Errors
    ///
    /// If the results cannot be written.
    pub(super) fn put(&mut self, part: &mut Part) -> io::Result<()> {
        self.exit = self.exit.max(part.exit);
        // A part is large or urgent: another buffer would gain nothing.
        self.out.write_all(&part.printed.out)?;
        self.out.flush()?;
        let wanted = self.wanted_messages(part);
        for messages in [wanted, &part.unreadable] {
            if !messages.is_empty() {
                self.progress.clear();
                // If standard error is closed, this cannot be reported.
                let _ = self.messages(fitted(messages).as_bytes());
            }
        }
        self.is_bulk |= part.is_bulk;
        self.rejected.append(&mut part.printed.rejected);
        self.inputs += part.inputs;
        self.progress.add(part.inputs);
        part.clear();
        Ok(())
    }

    /// The messages of a part; of bulk files, only the first of all.
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

    /// Messages contain colours only if standard error shows them, so nothing has to be stripped.
    fn messages(&mut self, messages: &[u8]) -> io::Result<()> {
        if self.error.current_choice() == ColorChoice::Always {
            return self.error.write_all(messages);
        }
        self.error.as_inner().lock().write_all(messages)
    }

    /// Flushes the output; returns the exit status.
    ///
    /// # Errors
    ///
    /// If the results cannot be written.
    pub(super) fn finish(&mut self) -> io::Result<Exit> {
        self.progress.clear();
        self.out.end()?;
        if self.is_bulk {
            let summary = self
                .reporter
                .rejected(&self.rejected, self.inputs, self.shown);
            let _ = self.messages(fitted(&summary).as_bytes());
        }
        Ok(self.exit)
    }
}
