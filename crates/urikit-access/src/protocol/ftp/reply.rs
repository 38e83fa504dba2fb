//! Parses replies (RFC 959, 4.2), and the values in their text.
//!
//! ```text
//! 230 one line          230-the first of several lines
//!                        any line that does not begin with `230` and a space
//!                       230 the last line
//! ```

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::protocol::parse::number;

/// The maximum number of lines in a reply. The longest replies are greetings.
const MAX_LINES: usize = 1000;
/// The maximum length of a reply in octets.
const MAX_OCTETS: usize = 256 << 10;

/// A reply to a command.
pub(super) struct Reply {
    /// The reply code, which has three digits and begins with 1 to 5.
    pub(super) code: u16,
    /// All lines. INVARIANT: not empty.
    lines: Vec<Vec<u8>>,
}

impl Reply {
    /// Reads the next reply. Fails if the reply is malformed, too long or truncated.
    pub(super) fn read(connection: &mut Connection) -> Result<Self> {
        let reply = connection.in_one_step(Self::read_lines)?;
        connection.record_reply(reply.code, reply.text());
        Ok(reply)
    }

    fn read_lines(connection: &mut Connection) -> Result<Self> {
        let first = connection.read_complete_line()?;
        let (Some(code), mark) = (code(&first), first.get(3)) else {
            let expected = "a reply: three digits, the first of which is 1 to 5";
            return Err(connection
                .failed(ErrorKind::Protocol(expected))
                .with_received(&first));
        };
        let begin = [first.get(..3).unwrap_or_default(), b" "].concat();
        let mut continues = match mark {
            Some(b'-') => true,
            // Some servers send neither a space nor text after the code.
            Some(b' ') | None => false,
            Some(_) => {
                let expected = "a space or a hyphen after the three digits of a reply";
                return Err(connection
                    .failed(ErrorKind::Protocol(expected))
                    .with_received(&first));
            }
        };
        let mut octets = first.len();
        let mut lines = vec![first];
        while continues {
            let next = connection.read_complete_line()?;
            octets += next.len();
            if lines.len() == MAX_LINES || octets > MAX_OCTETS {
                let expected = "a reply of at most 1000 lines and 256 KiB";
                return Err(connection
                    .failed(ErrorKind::Protocol(expected))
                    .with_received(&next));
            }
            continues = !next.starts_with(&begin) && begin.strip_suffix(b" ") != Some(&next);
            lines.push(next);
        }
        Ok(Self { code, lines })
    }

    /// Returns the first digit: 1 preliminary, 2 completed, 3 more input needed, 4 and 5 refused.
    pub(super) const fn class(&self) -> u16 {
        self.code / 100
    }

    /// Returns whether the server refused the command.
    pub(super) const fn is_refusal(&self) -> bool {
        self.class() >= 4
    }

    /// Returns all lines.
    pub(super) fn lines(&self) -> &[Vec<u8>] {
        &self.lines
    }

    /// Returns the text that follows the code in the first line.
    pub(super) fn text(&self) -> &[u8] {
        let first = self.lines.first().and_then(|line| line.get(4..));
        first.unwrap_or_default()
    }

    /// Returns the lines between the first line and the last line.
    pub(super) fn inner_lines(&self) -> &[Vec<u8>] {
        let end = self.lines.len().saturating_sub(1);
        self.lines.get(1..end).unwrap_or_default()
    }

    /// Returns whether the text of the reply says that access is not permitted.
    fn is_about_permission(&self) -> bool {
        let text = self.text().to_ascii_lowercase();
        let contains = |word: &str| text.windows(word.len()).any(|part| part == word.as_bytes());
        ["permission", "permitted", "denied", "privilege"]
            .into_iter()
            .any(contains)
    }

    /// Returns the error for this reply. If the reply is not a refusal, it violates the protocol.
    pub(super) fn error(&self, connection: &Connection, expected: &'static str) -> Error {
        let kind = match self.code {
            ..400 => ErrorKind::Protocol(expected),
            530 | 532 => ErrorKind::LoginRequired,
            // RFC 959 uses the same code for "file not found" and "no access", so only the server's
            // text distinguishes them.
            550 if self.is_about_permission() => ErrorKind::Forbidden,
            550 => ErrorKind::NotFound,
            553 => ErrorKind::Forbidden,
            code => ErrorKind::server(code, self.text()),
        };
        let error = connection
            .failed(kind)
            .with_received(&self.lines.join(&b"\r\n"[..]));
        if self.class() == 4 {
            error.with_retry_after(None)
        } else {
            error
        }
    }
}

