//! Prints results as tables: CSV (RFC 4180), with commas or tabs, and Parquet.
//!
//! A subcommand declares its columns. The subcommand either writes the cells itself, or prints
//! JSON records, which are split into cells. Workers write rows to memory. For Parquet, which
//! stores one column after another, workers write the rows in a packed form.

#[cfg(feature = "parquet")]
mod converted;
#[cfg(feature = "parquet")]
mod extended;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod sources;
#[cfg(feature = "parquet")]
mod values;

use crate::stdout::Out;
#[cfg(feature = "parquet")]
use crate::stdout::stdout;
#[cfg(feature = "parquet")]
pub(crate) use converted::{Converted, RowFormat};
use csv::WriterBuilder;
#[cfg(feature = "parquet")]
pub(crate) use extended::Extended;
use serde::Serialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Error, Value};
#[cfg(feature = "parquet")]
pub(crate) use sources::pack_row;
use std::borrow::Cow;
use std::fmt;
use std::io;
use urikit_report::json;

/// The format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Csv {
        /// The separator: a comma or a tab.
        separator: u8,
    },
    Parquet,
}

/// A table: its format and its columns.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Sheet {
    pub(crate) format: Format,
    columns: Vec<Column>,
    /// True if no CSV cell may be interpreted as a formula.
    is_without_formulas: bool,
}

impl Sheet {
    /// Makes a table. An `error` column contains the error's message, and the last column is
    /// followed by columns for the error's other keys. In Parquet, which requires unique names,
    /// columns with equal names are numbered.
    pub(crate) fn new(format: Format, columns: &[Column]) -> Self {
        let mut columns = columns.to_vec();
        if columns.iter().any(|column| column.name == ERROR) {
            columns.extend(ERROR_KEYS.map(|key| Column {
                name: format!("{ERROR}_{key}").into(),
                kind: if key == "offset" {
                    Kind::Number
                } else {
                    Kind::Text
                },
            }));
        }
        let mut named: Vec<Column> = Vec::with_capacity(columns.len());
        for column in &columns {
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
            is_without_formulas: false,
        }
    }

    /// Sets whether an apostrophe is put before CSV cells that a spreadsheet would treat as
    /// formulas.
    #[must_use]
    pub(crate) const fn without_formulas(mut self, is_without: bool) -> Self {
        self.is_without_formulas = is_without;
        self
    }

    /// Returns the header, which precedes the rows.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Format::Csv { separator } = self.format {
            // Writing to memory does not fail.
            let names = self.columns.iter().map(|column| column.name.as_bytes());
            let _ = self.csv_row(&mut out, separator, names);
        }
        out
    }

    /// Appends a row; `None` is an absent value.
    ///
    /// # Errors
    ///
    /// Fails if the row cannot be written; writing to memory never fails.
    pub(crate) fn row<T: AsRef<[u8]>>(
        &self,
        out: &mut Vec<u8>,
        cells: &[Option<T>],
    ) -> io::Result<()> {
        match self.format {
            Format::Csv { separator } => {
                let texts = cells.iter().map(|cell| match cell {
                    Some(text) => text.as_ref(),
                    None => b"",
                });
                self.csv_row(out, separator, texts)
            }
            Format::Parquet => {
                pack(out, cells);
                Ok(())
            }
        }
    }

    /// Appends a row of CSV, and ends the line.
    ///
    /// # Errors
    ///
    /// Fails if the row cannot be written; writing to memory never fails.
    fn csv_row<'c>(
        &self,
        out: &mut Vec<u8>,
        separator: u8,
        cells: impl IntoIterator<Item = &'c [u8]>,
    ) -> io::Result<()> {
        let mut writer = WriterBuilder::new()
            .buffer_capacity(1 << 10)
            .delimiter(separator)
            .from_writer(out);
        for cell in cells {
            if self.is_without_formulas && is_formula(cell) {
                writer.write_field([b"'", cell].concat())?;
            } else {
                writer.write_field(cell)?;
            }
        }
        writer.write_record(None::<&[u8]>)?;
        writer.flush()
    }

    /// Appends a count, followed by the rest of the row as [`row`](Self::row) wrote it.
    pub(crate) fn counted(&self, out: &mut Vec<u8>, count: u64, rest: &[u8]) {
        let count = count.to_string();
        match self.format {
            Format::Csv { separator } => {
                out.extend_from_slice(count.as_bytes());
                out.push(separator);
            }
            Format::Parquet => pack(out, &[Some(count)]),
        }
        out.extend_from_slice(rest);
    }

    /// Appends a row of absent values.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`row`](Self::row).
    pub(crate) fn empty(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let cells: Vec<Option<&[u8]>> = vec![None; self.columns.len()];
        self.row(out, &cells)
    }

    /// Appends the values of a record's keys that match column names.
    ///
    /// # Errors
    ///
    /// Fails if the value is not an object.
    pub(crate) fn record(&self, out: &mut Vec<u8>, record: &impl Serialize) -> io::Result<()> {
        let mut line = Vec::new();
        json::line(&mut line, record, false)?;
        let cells = cells_of(&line, &self.columns)?;
        self.row(out, &cells)
    }

    /// Returns a writer that accepts rows and writes the file to `out`.
    ///
    /// # Errors
    ///
    /// Fails if the beginning of a Parquet file cannot be written.
    pub(crate) fn out(&self, out: Box<dyn Out>) -> io::Result<Box<dyn Out>> {
        match self.format {
            Format::Csv { .. } => Ok(out),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                drop(out);
                Ok(Box::new(parquet::Writer::new(stdout(), &self.columns)?))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let _ = out;
                Err(io::Error::other(crate::missing::built_without(
                    "Parquet", "parquet",
                )))
            }
        }
    }
}

