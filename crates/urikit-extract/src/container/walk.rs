//! From an entry of a container to its references, or to its own entries.

use super::event::{Event, Problem};
use super::input::{Peeked, in_memory};
use super::kind::Container;
use super::limits::Budget;
use crate::document::{Extractor, Format, Reference, TooLong};
use crate::reader::Unpacks;
use core::cell::{Cell, RefCell};
use core::ops::ControlFlow;
use std::io::{self, Read};
use urikit::op::Layer;

/// How much of an entry is read at once, in bytes.
const PIECE: usize = 64 << 10;

/// The closure that is called with the path of an entry, and what happened. It may end the reading.
pub(super) type Each<'e> = dyn FnMut(&str, Event<'_>) -> ControlFlow<()> + 'e;

/// Whether the reading ends: a limit of the whole file was exceeded, or the caller wants no more.
pub(super) type Flow = ControlFlow<()>;

/// Reads the entries of a container at a path, with its name.
pub(super) type Opens = fn(&mut Walk<'_>, Container, &str, &str, &mut dyn Read) -> Flow;

/// The reading of one file, at all levels.
pub(super) struct Walk<'w> {
    pub(super) extractor: &'w Extractor,
    pub(super) budget: &'w Budget,
    pub(super) each: &'w mut Each<'w>,
    pub(super) opens: Opens,
    /// How many containers are around the current entry.
    pub(super) depth: usize,
}

impl Walk<'_> {
    /// The entries of a container at a path, whose own name is the last part of it.
    pub(super) fn container(
        &mut self,
        container: Container,
        path: &str,
        name: &str,
        input: &mut dyn Read,
    ) -> Flow {
        if let Err(limit) = self.budget.depth(self.depth + 1) {
            return self.failed(path, &limit.into());
        }
        self.depth += 1;
        let flow = (self.opens)(self, container, path, name, input);
        self.depth -= 1;
        flow
    }

    #[allow(dead_code)] // without the features that need it
    pub(super) fn in_memory(&mut self, path: &str, input: &mut dyn Read) -> Result<Vec<u8>, Flow> {
        let limit = self.extractor.max_length();
        match in_memory(input, limit) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(self.failed(path, &Problem::TooLong(TooLong { limit }))),
            Err(error) => Err(self.failed(path, &error.into())),
        }
    }

    /// Reports why an entry was not read, or not to its end.
    pub(super) fn failed(&mut self, path: &str, problem: &Problem) -> Flow {
        // Libraries wrap the error that told them to stop.
        let exceeded = self.budget.exceeded();
        match exceeded {
            Some(limit) => {
                let _ = (self.each)(path, Event::Failed(&Problem::Limit(limit)));
                ControlFlow::Break(())
            }
            None => (self.each)(path, Event::Failed(problem)),
        }
    }

    /// An entry of a container.
    pub(super) fn entry(&mut self, entry: Entry<'_>, input: &mut dyn Read) -> Flow {
        if let Err(limit) = self.budget.entry() {
            return self.failed(entry.path, &limit.into());
        }
        let mut input = Peeked::new(input, Format::GUESS_LENGTH);
        if let Some(container) = Container::guess(entry.name, input.head()) {
            return self.container(container, entry.path, entry.name, &mut input);
        }
        let format = entry.format;
        match format.or_else(|| Format::guess(entry.name, input.head())) {
            Some(format) => self.document(&entry, format, &mut input),
            None => match input.take_error() {
                Some(error) => self.failed(entry.path, &error.into()),
                None => (self.each)(entry.path, Event::Binary),
            },
        }
    }

    /// A document, and the entries of what is attached to it.
    pub(super) fn document(
        &mut self,
        entry: &Entry<'_>,
        format: Format,
        input: &mut dyn Read,
    ) -> Flow {
        let with_base = entry.base.and_then(|base| {
            let extractor = self.extractor.clone();
            extractor.base(Layer::Retrieval, base).ok()
        });
        let extractor = with_base.as_ref().unwrap_or(self.extractor);
        let document = Document {
            extractor: self.extractor,
            budget: self.budget,
            each: RefCell::new(&mut *self.each),
            opens: self.opens,
            depth: self.depth,
            path: entry.path,
            attached: Cell::new(0),
            flow: Cell::new(ControlFlow::Continue(())),
        };
        let mut extraction = extractor.begin_with(format, Some(&document));
        let mut buffer = vec![0; PIECE];
        let problem = loop {
            let length = match input.read(&mut buffer) {
                Ok(0) => break None,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Some(Problem::Io(error)),
            };
            let piece = buffer.get(..length).unwrap_or_default();
            document.take(Event::Bytes(piece));
            let pushed = extraction.push(piece, &mut |reference| document.found(reference));
            if let Err(error) = pushed {
                break Some(Problem::TooLong(error));
            }
            document.flow.get()?;
        };
        // What was read before an error counts.
        let report = extraction.finish(&mut |reference| document.found(reference));
        document.flow.get()?;
        match problem {
            Some(problem) => self.failed(entry.path, &problem),
            None => (self.each)(entry.path, Event::End(report)),
        }
    }

    /// References that no text has, and that are reported by a closure which calls another with
    /// each: those of PDF.
    #[cfg(feature = "pdf")]
    pub(super) fn link(&mut self, path: &str, uri: &str) -> Flow {
        let mut flow = ControlFlow::Continue(());
        let each = &mut *self.each;
        self.extractor.link(uri, &mut |reference| {
            flow = each(path, Event::Reference(&within(reference, path)));
        });
        flow
    }
}

