//! Reads one file: detects its format, and finds its references or reads the entries in a
//! container.

use super::Settings;
use super::options::Reads;
use super::output::Output;
use super::results::{Allowance, FileName, Results};
use crate::exit::Exit;
use crate::report::io_message;
use crate::run::pool::Sink;
use crate::suggest::is_url;
use crate::walk::{Opened, Source};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::Metadata;
use std::io::{self, Cursor, Read};
use std::mem;
use std::ops::ControlFlow;
use urikit::op::Layer;
use urikit::{Standard, Value};
use urikit_extract::container::{Container, Event, Input, Problem};
use urikit_extract::document::{Exceeded, Extractor, Format, Report};

/// The maximum number of bytes in one read.
const READ: usize = 256 << 10;

/// Returns the length of the buffer for a file. Clearing a long buffer takes longer than reading a
/// small file.
fn buffer_length(file: &Opened) -> usize {
    let length = file
        .length()
        .map_or(u64::MAX, |length| length.saturating_add(1));
    usize::try_from(length).map_or(READ, |length| length.clamp(Format::GUESS_LENGTH, READ))
}

/// The reason why reading a file ended early.
enum Stop {
    Unreadable(io::Error),
    Binary,
    TooLong(String),
    /// The collector has stopped.
    Closed,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The message for a URL given in place of a file name.
const URL: &str = "this is a URL; extract reads files (uri fetch URL | uri extract --as html \
                   --base URL -)";

impl Settings {
    /// Reads a file and sends its references to `sink`.
    pub(super) fn read(&self, source: Source, sink: &Sink<Output>) {
        let (name, bytes) = (source.name(), source.name_bytes());
        let file = FileName {
            text: &name,
            bytes: &bytes,
        };
        let allowance = Allowance::default();
        let mut results = Results::new(self, file, &allowance, sink);
        let outcome = self.references(source, file, &mut results, sink);
        // References found before an error are valid results.
        let (mut chunk, mut messages, left_out) = results.finish();
        let exit = match outcome {
            Ok(more) => {
                messages = [more, messages].concat();
                Exit::Good
            }
            Err(Stop::Unreadable(error)) => {
                let is_missing = error.kind() == io::ErrorKind::NotFound;
                messages.push(if is_missing && is_url(&name) {
                    URL.to_owned()
                } else {
                    io_message(&error)
                });
                Exit::Io
            }
            Err(Stop::Binary) => {
                sink.put(Output::Binary(name.clone()));
                Exit::Good
            }
            Err(Stop::TooLong(message)) => {
                messages.push(message);
                Exit::Io
            }
            Err(Stop::Closed) => return,
        };
        let exit = exit.max(if left_out { Exit::Io } else { Exit::Good });
        if !messages.is_empty() {
            sink.put(Output::References(mem::take(&mut chunk)));
        }
        for message in messages {
            sink.put(Output::Message(self.reporter.about(&name, &message), exit));
        }
        // Most files are small, so the last references and the end of a file share one result.
        sink.put(Output::End(bytes, chunk));
    }

    /// Returns the extractor for a file. If an argument is a folder, the base of each file in it is
    /// --base joined with the file's path.
    fn extractor_for(&self, source: &Source) -> Cow<'_, Extractor> {
        let joined = || {
            let base = Standard::Rfc3987.parse(self.base.as_deref()?).ok()?;
            let mut joined = base.to_builder().remove_query().remove_fragment();
            for name in source.path_in_folder()? {
                joined = joined.push_segment(Value::encoded(name));
            }
            let joined = joined.build_any().ok()?;
            let extractor = self.extractor.clone();
            extractor.base(Layer::Retrieval, joined.as_str()).ok()
        };
        joined().map_or(Cow::Borrowed(&self.extractor), Cow::Owned)
    }

    /// Reads all references in a file. Returns messages about the file.
    fn references(
        &self,
        source: Source,
        name: FileName<'_>,
        results: &mut Results<'_>,
        sink: &Sink<Output>,
    ) -> Result<Vec<String>, Stop> {
        let extractor = self.extractor_for(&source);
        let mut file = source.open(self.output_file)?;
        // On a pipe, the next bytes may take a long time to arrive.
        let is_live = file.length().is_none();
        let mut buffer = vec![0; buffer_length(&file)];
        let first = read(&mut file, &mut buffer)?;
        // Most files are small, and system calls take most of the time for them. The buffer had
        // room for more than this file, so another read would return nothing.
        let is_complete = file.length() == u64::try_from(first).ok() && first < buffer.len();
        let (mut length, mut is_end) = if is_complete {
            (first, true)
        } else {
            fill(&mut file, &mut buffer, first)?
        };
        let seen = buffer.get(..length).unwrap_or_default();
        let reads = match self.format {
            Some(reads) => reads,
            None => match Container::guess(name.text, seen) {
                Some(container) => Reads::Container(container),
                None => Reads::Document(Format::guess(name.text, seen).ok_or(Stop::Binary)?),
            },
        };
        let format = match reads {
            Reads::Container(_) => {
                return self.unpacked(&extractor, reads, name, &mut file, seen, sink);
            }
            Reads::Document(Format::Mail) => {
                let messages = self.unpacked(&extractor, reads, name, &mut file, seen, sink)?;
                unchanged(&file)?;
                return Ok(messages);
            }
            Reads::Document(format) => format,
        };
        let mut extraction = extractor.begin(format);
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
            if is_end {
                break;
            }
            length = read(&mut file, &mut buffer)?;
            is_end = length == 0;
        }
        let report = extraction.finish(&mut |reference| results.take(&reference));
        // Even a single read may return a mixture if another process writes at the same time.
        unchanged(&file)?;
        Ok(notes(&report))
    }
}

