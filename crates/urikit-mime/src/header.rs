//! Reads header fields (RFC 5322, 2.2 and 3.2; RFC 2045).
//!
//! The header is everything before the first empty line. The name of a field is any text before a
//! colon. A line that is not a field is skipped, together with its continuation lines.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::Range;

/// Splits a message or a part into its header and its body. The empty line between the header and
/// the body is part of neither.
///
/// ```
/// use urikit_mime::header::split;
/// assert_eq!(split(b"A: b\r\n\r\nbody"), (&b"A: b\r\n"[..], &b"body"[..]));
/// assert_eq!(split(b"\nbody"), (&b""[..], &b"body"[..]));
/// assert_eq!(split(b"A: b"), (&b"A: b"[..], &b""[..]));
/// ```
pub fn split(message: &[u8]) -> (&[u8], &[u8]) {
    let mut rest = message;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(line_length(rest));
        if is_empty_line(line) {
            let header = message.get(..message.len() - rest.len());
            return (header.unwrap_or_default(), after);
        }
        rest = after;
    }
    (message, rest)
}

/// Returns true if a line is empty and therefore ends the header.
pub fn is_empty_line(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

/// Returns the fields in a header in order. To get the header of a message, use [`split`].
///
/// ```
/// use urikit_mime::header::fields;
/// // RFC 5322, 2.2.3
/// let header = b"Subject: This\r\n is a test\r\nno field\r\nTo : jo@b.example\r\n";
/// let fields: Vec<_> = fields(header).collect();
/// assert_eq!((fields[0].name, &*fields[0].unfolded()), (&b"Subject"[..], &b"This is a test"[..]));
/// assert!(fields[1].is("to"));
/// assert_eq!(&header[fields[1].range.clone()], b"jo@b.example");
/// ```
pub const fn fields(header: &[u8]) -> Fields<'_> {
    Fields { header, at: 0 }
}

/// Returns the value of the first field with this name, ignoring case. Of the fields that RFC 5322
/// and RFC 2045 define, only trace and resent fields may be repeated.
///
/// ```
/// use urikit_mime::header::value;
/// let header = b"A: b\nCONTENT-ID: <c@d.example>\n";
/// assert_eq!(value(header, "Content-ID"), Some(&b"<c@d.example>"[..]));
/// ```
pub fn value<'a>(header: &'a [u8], name: &str) -> Option<&'a [u8]> {
    fields(header)
        .find(|field| field.is(name))
        .map(|field| field.value)
}

/// A header field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field<'a> {
    /// The name of the field, as written.
    pub name: &'a [u8],
    /// The value of the field, without surrounding white space. The value may be folded.
    pub value: &'a [u8],
    /// The range of the value in the header.
    pub range: Range<usize>,
}

impl<'a> Field<'a> {
    /// Returns true if the field has the given name, ignoring case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value without the line breaks that fold it (RFC 5322, 2.2.3).
    pub fn unfolded(&self) -> Cow<'a, [u8]> {
        let mut lines = self.value.split(|octet| *octet == b'\n');
        let first = lines.next().unwrap_or_default();
        if first.len() == self.value.len() {
            return Cow::Borrowed(first);
        }
        let lines = core::iter::once(first).chain(lines);
        Cow::Owned(
            lines
                .flat_map(|line| line.strip_suffix(b"\r").unwrap_or(line))
                .copied()
                .collect(),
        )
    }
}

/// Iterates over the fields in a header; see [`fields`].
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    header: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        loop {
            let rest = self.header.get(self.at..).filter(|rest| !rest.is_empty())?;
            let start = self.at;
            let first = line_length(rest);
            let mut length = first;
            while let Some(next @ [b' ' | b'\t', ..]) = rest.get(length..) {
                length += line_length(next);
            }
            self.at += length;
            let line = rest.get(..first).unwrap_or_default();
            let Some(colon) = memchr::memchr(b':', line) else {
                continue;
            };
            let name = line.get(..colon).unwrap_or_default().trim_ascii();
            if name.is_empty() || line.starts_with(b" ") || line.starts_with(b"\t") {
                continue;
            }
            let value = rest.get(colon + 1..length).unwrap_or_default();
            let trimmed = value.trim_ascii_start();
            let start = start + colon + 1 + value.len() - trimmed.len();
            let value = trimmed.trim_ascii_end();
            let range = start..start + value.len();
            return Some(Field { name, value, range });
        }
    }
}

