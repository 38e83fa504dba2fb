//! Parquet: a column of text.
//!
//! A column of a row group consists of pages, each with a header. The thread that hands out work
//! reads only the headers, and cuts the column into runs of pages. Each run is decompressed and
//! decoded on a thread, several at once. Of a run, one page is in memory at a time.

mod column;
mod guard;
mod headers;
mod others;
mod plain;
mod positional;
mod row_group;
mod values;

pub(in crate::input) use row_group::{Pages, RowGroup};
pub(in crate::input) use values::{Rows, Values};

use crate::input::meter::Meter;
use guard::guarded;
use parquet::file::metadata::ParquetMetaDataReader;
use positional::Positional;
use row_group::Table;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

/// What a file begins and ends with.
const MAGIC: [u8; 4] = *b"PAR1";

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
    meter: &Arc<Meter>,
) -> io::Result<Vec<RowGroup>> {
    let length = file.metadata()?.len();
    let file = Positional::new(file);
    let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&file))?;
    let column = column::find(metadata.file_metadata().schema_descr(), column)?;
    let chunks = || metadata.row_groups().iter().map(|it| it.column(column));
    let lengths = || chunks().map(|it| u64::try_from(it.compressed_size()).unwrap_or(0));
    let column_length = guarded(|| Ok(lengths().fold(0, u64::saturating_add)))?;
    let mut first = 1_u64;
    let rows = metadata.row_groups().iter().map(|group| {
        let row = first;
        first = first.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
        row
    });
    let rows: Vec<_> = rows.collect();
    let table = Arc::new(Table {
        file,
        metadata,
        column,
        meter: Arc::clone(meter),
        length,
        column_length,
    });
    let group = |(nth, row)| RowGroup::new(Arc::clone(&table), nth, row);
    Ok(rows.into_iter().enumerate().map(group).collect())
}
