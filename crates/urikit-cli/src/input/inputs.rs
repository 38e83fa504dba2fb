//! Reading the sources one after another, a batch at a time.

use super::batch::Batch;
use super::csv::Column;
use super::item::Source;
use super::overlong::overlong;
use memchr::memrchr;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// The most that one read returns, in bytes.
const READ: usize = 64 * 1024;

/// What [`Inputs::next`] returns.
#[derive(Debug)]
pub(crate) enum Event {
    /// Inputs.
    Batch(Batch),
    /// A source, or the rest of it, could not be read.
    Unreadable(Arc<Source>, io::Error),
}

/// All inputs of a command, in order.
pub(crate) struct Inputs {
    arguments: Vec<OsString>,
    sources: std::vec::IntoIter<Source>,
    open: Option<Open>,
    /// The byte that ends an input.
    end: u8,
    /// The column of CSV that has the inputs.
    column: Option<String>,
    /// The longest line, in bytes, without its end.
    max_line: usize,
    index: u64,
    available: usize,
}

/// A source that is being read.
struct Open {
    source: Arc<Source>,
    reader: Box<dyn Read + Send>,
    number: u64,
    /// The start of an input whose end has not been read yet.
    partial: Vec<u8>,
}

/// Neither arguments nor files were given, and standard input is a terminal.
#[derive(Debug)]
pub(crate) struct NoInput;

impl Inputs {
    /// The arguments; or else the lines of `files`, where `-` is standard input; or else the lines
    /// of standard input. With `null`, inputs end in NUL instead of a line end. A longer line than
    /// `max_line` bytes ends its source with an error.
    pub(crate) fn new(
        arguments: Vec<OsString>,
        files: Vec<PathBuf>,
        null: bool,
        max_line: usize,
    ) -> Result<Self, NoInput> {
        let sources = if !files.is_empty() {
            let source = |path: PathBuf| {
                if path.as_os_str() == "-" {
                    Source::Stdin
                } else {
                    Source::File(path)
                }
            };
            files.into_iter().map(source).collect()
        } else if !arguments.is_empty() {
            Vec::new()
        } else if io::stdin().is_terminal() {
            return Err(NoInput);
        } else {
            vec![Source::Stdin]
        };
        Ok(Self {
            arguments,
            sources: sources.into_iter(),
            open: None,
            end: if null { b'\0' } else { b'\n' },
            column: None,
            max_line,
            index: 0,
            available: 0,
        })
    }

    /// The same, from this column of CSV.
    pub(crate) fn in_column(self, column: String) -> Self {
        Self {
            end: b'\0',
            column: Some(column),
            ..self
        }
    }

    /// How many bytes were available without waiting: all bytes of files, and those of standard
    /// input since a read last returned less than was requested.
    pub(crate) const fn available(&self) -> usize {
        self.available
    }

    /// The next event, read into `memory`; `None` at the end of all sources.
    pub(crate) fn next(&mut self, memory: Vec<u8>) -> Option<Event> {
        if !self.arguments.is_empty() {
            let arguments = std::mem::take(&mut self.arguments);
            let batch = Batch::of_arguments(arguments);
            self.index = batch.len();
            return Some(Event::Batch(batch));
        }
        let mut data = memory;
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => {
                    match Open::new(self.sources.next()?, self.column.as_deref(), self.max_line) {
                        Ok(open) => open,
                        Err((source, error)) => return Some(Event::Unreadable(source, error)),
                    }
                }
            };
            let more = match self.read(&mut open, &mut data) {
                Ok(more) => more,
                Err(error) => return Some(Event::Unreadable(open.source, error)),
            };
            if !data.is_empty() {
                let source = Arc::clone(&open.source);
                let batch = Batch::new(data, self.end, source, open.number, self.index);
                open.number += batch.len();
                self.index += batch.len();
                self.open = more.then_some(open);
                return Some(Event::Batch(batch));
            }
        }
    }

    /// Reads until at least one input is complete, and leaves all complete inputs in `data`.
    /// Returns `false` at the end of the source. An input that a read error cuts off is lost.
    ///
    /// # Errors
    ///
    /// If the next line is too long, and if it cannot be read.
    fn read(&mut self, open: &mut Open, data: &mut Vec<u8>) -> io::Result<bool> {
        let more = self.read_complete(open, data)?;
        let Some(start) = overlong(data, self.end, self.max_line) else {
            return Ok(more);
        };
        // The lines before it are inputs, and it is found again at the beginning.
        if start == 0 {
            let (number, max) = (open.number, self.max_line);
            return Err(io::Error::other(format!(
                "line {number} has more than {max} bytes (--max-line), and nothing after it is read"
            )));
        }
        let rest = data.get(start..).unwrap_or_default();
        open.partial = [rest, &open.partial].concat();
        data.truncate(start);
        Ok(true)
    }

    /// The same with lines of any length, up to where one is known to be too long.
    fn read_complete(&mut self, open: &mut Open, data: &mut Vec<u8>) -> io::Result<bool> {
        data.clear();
        data.append(&mut open.partial);
        loop {
            let start = data.len();
            if start > self.max_line && overlong(data, self.end, self.max_line).is_some() {
                return Ok(true);
            }
            data.resize(start + READ, 0);
            let read = open.read(data.get_mut(start..).unwrap_or_default())?;
            data.truncate(start + read);
            if read == 0 {
                return Ok(false);
            }
            let waited = *open.source == Source::Stdin && read < READ / 2;
            self.available = if waited { 0 } else { self.available + read };
            let ended = memrchr(self.end, data.get(start..).unwrap_or_default());
            if let Some(at) = ended {
                let next = start + at + 1;
                open.partial
                    .extend_from_slice(data.get(next..).unwrap_or_default());
                data.truncate(next);
                return Ok(true);
            }
        }
    }
}

impl Open {
    /// Opens a source; if it is CSV, for this column, with rows of at most `max_line` bytes.
    fn new(
        source: Source,
        column: Option<&str>,
        max_line: usize,
    ) -> Result<Self, (Arc<Source>, io::Error)> {
        let source = Arc::new(source);
        let reader: Box<dyn Read + Send> = match &*source {
            Source::File(path) => match File::open(path) {
                Ok(file) => Box::new(file),
                Err(error) => return Err((source, error)),
            },
            Source::Arguments | Source::Stdin => Box::new(io::stdin()),
        };
        let (reader, number): (Box<dyn Read + Send>, _) = match column {
            // The first row has the names.
            Some(column) => {
                let is_live = *source == Source::Stdin;
                (Box::new(Column::new(reader, column, is_live, max_line)), 2)
            }
            None => (reader, 1),
        };
        Ok(Self {
            source,
            reader,
            number,
            partial: Vec::new(),
        })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }
}
