//! `--output-format`: lines of text or JSON, or a table.

use crate::exit::Stop;
use crate::sheet::{Column, Format, Sheet};
use std::io::{self, IsTerminal as _};
use std::sync::Arc;

/// The values of `--output-format`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputFormat {
    /// What is printed without this option
    Text,
    /// JSON lines, as with --json
    Jsonl,
    /// Comma-separated values, with the names of the columns in the first row
    Csv,
    /// Parquet
    Parquet,
}

/// A table of `format` with these columns.
///
/// # Errors
///
/// A usage error of `subcommand` if it cannot be printed.
pub(super) fn sheet(
    format: Format,
    subcommand: &'static str,
    columns: &[Column],
) -> Result<Arc<Sheet>, Stop> {
    if columns.is_empty() {
        let message = format!("`uri {subcommand}` prints pages: it has no columns");
        return Err(Stop::usage(subcommand, message));
    }
    if format == Format::Parquet && cfg!(not(feature = "parquet")) {
        let message = "this program was built without Parquet";
        return Err(Stop::usage(subcommand, message));
    }
    if format == Format::Parquet && io::stdout().is_terminal() {
        let message = "Parquet is not for terminals: write it to a file, as in `> out.parquet`";
        return Err(Stop::usage(subcommand, message));
    }
    Ok(Arc::new(Sheet::new(format, columns)))
}
