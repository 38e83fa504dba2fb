//! Consecutive inputs of one source, in the memory they were read into.

use super::item::{Input, Source};
use super::table::Cells;
use super::unparsed::Unparsed;
use memchr::{memchr, memchr_iter};
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

/// Consecutive inputs of one source.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The inputs.
    data: Vec<u8>,
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

/// Where inputs end.
#[derive(Debug)]
enum Ends {
    /// At this byte; the last one may lack it.
    With(u8),
    /// Before these offsets.
    Before(Vec<usize>),
}

impl Batch {
    pub(super) fn new(data: Vec<u8>, end: u8, source: Arc<Source>, first_number: u64) -> Self {
        let ended = memchr_iter(end, &data).count() as u64;
        let unended = data.last().is_some_and(|last| *last != end);
        Self {
            data,
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
            data: cells.data,
            ends: Ends::Before(cells.ends),
            source,
            first_number,
            first_index: 0,
            broken: cells.broken,
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
        self.data.len()
    }

    /// The memory, for the next read.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.data
    }

    /// Whether there may be very many, so that errors are counted.
    pub(crate) const fn is_bulk(&self) -> bool {
        self.is_bulk
    }

    /// The inputs, and why one has no value if it has none.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Input<'_>, Option<&str>)> {
        // One UTF-8 check for all: where a character is cut, its parts are not UTF-8.
        let text = std::str::from_utf8(&self.data).ok();
        let mut start = 0;
        let mut broken = self.broken.iter().peekable();
        (0..self.len).map(move |nth| {
            let range = self.next(nth, &mut start);
            let text = match text {
                Some(text) => text.get(range.clone()),
                None => std::str::from_utf8(self.bytes(&range)).ok(),
            };
            let why = broken.next_if(|(at, _)| *at as u64 == nth);
            (self.input_in(nth, &range, text), why.map(|(_, why)| &**why))
        })
    }

    /// Where each input begins.
    pub(crate) fn starts(&self) -> Vec<usize> {
        let mut start = 0;
        let each = (0..self.len).map(|nth| {
            let here = start;
            self.next(nth, &mut start);
            here
        });
        each.collect()
    }

    /// One of the inputs, by its number from 0 and where it begins.
    pub(crate) fn input(&self, nth: u64, mut start: usize) -> (Input<'_>, Option<&str>) {
        let range = self.next(nth, &mut start);
        let text = std::str::from_utf8(self.bytes(&range)).ok();
        let why = self.broken.binary_search_by_key(&nth, |(at, _)| *at as u64);
        let why = why.ok().and_then(|at| self.broken.get(at));
        (self.input_in(nth, &range, text), why.map(|(_, why)| &**why))
    }

    fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.data.get(range.clone()).unwrap_or_default()
    }

    fn input_in<'a>(&'a self, nth: u64, range: &Range<usize>, text: Option<&'a str>) -> Input<'a> {
        let bytes = self.bytes(range);
        let (number, index) = (self.first_number + nth, self.first_index + nth);
        Input::new(Unparsed { bytes, text }, &self.source, number, index)
    }

    /// Where the input at `start` is. Its successor begins at the new `start`.
    fn next(&self, nth: u64, start: &mut usize) -> Range<usize> {
        let here = *start;
        match &self.ends {
            Ends::With(end) => {
                let rest = self.data.get(here..).unwrap_or_default();
                if let Some(at) = memchr(*end, rest) {
                    *start = here + at + 1;
                    here..here + trimmed(rest, at, *end)
                } else {
                    *start = self.data.len();
                    here..self.data.len()
                }
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
