//! Standard output and standard error.

use super::part::Part;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::screen::fitted;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal as _, Write};

/// Where results and messages go.
pub(super) struct Streams {
    out: Box<dyn Write>,
    /// Whether results go to a terminal, where each must appear before the messages about it.
    interactive: bool,
    error: AutoStream<io::Stderr>,
    progress: Progress,
    exit: Exit,
}

impl Streams {
    pub(super) fn new(out: Box<dyn Write>, reporter: Reporter) -> Self {
        Self {
            out,
            interactive: io::stdout().is_terminal(),
            error: AutoStream::auto(io::stderr()),
            progress: Progress::new(reporter.quiet, "inputs"),
            exit: Exit::Good,
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
        if !part.printed.messages.is_empty() {
            self.progress.clear();
            // If standard error is closed, this cannot be reported.
            let _ = self.messages(fitted(&part.printed.messages).as_bytes());
        }
        self.progress.add(part.inputs);
        part.clear();
        Ok(())
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
    pub(super) fn finish(mut self) -> io::Result<Exit> {
        self.progress.clear();
        self.out.flush()?;
        Ok(self.exit)
    }
}
