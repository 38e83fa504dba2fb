//! Results on standard output, as text or JSON, and the messages that go with them.

use crate::exit::Exit;
use crate::input::Input;
use crate::json;
use crate::reading::Failure;
use crate::report::Reporter;
use crate::safe::safe;
use crate::standard::Reader;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// What is printed about some inputs.
#[derive(Default)]
pub(crate) struct Printed {
    /// Results, for standard output.
    pub(crate) out: Vec<u8>,
    /// Messages, for standard error.
    pub(crate) messages: String,
    /// Takes results before the input is done, if inputs are worked on at the same time.
    pub(crate) spill: Option<Spill>,
}

/// Takes results in the order of the inputs, and waits for their turn.
#[derive(Clone)]
pub(crate) struct Spill(Arc<dyn Fn(Vec<u8>) -> io::Result<()> + Send + Sync>);

impl Spill {
    pub(crate) fn new(take: impl Fn(Vec<u8>) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// Passes on results.
    ///
    /// # Errors
    ///
    /// If no more are wanted.
    pub(crate) fn put(&self, results: Vec<u8>) -> io::Result<()> {
        (self.0)(results)
    }
}

/// How results are printed and errors reported.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    /// The standard that is followed.
    pub(crate) reader: Reader,
    /// Whether results are JSON, with the errors included.
    pub(crate) json: bool,
    /// The byte that ends a result.
    pub(crate) end: u8,
    /// Whether results go to a terminal, which must not act on them.
    pub(crate) terminal: bool,
    pub(crate) reporter: Reporter,
}

impl Output {
    /// The same, with results that end in this byte.
    pub(crate) const fn ending(self, end: u8) -> Self {
        Self { end, ..self }
    }

    /// Writes one JSON object, and ends the line.
    pub(crate) fn record(self, out: &mut Vec<u8>, record: &impl Serialize) -> io::Result<()> {
        json::line(out, record, self.terminal)
    }

    /// Writes text, made safe for a terminal.
    pub(crate) fn text<W: Write>(self, out: &mut W, text: &str) -> io::Result<()> {
        if self.terminal {
            out.write_all(safe(text).as_bytes())
        } else {
            out.write_all(text.as_bytes())
        }
    }

    /// Writes decoded bytes, and ends the line. On a terminal, bytes that are not UTF-8 become
    /// U+FFFD.
    pub(crate) fn bytes<W: Write>(self, out: &mut W, bytes: &[u8]) -> io::Result<()> {
        if self.terminal {
            self.text(out, &String::from_utf8_lossy(bytes))?;
        } else {
            out.write_all(bytes)?;
        }
        out.write_all(&[self.end])
    }

    /// Writes text, and ends the line.
    pub(crate) fn line<W: Write>(self, out: &mut W, text: &str) -> io::Result<()> {
        self.text(out, text)?;
        out.write_all(&[self.end])
    }

    /// Prints the result of one input: its record, or its line. An input without a result has an
    /// empty line, so that input and output lines correspond, and a message.
    pub(crate) fn result(
        self,
        input: Input<'_>,
        result: Result<&str, &Failure>,
        record: &impl Serialize,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        if self.json {
            self.record(&mut to.out, record)?;
        } else {
            self.line(&mut to.out, result.unwrap_or_default())?;
            if let Err(failure) = result {
                self.invalid(input, failure, to);
            }
        }
        Ok(Exit::of(result))
    }

    /// Reports why an input has no result.
    pub(crate) fn invalid(self, input: Input<'_>, failure: &Failure, to: &mut Printed) {
        let reader = self.reader;
        self.reporter
            .invalid(input, reader, failure, &mut to.messages);
    }
}
