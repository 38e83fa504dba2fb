//! The tokens of JSON (RFC 8259), with their places.
//!
//! `serde_json` reads JSON, but does not say where in the text a string is. Nothing is rejected here:
//! what is no token is passed over, and a string that is not closed extends to the end.

use crate::decode::OffsetMap;
use core::ops::Range;
use memchr::memchr2;

/// How deeply arrays and objects are nested whose names are kept.
const MAX_DEPTH: usize = 64;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// An array or object begins, at this offset.
    Open(usize),
    /// It ends, before this offset.
    Close(usize),
    /// A string that is a value, without its quotes.
    String(Range<usize>),
}

/// The tokens of a text, and where in its arrays and objects the last one is.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// The arrays and objects that are open.
    frames: Vec<Frame>,
    /// How many more are open that are nested too deeply.
    deeper: usize,
    /// Whether the text ended within a string.
    pub(super) is_cut: bool,
}

#[derive(Clone, Debug)]
struct Frame {
    is_object: bool,
    /// The name of the current member, without quotes.
    name: Range<usize>,
    /// Whether a name comes next.
    wants_name: bool,
}

impl<'t> Tokens<'t> {
    pub(super) const fn new(text: &'t [u8], at: usize) -> Self {
        Self {
            text,
            at,
            frames: Vec::new(),
            deeper: 0,
            is_cut: false,
        }
    }

    /// Whether the value that was read last is at a path: the names of members, `*` for the
    /// elements of an array and for any name.
    pub(super) fn is_at(&self, path: &[&str]) -> bool {
        self.matches(&self.frames, path)
    }

    /// Whether the array or object that was opened last is at a path.
    pub(super) fn is_open_at(&self, path: &[&str]) -> bool {
        let outer = self.frames.split_last();
        outer.is_some_and(|(_, outer)| self.matches(outer, path))
    }

    fn matches(&self, frames: &[Frame], path: &[&str]) -> bool {
        self.deeper == 0
            && frames.len() == path.len()
            && frames.iter().zip(path).all(|(frame, name)| {
                *name == "*"
                    || frame.is_object && self.text.get(frame.name.clone()) == Some(name.as_bytes())
            })
    }

    /// The name of the member that contains the last value, or that was opened last.
    pub(super) fn name(&self) -> &'t [u8] {
        let mut frames = self.frames.iter().rev();
        let named = frames.find(|frame| !frame.name.is_empty());
        named
            .and_then(|frame| self.text.get(frame.name.clone()))
            .unwrap_or_default()
    }

    /// How many arrays and objects are open.
    pub(super) fn depth(&self) -> usize {
        self.frames.len() + self.deeper
    }

    fn open(&mut self, is_object: bool) {
        if self.frames.len() >= MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        self.frames.push(Frame {
            is_object,
            name: 0..0,
            wants_name: is_object,
        });
    }

    fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else {
            self.frames.pop();
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let is_token = |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b',');
            let Some(skipped) = rest.iter().position(is_token) else {
                self.at = self.text.len();
                return None;
            };
            let place = self.at + skipped;
            self.at = place + 1;
            match rest.get(skipped) {
                Some(open @ (b'{' | b'[')) => {
                    self.open(*open == b'{');
                    return Some(Token::Open(place));
                }
                Some(b'}' | b']') => {
                    self.close();
                    return Some(Token::Close(self.at));
                }
                Some(b'"') => {
                    let end = string_end(self.text, self.at);
                    let range = self.at..end;
                    self.is_cut |= end >= self.text.len();
                    self.at = end + 1;
                    let is_outer = self.deeper == 0;
                    let frame = self.frames.last_mut().filter(|_| is_outer);
                    match frame {
                        Some(frame) if frame.wants_name => {
                            frame.name = range;
                            frame.wants_name = false;
                        }
                        _ => return Some(Token::String(range)),
                    }
                }
                _ => {
                    if self.deeper == 0
                        && let Some(frame) = self.frames.last_mut()
                    {
                        frame.wants_name = frame.is_object;
                    }
                }
            }
        }
    }
}

/// The offset of the quote that closes a string, or the end of the text.
fn string_end(text: &[u8], mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        match memchr2(b'"', b'\\', rest) {
            None => return text.len(),
            Some(found) if rest.get(found) == Some(&b'"') => return at + found,
            Some(found) => at += found + 2,
        }
    }
}

/// The string at a path within the array or object that begins at an offset.
pub(super) fn lookup(text: &[u8], start: usize, path: &[&str]) -> Option<Range<usize>> {
    let mut tokens = Tokens::new(text, start);
    while let Some(token) = tokens.next() {
        match token {
            Token::String(range) if tokens.is_at(path) => return Some(range),
            Token::Close(_) if tokens.depth() == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Appends the text of a string without escapes. The map leads back to `range`.
pub(super) fn unescape(
    document: &[u8],
    range: Range<usize>,
    out: &mut Vec<u8>,
    map: &mut OffsetMap,
) {
    map.skip_to(range.start);
    let mut rest = document.get(range).unwrap_or_default();
    loop {
        let plain = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        out.extend_from_slice(before);
        map.copied(before.len());
        let Some((_, escape)) = after.split_first() else {
            return;
        };
        let (length, character) = escaped(escape);
        let bytes = &mut [0; 4];
        let bytes = character.encode_utf8(bytes).as_bytes();
        out.extend_from_slice(bytes);
        map.replaced(bytes.len(), 1 + length);
        rest = escape.get(length..).unwrap_or_default();
    }
}

/// The length of an escape after its backslash, and its character.
fn escaped(text: &[u8]) -> (usize, char) {
    let code = |at: usize| {
        let digits = core::str::from_utf8(text.get(at..at + 4)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    match text.first() {
        Some(b'u') => match code(1) {
            Some(high @ 0xD800..0xDC00) => {
                let low = code(7).filter(|_| text.get(5..7) == Some(b"\\u"));
                match low {
                    Some(low @ 0xDC00..0xE000) => {
                        let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                        (
                            11,
                            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                        )
                    }
                    _ => (5, char::REPLACEMENT_CHARACTER),
                }
            }
            Some(code) => (
                5,
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
            ),
            None => (1, char::REPLACEMENT_CHARACTER),
        },
        Some(b'n') => (1, '\n'),
        Some(b't') => (1, '\t'),
        Some(b'r') => (1, '\r'),
        Some(b'b') => (1, '\u{8}'),
        Some(b'f') => (1, '\u{C}'),
        Some(byte) if byte.is_ascii() => (1, char::from(*byte)),
        // Not an escape.
        _ => (0, '\\'),
    }
}
