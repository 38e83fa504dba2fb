//! Where references come from: arguments, the lines of files, or those of standard input.
//!
//! Input is bytes and streams: a [`Batch`] holds the inputs that one read brought, and always at
//! least one whole input, however long it is. So memory stays constant apart from that input, and
//! nothing that has arrived waits for what has not.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// How much one read may bring.
const READ: usize = 64 * 1024;

/// Where inputs stand, as messages name it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The command line.
    Arguments,
    /// Standard input, named `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The name to put into a message (not yet made safe to print).
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Arguments => "argument".to_owned(),
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// One input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The reference, without its line end.
    pub(crate) bytes: &'a [u8],
    /// Where it stands.
    pub(crate) source: &'a Source,
    /// Its line, or which argument it is; from 1.
    pub(crate) number: u64,
    /// How many inputs came before it, from all sources.
    pub(crate) index: u64,
}

/// Inputs of one source that follow each other.
#[derive(Debug)]
pub(crate) struct Batch {
    data: Vec<u8>,
    ranges: Vec<Range<usize>>,
    source: Arc<Source>,
    first_number: u64,
    first_index: u64,
}

impl Batch {
    /// The inputs.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Input<'_>> {
        self.ranges.iter().zip(0..).map(|(range, nth)| Input {
            bytes: self.data.get(range.clone()).unwrap_or_default(),
            source: &self.source,
            number: self.first_number + nth,
            index: self.first_index + nth,
        })
    }

    /// How many inputs it holds.
    pub(crate) fn len(&self) -> u64 {
        self.ranges.len() as u64
    }
}

/// What comes next.
#[derive(Debug)]
pub(crate) enum Event {
    /// Inputs.
    Batch(Batch),
    /// A source, or the rest of it, could not be read.
    Unreadable(Arc<Source>, io::Error),
}

/// All inputs of a command, as they come.
pub(crate) struct Inputs {
    arguments: Vec<OsString>,
    sources: std::vec::IntoIter<Source>,
    open: Option<Open>,
    null: bool,
    index: u64,
}

/// A source that is being read.
struct Open {
    source: Arc<Source>,
    reader: BufReader<Box<dyn Read + Send>>,
    number: u64,
}

/// There are no inputs: nothing is given, and standard input is a terminal.
#[derive(Debug)]
pub(crate) struct NoInput;

impl Inputs {
    /// Arguments; else the lines of `files`, of which `-` is standard input; else those of standard
    /// input. With `null`, a NUL ends an input instead of a line end.
    pub(crate) fn new(
        arguments: Vec<OsString>,
        files: Vec<PathBuf>,
        null: bool,
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
            null,
            index: 0,
        })
    }

    /// All arguments as one batch.
    fn arguments(&mut self) -> Batch {
        let mut batch = Batch::new(Arc::new(Source::Arguments), 1, 0);
        for argument in std::mem::take(&mut self.arguments) {
            let start = batch.data.len();
            batch.data.extend(argument.into_encoded_bytes());
            batch.ranges.push(start..batch.data.len());
        }
        self.index = batch.len();
        batch
    }

    /// The inputs that the next read of `open` brings; `None` at its end.
    fn read(&mut self, open: &mut Open) -> io::Result<Option<Batch>> {
        let mut batch = Batch::new(Arc::clone(&open.source), open.number, self.index);
        let end = if self.null { b'\0' } else { b'\n' };
        loop {
            let start = batch.data.len();
            match open.reader.read_until(end, &mut batch.data) {
                Ok(0) => break,
                Ok(_) => batch.ranges.push(start..self.trimmed(&batch.data, start)),
                // What was read before the error is given first; a second try reports the error.
                Err(_) if !batch.ranges.is_empty() => break,
                Err(error) => return Err(error),
            }
            // Enough; or the next input may be long in coming.
            if batch.data.len() >= READ || open.reader.buffer().is_empty() {
                break;
            }
        }
        open.number += batch.len();
        self.index += batch.len();
        Ok((!batch.ranges.is_empty()).then_some(batch))
    }

    /// Where the input ends that begins at `start` and that `data` ends with: before its NUL, LF or
    /// CRLF. Nothing else is trimmed.
    fn trimmed(&self, data: &[u8], start: usize) -> usize {
        let end = data.len();
        match data.get(start..) {
            Some([.., b'\0']) if self.null => end - 1,
            Some([.., b'\r', b'\n']) if !self.null => end - 2,
            Some([.., b'\n']) if !self.null => end - 1,
            _ => end,
        }
    }
}

impl Batch {
    const fn new(source: Arc<Source>, first_number: u64, first_index: u64) -> Self {
        Self {
            data: Vec::new(),
            ranges: Vec::new(),
            source,
            first_number,
            first_index,
        }
    }
}

impl Open {
    fn new(source: Source) -> Result<Self, (Arc<Source>, io::Error)> {
        let source = Arc::new(source);
        let reader: Box<dyn Read + Send> = match &*source {
            Source::File(path) => match File::open(path) {
                Ok(file) => Box::new(file),
                Err(error) => return Err((source, error)),
            },
            Source::Arguments | Source::Stdin => Box::new(io::stdin()),
        };
        Ok(Self {
            source,
            reader: BufReader::with_capacity(READ, reader),
            number: 1,
        })
    }
}

impl Iterator for Inputs {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if !self.arguments.is_empty() {
            return Some(Event::Batch(self.arguments()));
        }
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => match Open::new(self.sources.next()?) {
                    Ok(open) => open,
                    Err((source, error)) => return Some(Event::Unreadable(source, error)),
                },
            };
            match self.read(&mut open) {
                Ok(Some(batch)) => {
                    self.open = Some(open);
                    return Some(Event::Batch(batch));
                }
                Ok(None) => {}
                Err(error) => return Some(Event::Unreadable(open.source, error)),
            }
        }
    }
}
