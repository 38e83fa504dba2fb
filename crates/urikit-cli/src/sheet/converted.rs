//! Writes the rows of Parquet files, with columns added, as CSV or JSON lines.
//!
//! Each column is read from its own pages, only one of which is in memory at a time, so the number
//! of rows does not affect memory use.

use super::Sheet;
use super::sources::{Sources, Unpacker, invalid, too_many};
use super::values::ValueKind;
use crate::exit::OfInput;
use crate::stdout::{Out, Stdout};
use std::io::{self, Write};
use std::path::PathBuf;
use urikit_parquet::Entries;

/// The maximum size of the pages that are in memory, in bytes.
const MAX_PAGES: u64 = 512 << 20;

/// The number of bytes that are written at a time.
const ENOUGH: usize = 64 << 10;

/// The format of the rows.
pub(crate) enum RowFormat {
    Sheet(Sheet),
    /// JSON objects with these keys.
    Json(Vec<String>),
}

/// Accepts packed rows of added values, and writes them with the rows of the files.
pub(crate) struct Converted {
    out: Stdout,
    format: RowFormat,
    sources: Sources,
    kinds: Vec<ValueKind>,
    /// The columns of the current row group.
    columns: Vec<Entries>,
    /// The number of rows that have arrived for the current row group.
    rows: u64,
    /// The number of columns to add.
    added: usize,
    unpacker: Unpacker,
    /// The rows that are written next.
    text: Vec<u8>,
    /// The number of values that cannot be written, and the file of the first one.
    left_out: (u64, PathBuf),
}

/// A value of the current row.
struct Cell {
    /// The end of the value in the text of all values.
    end: usize,
    /// False if the value is null.
    is_there: bool,
    /// True if JSON writes the value without quotation marks.
    is_literal: bool,
}

impl Converted {
    /// Checks the files. `format` receives the names of all columns, and returns the format of the
    /// rows.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or has different columns from the first one, or if the
    /// values of a column cannot be written as text.
    pub(crate) fn new(
        out: Stdout,
        paths: Vec<PathBuf>,
        added: &[String],
        format: impl FnOnce(Vec<String>) -> RowFormat,
    ) -> io::Result<Self> {
        let path = paths.first().cloned().unwrap_or_default();
        let (sources, head) = Sources::new(paths)?;
        let mut kinds = Vec::new();
        let mut names = Vec::new();
        for column in &head.columns {
            let kind = ValueKind::of(column).map_err(|why| {
                let name = column.path().string();
                let message =
                    format!("the column `{name}` {why}, so rows can be written only as Parquet");
                OfInput::error(&path, io::Error::other(message))
            })?;
            kinds.push(kind);
            names.push(column.name().to_owned());
        }
        names.extend(head.partitions);
        names.extend_from_slice(added);
        let format = format(names);
        Ok(Self {
            out,
            text: match &format {
                RowFormat::Sheet(sheet) => sheet.header(),
                RowFormat::Json(_) => Vec::new(),
            },
            format,
            sources,
            kinds,
            columns: Vec::new(),
            rows: 0,
            added: added.len(),
            unpacker: Unpacker::default(),
            left_out: (0, PathBuf::new()),
        })
    }

    /// Accepts a row. A row without values is dropped.
    fn row(&mut self, added: Option<&[Option<&[u8]>]>) -> io::Result<()> {
        let rows = self.sources.group_rows()?.ok_or_else(too_many)?;
        self.begin_group()
            .and_then(|()| self.write_row(added))
            .map_err(|error| self.sources.error(error))?;
        self.rows += 1;
        if self.rows == rows {
            if let Some(open) = &mut self.sources.open {
                open.group += 1;
            }
            self.rows = 0;
            self.columns.clear();
        }
        if self.text.len() >= ENOUGH {
            self.write_text()?;
        }
        Ok(())
    }

    /// Opens the columns of the current row group, unless they are open.
    fn begin_group(&mut self) -> io::Result<()> {
        let Some(open) = self.sources.open.as_ref().filter(|_| self.rows == 0) else {
            return Ok(());
        };
        let columns = (0..self.kinds.len()).map(|nth| {
            let place = open.place(nth)?;
            open.table.entries(place).map_err(invalid)
        });
        self.columns = columns.collect::<io::Result<_>>()?;
        Ok(())
    }

