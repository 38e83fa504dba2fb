//! Response heads, which are collected octet by octet ([`Heads`]) and then parsed ([`Head`]).
//!
//! hyper receives each head only when it is complete, so that errors do not depend on how the head
//! was split in transit. Octets that cannot begin an HTTP head are refused immediately, because a
//! server that speaks another protocol may be waiting for the client.

use crate::error::{Error, ErrorKind, Result};
use crate::hop::Hop;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of fields in a response.
pub(crate) const MAX_FIELDS: usize = 256;

const NONE: &[u8] = &[];

/// The parsed head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The status line, as received.
    pub(crate) line: Vec<u8>,
    /// True for HTTP/1.1, false for HTTP/1.0.
    pub(crate) is_http_11: bool,
    /// The names and values of the fields.
    octets: Vec<u8>,
    /// The fields in order.
    fields: Vec<Field>,
    /// `Content-Length`.
    pub(crate) length: Option<u64>,
}

/// The ranges of a field in the octets of its head: the name as received, and the value without
/// surrounding whitespace.
#[derive(Debug)]
struct Field {
    name: Range<usize>,
    value: Range<usize>,
}

impl Head {
    /// Combines the head that hyper parsed with its lines as received, which are kept for display.
    /// The parsed head and the lines must contain the same number of header fields.
    pub(crate) fn new<B>(
        response: &http::Response<B>,
        lines: &[&[u8]],
    ) -> std::result::Result<Self, (&'static str, Vec<u8>)> {
        let (_, lines) = lines.split_last().unwrap_or((&NONE, lines));
        // Interim heads precede the final one. Each head ends with an empty line.
        let begin = lines.iter().rposition(|line| line.is_empty());
        let lines = lines.get(begin.map_or(0, |at| at + 1)..);
        let lines = lines.unwrap_or_default();
        let (line, rest) = lines.split_first().unwrap_or((&NONE, lines));
        let mut octets = Vec::with_capacity(rest.iter().map(|line| line.len()).sum());
        let mut fields: Vec<Field> = Vec::with_capacity(rest.len());
        for line in rest {
            // A user agent replaces line folding with spaces (RFC 9112, 5.2).
            if let (Some(b' ' | b'\t'), Some(Field { value, .. })) =
                (line.first(), fields.last_mut())
            {
                let more = line.trim_ascii();
                if value.start < value.end && !more.is_empty() {
                    octets.push(b' ');
                }
                octets.extend_from_slice(more);
                value.end = octets.len();
                continue;
            }
            let mut parts = line.splitn(2, |octet| *octet == b':');
            let mut next = |part: &[u8]| {
                let begin = octets.len();
                octets.extend_from_slice(part);
                begin..octets.len()
            };
            fields.push(Field {
                name: next(parts.next().unwrap_or_default()),
                value: next(parts.next().unwrap_or_default().trim_ascii()),
            });
        }
        let line = line.trim_ascii_end().to_vec();
        if fields.len() != response.headers().len() {
            return Err(("an HTTP field", line));
        }
        let mut head = Self {
            status: response.status().as_u16(),
            line,
            is_http_11: response.version() == http::Version::HTTP_11,
            octets,
            fields,
            length: None,
        };
        head.length = head
            .content_length()
            .map_err(|expected| (expected, head.line.clone()))?;
        Ok(head)
    }

    /// Returns the reason phrase of the status line, which may be empty.
    pub(crate) fn reason(&self) -> &[u8] {
        let mut parts = self.line.splitn(3, |octet| *octet == b' ');
        parts.nth(2).unwrap_or_default()
    }

    /// Returns the header fields as text.
    pub(crate) fn attributes(&self) -> Vec<(String, String)> {
        let fields = self.fields();
        fields
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    }

