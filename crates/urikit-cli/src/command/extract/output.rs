//! The output: workers format references, and one thread writes and counts them in order.

use super::Settings;
use super::context::Piece;
use super::options;
use super::results::FileName;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::skipped_message;
use crate::run::pool::Turn;
use crate::safe::safe;
use crate::screen::fitted;
use crate::stdout::{Stdout, stdout};
use crate::style::{FILE, LINE};
use anstream::AutoStream;
use anstyle::Style;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufWriter, Write as _};
use std::sync::Arc;
use urikit_extract::document::Found;
use urikit_extract::{Kind, defang};
use urikit_report::extract::{Detail, FoundRecord, Judged};
use urikit_report::json;

/// A result from a worker.
pub(super) enum Output {
    /// References as text.
    References(Chunk),
    /// A message about the file.
    Message(String, Exit),
    /// The name of a file that was skipped because it is binary.
    Binary(String),
    /// The end of the file with this name, and its last references. The name need not be UTF-8.
    End(Vec<u8>, Chunk),
}

/// The references as text, one after another.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) out: Vec<u8>,
    count: u64,
    /// The end position and the hash of each reference, for `--unique`.
    ends: Vec<(usize, u128)>,
    /// The messages about the references.
    pub(super) messages: String,
    /// The exit status for these references.
    pub(super) exit: Exit,
}

impl Chunk {
    /// Marks the end of a reference.
    pub(super) fn end(&mut self, hash: Option<u128>) {
        self.count += 1;
        if let Some(hash) = hash {
            self.ends.push((self.out.len(), hash));
        }
    }

    /// Returns the size in bytes.
    pub(super) fn len(&self) -> usize {
        self.out.len() + self.ends.len() * size_of::<(usize, u128)>() + self.messages.len()
    }
}

/// Hashes references to 128 bits, with random keys, so collisions are too rare to matter.
#[derive(Default)]
pub(super) struct Hasher([RandomState; 2]);

impl Hasher {
    pub(super) fn hash(&self, text: &str) -> u128 {
        self.0.iter().fold(0, |hash, state| {
            hash << 64 | u128::from(state.hash_one(text))
        })
    }
}

/// The line that `--count` or `--files-with-matches` prints for each file that contains references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Totals {
    /// The number of references.
    Counts,
    /// The name of the file, and the number of references.
    NamedCounts,
    /// The name of the file.
    Names,
}

/// Writes to standard output and standard error.
pub(super) struct Collector {
    out: BufWriter<Stdout>,
    error: AutoStream<io::Stderr>,
    progress: Progress,
    settings: Arc<Settings>,
    seen: Option<HashSet<u128>>,
    /// The number of references in the current file.
    count: u64,
    /// True if references from the current file were written.
    has_written: bool,
    /// True if references from an earlier file were written.
    has_written_before: bool,
    total: u64,
    /// The number of skipped binary files.
    skipped: u64,
    /// The name of the first skipped file.
    first_skipped: String,
    exit: Exit,
}

