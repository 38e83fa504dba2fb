//! The lines of a source, a batch at a time.

use super::overlong::overlong;
use memchr::memrchr;
use std::io::{self, Read};

/// The most that one read returns, in bytes.
const READ: usize = 64 * 1024;

/// A source whose lines are inputs.
pub(super) struct Lines {
    reader: Box<dyn Read + Send>,
    /// The byte that ends an input.
    end: u8,
    /// The longest line, in bytes, without its end.
    max: usize,
    /// The start of an input whose end has not been read yet.
    partial: Vec<u8>,
    /// Whether less was there than was asked for.
    pub(super) is_drained: bool,
}

impl Lines {
    pub(super) fn new(reader: Box<dyn Read + Send>, end: u8, max: usize) -> Self {
        Self {
            reader,
            end,
            max,
            partial: Vec::new(),
            is_drained: false,
        }
    }

    /// The byte that ends an input.
    pub(super) const fn end(&self) -> u8 {
        self.end
    }

    /// Reads until at least one input is complete, and leaves all complete inputs in `data`. The
    /// first is line `number`. Returns `false` at the end of the source. An input that a read error
    /// cuts off is lost.
    ///
    /// # Errors
    ///
    /// If the next line is too long, and if it cannot be read.
    pub(super) fn read(&mut self, number: u64, data: &mut Vec<u8>) -> io::Result<bool> {
        let more = self.read_complete(data)?;
        let Some(start) = overlong(data, self.end, self.max) else {
            return Ok(more);
        };
        // The lines before it are inputs, and it is found again at the beginning.
        if start == 0 {
            let max = self.max;
            return Err(io::Error::other(format!(
                "line {number} has more than {max} bytes (--max-line), and nothing after it is read"
            )));
        }
        let rest = data.get(start..).unwrap_or_default();
        self.partial = [rest, &self.partial].concat();
        data.truncate(start);
        Ok(true)
    }

    /// The same with lines of any length, up to where one is known to be too long.
    fn read_complete(&mut self, data: &mut Vec<u8>) -> io::Result<bool> {
        data.clear();
        data.append(&mut self.partial);
        loop {
            let start = data.len();
            if start > self.max && overlong(data, self.end, self.max).is_some() {
                return Ok(true);
            }
            data.resize(start + READ, 0);
            let read = self.read_some(data.get_mut(start..).unwrap_or_default())?;
            data.truncate(start + read);
            if read == 0 {
                return Ok(false);
            }
            self.is_drained = read < READ / 2;
            let ended = memrchr(self.end, data.get(start..).unwrap_or_default());
            if let Some(at) = ended {
                let next = start + at + 1;
                self.partial
                    .extend_from_slice(data.get(next..).unwrap_or_default());
                data.truncate(next);
                return Ok(true);
            }
        }
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }
}
