//! A column of a row group, in runs of pages that can be read at the same time.

use super::super::records::invalid;
use super::guarded;
use super::values::{Values, lost};
use crate::input::meter::Meter;
use bytes::Bytes;
use parquet::column::page::{Page, PageReader as _};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes of the file a run of pages has at least. Most pages have more.
const ENOUGH: u64 = 64 << 10;

/// A Parquet file with the column to read.
pub(super) struct Table {
    pub(super) file: Positional,
    pub(super) metadata: ParquetMetaData,
    /// The column's number, from 0.
    pub(super) column: usize,
    pub(super) meter: Arc<Meter>,
    /// The length of the file, in bytes.
    pub(super) length: u64,
    /// How many bytes of them the column has.
    pub(super) column_length: u64,
}

impl Table {
    /// The column in a row group.
    fn chunk(&self, row_group: usize) -> &ColumnChunkMetaData {
        self.metadata.row_group(row_group).column(self.column)
    }

    /// What so many bytes of the column are of the file, since the others are not read.
    fn share(&self, bytes: u64) -> u64 {
        let all = u128::from(self.column_length.max(1));
        let share = u128::from(bytes) * u128::from(self.length) / all;
        u64::try_from(share).unwrap_or(0)
    }
}

/// The pages of a column of a row group that were not taken yet.
pub(in crate::input) struct RowGroup {
    table: Arc<Table>,
    nth: usize,
    /// The number of the next row, from 1.
    row: u64,
    /// Once the first was taken.
    headers: Option<Headers>,
    /// What they may refer to.
    dictionary: Option<Page>,
    /// Why no more follow.
    failed: Option<io::Error>,
}

/// Consecutive pages.
pub(in crate::input) struct Pages {
    table: Arc<Table>,
    /// The row group.
    nth: usize,
    /// Where they are in the file.
    range: Range<u64>,
    /// The numbers of their rows, from 1.
    rows: Range<u64>,
    dictionary: Option<Page>,
}

impl RowGroup {
    /// The `nth` of a file, from 0. `row` is the number of its first row, from 1.
    pub(super) fn new(table: Arc<Table>, nth: usize, row: u64) -> Self {
        Self {
            table,
            nth,
            row,
            headers: None,
            dictionary: None,
            failed: None,
        }
    }

    /// Takes some pages; `None` after the last.
    ///
    /// # Errors
    ///
    /// If it is not known where they are, or their dictionary cannot be read.
    pub(in crate::input) fn next(&mut self) -> io::Result<Option<Pages>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let row = self.row;
        let mut range = 0..0;
        let found = self.find(&mut range).map_err(|error| self.lost(error));
        if range.is_empty() {
            return found.map(|()| None);
        }
        // The pages before it come first.
        self.failed = found.err();
        Ok(Some(Pages {
            table: Arc::clone(&self.table),
            nth: self.nth,
            range,
            rows: row..self.row,
            dictionary: self.dictionary.clone(),
        }))
    }

    /// An error that says which rows cannot be read, unless it is about the entire row group.
    fn lost(&self, error: io::Error) -> io::Error {
        let row = self.row;
        match self.headers {
            Some(_) => invalid(format!(
                "row {row} and those after it in its row group: {error}"
            )),
            None => error,
        }
    }

    /// Finds the end of a run of pages, and reads the dictionary if it is before them. The values of
    /// a run are at least as many as those of the dictionary, which each run decodes.
    fn find(&mut self, run: &mut Range<u64>) -> io::Result<()> {
        let headers = match &mut self.headers {
            Some(headers) => headers,
            empty => {
                let chunk = guarded(|| Ok(self.table.chunk(self.nth)))?;
                empty.insert(Headers::new(&self.table.file, chunk)?)
            }
        };
        let mut rows = 0;
        loop {
            let header = headers.peek();
            run.end = headers.at();
            if rows == 0 {
                run.start = run.end;
            }
            match header? {
                Some(Header::Dictionary) if rows == 0 => self.dictionary = headers.read()?,
                Some(Header::Rows(more))
                    if run.end - run.start < ENOUGH || rows < len(self.dictionary.as_ref()) =>
                {
                    headers.skip()?;
                    rows += more;
                    self.row = self.row.saturating_add(more);
                }
                Some(_) | None => return Ok(()),
            }
        }
    }
}

/// How many values a dictionary has.
fn len(dictionary: Option<&Page>) -> u64 {
    dictionary.map_or(0, |page| page.num_values().into())
}

