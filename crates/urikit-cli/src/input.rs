//! Where references come from: arguments, the lines of files, or those of standard input.
//!
//! Input is bytes and streams: a [`Batch`] holds the inputs that one read brought, and always at
//! least one whole input, however long it is. So memory stays constant apart from that input, and
//! nothing that has arrived waits for what has not. Who reads only counts the inputs; who works on a
//! batch takes it apart.

mod batch;
mod given;

pub(crate) use batch::Batch;
pub(crate) use given::Given;

use memchr::memrchr;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
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
    /// The same, if it is UTF-8: whoever puts something else in the place of one puts it in that of both.
    pub(crate) text: Option<&'a str>,
    /// Where it stands.
    pub(crate) source: &'a Source,
    /// Its line, or which argument it is; from 1.
    pub(crate) number: u64,
    /// How many inputs came before it, from all sources.
    pub(crate) index: u64,
}

impl<'a> Input<'a> {
    /// The reference, with U+FFFD for what is no UTF-8.
    pub(crate) fn to_text(self) -> Cow<'a, str> {
        self.text
            .map_or_else(|| String::from_utf8_lossy(self.bytes), Cow::Borrowed)
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
    /// What ends an input.
    end: u8,
    index: u64,
    at_hand: usize,
}

/// A source that is being read.
struct Open {
    source: Arc<Source>,
    reader: Box<dyn Read + Send>,
    number: u64,
    /// The beginning of an input whose end has not come yet.
    begun: Vec<u8>,
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
            end: if null { b'\0' } else { b'\n' },
            index: 0,
            at_hand: 0,
        })
    }

    /// How many bytes have come without being waited for: those of files, and of standard input since it last had less
    /// than could be taken.
    pub(crate) const fn at_hand(&self) -> usize {
        self.at_hand
    }

    /// What comes next, in memory that is used again; `None` at the end of all sources.
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
                None => match Open::new(self.sources.next()?) {
                    Ok(open) => open,
                    Err((source, error)) => return Some(Event::Unreadable(source, error)),
                },
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

    /// Reads on until an input has ended, and gives all that have; `false` at the end of the source. What was
    /// begun before an error is lost.
    fn read(&mut self, open: &mut Open, data: &mut Vec<u8>) -> io::Result<bool> {
        data.clear();
        data.append(&mut open.begun);
        loop {
            let start = data.len();
            data.resize(start + READ, 0);
            let read = open.read(data.get_mut(start..).unwrap_or_default())?;
            data.truncate(start + read);
            if read == 0 {
                return Ok(false);
            }
            let waited = *open.source == Source::Stdin && read < READ / 2;
            self.at_hand = if waited { 0 } else { self.at_hand + read };
            let ended = memrchr(self.end, data.get(start..).unwrap_or_default());
            if let Some(at) = ended {
                let behind = start + at + 1;
                open.begun
                    .extend_from_slice(data.get(behind..).unwrap_or_default());
                data.truncate(behind);
                return Ok(true);
            }
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
            reader,
            number: 1,
            begun: Vec::new(),
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
