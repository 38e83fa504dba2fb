//! Reads a column of CSV (RFC 4180) or TSV, in rows of limited length.
//!
//! Rows are split here, and not by the `csv` crate, because that crate returns neither a row as
//! written nor the position of a cell. Both implementations split rows into the same cells, even
//! where RFC 4180 is silent: a quote opens a cell only at the cell's beginning, text after the
//! closing quote belongs to the cell, CR alone ends a row, and empty lines are not rows.

use super::layout::{Layout, LayoutKind};
use super::records::{Cells, Records, Start, invalid};
use memchr::{memchr, memchr_iter, memchr2, memchr3, memrchr};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

/// Reads a column of CSV. The first row contains the names of the columns. If the first row has
/// tabs but no commas, tabs separate the cells.
pub(super) struct Csv {
    rows: Rows,
    /// The name or number of the column.
    name: String,
    /// The index of the column and the number of columns, once the first row has been read.
    place: Option<(usize, usize)>,
    /// The names of the columns, and the first row, if rows are kept.
    layout: Option<Layout>,
    is_live: bool,
    keeps_rows: bool,
}

impl Csv {
    /// Creates a reader for the column with this name or number. If no separator is given, the
    /// first row determines it. A row longer than `max` bytes is an error.
    pub(super) fn new(
        source: Box<dyn Read + Send>,
        name: &str,
        separator: Option<u8>,
        is_live: bool,
        max: usize,
    ) -> Self {
        Self {
            rows: Rows::new(source, separator, max),
            name: name.to_owned(),
            place: None,
            layout: None,
            is_live,
            keeps_rows: false,
        }
    }

    /// Chooses whether the reader also returns each row as written.
    pub(super) fn keeping_rows(mut self, keeps_rows: bool) -> Self {
        self.keeps_rows = keeps_rows;
        self
    }

    /// Returns the index of the column and the number of columns, and reads the first row if
    /// necessary.
    fn place(&mut self) -> io::Result<(usize, usize)> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        let name = &self.name;
        let Some(row) = self.rows.next()? else {
            return Err(invalid(format!("no column `{name}`: the file is empty")));
        };
        let names: Vec<_> = row.cells().collect();
        let mut places = names.iter().enumerate();
        let mut next = || places.find(|(_, it)| ***it == *name.as_bytes());
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
            let names: Vec<_> = names.iter().map(|it| String::from_utf8_lossy(it)).collect();
            let names = names.join(", ");
            return Err(invalid(format!(
                "no column `{name}`; the columns are {names}"
            )));
        };
        if self.keeps_rows {
            self.layout = Some(Layout {
                kind: LayoutKind::Csv {
                    separator: row.separator,
                },
                names: names
                    .iter()
                    .map(|it| String::from_utf8_lossy(it).into_owned())
                    .collect(),
                header: row.raw.to_vec(),
            });
        }
        let place = (place, names.len());
        self.place = Some(place);
        Ok(place)
    }
}

impl Records for Csv {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        let (place, columns) = self.place()?;
        let keeps_rows = self.keeps_rows;
        let Some(row) = self.rows.next()? else {
            return Ok(None);
        };
        let start = row.start(place);
        // A missing cell at the end of a short row is treated as empty.
        cells.push(&row.cell(place).unwrap_or_default());
        cells.starts.push(start);
        if keeps_rows {
            let found = row.places.len();
            if found > columns {
                // In a row with too many cells, the added cells would end up in the wrong columns.
                cells.replace_last(format!(
                    "the row has {found} cells, but the table has {columns} columns; it is left out"
                ));
                cells.push_row(b"");
            } else {
                let missing = columns - found;
                let (text, end) = split_end(row.raw);
                let separators = vec![row.separator; missing];
                cells.push_row(&[text, &separators, end].concat());
            }
        }
        Ok(Some(start.line))
    }

    fn has_starts(&self) -> bool {
        true
    }

    fn may_wait(&self) -> bool {
        self.is_live && self.rows.may_wait()
    }

    fn layout(&mut self) -> io::Result<Option<Layout>> {
        self.place()?;
        Ok(self.layout.clone())
    }
}

/// Splits a row into its cells and its line ending.
pub(crate) fn split_end(row: &[u8]) -> (&[u8], &[u8]) {
    let length = match row {
        [.., b'\r', b'\n'] => 2,
        [.., b'\r' | b'\n'] => 1,
        _ => 0,
    };
    row.split_at_checked(row.len() - length)
        .unwrap_or((row, &[]))
}

