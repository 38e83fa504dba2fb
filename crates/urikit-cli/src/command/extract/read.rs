//! One file: opened, told what it is, and read to its end.

use super::Kinds;
use super::ordered::Sink;
use super::output::{Chunk, Found, Hashes};
use super::print::Printer;
use super::sources::{Opened, Source};
use crate::exit::Exit;
use crate::report::Reporter;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::time::SystemTime;
use urikit_extract::document::{Extraction, Extractor, Format, Reference, SEEN};

/// How much is read at a time.
const READ: usize = 256 << 10;

/// When so much is written, it is handed on.
const FULL: usize = 64 << 10;

/// How files are read.
pub(super) struct Reader {
    pub(super) extractor: Extractor,
    /// `None` where each file tells.
    pub(super) format: Option<Format>,
    pub(super) kinds: Vec<Kinds>,
    pub(super) schemes: Vec<String>,
    pub(super) unique: bool,
    pub(super) reporter: Reporter,
    pub(super) printer: Printer,
}

/// Why a file is not read to its end.
enum Stop {
    Unreadable(io::Error),
    Binary,
    TooLong(String),
    /// Nobody wants more.
    Closed,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Reader {
    /// Reads a file, and puts what is found.
    pub(super) fn read(&self, source: Source, sink: &Sink<Found>) {
        let name = source.name();
        let mut chunk = Chunk::default();
        let outcome = self.references(source, &name, &mut chunk, sink);
        // What was found before it stopped is good.
        sink.put(Found::References(chunk));
        let (message, exit) = match outcome {
            Ok(None) => (None, Exit::Good),
            Ok(Some(message)) => (Some(message), Exit::Good),
            Err(Stop::Unreadable(error)) => (Some(crate::report::io_message(&error)), Exit::Io),
            Err(Stop::Binary) => (
                Some("binary, and not read (--as says what it is)".to_owned()),
                Exit::Good,
            ),
            Err(Stop::TooLong(message)) => (Some(message), Exit::No),
            Err(Stop::Closed) => return,
        };
        if let Some(message) = message {
            sink.put(Found::Message(self.reporter.about(&name, &message), exit));
        }
        sink.put(Found::End(name));
    }

    /// Reads all references of a file; gives what there is to say about it.
    fn references(
        &self,
        source: Source,
        name: &str,
        chunk: &mut Chunk,
        sink: &Sink<Found>,
    ) -> Result<Option<String>, Stop> {
        let mut file = source.open()?;
        let before = state(&file)?;
        let mut buffer = vec![0; READ];
        let mut length = fill(&mut file, &mut buffer)?;
        let seen = buffer.get(..length).unwrap_or_default();
        let format = match self.format {
            Some(format) => format,
            None => Format::guess(name, seen).ok_or(Stop::Binary)?,
        };
        let mut extraction = self.extractor.begin(format);
        while length > 0 {
            let piece = buffer.get(..length).unwrap_or_default();
            self.push(&mut extraction, piece, name, chunk)?;
            if chunk.len() >= FULL && !sink.put(Found::References(std::mem::take(chunk))) {
                return Err(Stop::Closed);
            }
            length = read(&mut file, &mut buffer)?;
        }
        let report = extraction.finish(&mut |reference| self.found(&reference, name, chunk));
        if before != state(&file)? {
            let error = io::Error::other("changed while it was read");
            return Err(Stop::Unreadable(error));
        }
        Ok(match report.invalid_bytes {
            0 => None,
            1 => Some("1 byte is no UTF-8 and was passed over".to_owned()),
            many => Some(format!("{many} bytes are no UTF-8 and were passed over")),
        })
    }

    fn push(
        &self,
        extraction: &mut Extraction<'_>,
        piece: &[u8],
        name: &str,
        chunk: &mut Chunk,
    ) -> Result<(), Stop> {
        extraction
            .push(piece, &mut |reference| self.found(&reference, name, chunk))
            .map_err(|error| Stop::TooLong(error.to_string()))
    }

    /// Takes a reference, if it is one of those that are asked for.
    fn found(&self, reference: &Reference<'_>, name: &str, chunk: &mut Chunk) {
        if !self.kinds.iter().any(|kinds| kinds.has(reference.kind())) {
            return;
        }
        let target = reference.target();
        let uri = target.as_deref().unwrap_or(reference.uri());
        if !self.schemes.is_empty() {
            let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
            if !self
                .schemes
                .iter()
                .any(|name| name.eq_ignore_ascii_case(scheme))
            {
                return;
            }
        }
        let hash = self.unique.then(|| Hashes::hash(uri));
        self.printer
            .print(reference, target.as_deref(), name, &mut chunk.out);
        chunk.end(hash);
    }
}

/// What of a file changes with its content; nothing for standard input.
fn state(file: &Opened) -> io::Result<Option<(u64, Option<SystemTime>)>> {
    let state = |metadata: Metadata| (metadata.len(), metadata.modified().ok());
    match file {
        Opened::Stdin => Ok(None),
        Opened::File(file) => file.metadata().map(state).map(Some),
    }
}

/// Reads what is enough to tell what a file is: of standard input, what is there.
fn fill(file: &mut Opened, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let read = read(file, buffer.get_mut(length..).unwrap_or_default())?;
        length += read;
        if read == 0 || length >= SEEN || matches!(file, Opened::Stdin) {
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
