//! Reads a column of CSV (RFC 4180) or TSV, in rows of limited length.

use super::records::{Cells, Records, invalid};
use csv::{ByteRecord, Reader, ReaderBuilder};
use std::io::{self, Read};

/// Reads a column of CSV. The first row contains the names of the columns. If the first row has
/// tabs but no commas, tabs separate the cells.
pub(super) struct Csv {
    rows: Rows,
    /// The name or number of the column.
    name: String,
    /// The index of the column, once the first row has been read.
    place: Option<usize>,
    is_live: bool,
}

impl Csv {
    /// Creates a reader for the column with this name or number. A row longer than `max` bytes is
    /// an error.
    pub(super) fn new(source: Box<dyn Read + Send>, name: &str, is_live: bool, max: usize) -> Self {
        Self {
            rows: Rows::new(source, max),
            name: name.to_owned(),
            place: None,
            is_live,
        }
    }

    /// Returns the index of the column, and reads the first row if necessary.
    fn place(&mut self) -> io::Result<usize> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        let name = &self.name;
        let Some(names) = self.rows.next()? else {
            return Err(invalid(format!("no column `{name}`: the file is empty")));
        };
        let mut places = names.iter().enumerate();
        let mut next = || places.find(|(_, it)| *it == name.as_bytes());
        let (found, second) = (next().map(|(place, _)| place), next());
        if second.is_some() {
            return Err(invalid(format!(
                "several columns have the name `{name}`; give a column number instead"
            )));
        }
        let numbered = || {
            let number: usize = name.parse().ok()?;
            number.checked_sub(1).filter(|place| *place < names.len())
        };
        let Some(place) = found.or_else(numbered) else {
            let names: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
            let names = names.join(", ");
            return Err(invalid(format!(
                "no column `{name}`; the columns are {names}"
            )));
        };
        self.place = Some(place);
        Ok(place)
    }
}

impl Records for Csv {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        let place = self.place()?;
        let number = self.rows.number();
        let Some(row) = self.rows.next()? else {
            return Ok(None);
        };
        // A missing cell at the end of a short row is treated as empty.
        cells.push(row.get(place).unwrap_or_default());
        Ok(Some(number))
    }

    fn may_wait(&self) -> bool {
        self.is_live && self.rows.may_wait()
    }
}

/// The number of bytes that a row may have in addition to its cells (delimiters, quotes, the line
/// end), including bytes that are read ahead.
const BETWEEN_CELLS: usize = 64 << 10;

/// Reads rows, including the first.
pub(super) struct Rows {
    reader: RowReader,
    record: ByteRecord,
    /// The number of the next row, from 1.
    number: u64,
    /// The maximum total length of a row's cells, in bytes.
    max: usize,
}

/// The CSV reader, whose separator depends on the first row.
enum RowReader {
    /// The separator is still unknown.
    New(Option<Box<dyn Read + Send>>),
    Open(Box<Reader<Limited>>),
}

impl Rows {
    /// Reads rows from `source`. A row longer than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, max: usize) -> Self {
        Self {
            reader: RowReader::New(Some(source)),
            record: ByteRecord::new(),
            number: 1,
            max,
        }
    }

    /// Returns the number of the next row, from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next row. Returns `None` after the last.
    ///
    /// # Errors
    ///
    /// Fails if the row is too long or cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<&ByteRecord>> {
        if let RowReader::New(source) = &mut self.reader {
            let mut source = source.take().unwrap_or_else(|| Box::new(io::empty()));
            let begin = first_line(&mut source)?;
            let names = begin.split(|byte| *byte == b'\n').next();
            let has = |byte| names.is_some_and(|names| names.contains(&byte));
            let separator = if has(b'\t') && !has(b',') {
                b'\t'
            } else {
                b','
            };
            let source = Box::new(io::Cursor::new(begin).chain(source));
            self.reader = RowReader::Open(Box::new(reader(separator, source)));
        }
        let RowReader::Open(reader) = &mut self.reader else {
            return Ok(None);
        };
        reader.get_mut().left = self.max.saturating_add(BETWEEN_CELLS);
        let read = reader.read_byte_record(&mut self.record);
        let is_over = reader.get_ref().left == 0;
        if is_over || self.record.as_slice().len() > self.max {
            let (number, max) = (self.number, self.max);
            return Err(io::Error::other(format!(
                "row {number} has more than {max} bytes (--max-line), so reading stops there"
            )));
        }
        self.number += 1;
        Ok(read?.then_some(&self.record))
    }

    /// Returns true if reading the next row may have to wait for input: the last read returned less
    /// than requested.
    pub(super) fn may_wait(&self) -> bool {
        match &self.reader {
            RowReader::New(_) => true,
            RowReader::Open(reader) => reader.get_ref().is_drained,
        }
    }
}

fn reader(separator: u8, source: Box<dyn Read + Send>) -> Reader<Limited> {
    ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .delimiter(separator)
        .from_reader(Limited {
            source,
            left: 0,
            is_drained: true,
        })
}

/// Reads the beginning of a file: the first line, unless it is too long.
fn first_line(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    while begin.len() < BETWEEN_CELLS && memchr::memchr(b'\n', &begin).is_none() {
        let mut piece = [0; 4096];
        match source.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => begin.extend_from_slice(piece.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(begin)
}

/// Limits the number of bytes that can be read. Reading more than that is an error.
struct Limited {
    source: Box<dyn Read + Send>,
    left: usize,
    /// True if the last read returned less than requested.
    is_drained: bool,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is too long"));
        }
        let most = self.left.min(buffer.len());
        let read = self
            .source
            .read(buffer.get_mut(..most).unwrap_or_default())?;
        self.left -= read;
        self.is_drained = read < most;
        Ok(read)
    }
}