/// Splits a row, written with this separator, into cells.
pub(crate) fn split_row(row: &[u8], separator: u8) -> Vec<Cow<'_, [u8]>> {
    let mut scanner = Scanner::default();
    scanner.scan(row, separator, true);
    let cells = scanner.cells.iter();
    cells.map(|place| place.text(row)).collect()
}

/// Appends a cell, in quotes if it needs them.
pub(crate) fn write_cell(out: &mut Vec<u8>, cell: &[u8], separator: u8) {
    let needs_quotes = memchr3(separator, b'\n', b'\r', cell).is_some() || cell.contains(&b'"');
    if !needs_quotes {
        return out.extend_from_slice(cell);
    }
    out.push(b'"');
    for part in cell.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

/// A row.
pub(super) struct Row<'r> {
    /// The row as written, with its line ending.
    raw: &'r [u8],
    places: &'r [CellPlace],
    separator: u8,
    /// The number of the row's first line, counting from 1.
    line: u64,
}

impl<'r> Row<'r> {
    /// Returns the cells.
    fn cells(&self) -> impl Iterator<Item = Cow<'r, [u8]>> {
        let raw = self.raw;
        self.places.iter().map(|place| place.text(raw))
    }

    /// Returns a cell.
    pub(super) fn cell(&self, nth: usize) -> Option<Cow<'r, [u8]>> {
        Some(self.places.get(nth)?.text(self.raw))
    }

    /// Returns the position where the text of a cell begins; if the cell is missing, returns the
    /// end of the row.
    fn start(&self, nth: usize) -> Start {
        let (at, is_quoted) = match self.places.get(nth) {
            Some(place) => (
                place.range.start + usize::from(place.is_quoted),
                place.is_quoted,
            ),
            None => (split_end(self.raw).0.len(), false),
        };
        let before = self.raw.get(..at).unwrap_or_default();
        let line = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let lines = match line {
            0 => 0,
            _ => memchr_iter(b'\n', before).count() as u64,
        };
        let text = before.get(line..).unwrap_or_default();
        // Continuation bytes of UTF-8 begin with the bits 10, and are not counted.
        let characters = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Start {
            line: self.line + lines,
            column: characters,
            is_quoted,
        }
    }
}

/// The position of a cell in its row, including its quotes.
#[derive(Clone, Debug)]
struct CellPlace {
    range: Range<usize>,
    is_quoted: bool,
}

impl CellPlace {
    /// Returns the text of the cell.
    fn text<'r>(&self, row: &'r [u8]) -> Cow<'r, [u8]> {
        let raw = row.get(self.range.clone()).unwrap_or_default();
        let Some(inner) = raw.get(1..).filter(|_| self.is_quoted) else {
            return Cow::Borrowed(raw);
        };
        match memchr(b'"', inner) {
            // Usually, nothing follows the closing quote.
            Some(end) if end + 1 == inner.len() => {
                return Cow::Borrowed(inner.get(..end).unwrap_or_default());
            }
            None => return Cow::Borrowed(inner),
            Some(_) => {}
        }
        let (mut text, mut rest) = (Vec::new(), inner);
        while let Some(quote) = memchr(b'"', rest) {
            let (before, after) = rest.split_at_checked(quote).unwrap_or((rest, &[]));
            text.extend_from_slice(before);
            let after = after.get(1..).unwrap_or_default();
            if let Some(after) = after.strip_prefix(b"\"") {
                text.push(b'"');
                rest = after;
            } else {
                // The closing quote.
                text.extend_from_slice(after);
                rest = &[];
            }
        }
        text.extend_from_slice(rest);
        Cow::Owned(text)
    }
}

/// The number of bytes to read at a time.
const READ: usize = 64 << 10;

/// Reads all rows, including the header row.
pub(super) struct Rows {
    source: Box<dyn Read + Send>,
    /// The separator, once it is known.
    separator: Option<u8>,
    /// The bytes read so far, and the position of the next row.
    buffer: Vec<u8>,
    at: usize,
    scanner: Scanner,
    is_over: bool,
    /// The number of the next line, counting from 1.
    line: u64,
    /// The maximum length of a row, in bytes.
    max: usize,
}

impl Rows {
    /// Reads rows from `source`. A row longer than `max` bytes is an error.
    pub(super) fn new(source: Box<dyn Read + Send>, separator: Option<u8>, max: usize) -> Self {
        Self {
            source,
            separator,
            buffer: Vec::new(),
            at: 0,
            scanner: Scanner::default(),
            is_over: false,
            line: 1,
            max,
        }
    }

