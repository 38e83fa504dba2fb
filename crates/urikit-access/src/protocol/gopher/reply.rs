//! Reads replies, which consist of a Gopher+ head (Gopher+, 2.3) and the data.
//!
//! ```text
//! DataHead ::= Success Transfer CR-LF     Gopher+, Appendix II
//! Success  ::= '+' | '-'
//! Transfer ::= DigitSeq | '-1' | '-2'
//! ```
//!
//! Data ends after a given length, at a line that consists of a full stop, or when the connection
//! ends.

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;
use std::fmt;
use std::time::Duration;

/// The condition that ends the data of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The data ends with the connection, as for binary data (RFC 1436, 3.8) and `+-2`.
    Close,
    /// The data ends with a line that consists of a full stop, as for `+-1`. Anything after this
    /// line is ignored.
    LastLine,
    /// The data ends with a full stop or with the connection (RFC 1436, Appendix), as for text and
    /// menus. A line that consists of a full stop is the last line only if nothing follows it.
    LastLineOrClose,
    /// The data ends after exactly this many bytes, as for `+5340`.
    Length(u64),
}

impl fmt::Display for End {
    /// Writes the number in the head of a reply.
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
    /// Bytes that were read ahead to classify the reply.
    ahead: Vec<u8>,
    /// The number of bytes in `ahead` that have been consumed.
    ahead_consumed: usize,
    /// The total number of bytes that have been consumed.
    received: u64,
    /// True if the data has ended.
    is_over: bool,
    max_line: usize,
    /// The time to wait for the end of the connection.
    patience: Duration,
}

