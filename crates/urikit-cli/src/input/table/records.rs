//! Reads records, batches of records and lines of limited length for all table formats.

use super::layout::Layout;
use bytes::Bytes;
use std::io::{self, BufRead as _, BufReader, Read};

/// Reads records one after another.
pub(in crate::input) trait Records: Send {
    /// Reads the next record, and adds its value to `cells`. Returns the number of the record's
    /// first line, or of its row, for use in messages. Returns `None` after the last record.
    ///
    /// # Errors
    ///
    /// Fails if the record and all later ones cannot be read.
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>>;

    /// Returns true if reading the next record may have to wait for input.
    fn may_wait(&self) -> bool;

    /// Returns true if each value has a [`Start`]. The numbers of records then need not be
    /// consecutive.
    fn has_starts(&self) -> bool {
        false
    }

    /// Returns the columns, if rows are kept.
    ///
    /// # Errors
    ///
    /// Fails if the columns cannot be read.
    fn layout(&mut self) -> io::Result<Option<Layout>> {
        Ok(None)
    }
}

/// The place in the file where a value begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::input) struct Start {
    /// The number of the line, counting from 1.
    pub(in crate::input) line: u64,
    /// The number of characters before the value in this line.
    pub(in crate::input) column: usize,
    /// True if quotes in the value are doubled.
    pub(in crate::input) is_quoted: bool,
}

/// Creates an error about the content of a file.
pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

/// The values of consecutive records.
#[derive(Default, Debug)]
pub(in crate::input) struct Cells {
    pub(in crate::input) data: Vec<u8>,
    /// The end of each value in `data`.
    pub(in crate::input) ends: Vec<usize>,
    /// The index of each record without a value, and the reason.
    pub(in crate::input) broken: Vec<(usize, Box<str>)>,
    /// The place of each value, if the format records places.
    pub(in crate::input) starts: Vec<Start>,
    /// The rows as written, one after another, if rows are kept.
    pub(in crate::input) rows: Vec<u8>,
    pub(in crate::input) row_ends: Vec<usize>,
}

impl Cells {
    /// Creates an empty collection that reuses the memory of `data`.
    pub(in crate::input) fn within(mut data: Vec<u8>) -> Self {
        data.clear();
        Self {
            data,
            ..Self::default()
        }
    }

    /// Reserves memory for this number of bytes, assuming that values are 32 bytes long on average.
    pub(in crate::input) fn reserve(&mut self, bytes: usize) {
        self.data.reserve(bytes);
        self.ends.reserve(bytes / 32);
    }

    /// Returns the number of records.
    pub(in crate::input) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a value.
    pub(in crate::input) fn push(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.ends.push(self.data.len());
    }

    /// Adds a record without a value.
    pub(in crate::input) fn push_broken(&mut self, why: impl Into<Box<str>>) {
        self.broken.push((self.ends.len(), why.into()));
        self.ends.push(self.data.len());
    }

    /// Adds the row of the last record, as written.
    pub(super) fn push_row(&mut self, row: &[u8]) {
        self.rows.extend_from_slice(row);
        self.row_ends.push(self.rows.len());
    }

    /// Replaces the value of the last record, or the reason why it has no value, with this reason.
    pub(super) fn replace_last(&mut self, why: impl Into<Box<str>>) {
        self.ends.pop();
        self.data.truncate(self.ends.last().copied().unwrap_or(0));
        self.broken.pop_if(|(nth, _)| *nth == self.ends.len());
        self.push_broken(why);
    }

    /// Returns the message for a value that was left out because it is longer than `max` bytes.
    pub(in crate::input) fn too_long(max: usize) -> String {
        format!("the value is longer than {max} bytes (--max-line)")
    }

    /// Removes the last record, and returns it.
    pub(in crate::input) fn pop(&mut self) -> Self {
        let mut popped = Self::default();
        self.ends.pop();
        let start = self.ends.last().copied().unwrap_or(0);
        let value = self.data.get(start..).unwrap_or_default();
        match self.broken.pop_if(|(nth, _)| *nth == self.ends.len()) {
            Some((_, why)) => popped.push_broken(why),
            None => popped.push(value),
        }
        self.data.truncate(start);
        if self.row_ends.pop().is_some() {
            let start = self.row_ends.last().copied().unwrap_or(0);
            popped.push_row(self.rows.get(start..).unwrap_or_default());
            self.rows.truncate(start);
        }
        popped.starts.extend(self.starts.pop());
        popped
    }

    /// Adds all records in `others`.
    pub(in crate::input) fn append(&mut self, others: &Self) {
        let (length, count) = (self.data.len(), self.len());
        self.data.extend_from_slice(&others.data);
        self.ends.extend(others.ends.iter().map(|end| end + length));
        let broken = others.broken.iter();
        self.broken
            .extend(broken.map(|(nth, why)| (nth + count, why.clone())));
        let length = self.rows.len();
        self.rows.extend_from_slice(&others.rows);
        let ends = others.row_ends.iter().map(|end| end + length);
        self.row_ends.extend(ends);
        self.starts.extend_from_slice(&others.starts);
    }
}

/// The values of consecutive records, as in a page of Parquet: each value is preceded by its length
/// in [`PREFIX`] bytes.
#[derive(Debug)]
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(in crate::input) struct Prefixed {
    pub(in crate::input) data: Bytes,
    pub(in crate::input) count: u64,
}

/// The size of the length prefix before each value, in bytes.
pub(in crate::input) const PREFIX: usize = size_of::<u32>();

/// Returns the length at the beginning of `values`, or `None` if `values` is too short.
pub(in crate::input) fn prefix(values: &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*values.first_chunk()?)).ok()
}