impl Collector {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self {
            out: BufWriter::with_capacity(64 << 10, stdout()),
            error: AutoStream::auto(io::stderr()),
            progress: Progress::new(settings.reporter.quiet, "references"),
            seen: settings.unique.is_some().then(HashSet::new),
            settings,
            count: 0,
            has_written: false,
            has_written_before: false,
            total: 0,
            skipped: 0,
            first_skipped: String::new(),
            exit: Exit::Good,
        }
    }

    /// Writes the next result. Flushes the output if no result is ready.
    ///
    /// # Errors
    ///
    /// Fails if standard output cannot be written to.
    pub(super) fn take(&mut self, turn: Turn<Output>) -> io::Result<()> {
        let Turn::Result(output) = turn else {
            return self.out.flush();
        };
        match output {
            Output::References(chunk) => self.references(&chunk)?,
            Output::Message(text, exit) => self.message(&text, exit)?,
            Output::Binary(name) => {
                if self.skipped == 0 {
                    self.first_skipped = name;
                }
                self.skipped += 1;
            }
            Output::End(name, chunk) => {
                self.references(&chunk)?;
                if let Some(totals) = self.settings.totals.filter(|_| self.count > 0) {
                    self.total_of(&name, totals)?;
                }
                self.total += self.count;
                self.count = 0;
                self.has_written_before |= std::mem::take(&mut self.has_written);
            }
        }
        if self.settings.printer.terminal {
            self.out.flush()?;
        }
        Ok(())
    }

    /// Writes a message, and keeps the highest exit status.
    fn message(&mut self, text: &str, exit: Exit) -> io::Result<()> {
        self.exit = self.exit.max(exit);
        if text.is_empty() {
            return Ok(());
        }
        if self.settings.printer.terminal {
            self.out.flush()?;
        }
        self.progress.clear();
        // A failure to write to standard error cannot be reported.
        let _ = self.error.write_all(fitted(text).as_bytes());
        Ok(())
    }

    /// Writes references, without duplicates if `--unique` is set, and messages about them.
    fn references(&mut self, chunk: &Chunk) -> io::Result<()> {
        self.text(chunk)?;
        self.message(&chunk.messages, chunk.exit)
    }

    fn text(&mut self, chunk: &Chunk) -> io::Result<()> {
        self.progress.add(chunk.count);
        let Some(seen) = &mut self.seen else {
            self.count += chunk.count;
            let begins = !self.has_written && !chunk.out.is_empty();
            if begins && self.settings.around.is_some() && self.has_written_before {
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

    /// Writes the total for a file.
    fn total_of(&mut self, name: &[u8], totals: Totals) -> io::Result<()> {
        let Printer { end, null, .. } = self.settings.printer;
        if totals != Totals::Counts {
            if self.settings.printer.terminal {
                let name = String::from_utf8_lossy(name);
                write!(self.out, "{}", safe(&name))?;
            } else {
                self.out.write_all(name)?;
            }
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

    /// Flushes the output and returns the exit status.
    ///
    /// # Errors
    ///
    /// Fails if standard output cannot be written to.
    pub(super) fn finish(mut self) -> io::Result<Exit> {
        self.progress.clear();
        let message = match self.skipped {
            0 => String::new(),
            count => {
                let reporter = &self.settings.reporter;
                reporter.about(&self.first_skipped, &skipped_message(count))
            }
        };
        self.message(&message, Exit::Good)?;
        self.out.flush()?;
        let found = if self.total > 0 { Exit::Good } else { Exit::No };
        Ok(self.exit.max(found))
    }
}

/// The format of references.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate option
pub(super) struct Printer {
    pub(super) json: bool,
    /// True if line numbers are printed.
    pub(super) lines: bool,
    /// True if columns are printed.
    pub(super) columns: bool,
    /// True if file names are printed.
    pub(super) names: bool,
    /// True if the file name ends in NUL.
    pub(super) null: bool,
    /// True if only counts or names are printed, without references.
    pub(super) counts_only: bool,
    /// The byte that ends a reference.
    pub(super) end: u8,
    /// True if control characters are escaped, because the output is a terminal.
    pub(super) terminal: bool,
    /// True if file names and line numbers are coloured.
    pub(super) is_coloured: bool,
    /// True if references are defanged.
    pub(super) defang: bool,
}

impl Printer {
    /// Sets whether references are defanged.
    pub(super) const fn defang(mut self, yes: bool) -> Self {
        self.defang = yes;
        self
    }

    /// Returns the style for the output, or an empty style if the output is not coloured.
    const fn style(self, style: Style) -> Style {
        if self.is_coloured {
            style
        } else {
            Style::new()
        }
    }

    /// Appends a reference. JSON contains the `source`, and other output the `name`.
    pub(super) fn print(
        self,
        reference: &Found<'_>,
        judged: &Judged,
        (source, name): (&str, &[u8]),
        detail: Detail,
        out: &mut Vec<u8>,
    ) {
        if self.counts_only {
            return;
        }
        if self.json {
            let record = FoundRecord::new(reference, judged, source, detail);
            let record = if self.defang {
                record.defanged()
            } else {
                record
            };
            // Writing to memory does not fail.
            let _ = json::line(out, &record, self.terminal);
            return;
        }
        self.name(name, b':', out);
        let style = self.style(LINE);
        let location = options::location(reference.place()).filter(|_| self.lines);
        if let Some(location) = location {
            let _ = write!(out, "{style}");
            self.text(&escaped(&location), out);
            let _ = write!(out, "{style:#}:");
        } else if let Some(place) = reference.position().filter(|_| self.lines) {
            let _ = write!(out, "{style}{}{style:#}:", place.line);
            if self.columns {
                let _ = write!(out, "{}:", place.column);
            }
        }
        if reference.kind() == Kind::Defanged {
            self.text(reference.text(), out);
            out.push(b'\t');
        }
        let uri = judged.target.as_deref().unwrap_or(reference.uri());
        if self.defang {
            self.text(&defang(uri), out);
        } else {
            self.text(uri, out);
        }
        out.push(self.end);
    }

    /// Appends a context line, a separator between groups, or a reference.
    pub(super) fn context(self, piece: &Piece<'_>, name: &[u8], out: &mut Vec<u8>) {
        match piece {
            Piece::Gap => out.extend_from_slice(b"--\n"),
            Piece::Line(number, text, is_cut) => {
                self.name(name, b'-', out);
                let style = self.style(LINE);
                let _ = write!(out, "{style}{number}{style:#}-");
                if self.terminal {
                    self.text(&String::from_utf8_lossy(text), out);
                } else {
                    out.extend_from_slice(text);
                }
                if *is_cut {
                    out.extend_from_slice("…".as_bytes());
                }
                out.push(b'\n');
            }
            Piece::Reference(printed) => out.extend_from_slice(printed),
        }
    }

    /// Returns the name to print before references: the name of a file, or of an archive and its
    /// entry. The names were chosen by the author of the archive, so control characters are
    /// escaped: a line break could forge a line of output.
    pub(super) fn printed_name<'n>(self, file: FileName<'n>, name: &str) -> Cow<'n, [u8]> {
        let entry = name.strip_prefix(file.text).unwrap_or_default();
        if entry.is_empty() {
            return file.bytes.into();
        }
        let is_exact = self.null || !entry.contains(char::is_control);
        let entry = if is_exact {
            entry.into()
        } else {
            Cow::Owned(escaped(entry))
        };
        [file.bytes, entry.as_bytes()].concat().into()
    }

    /// Appends the file name, if names are printed.
    fn name(self, name: &[u8], after: u8, out: &mut Vec<u8>) {
        if self.names {
            let style = self.style(FILE);
            let _ = write!(out, "{style}");
            if self.terminal {
                self.text(&String::from_utf8_lossy(name), out);
            } else {
                out.extend_from_slice(name);
            }
            let _ = write!(out, "{style:#}");
            out.push(if self.null { b'\0' } else { after });
        }
    }

    /// Appends text, made safe for a terminal.
    fn text(self, text: &str, out: &mut Vec<u8>) {
        if self.terminal {
            out.extend_from_slice(safe(text).as_bytes());
        } else {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

/// Escapes control characters.
fn escaped(text: &str) -> String {
    let mut printed = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            printed.extend(c.escape_default());
        } else {
            printed.push(c);
        }
    }
    printed
}
