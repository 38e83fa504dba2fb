//! Reads sources in batches, one source after another or several in parallel.

use super::batch::{Batch, Event};
use super::item::Source;
use super::meter::Meter;
use super::paths;
use super::source::{OpenSource, ReadOptions, Unit};
#[cfg(feature = "parquet")]
use super::table::parquet;
use super::table::{Choice, Layout};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::iter::{Chain, Flatten};
use std::option;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// A source that cannot be read, with the reason.
pub(crate) type Unreadable = (Arc<Source>, io::Error);

/// The inputs of a command, in order.
pub(crate) struct Inputs {
    arguments: Vec<OsString>,
    units: Units,
    open: Option<OpenSource>,
    /// Reads several sources in parallel, if that is allowed.
    ahead: Option<Ahead>,
    options: ReadOptions,
    index: u64,
    available: usize,
}

/// The error to report if neither arguments nor files are given and standard input is a terminal.
#[derive(Debug)]
pub(crate) struct NoInput;

impl Inputs {
    /// Reads the arguments, or the lines of `files`, or the lines of standard input. The file `-`
    /// is standard input, and folders and patterns denote several files. With `null`, inputs end
    /// with a NUL instead of a newline. A line of more than `max_line` bytes is an error, after
    /// which nothing more is read from its source.
    pub(crate) fn new(
        arguments: Vec<OsString>,
        files: Vec<PathBuf>,
        null: bool,
        max_line: usize,
    ) -> Result<Self, NoInput> {
        let sources = if !files.is_empty() {
            files.into_iter().flat_map(pending).collect()
        } else if !arguments.is_empty() {
            Vec::new()
        } else if io::stdin().is_terminal() {
            return Err(NoInput);
        } else {
            vec![PendingUnit::Unit(Unit::Source(Source::Stdin))]
        };
        let files = sources.iter().map(|source| {
            if let PendingUnit::File(path) = source {
                return Some(path.as_path());
            }
            None
        });
        let meter = Arc::new(Meter::new(files));
        Ok(Self {
            arguments,
            units: Units(sources.into()),
            open: None,
            ahead: None,
            options: ReadOptions {
                end: if null { b'\0' } else { b'\n' },
                choice: Choice::default(),
                max_line,
                meter,
            },
            index: 0,
            available: 0,
        })
    }

    /// Selects the values of tables.
    pub(crate) fn of(mut self, choice: Choice) -> Self {
        self.options.choice = choice;
        self
    }

    /// Returns the columns of the tables.
    ///
    /// # Errors
    ///
    /// Fails if a source cannot be read, is not a table, or has different columns from the first.
    pub(crate) fn layout(&mut self) -> Result<Layout, Unreadable> {
        let mut first: Option<Layout> = None;
        for unit in &mut self.units.0 {
            let (source, layout) = unit.layout(&self.options)?;
            let difference = match (&first, &layout) {
                (_, None) => Some("--add needs a table: choose --column or --field".to_owned()),
                (Some(first), Some(layout)) => first.difference(layout),
                (None, Some(_)) => None,
            };
            if let Some(difference) = difference {
                return Err((source, io::Error::other(difference)));
            }
            first = first.or(layout);
        }
        let none = || {
            (
                Arc::new(Source::Arguments),
                io::Error::other("--add needs a table"),
            )
        };
        first.ok_or_else(none)
    }

