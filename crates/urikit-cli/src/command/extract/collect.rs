//! Writes what the workers found: in order, each reference only once if requested, counted.

use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::run::pool::Turn;
use crate::screen::fitted;
use anstream::AutoStream;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::sync::LazyLock;

/// A result from a worker.
pub(super) enum Found {
    /// References as text.
    References(Chunk),
    /// A message about the file.
    Message(String, Exit),
    /// The file of this name was skipped, because it is binary.
    Binary(String),
    /// The end of the file of this name.
    End(String),
}

/// References as text, one after another.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) out: Vec<u8>,
    count: u64,
    /// For `--unique`, where each one ends, and its hash.
    ends: Vec<(usize, u128)>,
    /// What is reported about them.
    pub(super) messages: String,
    /// The exit status that they lead to.
    pub(super) exit: Exit,
}

impl Chunk {
    /// Records that a reference was added.
    pub(super) fn end(&mut self, hash: Option<u128>) {
        self.count += 1;
        if let Some(hash) = hash {
            self.ends.push((self.out.len(), hash));
        }
    }

    /// Its size, in bytes.
    pub(super) fn len(&self) -> usize {
        self.out.len() + self.ends.len() * size_of::<(usize, u128)>() + self.messages.len()
    }
}

/// Hashes of references, with 128 bits: too many for two references to collide.
pub(super) struct Hashes;

impl Hashes {
    pub(super) fn hash(text: &str) -> u128 {
        static STATES: LazyLock<[RandomState; 2]> =
            LazyLock::new(|| [RandomState::new(), RandomState::new()]);
        STATES.iter().fold(0, |hash, state| {
            hash << 64 | u128::from(state.hash_one(text))
        })
    }
}

/// What is printed instead of references, at the end of each file that has any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Totals {
    /// Their number.
    Counts,
    /// Their number, after the name.
    NamedCounts,
    /// The name.
    Names,
}

/// How results are written.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) totals: Option<Totals>,
    /// The byte that ends a result.
    pub(super) end: u8,
    /// Whether a file name ends in NUL.
    pub(super) null: bool,
    pub(super) unique: bool,
    /// Whether context lines are printed, in groups.
    pub(super) has_groups: bool,
    pub(super) reporter: Reporter,
}

/// Standard output and standard error.
pub(super) struct Collector {
    out: BufWriter<io::StdoutLock<'static>>,
    error: AutoStream<io::Stderr>,
    is_terminal: bool,
    progress: Progress,
    settings: Settings,
    seen: Option<HashSet<u128>>,
    /// The references of the current file.
    count: u64,
    /// Whether anything was written about it, and about a file before.
    has_written: bool,
    has_written_before: bool,
    total: u64,
    /// How many binary files were skipped, and the name of the first.
    skipped: (u64, String),
    exit: Exit,
}

impl Collector {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            out: BufWriter::with_capacity(64 << 10, io::stdout().lock()),
            error: AutoStream::auto(io::stderr()),
            is_terminal: io::stdout().is_terminal(),
            progress: Progress::new(settings.reporter.quiet, "references"),
            settings,
            seen: settings.unique.then(HashSet::new),
            count: 0,
            has_written: false,
            has_written_before: false,
            total: 0,
            skipped: (0, String::new()),
            exit: Exit::Good,
        }
    }

    /// Writes the next result, or what was written so far if there is none yet.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn take(&mut self, turn: Turn<Found>) -> io::Result<()> {
        let Turn::Result(found) = turn else {
            return self.out.flush();
        };
        match found {
            Found::References(chunk) => {
                self.references(&chunk)?;
                self.message(&chunk.messages, chunk.exit)?;
            }
            Found::Message(text, exit) => self.message(&text, exit)?,
            Found::Binary(name) => {
                let (count, first) = &mut self.skipped;
                if *count == 0 {
                    *first = name;
                }
                *count += 1;
            }
            Found::End(name) => {
                if let Some(totals) = self.settings.totals.filter(|_| self.count > 0) {
                    self.total_of(&name, totals)?;
                }
                self.total += self.count;
                self.count = 0;
                self.has_written_before |= std::mem::take(&mut self.has_written);
            }
        }
        if self.is_terminal {
            self.out.flush()?;
        }
        Ok(())
    }

    fn message(&mut self, text: &str, exit: Exit) -> io::Result<()> {
        self.exit = self.exit.max(exit);
        if text.is_empty() {
            return Ok(());
        }
        if self.is_terminal {
            self.out.flush()?;
        }
        self.progress.clear();
        // If standard error is closed, this cannot be reported.
        let _ = self.error.write_all(fitted(text).as_bytes());
        Ok(())
    }

    fn references(&mut self, chunk: &Chunk) -> io::Result<()> {
        self.progress.add(chunk.count);
        let Some(seen) = &mut self.seen else {
            self.count += chunk.count;
            let begins = !self.has_written && !chunk.out.is_empty();
            if begins && self.settings.has_groups && self.has_written_before {
                self.out.write_all(b"--\n")?;
            }
            self.has_written |= begins;
            return self.out.write_all(&chunk.out);
        };
        let mut start = 0;
        for (end, hash) in &chunk.ends {
            if seen.insert(*hash) {
                self.count += 1;
                self.out
                    .write_all(chunk.out.get(start..*end).unwrap_or_default())?;
            }
            start = *end;
        }
        Ok(())
    }

    fn total_of(&mut self, name: &str, totals: Totals) -> io::Result<()> {
        let Settings { end, null, .. } = self.settings;
        if totals != Totals::Counts {
            let name = if self.is_terminal {
                crate::safe::safe(name)
            } else {
                name.into()
            };
            write!(self.out, "{name}")?;
        }
        let after_name: &[u8] = if null { b"\0" } else { b":" };
        match totals {
            Totals::Names => return self.out.write_all(&[if null { b'\0' } else { end }]),
            Totals::NamedCounts => self.out.write_all(after_name)?,
            Totals::Counts => {}
        }
        write!(self.out, "{}", self.count)?;
        self.out.write_all(&[end])
    }

    /// Flushes the output; returns the exit status.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> io::Result<Exit> {
        self.progress.clear();
        let (skipped, first) = &self.skipped;
        let reporter = self.settings.reporter;
        let how = "skipped, because it is binary";
        let message = match skipped {
            0 => String::new(),
            1 => reporter.about(first, &format!("{how} (--as sets the format)")),
            2 => reporter.about(
                first,
                &format!("{how}, and so is 1 other (--as sets the format)"),
            ),
            many => {
                let others = many - 1;
                let message = format!("{how}, and so are {others} others (--as sets the format)");
                reporter.about(first, &message)
            }
        };
        self.message(&message, Exit::Good)?;
        self.out.flush()?;
        let found = if self.total > 0 { Exit::Good } else { Exit::No };
        Ok(self.exit.max(found))
    }
}
