//! The values of some pages.

use super::super::records::Cells;
use super::super::records::invalid;
use super::super::records::{PREFIX, Prefixed, prefix};
use super::guarded;
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::Result as ParquetResult;
use parquet::schema::types::ColumnDescPtr;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::vec;

/// The values of consecutive pages of a column.
pub(in crate::input) struct Values {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    /// The page that is being read, if the library need not decode it.
    plain: Plain,
    others: Others,
    /// The numbers of the rows that follow, from 1.
    rows: Range<u64>,
    /// The longest value, in bytes.
    max: usize,
}

/// Consecutive rows.
pub(in crate::input) enum Rows {
    /// As a page has them.
    Prefixed(Prefixed),
    Cells(Cells),
}

impl Values {
    /// Those of `pages`, which may refer to a dictionary; these are their rows, from 1.
    pub(super) fn new(
        pages: Box<dyn PageReader>,
        dictionary: Option<Page>,
        column: ColumnDescPtr,
        rows: Range<u64>,
        max: usize,
    ) -> Self {
        Self {
            pages,
            plain: Plain::default(),
            others: Others::new(Arc::clone(&column), dictionary),
            column,
            rows,
            max,
        }
    }

    /// The next rows, with the number of the first; `None` after the last. What is copied is copied
    /// into `memory`.
    ///
    /// # Errors
    ///
    /// If they cannot be read, and neither can those that follow.
    pub(in crate::input) fn next(&mut self, memory: Vec<u8>) -> io::Result<Option<(u64, Rows)>> {
        let next = self.read(memory);
        next.map_err(|error| lost(&self.rows, &error))
    }

    fn read(&mut self, memory: Vec<u8>) -> io::Result<Option<(u64, Rows)>> {
        loop {
            let first = self.rows.start;
            if !self.plain.is_empty() {
                let rows = self.plain(memory)?;
                return Ok(Some((first, rows)));
            }
            if !self.others.is_empty() || self.others.decode()? {
                let cells = self.others(memory);
                return Ok(Some((first, Rows::Cells(cells))));
            }
            let Some(page) = guarded(|| self.pages.get_next_page())? else {
                return if self.rows.is_empty() {
                    Ok(None)
                } else {
                    Err(invalid(
                        "not valid Parquet: pages have fewer values than they say",
                    ))
                };
            };
            match Plain::of(&page, self.column.max_def_level()) {
                Some(plain) => self.plain = plain,
                None => self.others.give(page),
            }
        }
    }

    /// Rows of the page that is being read.
    fn plain(&mut self, memory: Vec<u8>) -> io::Result<Rows> {
        match self.plain.next(self.max) {
            Next::Values(values) => {
                self.rows.start += values.count;
                Ok(Rows::Prefixed(values))
            }
            Next::TooLong => {
                self.rows.start += 1;
                let mut cells = Cells::within(memory);
                cells.push_too_long(self.max);
                Ok(Rows::Cells(cells))
            }
            Next::Short => Err(invalid("not valid Parquet: a page ends within a value")),
        }
    }

    /// The rows that the library decoded.
    fn others(&mut self, memory: Vec<u8>) -> Cells {
        let mut cells = Cells::within(memory);
        while cells.data.len() < ENOUGH && !self.others.is_empty() {
            match self.others.next() {
                Some(value) if value.len() > self.max => cells.push_too_long(self.max),
                Some(value) => cells.push(value.data()),
                None => {
                    let name = self.column.path().string();
                    cells.push_broken(format!("`{name}` has no value"));
                }
            }
        }
        self.rows.start += cells.len() as u64;
        cells
    }
}

/// An error that says which rows cannot be read.
pub(super) fn lost(rows: &Range<u64>, error: &io::Error) -> io::Error {
    let last = rows.end.saturating_sub(1);
    invalid(format!("rows {} to {last}: {error}", rows.start))
}

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

/// The rest of a page.
#[derive(Default)]
pub(super) struct Plain {
    page: Bytes,
    /// Where the next length is.
    at: usize,
    /// How many values are left.
    left: u32,
}

