//! Reads inputs from tables. Each submodule reads one or two formats.
//!
//! | format | input | detected by |
//! |---|---|---|
//! | CSV, TSV | a cell of a column | `--column` |
//! | JSON lines | the string under a key | `--field` |
//! | CDX | the original URL of an entry | its first line |
//! | CDXJ | the `url` of an entry | its first line |
//! | WARC | a `WARC-Target-URI` field | its first line |
//! | Parquet | a value of a column | its first and last bytes |
//!
//! `--input-format` specifies a format that is not detected. Most readers return one record after
//! another, and [`Filler`] collects them into batches. The Parquet reader itself returns batches.

mod cdx;
mod csv;
mod json;
mod layout;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
mod records;
mod warc;

use crate::missing::built_without;
pub(crate) use csv::{split_end, split_row, write_cell};
pub(crate) use layout::{Layout, LayoutKind};
#[cfg(feature = "parquet")]
pub(super) use parquet::Rows;
use records::Records;
pub(super) use records::{Cells, Filler, PREFIX, Prefixed, Start, prefix};
use std::io::{self, Read};

/// The options that select the inputs in a table.
#[derive(Clone, Default, Debug)]
pub(crate) struct Choice {
    /// `--column`: the name or number of a column.
    pub(crate) column: Option<String>,
    /// `--field`: the key whose values are read from JSON objects.
    pub(crate) field: Option<String>,
    /// `--input-format`.
    pub(crate) format: Option<InputFormat>,
    /// The names of the added columns, if rows are kept.
    pub(crate) added: Option<Vec<String>>,
}

/// The values of `--input-format`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputFormat {
    /// One reference per line
    Lines,
    /// Comma-separated values; needs --column
    Csv,
    /// Tab-separated values; needs --column
    Tsv,
    /// JSON lines; needs --field
    Jsonl,
    /// An index of a web archive, with space-separated fields
    Cdx,
    /// An index of a web archive, with JSON objects
    Cdxj,
    /// A web archive
    Warc,
}

impl Choice {
    /// Returns the format of a stream that begins with these bytes.
    fn format_of(&self, begin: &[u8]) -> InputFormat {
        match (self.format, &self.column, &self.field) {
            (Some(format), _, _) => format,
            (None, Some(_), _) => InputFormat::Csv,
            (None, None, None) if warc::is_warc(begin) => InputFormat::Warc,
            (None, None, None) if cdx::is_cdx(begin) => InputFormat::Cdx,
            (None, None, _) if json::is_cdxj(begin) => InputFormat::Cdxj,
            (None, None, Some(_)) => InputFormat::Jsonl,
            (None, None, None) => InputFormat::Lines,
        }
    }
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
        // Complete Parquet files are opened elsewhere, so this file is damaged.
        let message = if cfg!(not(feature = "parquet")) {
            built_without("Parquet", "parquet")
        } else if is_live || is_compressed {
            "Parquet can be read only from uncompressed files, not from pipes".to_owned()
        } else {
            "not valid Parquet: the end of the file is missing".to_owned()
        };
        return Err(io::Error::other(message));
    }
    let format = choice.format_of(begin);
    let (column, field) = (choice.column.as_deref(), choice.field.as_deref());
    let separator = match format {
        InputFormat::Csv if choice.format.is_some() => Some(b','),
        InputFormat::Tsv => Some(b'\t'),
        _ => None,
    };
    let added = choice.added.clone();
    Ok(Some(match format {
        InputFormat::Csv | InputFormat::Tsv => {
            let column = column.unwrap_or_default();
            let csv = csv::Csv::new(take(), column, separator, is_live, max);
            Box::new(csv.keeping_rows(added.is_some()))
        }
        InputFormat::Jsonl => {
            let lines = json::JsonLines::new(take(), field.unwrap_or_default(), max);
            Box::new(lines.keeping_rows(added))
        }
        InputFormat::Cdx => Box::new(cdx::Cdx::new(take(), max)),
        InputFormat::Cdxj => Box::new(json::Cdxj::new(take(), field.unwrap_or("url"), max)),
        InputFormat::Warc => Box::new(warc::Warc::new(take(), max)),
        InputFormat::Lines => return Ok(None),
    }))
}
