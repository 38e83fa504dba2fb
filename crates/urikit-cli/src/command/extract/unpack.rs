//! Files that have files in them.

use super::collect::Found;
use super::notes;
use super::read::{Reader, Stop};
use super::results::{Results, Wanted};
use super::sources::Opened;
use crate::exit::Exit;
use crate::report::io_message;
use crate::run::pool::Sink;
use std::fs::File;
use std::io::{Cursor, Read as _};
use std::ops::ControlFlow;
use urikit_extract::container::{Container, Event, Input, Problem};

/// How many messages about the entries of one file are printed.
const MAX_MESSAGES: usize = 100;

impl Reader {
    /// Reads the entries of a container, of whose file the beginning was read.
    pub(super) fn unpacked(
        &self,
        container: Container,
        name: &str,
        file: Opened,
        seen: &[u8],
        sink: &Sink<Found>,
    ) -> Result<Vec<String>, Stop> {
        let mut entries = Entries {
            wanted: &self.wanted,
            source: name,
            sink,
            current: None,
            messages: Messages::default(),
            binary: 0,
            end: None,
        };
        let mut each = |path: &str, event: Event<'_>| entries.take(path, &event);
        let is_regular = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
        let (extractor, limits) = (&self.extractor, self.limits);
        match file {
            Opened::File(mut file) if is_regular(&file) => {
                extractor.unpack(container, name, Input::File(&mut file), limits, &mut each);
            }
            mut file => {
                let mut input = Cursor::new(seen).chain(&mut file);
                extractor.unpack(
                    container,
                    name,
                    Input::Stream(&mut input),
                    limits,
                    &mut each,
                );
            }
        }
        entries.end_entry();
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

/// Why reading ends early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// No more results are wanted.
    Closed,
    /// One reference of the file is enough.
    Enough,
}

/// The entries of a file, one after another.
struct Entries<'e> {
    wanted: &'e Wanted,
    source: &'e str,
    sink: &'e Sink<Found>,
    current: Option<Results<'e>>,
    messages: Messages,
    binary: usize,
    end: Option<End>,
}

impl<'e> Entries<'e> {
    fn take(&mut self, path: &str, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Bytes(bytes) => self.results(path).will_read(bytes),
            Event::Reference(reference) => self.results(path).take(reference),
            Event::End(report) => {
                for message in notes::of(report) {
                    self.messages.push(path, &message, Exit::Good);
                }
                self.end_entry();
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
        if let Some(results) = &mut self.current {
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

    /// The results of the entry at this path.
    fn results(&mut self, path: &str) -> &mut Results<'e> {
        if self
            .current
            .as_ref()
            .is_some_and(|results| results.name() != path)
        {
            self.end_entry();
        }
        let (wanted, source, sink) = (self.wanted, self.source, self.sink);
        self.current
            .get_or_insert_with(|| Results::of_entry(wanted, source, path.to_owned(), sink))
    }

    fn end_entry(&mut self) {
        if let Some(results) = self.current.take() {
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
