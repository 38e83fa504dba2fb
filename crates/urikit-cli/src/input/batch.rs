//! Consecutive inputs from one source, in the buffer they were read into.

use super::item::{Input, Source};
use super::table::{Cells, PREFIX, Prefixed, Start, prefix};
use bytes::Bytes;
use memchr::{memchr, memchr_iter};
use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use urikit_report::input::Unparsed;

/// The outcome of a read.
#[derive(Debug)]
pub(crate) enum Event {
    Batch(Batch),
    /// A source that cannot be read, or cannot be read to its end.
    Unreadable(Arc<Source>, io::Error),
}

/// Consecutive inputs from one source.
#[derive(Debug)]
pub(crate) struct Batch {
    data: Data,
    ends: Ends,
    source: Arc<Source>,
    first_number: u64,
    first_index: u64,
    len: u64,
    /// The positions of inputs without a value, with the reasons.
    broken: Vec<(usize, Box<str>)>,
    /// The place of each input in its file, unless each input is a line or a row.
    starts: Vec<Start>,
    /// The rows of the inputs as written, one after another, if rows are kept.
    rows: Vec<u8>,
    row_ends: Vec<usize>,
    /// True if the source may have so many inputs that errors are counted.
    pub(super) is_bulk: bool,
}

/// The buffer that contains the inputs.
#[derive(Debug)]
enum Data {
    Own(Vec<u8>),
    /// A slice of a Parquet page, which is shared with other batches.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Shared(Bytes),
}

/// How the ends of the inputs are marked.
#[derive(Debug)]
enum Ends {
    /// Each input is preceded by its length, a little-endian 32-bit number.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Prefixed,
    /// This byte ends each input, except perhaps the last one.
    With(u8),
    /// The offsets at which the inputs end.
    Before(Vec<usize>),
}

/// The position of an input in its batch.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    nth: u64,
    range: Range<usize>,
    /// The index in `Batch::broken` if the input has no value.
    broken: Option<usize>,
}

/// The state of an iteration over the inputs of a batch.
#[derive(Default)]
pub(crate) struct Cursor {
    nth: u64,
    start: usize,
    broken: usize,
}

impl Batch {
    pub(super) fn new(data: Vec<u8>, end: u8, source: Arc<Source>, first_number: u64) -> Self {
        let ended = memchr_iter(end, &data).count() as u64;
        let unended = data.last().is_some_and(|last| *last != end);
        Self {
            data: Data::Own(data),
            ends: Ends::With(end),
            source,
            first_number,
            first_index: 0,
            len: ended + u64::from(unended),
            broken: Vec::new(),
            starts: Vec::new(),
            rows: Vec::new(),
            row_ends: Vec::new(),
            is_bulk: false,
        }
    }

    /// A batch of values copied from a table.
    pub(super) fn of_cells(cells: Cells, source: Arc<Source>, first_number: u64) -> Self {
        Self {
            len: cells.len() as u64,
            data: Data::Own(cells.data),
            ends: Ends::Before(cells.ends),
            source,
            first_number,
            first_index: 0,
            broken: cells.broken,
            starts: cells.starts,
            rows: cells.rows,
            row_ends: cells.row_ends,
            is_bulk: true,
        }
    }

