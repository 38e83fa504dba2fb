//! Consecutive inputs of one source, in the memory they were read into.

use super::item::{Input, Source};
use super::table::{Cells, PREFIX, Prefixed, prefix};
use super::unparsed::Unparsed;
use bytes::Bytes;
use memchr::{memchr, memchr_iter};
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

/// Consecutive inputs of one source.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The inputs.
    data: Data,
    ends: Ends,
    source: Arc<Source>,
    first_number: u64,
    first_index: u64,
    len: u64,
    /// Why an input has no value, for those that have none.
    broken: Vec<(usize, Box<str>)>,
    /// Whether there may be very many, so that errors are counted.
    pub(super) is_bulk: bool,
}

/// The memory that inputs are in.
#[derive(Debug)]
enum Data {
    Own(Vec<u8>),
    /// A part of what was read at once.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Shared(Bytes),
}

/// Where inputs end.
#[derive(Debug)]
enum Ends {
    /// So many bytes after their start, as 32 bits there say, least significant byte first.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Prefixed,
    /// At this byte; the last one may lack it.
    With(u8),
    /// Before these offsets.
    Before(Vec<usize>),
}

/// Where an input is in its batch.
#[derive(Debug)]
pub(crate) struct Place {
    nth: u64,
    range: Range<usize>,
    /// Its place among those without a value, if it is one.
    broken: Option<usize>,
}

/// How far the inputs of a batch were gone through.
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
            is_bulk: false,
        }
    }

    /// Values of a table.
    pub(super) fn of_cells(cells: Cells, source: Arc<Source>, first_number: u64) -> Self {
        Self {
            len: cells.len() as u64,
            data: Data::Own(cells.data),
            ends: Ends::Before(cells.ends),
            source,
            first_number,
            first_index: 0,
            broken: cells.broken,
            is_bulk: true,
        }
    }

    /// Values of a table that are not copied.
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
            is_bulk: true,
        }
    }

    /// The same, with so many inputs before it.
    pub(super) fn after(mut self, inputs: u64) -> Self {
        self.first_index = inputs;
        self
    }

    /// All arguments. None of them can contain a NUL.
    pub(super) fn of_arguments(arguments: Vec<OsString>) -> Self {
        let mut data = Vec::new();
        for argument in arguments {
            data.extend(argument.into_encoded_bytes());
            data.push(b'\0');
        }
        Self::new(data, b'\0', Arc::new(Source::Arguments), 1)
    }

    /// How many inputs it holds.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// How many bytes its inputs have, with their ends.
    pub(super) fn size(&self) -> usize {
        self.data().len()
    }

    /// The memory, for the next read.
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

    /// Whether there may be very many, so that errors are counted.
    pub(crate) const fn is_bulk(&self) -> bool {
        self.is_bulk
    }

    /// The inputs, and why one has no value if it has none.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Input<'_>, Option<&str>)> {
        // One UTF-8 check for all: where a character is cut, its parts are not UTF-8.
        let text = std::str::from_utf8(self.data()).ok();
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || {
            let place = self.place(&mut cursor)?;
            Some(self.at(place, text))
        })
    }

    /// Where the next input is; `None` at the end. Each is found from the one before.
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

    /// The input at a place of this batch, and why it has no value if it has none.
    pub(crate) fn input(&self, place: Place) -> (Input<'_>, Option<&str>) {
        self.at(place, None)
    }

    /// The input at a place; `text` is the data, if it is UTF-8.
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
        let input = Input::new(unparsed, &self.source, number, index);
        (input, why.map(|(_, why)| &**why))
    }

    /// Where the input at `start` is. Its successor begins at the new `start`.
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

/// The length of the input at the start of `rest`, whose LF or NUL is at `at`. CRLF ends a line
/// too; nothing else is trimmed.
fn trimmed(rest: &[u8], at: usize, end: u8) -> usize {
    match rest.get(..at) {
        Some([.., b'\r']) if end == b'\n' => at - 1,
        _ => at,
    }
}
