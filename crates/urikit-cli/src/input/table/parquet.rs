//! Reads a text column of Parquet files.
//!
//! The reading thread reads only the headers of pages, and hands out runs of pages. Workers
//! decompress and decode the runs in parallel.

use super::layout::{Layout, LayoutKind};
use super::records::{Cells, Prefixed, invalid};
use crate::input::meter::Meter;
use crate::input::partitions::partitions;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use urikit_parquet::{Decoded, Error, MAGIC, Table, Without};

/// Returns true if a file is Parquet.
pub(in crate::input) fn is_parquet(file: &File) -> bool {
    let mut ends = [[0; 4]; 2];
    let [begin, end] = &mut ends;
    let length = file.metadata().map_or(0, |it| it.len());
    length > 12
        && file.read_exact_at(begin, 0).is_ok()
        && *begin == MAGIC
        && file.read_exact_at(end, length - 4).is_ok()
        && *end == MAGIC
}

/// Returns the columns of a file: the outermost fields of its schema, and the partition columns.
///
/// # Errors
///
/// Fails if the file is invalid.
pub(in crate::input) fn layout(path: &Path) -> io::Result<Layout> {
    let table = Table::open(File::open(path)?).map_err(failed)?;
    let mut names: Vec<String> = table.columns().map(|it| it.outermost()).collect();
    names.dedup();
    for (name, _) in partitions(path) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(Layout {
        kind: LayoutKind::Parquet,
        names,
        header: Vec::new(),
    })
}

/// A column with its remaining row groups.
pub(in crate::input) struct Column {
    groups: urikit_parquet::RowGroups,
    /// The current row group.
    group: Option<urikit_parquet::RowGroup>,
    /// The name of the column, for messages.
    name: Arc<str>,
    progress: Progress,
}

/// Scales the number of bytes read from the column to the length of the file, to show progress.
#[derive(Clone)]
struct Progress {
    meter: Arc<Meter>,
    file: u64,
    column: u64,
}

impl Progress {
    fn add(&self, bytes: u64) {
        let share = u128::from(bytes) * u128::from(self.file) / u128::from(self.column.max(1));
        self.meter.add(u64::try_from(share).unwrap_or(0));
    }
}

/// A run of pages that has not been read yet.
pub(in crate::input) struct Pages {
    run: urikit_parquet::Pages,
    name: Arc<str>,
    progress: Progress,
}

/// The values of a run of pages.
pub(in crate::input) struct Values {
    decoder: urikit_parquet::Values,
    name: Arc<str>,
    /// The maximum length of a value, in bytes.
    max: usize,
}

/// Consecutive rows.
pub(in crate::input) enum Rows {
    /// Values as stored in a page.
    Prefixed(Prefixed),
    Cells(Cells),
}

impl Column {
    /// Opens the column with this name or number. Without a name, the file must have a single text
    /// column.
    ///
    /// # Errors
    ///
    /// Fails if the column does not exist, or if the file is invalid.
    pub(in crate::input) fn open(
        file: File,
        name: Option<&str>,
        meter: &Arc<Meter>,
    ) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let table = Table::open(file).map_err(failed)?;
        let column = find(&table, name)?;
        let path = table.columns().nth(column).map(|it| shown(&it.path()));
        let groups = table.row_groups(column).map_err(failed)?;
        let progress = Progress {
            meter: Arc::clone(meter),
            file: length,
            column: groups.bytes(),
        };
        Ok(Self {
            groups,
            group: None,
            name: path.unwrap_or_default().into(),
            progress,
        })
    }

    /// Removes and returns the next run of pages. Returns `None` after the last run.
    ///
    /// # Errors
    ///
    /// Fails if the rest of a row group cannot be read. The next call continues with the next row
    /// group.
    pub(in crate::input) fn next(&mut self) -> io::Result<Option<Pages>> {
        loop {
            let Some(group) = &mut self.group else {
                self.group = self.groups.next();
                if self.group.is_none() {
                    return Ok(None);
                }
                continue;
            };
            let rows = group.rows();
            match group.next_pages() {
                Ok(Some(pages)) => {
                    return Ok(Some(Pages {
                        run: pages,
                        name: Arc::clone(&self.name),
                        progress: self.progress.clone(),
                    }));
                }
                Ok(None) => self.group = None,
                Err(error) => {
                    self.group = None;
                    return Err(lost(&rows, &error));
                }
            }
        }
    }
}