/// Fails if the file was modified since it was opened. Pipes have no version.
fn unchanged(file: &Opened) -> io::Result<()> {
    let Opened::File(file, before) = file else {
        return Ok(());
    };
    let version = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
    if before.is_file() && version(before) != version(&file.metadata()?) {
        return Err(io::Error::other("the file changed while it was being read"));
    }
    Ok(())
}

/// Reads enough bytes to recognize the format, or the available bytes from standard input. `first`
/// is the number of bytes that the first read returned. Returns the total number of bytes read, and
/// true at the end of the file.
fn fill(file: &mut Opened, buffer: &mut [u8], first: usize) -> io::Result<(usize, bool)> {
    let (mut length, mut last) = (first, first);
    while last > 0 && length < Format::GUESS_LENGTH && !matches!(file, Opened::Stdin(_)) {
        last = read(file, buffer.get_mut(length..).unwrap_or_default())?;
        length += last;
    }
    Ok((length, last == 0))
}

/// Reads once, and retries if a signal interrupts the read.
fn read(file: &mut Opened, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

/// The maximum number of messages about the entries in one file.
const MAX_MESSAGES: usize = 100;

impl Settings {
    /// Reads the entries in a container, or a message with its attachments. `seen` is the beginning
    /// of the file, which has already been read.
    fn unpacked(
        &self,
        extractor: &Extractor,
        reads: Reads,
        source: FileName<'_>,
        file: &mut Opened,
        seen: &[u8],
        sink: &Sink<Output>,
    ) -> Result<Vec<String>, Stop> {
        let allowance = Allowance::default();
        let name = source.text;
        let entries = RefCell::new(Entries {
            settings: self,
            source,
            allowance: &allowance,
            sink,
            open: Vec::new(),
            messages: Messages::default(),
            binary: 0,
            end: None,
        });
        let mut each = |path: &str, event: Event<'_>| entries.borrow_mut().take(path, &event);
        let limits = self.limits;
        match (file, reads) {
            (Opened::File(file, metadata), Reads::Container(container)) if metadata.is_file() => {
                extractor.unpack(container, name, Input::File(file), limits, &mut each);
            }
            (file, reads) => {
                let is_live = file.length().is_none();
                let file = Live {
                    file,
                    before_reading: &|| {
                        if is_live {
                            entries.borrow_mut().pause();
                        }
                    },
                };
                let mut input = Cursor::new(seen).chain(file);
                match reads {
                    Reads::Container(container) => {
                        let input = Input::Stream(&mut input);
                        extractor.unpack(container, name, input, limits, &mut each);
                    }
                    Reads::Document(format) => {
                        extractor.read(format, name, &mut input, limits, &mut each);
                    }
                }
            }
        }
        let mut entries = entries.into_inner();
        entries.end_within("");
        if entries.end == Some(End::Closed) {
            return Err(Stop::Closed);
        }
        let Messages { kept, omitted } = entries.messages;
        for Message { path, text, exit } in kept {
            sink.put(Output::Message(self.reporter.about(&path, &text), exit));
        }
        let mut more = Vec::new();
        if omitted > 0 {
            more.push(format!("omitted messages: {omitted}"));
        }
        if entries.binary > 0 {
            more.push(format!("skipped binary entries: {}", entries.binary));
        }
        Ok(more)
    }
}

/// A file that calls a function before each read, because a read may block.
struct Live<'f> {
    file: &'f mut Opened,
    before_reading: &'f dyn Fn(),
}

impl Read for Live<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.before_reading)();
        self.file.read(buffer)
    }
}

/// The reason why reading the entries ended early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The collector has stopped.
    Closed,
    /// Only one reference in the file is needed.
    Enough,
}

/// The entries in a file, while they are being read.
struct Entries<'e> {
    settings: &'e Settings,
    source: FileName<'e>,
    /// The remaining output allowance of the file, which its entries share.
    allowance: &'e Allowance,
    sink: &'e Sink<Output>,
    /// The current entry, preceded by the entries that contain it.
    open: Vec<Results<'e>>,
    messages: Messages,
    binary: usize,
    end: Option<End>,
}

