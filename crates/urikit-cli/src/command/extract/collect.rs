//! Writes what the workers found: in order, each reference only once if requested, counted.

use crate::exit::Exit;
use crate::progress::Progress;
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

/// Standard output and standard error.
pub(super) struct Collector {
    out: BufWriter<io::StdoutLock<'static>>,
    error: AutoStream<io::Stderr>,
    is_terminal: bool,
    progress: Progress,
    /// For `--count`, whether names are printed too.
    counts: Option<bool>,
    /// The byte that ends a count.
    end: u8,
    seen: Option<HashSet<u128>>,
    /// The references of the current file.
    count: u64,
    total: u64,
    exit: Exit,
}

impl Collector {
    pub(super) fn new(counts: Option<bool>, end: u8, unique: bool, quiet: bool) -> Self {
        Self {
            out: BufWriter::with_capacity(64 << 10, io::stdout().lock()),
            error: AutoStream::auto(io::stderr()),
            is_terminal: io::stdout().is_terminal(),
            progress: Progress::new(quiet, "references"),
            counts,
            end,
            seen: unique.then(HashSet::new),
            count: 0,
            total: 0,
            exit: Exit::Good,
        }
    }

    /// Writes the next result.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn take(&mut self, found: Found) -> io::Result<()> {
        match found {
            Found::References(chunk) => {
                self.references(&chunk)?;
                self.message(&chunk.messages, chunk.exit)?;
            }
            Found::Message(text, exit) => self.message(&text, exit)?,
            Found::End(name) => {
                if let Some(names) = self.counts.filter(|_| self.count > 0) {
                    self.count_of(&name, names)?;
                }
                self.total += self.count;
                self.count = 0;
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

    fn count_of(&mut self, name: &str, names: bool) -> io::Result<()> {
        if names {
            let name = if self.is_terminal {
                crate::safe::safe(name)
            } else {
                name.into()
            };
            write!(self.out, "{name}:")?;
        }
        write!(self.out, "{}", self.count)?;
        self.out.write_all(&[self.end])
    }

    /// Flushes the output; returns the exit status.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> io::Result<Exit> {
        self.progress.clear();
        self.out.flush()?;
        let found = if self.total > 0 { Exit::Good } else { Exit::No };
        Ok(self.exit.max(found))
    }
}
