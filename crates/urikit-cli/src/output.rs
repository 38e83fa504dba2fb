//! Prints results (as text, JSON or rows of a table) and the messages about them.

use crate::exit::Exit;
use crate::input::Input;
use crate::rejected::Rejected;
use crate::report::Reporter;
use crate::safe::safe;
use crate::sheet::Sheet;
use serde::Serialize;
use std::any::Any;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use urikit_report::Reader;
use urikit_report::json;
use urikit_report::reading::Failure;
use urikit_report::record::WithResult;

/// The results of some inputs, and the messages about them.
#[derive(Default)]
pub(crate) struct Printed {
    /// Results, for standard output.
    pub(crate) out: Vec<u8>,
    /// Messages, for standard error.
    pub(crate) messages: String,
    /// Writes results before the input is complete, if several inputs are processed at the same
    /// time.
    pub(crate) spill: Option<Spill>,
    /// The state of work that will be repeated later.
    pub(crate) later: Option<Later>,
    /// The reasons why inputs were rejected.
    pub(crate) rejected: Rejected,
    /// The number of lines checked for missing schemes, and how many of them begin with a host.
    pub(crate) sample: Sample,
}

/// Work on an input that will be repeated later. In the meantime, the thread can work on other
/// inputs.
pub(crate) struct Later {
    pub(crate) delay: Duration,
    /// The host whose other inputs must wait just as long, if any.
    pub(crate) pauses: Option<String>,
    /// The state from which the work continues.
    pub(crate) state: Box<dyn Any + Send>,
}

/// The number of lines examined at the beginning of the input, and how many of them begin with a
/// host.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sample {
    lines: u64,
    hosts: u64,
}

impl Sample {
    /// The maximum number of lines to check. This many lines are enough to recognize a list of
    /// hosts, and checking all lines would take too much time.
    pub(crate) const SIZE: u64 = 100;

    /// Adds a line.
    pub(crate) fn add(&mut self, input: Input<'_>) {
        self.lines += 1;
        self.hosts += u64::from(input.begins_with_host());
    }

    /// Adds the counts of other lines.
    pub(crate) fn append(&mut self, other: Self) {
        self.lines += other.lines;
        self.hosts += other.hosts;
    }

    /// Returns a hint about `--guess` if most lines begin with a host.
    pub(crate) fn hint(self) -> Option<String> {
        let Self { lines, hosts } = self;
        let which = if lines < Self::SIZE { "" } else { "the first " };
        (hosts * 2 > lines).then(|| {
            format!(
                "{hosts} of {which}{lines} lines begin with a host, without a scheme: --guess \
                 reads `example.com/x` as `https://example.com/x`"
            )
        })
    }
}

/// Writes results while an input is being processed, after waiting for the input's turn.
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
    /// Fails if no more results are wanted.
    pub(crate) fn put(&self, results: Vec<u8>) -> io::Result<()> {
        (self.0)(results)
    }
}

/// The options for printing results and reporting errors.
#[derive(Clone)]
pub(crate) struct Output {
    /// The standard to follow.
    pub(crate) reader: Reader,
    /// True if results and errors are printed as JSON.
    pub(crate) json: bool,
    /// The table to print, if any.
    pub(crate) sheet: Option<Arc<Sheet>>,
    /// The byte that ends a result.
    pub(crate) end: u8,
    /// True if results go to a terminal, which must not interpret control characters in them.
    pub(crate) terminal: bool,
    pub(crate) reporter: Reporter,
}

impl Output {
    /// Sets the byte that ends a result.
    pub(crate) fn ending(mut self, end: u8) -> Self {
        self.end = end;
        self
    }

    /// Writes a record as one line of JSON, or as a row of the table.
    pub(crate) fn record(&self, out: &mut Vec<u8>, record: &impl Serialize) -> io::Result<()> {
        if let Some(sheet) = &self.sheet {
            return sheet.record(out, record);
        }
        json::line(out, record, self.terminal)
    }

    /// Writes a record with the key `result`, whose value is what plain output prints, or `null`
    /// for an input without a result.
    pub(crate) fn record_with(
        &self,
        out: &mut Vec<u8>,
        record: &impl Serialize,
        result: Option<&[u8]>,
    ) -> io::Result<()> {
        self.record(out, &WithResult::new(record, result))
    }

    /// Writes text. On a terminal, unsafe characters are replaced with U+FFFD. Text in a JSON
    /// record remains exact, because the record escapes these characters.
    pub(crate) fn text<W: Write>(&self, out: &mut W, text: &str) -> io::Result<()> {
        if self.terminal && !self.json {
            out.write_all(safe(text).as_bytes())
        } else {
            out.write_all(text.as_bytes())
        }
    }

    /// Writes decoded bytes, and ends the line. On a terminal, bytes that are not UTF-8 are
    /// replaced with U+FFFD.
    pub(crate) fn bytes<W: Write>(&self, out: &mut W, bytes: &[u8]) -> io::Result<()> {
        if self.terminal && !self.json {
            self.text(out, &String::from_utf8_lossy(bytes))?;
        } else {
            out.write_all(bytes)?;
        }
        out.write_all(&[self.end])
    }

    /// Writes text, and ends the line.
    pub(crate) fn line<W: Write>(&self, out: &mut W, text: &str) -> io::Result<()> {
        self.text(out, text)?;
        out.write_all(&[self.end])
    }

    /// Prints the record or the line for one input. An input without a result produces a message
    /// and an empty line, which keeps input and output lines aligned.
    pub(crate) fn result(
        &self,
        input: Input<'_>,
        result: Result<&str, &Failure>,
        record: &impl Serialize,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        if self.json {
            self.record_with(&mut to.out, record, result.ok().map(str::as_bytes))?;
            if let Err(failure) = result {
                to.rejected.add(failure.reason());
            }
        } else {
            self.line(&mut to.out, result.unwrap_or_default())?;
            if let Err(failure) = result {
                self.invalid(input, failure, to);
            }
        }
        Ok(Exit::of(result))
    }

    /// Reports an input that has no result.
    pub(crate) fn invalid(&self, input: Input<'_>, failure: &Failure, to: &mut Printed) {
        let reader = self.reader;
        to.rejected.add(failure.reason());
        self.reporter
            .invalid(input, reader, failure, &mut to.messages);
    }
}