    fn write_row(&mut self, added: Option<&[Option<&[u8]>]>) -> io::Result<()> {
        let mut data = Vec::new();
        let mut cells = Vec::with_capacity(self.kinds.len() + self.added);
        let mut memory = 0_u64;
        let is_json = matches!(self.format, RowFormat::Json(_));
        for (column, kind) in self.columns.iter_mut().zip(&self.kinds) {
            let start = data.len();
            let entry = column.next_entry().map_err(invalid)?;
            let entry = entry.ok_or_else(|| io::Error::other("a row is missing"))?;
            let mut is_there = entry.value.is_some();
            if let Some(value) = entry.value {
                let is_written = kind.write(value, &mut data).is_some();
                let written = data.get(start..).unwrap_or_default();
                let is_text = !is_json || std::str::from_utf8(written).is_ok();
                // JSON cannot represent NaN or infinities.
                let is_number = !is_json
                    || *kind != ValueKind::Float
                    || written.last().is_some_and(u8::is_ascii_digit);
                is_there = is_written && is_text && is_number;
                if !is_written || !is_text {
                    self.left_out.0 += 1;
                    if let Some(open) = self.sources.open.as_ref().filter(|_| self.left_out.0 == 1)
                    {
                        self.left_out.1.clone_from(&open.path);
                    }
                }
            }
            if !is_there {
                data.truncate(start);
            }
            cells.push(Cell {
                end: data.len(),
                is_there,
                is_literal: kind.is_literal(),
            });
            memory = memory.saturating_add(column.memory());
            if memory > MAX_PAGES {
                let most = MAX_PAGES >> 20;
                return Err(io::Error::other(format!(
                    "the pages of a row exceed {most} MiB"
                )));
            }
        }
        let Some(added) = added else {
            return Ok(());
        };
        let partitions = self.sources.open.iter().flat_map(|open| &open.partitions);
        let partitions = partitions.map(|value| value.as_deref().map(str::as_bytes));
        for value in partitions.chain(added.iter().copied()) {
            data.extend_from_slice(value.unwrap_or_default());
            cells.push(Cell {
                end: data.len(),
                is_there: value.is_some(),
                is_literal: false,
            });
        }
        let mut start = 0;
        let values = cells.iter().map(|cell| {
            let value = data.get(start..cell.end).filter(|_| cell.is_there);
            start = cell.end;
            value
        });
        match &self.format {
            RowFormat::Sheet(sheet) => sheet.row(&mut self.text, &values.collect::<Vec<_>>()),
            RowFormat::Json(names) => {
                let mut before = b'{';
                for ((name, value), cell) in names.iter().zip(values).zip(&cells) {
                    self.text.push(before);
                    before = b',';
                    serde_json::to_writer(&mut self.text, name)?;
                    self.text.push(b':');
                    match value {
                        Some(value) if cell.is_literal => self.text.extend_from_slice(value),
                        Some(value) => {
                            // INVARIANT: the value is UTF-8.
                            let value = String::from_utf8_lossy(value);
                            serde_json::to_writer(&mut self.text, &value)?;
                        }
                        None => self.text.extend_from_slice(b"null"),
                    }
                }
                self.text.extend_from_slice(b"}\n");
                Ok(())
            }
        }
    }

    fn write_text(&mut self) -> io::Result<()> {
        let written = self.out.write_all(&self.text);
        self.text.clear();
        written
    }
}

impl Write for Converted {
    fn write(&mut self, packed: &[u8]) -> io::Result<usize> {
        let mut unpacker = std::mem::take(&mut self.unpacker);
        unpacker.add(packed, self.added, |row| self.row(row))?;
        self.unpacker = unpacker;
        Ok(packed.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_text()?;
        self.out.flush()
    }
}

impl Out for Converted {
    fn end(&mut self) -> io::Result<()> {
        self.flush()?;
        self.sources.end(self.rows)?;
        match &self.left_out {
            (0, _) => Ok(()),
            (count, path) => {
                let message = format!(
                    "{count} values are left out: they are not UTF-8, which this format requires, \
                     or not in the years -9999 to 9999"
                );
                Err(OfInput::error(path, io::Error::other(message)))
            }
        }
    }
}
