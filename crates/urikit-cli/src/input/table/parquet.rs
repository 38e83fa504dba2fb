//! Parquet: a column of text.
//!
//! A file is read by row groups, several at once on several threads. Of a row group, one page of
//! the column is in memory at a time.

use super::cells::Cells;
use super::records::{Records, invalid};
use crate::input::meter::Meter;
use bytes::Bytes;
use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, FileReader as _, Length, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// How many records are decoded at once.
const AT_ONCE: usize = 1024;

/// What a file begins and ends with.
const MAGIC: [u8; 4] = *b"PAR1";

/// A Parquet file with the column to read.
pub(in crate::input) struct Table {
    reader: SerializedFileReader<Positional>,
    /// The column's number, from 0.
    column: usize,
    name: String,
    meter: Arc<Meter>,
    /// In bytes.
    length: u64,
}

/// One of its row groups.
#[derive(Clone)]
pub(in crate::input) struct RowGroup {
    table: Arc<Table>,
    nth: usize,
    /// The number of its first row, from 1.
    pub(in crate::input) first: u64,
    /// What it is of the file, in bytes.
    share: u64,
}

/// Whether a file is Parquet.
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

/// The row groups of a file, for its column of this name or number; without one, for the only
/// column of text.
///
/// # Errors
///
/// If there is no such column, or the file is not valid.
pub(in crate::input) fn row_groups(
    file: File,
    column: Option<&str>,
    meter: Arc<Meter>,
) -> io::Result<Vec<RowGroup>> {
    let length = file.metadata()?.len();
    let reader = guarded(|| {
        SerializedFileReader::new(Positional {
            file: Arc::new(file),
        })
    })?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let column = find(schema, column)?;
    let name = schema.column(column).path().string();
    let mut first = 1;
    let count = metadata.num_row_groups();
    let mut rows = Vec::with_capacity(count);
    for group in metadata.row_groups() {
        rows.push(first);
        first += u64::try_from(group.num_rows()).unwrap_or(0);
    }
    let table = Arc::new(Table {
        reader,
        column,
        name,
        meter,
        length,
    });
    let groups = rows.into_iter().enumerate().map(|(nth, first)| RowGroup {
        share: table.length / count as u64,
        table: Arc::clone(&table),
        nth,
        first,
    });
    Ok(groups.collect())
}

/// The column of this name or number, from 0.
fn find(schema: &SchemaDescriptor, name: Option<&str>) -> io::Result<usize> {
    let columns = schema.columns();
    let is_text = |nth: usize| {
        columns
            .get(nth)
            .is_some_and(|it| it.physical_type() == Physical::BYTE_ARRAY && it.max_rep_level() == 0)
    };
    let names = || {
        let names: Vec<_> = columns
            .iter()
            .take(50)
            .map(|it| it.path().string())
            .collect();
        names.join(", ")
    };
    let Some(name) = name else {
        let mut texts = (0..columns.len()).filter(|nth| is_text(*nth));
        return match (texts.next(), texts.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(invalid(format!("expected --column, one of {}", names()))),
        };
    };
    let with_name = columns.iter().position(|it| it.path().string() == name);
    let numbered = || {
        let number: usize = name.parse().ok()?;
        number.checked_sub(1).filter(|nth| *nth < columns.len())
    };
    match with_name.or_else(numbered) {
        Some(nth) if is_text(nth) => Ok(nth),
        Some(_) => Err(invalid(format!("the column `{name}` has no text"))),
        None => Err(invalid(format!(
            "expected the column `{name}`, but found {}",
            names()
        ))),
    }
}

/// Runs `work`, which reads what may be anything; a panic of the library is an error too.
fn guarded<T>(work: impl FnOnce() -> ParquetResult<T>) -> io::Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| match error {
            ParquetError::General(message) if message.contains("Disabled feature") => {
                let codec = message.rsplit(' ').next().unwrap_or_default();
                invalid(format!(
                    "it is compressed by {codec}, which is not supported"
                ))
            }
            ParquetError::EOF(message) | ParquetError::General(message) => {
                invalid(format!("not valid Parquet: {message}"))
            }
            other => invalid(other.to_string()),
        }),
        Err(_) => Err(invalid("not valid Parquet")),
    }
}

impl RowGroup {
    /// Its records.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(in crate::input) fn records(self) -> io::Result<Values> {
        let Table {
            reader,
            column,
            name,
            ..
        } = &*self.table;
        let column_reader = guarded(|| reader.get_row_group(self.nth)?.get_column_reader(*column))?;
        let ColumnReader::ByteArrayColumnReader(reader) = column_reader else {
            return Err(invalid(format!("the column `{name}` has no text")));
        };
        let schema = self.table.reader.metadata().file_metadata().schema_descr();
        let highest = schema.column(*column).max_def_level();
        Ok(Values {
            reader,
            highest,
            levels: Vec::new(),
            decoded: Vec::new().into_iter(),
            at: 0,
            row: self.first,
            group: self,
        })
    }
}

/// The values of a row group.
pub(in crate::input) struct Values {
    reader: ColumnReaderImpl<ByteArrayType>,
    /// The level of a value that is there.
    highest: i16,
    /// Of the records that were decoded, if values may be absent.
    levels: Vec<i16>,
    decoded: std::vec::IntoIter<ByteArray>,
    /// How many of these records were passed on.
    at: usize,
    /// The number of the next row, from 1.
    row: u64,
    group: RowGroup,
}

impl Values {
    /// Decodes the next records. Returns `false` after the last.
    fn decode(&mut self) -> io::Result<bool> {
        let mut values = Vec::with_capacity(AT_ONCE);
        self.levels.clear();
        self.at = 0;
        let may_be_absent = self.highest > 0;
        let levels = may_be_absent.then_some(&mut self.levels);
        let reader = &mut self.reader;
        let (count, ..) = guarded(|| reader.read_records(AT_ONCE, levels, None, &mut values))?;
        if !may_be_absent {
            self.levels.resize(count, 0);
        }
        self.decoded = values.into_iter();
        Ok(count > 0)
    }
}

impl Records for Values {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        if self.at == self.levels.len() && !self.decode()? {
            let table = &self.group.table;
            table.meter.add(std::mem::take(&mut self.group.share));
            return Ok(None);
        }
        let is_there = self.levels.get(self.at) == Some(&self.highest);
        self.at += 1;
        match self.decoded.as_slice().first() {
            Some(value) if is_there => {
                cells.push(value.data());
                self.decoded.next();
            }
            _ => cells.push_broken(format!("`{}` has no value", self.group.table.name)),
        }
        self.row += 1;
        Ok(Some(self.row - 1))
    }

    fn may_wait(&self) -> bool {
        false
    }
}

/// A file that several threads read at once.
struct Positional {
    file: Arc<File>,
}

impl Length for Positional {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |it| it.len())
    }
}

impl ChunkReader for Positional {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let file = Arc::clone(&self.file);
        Ok(BufReader::new(From { file, at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// A file from a place on.
struct From {
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
