//! Writes the rows of Parquet files with columns added.
//!
//! The pages of the existing columns are copied byte by byte, in their row groups, and never
//! decoded. The values of a row group are decoded and written again only if a filter drops some of
//! its rows. `urikit-parquet` decodes the values, because it does not trust the numbers in the
//! file. The `parquet` crate reads the footer, once `urikit-parquet` has accepted it, and writes
//! the output.

use super::Column;
use super::parquet::{Values, failed};
use super::sources::{Head, Opened, Sources, Unpacker, invalid, too_many};
use crate::exit::OfInput;
use crate::stdout::{Out, Stdout, final_error};
use parquet::basic::Compression;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use urikit_parquet::Entries;

/// The maximum size of the added values of a row group, in bytes, including 24 bytes for each
/// value. A row group is written in one piece.
const MAX_GROUP: usize = 512 << 20;

/// The amount of memory that a value takes in addition to its text, in bytes.
const OVERHEAD: usize = 24;

/// The number of values written at a time.
const BATCH: usize = 1024;

/// Accepts packed rows of added values, and writes them with the rows of the files.
pub(crate) struct Extended {
    file: SerializedFileWriter<Stdout>,
    sources: Sources,
    group: Group,
    unpacker: Unpacker,
}

/// The rows of the current row group that have arrived.
struct Group {
    added: Vec<Values>,
    rows: u64,
    size: usize,
    kept: Kept,
}

/// The rows that the filters keep.
#[derive(Default)]
struct Kept {
    /// A bit for each row; empty until a row is dropped.
    bits: Vec<u8>,
    dropped: u64,
}

impl Kept {
    fn push(&mut self, nth: u64, is_kept: bool) {
        if !is_kept && self.dropped == 0 {
            // All earlier rows are kept.
            self.bits = vec![u8::MAX; usize::try_from(nth / 8 + 1).unwrap_or(0)];
        }
        if self.dropped == 0 && is_kept {
            return;
        }
        self.dropped += u64::from(!is_kept);
        let at = usize::try_from(nth / 8).unwrap_or(usize::MAX);
        if at >= self.bits.len() {
            self.bits.push(u8::MAX);
        }
        if let Some(bits) = self.bits.get_mut(at).filter(|_| !is_kept) {
            *bits &= !(1 << (nth % 8));
        }
    }

    fn has(&self, nth: u64) -> bool {
        let at = usize::try_from(nth / 8).unwrap_or(usize::MAX);
        let bits = self.bits.get(at);
        bits.is_none_or(|bits| bits >> (nth % 8) & 1 == 1)
    }
}

impl Extended {
    /// Starts writing the output file. All files in `paths` must have the same columns, and no
    /// column may have a name in `added`.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read or has different columns, or if the output cannot be written.
    pub(crate) fn new(out: Stdout, paths: Vec<PathBuf>, added: &[String]) -> io::Result<Self> {
        let (sources, head) = Sources::new(paths)?;
        Ok(Self {
            file: start(out, head, added).map_err(failed)?,
            sources,
            group: Group {
                added: added.iter().map(|_| Values::default()).collect(),
                rows: 0,
                size: 0,
                kept: Kept::default(),
            },
            unpacker: Unpacker::default(),
        })
    }

    /// Accepts a row. A row without values is dropped.
    fn row(&mut self, row: Option<&[Option<&[u8]>]>) -> io::Result<()> {
        let rows = self.sources.group_rows()?.ok_or_else(too_many)?;
        let group = &mut self.group;
        group.kept.push(group.rows, row.is_some());
        for (values, cell) in group.added.iter_mut().zip(row.unwrap_or_default()) {
            values.push(*cell);
            group.size += cell.map_or(0, <[u8]>::len) + OVERHEAD;
        }
        group.rows += 1;
        if group.size + group.kept.bits.len() > MAX_GROUP {
            let most = MAX_GROUP >> 20;
            return Err(io::Error::other(format!(
                "the added values of a row group exceed {most} MiB"
            )));
        }
        if group.rows == rows {
            self.end_group()?;
        }
        Ok(())
    }

