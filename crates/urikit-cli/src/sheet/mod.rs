//! Results as the rows of a table: CSV (RFC 4180) and Parquet.
//!
//! A subcommand names its columns. Either it writes cells, or its records, as `--json` prints them,
//! are taken apart. Workers write rows to memory as all results; of Parquet, what `packed` makes of
//! them, because its columns are written one after another.

mod cells;
mod column;
mod csv;
mod out;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;

pub(crate) use column::Column;
pub(crate) use out::Out;

use crate::json;
use serde::Serialize;
use std::io;

/// The format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Csv,
    Parquet,
}

/// A table: its format and its columns.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Sheet {
    pub(crate) format: Format,
    columns: Vec<Column>,
}

impl Sheet {
    /// A table. Columns of one name get numbers.
    pub(crate) fn new(format: Format, columns: &[Column]) -> Self {
        let mut named: Vec<Column> = Vec::with_capacity(columns.len());
        for column in columns {
            let mut column = column.clone();
            let same = columns.iter().take(named.len());
            let before = same.filter(|it| it.name == column.name).count();
            if before > 0 && format == Format::Parquet {
                column.name = format!("{}_{}", column.name, before + 1).into();
            }
            named.push(column);
        }
        Self {
            format,
            columns: named,
        }
    }

    /// What precedes the rows.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.format == Format::Csv {
            // Writing to memory does not fail.
            let _ = csv::row(&mut out, self.columns.iter().map(|column| &*column.name));
        }
        out
    }

    /// Appends a row; `None` is an absent value.
    ///
    /// # Errors
    ///
    /// If it cannot be written, which never happens in memory.
    pub(crate) fn row<T: AsRef<[u8]>>(
        &self,
        out: &mut Vec<u8>,
        cells: &[Option<T>],
    ) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                let texts = cells.iter().map(|cell| match cell {
                    Some(text) => text.as_ref(),
                    None => b"",
                });
                csv::row(out, texts)
            }
            Format::Parquet => {
                packed::row(out, cells);
                Ok(())
            }
        }
    }

    /// Appends a row of absent values.
    ///
    /// # Errors
    ///
    /// As [`row`](Self::row).
    pub(crate) fn empty(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let cells: Vec<Option<&[u8]>> = vec![None; self.columns.len()];
        self.row(out, &cells)
    }

    /// Appends what a record has in the columns, by its keys.
    ///
    /// # Errors
    ///
    /// If it is no record.
    pub(crate) fn record(&self, out: &mut Vec<u8>, record: &impl Serialize) -> io::Result<()> {
        let mut line = Vec::new();
        json::line(&mut line, record, false)?;
        let cells = cells::of(&line, &self.columns)?;
        self.row(out, &cells)
    }

    /// Where rows go.
    ///
    /// # Errors
    ///
    /// If the beginning of a file cannot be written.
    pub(crate) fn out(&self, out: Box<dyn Out>) -> io::Result<Box<dyn Out>> {
        match self.format {
            Format::Csv => Ok(out),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                drop(out); // it holds standard output
                Ok(Box::new(parquet::Writer::new(io::stdout(), &self.columns)?))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let _ = out;
                Err(io::Error::other("this program was built without Parquet"))
            }
        }
    }
}