impl Body {
    /// Creates the body of a reply that arrives on `connection`. The bytes in `ahead` have already
    /// been read.
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
            ahead,
            ahead_consumed: 0,
            received: 0,
            is_over: false,
            max_line,
            patience,
        }
    }

    /// Returns the connection.
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns the condition that ends the data.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    /// Returns whether the connection ended without the final full stop that text should have.
    pub(super) const fn lacks_last_line(&self) -> bool {
        matches!(self.end, End::LastLineOrClose) && !self.is_over
    }

    /// Returns the available bytes. The result is empty only at the end of the data.
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
            self.ahead_consumed += count;
        }
    }

    /// Reads a line, without its line ending. Returns `None` at the end of the data. Text at the
    /// end without a line ending counts as a line.
    pub(super) fn line(&mut self) -> Result<Option<Vec<u8>>> {
        let before = self.connection.begin_step();
        let line = self.line_with_end();
        self.connection.set_limits(before);
        let mut line = line?;
        let has_end = line.pop_if(|octet| *octet == b'\n').is_some();
        if has_end {
            line.pop_if(|octet| *octet == b'\r');
        } else if line.is_empty() {
            return self.ended().map(|()| None);
        }
        if line == b"." && self.is_last_line(has_end)? {
            return Ok(None);
        }
        Ok(Some(line))
    }

    /// Reads a line with its line ending, or the rest of the data.
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

    /// Passes all bytes to the output unchanged.
    pub(super) fn deliver(&mut self, output: &mut Output<'_>) -> Result<()> {
        loop {
            let bytes = self.peek()?;
            if bytes.is_empty() {
                return Ok(());
            }
            let count = bytes.len();
            if self.ahead().is_empty()
                && let Some(buffer) = self.connection.take_buffer(count)
            {
                self.received += u64::try_from(count).unwrap_or(u64::MAX);
                output.buffer(buffer)?;
            } else {
                output.bytes(self.peek()?)?;
                self.consume(count);
            }
        }
    }

    /// Passes text to the output. Removes the final full stop, and undoes the doubling of a full
    /// stop at the beginning of a line (RFC 1436, Appendix). Lines may have any length.
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
                    // Output everything up to the next line that begins with a full stop.
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

    /// Handles the start of a line that begins with a full stop. Returns true if this line ends
    /// the data.
    fn deliver_full_stop(&mut self, output: &mut Output<'_>, is_start: &mut bool) -> Result<bool> {
        let mut pending = b".".to_vec();
        self.consume(1);
        *is_start = false;
        loop {
            let next = self.peek()?.first().copied();
            match (pending.as_slice(), next) {
                // The first of two full stops is consumed, and the second is passed to the
                // output.
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

    /// Returns whether a line that consists of a full stop is the last line. `has_end` is true if a
    /// line ending follows.
    fn is_last_line(&mut self, has_end: bool) -> Result<bool> {
        self.is_over = match self.end {
            End::LastLine => has_end,
            // gophernicus and pygopherd send files unchanged, even if a line consists of a full
            // stop. Stopping at the first such line would lose the rest of the file.
            End::LastLineOrClose => {
                self.ahead().is_empty()
                    && !self.connection.has_more()
                    && self.connection.at_end_within(self.patience)?
            }
            End::Close | End::Length(_) => false,
        };
        Ok(self.is_over)
    }

    /// Handles the end of the connection. Fails if the reply began with `+-1`, but the line that
    /// consists of a full stop is missing.
    fn ended(&self) -> Result<()> {
        if self.end == End::LastLine && !self.is_over {
            let (expected, received) = (None, self.received);
            return Err(self
                .connection
                .failed(ErrorKind::EndedEarly { expected, received }));
        }
        Ok(())
    }

    /// Checks the end of a reply whose announced number of bytes has been received. Fails if more
    /// bytes arrive. A connection that stays open is not an error.
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

    /// Returns the bytes that were read ahead and have not been consumed.
    fn ahead(&self) -> &[u8] {
        self.ahead.get(self.ahead_consumed..).unwrap_or_default()
    }

    /// Returns the first line if nothing but a final full stop follows it. Otherwise, or if the
    /// line is longer than `max` bytes, returns `None`. Consumes no bytes.
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

    /// Reads more bytes ahead, and returns their number.
    fn read_ahead(&mut self) -> Result<usize> {
        let bytes = self.connection.peek()?;
        let count = bytes.len();
        self.ahead.extend_from_slice(bytes);
        self.connection.consume(count);
        Ok(count)
    }
}

/// The maximum length of a head in bytes. A head consists of `+` or `-` and a number, so a longer
/// line is not a head.
const MAX_HEAD: usize = 64;

/// The beginning of a reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Head {
    /// The reply has no head, and begins with these bytes, so the server does not support Gopher+.
    None(Vec<u8>),
    /// The head begins with `+`. Data follows, and `End` describes how it ends.
    Data(End),
    /// The head begins with `-`. An error message follows, and `End` describes how
    /// it ends.
    Failure(End),
}

impl Head {
    /// Reads the head of a reply.
    pub(super) fn receive(connection: &mut Connection) -> Result<Self> {
        connection.in_one_step(Self::receive_line)
    }

    fn receive_line(connection: &mut Connection) -> Result<Self> {
        let mut line = Vec::new();
        loop {
            let Some(octet) = connection.peek()?.first().copied() else {
                if line.is_empty() || !may_become_head(&line) {
                    return Ok(Self::None(line));
                }
                let received = u64::try_from(line.len()).unwrap_or(u64::MAX);
                let expected = None;
                let error = connection.failed(ErrorKind::EndedEarly { expected, received });
                return Err(error.with_step("the Gopher+ reply").with_received(&line));
            };
            connection.consume(1);
            line.push(octet);
            if octet == b'\n' {
                return Self::parse(&line).unwrap_or(Ok(Self::None(line)));
            }
            if !may_become_head(&line) {
                return Ok(Self::None(line));
            }
        }
    }

    /// Parses a line with its line ending. Returns `None` if the line is not a head, and an error
    /// if its number is a negative number that Gopher+ does not define.
    fn parse(line: &[u8]) -> Option<Result<Self>> {
        let text = std::str::from_utf8(line)
            .ok()?
            .trim_end_matches(['\r', '\n']);
        let (is_data, transfer) = match text.strip_prefix('+') {
            Some(transfer) => (true, transfer),
            None => (false, text.strip_prefix('-')?),
        };
        let digits = transfer.strip_prefix('-').unwrap_or(transfer);
        if digits.is_empty() || !digits.bytes().all(|octet| octet.is_ascii_digit()) {
            return None;
        }
        let end = match transfer {
            "-1" => End::LastLine,
            "-2" => End::Close,
            _ if digits.len() < transfer.len() => {
                let what = "a Gopher+ length: a number, -1 or -2";
                return Some(Err(
                    Error::new(ErrorKind::Protocol(what)).with_received(line)
                ));
            }
            // A length of more than 64 bits exceeds any limit.
            _ => End::Length(digits.parse().unwrap_or(u64::MAX)),
        };
        Some(Ok(if is_data {
            Self::Data(end)
        } else {
            Self::Failure(end)
        }))
    }
}

/// Returns whether a line could become a head if more bytes follow.
fn may_become_head(line: &[u8]) -> bool {
    let Some((b'+' | b'-', rest)) = line.split_first() else {
        return false;
    };
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    line.len() <= MAX_HEAD && rest.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::{End, Head};

    #[test]
    fn heads() {
        let parse =
            |line: &[u8]| Head::parse(line).map(|head| head.map_err(|error| error.to_string()));
        // Gopher+, 2.3
        assert_eq!(parse(b"+5340\r\n"), Some(Ok(Head::Data(End::Length(5340)))));
        assert_eq!(parse(b"+-1\r\n"), Some(Ok(Head::Data(End::LastLine))));
        assert_eq!(parse(b"+-2\r\n"), Some(Ok(Head::Data(End::Close))));
        assert_eq!(parse(b"--1\r\n"), Some(Ok(Head::Failure(End::LastLine))));
        assert_eq!(parse(b"-5\n"), Some(Ok(Head::Failure(End::Length(5)))));
        let max = Head::Data(End::Length(u64::MAX));
        assert_eq!(parse(b"+99999999999999999999\r\n"), Some(Ok(max)));
        for line in ["+-3\r\n", "--0\r\n", "+-99999999999999999999\r\n"] {
            assert!(matches!(parse(line.as_bytes()), Some(Err(_))), "{line:?}");
        }
        for line in [
            "\r\n",
            "+\r\n",
            "+-\r\n",
            "++1\r\n",
            "+1 \r\n",
            "+INFO: 0a\r\n",
            "1\r\n",
            "+0x1\r\n",
            "+\u{661}\r\n",
        ] {
            assert_eq!(parse(line.as_bytes()), None, "{line:?}");
        }
    }
}
