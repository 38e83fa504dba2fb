//! The rows of CSV, of limited length.

use csv::{ByteRecord, Reader, ReaderBuilder};
use std::io::{self, Read};

/// How many bytes a row may have besides its cells (delimiters, quotes, the line end), together
/// with what is read ahead.
const BETWEEN_CELLS: usize = 64 << 10;

/// Reads rows, the first one included.
pub(super) struct Rows<R> {
    reader: Reader<Limited<R>>,
    record: ByteRecord,
    /// The number of the next row, from 1.
    number: u64,
    /// The most bytes that the cells of a row may have together.
    max: usize,
}

impl<R: Read> Rows<R> {
    /// The rows of `source`; one of more than `max` bytes is an error.
    pub(super) fn new(source: R, max: usize) -> Self {
        Self {
            reader: ReaderBuilder::new()
                .flexible(true)
                .has_headers(false)
                .from_reader(Limited { source, left: 0 }),
            record: ByteRecord::new(),
            number: 1,
            max,
        }
    }

    /// The next row; `None` after the last.
    ///
    /// # Errors
    ///
    /// If it is too long, and if it cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<&ByteRecord>> {
        self.reader.get_mut().left = self.max.saturating_add(BETWEEN_CELLS);
        let read = self.reader.read_byte_record(&mut self.record);
        let is_over = self.reader.get_ref().left == 0;
        if is_over || self.record.as_slice().len() > self.max {
            let (number, max) = (self.number, self.max);
            return Err(io::Error::other(format!(
                "row {number} has more than {max} bytes (--max-line), and nothing after it is read"
            )));
        }
        self.number += 1;
        Ok(read?.then_some(&self.record))
    }
}

/// Reads until `left` bytes have been read; then it is an error to read more.
struct Limited<R> {
    source: R,
    left: usize,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is too long"));
        }
        let most = self.left.min(buffer.len());
        let read = self
            .source
            .read(buffer.get_mut(..most).unwrap_or_default())?;
        self.left -= read;
        Ok(read)
    }
}
