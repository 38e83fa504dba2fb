//! Comma-separated values (RFC 4180) and tab-separated values, both with or without quoted cells.
//!
//! A link never crosses the boundary of a cell. Within a quoted cell, `""` is a quotation mark, and
//! delimiters and line endings are text. A quotation mark within an unquoted cell is text too, and
//! text after the closing mark belongs to the cell. If a cell consists only of a link, punctuation
//! at the end of the cell belongs to the link.
//!
//! The delimiter of CSV is a comma. Spreadsheets also write semicolons or tabs, and may declare the
//! delimiter in a line such as `sep=;`. A semicolon or a tab also counts as the delimiter if the
//! first line contains it and contains neither a comma nor a colon.

use crate::decode::{CELL, OffsetMap};
use crate::found::{Bases, Found};
use crate::plain::Stream;
use crate::reader::{Context, Each, Noticed, Reader, TooLong};
use memchr::{memchr, memchr3};

/// The number of bytes to examine for the delimiter, unless the line ends earlier.
const HEAD: usize = 8192;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The position in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Before the first character of a cell.
    Start,
    /// In a cell without quotation marks, or after the closing mark of a quoted cell.
    Plain,
    Quoted,
    /// After a quotation mark in a quoted cell, which is either the closing mark or the first of
    /// two.
    Quote,
}

/// Reads a table in constant memory.
#[derive(Debug)]
pub(crate) struct Table<'e> {
    stream: Stream<'e>,
    bases: Bases,
    /// The beginning of the file, until the delimiter is known.
    head: Option<Vec<u8>>,
    delimiter: u8,
    state: State,
    /// The text of the cells in a piece. A [`CELL`] precedes and follows each cell.
    text: Vec<u8>,
    map: OffsetMap,
}

impl<'e> Table<'e> {
    /// Creates the reader for CSV.
    pub(crate) fn csv(context: Context<'e>, bases: &Bases) -> Box<dyn Reader + 'e> {
        Box::new(Self::new(context, bases, Some(Vec::new()), b','))
    }

    /// Creates the reader for tab-separated values.
    pub(crate) fn tsv(context: Context<'e>, bases: &Bases) -> Box<dyn Reader + 'e> {
        Box::new(Self::new(context, bases, None, b'\t'))
    }

    fn new(context: Context<'e>, bases: &Bases, head: Option<Vec<u8>>, delimiter: u8) -> Self {
        let mut table = Self {
            stream: context.finder.stream(),
            bases: bases.clone(),
            head,
            delimiter,
            state: State::Start,
            text: Vec::new(),
            map: OffsetMap::new(0),
        };
        table.edge();
        table
    }

    /// Adds bytes to the text.
    fn copy(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.map.copied(bytes.len());
    }

    /// Adds a cell boundary that has no byte in the file.
    fn edge(&mut self) {
        self.text.push(CELL);
        self.map.replaced(1, 0);
    }

    /// Adds a cell boundary in place of one byte.
    fn border(&mut self) {
        self.copy(&[CELL]);
    }

    /// Decodes a piece into `text`.
    fn decode(&mut self, mut rest: &[u8]) {
        while let Some(first) = rest.first() {
            let length = match self.state {
                State::Start if *first == b'"' => {
                    self.border();
                    self.state = State::Quoted;
                    1
                }
                State::Start | State::Plain => self.plain(rest),
                State::Quoted => {
                    let quote = memchr(b'"', rest);
                    let length = quote.unwrap_or(rest.len());
                    self.copy(rest.get(..length).unwrap_or_default());
                    if quote.is_some() {
                        self.state = State::Quote;
                    }
                    length + usize::from(quote.is_some())
                }
                State::Quote if *first == b'"' => {
                    self.text.push(b'"');
                    self.map.replaced(1, 2);
                    self.state = State::Quoted;
                    1
                }
                State::Quote => {
                    self.border();
                    self.state = State::Plain;
                    0
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    /// Decodes the rest of an unquoted cell with its delimiter. Returns the length.
    fn plain(&mut self, rest: &[u8]) -> usize {
        let Some(length) = memchr3(self.delimiter, b'\n', b'\r', rest) else {
            self.copy(rest);
            self.state = State::Plain;
            return rest.len();
        };
        self.copy(rest.get(..length).unwrap_or_default());
        self.border();
        self.state = State::Start;
        length + 1
    }

    /// Determines the delimiter once the first line is complete. Returns the bytes that may be
    /// decoded.
    fn begin(&mut self, piece: &[u8], is_complete: bool) -> Option<Vec<u8>> {
        let head = self.head.as_mut()?;
        head.extend_from_slice(piece);
        let line = head.get(..HEAD).unwrap_or(head);
        let end = memchr(b'\n', line);
        if end.is_none() && head.len() < HEAD && !is_complete {
            return None;
        }
        self.delimiter = delimiter(line.get(..end.unwrap_or(line.len())).unwrap_or_default());
        let head = self.head.take()?;
        let mark = if head.starts_with(MARK) { MARK } else { b"" };
        if !mark.is_empty() {
            self.copy(mark);
            self.edge();
        }
        Some(head.get(mark.len()..).unwrap_or_default().to_vec())
    }

    fn read(&mut self, piece: &[u8], each: &mut Each<'_>) {
        self.decode(piece);
        let Self {
            stream,
            bases,
            text,
            map,
            ..
        } = self;
        stream.push_written(text, |link, written| {
            let mut found = Found::plain(link, written, bases);
            found.range = map.range(found.range);
            each(found);
        });
        text.clear();
        map.discard_before(stream.undecided_from());
    }
}

impl Reader for Table<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        if self.head.is_none() {
            self.read(piece, each);
        } else if let Some(begin) = self.begin(piece, false) {
            self.read(&begin, each);
        }
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.map.start(self.stream.undecided_from())
    }

    fn finish(mut self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        if let Some(begin) = self.begin(b"", true) {
            self.read(&begin, each);
        }
        self.edge();
        self.read(b"", each);
        let Self {
            stream, bases, map, ..
        } = *self;
        stream.finish_written(|link, written| {
            let mut found = Found::plain(link, written, &bases);
            found.range = map.range(found.range);
            each(found);
        });
        Noticed::default()
    }
}

/// Returns the delimiter of a CSV file with this first line.
fn delimiter(line: &[u8]) -> u8 {
    let line = line.strip_prefix(MARK).unwrap_or(line).trim_ascii_end();
    if let [b's', b'e', b'p', b'=', delimiter] = line {
        return *delimiter;
    }
    let has = |byte| memchr(byte, line).is_some();
    // The path of a URL may contain semicolons.
    let is_certain = has(b',') || has(b':');
    let others = [b';', b'\t'];
    let other = others.into_iter().find(|byte| !is_certain && has(*byte));
    other.unwrap_or(b',')
}