impl FusedIterator for Fields<'_> {}

/// Returns the identifier in a `Message-ID` or `Content-ID` field. The identifier is the text in
/// the first angle brackets (RFC 5322, 3.6.4; RFC 2045, 7), or the complete value if it has no
/// angle brackets.
///
/// ```
/// use urikit_mime::header::identifier;
/// assert_eq!(identifier(b" <foo4*foo1@bar.net>\r\n"), b"foo4*foo1@bar.net"); // RFC 2392, 2
/// assert_eq!(identifier(b"a@b.example"), b"a@b.example");
/// ```
pub fn identifier(value: &[u8]) -> &[u8] {
    let open = memchr::memchr(b'<', value).and_then(|open| value.get(open + 1..));
    let inner = open.and_then(|open| open.get(..memchr::memchr(b'>', open)?));
    inner.unwrap_or(value).trim_ascii()
}

/// Returns the length of the first line, including its line ending.
pub(crate) fn line_length(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1)
}

/// Returns the first token in a value (RFC 2045, 5.1), after skipping comments and white space.
pub(crate) fn token(value: &[u8]) -> &[u8] {
    let mut cursor = Cursor { rest: value };
    cursor.blanks();
    cursor.until(|octet| b"/;(".contains(&octet) || octet.is_ascii_whitespace())
}

/// Reads a structured value from start to end (RFC 822, 3.1.4, as RFC 2045 uses it).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// Skips white space and comments. Returns true if the skipped text includes a line break.
    pub(crate) fn blanks(&mut self) -> bool {
        let mut is_folded = false;
        while let [octet, rest @ ..] = self.rest {
            match octet {
                b' ' | b'\t' | b'\r' => self.rest = rest,
                b'\n' => {
                    is_folded = true;
                    self.rest = rest;
                }
                b'(' => self.comment(),
                _ => break,
            }
        }
        is_folded
    }

    /// Skips a comment. An unclosed comment extends to the end of the value.
    fn comment(&mut self) {
        let mut depth = 0_usize;
        while let [octet, rest @ ..] = self.rest {
            self.rest = rest;
            match octet {
                b'\\' => self.rest = rest.get(1..).unwrap_or_default(),
                b'(' => depth += 1,
                b')' if depth == 1 => return,
                b')' => depth -= 1,
                _ => {}
            }
        }
    }

    /// Consumes and returns the octets before the first octet for which `stops` returns true.
    pub(crate) fn until(&mut self, stops: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|octet| stops(*octet));
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Consumes the next octet if it equals `octet`.
    pub(crate) fn take(&mut self, octet: u8) -> bool {
        let rest = self.rest.strip_prefix(&[octet]);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads the rest of a quoted string, after its opening quotation mark. Removes the
    /// backslashes in quoted pairs, and the line breaks that fold the value. An unclosed string
    /// extends to the end of the value.
    pub(crate) fn quoted(&mut self) -> Cow<'a, [u8]> {
        let plain = self.until(|octet| b"\"\\\r\n".contains(&octet));
        if self.rest.is_empty() || self.take(b'"') {
            return Cow::Borrowed(plain);
        }
        let mut text: Vec<u8> = plain.to_vec();
        while let [octet, rest @ ..] = self.rest {
            self.rest = rest;
            match (octet, rest) {
                (b'"', _) => break,
                (b'\r' | b'\n', _) => {}
                (b'\\', [octet, rest @ ..]) => {
                    text.push(*octet);
                    self.rest = rest;
                }
                (octet, _) => text.push(*octet),
            }
        }
        Cow::Owned(text)
    }
}
