//! What follows a request, up to where it ends: by its length, by a full stop alone on a line, or with the connection.

use crate::error::{ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;
use std::fmt;
use std::time::Duration;

/// How data end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// With the connection: binaries (RFC 1436, 3.8), and `+-2`.
    Close,
    /// With a last line, which is a full stop alone: `+-1`. Nothing behind it counts.
    LastLine,
    /// With a last line, or with the connection (RFC 1436, Appendix): text and menus. A full stop alone is the last
    /// line if nothing follows it.
    LastLineOrClose,
    /// After so many bytes, and not one more: `+5340`.
    Length(u64),
}

impl fmt::Display for End {
    /// As the head of a reply has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Close | Self::LastLineOrClose => f.write_str("-2"),
            Self::LastLine => f.write_str("-1"),
            Self::Length(length) => length.fmt(f),
        }
    }
}

/// Data as they come.
pub(super) struct Body {
    connection: Connection,
    end: End,
    /// What was read before it was clear what it is, and how much of it was consumed since.
    ahead: (Vec<u8>, usize),
    /// How many bytes were consumed.
    received: u64,
    /// Whether the last line was seen.
    is_over: bool,
    max_line: usize,
    patience: Duration,
}

impl Body {
    /// Data that end so; what was read of them already is `ahead`.
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

    /// The connection that they come by.
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// How they end.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    /// Whether they ended with the connection, where a last line was to be expected.
    pub(super) const fn lacks_last_line(&self) -> bool {
        matches!(self.end, End::LastLineOrClose) && !self.is_over
    }

    /// The bytes that have come, at least one; none at the end.
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

    /// Goes past bytes that were seen.
    pub(super) fn consume(&mut self, count: usize) {
        self.received += u64::try_from(count).unwrap_or(u64::MAX);
        if self.ahead().is_empty() {
            self.connection.consume(count);
        } else {
            self.ahead.1 += count;
        }
    }

    /// A line without its end; `None` at the end of the data. What comes before the end without an end of line is a
    /// line too.
    pub(super) fn line(&mut self) -> Result<Option<Vec<u8>>> {
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
                break;
            }
        }
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

    /// Hands on all bytes as they are.
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

    /// Hands on text: without the last line, and without the full stop that was put before each line that begins with
    /// one (RFC 1436, Appendix). Lines may be of any length.
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
                    // All up to the next line that begins with a full stop.
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

    /// Takes the beginning of a line that begins with a full stop; true if it is the last line.
    fn deliver_full_stop(&mut self, output: &mut Output<'_>, is_start: &mut bool) -> Result<bool> {
        let mut held = b".".to_vec();
        self.consume(1);
        *is_start = false;
        loop {
            let next = self.peek()?.first().copied();
            match (held.as_slice(), next) {
                // The one that was put there is left out, and the other is the line's own.
                (b".", Some(b'.')) => {
                    self.consume(1);
                    break;
                }
                (b".", Some(octet @ b'\r')) | (b"." | b".\r", Some(octet @ b'\n')) => {
                    self.consume(1);
                    held.push(octet);
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
        output.bytes(&held)?;
        Ok(false)
    }

    /// Whether a full stop alone is the last line. `is_whole`: its end of line has come too.
    fn is_last_line(&mut self, is_whole: bool) -> Result<bool> {
        self.is_over = match self.end {
            End::LastLine => is_whole,
            // Servers that know nothing of last lines send files with such lines as they are.
            End::LastLineOrClose => {
                self.ahead().is_empty()
                    && !self.connection.has_more()
                    && self.connection.at_end_within(self.patience)?
            }
            End::Close | End::Length(_) => false,
        };
        Ok(self.is_over)
    }

    /// The data end without a last line.
    fn ended(&self) -> Result<()> {
        if self.end == End::LastLine && !self.is_over {
            let (expected, received) = (None, self.received);
            return Err(self
                .connection
                .failed(ErrorKind::EndedEarly { expected, received }));
        }
        Ok(())
    }

    /// All that was announced has come. More is an error; that the connection stays open is none.
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

    /// What was read ahead and not consumed.
    fn ahead(&self) -> &[u8] {
        let (bytes, at) = &self.ahead;
        bytes.get(*at..).unwrap_or_default()
    }

    /// The line that is all there is, but for a last line behind it. Nothing is consumed, and no line of more than
    /// `most` bytes is waited for.
    pub(super) fn only_line(&mut self, max: usize) -> Result<Option<Vec<u8>>> {
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

    /// Reads more ahead; how much.
    fn read_ahead(&mut self) -> Result<usize> {
        let bytes = self.connection.peek()?;
        let count = bytes.len();
        self.ahead.0.extend_from_slice(bytes);
        self.connection.consume(count);
        Ok(count)
    }
}
