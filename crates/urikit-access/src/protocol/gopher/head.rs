//! The first line of a Gopher+ reply (Gopher+, 2.3).
//!
//! ```text
//! DataHead ::= Success Transfer CR-LF     Gopher+, Appendix II
//! Success  ::= '+' | '-'
//! Transfer ::= DigitSeq | '-1' | '-2'
//! ```

use super::body::End;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;

/// A head has only a sign and a number. Longer lines are something else.
const MAX_LEN: usize = 64;

/// The beginning of a reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Head {
    /// These bytes, which are not a head: the server does not support Gopher+.
    None(Vec<u8>),
    /// `+`: data follows, with this end.
    Data(End),
    /// `-`: the text of an error follows, with this end.
    Failure(End),
}

impl Head {
    /// Reads the head of a reply. Bytes that are not a head are returned.
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
                return Err(error.at("the Gopher+ reply").received(&line));
            };
            connection.consume(1);
            line.push(octet);
            if octet == b'\n' {
                return Self::read(&line).unwrap_or(Ok(Self::None(line)));
            }
            if !may_become_head(&line) {
                return Ok(Self::None(line));
            }
        }
    }

    /// Reads a line with its line end. `None` if it is not a head. A number that Gopher+ does not
    /// define is an error.
    fn read(line: &[u8]) -> Option<Result<Self>> {
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
                return Some(Err(Error::new(ErrorKind::Protocol(what)).received(line)));
            }
            // A number above 64 bits exceeds any limit.
            _ => End::Length(digits.parse().unwrap_or(u64::MAX)),
        };
        Some(Ok(if is_data {
            Self::Data(end)
        } else {
            Self::Failure(end)
        }))
    }
}

/// Whether more bytes could make it a head.
fn may_become_head(line: &[u8]) -> bool {
    let Some((b'+' | b'-', rest)) = line.split_first() else {
        return false;
    };
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    line.len() <= MAX_LEN && rest.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::{End, Head};

    #[test]
    fn heads() {
        let read =
            |line: &[u8]| Head::read(line).map(|head| head.map_err(|error| error.to_string()));
        // Gopher+, 2.3
        assert_eq!(read(b"+5340\r\n"), Some(Ok(Head::Data(End::Length(5340)))));
        assert_eq!(read(b"+-1\r\n"), Some(Ok(Head::Data(End::LastLine))));
        assert_eq!(read(b"+-2\r\n"), Some(Ok(Head::Data(End::Close))));
        assert_eq!(read(b"--1\r\n"), Some(Ok(Head::Failure(End::LastLine))));
        assert_eq!(read(b"-5\n"), Some(Ok(Head::Failure(End::Length(5)))));
        let max = Head::Data(End::Length(u64::MAX));
        assert_eq!(read(b"+99999999999999999999\r\n"), Some(Ok(max)));
        for line in ["+-3\r\n", "--0\r\n", "+-99999999999999999999\r\n"] {
            assert!(matches!(read(line.as_bytes()), Some(Err(_))), "{line:?}");
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
            assert_eq!(read(line.as_bytes()), None, "{line:?}");
        }
    }
}