    /// Returns the names and values of the fields, in order.
    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let octets = |range: &Range<usize>| self.octets.get(range.clone()).unwrap_or_default();
        self.fields
            .iter()
            .map(move |Field { name, value }| (octets(name), octets(value)))
    }

    /// Converts the head to a [`Hop`].
    pub(crate) fn to_hop(&self) -> Hop {
        Hop {
            status: Some(self.status),
            reason: Some(text(self.reason())),
            version: Some(if self.is_http_11 {
                "HTTP/1.1"
            } else {
                "HTTP/1.0"
            }),
            attributes: self.attributes(),
            ..Hop::default()
        }
    }

    /// Returns `Content-Length` (RFC 9110, 8.6). hyper accepts a list of equal numbers.
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

    /// Refuses a body whose length is ambiguous (RFC 9112, 6.3), because proxies on the network
    /// path may interpret the length differently.
    pub(crate) fn check_framing(&self, has_body: bool) -> Result<()> {
        let refuse =
            |expected| Err(Error::new(ErrorKind::Protocol(expected)).with_received(&self.line));
        if !has_body || self.all("Transfer-Encoding").next().is_none() {
            return Ok(());
        }
        if self.length.is_some() {
            return refuse("Content-Length or Transfer-Encoding, but not both");
        }
        // The request does not offer a transfer coding, but clients must always support `chunked`
        // (RFC 9112, 7; RFC 9110, 10.1.4).
        let mut codings = self.members("Transfer-Encoding");
        let is_chunked = codings
            .next()
            .is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
        if !is_chunked || codings.next().is_some() {
            return refuse("no transfer coding other than `chunked`");
        }
        if !self.is_http_11 {
            return refuse("no transfer coding in HTTP/1.0");
        }
        Ok(())
    }

    /// Returns true if the body ends when the connection is closed.
    pub(crate) fn ends_with_connection(&self) -> bool {
        self.length.is_none()
            && !matches!(self.status, 204 | 304)
            && self.all("Transfer-Encoding").next().is_none()
    }

    /// Returns the values of the header fields with this name, ignoring case.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let is_it = move |field: &(&[u8], &[u8])| field.0.eq_ignore_ascii_case(name.as_bytes());
        self.fields().filter(is_it).map(|(_, value)| value)
    }

    /// Returns the members of the lists (RFC 9110, 5.6.1) in all fields with this name.
    pub(crate) fn members(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let members = self
            .all(name)
            .flat_map(|value| value.split(|octet| *octet == b','));
        members
            .map(<[u8]>::trim_ascii)
            .filter(|member| !member.is_empty())
    }

    /// Returns the value of a field that occurs once, or repeatedly with the same value.
    pub(crate) fn one(&self, name: &str, expected: &'static str) -> Result<Option<&[u8]>> {
        let mut values = self.all(name);
        let first = values.next();
        if values.all(|value| Some(value) == first) {
            Ok(first)
        } else {
            Err(Error::new(ErrorKind::Protocol(expected)).with_received(&self.line))
        }
    }

    /// Returns true if the server keeps the connection open after the response (RFC 9112, 9.3).
    pub(crate) fn keeps_connection(&self) -> bool {
        let says_close = self
            .members("Connection")
            .any(|option| option.eq_ignore_ascii_case(b"close"));
        self.is_http_11 && !says_close
    }
}

/// Parses a number that consists of digits only.
fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_number);
    text?.parse().ok()
}

/// Decodes a value as UTF-8, or otherwise as Latin-1, which older servers use in fields (RFC 9110,
/// 5.5).
pub(crate) fn text(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().copied().map(char::from).collect(),
    }
}

/// Returns the lines of all heads, including the empty line at the end of each.
pub(super) fn lines(heads: &[u8]) -> Vec<&[u8]> {
    let heads = heads.get(leading(heads)..).unwrap_or_default();
    let heads = heads.strip_suffix(b"\n").unwrap_or(heads);
    let lines = heads.split(|octet| *octet == b'\n');
    lines
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect()
}

/// The maximum number of interim responses (RFC 9110, 15.2).
const MAX_INTERIM: usize = 16;

/// Collects the heads of one exchange, up to the final one.
#[derive(Clone)]
pub(super) struct Heads(Arc<Mutex<Inner>>);

struct Inner {
    /// The received octets. After the final head, they include the first octets of the body.
    octets: Vec<u8>,
    /// The start of the last head that was passed to hyper.
    last: usize,
    /// The start of the next head.
    begin: usize,
    /// The offset at which the search for the end of the next head continues.
    searched: usize,
    /// The number of octets that may be passed to hyper, and the number passed so far.
    ready: usize,
    given: usize,
    interim: usize,
    longest: usize,
    state: State,
    reads_body: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The final head is not complete.
    Reading,
    /// The final head is complete, and ends at this offset.
    Complete(usize),
    /// The connection ended before the final head was complete.
    Ended,
    Refused(Refused),
}

/// The reason for refusing the response heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// A head does not begin with `HTTP/`.
    NotHttp,
    /// A head is too long.
    TooLong,
    /// The server sent too many interim heads.
    TooMany,
}

