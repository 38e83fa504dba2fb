//! Consecutive inputs of one source, in the memory they were read into.

use super::item::{Input, Source};
use super::unparsed::Unparsed;
use memchr::{memchr, memchr_iter};
use std::ffi::OsString;
use std::sync::Arc;

/// Consecutive inputs of one source.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The inputs, each with its end; the last one may lack it.
    data: Vec<u8>,
    /// The byte that ends an input.
    end: u8,
    source: Arc<Source>,
    first_number: u64,
    first_index: u64,
    len: u64,
}

impl Batch {
    pub(super) fn new(
        data: Vec<u8>,
        end: u8,
        source: Arc<Source>,
        first_number: u64,
        first_index: u64,
    ) -> Self {
        let ended = memchr_iter(end, &data).count() as u64;
        let unended = data.last().is_some_and(|last| *last != end);
        Self {
            data,
            end,
            source,
            first_number,
            first_index,
            len: ended + u64::from(unended),
        }
    }

    /// All arguments. None of them can contain a NUL.
    pub(super) fn of_arguments(arguments: Vec<OsString>) -> Self {
        let mut data = Vec::new();
        for argument in arguments {
            data.extend(argument.into_encoded_bytes());
            data.push(b'\0');
        }
        Self::new(data, b'\0', Arc::new(Source::Arguments), 1, 0)
    }

    /// How many inputs it holds.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// The memory, for the next read.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.data
    }

    /// The inputs.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Input<'_>> {
        // One UTF-8 check for all: their ends are ASCII and so never part of another character.
        let text = std::str::from_utf8(&self.data).ok();
        let mut start = 0;
        (0..self.len).map(move |nth| {
            let rest = self.data.get(start..).unwrap_or_default();
            let (range, next) = match memchr(self.end, rest) {
                Some(at) => (start..start + self.trimmed(rest, at), start + at + 1),
                None => (start..self.data.len(), self.data.len()),
            };
            start = next;
            let bytes = self.data.get(range.clone()).unwrap_or_default();
            let unparsed = Unparsed {
                bytes,
                text: match text {
                    Some(text) => text.get(range),
                    None => std::str::from_utf8(bytes).ok(),
                },
            };
            let (number, index) = (self.first_number + nth, self.first_index + nth);
            Input::new(unparsed, &self.source, number, index)
        })
    }

    /// The length of the input at the start of `rest`, whose LF or NUL is at `at`. CRLF ends a
    /// line too; nothing else is trimmed.
    fn trimmed(&self, rest: &[u8], at: usize) -> usize {
        match rest.get(..at) {
            Some([.., b'\r']) if self.end == b'\n' => at - 1,
            _ => at,
        }
    }
}
