//! Replies: three digits and a text (RFC 3977, 3.2).

use crate::error::{Error, ErrorKind, Result};
use crate::protocol::parse::number;

/// The first line of a reply.
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) line: Vec<u8>,
}

impl Reply {
    /// Reads a line.
    pub(super) fn read(line: Vec<u8>) -> Result<Self> {
        let code = match line.as_slice() {
            [a, b, c] | [a, b, c, b' ', ..] => [*a, *b, *c],
            _ => [0; 3],
        };
        let digits = code.iter().map(|octet| char::from(*octet).to_digit(10));
        let code = digits
            .into_iter()
            .try_fold(0, |code, digit| Some(code * 10 + digit?));
        let code = code.and_then(|code| u16::try_from(code).ok());
        match code.filter(|code| (100..600).contains(code)) {
            Some(code) => Ok(Self { code, line }),
            None => Err(
                Error::new(ErrorKind::Protocol("a reply that begins with three digits"))
                    .with_received(&line),
            ),
        }
    }

    /// The words after the code.
    pub(super) fn words(&self) -> impl Iterator<Item = &[u8]> {
        let words = self.line.split(|octet| *octet == b' ');
        words.filter(|word| !word.is_empty()).skip(1)
    }

    /// Up to three numbers after the code.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let numbers = self.words().map(number);
        numbers.map_while(|number| number).take(3).collect()
    }

    /// The error for a reply other than the expected one.
    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        let kind = match self.code {
            411 | 423 | 430 => ErrorKind::NotFound,
            440 | 502 => ErrorKind::Forbidden,
            480..=483 => ErrorKind::LoginRequired, // RFC 4643, 2.3
            400..600 => ErrorKind::server(self.code, self.line.get(4..).unwrap_or_default()),
            _ => ErrorKind::Protocol(expected),
        };
        let error = Error::new(kind).with_received(&self.line);
        match self.code {
            // Out of service; an internal fault; "try again later" (RFC 3977, Appendix C).
            400 | 403 | 436 => error.with_retry_after(None),
            _ => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reply;

    #[test]
    fn codes() {
        let code = |line: &[u8]| Reply::read(line.to_vec()).map(|reply| reply.code).ok();
        assert_eq!(code(b"200 hi"), Some(200));
        assert_eq!(code(b"200"), Some(200));
        for line in [
            &b"20"[..],
            b"2000 hi",
            b"20x hi",
            b"099 hi",
            b"600 hi",
            b"",
            b"hi",
            b"+20 hi",
            b"200-hi",
        ] {
            assert_eq!(code(line), None, "{line:?}");
        }
    }

    #[test]
    fn numbers_after_the_code() {
        let numbers = |line: &[u8]| Reply::read(line.to_vec()).unwrap().numbers();
        assert_eq!(numbers(b"211 2 10 11 comp.test"), [2, 10, 11]);
        assert_eq!(numbers(b"211 2 +10 11 comp.test"), [2]);
        assert!(numbers(b"211 99999999999999999999 1 1").is_empty());
    }
}
