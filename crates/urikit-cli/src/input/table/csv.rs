//! A column of CSV (RFC 4180), or of TSV.

use super::records::{Cells, Records, invalid};
use csv::{ByteRecord, Reader, ReaderBuilder};
use std::io::{self, Read};

/// Reads CSV whose first row has the names of the columns. If that has a tab and no comma, tabs
/// separate the cells.
pub(super) struct Csv {
    rows: Rows,
    /// The name in the first row, or the number.
    name: String,
    /// Its place, once the first row was read.
    place: Option<usize>,
    is_live: bool,
}

impl Csv {
    /// The column of this name or number. A row of more than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, name: &str, is_live: bool, max: usize) -> Self {
        Self {
            rows: Rows::new(source, max),
            name: name.to_owned(),
            place: None,
            is_live,
        }
    }

    /// The column's place among those of the first row.
    fn place(&mut self) -> io::Result<usize> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        let name = &self.name;
        let Some(names) = self.rows.next()? else {
            return Err(invalid(format!(
                "expected the column `{name}`, but found no first row"
            )));
        };
        let found = names.iter().position(|it| it == name.as_bytes());
        let numbered = || {
            let number: usize = name.parse().ok()?;
            number.checked_sub(1).filter(|place| *place < names.len())
        };
        let Some(place) = found.or_else(numbered) else {
            let names: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
            let names = names.join(", ");
            return Err(invalid(format!(
                "expected the column `{name}`, but found {names}"
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
        // A row that is too short has no difference between an empty value and none.
        cells.push(row.get(place).unwrap_or_default());
        Ok(Some(number))
    }

    fn may_wait(&self) -> bool {
        self.is_live && self.rows.may_wait()
    }
}

/// How many bytes a row may have besides its cells (delimiters, quotes, the line end), together
/// with what is read ahead.
const BETWEEN_CELLS: usize = 64 << 10;

/// Reads rows, the first one included.
pub(super) struct Rows {
    reader: State,
    record: ByteRecord,
    /// The number of the next row, from 1.
    number: u64,
    /// The most bytes that the cells of a row may have together.
    max: usize,
}

enum State {
    /// The separator is not known yet.
    New(Option<Box<dyn Read + Send>>),
    Open(Box<Reader<Limited>>),
}

impl Rows {
    /// The rows of `source`; one of more than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, max: usize) -> Self {
        Self {
            reader: State::New(Some(source)),
            record: ByteRecord::new(),
            number: 1,
            max,
        }
    }

    /// The number of the next row, from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// The next row; `None` after the last.
    ///
    /// # Errors
    ///
    /// If it is too long, and if it cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<&ByteRecord>> {
        if let State::New(source) = &mut self.reader {
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
            self.reader = State::Open(Box::new(reader(separator, source)));
        }
        let State::Open(reader) = &mut self.reader else {
            return Ok(None);
        };
        reader.get_mut().left = self.max.saturating_add(BETWEEN_CELLS);
        let read = reader.read_byte_record(&mut self.record);
        let is_over = reader.get_ref().left == 0;
        if is_over || self.record.as_slice().len() > self.max {
            let (number, max) = (self.number, self.max);
            return Err(io::Error::other(format!(
                "row {number} has more than {max} bytes (--max-line), and nothing after it is read"
            )));
        }
        self.number += 1;
        Ok(read?.then_some(&self.record))
    }

    /// Whether less was there than was read at once, so that the next row may come much later.
    pub(super) fn may_wait(&self) -> bool {
        match &self.reader {
            State::New(_) => true,
            State::Open(reader) => reader.get_ref().is_drained,
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

/// The beginning of a file, with its first line if that is not too long.
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

/// Reads until `left` bytes have been read; then it is an error to read more.
struct Limited {
    source: Box<dyn Read + Send>,
    left: usize,
    /// Whether the last read returned less than was asked for.
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
