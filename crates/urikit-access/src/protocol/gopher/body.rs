//! The data of a reply. It ends after a given length, with a full stop alone on a line, or with
//! the connection.

use crate::error::{ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;
use std::fmt;
use std::time::Duration;

/// How data ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// With the connection: binaries (RFC 1436, 3.8), and `+-2`.
    Close,
    /// With a last line, a full stop: `+-1`. Anything after it is ignored.
    LastLine,
    /// With a last line, or with the connection (RFC 1436, Appendix): text and menus. A full stop
    /// on a line is the last line only if nothing follows it.
    LastLineOrClose,
    /// After exactly this many bytes: `+5340`.
    Length(u64),
}

impl fmt::Display for End {
    /// As written in the head of a reply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Close | Self::LastLineOrClose => f.write_str("-2"),
            Self::LastLine => f.write_str("-1"),
            Self::Length(length) => length.fmt(f),
        }
    }
}

/// The data of a reply.
pub(super) struct Body {
    connection: Connection,
    end: End,
    /// Bytes that were read ahead to find out what the reply is, and how many of them were
    /// consumed.
    ahead: (Vec<u8>, usize),
    /// How many bytes were consumed.
    received: u64,
    /// Whether the last line was seen.
    is_over: bool,
    max_line: usize,
    patience: Duration,
}

impl Body {
    /// Data with this end. `ahead` was read already.
    pub(super) const fn new(
        connection: Connection,
        end: End,
        ahead: Vec<u8>,
        max_line: usize,
        patience: Duration,
    ) -> Self {
        Self {
            connection,
            end,
            ahead: (ahead, 0),
            received: 0,
            is_over: false,
            max_line,
            patience,
        }
    }

    /// The connection.
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// How the data ends.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    /// Whether the connection ended where a last line was expected.
    pub(super) const fn lacks_last_line(&self) -> bool {
        matches!(self.end, End::LastLineOrClose) && !self.is_over
    }

    /// The bytes that are available, at least one; empty at the end.
    pub(super) fn peek(&mut self) -> Result<&[u8]> {
        let mut max = usize::MAX;
        if let End::Length(length) = self.end {
            let left = length.saturating_sub(self.received);
            if left == 0 {
                return self.end_of_length(length).map(|()| &[][..]);
            }
            max = usize::try_from(left).unwrap_or(usize::MAX);
        }
        if self.is_over {
            return Ok(&[]);
        }
        if self.ahead().is_empty() && self.connection.peek()?.is_empty() {
            if let End::Length(length) = self.end {
                let (expected, received) = (Some(length), self.received);
                return Err(self
                    .connection
                    .failed(ErrorKind::EndedEarly { expected, received }));
            }
            return Ok(&[]);
        }
        let bytes = if self.ahead().is_empty() {
            self.connection.peek()?
        } else {
            self.ahead()
        };
        Ok(bytes.get(..max).unwrap_or(bytes))
    }

    /// Skips bytes returned by [`peek`](Self::peek).
    pub(super) fn consume(&mut self, count: usize) {
        self.received += u64::try_from(count).unwrap_or(u64::MAX);
        if self.ahead().is_empty() {
            self.connection.consume(count);
        } else {
            self.ahead.1 += count;
        }
    }

    /// A line without its line end; `None` at the end of the data. Text before the end without a
    /// line end counts as a line.
    pub(super) fn line(&mut self) -> Result<Option<Vec<u8>>> {
        let before = self.connection.begin_step();
        let line = self.line_with_end();
        self.connection.set_limits(before);
        let mut line = line?;
        let is_whole = line.pop_if(|octet| *octet == b'\n').is_some();
        if is_whole {
            line.pop_if(|octet| *octet == b'\r');
        } else if line.is_empty() {
            return self.ended().map(|()| None);
        }
        if line == b"." && self.is_last_line(is_whole)? {
            return Ok(None);
        }
        Ok(Some(line))
    }