    /// Writes the current row group.
    fn end_group(&mut self) -> io::Result<()> {
        let Some(open) = &mut self.sources.open else {
            return Ok(());
        };
        let group = &mut self.group;
        let rows = group.rows - group.kept.dropped;
        if rows > 0 {
            let mut to = self.file.next_row_group().map_err(failed)?;
            let copied = open.copy(&mut to, &group.kept);
            copied.map_err(|error| match final_error(&error) {
                Some(error) => error,
                None => OfInput::error(&open.path, error),
            })?;
            for value in &open.partitions {
                let mut column = to.next_column().map_err(failed)?;
                if let Some(column) = &mut column {
                    constant(column.untyped(), value.as_deref(), rows).map_err(failed)?;
                }
                if let Some(column) = column {
                    column.close().map_err(failed)?;
                }
            }
            for values in &mut group.added {
                if let Some(mut column) = to.next_column().map_err(failed)? {
                    values.write(column.untyped()).map_err(failed)?;
                    column.close().map_err(failed)?;
                }
            }
            to.close().map_err(failed)?;
        }
        for values in &mut group.added {
            *values = Values::default();
        }
        open.group += 1;
        (group.rows, group.size, group.kept) = (0, 0, Kept::default());
        Ok(())
    }
}

/// The metadata key of the Arrow schema. This key is not copied, because its schema lacks the added
/// columns.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Starts writing the output file.
fn start(
    out: Stdout,
    head: Head,
    added: &[String],
) -> Result<SerializedFileWriter<Stdout>, ParquetError> {
    let mut all = head.fields;
    for name in head.partitions.iter().chain(added) {
        let column = Column {
            name: name.clone().into(),
            ..Column::text("")
        };
        all.push(Arc::new(super::parquet::field(&column)?));
    }
    let schema = Type::group_type_builder("schema")
        .with_fields(all)
        .build()?;
    let mut pairs = head.pairs.unwrap_or_default();
    pairs.retain(|pair| pair.key != ARROW_SCHEMA);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("uri ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata((!pairs.is_empty()).then_some(pairs))
        .build();
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))
}

