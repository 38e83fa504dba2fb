//! Reads a text column of Parquet files.
//!
//! A column of a row group consists of pages, each with a header. The reading thread only reads the
//! headers, and splits the column into runs of pages. Worker threads decompress and decode the runs
//! in parallel. Each worker holds one page of its run in memory.

mod pages;
mod values;

use super::records::invalid;
use crate::input::meter::Meter;
pub(in crate::input) use pages::{Pages, RowGroup};
use pages::{Positional, Table};
use parquet::basic::Type as Physical;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::schema::types::SchemaDescriptor;
use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};
pub(in crate::input) use values::{Rows, Values};

/// The magic number at both ends of a file.
const MAGIC: [u8; 4] = *b"PAR1";

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

/// Returns the row groups of a file, to read the column of this name or number. Without a name, the
/// file must have a single text column.
///
/// # Errors
///
/// Fails if the column does not exist, or if the file is invalid.
pub(in crate::input) fn row_groups(
    file: File,
    column: Option<&str>,
    meter: &Arc<Meter>,
) -> io::Result<Vec<RowGroup>> {
    let length = file.metadata()?.len();
    let file = Positional::new(file);
    let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&file))?;
    let column = find_column(metadata.file_metadata().schema_descr(), column)?;
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

/// Finds the column of this name or number, or else the only text column. Returns its index.
///
/// # Errors
///
/// Fails if the column does not exist or is not text.
fn find_column(schema: &SchemaDescriptor, name: Option<&str>) -> io::Result<usize> {
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
            _ => Err(invalid(format!(
                "choose a column with --column: {}",
                names()
            ))),
        };
    };
    let with_name = columns.iter().position(|it| it.path().string() == name);
    let numbered = || {
        let number: usize = name.parse().ok()?;
        number.checked_sub(1).filter(|nth| *nth < columns.len())
    };
    match with_name.or_else(numbered) {
        Some(nth) if is_text(nth) => Ok(nth),
        Some(_) => Err(invalid(format!("the column `{name}` is not text"))),
        None => Err(invalid(format!(
            "no column `{name}`; the columns are {}",
            names()
        ))),
    }
}

/// Runs `work`, and returns panics as errors. The library panics for some damaged files.
fn guarded<T>(work: impl FnOnce() -> ParquetResult<T>) -> io::Result<T> {
    let Some(result) = unless_it_panics(work) else {
        return Err(invalid("not valid Parquet"));
    };
    result.map_err(|error| match error {
        ParquetError::General(message) if message.contains("Disabled feature") => {
            let codec = message.rsplit(' ').next().unwrap_or_default();
            invalid(format!("compressed with {codec}, which is not supported"))
        }
        ParquetError::EOF(message) | ParquetError::General(message) => {
            invalid(format!("not valid Parquet: {message}"))
        }
        other => invalid(other.to_string()),
    })
}

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`, or `None` if it panics. Nothing is printed about the panic.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                print(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    outcome.ok()
}
