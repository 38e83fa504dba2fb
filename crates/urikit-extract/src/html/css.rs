//! URLs in CSS: `url(…)` and the string of `@import` (CSS Syntax Module Level 3, 4.3), and the
//! strings directly within `image-set(…)`, `image(…)` (CSS Images Module Level 4, 2.4 and 2.5) and
//! `src(…)` (CSS Values and Units Module Level 4, 4.5).

use super::token::MAX_TAG;
use super::{Each, Event, clean};
use crate::found::{Place, Unresolved};
use crate::link::{Kind, Marks};
use std::borrow::Cow;
use std::ops::Range;

/// Receives the range of a URL in the style sheet, without its quotes, and the unescaped URL.
pub(crate) type EachUrl<'c> = dyn FnMut(Range<usize>, Cow<'_, [u8]>) + 'c;

/// Functions whose strings are URLs.
const WITH_STRINGS: [&[u8]; 4] = [b"image-set", b"-webkit-image-set", b"image", b"src"];

/// The construct that continues in the next bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum OpenConstruct {
    #[default]
    Nothing,
    Comment,
    /// The remnants of a bad URL, up to the closing parenthesis (CSS Syntax Module Level 3,
    /// 4.3.14).
    BadUrl,
}

/// Finds the URLs in a style sheet, which may arrive in pieces.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scanner {
    inside: OpenConstruct,
    /// True if `@import` was the last token, apart from white space and comments.
    is_import: bool,
    /// The depth of parentheses in a function whose strings are URLs: 1 directly inside it, 0
    /// outside.
    depth: u32,
}

/// The end of a token, if the input contains it.
enum TokenEnd {
    At(usize),
    Incomplete,
}

impl Scanner {
    /// Calls `each` with the URLs in a piece, and returns the number of bytes read. Unless the
    /// style sheet is complete, the caller must pass the unread bytes again with the next piece.
    pub(crate) fn scan(&mut self, css: &[u8], is_complete: bool, each: &mut EachUrl<'_>) -> usize {
        let mut at = 0;
        while let Some(first) = css.get(at).copied() {
            match self.token(css, at, first, is_complete, each) {
                TokenEnd::At(end) => at = end,
                TokenEnd::Incomplete if is_complete => return css.len(),
                TokenEnd::Incomplete => return at,
            }
        }
        at
    }

    fn token(
        &mut self,
        css: &[u8],
        at: usize,
        first: u8,
        is_complete: bool,
        each: &mut EachUrl<'_>,
    ) -> TokenEnd {
        match self.inside {
            OpenConstruct::Comment => return self.comment(css, at),
            OpenConstruct::BadUrl => return self.bad_url(css, at),
            OpenConstruct::Nothing => {}
        }
        match first {
            b'/' => match css.get(at + 1) {
                Some(b'*') => {
                    self.inside = OpenConstruct::Comment;
                    TokenEnd::At(at + 2)
                }
                None if !is_complete => TokenEnd::Incomplete,
                _ => self.other(at + 1),
            },
            b'"' | b'\'' => {
                let Some(end) = string_end(css, at, is_complete) else {
                    return TokenEnd::Incomplete;
                };
                let is_closed = css.get(end) == Some(&first);
                if (self.is_import || self.depth == 1) && (is_closed || end == css.len()) {
                    emit(css, at + 1..end, each);
                }
                self.other(end + usize::from(is_closed))
            }
            b'@' => match name_end(css, at + 1, is_complete) {
                None => TokenEnd::Incomplete,
                Some(end) => {
                    self.is_import = is_word(css, at + 1..end, b"import");
                    TokenEnd::At(end)
                }
            },
            byte if is_name(byte) || byte == b'\\' => self.name(css, at, is_complete, each),
            byte if byte.is_ascii_whitespace() => TokenEnd::At(at + 1),
            _ => {
                self.depth = match first {
                    b'(' if self.depth > 0 => self.depth.saturating_add(1),
                    b')' => self.depth.saturating_sub(1),
                    b';' | b'{' | b'}' => 0,
                    _ => self.depth,
                };
                self.other(at + 1)
            }
        }
    }

