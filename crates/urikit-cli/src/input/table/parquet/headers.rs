//! The headers of a column's pages, without what follows them.

use super::super::records::invalid;
use super::guard::guarded;
use super::positional::Positional;
use bytes::Bytes;
use parquet::column::page::{Page, PageReader as _};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
