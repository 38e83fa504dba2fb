//! Response heads, which are collected octet by octet ([`Heads`]) and then parsed ([`Head`]).
//!
//! hyper receives each head only when it is complete, so that errors do not depend on how the head
//! was split in transit. Octets that cannot begin an HTTP head are refused immediately, because a
//! server that speaks another protocol may be waiting for the client.

use crate::error::{Error, ErrorKind, Result};
use crate::hop::Hop;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of fields in a response.
pub(crate) const MAX_FIELDS: usize = 256;

static LAST: Vec<u8> = Vec::new();

/// The parsed head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The status line, as received.
    pub(crate) line: Vec<u8>,
    /// True for HTTP/1.1, false for HTTP/1.0.
    pub(crate) is_http_11: bool,
    /// The fields in order: the name as received, and the value without surrounding whitespace.
    pub(crate) fields: Vec<(String, Vec<u8>)>,
    /// `Content-Length`.
    pub(crate) length: Option<u64>,
}

impl Head {
    /// Combines the head that hyper parsed with its lines as received, which are kept for display.
    /// The parsed head and the lines must contain the same number of header fields.
    pub(crate) fn new<B>(
        response: &http::Response<B>,
        lines: &[Vec<u8>],
    ) -> std::result::Result<Self, (&'static str, Vec<u8>)> {
        let (_, lines) = lines.split_last().unwrap_or((&LAST, lines));
        // Interim heads precede the final one. Each head ends with an empty line.
        let begin = lines.iter().rposition(Vec::is_empty).map_or(0, |at| at + 1);
        let lines = lines.get(begin..).unwrap_or_default();
        let (line, rest) = lines.split_first().unwrap_or((&LAST, lines));
        let mut fields: Vec<(String, Vec<u8>)> = Vec::with_capacity(rest.len());
        for line in rest {
            // A user agent replaces line folding with spaces (RFC 9112, 5.2).
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

    /// Returns the reason phrase of the status line, which may be empty.
    pub(crate) fn reason(&self) -> &[u8] {
        let mut parts = self.line.splitn(3, |octet| *octet == b' ');
        parts.nth(2).unwrap_or_default()
    }

    /// Returns the header fields as text.
    pub(crate) fn attributes(&self) -> Vec<(String, String)> {
        let attribute = |(name, value): &(String, Vec<u8>)| (name.clone(), text(value));
        self.fields.iter().map(attribute).collect()
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
        let is_it = move |field: &&(String, Vec<u8>)| field.0.eq_ignore_ascii_case(name);
        self.fields
            .iter()
            .filter(is_it)
            .map(|field| field.1.as_slice())
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
    /// The offset up to which the end of the next head has been searched for.
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

    /// Returns the lines of all heads, including the empty line at the end of each.
    pub(super) fn lines(&self) -> Vec<Vec<u8>> {
        let heads = self.octets();
        let heads = heads.get(leading(&heads)..).unwrap_or_default();
        let heads = heads.strip_suffix(b"\n").unwrap_or(heads);
        let lines = heads.split(|octet| *octet == b'\n');
        lines
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec())
            .collect()
    }

    /// Returns the heads as received, up to the last one that was passed to hyper. If the
    /// connection ended, or if the heads were refused, returns everything.
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
            assert_eq!(heads.lines(), lines.map(|line| line.as_bytes().to_vec()));
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
