//! Inputs that are values of a table: one file for each format.
//!
//! | format | an input is | it is recognised |
//! |---|---|---|
//! | `csv` | the cell of a column, of CSV or TSV | by `--column` |
//! | `json` | the string under a key, of JSON lines | by `--field` |
//! | `cdxj` | the `url` of an index of web archives | by its first line, or by `--field` |
//! | `warc` | a `WARC-Target-URI` field of a web archive | by its first line |
//! | `parquet` | a value of a column | by its first and last bytes |
//!
//! Each gives one record after the other, of which `Filler` makes batches; `parquet` gives batches.

mod csv;
mod json;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
mod records;
mod warc;

#[cfg(feature = "parquet")]
pub(super) use parquet::Rows;
use records::Records;
pub(super) use records::{Cells, Filler, PREFIX, Prefixed, prefix};
use std::io::{self, Read};

/// Which values of a table are inputs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Choice {
    /// `--column`: the name or number of a column.
    pub(crate) column: Option<String>,
    /// `--field`: the key of objects.
    pub(crate) field: Option<String>,
}

/// The records of a stream, as its first bytes and the options say; `None` if its inputs are lines.
///
/// # Errors
///
/// If it is of a format that cannot be read from a stream.
pub(super) fn records(
    stream: &mut Option<Box<dyn Read + Send>>,
    begin: &[u8],
    choice: &Choice,
    is_live: bool,
    is_compressed: bool,
    max: usize,
) -> io::Result<Option<Box<dyn Records>>> {
    let mut take = || stream.take().unwrap_or_else(|| Box::new(io::empty()));
    // The first letters are followed by a length, which no text has.
    if begin.starts_with(b"PAR1")
        && begin
            .get(4)
            .is_some_and(|byte| *byte < b'\t' || *byte == 0x15)
    {
        // A file with both ends is not read as a stream.
        let message = if cfg!(feature = "parquet") && !is_live && !is_compressed {
            "not valid Parquet: the end of the file is missing"
        } else {
            "Parquet is read from files, not from pipes or compressed files"
        };
        return Err(io::Error::other(message));
    }
    Ok(Some(match (&choice.column, &choice.field) {
        (Some(column), _) => Box::new(csv::Csv::new(take(), column, is_live, max)),
        (None, None) if warc::is_warc(begin) => Box::new(warc::Warc::new(take(), max)),
        (None, field) if json::is_cdxj(begin) => {
            let field = field.as_deref().unwrap_or("url");
            Box::new(json::Cdxj::new(take(), field, max))
        }
        (None, Some(field)) => Box::new(json::JsonLines::new(take(), field, max)),
        (None, None) => return Ok(None),
    }))
}
