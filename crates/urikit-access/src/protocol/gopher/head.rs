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

/// Longer lines are no head: it has a sign and a number.
const MAX_LEN: usize = 64;

/// What a reply begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Head {
    /// No head, but these bytes: the server does not speak Gopher+.
    None(Vec<u8>),
    /// `+`: data follow, and end so.
    Data(End),
    /// `-`: an error's text follows, and ends so.
    Failure(End),
}

impl Head {
    /// Reads the head of a reply. Bytes that turn out not to be one are given back.
    pub(super) fn receive(connection: &mut Connection) -> Result<Self> {
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

    /// Reads a line with its end; `None` where it is no head, and an error for a number that Gopher+ does not have.
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
            // More than 64 bits hold is more than comes, and more than anyone allows.
            _ => End::Length(digits.parse().unwrap_or(u64::MAX)),
        };
        Some(Ok(if is_data {
            Self::Data(end)
        } else {
            Self::Failure(end)
        }))
    }
}

/// Whether something may follow that makes it a head.
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
