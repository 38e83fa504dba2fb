//! Parquet: a column of text.
//!
//! A file is read by row groups, several at once on several threads. Of a row group, one page of
//! the column is in memory at a time.

mod guard;
mod plain;
mod positional;
mod values;

use super::records::invalid;
use crate::input::meter::Meter;
use guard::guarded;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;
use positional::Positional;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use values::{End, Values};

/// What a file begins and ends with.
const MAGIC: [u8; 4] = *b"PAR1";

/// A Parquet file with the column to read.
pub(in crate::input) struct Table {
    reader: SerializedFileReader<Positional>,
    /// The column's number, from 0.
    column: usize,
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
    let reader = guarded(|| SerializedFileReader::new(Positional::new(file)))?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let column = find(schema, column)?;
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
            meter,
            ..
        } = &*self.table;
        let pages = guarded(|| {
            reader
                .get_row_group(self.nth)?
                .get_column_page_reader(*column)
        })?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let end = End {
            meter: Arc::clone(meter),
            share: self.share,
        };
        Ok(Values::new(pages, schema.column(*column), self.first, end))
    }
}
