//! Prints lists: directories, menus and groups.

use crate::columns::columns;
use crate::safe::{safe, width};
use crate::style::DIM;
use anstream::AutoStream;
use anstyle::Style;
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use urikit_access::listing::{Entry, EntryKind};
use urikit_report::json;

/// The format of lists.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListFormat {
    /// Lines for people to read
    Text,
    /// One JSON object per entry
    Json,
    /// Only the references, one per line
    References,
}

/// The format of lists, and the byte that ends each reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListStyle {
    pub(super) format: ListFormat,
    /// The byte that ends a reference.
    pub(super) end: u8,
}

/// The number of entries that determine the widths of the columns. Printing begins once this many
/// entries have arrived.
const LOOK_AHEAD: usize = 200;

/// The details shown in text lists: the score of a search result, and the type of a document.
const SHOWN: [&str; 2] = ["score", "document_type"];

/// Formats entries as they arrive.
pub(super) struct Printer {
    style: ListStyle,
    terminal: bool,
    waiting: Vec<Entry>,
    columns: Option<Columns>,
}

/// The columns of a line, with their widths.
struct Columns {
    kind: usize,
    /// The widths of the details in [`SHOWN`].
    details: [usize; SHOWN.len()],
    size: usize,
    date: usize,
    name: usize,
    screen: usize,
    /// The terminal style of references.
    dim: Style,
}

impl Printer {
    pub(super) const fn new(style: ListStyle, terminal: bool) -> Self {
        Self {
            style,
            terminal,
            waiting: Vec::new(),
            columns: None,
        }
    }

    /// Adds the output for an entry.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut String) -> io::Result<()> {
        match self.style.format {
            ListFormat::Json => {
                let mut line = std::mem::take(out).into_bytes();
                json::line(&mut line, &EntryRecord::from(entry), self.terminal)?;
                *out = String::from_utf8(line).map_err(io::Error::other)?;
            }
            ListFormat::References => {
                if let Some(reference) = &entry.reference {
                    out.push_str(reference);
                    out.push(char::from(self.style.end));
                }
            }
            ListFormat::Text => {
                if let Some(columns) = &self.columns {
                    columns.line(entry, out);
                    return Ok(());
                }
                self.waiting.push(entry.clone());
                if self.waiting.len() >= LOOK_AHEAD {
                    self.end(out);
                }
            }
        }
        Ok(())
    }

    /// Adds the output for the waiting entries.
    pub(super) fn end(&mut self, out: &mut String) {
        let waiting = std::mem::take(&mut self.waiting);
        let columns = self.columns.insert(Columns::of(&waiting, self.terminal));
        for entry in &waiting {
            columns.line(entry, out);
        }
    }
}

impl Columns {
    fn of(entries: &[Entry], terminal: bool) -> Self {
        let most = |of: fn(&Entry) -> usize| entries.iter().map(of).max().unwrap_or(0);
        Self {
            kind: most(|entry| entry.kind.as_str().len()),
            details: SHOWN.map(|name| {
                let widths = entries.iter().map(|entry| width(&detail(entry, name)));
                widths.max().unwrap_or(0)
            }),
            size: most(|entry| entry.size.map_or(0, digits)),
            date: most(|entry| width(&date(entry))),
            name: most(|entry| match entry.kind {
                EntryKind::Text => 0,
                _ => width(&safe(&entry.name)).min(40),
            }),
            screen: if terminal {
                columns(std::io::stdout()).unwrap_or(80)
            } else {
                usize::MAX
            },
            dim: if terminal && AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never {
                DIM
            } else {
                Style::new()
            },
        }
    }

    /// Adds a line. Lists may have a hundred thousand lines, so most parts are appended without the
    /// overhead of `format!`.
    fn line(&self, entry: &Entry, out: &mut String) {
        let (start, dim) = (out.len(), self.dim);
        // Most entries are text files, so this kind is not shown.
        let kind = if entry.kind == EntryKind::Text {
            ""
        } else {
            entry.kind.as_str()
        };
        out.push_str(kind);
        fill(out, self.kind.saturating_sub(kind.len()));
        for (name, most) in SHOWN.iter().zip(self.details) {
            if most > 0 {
                let detail = detail(entry, name);
                out.push_str("  ");
                out.push_str(&detail);
                fill(out, most.saturating_sub(width(&detail)));
            }
        }
        if self.size > 0 {
            let digits = entry.size.map_or(0, digits);
            fill(out, self.size.saturating_sub(digits) + 2);
            if let Some(size) = entry.size {
                let _ = write!(out, "{size}");
            }
        }
        if self.date > 0 {
            let date = date(entry);
            out.push_str("  ");
            out.push_str(&date);
            fill(out, self.date.saturating_sub(width(&date)));
        }
        let name = safe(&entry.name);
        out.push_str("  ");
        out.push_str(&name);
        if let Some(reference) = &entry.reference {
            let reference = safe(reference);
            let space = self.name.saturating_sub(width(&name));
            // Lines written to a file or pipe are never wrapped.
            let fits = self.screen == usize::MAX || {
                let before = width(out.get(start..).unwrap_or_default());
                before + space + 2 + width(&reference) <= self.screen
            };
            if fits {
                fill(out, space + 2);
            } else {
                out.push('\n');
                fill(out, self.kind + 4);
            }
            if dim == Style::new() {
                out.push_str(&reference);
            } else {
                let _ = write!(out, "{dim}{reference}{dim:#}");
            }
        }
        let end = out.get(start..).map_or(0, |line| line.trim_end().len());
        out.truncate(start + end);
        out.push('\n');
    }
}

/// Adds spaces.
fn fill(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Returns the number of digits in a number.
fn digits(number: u64) -> usize {
    number
        .checked_ilog10()
        .map_or(1, |log| usize::try_from(log).unwrap_or(0) + 1)
}

/// Returns the detail with this name, safe to print; empty if the entry has no such detail.
fn detail<'e>(entry: &'e Entry, name: &str) -> Cow<'e, str> {
    let mut details = entry.details.iter();
    let found = details.find(|(found, _)| *found == name);
    found.map_or(Cow::Borrowed(""), |(_, value)| safe(value))
}

/// Returns the date in UTC. If the time zone is unknown, returns the date as the server wrote it.
/// Returns an empty string if the entry has no date.
fn date(entry: &Entry) -> Cow<'_, str> {
    match entry.modified {
        Some(date) => date.strftime("%Y-%m-%d %H:%M").to_string().into(),
        None => detail(entry, "date"),
    }
}

/// An entry as JSON. The keys and their order are a public interface.
#[derive(serde::Serialize)]
struct EntryRecord<'a> {
    name: &'a str,
    kind: &'static str,
    reference: Option<&'a str>,
    size: Option<u64>,
    modified: Option<String>,
    details: Details<'a>,
}

impl<'a> From<&'a Entry> for EntryRecord<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self {
            name: &entry.name,
            kind: entry.kind.as_str(),
            reference: entry.reference.as_deref(),
            size: entry.size,
            modified: entry.modified.map(|date| date.to_string()),
            details: Details(&entry.details),
        }
    }
}

struct Details<'a>(&'a [(&'static str, String)]);

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [0, 1, 9, 10, 99, 100, u64::MAX] {
            assert_eq!(digits(number), number.to_string().len());
        }
    }
}
