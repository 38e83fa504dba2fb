//! The values of a row group.

use super::super::cells::Cells;
use super::super::records::{Records, invalid};
use super::guard::guarded;
use super::plain::Plain;
use crate::input::meter::Meter;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::Result as ParquetResult;
use parquet::schema::types::ColumnDescPtr;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// How many records are decoded at once.
const AT_ONCE: usize = 1024;

/// The values of a column in a row group.
pub(in crate::input) struct Values {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    /// The page that is being read, if the library need not decode it.
    plain: Plain,
    others: Others,
    /// The number of the next row, from 1.
    row: u64,
    end: End,
}

/// What becomes known when all was read.
pub(super) struct End {
    pub(super) meter: Arc<Meter>,
    /// What the row group is of the file, in bytes.
    pub(super) share: u64,
}

impl Values {
    /// Those of `pages`; `first` is the number of the first row.
    pub(super) fn new(
        pages: Box<dyn PageReader>,
        column: ColumnDescPtr,
        first: u64,
        end: End,
    ) -> Self {
        Self {
            pages,
            plain: Plain::default(),
            others: Others::new(Arc::clone(&column)),
            column,
            row: first,
            end,
        }
    }

    /// Begins the next page that has values. Returns `false` after the last.
    fn turn(&mut self) -> io::Result<bool> {
        while self.plain.is_empty() && !self.others.decode()? {
            let Some(page) = guarded(|| self.pages.get_next_page())? else {
                return Ok(false);
            };
            match Plain::of(&page, self.column.max_def_level()) {
                Some(plain) => self.plain = plain,
                None => self.others.give(page),
            }
        }
        Ok(true)
    }
}

impl Records for Values {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        if self.plain.is_empty() && self.others.is_empty() && !self.turn()? {
            self.end.meter.add(std::mem::take(&mut self.end.share));
            return Ok(None);
        }
        if self.plain.is_empty() {
            if let Some(value) = self.others.next() {
                cells.push(value.data());
            } else {
                let name = self.column.path().string();
                cells.push_broken(format!("`{name}` has no value"));
            }
        } else if self.plain.next(cells).is_err() {
            return Err(invalid("not valid Parquet: a page ends within a value"));
        }
        self.row += 1;
        Ok(Some(self.row - 1))
    }

    fn may_wait(&self) -> bool {
        false
    }
}

/// Pages that the library decodes: with a dictionary, with nulls, and of rare encodings.
struct Others {
    given: Sender<Page>,
    reader: ColumnReaderImpl<ByteArrayType>,
    /// The level of a value that is there.
    highest: i16,
    /// Of the records that were decoded.
    levels: VecDeque<i16>,
    values: VecDeque<ByteArray>,
}

impl Others {
    fn new(column: ColumnDescPtr) -> Self {
        let (given, pages) = channel();
        Self {
            given,
            highest: column.max_def_level(),
            reader: ColumnReaderImpl::new(column, Box::new(Given { pages })),
            levels: VecDeque::new(),
            values: VecDeque::new(),
        }
    }

    fn give(&self, page: Page) {
        // INVARIANT: the reader has the other end.
        let _ = self.given.send(page);
    }

    /// Whether all records that were decoded were taken.
    fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Decodes the next records of what was given. Returns `false` after the last.
    fn decode(&mut self) -> io::Result<bool> {
        let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(AT_ONCE));
        let may_be_absent = self.highest > 0;
        let wanted = may_be_absent.then_some(&mut levels);
        let reader = &mut self.reader;
        let (count, ..) = guarded(|| reader.read_records(AT_ONCE, wanted, None, &mut values))?;
        if !may_be_absent {
            levels.resize(count, 0);
        }
        self.levels = levels.into();
        self.values = values.into();
        Ok(count > 0)
    }

    /// Takes the next record; `None` if it has no value.
    fn next(&mut self) -> Option<ByteArray> {
        (self.levels.pop_front()? == self.highest).then(|| self.values.pop_front())?
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