/// What follows in a page.
pub(super) enum Next {
    Values(Prefixed),
    /// A value that is too long.
    TooLong,
    /// Nothing: the next value is longer than the rest of the page.
    Short,
}

/// How many bytes make a batch.
pub(super) const ENOUGH: usize = 64 << 10;

impl Plain {
    /// The page, if it is of this encoding and every record has a value, whose level is `highest`.
    pub(super) fn of(page: &Page, highest: i16) -> Option<Self> {
        let (buffer, count, levels) = match page {
            Page::DataPage {
                buf,
                num_values,
                encoding: Encoding::PLAIN,
                def_level_encoding,
                ..
            } => {
                let levels = match highest {
                    0 => 0..0,
                    _ if *def_level_encoding != Encoding::RLE => return None,
                    _ => PREFIX..prefix(buf)?.checked_add(PREFIX)?,
                };
                (buf, *num_values, levels)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding: Encoding::PLAIN,
                num_nulls: 0,
                def_levels_byte_len,
                rep_levels_byte_len: 0,
                ..
            } => (
                buf,
                *num_values,
                0..usize::try_from(*def_levels_byte_len).ok()?,
            ),
            _ => return None,
        };
        let at = levels.end;
        (highest == 0 || are_all(buffer.get(levels)?, highest, count)).then(|| Self {
            page: buffer.clone(),
            at,
            left: count,
        })
    }

    /// Whether all values were read.
    pub(super) const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Takes as many values as make a batch, none of them of more than `max` bytes.
    pub(super) fn next(&mut self, max: usize) -> Next {
        let (start, before) = (self.at, self.left);
        while self.left > 0
            && self.at - start < ENOUGH
            && let Some(length) = self.length()
            && length <= max
        {
            self.pass(length);
        }
        match (before - self.left, self.length()) {
            (0, None) => Next::Short,
            (0, Some(length)) => {
                self.pass(length);
                Next::TooLong
            }
            (count, _) => Next::Values(Prefixed {
                data: self.page.slice(start..self.at),
                count: count.into(),
            }),
        }
    }

    /// The length of the next value; `None` if the page ends within it.
    fn length(&self) -> Option<usize> {
        let rest = self.page.get(self.at..)?;
        prefix(rest).filter(|length| *length <= rest.len() - PREFIX)
    }

    /// Passes over a value of this length.
    const fn pass(&mut self, length: usize) {
        self.at += PREFIX + length;
        self.left -= 1;
    }
}

/// Whether at least `count` levels are `highest`, if they are runs of one level as writers have them
/// where nothing is null: twice the length of a run, as a LEB128 number, and its level.
fn are_all(mut levels: &[u8], highest: i16, count: u32) -> bool {
    let mut run = 0_u64;
    let mut total = 0_u64;
    let mut shift = 0;
    while let [byte, rest @ ..] = levels
        && shift < 35
    {
        levels = rest;
        run |= u64::from(byte & 0x7F) << shift;
        shift += 7;
        if *byte >= 0x80 {
            continue;
        }
        match levels {
            [level, rest @ ..] if run & 1 == 0 && i16::from(*level) == highest => levels = rest,
            _ => break,
        }
        total += run >> 1;
        (run, shift) = (0, 0);
    }
    total >= u64::from(count)
}

#[cfg(test)]
mod tests {
    use super::are_all;

    #[test]
    fn runs_of_one_level() {
        let ten = [20, 1];
        assert!(are_all(&ten, 1, 10));
        assert!(are_all(&[10, 1, 10, 1], 1, 10));
        assert!(are_all(&[0xD0, 0x0F, 1], 1, 1000));
        assert!(!are_all(&ten, 1, 11));
        assert!(!are_all(&ten, 2, 10), "another level");
        assert!(!are_all(&[20, 0], 1, 10), "nulls");
        assert!(!are_all(&[10, 1, 10, 0], 1, 10), "nulls in the end");
        assert!(!are_all(&[3, 0xFF], 1, 8), "packed bits");
        assert!(!are_all(&[20], 1, 10), "cut off");
        assert!(!are_all(&[0xFF; 12], 1, 10), "no number");
        assert!(are_all(&[], 1, 0));
    }
}