impl Heads {
    /// Creates a collector that limits each head to this many octets.
    pub(super) fn new(longest: usize) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            octets: Vec::new(),
            last: 0,
            begin: 0,
            searched: 0,
            ready: 0,
            given: 0,
            interim: 0,
            longest,
            state: State::Reading,
            reads_body: false,
        })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets hyper read the body. Before this call, hyper's buffer still contains the head, so
    /// hyper would need another buffer for the body.
    pub(super) fn read_body(&self) {
        self.inner().reads_body = true;
    }

    /// Returns true if hyper may read the body.
    pub(super) fn reads_body(&self) -> bool {
        let inner = self.inner();
        inner.reads_body || !matches!(inner.state, State::Complete(_))
    }

    /// Returns true if hyper needs octets that have not been received yet.
    pub(super) fn wants_more(&self) -> bool {
        let inner = self.inner();
        inner.state == State::Reading && inner.given == inner.ready
    }

    /// Adds received octets. An empty slice means that the connection has ended.
    pub(super) fn push(&self, octets: &[u8]) {
        let mut inner = self.inner();
        inner.octets.extend_from_slice(octets);
        if octets.is_empty() {
            inner.ready = inner.octets.len();
            inner.state = State::Ended;
        }
    }

    /// Passes octets to hyper, and returns their number: at most `space`, and 0 if none remain.
    pub(super) fn give(&self, space: usize, to: impl FnOnce(&[u8])) -> usize {
        let mut inner = self.inner();
        if inner.state == State::Reading && inner.given == inner.ready {
            inner.find_end();
        }
        let rest = inner
            .octets
            .get(inner.given..inner.ready)
            .unwrap_or_default();
        let rest = rest.get(..space).unwrap_or(rest);
        let count = rest.len();
        if count > 0 {
            to(rest);
        }
        inner.given += count;
        inner.forget_body();
        count
    }

    /// Returns the received bytes up to the end of the last head that was passed to hyper. If the
    /// connection ended or the heads were refused, returns all received bytes.
    pub(super) fn octets(&self) -> Vec<u8> {
        let inner = self.inner();
        let end = match inner.state {
            State::Complete(end) => end,
            State::Reading => inner.ready,
            State::Ended | State::Refused(_) => inner.octets.len(),
        };
        inner.octets.get(..end).unwrap_or_default().to_vec()
    }

    /// Returns the start of the last head within [`octets`](Self::octets).
    pub(super) fn last(&self) -> usize {
        let inner = self.inner();
        match inner.state {
            State::Reading => inner.last,
            _ => inner.begin,
        }
    }

    pub(super) fn refused(&self) -> Option<Refused> {
        match self.inner().state {
            State::Refused(why) => Some(why),
            _ => None,
        }
    }
}

impl Inner {
    /// Frees the octets of the body that were passed to hyper.
    fn forget_body(&mut self) {
        if let State::Complete(end) = self.state
            && self.given == self.octets.len()
            && self.given > end
        {
            self.octets.truncate(end);
            self.octets.shrink_to_fit();
            (self.ready, self.given) = (end, end);
        }
    }

    /// Searches for the end of the next head.
    fn find_end(&mut self) {
        let rest = self.octets.get(self.begin..).unwrap_or_default();
        let first = self.begin + leading(rest);
        let head = self.octets.get(first..).unwrap_or_default();
        if !HTTP.starts_with(head.get(..HTTP.len()).unwrap_or(head)) {
            self.state = State::Refused(Refused::NotHttp);
            return;
        }
        let Some(end) = end_of_head(&self.octets, self.searched.max(first)) else {
            // The octets received so far may end in the middle of the final empty line.
            self.searched = self.octets.len().saturating_sub(2);
            if rest.len() >= self.longest {
                self.state = State::Refused(Refused::TooLong);
            }
            return;
        };
        if end - self.begin > self.longest {
            self.state = State::Refused(Refused::TooLong);
        } else if is_interim(self.octets.get(first..end).unwrap_or_default()) {
            self.interim += 1;
            if self.interim >= MAX_INTERIM {
                self.state = State::Refused(Refused::TooMany);
                return;
            }
            (self.last, self.begin) = (self.begin, end);
            (self.ready, self.searched) = (end, end);
        } else {
            self.ready = self.octets.len();
            self.state = State::Complete(end);
        }
    }
}

/// The beginning of a status line (RFC 9112, 2.3 and 4).
const HTTP: &[u8] = b"HTTP/";

/// Counts the octets of line breaks before a head, which are ignored (RFC 9112, 2.2).
pub(super) fn leading(head: &[u8]) -> usize {
    let is_line_end = |octet: &&u8| matches!(octet, b'\r' | b'\n');
    head.iter().take_while(is_line_end).count()
}