    /// A batch of values that remain in the memory of the table's page.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) fn of_prefixed(values: Prefixed, source: Arc<Source>, first_number: u64) -> Self {
        Self {
            len: values.count,
            data: Data::Shared(values.data),
            ends: Ends::Prefixed,
            source,
            first_number,
            first_index: 0,
            broken: Vec::new(),
            starts: Vec::new(),
            rows: Vec::new(),
            row_ends: Vec::new(),
            is_bulk: true,
        }
    }

    /// Sets the number of inputs before this batch.
    pub(super) fn after(mut self, inputs: u64) -> Self {
        self.first_index = inputs;
        self
    }

    /// Creates a batch of all arguments, separated by NUL, which arguments cannot contain.
    pub(super) fn of_arguments(arguments: Vec<OsString>) -> Self {
        let mut data = Vec::new();
        for argument in arguments {
            data.extend(argument.into_encoded_bytes());
            data.push(b'\0');
        }
        Self::new(data, b'\0', Arc::new(Source::Arguments), 1)
    }

    /// The number of inputs.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// The size of the inputs in bytes, including the bytes that end them.
    pub(super) fn size(&self) -> usize {
        self.data().len()
    }

    /// Returns the memory for reuse by the next read.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        match self.data {
            Data::Own(memory) => memory,
            Data::Shared(_) => Vec::new(),
        }
    }

    fn data(&self) -> &[u8] {
        match &self.data {
            Data::Own(data) => data,
            Data::Shared(data) => data,
        }
    }

    /// Returns true if the source may have so many inputs that errors are counted by reason.
    pub(crate) const fn is_bulk(&self) -> bool {
        self.is_bulk
    }

    /// Iterates over the inputs; for an input without a value, also returns the reason.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Input<'_>, Option<&str>)> {
        // One UTF-8 check covers all inputs. If an input boundary splits a character, neither part
        // is valid UTF-8, and `get` returns `None`.
        let text = std::str::from_utf8(self.data()).ok();
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || {
            let place = self.place(&mut cursor)?;
            Some(self.at(place, text))
        })
    }

    /// Returns the position of the next input and advances the cursor; `None` at the end.
    pub(crate) fn place(&self, cursor: &mut Cursor) -> Option<Place> {
        let nth = cursor.nth;
        if nth >= self.len {
            return None;
        }
        cursor.nth += 1;
        let range = self.next(nth, &mut cursor.start);
        let broken = self.broken.get(cursor.broken);
        let broken = broken.filter(|(at, _)| *at as u64 == nth);
        let broken = broken.map(|_| cursor.broken);
        cursor.broken += usize::from(broken.is_some());
        Some(Place { nth, range, broken })
    }

    /// Returns the input at a position in this batch, and the reason if it has no value.
    pub(crate) fn input(&self, place: Place) -> (Input<'_>, Option<&str>) {
        self.at(place, None)
    }

    /// Returns the input at a position. `text` is the data of the batch, if it is UTF-8.
    fn at<'a>(&'a self, place: Place, text: Option<&'a str>) -> (Input<'a>, Option<&'a str>) {
        let Place { nth, range, broken } = place;
        let bytes = self.data().get(range.clone()).unwrap_or_default();
        let unparsed = Unparsed {
            bytes,
            text: match text {
                Some(text) => text.get(range),
                None => std::str::from_utf8(bytes).ok(),
            },
        };
        let (number, index) = (self.first_number + nth, self.first_index + nth);
        let why = broken.and_then(|at| self.broken.get(at));
        let mut input = Input::new(unparsed, &self.source, number, index);
        let nth = usize::try_from(nth).unwrap_or(usize::MAX);
        if let Some(start) = self.starts.get(nth) {
            input.number = start.line;
            input.column = start.column;
            input.is_quoted = start.is_quoted;
        }
        input.row = self.row(nth);
        (input, why.map(|(_, why)| &**why))
    }

    /// Returns the row of an input as written, or nothing if rows are not kept.
    fn row(&self, nth: usize) -> &[u8] {
        let row = || {
            let end = *self.row_ends.get(nth)?;
            let before = nth.checked_sub(1).and_then(|it| self.row_ends.get(it));
            self.rows.get(before.copied().unwrap_or(0)..end)
        };
        row().unwrap_or_default()
    }

    /// Returns the range of the input at `start`, and advances `start` to the next input.
    fn next(&self, nth: u64, start: &mut usize) -> Range<usize> {
        let here = *start;
        match &self.ends {
            Ends::With(end) => {
                let rest = self.data().get(here..).unwrap_or_default();
                if let Some(at) = memchr(*end, rest) {
                    *start = here + at + 1;
                    here..here + trimmed(rest, at, *end)
                } else {
                    *start = self.data().len();
                    here..*start
                }
            }
            Ends::Prefixed => {
                let rest = self.data().get(here..).unwrap_or_default();
                let begin = here + PREFIX;
                *start = begin + prefix(rest).unwrap_or(0);
                begin..*start
            }
            Ends::Before(ends) => {
                let nth = usize::try_from(nth).unwrap_or(usize::MAX);
                *start = ends.get(nth).copied().unwrap_or(here);
                here..*start
            }
        }
    }
}

/// Returns the length of the input at the start of `rest`, up to the LF or NUL at `at`. The CR of a
/// CRLF is removed, and nothing else is trimmed.
fn trimmed(rest: &[u8], at: usize, end: u8) -> usize {
    match rest.get(..at) {
        Some([.., b'\r']) if end == b'\n' => at - 1,
        _ => at,
    }
}