impl<'e> Entries<'e> {
    /// Handles an event for the entry at `path`.
    fn take(&mut self, path: &str, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Bytes(bytes) => {
                if let Some(results) = self.results(path) {
                    results.will_read(bytes);
                }
            }
            Event::Reference(reference) => {
                if let Some(results) = self.results(path) {
                    results.take(reference);
                }
            }
            Event::End(report) => {
                for message in notes(report) {
                    self.messages.push(path, &message, Exit::Good);
                }
                self.end_within(path);
            }
            Event::Binary => self.binary += 1,
            Event::Failed(problem) => {
                let (message, exit) = match problem {
                    Problem::Io(error) => (io_message(error), Exit::Io),
                    Problem::Incomplete(what) => (what.clone(), Exit::Good),
                    other => (other.to_string(), Exit::Io),
                };
                self.messages.push(path, &message, exit);
            }
            _ => {}
        }
        if let Some(results) = self.open.last_mut() {
            results.pause(false);
            if results.is_closed() {
                self.end = Some(End::Closed);
            } else if results.is_enough() {
                self.end = Some(End::Enough);
            }
        }
        match self.end {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Before a read that may block, sends the references found so far to the collector.
    fn pause(&mut self) {
        if let Some(results) = self.open.last_mut() {
            results.pause(true);
        }
    }

    /// Makes the entry at this path the current one, and returns its results.
    fn results(&mut self, path: &str) -> Option<&mut Results<'e>> {
        let is_around = |results: &Results<'_>| {
            let inner = path.strip_prefix(results.name());
            inner.is_some_and(|inner| inner.is_empty() || inner.starts_with("!/"))
        };
        while self.open.last().is_some_and(|results| !is_around(results)) {
            self.end_last();
        }
        let is_open = |results: &Results<'_>| results.name() == path;
        if !self.open.last().is_some_and(is_open) {
            // Send the outer entry's results first, to keep the order of the file.
            self.pause();
            let (settings, source, sink) = (self.settings, self.source, self.sink);
            let allowance = self.allowance;
            let results = Results::of_entry(settings, source, path.to_owned(), allowance, sink);
            self.open.push(results);
        }
        self.open.last_mut()
    }

    /// Ends the entry at this path, and all entries in it.
    fn end_within(&mut self, path: &str) {
        while self
            .open
            .last()
            .is_some_and(|results| results.name().starts_with(path))
        {
            self.end_last();
        }
    }

    /// Ends the current entry.
    fn end_last(&mut self) {
        if let Some(results) = self.open.pop() {
            let path = results.name().to_owned();
            let (chunk, messages, left_out) = results.finish();
            self.sink.put(Output::References(chunk));
            let exit = if left_out { Exit::Io } else { Exit::Good };
            for message in messages {
                self.messages.push(&path, &message, exit);
            }
        }
    }
}

/// Messages about entries.
#[derive(Default)]
struct Messages {
    kept: Vec<Message>,
    /// The number of omitted messages.
    omitted: usize,
}

/// A message about an entry.
struct Message {
    path: String,
    text: String,
    exit: Exit,
}

impl Messages {
    /// Keeps a message. After the first `MAX_MESSAGES` messages, keeps only the highest exit
    /// status.
    fn push(&mut self, path: &str, text: &str, exit: Exit) {
        if self.kept.len() < MAX_MESSAGES {
            let (path, text) = (path.to_owned(), text.to_owned());
            self.kept.push(Message { path, text, exit });
            return;
        }
        self.omitted += 1;
        if let Some(last) = self.kept.last_mut() {
            last.exit = last.exit.max(exit);
        }
    }
}

/// Returns messages about a document that could not be read completely.
fn notes(report: &Report) -> Vec<String> {
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
        let what = "header fields with too many parameters";
        messages.push(format!("{what}: {}", report.cut_fields));
    }
    if let Some(offset) = report.malformed_from {
        messages.push(format!(
            "not well-formed after byte {offset}: the rest was read as text"
        ));
    }
    messages.extend(limits(report.exceeded));
    if let Some(offset) = report.exceeded.definitions_until {
        let what = "definitions used too often: further uses are ignored";
        messages.push(format!("{what} from byte {offset} on"));
    }
    messages
}

/// Returns a message for each limit that was exceeded.
fn limits(exceeded: Exceeded) -> impl Iterator<Item = String> {
    let counts = [
        (
            exceeded.long_bases,
            "base URIs longer than 8 KiB, ignored together with the references relative to them",
        ),
        (
            exceeded.late_bases,
            "base URIs after the first mebibyte, which do not apply to earlier references",
        ),
        (exceeded.long_tags, "tags longer than 16 MiB, read as text"),
        (
            exceeded.late_definitions,
            "definitions more than 1 MiB after their first use, which do not apply to it",
        ),
        (
            exceeded.deep_parts,
            "parts nested more than 32 levels deep, read as text",
        ),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("{what}: {count}"))
}
