//! The length of a body, and its bytes (RFC 9112, 6 and 7).

use super::head::Head;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::protocol::digits::number;

/// How the end of a body is determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// After this many bytes.
    Bytes(u64),
    /// In chunks, of which the last is empty.
    Chunked,
    /// At the end of the connection.
    ToTheEnd,
}

impl Length {
    /// The length of the body after a head (RFC 9112, 6.3). Anything ambiguous is refused.
    pub(super) fn of(head: &Head, is_head: bool) -> Result<Self> {
        let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).received(&head.line);
        let length = content_length(head)?;
        if is_head || matches!(head.status, 204 | 304) {
            return Ok(Self::Bytes(0));
        }
        if head.all("Transfer-Encoding").next().is_none() {
            return Ok(length.map_or(Self::ToTheEnd, Self::Bytes));
        }
        if length.is_some() {
            return Err(refuse("Content-Length or Transfer-Encoding, and not both"));
        }
        // No transfer coding was requested; `chunked` must always be supported (RFC 9112, 7; RFC
        // 9110, 10.1.4).
        let mut codings = head.members("Transfer-Encoding");
        let is_chunked = codings
            .next()
            .is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
        if !is_chunked || codings.next().is_some() {
            return Err(refuse("no transfer coding but `chunked`"));
        }
        if !head.is_http_11 {
            return Err(refuse("no transfer coding in HTTP/1.0"));
        }
        Ok(Self::Chunked)
    }
}

/// The value of `Content-Length` (RFC 9110, 8.6).
pub(super) fn content_length(head: &Head) -> Result<Option<u64>> {
    let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).received(&head.line);
    let mut values = head.all("Content-Length");
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() || value.contains(&b',') {
        return Err(refuse("one Content-Length"));
    }
    number(value)
        .map(Some)
        .ok_or_else(|| refuse("a number of bytes in Content-Length"))
}

/// Passes all bytes of a body to `give`. `max` is the announced number, if any.
pub(super) fn read(
    connection: &mut Connection,
    length: Length,
    max: Option<u64>,
    give: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    connection.set_quiet(true);
    let mut body = Body {
        connection,
        give,
        max,
        received: 0,
    };
    match length {
        Length::Bytes(count) => {
            if body.some(count)? < count {
                return Err(body.ended_early());
            }
            // Nothing else was requested on this connection, so the length is wrong (RFC 9112,
            // 6.3).
            if body.connection.has_more() {
                return Err(body
                    .connection
                    .failed(ErrorKind::TooManyBytes { expected: count }));
            }
        }
        Length::Chunked => body.chunks()?,
        Length::ToTheEnd => drop(body.some(u64::MAX)?),
    }
    if max.is_some_and(|max| body.received < max) {
        return Err(body.ended_early());
    }
    Ok(())
}

/// Skips a body. False if it has not been received completely: then the connection cannot be
/// reused.
pub(super) fn skip(connection: &mut Connection, length: Length) -> bool {
    let Length::Bytes(mut left) = length else {
        return false;
    };
    while left > 0 && connection.has_more() {
        let Ok(bytes) = connection.peek() else {
            return false;
        };
        let count = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        connection.consume(count);
        left -= u64::try_from(count).unwrap_or(left);
    }
    left == 0
}

struct Body<'a> {
    connection: &'a mut Connection,
    give: &'a mut dyn FnMut(&[u8]) -> Result<()>,
    max: Option<u64>,
    received: u64,
}

impl Body<'_> {
    fn ended_early(&self) -> Error {
        let (expected, received) = (self.max, self.received);
        self.connection
            .failed(ErrorKind::EndedEarly { expected, received })
    }

    /// Passes on this many bytes, or fewer at the end of the connection. Returns how many.
    fn some(&mut self, count: u64) -> Result<u64> {
        let mut left = count;
        while left > 0 {
            let bytes = self.connection.peek()?;
            let bytes = bytes
                .get(..usize::try_from(left).unwrap_or(usize::MAX))
                .unwrap_or(bytes);
            if bytes.is_empty() {
                break;
            }
            let taken = bytes.len();
            let more = u64::try_from(taken).unwrap_or(left);
            if let Some(expected) = self.max.filter(|max| *max - self.received < more) {
                return Err(self.connection.failed(ErrorKind::TooManyBytes { expected }));
            }
            (self.give)(bytes)?;
            self.connection.consume(taken);
            self.received += more;
            left -= more;
        }
        Ok(count - left)
    }

    /// `chunked-body = *chunk last-chunk trailer-section CRLF` (RFC 9112, 7.1). The trailer is
    /// discarded.
    fn chunks(&mut self) -> Result<()> {
        loop {
            let size = self.size()?;
            if size == 0 {
                break;
            }
            if self.some(size)? < size {
                return Err(self.ended_early());
            }
            if !self.line()?.is_empty() {
                let kind = ErrorKind::Protocol("the end of a line after a chunk");
                return Err(self.connection.failed(kind));
            }
        }
        let mut max = super::head::MAX_FIELDS;
        while !self.line()?.is_empty() {
            max = max.saturating_sub(1);
            if max == 0 {
                let kind = ErrorKind::Protocol("at most 256 fields in a trailer");
                return Err(self.connection.failed(kind));
            }
        }
        Ok(())
    }

    /// `chunk-size [ chunk-ext ] CRLF`
    fn size(&mut self) -> Result<u64> {
        let line = self.line()?;
        let digits = line
            .split(|octet| *octet == b';')
            .next()
            .unwrap_or_default();
        let digits = digits.trim_ascii_end();
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
        let text = std::str::from_utf8(digits).ok().filter(|_| is_number);
        let size = text.and_then(|text| u64::from_str_radix(text, 16).ok());
        size.ok_or_else(|| {
            let kind = ErrorKind::Protocol("the size of a chunk");
            self.connection.failed(kind).received(&line)
        })
    }

    fn line(&mut self) -> Result<Vec<u8>> {
        let line = self.connection.read_line()?;
        line.ok_or_else(|| self.ended_early())
    }
}
