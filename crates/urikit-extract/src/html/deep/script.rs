//! Links in scripts: URLs with a scheme anywhere, and strings that are paths.
//!
//! A script is read line by line, and a long line in blocks. Only the syntax of strings is parsed.
//! Strings are found within one line, so that a quotation mark in a comment or a regular expression
//! has no effect beyond it. The escapes are those of JavaScript and JSON (ECMA-262, 12.9.4; RFC
//! 8259, 7).

use super::{ProgramLink, complete_string};
use crate::decode::OffsetMap;
use crate::found::Syntax;
use crate::plain::Finder;
use std::borrow::Cow;

/// The maximum length of a block, in bytes.
const BLOCK: usize = 1 << 16;

/// Reads a script that arrives in pieces.
#[derive(Default, Debug)]
pub(in super::super) struct Script {
    /// The line so far.
    line: Vec<u8>,
    /// The offset of the line in the document.
    start: usize,
}

impl Script {
    /// Returns the offset before which no later reference can begin.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        (!self.line.is_empty()).then_some(self.start)
    }

    /// Reads a piece that begins at this offset in the document.
    pub(super) fn push(
        &mut self,
        finder: &Finder,
        piece: &[u8],
        start: usize,
        is_last: bool,
        each: &mut dyn FnMut(ProgramLink<'_>),
    ) {
        let mut start = start;
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            if self.line.is_empty() {
                self.start = start;
            }
            start += part.len();
            let mut part = part;
            while !part.is_empty() {
                let (taken, rest) = part.split_at(part.len().min(BLOCK - self.line.len()));
                self.line.extend_from_slice(taken);
                part = rest;
                if self.line.ends_with(b"\n") {
                    block(finder, &self.line, self.start, each);
                    self.line.clear();
                    self.start = start - part.len();
                } else if self.line.len() == BLOCK {
                    let is_separator =
                        |byte: &u8| byte.is_ascii_whitespace() || b"\"`{}".contains(byte);
                    let end = self.line.iter().rposition(is_separator);
                    let end = end.map_or(BLOCK, |last| last + 1);
                    block(
                        finder,
                        self.line.get(..end).unwrap_or_default(),
                        self.start,
                        each,
                    );
                    self.line.drain(..end);
                    self.start += end;
                }
            }
        }
        if is_last {
            block(finder, &self.line, self.start, each);
            self.line.clear();
        }
    }
}

/// Calls `each` with the links in a block, in order. The block begins at offset `start`.
fn block(finder: &Finder, text: &[u8], start: usize, each: &mut dyn FnMut(ProgramLink<'_>)) {
    let mut links = finder.links(text).peekable();
    let mut strings = Strings::new(text).peekable();
    loop {
        let from = |range: &core::ops::Range<usize>| range.start;
        let next = links.peek().map(|link| from(&link.range));
        let string = strings.peek().map(from);
        if let Some(at) = next
            && string.is_none_or(|string| at <= string)
        {
            let Some(link) = links.next() else {
                return;
            };
            let range = link.range();
            while strings.next_if(|string| string.start < range.end).is_some() {}
            each(ProgramLink {
                range: range.start + start..range.end + start,
                kind: link.kind(),
                text: Cow::Borrowed(text.get(range).unwrap_or_default()),
                uri: link.uri,
                syntax: Syntax::Script,
                marks: link.marks,
                alternative: link.alternative,
            });
        } else if let Some(range) = strings.next() {
            let written = text.get(range.clone()).unwrap_or_default();
            if links
                .peek()
                .is_some_and(|link| link.range.start < range.end)
            {
                continue;
            }
            each(complete_string(
                range.start + start..range.end + start,
                Cow::Borrowed(written),
                written,
                Syntax::Script,
            ));
        } else {
            return;
        }
    }
}

/// Iterates over the strings that are references, without their quotation marks.
struct Strings<'t> {
    text: &'t [u8],
    at: usize,
    /// Quotation marks that no longer begin strings, because the last string that began with the
    /// same mark was not closed.
    ended: Vec<u8>,
}

impl<'t> Strings<'t> {
    const fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            at: 0,
            ended: Vec::new(),
        }
    }

    /// Returns the closing quotation mark of the string that begins at `from`.
    fn close(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        loop {
            at += memchr::memchr2(quote, b'\\', self.text.get(at..)?)?;
            if self.text.get(at) == Some(&quote) {
                return Some(at);
            }
            at += 2;
        }
    }
}

impl Iterator for Strings<'_> {
    type Item = core::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?;
            let open = self.at + memchr::memchr3(b'"', b'\'', b'`', rest)?;
            let quote = *self.text.get(open)?;
            self.at = open + 1;
            if self.ended.contains(&quote) {
                continue;
            }
            let Some(close) = self.close(open + 1, quote) else {
                self.ended.push(quote);
                continue;
            };
            self.at = close + 1;
            let range = open + 1..close;
            if self.text.get(range.clone()).is_some_and(is_reference) {
                return Some(range);
            }
        }
    }
}

