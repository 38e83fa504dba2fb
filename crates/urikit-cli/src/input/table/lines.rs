//! Lines of limited length.

use std::io::{self, BufRead as _, BufReader, Read};

/// How much is read at once, in bytes.
const READ: usize = 64 << 10;

/// Lines of limited length, without their ends.
pub(super) struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    pub(super) line: Vec<u8>,
    /// The number of `line`, from 1.
    pub(super) number: u64,
    max: usize,
}

impl Lines {
    /// The lines of `source`; one of more than `max` bytes is an error.
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
    /// If it is too long, and if it cannot be read.
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
                "line {number} has more than {max} bytes (--max-line), and nothing after it is read"
            )));
        }
        Ok(true)
    }

    /// Passes over so many bytes. Returns `false` if the source ends before.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(super) fn skip(&mut self, mut length: u64) -> io::Result<bool> {
        while length > 0 {
            let there = self.reader.fill_buf()?.len();
            if there == 0 {
                return Ok(false);
            }
            let passed = usize::try_from(length).unwrap_or(usize::MAX).min(there);
            self.reader.consume(passed);
            length -= passed as u64;
        }
        Ok(true)
    }

    /// Whether the next line may come much later.
    pub(super) fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.reader.buffer()).is_none()
    }
}
