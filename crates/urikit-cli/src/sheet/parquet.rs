//! Writes Parquet files, compressed with Snappy, which all readers support.
//!
//! Rows are collected until they fill a row group, so the number of rows does not affect memory
//! use.

use super::{Column, Kind};
use crate::stdout::{Out, Stdout};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// The size of a row group, in rows and in bytes of text. A group ends as soon as one limit is
/// reached.
const ROWS: usize = 1 << 17;
const BYTES: usize = 32 << 20;

/// Writes packed rows.
pub(super) struct Writer {
    file: SerializedFileWriter<Stdout>,
    columns: Vec<Values>,
    /// The incomplete row at the end of the last write.
    partial: Vec<u8>,
    rows: usize,
    bytes: usize,
}

/// The values of a column in the current row group.
#[derive(Default)]
pub(super) struct Values {
    /// The concatenated text of all values.
    data: Vec<u8>,
    places: Vec<Range<usize>>,
    /// For each row, 1 if it has a value, otherwise 0.
    levels: Vec<i16>,
}

impl Writer {
    /// Begins a file.
    pub(super) fn new(out: Stdout, columns: &[Column]) -> io::Result<Self> {
        let schema = Arc::new(schema(columns).map_err(failed)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("uri ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        let columns = columns.iter().map(|_| Values::default());
        Ok(Self {
            file,
            columns: columns.collect(),
            partial: Vec::new(),
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds all complete rows of `packed`. Returns the length of these rows in bytes.
    fn take(&mut self, packed: &[u8]) -> io::Result<usize> {
        let mut rest = packed;
        let mut done = 0;
        let count = self.columns.len();
        let mut row = Vec::with_capacity(count);
        loop {
            row.clear();
            row.extend(std::iter::from_fn(|| take(&mut rest).ok()).take(count));
            if row.len() < count || count == 0 {
                return Ok(done);
            }
            for (values, cell) in self.columns.iter_mut().zip(&row) {
                values.push(*cell);
            }
            let next = packed.len() - rest.len();
            self.rows += 1;
            self.bytes += next - done;
            done = next;
            if self.rows >= ROWS || self.bytes >= BYTES {
                self.end_group()?;
            }
        }
    }

    fn end_group(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group().map_err(failed)?;
        for values in &mut self.columns {
            let Some(mut column) = group.next_column().map_err(failed)? else {
                break;
            };
            values.write(column.untyped()).map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

impl Values {
    pub(super) fn push(&mut self, cell: Option<&[u8]>) {
        self.levels.push(i16::from(cell.is_some()));
        if let Some(text) = cell {
            let start = self.data.len();
            self.data.extend_from_slice(text);
            self.places.push(start..self.data.len());
        }
    }

    /// Writes all collected values to the file, and removes them.
    pub(super) fn write(&mut self, column: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let data = Bytes::from(std::mem::take(&mut self.data));
        let levels = std::mem::take(&mut self.levels);
        let places = std::mem::take(&mut self.places);
        let texts = places.into_iter().map(|place| data.slice(place));
        match column {
            ColumnWriter::BoolColumnWriter(column) => {
                let values: Vec<_> = texts.map(|text| &*text == b"true").collect();
                column.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::Int64ColumnWriter(column) => {
                // INVARIANT: the text was printed from a number.
                let parse = |text: Bytes| std::str::from_utf8(&text).ok()?.parse().ok();
                let values: Vec<i64> = texts.map(|text| parse(text).unwrap_or(i64::MAX)).collect();
                column.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::ByteArrayColumnWriter(column) => {
                let values: Vec<_> = texts.map(ByteArray::from).collect();
                column.write_batch(&values, Some(&levels), None)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Write for Writer {
    fn write(&mut self, packed: &[u8]) -> io::Result<usize> {
        if self.partial.is_empty() {
            let done = self.take(packed)?;
            self.partial
                .extend_from_slice(packed.get(done..).unwrap_or_default());
        } else {
            let mut all = std::mem::take(&mut self.partial);
            all.extend_from_slice(packed);
            let done = self.take(&all)?;
            self.partial = all.split_off(done);
        }
        Ok(packed.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Out for Writer {
    fn end(&mut self) -> io::Result<()> {
        self.end_group()?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush()
    }
}

/// Returns the schema of the file. All values are optional.
fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let fields = columns.iter().map(|it| field(it).map(Arc::new));
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    Type::group_type_builder("uri").with_fields(fields).build()
}

/// Returns the type of a column.
pub(super) fn field(column: &Column) -> Result<Type, ParquetError> {
    let physical = match column.kind {
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Flag => Physical::BOOLEAN,
        Kind::Number => Physical::INT64,
    };
    let mut field =
        Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
    if column.kind == Kind::Text {
        field = field
            .with_logical_type(Some(LogicalType::String))
            .with_converted_type(ConvertedType::UTF8);
    }
    field.build()
}

/// Converts an error, and extracts the I/O error that caused it.
pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

const LENGTH: usize = size_of::<u64>();

/// A packed cell is incomplete.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Incomplete;

/// Removes a cell from the beginning of `packed`, and returns it.
pub(super) fn take<'p>(packed: &mut &'p [u8]) -> Result<Option<&'p [u8]>, Incomplete> {
    let (length, rest) = packed.split_first_chunk::<LENGTH>().ok_or(Incomplete)?;
    let Some(length) = u64::from_le_bytes(*length).checked_sub(1) else {
        *packed = rest;
        return Ok(None);
    };
    let length = usize::try_from(length).map_err(|_| Incomplete)?;
    let (text, rest) = rest.split_at_checked(length).ok_or(Incomplete)?;
    *packed = rest;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::{Incomplete, take};
    use crate::sheet::pack;

    #[test]
    fn what_is_packed_can_be_taken() {
        let mut packed = Vec::new();
        pack(&mut packed, &[Some("a"), None, Some("")]);
        let mut rest = packed.as_slice();
        assert_eq!(take(&mut rest), Ok(Some(&b"a"[..])));
        assert_eq!(take(&mut rest), Ok(None));
        assert_eq!(take(&mut rest), Ok(Some(&b""[..])));
        assert_eq!(take(&mut rest), Err(Incomplete));
        let mut cut = packed.get(..8).unwrap();
        assert_eq!(take(&mut cut), Err(Incomplete));
        assert_eq!(cut.len(), 8, "nothing is lost");
    }
}