    /// Reads the next row. Returns `None` after the last row.
    ///
    /// # Errors
    ///
    /// Fails if the row is too long or cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Row<'_>>> {
        self.scanner.clear();
        let separator = self.separator()?;
        let length = loop {
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            if self.scanner.at == 0 {
                // Empty lines are not rows.
                let mut empty = rest.iter().take_while(|byte| is_end(**byte)).count();
                // A line feed may follow the carriage return.
                if empty == rest.len() && rest.ends_with(b"\r") && !self.is_over {
                    empty -= 1;
                }
                let ends = rest.get(..empty).unwrap_or_default();
                self.line += lines(ends);
                self.at += empty;
            }
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            let found = self.scanner.scan(rest, separator, self.is_over);
            let length = found.unwrap_or(rest.len());
            // Separators do not count towards the limit.
            let separators = self.scanner.cells.len() - usize::from(found.is_some());
            let text = split_end(rest.get(..length).unwrap_or_default()).0;
            if text.len().saturating_sub(separators) > self.max {
                let (line, max) = (self.line, self.max);
                return Err(io::Error::other(format!(
                    "the row on line {line} is longer than {max} bytes (--max-line), so reading \
                     stops there"
                )));
            }
            match found {
                Some(length) => break length,
                None if self.is_over => return Ok(None),
                None => self.read()?,
            }
        };
        let raw = self.at..self.at + length;
        self.at = raw.end;
        let raw = self.buffer.get(raw).unwrap_or_default();
        let line = self.line;
        self.line += if self.scanner.has_quotes {
            let (text, end) = split_end(raw);
            memchr_iter(b'\n', text).count() as u64 + u64::from(!end.is_empty())
        } else {
            1
        };
        Ok(Some(Row {
            raw,
            places: &self.scanner.cells,
            separator,
            line,
        }))
    }

    /// Returns the separator. Reads the first line to determine it, if necessary.
    fn separator(&mut self) -> io::Result<u8> {
        if let Some(separator) = self.separator {
            return Ok(separator);
        }
        while !self.is_over
            && self.buffer.len() < READ
            && memchr2(b'\n', b'\r', &self.buffer).is_none()
        {
            self.read()?;
        }
        let mut lines = self.buffer.split(|byte| is_end(*byte));
        let names = lines.find(|line| !line.is_empty()).unwrap_or_default();
        let separator = if names.contains(&b'\t') && !names.contains(&b',') {
            b'\t'
        } else {
            b','
        };
        self.separator = Some(separator);
        Ok(separator)
    }

    /// Reads more bytes.
    fn read(&mut self) -> io::Result<()> {
        if self.at > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let start = self.buffer.len();
        self.buffer.resize(start + READ, 0);
        let read = loop {
            match self
                .source
                .read(self.buffer.get_mut(start..).unwrap_or_default())
            {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        self.buffer.truncate(start + *read.as_ref().unwrap_or(&0));
        self.is_over = read? == 0;
        Ok(())
    }

    /// Returns true if reading the next row may have to wait for input.
    pub(super) fn may_wait(&self) -> bool {
        let rest = self.buffer.get(self.at..).unwrap_or_default();
        let empty = rest.iter().take_while(|byte| is_end(**byte)).count();
        let row = rest.get(empty..).unwrap_or_default();
        let separator = self.separator.unwrap_or(b',');
        Scanner::default().scan(row, separator, false).is_none()
    }
}

const fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Counts these line endings, each CRLF as one.
fn lines(ends: &[u8]) -> u64 {
    let pairs = ends.windows(2).filter(|pair| *pair == b"\r\n").count();
    (ends.len() - pairs) as u64
}

/// Finds the cells and the end of a row that arrives in pieces.
#[derive(Default)]
struct Scanner {
    cells: Vec<CellPlace>,
    /// The number of bytes scanned so far.
    at: usize,
    /// The beginning of the current cell.
    start: usize,
    is_quoted: bool,
    state: State,
    has_quotes: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Before a cell.
    #[default]
    Start,
    /// In a cell, outside quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote that ends the cell, unless another quote follows.
    Closed,
}

impl Scanner {
    fn clear(&mut self) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        *self = Self {
            cells,
            ..Self::default()
        };
    }

    /// Scans the rest of `row`. Returns the length of the row with its line ending, or `None` if it
    /// is not complete. With `is_over`, nothing follows.
    fn scan(&mut self, row: &[u8], separator: u8, is_over: bool) -> Option<usize> {
        loop {
            let rest = row.get(self.at..).unwrap_or_default();
            match (self.state, rest.first()) {
                (State::Start, Some(b'"')) => {
                    (self.is_quoted, self.has_quotes) = (true, true);
                    self.state = State::Quoted;
                    self.at += 1;
                }
                (State::Quoted, _) => {
                    let Some(quote) = memchr(b'"', rest) else {
                        self.at = row.len();
                        return self.end(row, is_over);
                    };
                    self.at += quote + 1;
                    self.state = State::Closed;
                }
                (State::Closed, Some(b'"')) => {
                    self.state = State::Quoted;
                    self.at += 1;
                }
                (State::Closed, None) => return self.end(row, is_over),
                (State::Closed | State::Start | State::Plain, _) => {
                    let Some(found) = memchr3(separator, b'\n', b'\r', rest) else {
                        if !rest.is_empty() {
                            self.state = State::Plain;
                        }
                        self.at = row.len();
                        return self.end(row, is_over);
                    };
                    let at = self.at + found;
                    let length = match (rest.get(found), rest.get(found + 1)) {
                        (Some(b'\r'), Some(b'\n')) => 2,
                        // A line feed may follow the carriage return.
                        (Some(b'\r'), None) if !is_over => {
                            self.at = at;
                            return None;
                        }
                        _ => 1,
                    };
                    self.cell(at);
                    self.at = at + length;
                    self.start = self.at;
                    if row.get(at) != Some(&separator) {
                        return Some(self.at);
                    }
                }
            }
        }
    }

    fn cell(&mut self, end: usize) {
        self.cells.push(CellPlace {
            range: self.start..end,
            is_quoted: std::mem::take(&mut self.is_quoted),
        });
        self.state = State::Start;
    }

    /// Ends the last row of a file, which may lack a line ending.
    fn end(&mut self, row: &[u8], is_over: bool) -> Option<usize> {
        (is_over && !row.is_empty()).then(|| {
            self.cell(row.len());
            row.len()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, split_row, write_cell};

    /// Returns one byte at a time.
    struct Slowly(std::io::Cursor<Vec<u8>>);

    impl std::io::Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    type Cells = Vec<Vec<u8>>;

    fn rows(text: &[u8], slowly: bool) -> Vec<(u64, Cells)> {
        let cursor = std::io::Cursor::new(text.to_vec());
        let source: Box<dyn std::io::Read + Send> = if slowly {
            Box::new(Slowly(cursor))
        } else {
            Box::new(cursor)
        };
        let mut rows = Rows::new(source, Some(b','), 1 << 20);
        let mut all = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            all.push((row.line, row.cells().map(|it| it.to_vec()).collect()));
        }
        all
    }

    /// The `csv` crate is the oracle for the cells.
    fn expected(text: &[u8]) -> Vec<Cells> {
        let reader = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .from_reader(text);
        let records = reader.into_byte_records();
        let cells = |row: csv::ByteRecord| row.iter().map(<[u8]>::to_vec).collect();
        records.map(|row| cells(row.unwrap())).collect()
    }

    #[test]
    fn cells_are_those_of_the_crate_csv() {
        let alphabet = [
            &b"a"[..],
            b",",
            b"\"",
            b"\n",
            b"\r",
            b"\r\n",
            b"\"\"",
            b"b c",
        ];
        let mut seed = 1_u64;
        for round in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..round % 13 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let nth = usize::try_from(seed >> 33).unwrap() % alphabet.len();
                text.extend_from_slice(alphabet[nth]);
            }
            let shown = String::from_utf8_lossy(&text);
            let found = rows(&text, false);
            assert_eq!(found, rows(&text, true), "{shown:?}");
            let found: Vec<_> = found.into_iter().map(|(_, cells)| cells).collect();
            assert_eq!(found, expected(&text), "{shown:?}");
        }
    }

    #[test]
    fn rows_know_their_lines() {
        let text = b"a,b\r\n\"x\ny\",\"z\n\"\n\n\r\nc\rd";
        let lines: Vec<_> = rows(text, false)
            .into_iter()
            .map(|(line, _)| line)
            .collect();
        assert_eq!(lines, [1, 2, 7, 8]);
    }

    #[test]
    fn what_is_written_can_be_split() {
        for separator in [b',', b'\t'] {
            let cells = [&b"a"[..], b"", b"x,y", b"\t", b"\"q\"", b"1\n2", b"\r"];
            let mut row = Vec::new();
            for cell in cells {
                if !row.is_empty() {
                    row.push(separator);
                }
                write_cell(&mut row, cell, separator);
            }
            assert_eq!(split_row(&row, separator), cells);
        }
    }
}
