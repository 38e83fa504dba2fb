//! Prints lists: directories, menus, groups.

use crate::columns::columns;
use crate::json;
use crate::safe::{safe, width};
use crate::style::DIM;
use anstream::AutoStream;
use anstyle::Style;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, Serializer};
use std::fmt::Write as _;
use std::io;
use urikit_access::listing::{Entry, EntryKind};

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

/// The number of entries to wait for before printing the first, to determine the column widths.
const LOOK_AHEAD: usize = 200;

/// The details that are shown, where entries have them: how well a document fits a search, and the
/// types in which it can be fetched.
const SHOWN: [&str; 2] = ["score", "types"];

/// Formats entries as they arrive.
pub(super) struct Printer {
    format: ListFormat,
    /// The byte that ends a reference.
    end: u8,
    terminal: bool,
    waiting: Vec<Entry>,
    columns: Option<Columns>,
}

/// The columns of a line, with their widths.
struct Columns {
    kind: usize,
    /// Of the details that are shown.
    details: [usize; SHOWN.len()],
    size: usize,
    has_date: bool,
    name: usize,
    screen: usize,
    /// The style of references.
    quiet: Style,
}

impl Printer {
    pub(super) const fn new(format: ListFormat, end: u8, terminal: bool) -> Self {
        Self {
            format,
            end,
            terminal,
            waiting: Vec::new(),
            columns: None,
        }
    }

    /// The output for one more entry.
    pub(super) fn entry(&mut self, entry: &Entry) -> io::Result<Vec<u8>> {
        match self.format {
            ListFormat::Json => {
                let mut line = Vec::new();
                json::line(&mut line, &Record(entry), self.terminal)?;
                Ok(line)
            }
            ListFormat::References => Ok(match &entry.reference {
                Some(reference) => [reference.as_bytes(), &[self.end]].concat(),
                None => Vec::new(),
            }),
            ListFormat::Text => {
                if let Some(columns) = &self.columns {
                    return Ok(columns.line(entry).into_bytes());
                }
                self.waiting.push(entry.clone());
                Ok(if self.waiting.len() < LOOK_AHEAD {
                    Vec::new()
                } else {
                    self.end()
                })
            }
        }
    }

    /// The output for the entries that still wait.
    pub(super) fn end(&mut self) -> Vec<u8> {
        let waiting = std::mem::take(&mut self.waiting);
        let columns = self.columns.insert(Columns::of(&waiting, self.terminal));
        let lines = waiting.iter().map(|entry| columns.line(entry));
        lines.collect::<String>().into_bytes()
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
            size: most(|entry| entry.size.map_or(0, |size| size.to_string().len())),
            has_date: entries.iter().any(|entry| entry.modified.is_some()),
            name: most(|entry| match entry.kind {
                EntryKind::Text => 0,
                _ => width(&safe(&entry.name)).min(40),
            }),
            screen: if terminal {
                columns(std::io::stdout()).unwrap_or(80)
            } else {
                usize::MAX
            },
            quiet: if terminal && AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
            {
                DIM
            } else {
                Style::new()
            },
        }
    }

    fn line(&self, entry: &Entry) -> String {
        let (mut line, quiet) = (String::new(), self.quiet);
        // The kind of a line of text would tell nothing new.
        let kind = if entry.kind == EntryKind::Text {
            ""
        } else {
            entry.kind.as_str()
        };
        let _ = write!(line, "{kind:0$}", self.kind);
        for (name, most) in SHOWN.iter().zip(self.details) {
            if most > 0 {
                let detail = detail(entry, name);
                let fill = most.saturating_sub(width(&detail));
                let _ = write!(line, "  {detail}{:fill$}", "");
            }
        }
        if self.size > 0 {
            let size = entry.size.map_or(String::new(), |size| size.to_string());
            let _ = write!(line, "  {size:>0$}", self.size);
        }
        if self.has_date {
            let date = entry.modified.map_or(String::new(), |date| {
                date.strftime("%Y-%m-%d %H:%M").to_string()
            });
            let _ = write!(line, "  {date:16}");
        }
        let name = safe(&entry.name);
        let _ = write!(line, "  {name}");
        if let Some(reference) = &entry.reference {
            let reference = safe(reference);
            let before = width(&line);
            let fill = self.name.saturating_sub(width(&name));
            if before + fill + 2 + width(&reference) <= self.screen {
                let _ = write!(line, "{:fill$}  {quiet}{reference}{quiet:#}", "");
            } else {
                let indent = self.kind + 4;
                let _ = write!(line, "\n{:indent$}{quiet}{reference}{quiet:#}", "");
            }
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    }
}

/// The detail of this name, safe to print; empty if there is none.
fn detail(entry: &Entry, name: &str) -> String {
    let mut details = entry.details.iter();
    let found = details.find(|(found, _)| *found == name);
    found.map_or(String::new(), |(_, value)| safe(value).into_owned())
}

/// An entry as JSON. The keys and their order are a public interface.
struct Record<'a>(&'a Entry);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(entry) = self;
        let mut object = serializer.serialize_struct("Entry", 6)?;
        object.serialize_field("name", &entry.name)?;
        object.serialize_field("kind", entry.kind.as_str())?;
        object.serialize_field("reference", &entry.reference)?;
        object.serialize_field("size", &entry.size)?;
        object.serialize_field("modified", &entry.modified.map(|date| date.to_string()))?;
        object.serialize_field("details", &Details(&entry.details))?;
        object.end()
    }
}

struct Details<'a>(&'a [(&'static str, String)]);

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