impl Pages {
    /// Returns the number of rows.
    pub(in crate::input) fn rows(&self) -> u64 {
        let rows = self.run.rows();
        rows.end - rows.start
    }

    /// Returns the values, each of which may be up to `max` bytes long.
    pub(in crate::input) fn values(self, max: usize) -> Values {
        self.progress.add(self.run.bytes());
        Values {
            decoder: self.run.values(max),
            name: self.name,
            max,
        }
    }
}

impl Values {
    /// Returns the next rows with the number of the first row, or `None` after the last. Decoded
    /// values are copied to `memory`.
    ///
    /// # Errors
    ///
    /// Fails if the remaining rows cannot be read.
    pub(in crate::input) fn next(&mut self, memory: Vec<u8>) -> io::Result<Option<(u64, Rows)>> {
        let rows = self.decoder.rows();
        let next = self.decoder.next_rows(memory);
        let next = next.map_err(|error| lost(&rows, &error))?;
        Ok(next.map(|next| {
            let next = match next {
                urikit_parquet::Rows::Stored(stored) => Rows::Prefixed(Prefixed {
                    data: stored.data,
                    count: stored.count,
                }),
                urikit_parquet::Rows::Decoded(decoded) => Rows::Cells(self.cells(decoded)),
            };
            (rows.start, next)
        }))
    }

    fn cells(&self, decoded: Decoded) -> Cells {
        let why = |without| match without {
            Without::Null => format!("`{}` has no value", self.name),
            Without::TooLong => Cells::too_long(self.max),
        };
        let without = decoded.without.into_iter();
        Cells {
            data: decoded.data,
            ends: decoded.ends,
            broken: without.map(|(nth, it)| (nth, why(it).into())).collect(),
            ..Cells::default()
        }
    }
}

/// The maximum number of names in a message, and of characters in a name.
const NAMES: usize = 50;
const CHARACTERS: usize = 100;

/// Shortens the name of a column for a message.
fn shown(name: &str) -> String {
    match name.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Finds the column with this name or number or, if none is given, the only text column. Returns
/// its index.
///
/// # Errors
///
/// Fails if the column does not exist or is not text.
fn find(table: &Table, name: Option<&str>) -> io::Result<usize> {
    let columns = || table.columns().enumerate();
    let names = || {
        let names = columns().take(NAMES).map(|(_, it)| shown(&it.path()));
        names.collect::<Vec<_>>().join(", ")
    };
    let Some(name) = name else {
        let mut texts = columns().filter(|(_, it)| it.is_text());
        return match (texts.next(), texts.next()) {
            (Some((only, _)), None) => Ok(only),
            _ => Err(invalid(format!(
                "choose a column with --column: {}",
                names()
            ))),
        };
    };
    let numbered = || name.parse::<usize>().ok()?.checked_sub(1);
    let mut same = columns().filter(|(_, it)| it.is_named(name));
    let found = match (same.next(), same.next()) {
        (Some(_), Some(_)) => {
            return Err(invalid(format!(
                "several columns have the name `{name}`; give a column number instead"
            )));
        }
        (Some((nth, _)), None) => Some(nth),
        (None, _) => numbered(),
    };
    match found.and_then(|nth| table.columns().nth(nth).map(|it| (nth, it))) {
        Some((nth, column)) if column.is_text() => Ok(nth),
        Some(_) => Err(invalid(format!("the column `{name}` is not text"))),
        None => Err(invalid(format!(
            "no column `{name}`; the columns are {}",
            names()
        ))),
    }
}

fn failed(error: Error) -> io::Error {
    match error {
        Error::Io(error) => io::Error::new(error.kind(), error),
        other => invalid(other.to_string()),
    }
}

/// Adds the numbers of the unreadable rows to an error.
fn lost(rows: &Range<u64>, error: &Error) -> io::Error {
    match rows.end.saturating_sub(rows.start) {
        0 => invalid(error.to_string()),
        1 => invalid(format!("row {}: {error}", rows.start)),
        _ => invalid(format!("rows {} to {}: {error}", rows.start, rows.end - 1)),
    }
}
