//! What is received: lines, which are recorded, and bytes.

use super::Connection;
use crate::error::{ErrorKind, Result};
use crate::event::Event;
use crate::net::limits::Limits;
use std::time::Duration;

impl Connection {
    /// Records a line that was received.
    pub(crate) fn record_received(&self, line: &[u8]) {
        self.trace.received(line);
    }

    /// Reads a line up to LF, which is removed together with a CR before it. `None` at the end of
    /// the connection. Text before the end without LF counts as a line.
    ///
    /// # Errors
    ///
    /// If nothing is received in time, and if the line is too long.
    pub fn read_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        Ok(self.read_line_into(&mut line)?.then_some(line))
    }

    /// Reads a line that must end in LF: for replies, which could mean something else when cut
    /// off.
    ///
    /// # Errors
    ///
    /// As [`read_line`](Self::read_line), and at the end of the connection.
    pub fn read_complete_line(&mut self) -> Result<Vec<u8>> {
        let mut line = Vec::new();
        if self.read_noted_line(&mut line)? == Some(true) {
            return Ok(line);
        }
        Err(self.failed(ErrorKind::EndedEarly {
            expected: None,
            received: u64::try_from(line.len()).unwrap_or(u64::MAX),
        }))
    }

    /// Reads a line as [`read_line`](Self::read_line) does, in place of what is in `line`. False at
    /// the end of the connection.
    ///
    /// # Errors
    ///
    /// As [`read_line`](Self::read_line).
    pub fn read_line_into(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        Ok(self.read_noted_line(line)?.is_some())
    }

    /// Whether the line ended in LF. `None` at the end of the connection.
    fn read_noted_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        let is_complete = self.read_whole_line(line)?;
        if is_complete.is_some() && !self.is_quiet {
            self.trace.received(line);
        }
        Ok(is_complete)
    }

    fn read_whole_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        if self.take_received_line(line) {
            return Ok(Some(true));
        }
        self.in_one_step(|connection| connection.read_limited_line(line))
    }

    /// Takes the next line, if all of it was received and it is not too long.
    fn take_received_line(&mut self, line: &mut Vec<u8>) -> bool {
        let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
        let Some(end) = memchr::memchr(b'\n', received) else {
            return false;
        };
        let Some(found) = received.get(..end).filter(|_| end <= self.limits.max_line) else {
            return false;
        };
        line.extend_from_slice(found.strip_suffix(b"\r").unwrap_or(found));
        self.filled.start += end + 1;
        true
    }

    fn read_limited_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        loop {
            if self.filled.is_empty() && !self.fill()? {
                return Ok((!line.is_empty()).then_some(false));
            }
            let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
            let end = memchr::memchr(b'\n', received);
            let taken = received.get(..end.unwrap_or(received.len()));
            line.extend_from_slice(taken.unwrap_or_default());
            self.filled.start += end.map_or(received.len(), |end| end + 1);
            if line.len() > self.limits.max_line {
                let max = self.limits.max_line;
                return Err(self.failed(ErrorKind::LineTooLong { max }));
            }
            if end.is_some() {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Some(true));
            }
        }
    }

    /// Reads some bytes; 0 at the end of the connection.
    ///
    /// # Errors
    ///
    /// If nothing is received in time.
    pub fn read_bytes(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let some = self.peek()?;
        let count = some.len().min(bytes.len());
        for (to, from) in bytes.iter_mut().zip(some) {
            *to = *from;
        }
        self.consume(count);
        Ok(count)
    }

    /// Returns the bytes that are buffered, after waiting for at least one. Empty at the end of
    /// the connection. Call [`consume`](Self::consume) with the number of bytes used.
    ///
    /// # Errors
    ///
    /// If nothing is received in time.
    pub fn peek(&mut self) -> Result<&[u8]> {
        if self.filled.is_empty() {
            self.fill()?;
        }
        Ok(self.buffer.get(self.filled.clone()).unwrap_or_default())
    }

    /// Whether there are received bytes that were not read.
    pub fn has_more(&self) -> bool {
        !self.filled.is_empty()
    }

    /// Whether the next line was received: reading it does not wait.
    pub(crate) fn has_line(&self) -> bool {
        let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
        memchr::memchr(b'\n', received).is_some()
    }

    /// Skips bytes returned by [`peek`](Self::peek).
    pub fn consume(&mut self, count: usize) {
        self.filled.start = self.filled.end.min(self.filled.start + count);
    }

    /// Waits for this long whether the server sends more. True if the connection ends, or if
    /// nothing is received, which is recorded as an event. For replies that mark their own end,
    /// after which a server may leave the connection open.
    ///
    /// # Errors
    ///
    /// If the connection fails, and if the deadline of the access passes first.
    pub fn at_end_within(&mut self, patience: Duration) -> Result<bool> {
        let limits = self.limits;
        let idle = limits.idle.min(patience);
        // A timeout means silence only if the deadline is not what ended the wait.
        let left = limits.deadline.left(limits.idle);
        let is_patience = left.is_ok_and(|left| left >= idle);
        self.set_limits(Limits { idle, ..limits });
        let nothing = self.peek().map(<[u8]>::is_empty);
        self.set_limits(limits);
        match nothing {
            Err(error) if is_patience && matches!(error.kind(), ErrorKind::Timeout(_)) => {
                self.trace.record(Event::Quiet(idle));
                Ok(true)
            }
            other => other,
        }
    }
}
