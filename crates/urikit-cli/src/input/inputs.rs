//! Reading the sources one after another, or several at once, a batch at a time.

use super::ahead::Ahead;
use super::batch::Batch;
use super::event::Event;
use super::how::How;
use super::item::Source;
use super::meter::Meter;
use super::open::Open;
use super::portion::Portion;
use super::table::Choice;
use super::units::Units;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

/// All inputs of a command, in order.
pub(crate) struct Inputs {
    arguments: Vec<OsString>,
    units: Units,
    open: Option<Open>,
    /// The sources that are read at once, if several may be.
    ahead: Option<Ahead>,
    how: How,
    index: u64,
    available: usize,
}

/// Neither arguments nor files were given, and standard input is a terminal.
#[derive(Debug)]
pub(crate) struct NoInput;

impl Inputs {
    /// The arguments; or else the lines of `files`, where `-` is standard input; or else the lines
    /// of standard input. With `null`, inputs end in NUL instead of a line end. A longer line than
    /// `max_line` bytes ends its source with an error.
    pub(crate) fn new(
        arguments: Vec<OsString>,
        files: Vec<PathBuf>,
        null: bool,
        max_line: usize,
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
        let files = sources.iter().map(|source: &Source| match source {
            Source::File(path) => Some(path.as_path()),
            Source::Arguments | Source::Stdin => None,
        });
        let meter = Arc::new(Meter::new(files));
        Ok(Self {
            arguments,
            units: Units::new(sources),
            open: None,
            ahead: None,
            how: How {
                end: if null { b'\0' } else { b'\n' },
                choice: Choice::default(),
                max_line,
                meter,
            },
            index: 0,
            available: 0,
        })
    }

    /// The same, from these values of tables.
    pub(crate) fn of(mut self, choice: Choice) -> Self {
        self.how.choice = choice;
        self
    }

    /// How much was read.
    pub(crate) fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.how.meter)
    }

    /// How many bytes were available without waiting: all bytes of files, and those of standard
    /// input since a read last returned less than was requested.
    pub(crate) const fn available(&self) -> usize {
        self.available
    }

    /// From now on, reads up to `most` sources at once.
    pub(crate) fn read_ahead(&mut self, most: usize) {
        self.ahead = Some(Ahead::new(most));
    }

    /// The next inputs, read into `memory`; `None` at the end of all sources.
    pub(crate) fn next(&mut self, memory: Vec<u8>) -> Option<Portion> {
        let portion = if self.arguments.is_empty() {
            self.read(memory)?
        } else {
            let arguments = std::mem::take(&mut self.arguments);
            Portion::Read(Event::Batch(Batch::of_arguments(arguments)))
        };
        let before = self.index;
        self.index += portion.len();
        Some(portion.after(before))
    }

    fn read(&mut self, mut memory: Vec<u8>) -> Option<Portion> {
        loop {
            if self.open.is_none() {
                // A single unit is read here, which spares it a channel.
                if let Some(ahead) = self.ahead.as_mut()
                    && (ahead.has_begun() || self.units.are_several(&self.how))
                {
                    return ahead.next(&mut self.units, &self.how);
                }
                let first = self.units.next(&self.how)?;
                match Open::new(first, &self.how) {
                    Ok(open) => self.open = Some(open),
                    Err((source, error)) => {
                        return Some(Portion::Read(Event::Unreadable(source, error)));
                    }
                }
            }
            let mut open = self.open.take()?;
            match open.read(memory) {
                Ok(Some(batch)) => {
                    self.available = if open.may_wait() {
                        0
                    } else {
                        self.available + batch.size()
                    };
                    self.open = Some(open);
                    return Some(Portion::Read(Event::Batch(batch)));
                }
                Ok(None) => memory = Vec::new(),
                Err(error) => return Some(Portion::Read(Event::Unreadable(open.source, error))),
            }
        }
    }
}
