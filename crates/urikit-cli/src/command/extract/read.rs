//! One file: opened, recognized, and read to its end.

use super::choice::Reads;
use super::collect::Found;
use super::notes;
use super::results::{Results, Wanted};
use super::sources::{Opened, Source};
use crate::exit::Exit;
use crate::report::{Reporter, io_message};
use crate::run::pool::Sink;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::time::SystemTime;
use urikit_extract::container::{Container, Limits};
use urikit_extract::document::{Extractor, Format};

/// The most that one read returns, in bytes.
const READ: usize = 256 << 10;

/// How files are read.
pub(super) struct Reader {
    pub(super) extractor: Extractor,
    /// `None` if each file's name and content decide.
    pub(super) format: Option<Reads>,
    pub(super) limits: Limits,
    pub(super) wanted: Wanted,
    pub(super) reporter: Reporter,
}

/// Why reading a file ended early.
pub(super) enum Stop {
    Unreadable(io::Error),
    Binary,
    TooLong(String),
    /// No more results are wanted.
    Closed,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Reader {
    /// Reads a file, and sends what is found to `sink`.
    pub(super) fn read(&self, source: Source, sink: &Sink<Found>) {
        let name = source.name();
        let mut results = Results::new(&self.wanted, &name, sink);
        let outcome = self.references(source, &name, &mut results, sink);
        // References found before an error are valid results.
        let (mut messages, left_out) = results.finish();
        let exit = match outcome {
            Ok(more) => {
                messages = [more, messages].concat();
                Exit::Good
            }
            Err(Stop::Unreadable(error)) => {
                messages.push(io_message(&error));
                Exit::Io
            }
            Err(Stop::Binary) => {
                sink.put(Found::Binary(name.clone()));
                Exit::Good
            }
            Err(Stop::TooLong(message)) => {
                messages.push(message);
                Exit::No
            }
            Err(Stop::Closed) => return,
        };
        let exit = exit.max(if left_out { Exit::No } else { Exit::Good });
        for message in messages {
            sink.put(Found::Message(self.reporter.about(&name, &message), exit));
        }
        sink.put(Found::End(name));
    }

    /// Reads all references of a file. Returns messages about it.
    fn references(
        &self,
        source: Source,
        name: &str,
        results: &mut Results<'_>,
        sink: &Sink<Found>,
    ) -> Result<Vec<String>, Stop> {
        let mut file = source.open()?;
        let before = state(&file)?;
        // Of a pipe, the next bytes may come much later.
        let is_live = before.is_none();
        let mut buffer = vec![0; READ];
        let mut length = fill(&mut file, &mut buffer)?;
        let seen = buffer.get(..length).unwrap_or_default();
        let reads = match self.format {
            Some(reads) => reads,
            None => match Container::guess(name, seen) {
                Some(container) => Reads::Container(container),
                None => Reads::Document(Format::guess(name, seen).ok_or(Stop::Binary)?),
            },
        };
        let format = match reads {
            Reads::Container(_) => return self.unpacked(reads, name, &mut file, seen, sink),
            Reads::Document(Format::Mail) => {
                let messages = self.unpacked(reads, name, &mut file, seen, sink)?;
                unchanged(before, &file)?;
                return Ok(messages);
            }
            Reads::Document(format) => format,
        };
        let mut extraction = self.extractor.begin(format);
        while length > 0 {
            let piece = buffer.get(..length).unwrap_or_default();
            results.will_read(piece);
            extraction
                .push(piece, &mut |reference| results.take(&reference))
                .map_err(|error| Stop::TooLong(error.to_string()))?;
            results.pause(is_live);
            if results.is_closed() {
                return Err(Stop::Closed);
            }
            if results.is_enough() {
                return Ok(Vec::new());
            }
            length = read(&mut file, &mut buffer)?;
        }
        let report = extraction.finish(&mut |reference| results.take(&reference));
        unchanged(before, &file)?;
        Ok(notes::of(&report))
    }
}

/// The attributes of a file that change when it is modified.
type State = (u64, Option<SystemTime>);

fn unchanged(before: Option<State>, file: &Opened) -> Result<(), Stop> {
    if before == state(file)? {
        return Ok(());
    }
    let error = io::Error::other("the file changed while it was read");
    Err(Stop::Unreadable(error))
}

/// `None` for standard input and pipes.
fn state(file: &Opened) -> io::Result<Option<State>> {
    let state = |metadata: Metadata| (metadata.len(), metadata.modified().ok());
    match file {
        Opened::Stdin => Ok(None),
        Opened::File(file) => {
            let metadata = file.metadata()?;
            Ok(metadata.is_file().then(|| state(metadata)))
        }
    }
}

/// Reads enough to recognize the format; of standard input, what is available.
fn fill(file: &mut Opened, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let read = read(file, buffer.get_mut(length..).unwrap_or_default())?;
        length += read;
        if read == 0 || length >= Format::GUESS_LENGTH || matches!(file, Opened::Stdin) {
            return Ok(length);
        }
    }
}

fn read(file: &mut Opened, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