impl Pages {
    /// How many rows they have.
    pub(in crate::input) const fn rows(&self) -> u64 {
        self.rows.end - self.rows.start
    }

    /// Their values, of which none has more than `max` bytes.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(in crate::input) fn values(self, max: usize) -> io::Result<Values> {
        let Table {
            file,
            metadata,
            column,
            ..
        } = &*self.table;
        let length = self.range.end - self.range.start;
        // A column that has only these pages.
        let pages = guarded(|| {
            let only = self.table.chunk(self.nth).clone().into_builder();
            let only = only
                .set_dictionary_page_offset(None)
                .set_data_page_offset(i64::try_from(self.range.start)?)
                .set_total_compressed_size(i64::try_from(length)?)
                .build()?;
            SerializedPageReader::new(Arc::new(file.clone()), &only, 0, None)
        })
        .map_err(|error| lost(&self.rows, &error))?;
        self.table.meter.add(self.table.share(length));
        let column = metadata.file_metadata().schema_descr().column(*column);
        Ok(Values::new(
            Box::new(pages),
            self.dictionary,
            column,
            self.rows,
            max,
        ))
    }
}

/// Goes through the headers of a column's pages.
pub(super) struct Headers {
    pages: SerializedPageReader<Watched>,
    file: Arc<Watched>,
    /// Where the column ends.
    end: u64,
}

/// What a header says.
pub(super) enum Header {
    Dictionary,
    /// A page of so many rows.
    Rows(u64),
}

impl Headers {
    /// Those of a column of a row group.
    ///
    /// # Errors
    ///
    /// If it cannot be read: its compression, for example, is not supported.
    pub(super) fn new(file: &Positional, column: &ColumnChunkMetaData) -> io::Result<Self> {
        let file = Arc::new(Watched {
            file: file.clone(),
            at: AtomicU64::new(0),
        });
        guarded(|| {
            let (start, length) = column.byte_range();
            // The number of rows matters only for files with an index of pages.
            let pages = SerializedPageReader::new(Arc::clone(&file), column, 0, None)?;
            Ok(Self {
                pages,
                end: start.saturating_add(length),
                file,
            })
        })
    }

    /// The header of the next page; `None` after the last.
    ///
    /// # Errors
    ///
    /// If it is not valid, or cannot be read.
    pub(super) fn peek(&mut self) -> io::Result<Option<Header>> {
        let Some(page) = guarded(|| self.pages.peek_next_page())? else {
            self.file.at.store(self.end, Ordering::Relaxed);
            return Ok(None);
        };
        if page.is_dict {
            return Ok(Some(Header::Dictionary));
        }
        // Without lists, there is one level for each row. It is a number of 31 bits.
        let rows = page.num_levels.and_then(|rows| u32::try_from(rows).ok());
        match rows {
            Some(rows) => Ok(Some(Header::Rows(rows.into()))),
            None => Err(invalid("not valid Parquet: a page has no number of values")),
        }
    }

    /// Where the page begins whose header was looked for last.
    pub(super) fn at(&self) -> u64 {
        self.file.at.load(Ordering::Relaxed)
    }

    /// Passes over the page whose header was looked for.
    ///
    /// # Errors
    ///
    /// If it ends after the column.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        guarded(|| self.pages.skip_next_page())
    }

    /// Reads the page whose header was looked for.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(super) fn read(&mut self) -> io::Result<Option<Page>> {
        guarded(|| self.pages.get_next_page())
    }
}

/// A file that remembers where it was read last, which is where the library reads a header.
struct Watched {
    file: Positional,
    at: AtomicU64,
}

impl Length for Watched {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Watched {
    type T = <Positional as ChunkReader>::T;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        self.at.store(start, Ordering::Relaxed);
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        self.file.get_bytes(start, length)
    }
}

/// A file that several threads read at once.
#[derive(Clone)]
pub(super) struct Positional {
    file: Arc<File>,
}

impl Positional {
    pub(super) fn new(file: File) -> Self {
        let file = Arc::new(file);
        Self { file }
    }
}

impl Length for Positional {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |it| it.len())
    }
}

impl ChunkReader for Positional {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let file = Arc::clone(&self.file);
        Ok(BufReader::new(From { file, at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        let mut bytes = Vec::with_capacity(length);
        let file = Arc::clone(&self.file);
        let read = From { file, at: start }
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if read < length {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// A file from a place on.
pub(super) struct From {
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
