//! Multi-line data blocks: they end with a line that is a single dot, and a dot at the beginning
//! of any other line is doubled (RFC 3977, 3.1.1).

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;

/// The lines of a block.
pub(super) struct Lines<'a> {
    connection: &'a mut Connection,
}

impl<'a> Lines<'a> {
    pub(super) fn of(connection: &'a mut Connection) -> Self {
        connection.set_quiet(true);
        Self { connection }
    }

    /// The next line, a doubled dot undone; `None` at the end of the block.
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

/// The position after the last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    LineStart,
    /// After a dot at the beginning of a line, which is not passed on.
    Dot,
    /// After such a dot and CR.
    DotCr,
    Line,
}

/// Passes on a block while it is received. Lines may have any length.
pub(super) fn deliver(connection: &mut Connection, output: &mut Output<'_>) -> Result<()> {
    let mut at = At::LineStart;
    loop {
        let bytes = connection.peek()?;
        if bytes.is_empty() {
            let received = output.received();
            return Err(connection.failed(ErrorKind::EndedEarly {
                expected: None,
                received,
            }));
        }
        let (used, is_end) = piece(bytes, &mut at, |bytes| output.bytes(bytes))?;
        connection.consume(used);
        if is_end {
            return Ok(());
        }
    }
}

/// Handles a piece of a block. Returns how much of it was used, and whether the block ended.
fn piece(
    bytes: &[u8],
    at: &mut At,
    mut text: impl FnMut(&[u8]) -> Result<()>,
) -> Result<(usize, bool)> {
    let mut used = 0;
    while let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) {
        match (*at, rest.first()) {
            (At::LineStart, Some(b'.')) => {
                *at = At::Dot;
                used += 1;
            }
            (At::Dot, Some(b'\r')) => {
                *at = At::DotCr;
                used += 1;
            }
            (At::Dot | At::DotCr, Some(b'\n')) => return Ok((used + 1, true)),
            (was, _) => {
                if was == At::DotCr {
                    text(b"\r")?;
                }
                let (count, is_line_start) = until_dot(rest);
                text(rest.get(..count).unwrap_or(rest))?;
                used += count;
                *at = if is_line_start {
                    At::LineStart
                } else {
                    At::Line
                };
            }
        }
    }
    Ok((used, false))
}

/// How many bytes there are before a line that begins with a dot, and whether they end a line.
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
    use super::{At, piece};

    fn unstuffed(wire: &[u8], size: usize) -> (Vec<u8>, bool, usize) {
        let (mut at, mut text, mut total) = (At::LineStart, Vec::new(), 0);
        for bytes in wire.chunks(size) {
            let (used, is_end) = piece(bytes, &mut at, |bytes| {
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
                let (found, is_end, used) = unstuffed(wire, size);
                let rest = usize::from(wire.ends_with(b"b"));
                assert_eq!((&*found, is_end), (text, true), "{wire:?} by {size}");
                assert_eq!(used, wire.len() - rest);
            }
        }
        assert!(!unstuffed(b"a\r\n..\r\n. \r\n.\r", 2).1);
    }
}
