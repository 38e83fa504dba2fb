//! JSON documents: HTTP archives and Jupyter notebooks.
//!
//! `serde_json` does not report the positions of strings, so this module has its own tokenizer (RFC
//! 8259). The tokenizer does not reject any text: it skips bytes that are not part of a token, and
//! an unclosed string extends to the end.
//!
//! In HTTP archives (HAR 1.2), references are the URLs of requests, redirects and header fields.
//! The content of a response is read according to its media type, relative to the URL of the
//! request. All other strings are text.
//!
//! In Jupyter notebooks (nbformat 3 and 4), cells are Markdown or code, and outputs are read
//! according to their media type. Code is searched as plain text.

use super::Prose;
use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::{Bases, Place};
use crate::mail::decode_base64;
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use memchr::memchr2;
use urikit::op::Layer;

/// The deepest level at which the names of members are kept.
const MAX_DEPTH: usize = 64;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// The start of an array or object, at this offset.
    Open(usize),
    /// The end of an array or object, whose closing bracket is just before this offset.
    Close(usize),
    /// A string value, without its quotes.
    String(Range<usize>),
}

/// Splits a JSON text into tokens. Tracks the path of the last token in arrays and objects.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// The arrays and objects that have not ended.
    frames: Vec<Frame>,
    /// The number of open arrays and objects beyond the limit.
    deeper: usize,
    /// True if the text ended within a string.
    is_cut: bool,
}

#[derive(Clone, Debug)]
struct Frame {
    is_object: bool,
    /// The name of the current member, without quotes.
    name: Range<usize>,
    /// True if the next string is a name.
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

    /// Returns true if the last value is at this path, a list of member names. `*` matches any name
    /// and any element of an array.
    pub(super) fn is_at(&self, path: &[&str]) -> bool {
        self.matches(&self.frames, path)
    }

    /// Returns true if the array or object that was opened last is at this path.
    pub(super) fn is_open_at(&self, path: &[&str]) -> bool {
        let outer = self.frames.split_last();
        outer.is_some_and(|(_, outer)| self.matches(outer, path))
    }

    /// Returns true if the text ended within a string.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    fn matches(&self, frames: &[Frame], path: &[&str]) -> bool {
        self.deeper == 0
            && frames.len() == path.len()
            && frames.iter().zip(path).all(|(frame, name)| {
                *name == "*"
                    || frame.is_object && self.text.get(frame.name.clone()) == Some(name.as_bytes())
            })
    }

    /// Returns the name of the innermost named member.
    pub(super) fn name(&self) -> &'t [u8] {
        let mut frames = self.frames.iter().rev();
        let named = frames.find(|frame| !frame.name.is_empty());
        named
            .and_then(|frame| self.text.get(frame.name.clone()))
            .unwrap_or_default()
    }

    /// Returns the number of open arrays and objects.
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

/// Returns the offset of the quote that closes a string, or the end of the text.
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

/// Returns the string at a path within the array or object that begins at `start`.
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

/// Appends an unescaped string. `map` maps the result back to `range`.
fn unescape(document: &[u8], range: Range<usize>, out: &mut Vec<u8>, map: &mut OffsetMap) {
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

/// Returns the length of an escape, not counting its backslash, and the character that it
/// represents.
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
        // This backslash does not begin a valid escape.
        _ => (0, '\\'),
    }
}

/// Header fields whose value is one reference (RFC 9110).
pub(super) const FIELDS: [&[u8]; 3] = [b"location", b"content-location", b"referer"];

/// Reads a complete archive.
pub(crate) fn read_har(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut tokens = Tokens::new(document, 0);
    let mut body = None;
    let mut field = Vec::new();
    while let Some(token) = tokens.next() {
        let range = match token {
            Token::Open(start) => {
                if tokens.is_open_at(&["log", "entries", "*"]) {
                    let url = lookup(document, start, &["request", "url"]);
                    let url = url.map(|range| decoded(document, range).0);
                    let url = String::from_utf8_lossy(&url.unwrap_or_default()).into_owned();
                    let long = &mut prose.noticed.exceeded.long_bases;
                    let bases = bases.within(Layer::Retrieval, &url, long).into_owned();
                    prose.set_bases(bases);
                } else if tokens.is_open_at(&["log", "entries", "*", "response", "content"]) {
                    body = Some(Body::of(document, start));
                } else if tokens.is_open_at(&["log", "entries", "*", "response", "headers", "*"]) {
                    let name = lookup(document, start, &["name"]);
                    field = name.map_or_else(Vec::new, |range| decoded(document, range).0);
                    field.make_ascii_lowercase();
                }
                continue;
            }
            Token::Close(_) => continue,
            Token::String(range) => range,
        };
        let is_url = tokens.is_at(&["log", "entries", "*", "request", "url"])
            || tokens.is_at(&["log", "entries", "*", "response", "redirectURL"])
            || FIELDS.contains(&&*field)
                && tokens.is_at(&["log", "entries", "*", "response", "headers", "*", "value"]);
        let (text, map) = decoded(document, range.clone());
        if is_url {
            if !text.is_empty() {
                let place = match tokens.name() {
                    b"value" => Place::in_field(String::from_utf8_lossy(&field)),
                    _ => Place::default(),
                };
                prose.link(range, &text, place);
            }
            continue;
        }
        let is_content = tokens.is_at(&["log", "entries", "*", "response", "content", "text"]);
        let body = body.take_if(|_| is_content).unwrap_or_default();
        let to_file = |range| map.range(range);
        match body.format {
            None => {}
            Some(format) if body.is_base64 => {
                let (text, inner) = decode_base64(&text);
                let to_file = |range| map.range(inner.range(range));
                prose.document(format, &text, &to_file);
            }
            Some(format) => prose.document(format, &text, &to_file),
        }
    }
    if tokens.is_cut() {
        prose.noticed.malformed = Some(document.len());
    }
    prose.finish()
}

