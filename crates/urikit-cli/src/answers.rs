//! How a command prints what it found, by the options that all commands share.

use crate::cli::Common;
use crate::exit::Exit;
use crate::input::{Input, Inputs};
use crate::json;
use crate::reading::Failure;
use crate::report::Reporter;
use crate::run::{Run, Work};
use crate::safe::safe;
use crate::standard::Reader;
use crate::usage;
use serde::Serialize;
use std::io::{self, IsTerminal as _, Write};

/// Answers as text or JSON on standard output, and messages for standard error.
#[derive(Clone, Copy)]
pub(crate) struct Answers {
    /// Who reads.
    pub(crate) reader: Reader,
    /// Whether answers are JSON, with the errors in them.
    pub(crate) json: bool,
    /// Whether the output is a terminal, which must not be made to do anything.
    pub(crate) terminal: bool,
    /// Who tells of errors.
    pub(crate) reporter: Reporter,
}

impl Common {
    /// How answers are printed.
    pub(crate) fn answers(&self) -> Answers {
        Answers {
            reader: self.standard,
            json: self.json,
            terminal: io::stdout().is_terminal(),
            reporter: Reporter {
                quiet: self.quiet,
                show_secrets: self.show_secrets,
            },
        }
    }

    /// Does `work` with every input; `command` is what stands before the references.
    ///
    /// # Errors
    ///
    /// When the results cannot be written, a closed pipe included.
    pub(crate) fn run<T: Work>(self, command: &str, work: T) -> io::Result<Exit> {
        let out = Box::new(io::stdout().lock());
        self.run_to(command, out, work)
    }

    /// The same, with results going to `out`.
    ///
    /// # Errors
    ///
    /// When the results cannot be written, a closed pipe included.
    pub(crate) fn run_to<T: Work>(
        self,
        command: &str,
        out: Box<dyn Write>,
        work: T,
    ) -> io::Result<Exit> {
        let reporter = self.answers().reporter;
        let Ok(inputs) = Inputs::new(self.references, self.files, self.null) else {
            return Ok(usage::no_input(command));
        };
        Run {
            inputs,
            jobs: self.jobs,
            reporter,
            out,
        }
        .with(work)
    }
}

impl Answers {
    /// Writes one JSON object on a line of its own.
    pub(crate) fn record(self, out: &mut Vec<u8>, record: &impl Serialize) -> io::Result<()> {
        json::line(out, record, self.terminal)
    }

    /// Writes text that a terminal is not to act upon.
    pub(crate) fn text<W: Write>(self, out: &mut W, text: &str) -> io::Result<()> {
        if self.terminal {
            out.write_all(safe(text).as_bytes())
        } else {
            out.write_all(text.as_bytes())
        }
    }

    /// Writes bytes, which decoding may leave without being text, and ends the line. On a terminal,
    /// what is no text is U+FFFD.
    pub(crate) fn bytes<W: Write>(self, out: &mut W, bytes: &[u8]) -> io::Result<()> {
        if self.terminal {
            self.text(out, &String::from_utf8_lossy(bytes))?;
        } else {
            out.write_all(bytes)?;
        }
        out.write_all(b"\n")
    }

    /// Writes text and ends the line. An input without an answer has an empty line, so that the
    /// lines still count.
    pub(crate) fn line<W: Write>(self, out: &mut W, text: &str) -> io::Result<()> {
        self.text(out, text)?;
        out.write_all(b"\n")
    }

    /// Prints the one answer to an input: its record, or its line and why there is none.
    pub(crate) fn one(
        self,
        input: Input<'_>,
        answer: Result<&str, &Failure>,
        record: &impl Serialize,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        if self.json {
            self.record(out, record)?;
        } else {
            self.line(out, answer.unwrap_or_default())?;
            if let Err(failure) = answer {
                self.invalid(input, failure, messages);
            }
        }
        Ok(Exit::of(answer))
    }

    /// Tells why an input has no answer.
    pub(crate) fn invalid(self, input: Input<'_>, failure: &Failure, messages: &mut String) {
        self.reporter.invalid(input, self.reader, failure, messages);
    }
}