    /// Returns the paths of the files that have not been opened yet.
    #[cfg(feature = "parquet")]
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let paths = self.units.0.iter().filter_map(|unit| match unit {
            PendingUnit::File(path) => Some(path.clone()),
            _ => None,
        });
        paths.collect()
    }

    /// Returns the meter for the progress bar.
    pub(crate) fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.options.meter)
    }

    /// The number of bytes that were available without waiting: all bytes of files, and the bytes
    /// of standard input since the last read that returned less than requested.
    pub(crate) const fn available(&self) -> usize {
        self.available
    }

    /// Allows reading up to `most` sources in parallel.
    pub(crate) fn read_ahead(&mut self, most: usize) {
        self.ahead = Some(Ahead::new(most));
    }

    /// Reads the next inputs into `memory`; `None` at the end of all sources.
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
                // Reading a single unit on this thread needs no channel.
                if let Some(ahead) = self.ahead.as_mut()
                    && (ahead.has_begun() || self.units.are_several(&self.options))
                {
                    return ahead.next(&mut self.units, &self.options);
                }
                let first = self.units.next(&self.options)?;
                match OpenSource::new(first, &self.options) {
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

/// Consecutive inputs. Iterating over a portion reads the inputs that have not been read yet.
pub(crate) enum Portion {
    Read(Event),
    /// Part of a table, which is read by the thread that processes its inputs.
    Unread(Box<Unread>),
}

impl Portion {
    /// The number of inputs.
    pub(super) const fn len(&self) -> u64 {
        match self {
            Self::Read(Event::Batch(batch)) => batch.len(),
            Self::Read(Event::Unreadable(..)) => 0,
            Self::Unread(unread) => unread.len,
        }
    }

    /// Sets the number of inputs before this portion.
    pub(super) fn after(self, inputs: u64) -> Self {
        match self {
            Self::Read(Event::Batch(batch)) => Self::Read(Event::Batch(batch.after(inputs))),
            Self::Read(Event::Unreadable(..)) => self,
            Self::Unread(mut unread) => {
                unread.index = inputs;
                Self::Unread(unread)
            }
        }
    }
}

impl IntoIterator for Portion {
    type Item = Event;
    type IntoIter = Chain<option::IntoIter<Event>, Flatten<option::IntoIter<Box<Unread>>>>;

    fn into_iter(self) -> Self::IntoIter {
        let (event, unread) = match self {
            Self::Read(event) => (Some(event), None),
            Self::Unread(unread) => (None, Some(unread)),
        };
        event.into_iter().chain(unread.into_iter().flatten())
    }
}

/// Part of a source that has not been read yet.
pub(crate) struct Unread {
    state: UnreadState,
    options: ReadOptions,
    /// The number of inputs before this part.
    index: u64,
    /// The number of inputs in this part.
    len: u64,
}

enum UnreadState {
    New(Unit),
    Open(OpenSource),
    Over,
}

impl Unread {
    pub(super) const fn new(unit: Unit, len: u64, options: ReadOptions) -> Self {
        Self {
            state: UnreadState::New(unit),
            options,
            index: 0,
            len,
        }
    }
}

impl Iterator for Unread {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut open = match std::mem::replace(&mut self.state, UnreadState::Over) {
            UnreadState::New(unit) => match OpenSource::new(unit, &self.options) {
                Ok(open) => open,
                Err((source, error)) => return Some(Event::Unreadable(source, error)),
            },
            UnreadState::Open(open) => open,
            UnreadState::Over => return None,
        };
        match open.read(Vec::new()) {
            Ok(batch) => {
                let batch = batch?.after(self.index);
                self.index += batch.len();
                self.state = UnreadState::Open(open);
                Some(Event::Batch(batch))
            }
            Err(error) => Some(Event::Unreadable(open.source, error)),
        }
    }
}

/// The files, and parts of files, that have not been opened yet, in order.
pub(super) struct Units(VecDeque<PendingUnit>);

enum PendingUnit {
    /// A file of unknown format.
    File(PathBuf),
    #[cfg(feature = "parquet")]
    Column(Arc<Source>, Box<parquet::Column>),
    Unit(Unit),
}

/// Returns the files, or parts of files, to read for a path given with `-f`.
fn pending(path: PathBuf) -> Vec<PendingUnit> {
    if path.as_os_str() == "-" {
        return vec![PendingUnit::Unit(Unit::Source(Source::Stdin))];
    }
    match paths::files(path.clone()) {
        Ok(files) => files.into_iter().map(PendingUnit::File).collect(),
        Err(error) => {
            let source = Arc::new(Source::File(path));
            vec![PendingUnit::Unit(Unit::Failed(source, error))]
        }
    }
}

impl PendingUnit {
    /// Returns the columns of a table. A source that cannot be opened twice stays open.
    fn layout(
        &mut self,
        options: &ReadOptions,
    ) -> Result<(Arc<Source>, Option<Layout>), Unreadable> {
        let unit = match self {
            #[cfg(feature = "parquet")]
            Self::File(path)
                if std::fs::File::open(&*path).is_ok_and(|it| parquet::is_parquet(&it)) =>
            {
                let source = Arc::new(Source::File(path.clone()));
                return match parquet::layout(path) {
                    Ok(layout) => Ok((source, Some(layout))),
                    Err(error) => Err((source, error)),
                };
            }
            Self::File(path) if path.is_file() => Unit::Source(Source::File(path.clone())),
            Self::File(path) => Unit::Source(Source::File(std::mem::take(path))),
            Self::Unit(unit) => std::mem::replace(unit, Unit::Source(Source::Arguments)),
            #[cfg(feature = "parquet")]
            Self::Column(source, _) => return Ok((Arc::clone(source), None)),
        };
        let mut open = OpenSource::new(unit, options)?;
        let source = Arc::clone(&open.source);
        let layout = open.layout();
        let layout = layout.map_err(|error| (Arc::clone(&source), error))?;
        match self {
            Self::File(path) if !path.as_os_str().is_empty() => {}
            _ => *self = Self::Unit(Unit::Open(Box::new(open))),
        }
        Ok((source, layout))
    }
}

