//! Files that have files in them.

use super::collect::Found;
use super::notes;
use super::read::{Reader, Stop};
use super::results::Results;
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
        results: &mut Results<'_>,
        sink: &Sink<Found>,
    ) -> Result<Vec<String>, Stop> {
        let mut messages = Messages::default();
        let (mut binary, mut is_closed) = (0_usize, false);
        let mut each = |path: &str, event: Event<'_>| {
            match event {
                Event::Bytes(bytes) => results.will_read(bytes),
                Event::Reference(reference) => results.take(reference),
                Event::End(report) => {
                    results.end_entry(path);
                    for message in notes::of(&report) {
                        messages.push(path, &message, Exit::Good);
                    }
                }
                Event::Binary => binary += 1,
                Event::Failed(problem) => {
                    let (message, exit) = match problem {
                        Problem::Io(error) => (io_message(error), Exit::Io),
                        problem => (problem.to_string(), Exit::No),
                    };
                    messages.push(path, &message, exit);
                }
                _ => {}
            }
            is_closed = results.is_closed();
            if is_closed || results.is_enough() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
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
        if is_closed {
            return Err(Stop::Closed);
        }
        for (path, message, exit) in messages.kept {
            sink.put(Found::Message(self.reporter.about(&path, &message), exit));
        }
        let mut more = Vec::new();
        if messages.left_out > 0 {
            more.push(format!("messages left out: {}", messages.left_out));
        }
        if binary > 0 {
            more.push(format!("binary entries skipped: {binary}"));
        }
        Ok(more)
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