    fn other(&mut self, end: usize) -> TokenEnd {
        self.is_import = false;
        TokenEnd::At(end)
    }

    fn comment(&mut self, css: &[u8], at: usize) -> TokenEnd {
        let rest = css.get(at..).unwrap_or_default();
        match memchr::memmem::find(rest, b"*/") {
            Some(end) => {
                self.inside = OpenConstruct::Nothing;
                TokenEnd::At(at + end + 2)
            }
            // A trailing asterisk may be the first half of `*/`.
            None if rest.len() < 2 => TokenEnd::Incomplete,
            None => TokenEnd::At(css.len() - 1),
        }
    }

    fn bad_url(&mut self, css: &[u8], at: usize) -> TokenEnd {
        match css.get(at) {
            Some(b')') => {
                self.inside = OpenConstruct::Nothing;
                TokenEnd::At(at + 1)
            }
            Some(b'\\') if at + 1 == css.len() => TokenEnd::Incomplete,
            Some(b'\\') => TokenEnd::At(at + 2),
            _ => {
                let rest = css.get(at..).unwrap_or_default();
                let end = memchr::memchr2(b')', b'\\', rest).unwrap_or(rest.len());
                TokenEnd::At(at + end.max(1))
            }
        }
    }

    /// Reads a name. `url` and a parenthesis begin a URL.
    fn name(
        &mut self,
        css: &[u8],
        at: usize,
        is_complete: bool,
        each: &mut EachUrl<'_>,
    ) -> TokenEnd {
        let Some(end) = name_end(css, at, is_complete) else {
            return TokenEnd::Incomplete;
        };
        if end == at {
            // This backslash does not begin an escape.
            return self.other(at + 1);
        }
        if css.get(end) != Some(&b'(') {
            return self.other(end);
        }
        if !is_word(css, at..end, b"url") {
            let is_one = |name: &&[u8]| is_word(css, at..end, name);
            if self.depth == 0 && WITH_STRINGS.iter().any(is_one) {
                self.depth = 1;
                return self.other(end + 1);
            }
            return self.other(end);
        }
        let Some(start) = skip_white_space(css, end + 1, is_complete) else {
            return TokenEnd::Incomplete;
        };
        if let Some(quote @ (b'"' | b'\'')) = css.get(start).copied() {
            let Some(end) = string_end(css, start, is_complete) else {
                return TokenEnd::Incomplete;
            };
            let is_closed = css.get(end) == Some(&quote);
            if is_closed || end == css.len() {
                emit(css, start + 1..end, each);
            }
            return self.other(end + usize::from(is_closed));
        }
        let Some(end) = url_end(css, start, is_complete) else {
            return TokenEnd::Incomplete;
        };
        let Some(after) = skip_white_space(css, end, is_complete) else {
            return TokenEnd::Incomplete;
        };
        self.is_import = false;
        match css.get(after) {
            Some(b')') => {
                emit(css, start..end, each);
                TokenEnd::At(after + 1)
            }
            None => {
                emit(css, start..end, each);
                TokenEnd::At(after)
            }
            Some(_) => {
                self.inside = OpenConstruct::BadUrl;
                TokenEnd::At(after)
            }
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

/// Returns the end of a name, including its escapes, or `None` if the name may continue.
fn name_end(css: &[u8], mut at: usize, is_complete: bool) -> Option<usize> {
    loop {
        match css.get(at) {
            Some(byte) if is_name(*byte) => at += 1,
            Some(b'\\') => match css.get(at + 1) {
                None if !is_complete => return None,
                None | Some(b'\n' | b'\r' | 0x0C) => return Some(at),
                Some(_) => at = escape_end(css, at, is_complete)?,
            },
            None if !is_complete => return None,
            _ => return Some(at),
        }
    }
}

/// Returns the end of an escape: up to six hexadecimal digits and one white-space character, or any
/// single character.
fn escape_end(css: &[u8], at: usize, is_complete: bool) -> Option<usize> {
    let mut end = at + 1;
    while end <= at + 6 && css.get(end).is_some_and(u8::is_ascii_hexdigit) {
        end += 1;
    }
    let is_code = end > at + 1;
    match css.get(end) {
        None if !is_complete => None,
        Some(b'\r') if is_code && css.get(end + 1) == Some(&b'\n') => Some(end + 2),
        Some(byte) if is_code => Some(end + usize::from(byte.is_ascii_whitespace())),
        Some(_) => Some(end + 1),
        None => Some(end),
    }
}

/// Returns the end of a string's content: its closing quote, or a line ending, which makes it a bad
/// string.
fn string_end(css: &[u8], at: usize, is_complete: bool) -> Option<usize> {
    let quote = css.get(at).copied()?;
    let mut end = at + 1;
    loop {
        match css.get(end) {
            Some(b'\\') if end + 1 < css.len() => end += 2,
            Some(b'\n' | b'\r' | 0x0C) => return Some(end),
            Some(byte) if *byte == quote => return Some(end),
            Some(b'\\') if is_complete => return Some(end + 1),
            Some(b'\\') => return None,
            Some(_) => end += 1,
            None => return is_complete.then_some(end),
        }
    }
}

/// Returns the end of an unquoted URL: the first character that it cannot contain.
fn url_end(css: &[u8], mut at: usize, is_complete: bool) -> Option<usize> {
    loop {
        match css.get(at) {
            Some(b'\\') => match css.get(at + 1) {
                Some(b'\n' | b'\r' | 0x0C) => return Some(at),
                None if is_complete => return Some(at),
                None => return None,
                Some(_) => at = escape_end(css, at, is_complete)?,
            },
            Some(0..=b' ' | b'"' | b'\'' | b'(' | b')' | 0x7F) => return Some(at),
            Some(_) => at += 1,
            None => return is_complete.then_some(at),
        }
    }
}

fn skip_white_space(css: &[u8], mut at: usize, is_complete: bool) -> Option<usize> {
    while css.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    (at < css.len() || is_complete).then_some(at)
}

fn is_word(css: &[u8], range: Range<usize>, word: &[u8]) -> bool {
    let written = css.get(range).unwrap_or_default();
    written.len() >= word.len() && unescape(written).eq_ignore_ascii_case(word)
}

fn emit(css: &[u8], range: Range<usize>, each: &mut EachUrl<'_>) {
    let written = css.get(range.clone()).unwrap_or_default();
    each(range, unescape(written));
}

/// Removes the escapes from a name, a string or a URL.
fn unescape(written: &[u8]) -> Cow<'_, [u8]> {
    if !written.contains(&b'\\') {
        return Cow::Borrowed(written);
    }
    let mut out = Vec::with_capacity(written.len());
    let mut at = 0;
    while let Some(byte) = written.get(at) {
        if *byte != b'\\' {
            out.push(*byte);
            at += 1;
            continue;
        }
        let end = escape_end(written, at, true).unwrap_or(written.len());
        let escaped = written.get(at + 1..end).unwrap_or_default();
        match escaped {
            // An escaped line ending is a line continuation.
            [b'\n' | 0x0C] => {}
            [b'\r'] => {
                at = end + usize::from(written.get(end) == Some(&b'\n'));
                continue;
            }
            [digit, ..] if digit.is_ascii_hexdigit() => {
                let code = escaped
                    .iter()
                    .map_while(|byte| char::from(*byte).to_digit(16))
                    .fold(0_u32, |code, digit| code * 16 + digit);
                let character = match code {
                    0 => char::REPLACEMENT_CHARACTER,
                    code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                };
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => out.extend_from_slice(other),
        }
        at = end;
    }
    Cow::Owned(out)
}

/// A style sheet in a `<style>` element.
#[derive(Default, Debug)]
pub(crate) struct Style {
    scanner: Scanner,
    pending: Vec<u8>,
    /// The offset of the pending text in the document.
    start: usize,
    /// The length that the pending text must reach before it is scanned again.
    retry_at: usize,
}

impl Style {
    /// Returns the offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> Option<usize> {
        (!self.pending.is_empty()).then_some(self.start)
    }

    /// Takes a piece that begins at this offset in the document.
    pub(crate) fn push(&mut self, piece: &[u8], start: usize, is_last: bool, each: &mut Each<'_>) {
        if self.pending.is_empty() {
            self.start = start;
        }
        self.pending.extend_from_slice(piece);
        if self.pending.len() < self.retry_at && !is_last {
            return;
        }
        let is_cut = is_last || self.pending.len() > MAX_TAG;
        let Self {
            scanner,
            pending,
            start,
            ..
        } = self;
        let read = scanner.scan(pending, is_cut, &mut |range, url| {
            each(Event::Reference(Unresolved {
                text: Cow::Borrowed(pending.get(range.clone()).unwrap_or_default()),
                range: range.start + *start..range.end + *start,
                kind: Kind::Link,
                uri: clean(&url),
                alternative: None,
                codebase: None,
                place: Place::element_named("style"),
                marks: Marks::MARKUP,
            }));
        });
        self.pending.drain(..read);
        self.start += read;
        self.retry_at = self.pending.len() * 2;
        if is_last {
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scanner;

    fn urls(css: &str, pieces: &[usize]) -> Vec<(usize, usize, String)> {
        let mut found = Vec::new();
        let (mut scanner, mut start, mut pending) = (Scanner::default(), 0, Vec::new());
        let mut from = 0;
        for (index, to) in pieces.iter().copied().chain([css.len()]).enumerate() {
            pending.extend_from_slice(&css.as_bytes()[from..to]);
            from = to;
            let is_complete = index == pieces.len();
            let read = scanner.scan(&pending, is_complete, &mut |range, url| {
                let url = String::from_utf8(url.into_owned()).unwrap();
                found.push((range.start + start, range.end + start, url));
            });
            pending.drain(..read);
            start += read;
        }
        found
    }

    #[test]
    fn finds_urls_and_imports_however_the_text_is_cut() {
        for (css, expected) in [
            ("a { background: url(b.png) }", &[(20, 25, "b.png")][..]),
            ("url( 'b c.png' )", &[(6, 13, "b c.png")]),
            ("URL(\"b)c\")", &[(5, 8, "b)c")]),
            ("\\75rl(b)\\55 RL(c)", &[(6, 7, "b"), (15, 16, "c")]),
            ("url(a\\)b\\28 c)", &[(4, 13, "a)b(c")]),
            ("@import 'a.css' print;", &[(9, 14, "a.css")]),
            (
                "@import/**/url(a.css);@IMPORT \"b\"",
                &[(15, 20, "a.css"), (31, 32, "b")],
            ),
            ("@charset 'x'; 'y' @import a 'z'", &[]),
            ("/* url(a) */ url(b) /* url(c)", &[(17, 18, "b")]),
            ("content: 'url(a)'; url(b", &[(23, 24, "b")]),
            ("url(a b) url(c'd) url(e)", &[(22, 23, "e")]),
            ("'a\nurl(b) 'c\\\nd' url(e)", &[(7, 8, "b"), (21, 22, "e")]),
            ("xurl(a) url (b) -url(c) url()", &[(28, 28, "")]),
            ("url('a\\\nb')", &[(5, 9, "ab")]),
            (
                "image-set('a' 1x, url(b) 2x type('c'), \"d\" 3x) 'e'",
                &[(11, 12, "a"), (22, 23, "b"), (40, 41, "d")],
            ),
            (
                "-WebKit-image-set( /**/ 'a' 1x); image('b', red) src(\"c\") 'd'",
                &[(25, 26, "a"), (40, 41, "b"), (54, 55, "c")],
            ),
            ("image-set('a\n 'b'; 'c'", &[(15, 16, "b")]),
            ("url(\u{e9}\\e9 x)", &[(4, 11, "\u{e9}\u{e9}x")]),
        ] {
            let expected: Vec<_> = expected
                .iter()
                .map(|(start, end, url)| (*start, *end, (*url).to_owned()))
                .collect();
            for cut in 0..=css.len() {
                assert_eq!(urls(css, &[cut]), expected, "{css} cut at {cut}");
            }
            let every: Vec<usize> = (0..css.len()).collect();
            assert_eq!(urls(css, &every), expected, "{css}");
        }
    }
}
