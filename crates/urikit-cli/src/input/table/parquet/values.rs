//! Decodes the values of pages.

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
    /// The current page, if it can be read without the library.
    plain: PlainPage,
    decoder: Decoder,
    /// The numbers of the remaining rows, from 1.
    rows: Range<u64>,
    /// The maximum length of a value, in bytes.
    max: usize,
}

/// Consecutive rows.
pub(in crate::input) enum Rows {
    /// Values as stored in a page.
    Prefixed(Prefixed),
    Cells(Cells),
}

impl Values {
    /// Decodes `pages`, which may refer to a dictionary and contain these rows, from 1.
    pub(super) fn new(
        pages: Box<dyn PageReader>,
        dictionary: Option<Page>,
        column: ColumnDescPtr,
        rows: Range<u64>,
        max: usize,
    ) -> Self {
        Self {
            pages,
            plain: PlainPage::default(),
            decoder: Decoder::new(Arc::clone(&column), dictionary),
            column,
            rows,
            max,
        }
    }

    /// Returns the next rows with the number of the first, or `None` after the last. Decoded values
    /// are copied to `memory`.
    ///
    /// # Errors
    ///
    /// Fails if the remaining rows cannot be read.
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
            if !self.decoder.is_empty() || self.decoder.decode()? {
                let cells = self.take_decoded(memory);
                return Ok(Some((first, Rows::Cells(cells))));
            }
            let Some(page) = guarded(|| self.pages.get_next_page())? else {
                return if self.rows.is_empty() {
                    Ok(None)
                } else {
                    Err(invalid(
                        "not valid Parquet: a page has fewer values than its header says",
                    ))
                };
            };
            match PlainPage::of(&page, self.column.max_def_level()) {
                Some(plain) => self.plain = plain,
                None => self.decoder.give(page),
            }
        }
    }

    /// Takes rows of the current page.
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

    /// Takes rows that the library decoded.
    fn take_decoded(&mut self, memory: Vec<u8>) -> Cells {
        let mut cells = Cells::within(memory);
        while cells.data.len() < ENOUGH && !self.decoder.is_empty() {
            match self.decoder.next() {
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

/// Adds the rows that cannot be read to an error.
pub(super) fn lost(rows: &Range<u64>, error: &io::Error) -> io::Error {
    let last = rows.end.saturating_sub(1);
    invalid(format!("rows {} to {last}: {error}", rows.start))
}

/// The number of records decoded at once.
const AT_ONCE: usize = 1024;

/// Decodes pages with the library: those with a dictionary, with nulls, or in a rare encoding.
pub(super) struct Decoder {
    /// The dictionary, which is passed on before the first page.
    dictionary: Option<Page>,
    given: Sender<Page>,
    reader: ColumnReaderImpl<ByteArrayType>,
    /// The level of a present value.
    highest: i16,
    /// The levels of the decoded records.
    levels: vec::IntoIter<i16>,
    values: vec::IntoIter<ByteArray>,
}

impl Decoder {
    pub(super) fn new(column: ColumnDescPtr, dictionary: Option<Page>) -> Self {
        let (given, pages) = channel();
        Self {
            dictionary,
            given,
            highest: column.max_def_level(),
            reader: ColumnReaderImpl::new(column, Box::new(PageQueue { pages })),
            levels: Vec::new().into_iter(),
            values: Vec::new().into_iter(),
        }
    }

    pub(super) fn give(&mut self, page: Page) {
        let dictionary = self.dictionary.take().map(copied);
        for page in dictionary.into_iter().chain([page]) {
            // INVARIANT: the reader holds the receiver.
            let _ = self.given.send(page);
        }
    }

    /// Decodes the next records of the given pages. Returns `false` after the last.
    ///
    /// # Errors
    ///
    /// Fails if the records cannot be decoded.
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

    /// Returns true if all decoded records were taken.
    pub(super) fn is_empty(&self) -> bool {
        self.levels.len() == 0
    }

    /// Takes the next decoded record. Returns `None` if it has no value.
    pub(super) fn next(&mut self) -> Option<ByteArray> {
        let is_present = self.levels.next()? == self.highest;
        if is_present { self.values.next() } else { None }
    }
}

/// Copies a dictionary. Threads that share one slow each other down by counting references.
fn copied(page: Page) -> Page {
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

/// Passes pages to the library.
struct PageQueue {
    pages: Receiver<Page>,
}

impl Iterator for PageQueue {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for PageQueue {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        Ok(self.pages.try_recv().ok())
    }

    // The library only calls these to skip records or to read lists.
    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        Ok(())
    }
}

/// The rest of a page in the encoding `PLAIN` without nulls, as in most columns of URLs.
///
/// Each value follows its length of 32 bits, so values need not be copied. The library makes an
/// object of each value, which takes longer than parsing the URL.
#[derive(Default)]
pub(super) struct PlainPage {
    page: Bytes,
    /// The position of the next length.
    at: usize,
    /// The number of remaining values.
    left: u32,
}

/// The next values of a page.
pub(super) enum Next {
    Values(Prefixed),
    /// A value that is too long.
    TooLong,
    /// The next value is longer than the rest of the page.
    Short,
}

/// The size of a batch, in bytes.
pub(super) const ENOUGH: usize = 64 << 10;

impl PlainPage {
    /// Returns the page if it has this encoding and all records have a value, of level `highest`.
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

    /// Returns true if all values were taken.
    pub(super) const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Takes a batch of values of up to `max` bytes each.
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

    /// Returns the length of the next value, or `None` if the page ends within it.
    fn length(&self) -> Option<usize> {
        let rest = self.page.get(self.at..)?;
        prefix(rest).filter(|length| *length <= rest.len() - PREFIX)
    }

    /// Skips a value of this length.
    const fn pass(&mut self, length: usize) {
        self.at += PREFIX + length;
        self.left -= 1;
    }
}

/// Returns true if at least `count` levels are `highest`, and they are encoded as runs: twice the
/// length of the run as a LEB128 number, then the level. Writers use runs if no value is null.
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
