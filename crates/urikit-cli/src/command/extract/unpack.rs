//! Files that have files in them: containers, and mail.

use super::choice::Reads;
use super::collect::Found;
use super::notes;
use super::read::{Reader, Stop};
use super::results::{Results, Wanted};
use super::sources::Opened;
use crate::exit::Exit;
use crate::report::io_message;
use crate::run::pool::Sink;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use urikit_extract::container::{Event, Input, Problem};

/// How many messages about the entries of one file are printed.
const MAX_MESSAGES: usize = 100;

impl Reader {
    /// Reads the entries of a container, or a document and those of what is attached to it, of
    /// whose file the beginning was read.
    pub(super) fn unpacked(
        &self,
        reads: Reads,
        name: &str,
        file: &mut Opened,
        seen: &[u8],
        sink: &Sink<Found>,
    ) -> Result<Vec<String>, Stop> {
        let entries = RefCell::new(Entries {
            wanted: &self.wanted,
            source: name,
            sink,
            open: Vec::new(),
            messages: Messages::default(),
            binary: 0,
            end: None,
        });
        let mut each = |path: &str, event: Event<'_>| entries.borrow_mut().take(path, &event);
        let is_regular = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
        let (extractor, limits) = (&self.extractor, self.limits);
        match (file, reads) {
            (Opened::File(file), Reads::Container(container)) if is_regular(file) => {
                extractor.unpack(container, name, Input::File(file), limits, &mut each);
            }
            (file, reads) => {
                let is_live = !matches!(&file, Opened::File(file) if is_regular(file));
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
        let Messages { kept, left_out } = entries.messages;
        for (path, message, exit) in kept {
            sink.put(Found::Message(self.reporter.about(&path, &message), exit));
        }
        let mut more = Vec::new();
        if left_out > 0 {
            more.push(format!("messages left out: {left_out}"));
        }
        if entries.binary > 0 {
            more.push(format!("binary entries skipped: {}", entries.binary));
        }
        Ok(more)
    }
}

/// A file, of which the next bytes may come much later.
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

/// Why reading ends early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// No more results are wanted.
    Closed,
    /// One reference of the file is enough.
    Enough,
}

/// The entries of a file.
struct Entries<'e> {
    wanted: &'e Wanted,
    source: &'e str,
    sink: &'e Sink<Found>,
    /// The current entry, after those that it is attached to, which continue later.
    open: Vec<Results<'e>>,
    messages: Messages,
    binary: usize,
    end: Option<End>,
}

impl<'e> Entries<'e> {
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
                for message in notes::of(report) {
                    self.messages.push(path, &message, Exit::Good);
                }
                self.end_within(path);
            }
            Event::Binary => self.binary += 1,
            Event::Failed(problem) => {
                let (message, exit) = match problem {
                    Problem::Io(error) => (io_message(error), Exit::Io),
                    problem => (problem.to_string(), Exit::No),
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

    /// Passes on what was found, before more is read.
    fn pause(&mut self) {
        if let Some(results) = self.open.last_mut() {
            results.pause(true);
        }
    }

    /// The results of the entry at this path.
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
            // Its results come after those that were found around it.
            self.pause();
            let (wanted, source, sink) = (self.wanted, self.source, self.sink);
            let results = Results::of_entry(wanted, source, path.to_owned(), sink);
            self.open.push(results);
        }
        self.open.last_mut()
    }

    /// Ends the entry at this path, and what is in it.
    fn end_within(&mut self, path: &str) {
        while self
            .open
            .last()
            .is_some_and(|results| results.name().starts_with(path))
        {
            self.end_last();
        }
    }

    fn end_last(&mut self) {
        if let Some(results) = self.open.pop() {
            let path = results.name().to_owned();
            let (messages, left_out) = results.finish();
            let exit = if left_out { Exit::No } else { Exit::Good };
            for message in messages {
                self.messages.push(&path, &message, exit);
            }
        }
    }
}

/// Messages about entries, and how many were too many.
#[derive(Default)]
struct Messages {
    kept: Vec<(String, String, Exit)>,
    left_out: usize,
}

impl Messages {
    /// Keeps a message, or at least the worst exit status.
    fn push(&mut self, path: &str, message: &str, exit: Exit) {
        if self.kept.len() < MAX_MESSAGES {
            self.kept.push((path.to_owned(), message.to_owned(), exit));
            return;
        }
        self.left_out += 1;
        if let Some((_, _, last)) = self.kept.last_mut() {
            *last = (*last).max(exit);
        }
    }
}