/// The maximum length of a path accepted as a reference, in bytes.
const MAX_PATH: usize = 2048;

/// Removes the escapes from a string, and maps the result to the document, where the string begins
/// at `start`. Returns `None` if the string has no escapes.
pub(super) fn unescape(written: &[u8], start: usize) -> Option<(Vec<u8>, OffsetMap)> {
    memchr::memchr(b'\\', written)?;
    let mut map = OffsetMap::new(start);
    let mut out = Vec::with_capacity(written.len());
    let mut at = 0;
    while let Some(byte) = written.get(at) {
        if *byte != b'\\' {
            out.push(*byte);
            map.copied(1);
            at += 1;
            continue;
        }
        let (character, length) = escape(written.get(at..).unwrap_or_default());
        let before = out.len();
        match character {
            Escaped::Character(character) => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Escaped::Byte(byte) => out.push(byte),
            Escaped::Nothing => {}
        }
        map.replaced(out.len() - before, length);
        at += length;
    }
    Some((out, map))
}

enum Escaped {
    Character(char),
    Byte(u8),
    Nothing,
}

/// Returns the value of the escape at the start of `text`, and its length.
fn escape(text: &[u8]) -> (Escaped, usize) {
    let digits = |from: usize, count: usize| {
        let digits = core::str::from_utf8(text.get(from..from + count)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    let simple = |character| (Escaped::Character(character), 2);
    match text.get(1) {
        None => (Escaped::Byte(b'\\'), 1),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'\n') => (Escaped::Nothing, 2),
        Some(b'x') => match digits(2, 2).and_then(char::from_u32) {
            Some(character) => (Escaped::Character(character), 4),
            None => simple('x'),
        },
        Some(b'u') => match (digits(2, 4), digits(8, 4)) {
            (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF))
                if text.get(6..8) == Some(b"\\u") =>
            {
                let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                (Escaped::Character(character), 12)
            }
            (Some(code), _) => {
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                (Escaped::Character(character), 6)
            }
            (None, _) => simple('u'),
        },
        Some(other) => (Escaped::Byte(*other), 2),
    }
}

/// Returns true if a complete string is a reference: a URL with a scheme and `://`, or a path.
pub(super) fn is_reference(text: &[u8]) -> bool {
    is_absolute(text) || is_path(text)
}

/// Returns true if the entire text is a URL with a scheme and `://`.
fn is_absolute(text: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', text) else {
        return false;
    };
    let (scheme, rest) = text.split_at(colon);
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let begins = scheme.first().is_some_and(u8::is_ascii_alphabetic);
    begins
        && scheme.iter().all(is_scheme)
        && rest.len() > 3
        && rest.starts_with(b"://")
        && rest
            .iter()
            .all(|byte| *byte > b' ' && !b"\"<>`{}".contains(byte))
}

/// Returns true if the text is a path that begins with `/`, `./` or `../`, or a network path.
fn is_path(text: &[u8]) -> bool {
    let is_url =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:@/?#".contains(byte);
    if text.len() > MAX_PATH || text.len() < 3 || !text.iter().all(is_url) {
        return false;
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%' | b'.');
    match text {
        [b'/', b'/', host, rest @ ..] => {
            let end = rest.iter().position(|byte| *byte == b'/');
            let rest = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            host.is_ascii_alphanumeric() && rest.contains(&b'.')
        }
        // Fragments of regular expressions look like `/g,`.
        [b'/', first, rest @ ..] => first.is_ascii_alphanumeric() && rest.iter().any(is_name),
        [b'.', b'/', first, ..] | [b'.', b'.', b'/', first, ..] => is_name(first),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_reference, unescape};

    #[test]
    fn escapes_are_undone() {
        for (written, expected) in [
            (r"http:\/\/a\/b", "http://a/b"),
            (r"\u0068ttp:\x2F\x2fa", "http://a"),
            (r"\ud83d\uDE00 \ud83d\n\q\u12", "\u{1F600} \u{FFFD}\nqu12"),
            ("a\\\nb\\", "ab\\"),
        ] {
            let (found, map) = unescape(written.as_bytes(), 5).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), expected);
            assert_eq!(map.range(0..map.len()), 5..5 + written.len());
        }
        assert!(unescape(b"a", 0).is_none());
    }

    #[test]
    fn references_are_recognized() {
        for yes in [
            "http://a.example/",
            "app+x://a",
            "/login",
            "/api/v1/users?id=1#x",
            "./a.js",
            "../a",
            "//cdn.example/a.js",
            "/a.b",
        ] {
            assert!(is_reference(yes.as_bytes()), "{yes}");
        }
        for no in [
            "",
            "/",
            "//",
            "a/b",
            "/g",
            "/>",
            "/ a",
            "http:",
            "http://",
            "a b://c",
            "// x",
            "//x",
            "...",
            "./",
            "/a b",
            "http://{host}/",
            "text: http://a/",
        ] {
            assert!(!is_reference(no.as_bytes()), "{no}");
        }
    }
}