/// The column of errors.
const ERROR: &str = "error";

/// The keys of an error, except its message.
pub(crate) const ERROR_KEYS: [&str; 6] = [
    "class",
    "offset",
    "found",
    "expected",
    "production",
    "section",
];

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: Kind,
}

/// The type of the values in a column. In CSV, all values are text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Text,
    /// `true` or `false`.
    Flag,
    /// An integer.
    Number,
}

impl Column {
    /// Creates a column of text.
    pub(crate) const fn text(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Text);
        Self { name, kind }
    }

    /// Creates a column of `true` and `false`.
    pub(crate) const fn flag(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Flag);
        Self { name, kind }
    }

    /// Creates a column of integers.
    pub(crate) const fn number(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Number);
        Self { name, kind }
    }
}

/// Returns true if spreadsheets may treat a cell as a formula, according to OWASP's page "CSV
/// Injection".
const fn is_formula(cell: &[u8]) -> bool {
    matches!(cell, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..])
}

/// Splits a record, written as JSON, into the cells of the columns.
///
/// Text is written without quotes, and `null` is an absent value. The cell for `error` contains its
/// message, and the cell for `repaired` contains its text. Other objects and lists are written as
/// JSON.
fn cells_of(line: &[u8], columns: &[Column]) -> Result<Vec<Option<String>>, Error> {
    serde_json::Deserializer::from_slice(line).deserialize_map(Cells { columns })
}

struct Cells<'c> {
    columns: &'c [Column],
}

impl<'de> Visitor<'de> for Cells<'_> {
    type Value = Vec<Option<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut record: A) -> Result<Self::Value, A::Error> {
        let mut cells = vec![None; self.columns.len()];
        while let Some((key, value)) = record.next_entry::<&str, &RawValue>()? {
            let place = self.columns.iter().position(|column| column.name == key);
            if let Some(cell) = place.and_then(|place| cells.get_mut(place)) {
                *cell = text(key, value.get());
            }
            if key == ERROR && value.get().starts_with('{') {
                self.parts(value.get(), &mut cells);
            }
        }
        Ok(cells)
    }
}

impl Cells<'_> {
    /// Fills the columns for the keys of an error.
    fn parts(&self, error: &str, cells: &mut [Option<String>]) {
        let object: Value = serde_json::from_str(error).unwrap_or_default();
        for (column, cell) in self.columns.iter().zip(cells) {
            let key = column
                .name
                .strip_prefix(ERROR)
                .and_then(|it| it.strip_prefix('_'));
            let key = key.filter(|key| ERROR_KEYS.contains(key));
            match key.and_then(|key| object.get(key)) {
                Some(Value::String(text)) => *cell = Some(text.clone()),
                Some(Value::Number(number)) => *cell = Some(number.to_string()),
                _ => {}
            }
        }
    }
}

fn text(key: &str, value: &str) -> Option<String> {
    let part = match (key, value.as_bytes().first()?) {
        (_, b'n') => return None,
        (_, b'"') => return serde_json::from_str(value).ok(),
        ("error", b'{') => "message",
        ("repaired", b'{') => "text",
        _ => return Some(value.to_owned()),
    };
    let object: Value = serde_json::from_str(value).ok()?;
    object.get(part)?.as_str().map(str::to_owned)
}

/// Appends a packed row. A cell consists of an 8-byte length, followed by the text. The length 0
/// denotes an absent value; any other value is the length of the text plus 1.
fn pack<T: AsRef<[u8]>>(out: &mut Vec<u8>, cells: &[Option<T>]) {
    for cell in cells {
        let text = cell.as_ref().map(AsRef::as_ref);
        let length = text.map_or(0, |text| text.len() as u64 + 1);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(text.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::cells_of;
    use crate::sheet::Column;

    #[test]
    fn values_by_key() {
        let line = br#"{"a":"x\ny","b":null,"valid":true,"error":{"class":"c","message":"m"},
        "n":12,"list":[{"k":1}],"repaired":{"text":"t","changes":[]}}"#;
        let names = [
            "valid", "error", "a", "b", "missing", "n", "list", "repaired",
        ];
        let columns = names.map(Column::text);
        let cells = cells_of(line, &columns).unwrap();
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| cell.as_deref().unwrap_or("-"))
            .collect();
        assert_eq!(
            cells,
            ["true", "m", "x\ny", "-", "-", "12", r#"[{"k":1}]"#, "t"]
        );
    }
}