/// The format and encoding of a response's content.
struct Body {
    /// The format of the content, or `None` if the content is binary.
    format: Option<Format>,
    is_base64: bool,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            format: Some(Format::Text),
            is_base64: false,
        }
    }
}

impl Body {
    fn of(document: &[u8], start: usize) -> Self {
        let value = |name| lookup(document, start, &[name]).and_then(|range| document.get(range));
        let kind = value("mimeType").unwrap_or_default();
        Self {
            format: Format::of_media_type(kind),
            is_base64: value("encoding") == Some(b"base64"),
        }
    }
}

/// Unescapes the string at a range. The map gives the position of each byte in the document.
pub(super) fn decoded(document: &[u8], range: Range<usize>) -> (Vec<u8>, OffsetMap) {
    let (mut text, mut map) = (Vec::new(), OffsetMap::new(range.start));
    unescape(document, range, &mut text, &mut map);
    (text, map)
}

/// The paths of cells in versions 4 and 3 of the format.
const CELLS: [&[&str]; 2] = [&["cells", "*"], &["worksheets", "*", "cells", "*"]];

/// Reads a complete notebook.
pub(crate) fn read_notebook(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut text = JoinedStrings {
        prose: Prose::new(document, context, bases, each),
        text: Vec::new(),
        map: OffsetMap::new(0),
    };
    let mut tokens = Tokens::new(document, 0);
    let mut cell = Format::Text;
    // The depth of an array of lines that has not ended, and its content.
    let mut open: Option<(usize, Content)> = None;
    while let Some(token) = tokens.next() {
        match token {
            Token::Open(start) => {
                if CELLS.iter().any(|path| tokens.is_open_at(path)) {
                    let kind = lookup(document, start, &["cell_type"]);
                    let is_markdown =
                        kind.and_then(|range| document.get(range)) == Some(b"markdown");
                    cell = if is_markdown {
                        Format::Markdown
                    } else {
                        Format::Text
                    };
                } else if open.is_none() && document.get(start) == Some(&b'[') {
                    open = content(cell, tokens.name(), &|path| tokens.is_open_at(path))
                        .map(|content| (tokens.depth(), content));
                }
            }
            Token::Close(_) => {
                if let Some((_, content)) = open.take_if(|(depth, _)| tokens.depth() < *depth) {
                    text.end(content);
                }
            }
            Token::String(range) => {
                unescape(document, range, &mut text.text, &mut text.map);
                if open.is_none() {
                    let is_at = &|path: &[&str]| tokens.is_at(path);
                    text.end(
                        content(cell, tokens.name(), is_at).unwrap_or(Content::Of(Format::Text)),
                    );
                }
            }
        }
    }
    text.end(Content::Of(Format::Text));
    if tokens.is_cut() {
        text.prose.noticed.malformed = Some(document.len());
    }
    text.prose.finish()
}

/// The content of a string or an array of strings.
#[derive(Clone, Copy)]
enum Content {
    Of(Format),
    /// Binary data, such as an image.
    Binary,
}

/// Returns the content at a path in a cell, or `None` if that content is not text.
fn content(cell: Format, name: &[u8], is_at: &dyn Fn(&[&str]) -> bool) -> Option<Content> {
    let is_in_cell = |inner: &[&str]| CELLS.iter().any(|cells| is_at(&[cells, inner].concat()));
    if is_in_cell(&["source"]) || is_in_cell(&["input"]) {
        return Some(Content::Of(cell));
    }
    if is_in_cell(&["outputs", "*", "data", "*"]) {
        let format = Format::of_media_type(name);
        return Some(format.map_or(Content::Binary, Content::Of));
    }
    let is_text = is_in_cell(&["outputs", "*", "text"]);
    is_text.then_some(Content::Of(Format::Text))
}

/// Joins the strings of an array.
struct JoinedStrings<'p, 'c> {
    prose: Prose<'p, 'c>,
    text: Vec<u8>,
    map: OffsetMap,
}

impl JoinedStrings<'_, '_> {
    fn end(&mut self, content: Content) {
        if let Content::Of(format) = content
            && !self.text.is_empty()
        {
            let map = &self.map;
            let to_file = |range| map.range(range);
            self.prose.document(format, &self.text, &to_file);
        }
        self.text.clear();
        self.map = OffsetMap::new(0);
    }
}
