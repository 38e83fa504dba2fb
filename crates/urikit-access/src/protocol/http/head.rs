//! The head of a response: status line and fields (RFC 9112, 4 and 5).

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;

/// The most fields in a response.
pub(super) const MAX_FIELDS: usize = 256;

/// The most interim responses (RFC 9110, 15.2) before the final one.
const MAX_INTERIM: usize = 16;

/// The status line and the fields.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    /// The status line as received.
    pub(super) line: Vec<u8>,
    /// Whether the version is HTTP/1.1, and not 1.0.
    pub(super) is_http_11: bool,
    /// The fields in order: the name as received, the value without surrounding whitespace.
    pub(super) fields: Vec<(String, Vec<u8>)>,
}

impl Head {
    /// Reads the head of the final response, after any interim ones. Its length is limited like
    /// that of a line.
    pub(super) fn read(connection: &mut Connection, longest: usize) -> Result<Self> {
        for _ in 0..MAX_INTERIM {
            let head = Self::read_one(connection, longest)?;
            match head.status {
                // No other protocol was requested (RFC 9110, 15.2.2).
                101 => break,
                100..=199 => {}
                _ => return Ok(head),
            }
        }
        Err(connection.failed(ErrorKind::Protocol(
            "a final response after those of class 1xx",
        )))
    }

    fn read_one(connection: &mut Connection, longest: usize) -> Result<Self> {
        let mut text = Vec::new();
        loop {
            let Some(line) = connection.read_line()? else {
                let (expected, received) = (None, u64::try_from(text.len()).unwrap_or(u64::MAX));
                return Err(connection.failed(ErrorKind::EndedEarly { expected, received }));
            };
            if text.is_empty() && !line.starts_with(b"HTTP/") {
                let kind = ErrorKind::Protocol("an HTTP status line");
                return Err(connection.failed(kind).received(&line));
            }
            text.extend_from_slice(&line);
            text.extend_from_slice(b"\r\n");
            if text.len() > longest {
                return Err(connection.failed(ErrorKind::LineTooLong { max: longest }));
            }
            if line.is_empty() {
                break;
            }
        }
        Self::parse(&text).map_err(|expected| {
            let kind = ErrorKind::Protocol(expected);
            connection.failed(kind).received(first_line(&text))
        })
    }

    fn parse(text: &[u8]) -> std::result::Result<Self, &'static str> {
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let mut response = httparse::Response::new(&mut fields);
        let mut config = httparse::ParserConfig::default();
        // A user agent replaces line folding by spaces (RFC 9112, 5.2).
        config.allow_obsolete_multiline_headers_in_responses(true);
        let parsed = config.parse_response(&mut response, text);
        match parsed {
            Ok(httparse::Status::Complete(_)) => {}
            Err(httparse::Error::TooManyHeaders) => return Err("at most 256 fields"),
            Err(httparse::Error::HeaderName | httparse::Error::HeaderValue) => {
                return Err("an HTTP field");
            }
            _ => return Err("a status line of HTTP/1.0 or 1.1"),
        }
        let fields = response.headers.iter().map(|field| {
            let value = field.value.split(|octet| b"\r\n".contains(octet));
            let lines: Vec<&[u8]> = value
                .map(<[u8]>::trim_ascii)
                .filter(|line| !line.is_empty())
                .collect();
            (field.name.to_owned(), lines.join(&b' '))
        });
        Ok(Self {
            status: response.code.unwrap_or_default(),
            line: first_line(text).to_vec(),
            is_http_11: response.version == Some(1),
            fields: fields.collect(),
        })
    }

    /// The values of the fields with this name, in any case.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let is_it = move |field: &&(String, Vec<u8>)| field.0.eq_ignore_ascii_case(name);
        self.fields
            .iter()
            .filter(is_it)
            .map(|field| field.1.as_slice())
    }

    /// The members of a list (RFC 9110, 5.6.1) in all fields with this name.
    pub(super) fn members(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let members = self
            .all(name)
            .flat_map(|value| value.split(|octet| *octet == b','));
        members
            .map(<[u8]>::trim_ascii)
            .filter(|member| !member.is_empty())
    }

    /// The value of a field that occurs once, or repeatedly with the same value.
    pub(super) fn one(&self, name: &str, expected: &'static str) -> Result<Option<&[u8]>> {
        let mut values = self.all(name);
        let first = values.next();
        if values.all(|value| Some(value) == first) {
            Ok(first)
        } else {
            Err(Error::new(ErrorKind::Protocol(expected)).received(&self.line))
        }
    }

    /// Whether the server keeps the connection open (RFC 9112, 9.3).
    pub(super) fn keeps_connection(&self) -> bool {
        let says_close = self
            .members("Connection")
            .any(|option| option.eq_ignore_ascii_case(b"close"));
        self.is_http_11 && !says_close
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    let line = text
        .split(|octet| *octet == b'\n')
        .next()
        .unwrap_or_default();
    line.trim_ascii_end()
}

/// A value as text: UTF-8, or else Latin-1, as fields once were (RFC 9110, 5.5).
pub(super) fn text(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().copied().map(char::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Head, text};

    #[test]
    fn fields_keep_their_order_and_folded_lines_are_joined() {
        let head = b"HTTP/1.1 200 OK\r\nB: 1\r\nA:  2 \r\n  3\r\nb:\t4\r\nC:\r\n\r\n";
        let head = Head::parse(head).unwrap();
        assert_eq!(
            (head.status, head.is_http_11, &head.line[..]),
            (200, true, &b"HTTP/1.1 200 OK"[..])
        );
        let fields: Vec<_> = head
            .fields
            .iter()
            .map(|(name, value)| (name.as_str(), text(value)))
            .collect();
        let expected = [("B", "1"), ("A", "2 3"), ("b", "4"), ("C", "")];
        assert_eq!(
            fields,
            expected.map(|(name, value)| (name, value.to_owned()))
        );
        assert!(head.all("b").eq([b"1", b"4"]));
    }

    #[test]
    fn invalid_heads_are_refused() {
        for head in [
            "HTTP/1.1 200 OK\r\nA B: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: c\0d\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: c\rd\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/2 200\r\n\r\n",
            "HTTP/1.1\r\n\r\n",
        ] {
            assert!(Head::parse(head.as_bytes()).is_err(), "{head:?}");
        }
        let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(257));
        assert_eq!(
            Head::parse(many.as_bytes()).unwrap_err(),
            "at most 256 fields"
        );
    }

    #[test]
    fn a_value_that_is_not_utf_8_is_latin_1() {
        assert_eq!(text(b"caf\xc3\xa9"), "café");
        assert_eq!(text(b"caf\xe9"), "café");
    }
}
