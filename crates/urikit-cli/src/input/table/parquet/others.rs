//! Pages that the library decodes: with a dictionary, with nulls, and of rare encodings.

use super::guard::guarded;
use bytes::Bytes;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::Result as ParquetResult;
use parquet::schema::types::ColumnDescPtr;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::vec;

/// How many records are decoded at once.
const AT_ONCE: usize = 1024;

/// Pages that the library decodes.
pub(super) struct Others {
    /// What the pages may refer to, until the first is given.
    dictionary: Option<Page>,
    given: Sender<Page>,
    reader: ColumnReaderImpl<ByteArrayType>,
    /// The level of a value that is there.
    highest: i16,
    /// Of the records that were decoded.
    levels: vec::IntoIter<i16>,
    values: vec::IntoIter<ByteArray>,
}

impl Others {
    pub(super) fn new(column: ColumnDescPtr, dictionary: Option<Page>) -> Self {
        let (given, pages) = channel();
        Self {
            dictionary,
            given,
            highest: column.max_def_level(),
            reader: ColumnReaderImpl::new(column, Box::new(Given { pages })),
            levels: Vec::new().into_iter(),
            values: Vec::new().into_iter(),
        }
    }

    pub(super) fn give(&mut self, page: Page) {
        let dictionary = self.dictionary.take().map(own);
        for page in dictionary.into_iter().chain([page]) {
            // INVARIANT: the reader has the other end.
            let _ = self.given.send(page);
        }
    }

    /// Decodes the next records of what was given. Returns `false` after the last.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    pub(super) fn decode(&mut self) -> io::Result<bool> {
        let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(AT_ONCE));
        let may_be_absent = self.highest > 0;
        let wanted = may_be_absent.then_some(&mut levels);
        let reader = &mut self.reader;
        let (count, ..) = guarded(|| reader.read_records(AT_ONCE, wanted, None, &mut values))?;
        levels.resize(count, self.highest);
        self.levels = levels.into_iter();
        self.values = values.into_iter();
        Ok(count > 0)
    }

    /// Whether all records that were decoded were taken.
    pub(super) fn is_empty(&self) -> bool {
        self.levels.len() == 0
    }

    /// Takes the next record that was decoded; `None` if it has no value.
    pub(super) fn next(&mut self) -> Option<ByteArray> {
        let is_there = self.levels.next()? == self.highest;
        if is_there { self.values.next() } else { None }
    }
}

/// A dictionary in memory of its own: threads that count references to the same memory hinder
/// each other.
fn own(page: Page) -> Page {
    match page {
        Page::DictionaryPage {
            buf,
            num_values,
            encoding,
            is_sorted,
        } => Page::DictionaryPage {
            buf: Bytes::copy_from_slice(&buf),
            num_values,
            encoding,
            is_sorted,
        },
        other => other,
    }
}

/// The pages that the library is given.
struct Given {
    pages: Receiver<Page>,
}

impl Iterator for Given {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Given {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        Ok(self.pages.try_recv().ok())
    }

    // These are for readers that skip records or have lists.
    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        Ok(())
    }
}