    /// A line with its line end, unless the data ends before that.
    fn line_with_end(&mut self) -> Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let bytes = self.peek()?;
            let end = bytes.iter().position(|octet| *octet == b'\n');
            let count = end.map_or(bytes.len(), |end| end + 1);
            let is_all = end.is_some() || bytes.is_empty();
            line.extend_from_slice(bytes.get(..count).unwrap_or_default());
            self.consume(count);
            if line.len() > self.max_line.saturating_add(2) {
                let max = self.max_line;
                return Err(self.connection.failed(ErrorKind::LineTooLong { max }));
            }
            if is_all {
                return Ok(line);
            }
        }
    }

    /// Passes on all bytes unchanged.
    pub(super) fn deliver(&mut self, output: &mut Output<'_>) -> Result<()> {
        loop {
            let bytes = self.peek()?;
            if bytes.is_empty() {
                return Ok(());
            }
            let count = bytes.len();
            output.bytes(bytes)?;
            self.consume(count);
        }
    }

    /// Passes on text. The last line is removed, and a doubled full stop at the beginning of a
    /// line is undone (RFC 1436, Appendix). Lines may have any length.
    pub(super) fn deliver_text(&mut self, output: &mut Output<'_>) -> Result<()> {
        let mut is_start = true;
        loop {
            let bytes = self.peek()?;
            match bytes.first() {
                None => return self.ended(),
                Some(b'.') if is_start => {
                    if self.deliver_full_stop(output, &mut is_start)? {
                        return Ok(());
                    }
                }
                Some(_) => {
                    // Everything up to the next line that begins with a full stop.
                    let next = bytes.windows(2).position(|pair| pair == b"\n.");
                    let count = next.map_or(bytes.len(), |next| next + 1);
                    let run = bytes.get(..count).unwrap_or(bytes);
                    is_start = run.last() == Some(&b'\n');
                    output.bytes(run)?;
                    self.consume(count);
                }
            }
        }
    }

    /// Handles a line that begins with a full stop, up to where it is known what it is; true if it
    /// is the last line.
    fn deliver_full_stop(&mut self, output: &mut Output<'_>, is_start: &mut bool) -> Result<bool> {
        let mut pending = b".".to_vec();
        self.consume(1);
        *is_start = false;
        loop {
            let next = self.peek()?.first().copied();
            match (pending.as_slice(), next) {
                // A doubled full stop.
                (b".", Some(b'.')) => {
                    self.consume(1);
                    break;
                }
                (b".", Some(octet @ b'\r')) | (b"." | b".\r", Some(octet @ b'\n')) => {
                    self.consume(1);
                    pending.push(octet);
                    if octet == b'\n' {
                        if self.is_last_line(true)? {
                            return Ok(true);
                        }
                        *is_start = true;
                        break;
                    }
                }
                (b"." | b".\r", None) => {
                    if self.is_last_line(false)? {
                        return Ok(true);
                    }
                    break;
                }
                _ => break,
            }
        }
        output.bytes(&pending)?;
        Ok(false)
    }

    /// Whether a line with a full stop alone is the last line. `is_whole`: it has a line end.
    fn is_last_line(&mut self, is_whole: bool) -> Result<bool> {
        self.is_over = match self.end {
            End::LastLine => is_whole,
            // Some servers send files that contain such lines, and no last line.
            End::LastLineOrClose => {
                self.ahead().is_empty()
                    && !self.connection.has_more()
                    && self.connection.at_end_within(self.patience)?
            }
            End::Close | End::Length(_) => false,
        };
        Ok(self.is_over)
    }

    /// Handles the end of the connection.
    fn ended(&self) -> Result<()> {
        if self.end == End::LastLine && !self.is_over {
            let (expected, received) = (None, self.received);
            return Err(self
                .connection
                .failed(ErrorKind::EndedEarly { expected, received }));
        }
        Ok(())
    }

    /// Handles the end of the announced length. More bytes are an error, but an open connection is
    /// not.
    fn end_of_length(&mut self, expected: u64) -> Result<()> {
        if self.is_over {
            return Ok(());
        }
        self.is_over = self.ahead().is_empty() && self.connection.at_end_within(self.patience)?;
        if self.is_over {
            return Ok(());
        }
        Err(self.connection.failed(ErrorKind::TooManyBytes { expected }))
    }

    /// The bytes that were read ahead and not consumed.
    fn ahead(&self) -> &[u8] {
        let (bytes, at) = &self.ahead;
        bytes.get(*at..).unwrap_or_default()
    }

    /// The first line, if nothing follows it but a last line. Nothing is consumed. Gives up if the
    /// line has more than `max` bytes.
    pub(super) fn only_line(&mut self, max: usize) -> Result<Option<Vec<u8>>> {
        let before = self.connection.begin_step();
        let line = self.find_only_line(max);
        self.connection.set_limits(before);
        line
    }

    fn find_only_line(&mut self, max: usize) -> Result<Option<Vec<u8>>> {
        loop {
            let bytes = self.ahead();
            if let Some(end) = bytes.iter().position(|octet| *octet == b'\n') {
                let (line, rest) = bytes.split_at_checked(end + 1).unwrap_or_default();
                let line = line.trim_ascii_end().to_vec();
                let is_end = |rest: &[u8]| matches!(rest, b"" | b"." | b".\r" | b".\r\n" | b".\n");
                if !is_end(rest) {
                    return Ok(None);
                }
                if self.connection.at_end_within(self.patience)? {
                    return Ok(Some(line));
                }
                self.read_ahead()?;
            } else if bytes.len() > max || self.read_ahead()? == 0 {
                return Ok(None);
            }
        }
    }

    /// Reads more bytes ahead, and returns how many.
    fn read_ahead(&mut self) -> Result<usize> {
        let bytes = self.connection.peek()?;
        let count = bytes.len();
        self.ahead.0.extend_from_slice(bytes);
        self.connection.consume(count);
        Ok(count)
    }
}