impl Opened {
    /// Writes the columns of the current row group.
    fn copy(&self, to: &mut SerializedRowGroupWriter<'_, Stdout>, kept: &Kept) -> io::Result<()> {
        let Some(group) = self.metadata.row_groups().get(self.group) else {
            return Ok(());
        };
        for (nth, column) in group.columns().iter().enumerate() {
            let place = self.place(nth)?;
            if kept.dropped > 0 {
                let entries = self.table.entries(place).map_err(invalid)?;
                let Some(mut column) = to.next_column().map_err(failed)? else {
                    return Err(io::Error::other("a column is missing"));
                };
                rewrite(column.untyped(), entries, kept)?;
                column.close().map_err(failed)?;
                continue;
            }
            let (start, length) = place.bytes();
            let [start, length] = [start, length].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
            let dictionary = column.dictionary_page_offset().filter(|at| *at == start);
            if !(start..=start.saturating_add(length)).contains(&column.data_page_offset()) {
                return Err(io::Error::other("a page is outside its column"));
            }
            let metadata = column.clone().into_builder();
            let metadata = metadata
                .set_dictionary_page_offset(dictionary)
                .set_data_page_offset(match dictionary {
                    Some(_) => column.data_page_offset(),
                    None => start,
                })
                .set_total_compressed_size(length)
                .build();
            let close = ColumnCloseResult {
                bytes_written: place.bytes().1,
                rows_written: place.rows(),
                metadata: metadata.map_err(failed)?,
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            to.append_column(&self.file, close).map_err(failed)?;
        }
        Ok(())
    }
}

/// Writes one value for all rows.
fn constant(
    column: &mut ColumnWriter<'_>,
    value: Option<&str>,
    rows: u64,
) -> Result<(), ParquetError> {
    let ColumnWriter::ByteArrayColumnWriter(column) = column else {
        return Ok(());
    };
    let mut left = rows;
    while left > 0 {
        let count = usize::try_from(left).unwrap_or(BATCH).min(BATCH);
        let levels = vec![i16::from(value.is_some()); count];
        let values = match value {
            Some(text) => vec![ByteArray::from(text); count],
            None => Vec::new(),
        };
        column.write_batch(&values, Some(&levels), None)?;
        left -= count as u64;
    }
    Ok(())
}

/// Writes the entries of the kept rows.
fn rewrite(column: &mut ColumnWriter<'_>, entries: Entries, kept: &Kept) -> io::Result<()> {
    match column {
        ColumnWriter::BoolColumnWriter(to) => {
            rewrite_as::<BoolType>(to, entries, kept, |it| it.first().map(|byte| *byte != 0))
        }
        ColumnWriter::Int32ColumnWriter(to) => rewrite_as::<Int32Type>(to, entries, kept, |it| {
            it.first_chunk().map(|it| i32::from_le_bytes(*it))
        }),
        ColumnWriter::Int64ColumnWriter(to) => rewrite_as::<Int64Type>(to, entries, kept, |it| {
            it.first_chunk().map(|it| i64::from_le_bytes(*it))
        }),
        ColumnWriter::Int96ColumnWriter(to) => rewrite_as::<Int96Type>(to, entries, kept, |it| {
            let (words, _) = it.as_chunks::<4>();
            let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
            let mut number = Int96::new();
            number.set_data(words.next()?, words.next()?, words.next()?);
            Some(number)
        }),
        ColumnWriter::FloatColumnWriter(to) => rewrite_as::<FloatType>(to, entries, kept, |it| {
            it.first_chunk().map(|it| f32::from_le_bytes(*it))
        }),
        ColumnWriter::DoubleColumnWriter(to) => rewrite_as::<DoubleType>(to, entries, kept, |it| {
            it.first_chunk().map(|it| f64::from_le_bytes(*it))
        }),
        ColumnWriter::ByteArrayColumnWriter(to) => {
            rewrite_as::<ByteArrayType>(to, entries, kept, |it| Some(ByteArray::from(it.to_vec())))
        }
        ColumnWriter::FixedLenByteArrayColumnWriter(to) => {
            rewrite_as::<FixedLenByteArrayType>(to, entries, kept, |it| {
                Some(FixedLenByteArray::from(it.to_vec()))
            })
        }
    }
}

fn rewrite_as<T: DataType>(
    to: &mut ColumnWriterImpl<'_, T>,
    mut entries: Entries,
    kept: &Kept,
    read: impl Fn(&[u8]) -> Option<T::T>,
) -> io::Result<()> {
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    let (mut values, mut size) = (Vec::new(), 0);
    let descriptor = to.get_descriptor();
    let has = (
        descriptor.max_def_level() > 0,
        descriptor.max_rep_level() > 0,
    );
    // The number of rows begun so far.
    let mut row = 0_u64;
    let mut is_kept = true;
    let mut is_over = false;
    while !is_over {
        match entries.next_entry().map_err(invalid)? {
            None => is_over = true,
            Some(entry) => {
                if entry.repetition == 0 {
                    is_kept = kept.has(row);
                    row += 1;
                    // A batch ends at the end of a row.
                    if values.len().max(definitions.len()) >= BATCH || size >= 1 << 20 {
                        write_batch(to, &mut values, &mut definitions, &mut repetitions, has)?;
                        size = 0;
                    }
                }
                if !is_kept {
                    continue;
                }
                definitions.push(i16::from(entry.definition));
                repetitions.push(i16::from(entry.repetition));
                if let Some(value) = entry.value {
                    size += value.len();
                    let value = read(value);
                    values.push(value.ok_or_else(|| io::Error::other("a value is too short"))?);
                }
                // A list may be too large for memory.
                if size + definitions.len() * OVERHEAD > MAX_GROUP {
                    let most = MAX_GROUP >> 20;
                    return Err(io::Error::other(format!(
                        "the values of a row exceed {most} MiB"
                    )));
                }
            }
        }
    }
    write_batch(to, &mut values, &mut definitions, &mut repetitions, has)
}

fn write_batch<T: DataType>(
    to: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<T::T>,
    definitions: &mut Vec<i16>,
    repetitions: &mut Vec<i16>,
    (has_definitions, has_repetitions): (bool, bool),
) -> io::Result<()> {
    let definition = has_definitions.then_some(definitions.as_slice());
    let repetition = has_repetitions.then_some(repetitions.as_slice());
    if !definitions.is_empty() {
        let written = to.write_batch(values, definition, repetition);
        written.map_err(failed)?;
    }
    values.clear();
    definitions.clear();
    repetitions.clear();
    Ok(())
}

impl Write for Extended {
    fn write(&mut self, packed: &[u8]) -> io::Result<usize> {
        let mut unpacker = std::mem::take(&mut self.unpacker);
        let count = self.group.added.len();
        unpacker.add(packed, count, |row| self.row(row))?;
        self.unpacker = unpacker;
        Ok(packed.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Out for Extended {
    fn end(&mut self) -> io::Result<()> {
        // Without a footer, an incomplete output is not a Parquet file.
        self.sources.end(self.group.rows)?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush()
    }
}
