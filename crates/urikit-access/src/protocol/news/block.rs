//! Multi-line data blocks (RFC 3977, 3.1.1). A line with a single dot ends the block, and a dot at
//! the beginning of any other line is doubled.

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;

/// Reads a block line by line.
pub(super) struct Lines<'a> {
    connection: &'a mut Connection,
}

impl<'a> Lines<'a> {
    pub(super) fn new(connection: &'a mut Connection) -> Self {
        connection.set_quiet(true);
        Self { connection }
    }

    /// Reads the next line, and removes a doubled dot at its beginning. Returns `None` at the end
    /// of the block.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut line = self.connection.read_complete_line()?;
        if line.first() == Some(&b'.') {
            if line.len() == 1 {
                self.connection.set_quiet(false);
                return Ok(None);
            }
            line.remove(0);
        }
        Ok(Some(line))
    }

    pub(super) fn failed(&self, kind: ErrorKind) -> Error {
        self.connection.failed(kind)
    }
}

/// The current position within a line of the block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    LineStart,
    /// After a dot at the beginning of a line. This dot is not written to the output.
    Dot,
    /// After a dot at the beginning of a line, and a CR.
    DotCr,
    WithinLine,
}

/// Writes a block to the output as it arrives. Lines can have any length.
pub(super) fn deliver(connection: &mut Connection, output: &mut Output<'_>) -> Result<()> {
    let mut position = Position::LineStart;
    loop {
        let bytes = connection.peek()?;
        if bytes.is_empty() {
            let received = output.received();
            return Err(connection.failed(ErrorKind::EndedEarly {
                expected: None,
                received,
            }));
        }
        let (used, is_end) = unstuff(bytes, &mut position, |bytes| output.bytes(bytes))?;
        connection.consume(used);
        if is_end {
            return Ok(());
        }
    }
}

/// Undoes dot-stuffing in a piece of a block. Returns the number of bytes that belong to the
/// block, and whether the block has ended.
fn unstuff(
    bytes: &[u8],
    position: &mut Position,
    mut text: impl FnMut(&[u8]) -> Result<()>,
) -> Result<(usize, bool)> {
    let mut used = 0;
    while let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) {
        match (*position, rest.first()) {
            (Position::LineStart, Some(b'.')) => {
                *position = Position::Dot;
                used += 1;
            }
            (Position::Dot, Some(b'\r')) => {
                *position = Position::DotCr;
                used += 1;
            }
            (Position::Dot | Position::DotCr, Some(b'\n')) => return Ok((used + 1, true)),
            (before, _) => {
                if before == Position::DotCr {
                    text(b"\r")?;
                }
                let (count, is_line_start) = until_dot(rest);
                text(rest.get(..count).unwrap_or(rest))?;
                used += count;
                *position = if is_line_start {
                    Position::LineStart
                } else {
                    Position::WithinLine
                };
            }
        }
    }
    Ok((used, false))
}

/// Returns the number of bytes before the next line that begins with a dot, and whether the last
/// of these bytes is a line ending.
fn until_dot(bytes: &[u8]) -> (usize, bool) {
    let mut from = 0;
    while let Some(end) = bytes
        .get(from..)
        .and_then(|rest| rest.iter().position(|octet| *octet == b'\n'))
    {
        from += end + 1;
        if bytes.get(from).is_none_or(|octet| *octet == b'.') {
            return (from, true);
        }
    }
    (bytes.len(), false)
}

#[cfg(test)]
mod tests {
    use super::{Position, unstuff};

    fn text_of(wire: &[u8], size: usize) -> (Vec<u8>, bool, usize) {
        let (mut position, mut text, mut total) = (Position::LineStart, Vec::new(), 0);
        for bytes in wire.chunks(size) {
            let (used, is_end) = unstuff(bytes, &mut position, |bytes| {
                text.extend_from_slice(bytes);
                Ok(())
            })
            .unwrap();
            total += used;
            if is_end {
                return (text, true, total);
            }
        }
        (text, false, total)
    }

    #[test]
    fn the_result_does_not_depend_on_the_pieces() {
        for (wire, text) in [
            (&b".\r\n"[..], &b""[..]),
            (b"a\r\n.\r\n", b"a\r\n"),
            (b"..\r\n...x\r\n.\r\n", b".\r\n..x\r\n"),
            (b"a.\r\n.b\r\n.\r\n", b"a.\r\nb\r\n"),
            (b"\r\n\r\n.\rx\r\n.\r\n", b"\r\n\r\n\rx\r\n"),
            (b"a\n.\nb", b"a\n"),
            (b"a\r.\r\n.\r\n", b"a\r.\r\n"),
        ] {
            for size in 1..=wire.len() {
                let (found, is_end, used) = text_of(wire, size);
                let rest = usize::from(wire.ends_with(b"b"));
                assert_eq!((&*found, is_end), (text, true), "{wire:?} by {size}");
                assert_eq!(used, wire.len() - rest);
            }
        }
        assert!(!text_of(b"a\r\n..\r\n. \r\n.\r", 2).1);
    }
}