/// The size of a batch, in bytes and in records. A batch ends as soon as one limit is reached.
const ENOUGH: usize = 64 << 10;
const MANY: usize = 8 << 10;

/// Fills batches with consecutively numbered records.
pub(in crate::input) struct Filler {
    records: Box<dyn Records>,
    /// The maximum length of a value, in bytes.
    max: usize,
    /// A record that belongs to the next batch, with its number.
    held: Option<(u64, Cells)>,
    /// The error to return after the last batch.
    failed: Option<io::Error>,
}

impl Filler {
    pub(in crate::input) fn new(records: Box<dyn Records>, max: usize) -> Self {
        Self {
            records,
            max,
            held: None,
            failed: None,
        }
    }

    /// Returns the columns, if rows are kept.
    ///
    /// # Errors
    ///
    /// Fails if the columns cannot be read.
    pub(in crate::input) fn layout(&mut self) -> io::Result<Option<Layout>> {
        self.records.layout()
    }

    /// Fills `cells`, and returns the number of the first record. Returns `None` after the last
    /// record. Waits only for the first record.
    ///
    /// # Errors
    ///
    /// Fails if the next record cannot be read.
    pub(in crate::input) fn fill(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        cells.reserve(ENOUGH + ENOUGH / 16);
        let mut first = None;
        if let Some((number, held)) = self.held.take() {
            cells.append(&held);
            first = Some(number);
        }
        let has_starts = self.records.has_starts();
        while cells.data.len().max(cells.rows.len()) < ENOUGH && cells.len() < MANY {
            if first.is_some() && self.records.may_wait() {
                break;
            }
            match self.records.next(cells) {
                Ok(None) => break,
                Ok(Some(number)) => {
                    self.limit(cells);
                    let first = *first.get_or_insert(number);
                    let before = cells.len() as u64 - 1;
                    if !has_starts && number != first + before {
                        self.held = Some((number, cells.pop()));
                        break;
                    }
                }
                // The values before the error are returned first.
                Err(error) if first.is_some() => {
                    self.failed = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(first)
    }

    /// Rejects the last value if it is too long.
    fn limit(&self, cells: &mut Cells) {
        let (last, before) = match cells.ends.as_slice() {
            [.., before, last] => (*last, *before),
            [last] => (*last, 0),
            [] => return,
        };
        if last - before > self.max {
            cells.replace_last(Cells::too_long(self.max));
        }
    }
}

/// The size of a read, in bytes.
const READ: usize = 64 << 10;

/// Reads lines of limited length, without their line endings.
pub(super) struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    pub(super) line: Vec<u8>,
    /// The number of `line`, counting from 1.
    pub(super) number: u64,
    max: usize,
}

impl Lines {
    /// Reads lines from `source`. A line longer than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, max: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(READ, source),
            line: Vec::new(),
            number: 0,
            max,
        }
    }

    /// Reads the next line into `line`. Returns `false` at the end.
    ///
    /// # Errors
    ///
    /// Fails if the line is too long or cannot be read.
    pub(super) fn next(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.number += 1;
        let most = u64::try_from(self.max).unwrap_or(u64::MAX);
        let mut limited = (&mut self.reader).take(most.saturating_add(2));
        if limited.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(false);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        if self.line.len() > self.max {
            let (number, max) = (self.number, self.max);
            return Err(io::Error::other(format!(
                "line {number} is longer than {max} bytes (--max-line), so reading stops there"
            )));
        }
        Ok(true)
    }

    /// Skips this number of bytes. Returns `false` if the source ends earlier.
    ///
    /// # Errors
    ///
    /// Fails if the source cannot be read.
    pub(super) fn skip(&mut self, mut length: u64) -> io::Result<bool> {
        while length > 0 {
            let available = self.reader.fill_buf()?.len();
            if available == 0 {
                return Ok(false);
            }
            let passed = usize::try_from(length).unwrap_or(usize::MAX).min(available);
            self.reader.consume(passed);
            length -= passed as u64;
        }
        Ok(true)
    }

    /// Returns true if reading the next line may have to wait for input.
    pub(super) fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.reader.buffer()).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, Filler, Records};
    use std::io;

    /// Records with these numbers. 0 is an error, and records with odd numbers have no value.
    struct Fixed(std::vec::IntoIter<u64>);

    impl Records for Fixed {
        fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
            let number = self.0.next();
            match number {
                Some(0) => return Err(io::Error::other("broken")),
                Some(number) if number % 2 == 1 => cells.push_broken("odd"),
                Some(number) => cells.push(number.to_string().as_bytes()),
                None => {}
            }
            Ok(number)
        }

        fn may_wait(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_batch_has_consecutive_numbers_and_precedes_an_error() {
        let records = Fixed(vec![4, 5, 6, 9, 100, 0].into_iter());
        let mut filler = Filler::new(Box::new(records), 2);
        let mut batch = || {
            let mut cells = Cells::default();
            let first = filler.fill(&mut cells)?;
            let text = String::from_utf8_lossy(&cells.data).into_owned();
            let broken: Vec<_> = cells.broken.iter().map(|(nth, _)| *nth).collect();
            io::Result::Ok((first, text, cells.ends, broken))
        };
        let long = "46".to_owned();
        assert_eq!(batch().unwrap(), (Some(4), long, vec![1, 1, 2], vec![1]));
        assert_eq!(batch().unwrap(), (Some(9), String::new(), vec![0], vec![0]));
        assert_eq!(
            batch().unwrap(),
            (Some(100), String::new(), vec![0], vec![0])
        );
        assert_eq!(batch().unwrap_err().to_string(), "broken");
        assert_eq!(batch().unwrap().0, None);
    }
}
