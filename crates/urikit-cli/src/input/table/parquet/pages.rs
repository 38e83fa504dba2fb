//! Splits a column of a row group into runs of pages, which threads read in parallel.

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

/// The minimum length of a run of pages, in bytes of the file. Most pages are longer.
const ENOUGH: u64 = 64 << 10;

/// A Parquet file with the column to read.
pub(super) struct Table {
    pub(super) file: Positional,
    pub(super) metadata: ParquetMetaData,
    /// The index of the column.
    pub(super) column: usize,
    pub(super) meter: Arc<Meter>,
    /// The length of the file, in bytes.
    pub(super) length: u64,
    /// The length of the column, in bytes of the file.
    pub(super) column_length: u64,
}

impl Table {
    /// Returns the column in a row group.
    fn chunk(&self, row_group: usize) -> &ColumnChunkMetaData {
        self.metadata.row_group(row_group).column(self.column)
    }

    /// Scales a number of bytes of the column to the length of the file, to show progress.
    fn share(&self, bytes: u64) -> u64 {
        let all = u128::from(self.column_length.max(1));
        let share = u128::from(bytes) * u128::from(self.length) / all;
        u64::try_from(share).unwrap_or(0)
    }
}

/// The remaining pages of a column of a row group.
pub(in crate::input) struct RowGroup {
    table: Arc<Table>,
    nth: usize,
    /// The number of the next row, from 1.
    row: u64,
    /// The headers, once the first run was taken.
    headers: Option<Headers>,
    /// The dictionary that the pages refer to.
    dictionary: Option<Page>,
    /// The error that follows the last run.
    failed: Option<io::Error>,
}

/// A run of consecutive pages.
pub(in crate::input) struct Pages {
    table: Arc<Table>,
    /// The index of the row group.
    nth: usize,
    /// The position of the pages in the file.
    range: Range<u64>,
    /// The numbers of the rows, from 1.
    rows: Range<u64>,
    dictionary: Option<Page>,
}

impl RowGroup {
    /// Makes the row group of index `nth`. `row` is the number of its first row, from 1.
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

    /// Takes the next run of pages. Returns `None` after the last.
    ///
    /// # Errors
    ///
    /// Fails if a header or the dictionary cannot be read.
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
        // The pages before the error are returned first.
        self.failed = found.err();
        Ok(Some(Pages {
            table: Arc::clone(&self.table),
            nth: self.nth,
            range,
            rows: row..self.row,
            dictionary: self.dictionary.clone(),
        }))
    }

    /// Adds the rows that cannot be read to an error, unless it affects the complete row group.
    fn lost(&self, error: io::Error) -> io::Error {
        let row = self.row;
        match self.headers {
            Some(_) => invalid(format!(
                "row {row} and all later rows of its row group: {error}"
            )),
            None => error,
        }
    }

    /// Finds the end of a run of pages, and reads the dictionary before them. A run has at least as
    /// many values as the dictionary, because each run decodes the dictionary again.
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

/// Returns the number of values in a dictionary.
fn len(dictionary: Option<&Page>) -> u64 {
    dictionary.map_or(0, |page| page.num_values().into())
}

impl Pages {
    /// Returns the number of rows.
    pub(in crate::input) const fn rows(&self) -> u64 {
        self.rows.end - self.rows.start
    }

    /// Returns the values, which may have up to `max` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the pages cannot be opened.
    pub(in crate::input) fn values(self, max: usize) -> io::Result<Values> {
        let Table {
            file,
            metadata,
            column,
            ..
        } = &*self.table;
        let length = self.range.end - self.range.start;
        // The library reads complete columns, so it gets a column with these pages only.
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

/// Reads the headers of a column's pages.
pub(super) struct Headers {
    pages: SerializedPageReader<Watched>,
    file: Arc<Watched>,
    /// The end of the column in the file.
    end: u64,
}

/// The content of a page, according to its header.
pub(super) enum Header {
    Dictionary,
    /// A page with this number of rows.
    Rows(u64),
}

impl Headers {
    /// Reads the headers of a column of a row group.
    ///
    /// # Errors
    ///
    /// Fails if the column cannot be read, for example because its compression is not supported.
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

    /// Reads the header of the next page. Returns `None` after the last.
    ///
    /// # Errors
    ///
    /// Fails if the header is invalid or cannot be read.
    pub(super) fn peek(&mut self) -> io::Result<Option<Header>> {
        let Some(page) = guarded(|| self.pages.peek_next_page())? else {
            self.file.at.store(self.end, Ordering::Relaxed);
            return Ok(None);
        };
        if page.is_dict {
            return Ok(Some(Header::Dictionary));
        }
        // The column has no lists, so each row has one level. The number has 31 bits.
        let rows = page.num_levels.and_then(|rows| u32::try_from(rows).ok());
        match rows {
            Some(rows) => Ok(Some(Header::Rows(rows.into()))),
            None => Err(invalid("not valid Parquet: a page has no number of values")),
        }
    }

    /// Returns the position of the page whose header was read last.
    pub(super) fn at(&self) -> u64 {
        self.file.at.load(Ordering::Relaxed)
    }

    /// Skips the page whose header was read last.
    ///
    /// # Errors
    ///
    /// Fails if the page ends after the column.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        guarded(|| self.pages.skip_next_page())
    }

    /// Reads the page whose header was read last.
    ///
    /// # Errors
    ///
    /// Fails if the page cannot be read.
    pub(super) fn read(&mut self) -> io::Result<Option<Page>> {
        guarded(|| self.pages.get_next_page())
    }
}

/// A file that records the position of the last read, which is that of a header.
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

/// A file that several threads can read at different positions.
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
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let file = Arc::clone(&self.file);
        Ok(BufReader::new(ReadFrom { file, at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        let mut bytes = Vec::with_capacity(length);
        let file = Arc::clone(&self.file);
        let read = ReadFrom { file, at: start }
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if read < length {
            return Err(ParquetError::EOF("the file ends too soon".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// Reads a file from a position on.
pub(super) struct ReadFrom {
    file: Arc<File>,
    at: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