impl Units {
    /// Removes and returns the next unit. A large file is split only as far as needed, because its
    /// parts might not all fit into memory.
    pub(super) fn next(&mut self, options: &ReadOptions) -> Option<Unit> {
        loop {
            match self.0.pop_front()? {
                PendingUnit::Unit(unit) => return Some(unit),
                PendingUnit::File(path) => self.open(path, options),
                #[cfg(feature = "parquet")]
                PendingUnit::Column(source, mut column) => {
                    let unit = match column.next() {
                        Ok(Some(pages)) => Unit::Pages(Arc::clone(&source), Box::new(pages)),
                        Ok(None) => continue,
                        Err(error) => Unit::Failed(Arc::clone(&source), error),
                    };
                    self.0.push_front(PendingUnit::Column(source, column));
                    return Some(unit);
                }
            }
        }
    }

    /// Returns true if more than one unit is left.
    pub(super) fn are_several(&mut self, options: &ReadOptions) -> bool {
        if let Some(first) = self.next(options) {
            self.0.push_front(PendingUnit::Unit(first));
        }
        self.0.len() > 1
    }

    /// Adds a file in front of the other units. Parquet is split into parts that can be read
    /// independently.
    fn open(&mut self, path: PathBuf, options: &ReadOptions) {
        #[cfg(feature = "parquet")]
        if let Ok(file) = std::fs::File::open(&path)
            && parquet::is_parquet(&file)
        {
            let source = Arc::new(Source::File(path));
            let column = options.choice.column.as_deref();
            let unit = match parquet::Column::open(file, column, &options.meter) {
                Ok(column) => PendingUnit::Column(source, Box::new(column)),
                Err(error) => PendingUnit::Unit(Unit::Failed(source, error)),
            };
            self.0.push_front(unit);
            return;
        }
        let _ = options;
        let source = Source::File(path);
        self.0.push_front(PendingUnit::Unit(Unit::Source(source)));
    }
}

/// The number of batches of one source that may wait for their turn.
const WAITING: usize = 8;

/// Reads several sources in parallel, each on its own thread. Batches that are read ahead of their
/// turn wait in a channel whose small capacity bounds memory. Workers read the parts of tables.
pub(super) struct Ahead {
    /// The sources in order.
    turns: VecDeque<AheadSource>,
    /// The maximum number of sources to read in parallel.
    most: usize,
}

/// A source, or a part of one, that is waiting for its turn.
enum AheadSource {
    Begun(Receiver<Event>),
    Unread(Box<Unread>),
}

impl Ahead {
    pub(super) const fn new(most: usize) -> Self {
        let turns = VecDeque::new();
        Self { turns, most }
    }

    /// Returns true while sources are being read.
    pub(super) fn has_begun(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Returns the next inputs; `None` once all sources have ended.
    pub(super) fn next(&mut self, units: &mut Units, options: &ReadOptions) -> Option<Portion> {
        loop {
            while self.turns.len() < self.most
                && let Some(unit) = units.next(options)
            {
                self.turns.push_back(match unit.rows() {
                    Some(rows) => {
                        AheadSource::Unread(Box::new(Unread::new(unit, rows, options.clone())))
                    }
                    None => AheadSource::Begun(begin(unit, options.clone())),
                });
            }
            match self.turns.pop_front()? {
                AheadSource::Unread(unread) => return Some(Portion::Unread(unread)),
                AheadSource::Begun(events) => {
                    if let Ok(event) = events.recv() {
                        self.turns.push_front(AheadSource::Begun(events));
                        return Some(Portion::Read(event));
                    }
                }
            }
        }
    }
}

/// Reads a source on a new thread.
fn begin(unit: Unit, options: ReadOptions) -> Receiver<Event> {
    let (send, events) = sync_channel(WAITING);
    // Sending fails once the receiver has been dropped.
    thread::spawn(move || {
        let mut open = match OpenSource::new(unit, &options) {
            Ok(open) => open,
            Err((source, error)) => {
                let _ = send.send(Event::Unreadable(source, error));
                return;
            }
        };
        loop {
            let event = match open.read(Vec::new()) {
                Ok(Some(batch)) => Event::Batch(batch),
                Ok(None) => return,
                Err(error) => {
                    let _ = send.send(Event::Unreadable(open.source, error));
                    return;
                }
            };
            if send.send(event).is_err() {
                return;
            }
        }
    });
    events
}
