//! The head of a response: status line and fields (RFC 9112, 4 and 5), which hyper has read.

use crate::error::{Error, ErrorKind, Result};

/// The most fields in a response.
pub(crate) const MAX_FIELDS: usize = 256;

static LAST: Vec<u8> = Vec::new();

/// The status line and the fields.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The status line as received.
    pub(crate) line: Vec<u8>,
    /// Whether the version is HTTP/1.1, and not 1.0.
    pub(crate) is_http_11: bool,
    /// The fields in order: the name as received, the value without surrounding whitespace.
    pub(crate) fields: Vec<(String, Vec<u8>)>,
    /// `Content-Length`.
    pub(crate) length: Option<u64>,
}

impl Head {
    /// Takes the head of a response as hyper read it, for people: with its lines as received. Both
    /// must have the same number of fields.
    pub(crate) fn new<B>(
        response: &http::Response<B>,
        lines: &[Vec<u8>],
    ) -> std::result::Result<Self, (&'static str, Vec<u8>)> {
        let (_, lines) = lines.split_last().unwrap_or((&LAST, lines));
        // The final head follows the last empty line of those before it.
        let begin = lines.iter().rposition(Vec::is_empty).map_or(0, |at| at + 1);
        let lines = lines.get(begin..).unwrap_or_default();
        let (line, rest) = lines.split_first().unwrap_or((&LAST, lines));
        let mut fields: Vec<(String, Vec<u8>)> = Vec::with_capacity(rest.len());
        for line in rest {
            // A user agent replaces line folding by spaces (RFC 9112, 5.2).
            if let (Some(b' ' | b'\t'), Some((_, value))) = (line.first(), fields.last_mut()) {
                let more = line.trim_ascii();
                if !value.is_empty() && !more.is_empty() {
                    value.push(b' ');
                }
                value.extend_from_slice(more);
                continue;
            }
            let mut parts = line.splitn(2, |octet| *octet == b':');
            let name = parts.next().unwrap_or_default();
            let value = parts.next().unwrap_or_default().trim_ascii();
            fields.push((text(name), value.to_vec()));
        }
        let line = line.trim_ascii_end().to_vec();
        if fields.len() != response.headers().len() {
            return Err(("an HTTP field", line));
        }
        let mut head = Self {
            status: response.status().as_u16(),
            line,
            is_http_11: response.version() == http::Version::HTTP_11,
            fields,
            length: None,
        };
        head.length = head
            .content_length()
            .map_err(|expected| (expected, head.line.clone()))?;
        Ok(head)
    }

    /// The reason phrase of the status line, which may be empty.
    pub(crate) fn reason(&self) -> &[u8] {
        let mut parts = self.line.splitn(3, |octet| *octet == b' ');
        parts.nth(2).unwrap_or_default()
    }

    /// The value of `Content-Length` (RFC 9110, 8.6). hyper accepts a list of equal numbers.
    fn content_length(&self) -> std::result::Result<Option<u64>, &'static str> {
        let mut values = self.all("Content-Length");
        let Some(value) = values.next() else {
            return Ok(None);
        };
        if values.next().is_some() || value.contains(&b',') {
            return Err("one Content-Length");
        }
        let length = number(value).ok_or("a number of bytes in Content-Length")?;
        Ok(Some(length))
    }

    /// Refuses a body whose length is ambiguous (RFC 9112, 6.3), which servers in between could
    /// read otherwise.
    pub(crate) fn check_framing(&self, has_body: bool) -> Result<()> {
        let refuse = |expected| Err(Error::new(ErrorKind::Protocol(expected)).received(&self.line));
        if !has_body || self.all("Transfer-Encoding").next().is_none() {
            return Ok(());
        }
        if self.length.is_some() {
            return refuse("Content-Length or Transfer-Encoding, and not both");
        }
        // No transfer coding was requested; `chunked` must always be supported (RFC 9112, 7; RFC
        // 9110, 10.1.4).
        let mut codings = self.members("Transfer-Encoding");
        let is_chunked = codings
            .next()
            .is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
        if !is_chunked || codings.next().is_some() {
            return refuse("no transfer coding but `chunked`");
        }
        if !self.is_http_11 {
            return refuse("no transfer coding in HTTP/1.0");
        }
        Ok(())
    }

    /// Whether the body ends with the connection.
    pub(crate) fn ends_with_connection(&self) -> bool {
        self.length.is_none()
            && !matches!(self.status, 204 | 304)
            && self.all("Transfer-Encoding").next().is_none()
    }

    /// The values of the fields with this name, in any case.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let is_it = move |field: &&(String, Vec<u8>)| field.0.eq_ignore_ascii_case(name);
        self.fields
            .iter()
            .filter(is_it)
            .map(|field| field.1.as_slice())
    }

    /// The members of a list (RFC 9110, 5.6.1) in all fields with this name.
    pub(crate) fn members(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let members = self
            .all(name)
            .flat_map(|value| value.split(|octet| *octet == b','));
        members
            .map(<[u8]>::trim_ascii)
            .filter(|member| !member.is_empty())
    }

    /// The value of a field that occurs once, or repeatedly with the same value.
    pub(crate) fn one(&self, name: &str, expected: &'static str) -> Result<Option<&[u8]>> {
        let mut values = self.all(name);
        let first = values.next();
        if values.all(|value| Some(value) == first) {
            Ok(first)
        } else {
            Err(Error::new(ErrorKind::Protocol(expected)).received(&self.line))
        }
    }

    /// Whether the server keeps the connection open (RFC 9112, 9.3).
    pub(crate) fn keeps_connection(&self) -> bool {
        let says_close = self
            .members("Connection")
            .any(|option| option.eq_ignore_ascii_case(b"close"));
        self.is_http_11 && !says_close
    }
}

/// A number in digits only.
fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_number);
    text?.parse().ok()
}

/// A value as text: UTF-8, or else Latin-1, as fields once were (RFC 9110, 5.5).
pub(crate) fn text(value: &[u8]) -> String {
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
        let lines = [
            "HTTP/1.1 200 OK",
            "B: 1",
            "A:  2 ",
            "  3",
            "b:\t4",
            "C:",
            "",
        ];
        let lines = lines.map(|line| line.as_bytes().to_vec());
        let response = http::Response::builder()
            .header("b", "1")
            .header("a", "2 3")
            .header("b", "4")
            .header("c", "")
            .body(())
            .unwrap();
        let head = Head::new(&response, &lines).unwrap();
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
        assert!(Head::new(&response, &lines[..4]).is_err());
    }

    #[test]
    fn a_value_that_is_not_utf_8_is_latin_1() {
        assert_eq!(text(b"caf\xc3\xa9"), "café");
        assert_eq!(text(b"caf\xe9"), "café");
    }
}
