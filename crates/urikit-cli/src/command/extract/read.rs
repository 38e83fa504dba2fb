//! One file: opened, recognized, and read to its end.

use super::choice::Kinds;
use super::collect::{Chunk, Found, Hashes};
use super::print::Printer;
use super::sources::{Opened, Source};
use crate::exit::Exit;
use crate::filter::{Filters, Verdict};
use crate::report::{Reporter, io_message};
use crate::run::pool::Sink;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::time::SystemTime;
use urikit_extract::Kind;
use urikit_extract::document::{Extractor, Format, Reference};

/// The most that one read returns, in bytes.
const READ: usize = 256 << 10;

/// A chunk of this many bytes is passed on.
const FULL: usize = 64 << 10;

/// How files are read.
pub(super) struct Reader {
    pub(super) extractor: Extractor,
    /// `None` if each file's name and content decide.
    pub(super) format: Option<Format>,
    pub(super) kinds: Vec<Kinds>,
    pub(super) schemes: Vec<String>,
    pub(super) filters: Option<Filters>,
    pub(super) unique: bool,
    pub(super) reporter: Reporter,
    pub(super) printer: Printer,
}

/// Whether a link in markup is a valid reference. Links that are not printed count as valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Valid {
    Yes,
    /// It is not, but what it was repaired to is.
    Repaired,
    No,
}

/// How many links in markup are not valid.
#[derive(Clone, Copy, Default)]
struct Invalid {
    repaired: usize,
    broken: usize,
}

impl Invalid {
    fn count(&mut self, valid: Valid) {
        self.repaired += usize::from(valid == Valid::Repaired);
        self.broken += usize::from(valid == Valid::No);
    }

    fn messages(self) -> impl Iterator<Item = String> {
        let counts = [
            (self.repaired, "and repaired"),
            (self.broken, "and printed as written"),
        ];
        counts.into_iter().filter_map(|(count, what)| match count {
            0 => None,
            1 => Some(format!("1 reference is invalid, {what}")),
            many => Some(format!("{many} references are invalid, {what}")),
        })
    }
}

/// Why reading a file ended early.
enum Stop {
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
        let mut chunk = Chunk::default();
        let outcome = self.references(source, &name, &mut chunk, sink);
        // References found before an error are valid results.
        sink.put(Found::References(chunk));
        let (messages, exit) = match outcome {
            Ok(messages) => (messages, Exit::Good),
            Err(Stop::Unreadable(error)) => (vec![io_message(&error)], Exit::Io),
            Err(Stop::Binary) => (
                vec!["skipped, because it is binary (--as sets the format)".to_owned()],
                Exit::Good,
            ),
            Err(Stop::TooLong(message)) => (vec![message], Exit::No),
            Err(Stop::Closed) => return,
        };
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
        chunk: &mut Chunk,
        sink: &Sink<Found>,
    ) -> Result<Vec<String>, Stop> {
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
        let mut invalid = Invalid::default();
        while length > 0 {
            let piece = buffer.get(..length).unwrap_or_default();
            extraction
                .push(piece, &mut |reference| {
                    invalid.count(self.found(&reference, name, chunk));
                })
                .map_err(|error| Stop::TooLong(error.to_string()))?;
            if chunk.len() >= FULL && !sink.put(Found::References(std::mem::take(chunk))) {
                return Err(Stop::Closed);
            }
            length = read(&mut file, &mut buffer)?;
        }
        let report = extraction.finish(&mut |reference| {
            invalid.count(self.found(&reference, name, chunk));
        });
        if before != state(&file)? {
            let error = io::Error::other("the file changed while it was read");
            return Err(Stop::Unreadable(error));
        }
        let charset = report.charset.unwrap_or("UTF-8");
        let mut messages = Vec::new();
        match report.invalid_bytes {
            0 => {}
            1 => messages.push(format!("1 byte is not valid {charset}, and was skipped")),
            many => messages.push(format!(
                "{many} bytes are not valid {charset}, and were skipped"
            )),
        }
        if report.cut_fields > 0 {
            let what = "header fields with more parameters than are read";
            messages.push(format!("{what}: {}", report.cut_fields));
        }
        messages.extend(invalid.messages());
        Ok(messages)
    }

    /// Adds a reference to `chunk` if it was requested. Returns whether it is valid.
    fn found(&self, reference: &Reference<'_>, name: &str, chunk: &mut Chunk) -> Valid {
        if !self
            .kinds
            .iter()
            .any(|kinds| kinds.contains(reference.kind()))
        {
            return Valid::Yes;
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
                return Valid::Yes;
            }
        }
        let is_wanted = |filters: Filters| filters.verdict(uri.into()) == Verdict::Wanted;
        if !self.filters.is_none_or(is_wanted) {
            return Valid::Yes;
        }
        let hash = self.unique.then(|| Hashes::hash(uri));
        self.printer
            .print(reference, target.as_deref(), name, &mut chunk.out);
        chunk.end(hash);
        // Other kinds are found by their syntax.
        if reference.kind() != Kind::Link || reference.reference().is_ok() {
            Valid::Yes
        } else if target.is_some() {
            Valid::Repaired
        } else {
            Valid::No
        }
    }
}

/// The attributes that change when a file is modified; `None` for standard input.
fn state(file: &Opened) -> io::Result<Option<(u64, Option<SystemTime>)>> {
    let state = |metadata: Metadata| (metadata.len(), metadata.modified().ok());
    match file {
        Opened::Stdin => Ok(None),
        Opened::File(file) => file.metadata().map(state).map(Some),
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
