//! Replies (RFC 959, 4.2).
//!
//! ```text
//! 230 one line          230-the first of many
//!                        whatever begins with neither `230` and a space
//!                       230 the last
//! ```

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;

/// The most lines in a reply. The longest replies are greetings.
const MAX_LINES: usize = 1000;
/// The most octets in a reply.
const MAX_OCTETS: usize = 256 << 10;

/// A reply to a command.
pub(super) struct Reply {
    /// Three digits, of which the first is 1 to 5.
    pub(super) code: u16,
    /// All lines; at least one.
    lines: Vec<Vec<u8>>,
}

impl Reply {
    /// Reads a reply.
    pub(super) fn read(connection: &mut Connection) -> Result<Self> {
        connection.in_one_step(Self::read_lines)
    }

    fn read_lines(connection: &mut Connection) -> Result<Self> {
        let first = connection.read_complete_line()?;
        let (Some(code), mark) = (code(&first), first.get(3)) else {
            let expected = "a reply: three digits, of which the first is 1 to 5";
            return Err(connection
                .failed(ErrorKind::Protocol(expected))
                .received(&first));
        };
        let begin = [first.get(..3).unwrap_or_default(), b" "].concat();
        let mut goes_on = match mark {
            Some(b'-') => true,
            // Some servers omit the space if there is no text.
            Some(b' ') | None => false,
            Some(_) => {
                let expected = "a space or a hyphen after the three digits of a reply";
                return Err(connection
                    .failed(ErrorKind::Protocol(expected))
                    .received(&first));
            }
        };
        let mut octets = first.len();
        let mut lines = vec![first];
        while goes_on {
            let next = connection.read_complete_line()?;
            octets += next.len();
            if lines.len() == MAX_LINES || octets > MAX_OCTETS {
                let expected = "a reply of at most 1000 lines and 256 KiB";
                return Err(connection
                    .failed(ErrorKind::Protocol(expected))
                    .received(&next));
            }
            goes_on = !next.starts_with(&begin) && begin.strip_suffix(b" ") != Some(&next);
            lines.push(next);
        }
        Ok(Self { code, lines })
    }

    /// The first digit: 1 preliminary, 2 completed, 3 needs more, 4 and 5 refused.
    pub(super) const fn class(&self) -> u16 {
        self.code / 100
    }

    /// Whether the server refused the request.
    pub(super) const fn is_refusal(&self) -> bool {
        self.class() >= 4
    }

    /// All lines.
    pub(super) fn lines(&self) -> &[Vec<u8>] {
        &self.lines
    }

    /// The text after the code of the first line.
    pub(super) fn text(&self) -> &[u8] {
        let first = self.lines.first().and_then(|line| line.get(4..));
        first.unwrap_or_default()
    }

    /// The lines between the first and the last.
    pub(super) fn inner_lines(&self) -> &[Vec<u8>] {
        let end = self.lines.len().saturating_sub(1);
        self.lines.get(1..end).unwrap_or_default()
    }

    /// Whether the text says that access is not permitted.
    fn is_about_permission(&self) -> bool {
        let text = self.text().to_ascii_lowercase();
        let words = ["permission", "permitted", "denied", "privilege"];
        let is_in_text = |word: &&str| text.windows(word.len()).any(|it| it == word.as_bytes());
        words.iter().any(|word| is_in_text(&word))
    }

    /// The error for a reply: a refusal, or a violation of the protocol.
    pub(super) fn error(&self, connection: &Connection, expected: &'static str) -> Error {
        let kind = match self.code {
            ..400 => ErrorKind::Protocol(expected),
            530 | 532 => ErrorKind::LoginRequired,
            // RFC 959 has one code for a missing file and for a lack of access ("e.g., file not
            // found, no access"), so only the text of the server tells them apart.
            550 if self.is_about_permission() => ErrorKind::Forbidden,
            550 => ErrorKind::NotFound,
            553 => ErrorKind::Forbidden,
            code => ErrorKind::server(code, self.text()),
        };
        let error = connection
            .failed(kind)
            .received(&self.lines.join(&b"\r\n"[..]));
        if self.class() == 4 {
            error.transient(None)
        } else {
            error
        }
    }
}

fn code(line: &[u8]) -> Option<u16> {
    let digits = line.get(..3)?;
    let is_code = matches!(digits, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9']);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_code)?;
    digits.parse().ok()
}
