//! Standard output and standard error.

use super::part::Part;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::Reporter;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal as _, Write};

/// Where results and messages go.
pub(super) struct Streams {
    out: Box<dyn Write>,
    /// Whether a person sees the results come, each before the message that follows it.
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

    /// Whether a part is to be put out, though more of its batch follows.
    pub(super) fn wants(&self, part: &Part) -> bool {
        part.is_full() || self.interactive && !part.messages.is_empty()
    }

    /// Puts out a part, and empties it.
    ///
    /// # Errors
    ///
    /// When the results cannot be written.
    pub(super) fn put(&mut self, part: &mut Part) -> io::Result<()> {
        self.exit = self.exit.max(part.exit);
        // Results go out as whole parts, so that nothing is gained by another buffer.
        self.out.write_all(&part.out)?;
        self.out.flush()?;
        if !part.messages.is_empty() {
            self.progress.clear();
            // Nobody is left to tell when standard error is closed.
            let _ = self.messages(part.messages.as_bytes());
        }
        self.progress.add(part.inputs);
        part.clear();
        Ok(())
    }

    /// Messages have the colours that standard error shows; all at once, where there is nothing to translate.
    fn messages(&mut self, messages: &[u8]) -> io::Result<()> {
        if self.error.current_choice() == ColorChoice::Always {
            return self.error.write_all(messages);
        }
        self.error.as_inner().lock().write_all(messages)
    }

    /// Ends the output; gives the status.
    ///
    /// # Errors
    ///
    /// When the results cannot be written.
    pub(super) fn finish(mut self) -> io::Result<Exit> {
        self.progress.clear();
        self.out.flush()?;
        Ok(self.exit)
    }
}
