//! Reads inputs from tables. Each submodule reads one or two formats.
//!
//! | format | input | detected by |
//! |---|---|---|
//! | CSV, TSV | a cell of a column | `--column` |
//! | JSON lines | the string under a key | `--field` |
//! | CDXJ | the `url` of an entry | its first line |
//! | WARC | a `WARC-Target-URI` field | its first line |
//! | Parquet | a value of a column | its first and last bytes |
//!
//! Most readers return one record after another, and [`Filler`] collects them into batches. The
//! Parquet reader itself returns batches.

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

/// The options that select the inputs in a table.
#[derive(Clone, Default, Debug)]
pub(crate) struct Choice {
    /// `--column`: the name or number of a column.
    pub(crate) column: Option<String>,
    /// `--field`: the key of objects.
    pub(crate) field: Option<String>,
}

/// Returns a reader for a stream, chosen by its first bytes and the options. Returns `None` if the
/// inputs are plain lines.
///
/// # Errors
///
/// Fails for Parquet, which cannot be read from a stream.
pub(super) fn records(
    stream: &mut Option<Box<dyn Read + Send>>,
    begin: &[u8],
    choice: &Choice,
    is_live: bool,
    is_compressed: bool,
    max: usize,
) -> io::Result<Option<Box<dyn Records>>> {
    let mut take = || stream.take().unwrap_or_else(|| Box::new(io::empty()));
    // Binary data after the magic number distinguishes Parquet from text that begins with `PAR1`.
    if begin.starts_with(b"PAR1")
        && begin
            .get(4)
            .is_some_and(|byte| *byte < b'\t' || *byte == 0x15)
    {
        // Complete Parquet files are opened elsewhere, so this one is damaged.
        let message = if cfg!(feature = "parquet") && !is_live && !is_compressed {
            "not valid Parquet: the end of the file is missing"
        } else {
            "Parquet can only be read from uncompressed files, not from pipes"
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