/// Parses the code at the beginning of a line.
fn code(line: &[u8]) -> Option<u16> {
    let digits = line.get(..3)?;
    let is_code = matches!(digits, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9']);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_code)?;
    digits.parse().ok()
}

/// Parses the port in a reply to `EPSV` (RFC 2428, 3), such as `(|||6446|)`, with any delimiter.
///
/// The two fields before the port, which should be empty, are ignored, because the data connection
/// uses the protocol and the address of the control connection.
pub(super) fn epsv_port(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(|octet| *octet == b'(')?;
    let inner = text.get(start + 1..)?;
    let delimiter = *inner.first().filter(|octet| octet.is_ascii_graphic())?;
    let mut fields = inner.split(|octet| *octet == delimiter).skip(3);
    let port = number(fields.next()?)?;
    // A delimiter must follow the port, because otherwise the last digits of the port may be
    // missing.
    fields.next()?.starts_with(b")").then_some(port)
}

/// Parses the port in a reply to `PASV`, which contains `h1,h2,h3,h4,p1,p2`.
///
/// Not all servers write the parentheses shown in RFC 959, so the numbers are assumed to begin at
/// the first digit (RFC 1123, 4.1.2.6). The address is ignored, because data is exchanged only with
/// the host of the control connection.
pub(super) fn pasv_port(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(u8::is_ascii_digit)?;
    let rest = text.get(start..)?;
    let is_part = |octet: &u8| octet.is_ascii_digit() || *octet == b',';
    let end = rest.iter().position(|octet| !is_part(octet));
    let numbers = rest.get(..end.unwrap_or(rest.len()))?;
    let numbers: Option<Vec<u16>> = numbers.split(|octet| *octet == b',').map(number).collect();
    match numbers?[..] {
        [a, b, c, d, high, low] if [a, b, c, d, high, low].iter().all(|it| *it < 256) => {
            Some(high * 256 + low)
        }
        _ => None,
    }
}

/// Parses the pathname in a reply to `PWD`. The pathname is in quotation marks, and a quotation
/// mark within it is doubled (RFC 959, Appendix II).
pub(super) fn quoted_path(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix(b"\"")?.iter().copied().peekable();
    let mut path = Vec::new();
    while let Some(octet) = rest.next() {
        if octet == b'"' && rest.next_if_eq(&b'"').is_none() {
            return (!path.is_empty()).then_some(path);
        }
        path.push(octet);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{epsv_port, pasv_port, quoted_path};

    #[test]
    fn ports() {
        for (text, port) in [
            ("Entering Extended Passive Mode (|||6446|)", Some(6446)), // RFC 2428, 3
            ("(!!!1!)", Some(1)),
            ("(|1|132.235.1.2|6275|)", Some(6275)),
            ("ok (|||65536|)", None),
            ("ok (|||+80|)", None),
            ("ok (|||80)", None),
            ("ok (||80|)", None),
            ("ok |||80|", None),
            ("ok (", None),
            ("", None),
        ] {
            assert_eq!(epsv_port(text.as_bytes()), port, "{text}");
        }
        for (text, port) in [
            ("Entering Passive Mode (127,0,0,1,4,1)", Some(1025)), // RFC 959, 4.1.2
            ("Entering Passive Mode. 10,0,0,1,255,255", Some(65535)), // RFC 959, figure 3
            ("=1,2,3,4,0,21", Some(21)),
            ("(1,2,3,4,256,1)", None),
            ("(1,2,3,256,1,1)", None),
            ("(1,2,3,4,5)", None),
            ("(1,2,3,4,5,6,7)", None),
            ("(1,2,3,4,,6)", None),
            ("(1, 2, 3, 4, 5, 6)", None),
            ("none", None),
        ] {
            assert_eq!(pasv_port(text.as_bytes()), port, "{text}");
        }
    }

    #[test]
    fn paths_in_replies_to_pwd() {
        for (text, path) in [
            (
                r#""/usr/dm/foo""bar" directory created"#,
                Some("/usr/dm/foo\"bar"),
            ), // RFC 959, II
            (r#""/" is the current directory"#, Some("/")),
            (r#""/a"#, None),
            (r#""" x"#, None),
            ("/ is it", None),
            ("", None),
        ] {
            let found = quoted_path(text.as_bytes());
            assert_eq!(found.as_deref(), path.map(str::as_bytes), "{text}");
        }
    }
}