/// A document that is being read.
struct Document<'d> {
    extractor: &'d Extractor,
    budget: &'d Budget,
    each: RefCell<&'d mut Each<'d>>,
    opens: Opens,
    depth: usize,
    path: &'d str,
    /// How many containers are attached to it, so far.
    attached: Cell<u64>,
    /// Whether the caller wants more.
    flow: Cell<Flow>,
}

impl Document<'_> {
    fn take(&self, event: Event<'_>) {
        if self.flow.get().is_continue() {
            self.flow.set((self.each.borrow_mut())(self.path, event));
        }
    }

    fn found(&self, reference: Reference<'_>) {
        // A file is no entry of another.
        let reference = match self.depth {
            0 => reference,
            _ => within(reference, self.path),
        };
        self.take(Event::Reference(&reference));
    }
}

impl Unpacks for Document<'_> {
    fn is_packed(&self, name: &str, head: &[u8]) -> bool {
        Container::guess(name, head).is_some()
    }

    fn unpack(&self, name: &str, mut file: &[u8]) {
        self.attached.set(self.attached.get() + 1);
        let Some(container) = Container::guess(name, file) else {
            return;
        };
        if self.flow.get().is_break() {
            return;
        }
        let number = self.attached.get().to_string();
        let name = if name.is_empty() { &number } else { name };
        let path = format!("{}!/{name}", self.path);
        let mut each = self.each.borrow_mut();
        let mut walk = Walk {
            extractor: self.extractor,
            budget: self.budget,
            each: &mut **each,
            opens: self.opens,
            depth: self.depth,
        };
        let flow = match self.budget.exceeded() {
            Some(limit) => walk.failed(&path, &limit.into()),
            None => walk.container(container, &path, name, &mut file),
        };
        // A limit ends the unpacking, not the document.
        if self.budget.exceeded().is_none() {
            self.flow.set(flow);
        }
    }
}

/// A reference with the path of its entry.
fn within<'r>(mut reference: Reference<'r>, path: &'r str) -> Reference<'r> {
    reference.place = core::mem::take(&mut reference.place).with_entry(path);
    reference
}

/// An entry, and what its container knows of it.
#[derive(Clone, Copy)]
pub(super) struct Entry<'e> {
    pub(super) path: &'e str,
    /// The name that its format may be recognized by.
    pub(super) name: &'e str,
    /// Its format, if the container says so.
    pub(super) format: Option<Format>,
    /// The URL that it was retrieved from.
    pub(super) base: Option<&'e str>,
}

impl<'e> Entry<'e> {
    pub(super) const fn new(path: &'e str, name: &'e str) -> Self {
        Self {
            path,
            name,
            format: None,
            base: None,
        }
    }
}