/// Finds the end of a head, which is after its empty line.
fn end_of_head(octets: &[u8], from: usize) -> Option<usize> {
    let rest = octets.get(from..)?;
    let line_ends = memchr::memchr_iter(b'\n', rest);
    line_ends.map(|at| from + at + 1).find_map(|next| {
        match octets.get(next..).unwrap_or_default() {
            [b'\n', ..] => Some(next + 1),
            [b'\r', b'\n', ..] => Some(next + 2),
            _ => None,
        }
    })
}

/// Returns true if the head is interim and another head follows (RFC 9110, 15.2). After a 101
/// response, another protocol would follow.
fn is_interim(head: &[u8]) -> bool {
    let status = head
        .split(|octet| *octet == b' ')
        .nth(1)
        .unwrap_or_default();
    matches!(status.get(..3), Some([b'1', _, _])) && !status.starts_with(b"101")
}

#[cfg(test)]
mod tests {
    use super::{Head, Heads, Refused, text};

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
        let lines = lines.map(str::as_bytes);
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
            .fields()
            .map(|(name, value)| (text(name), text(value)))
            .collect();
        let expected = [("B", "1"), ("A", "2 3"), ("b", "4"), ("C", "")];
        assert_eq!(
            fields,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert!(head.all("b").eq([b"1", b"4"]));
        assert!(Head::new(&response, &lines[..4]).is_err());
    }

    #[test]
    fn a_value_that_is_not_utf_8_is_latin_1() {
        assert_eq!(text(b"caf\xc3\xa9"), "café");
        assert_eq!(text(b"caf\xe9"), "café");
    }

    /// Returns the octets that hyper receives at each call, if the input arrives in pieces of this
    /// size.
    fn given(octets: &[u8], size: usize, longest: usize) -> (Vec<String>, Heads) {
        let (heads, mut all) = (Heads::new(longest), Vec::new());
        let mut pieces = octets.chunks(size);
        loop {
            let mut text = String::new();
            let count = heads.give(1000, |octets| {
                text = String::from_utf8(octets.to_vec()).unwrap();
            });
            if count > 0 {
                all.push(text);
            } else if heads.wants_more() {
                heads.push(pieces.next().unwrap_or_default());
            } else {
                return (all, heads);
            }
        }
    }

    #[test]
    fn heads_are_given_when_they_are_complete() {
        let interim = "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n";
        let head = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
        for size in 1..100 {
            let text = format!("\r\n{interim}{head}");
            let (all, heads) = given(text.as_bytes(), size, 1000);
            assert_eq!(all.concat(), text, "{size}");
            assert_eq!(all, [format!("\r\n{interim}"), head.to_owned()]);
            let lines = [
                "HTTP/1.1 103 Early Hints",
                "A: b",
                "",
                "HTTP/1.1 200 OK",
                "A: b",
                "",
            ];
            assert_eq!(super::lines(&heads.octets()), lines.map(str::as_bytes));
            // hyper receives an incomplete head only when the connection ends.
            let (all, _) = given(b"HTTP/1.1 2x0 OK\r\nA: b\r\n", size, 1000);
            assert_eq!(all, ["HTTP/1.1 2x0 OK\r\nA: b\r\n"]);
        }
    }

    #[test]
    fn heads_are_limited() {
        for size in 1..40 {
            let (_, heads) = given(
                &[b"HTTP/1.1 200 OK\r\nA: ", &[b'a'; 100][..]].concat(),
                size,
                50,
            );
            assert_eq!(heads.refused(), Some(Refused::TooLong));
            let (_, heads) = given(b"HTTP/1.1 200 OK\r\nA: aaaaaaaa\r\n\r\n", size, 30);
            assert_eq!(heads.refused(), Some(Refused::TooLong), "{size}");
            let (_, heads) = given(b"HTTP/1.1 200 OK\r\nA: aaaaaa\r\n\r\n", size, 30);
            assert_eq!(heads.refused(), None, "{size}");
            let many = "HTTP/1.1 100 Continue\r\n\r\n".repeat(16);
            let (_, heads) = given(many.as_bytes(), size, 50);
            assert_eq!(heads.refused(), Some(Refused::TooMany));
            let (all, heads) = given(b"HTTP/1.1 103 A\n\n\nSSH-2.0-x\r\n", size, 50);
            assert_eq!(all, ["HTTP/1.1 103 A\n\n"]);
            assert_eq!(heads.refused(), Some(Refused::NotHttp));
        }
    }
}
