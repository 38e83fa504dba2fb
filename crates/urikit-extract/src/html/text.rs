//! Links in the text between tags. Character references are decoded (HTML living standard,
//! 13.2.5.72 to 13.2.5.80).

use super::token::{Text, TextKind};
use super::{Each, Event};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::Link;
use crate::plain::{Finder, Stream};
use std::borrow::Cow;

/// The length of the shortest link, `a:b`. Most text nodes shorter than this are white space.
const SHORTEST: usize = 3;

/// Searches the text nodes of a document, one after another. A tag ends a link.
#[derive(Debug)]
pub(crate) struct TextNodes<'f> {
    finder: &'f Finder,
    stream: Stream<'f>,
    /// True if the last node has not ended.
    is_open: bool,
    /// Maps the concatenated, decoded text of all nodes to the document.
    map: OffsetMap,
    /// The source of the current node, from the first byte that may still be needed.
    written: Vec<u8>,
    written_start: usize,
    /// The end of the last piece, if it may begin a character reference.
    partial: Vec<u8>,
    decoded: Vec<u8>,
}

impl<'f> TextNodes<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        Self {
            finder,
            stream: finder.stream(),
            is_open: false,
            map: OffsetMap::new(0),
            written: Vec::new(),
            written_start: 0,
            partial: Vec::new(),
            decoded: Vec::new(),
        }
    }

    /// Returns the offset before which no later reference can begin.
    pub(crate) fn undecided_from(&self) -> Option<usize> {
        (!self.written.is_empty()).then_some(self.written_start)
    }

    /// Reads a node or a piece of one.
    #[inline]
    pub(crate) fn push(&mut self, text: Text<'_>, each: &mut Each<'_>) {
        let is_complete = text.is_last && !self.is_open;
        let has_none = |text: &[u8]| text.len() < SHORTEST || has_no_colon(text);
        if !(is_complete && self.finder.needs_colon() && has_none(text.bytes)) {
            let is_escaped = text.kind == TextKind::Escaped;
            if is_complete {
                self.complete(text, is_escaped, each);
            } else {
                self.piece(text, is_escaped, each);
            }
        }
    }

    /// Searches a complete node.
    fn complete(&mut self, text: Text<'_>, is_escaped: bool, each: &mut Each<'_>) {
        let mut map = OffsetMap::new(text.start);
        self.decoded.clear();
        let decoded = if is_escaped && memchr::memchr(b'&', text.bytes).is_some() {
            decode_references(text.bytes, false, true, &mut self.decoded, &mut map);
            &self.decoded
        } else {
            map.copied(text.bytes.len());
            text.bytes
        };
        for link in self.finder.links(decoded) {
            each(found(link, &map, text.start, text.bytes));
        }
    }

    /// Searches a piece of a node.
    fn piece(&mut self, text: Text<'_>, is_escaped: bool, each: &mut Each<'_>) {
        let piece = text.bytes;
        if self.written.is_empty() {
            self.map.skip_to(text.start);
            self.written_start = text.start;
        }
        self.is_open = true;
        self.written.extend_from_slice(piece);
        self.decoded.clear();
        if is_escaped {
            self.decode(piece, text.is_last);
        } else {
            self.decoded.extend_from_slice(piece);
            self.map.copied(piece.len());
        }
        let (map, start, written) = (&self.map, self.written_start, self.written.as_slice());
        self.stream.push_written(&self.decoded, |link, _| {
            each(found(link, map, start, written));
        });
        if text.is_last {
            self.end(each);
        } else {
            let kept = self.stream.undecided_from();
            self.map.discard_before(kept);
            let passed = self.map.start(kept).saturating_sub(self.written_start);
            // The buffer is not drained often, because draining moves the remaining text.
            if passed > self.written.len() / 2 {
                self.written.drain(..passed.min(self.written.len()));
                self.written_start += passed;
            }
        }
    }

    /// Ends the node.
    fn end(&mut self, each: &mut Each<'_>) {
        let (map, start, written) = (&self.map, self.written_start, self.written.as_slice());
        self.stream
            .end_part(|link, _| each(found(link, map, start, written)));
        self.map.discard_before(self.map.len());
        self.written.clear();
        self.is_open = false;
    }

    fn decode(&mut self, piece: &[u8], is_last: bool) {
        if self.partial.is_empty() {
            let read = decode_references(piece, false, is_last, &mut self.decoded, &mut self.map);
            self.partial
                .extend_from_slice(piece.get(read..).unwrap_or_default());
            return;
        }
        let mut joined = core::mem::take(&mut self.partial);
        joined.extend_from_slice(piece);
        let read = decode_references(&joined, false, is_last, &mut self.decoded, &mut self.map);
        joined.drain(..read);
        self.partial = joined;
    }
}

/// Maps a link in decoded text to the document. `written` is the source of the text, which begins
/// at `start` in the document.
fn found<'a>(link: Link<'a>, map: &OffsetMap, start: usize, written: &'a [u8]) -> Event<'a> {
    let range = map.range(link.range());
    let text = range.start.saturating_sub(start)..range.end.saturating_sub(start);
    Event::Reference(Unresolved {
        range,
        kind: link.kind(),
        text: Cow::Borrowed(written.get(text).unwrap_or_default()),
        alternative: link.alternative,
        uri: link.uri,
        codebase: None,
        place: Place::default(),
        marks: link.marks,
    })
}

/// Returns true if the text has neither a colon nor a character reference to one, such as `&colon;`
/// or `&#58;`.
#[inline]
fn has_no_colon(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b':', b'&', text.get(from..).unwrap_or_default()) {
        from += at + 1;
        let is_other = text.get(from - 1) == Some(&b'&')
            && !matches!(text.get(from), Some(b'#' | b'c' | b'C'));
        if !is_other {
            return false;
        }
    }
    true
}

/// An upper bound for the length of a named reference, with its ampersand and semicolon.
const MAX_NAME: usize = 40;
/// The longest named reference that is valid without a semicolon, with its ampersand.
const MAX_LEGACY_NAME: usize = 7;
/// The maximum number of digits in a numeric reference. A longer reference is read as text.
const MAX_DIGITS: usize = 64;

/// The result of parsing a character reference.
pub(crate) enum CharacterReference {
    /// The text is not a character reference.
    None,
    /// The result depends on the next piece.
    Undecided,
    /// The length of the character reference in bytes, and the one or two characters that it
    /// represents.
    Found(usize, Characters),
}

/// The characters that a character reference represents.
#[derive(Clone, Copy)]
pub(crate) enum Characters {
    Named(&'static [u8]),
    Numbered(char),
}

/// Parses the character reference at the start of `text`, which begins with `&`. In an attribute, a
/// name without a semicolon is recognized only if no `=`, letter or digit follows, so that
/// `?a=b&copy=1` stays unchanged.
pub(crate) fn read_reference(
    text: &[u8],
    in_attribute: bool,
    is_complete: bool,
) -> CharacterReference {
    match text.get(1) {
        None if !is_complete => CharacterReference::Undecided,
        Some(b'#') => numbered(text, is_complete),
        Some(first) if first.is_ascii_alphanumeric() => named(text, in_attribute, is_complete),
        _ => CharacterReference::None,
    }
}

fn numbered(text: &[u8], is_complete: bool) -> CharacterReference {
    let is_hexadecimal = matches!(text.get(2), Some(b'x' | b'X'));
    let (start, radix) = if is_hexadecimal { (3, 16) } else { (2, 10) };
    let mut code = 0_u32;
    let mut end = start;
    while let Some(digit) = text
        .get(end)
        .and_then(|byte| char::from(*byte).to_digit(radix))
    {
        if end - start == MAX_DIGITS {
            return CharacterReference::None;
        }
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end >= text.len() && !is_complete {
        return CharacterReference::Undecided;
    }
    if end == start {
        return CharacterReference::None;
    }
    if text.get(end) == Some(&b';') {
        end += 1;
    }
    CharacterReference::Found(end, Characters::Numbered(character(code)))
}

/// Returns the character for a code point. The C1 controls are mapped as in windows-1252.
fn character(code: u32) -> char {
    const C1: [char; 32] = [
        '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}',
        '\u{2021}', '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}',
        '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}',
        '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}',
        '\u{178}',
    ];
    let control = usize::try_from(code)
        .ok()
        .and_then(|code| code.checked_sub(0x80));
    match control.and_then(|index| C1.get(index)) {
        Some(character) => *character,
        None if code == 0 => char::REPLACEMENT_CHARACTER,
        None => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

fn named(text: &[u8], in_attribute: bool, is_complete: bool) -> CharacterReference {
    let seen = text.get(..MAX_NAME).unwrap_or(text);
    let letters = seen.get(1..).unwrap_or_default();
    let end = 1 + letters
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or(letters.len());
    if end == text.len() && !is_complete {
        return CharacterReference::Undecided;
    }
    let find = |end| Some((end, *htmlize::ENTITIES.get(text.get(..end)?)?));
    let with_semicolon = (text.get(end) == Some(&b';'))
        .then(|| find(end + 1))
        .flatten();
    let found = with_semicolon.or_else(|| (2..=end.min(MAX_LEGACY_NAME)).rev().find_map(find));
    let Some((end, characters)) = found else {
        return CharacterReference::None;
    };
    let continues = text
        .get(end)
        .is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if in_attribute && with_semicolon.is_none() && continues {
        return CharacterReference::None;
    }
    CharacterReference::Found(end, Characters::Named(characters))
}

/// Decodes `text`, appends it to `out`, and adds the mapping to `map`. Stops at an incomplete
/// reference at the end, and returns the number of bytes decoded.
pub(crate) fn decode_references(
    text: &[u8],
    in_attribute: bool,
    is_complete: bool,
    out: &mut Vec<u8>,
    map: &mut OffsetMap,
) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        // In an attribute value, NUL becomes U+FFFD (HTML living standard, 13.2.5.36 to 13.2.5.38).
        let next = if in_attribute {
            memchr::memchr2(b'&', 0, rest)
        } else {
            memchr::memchr(b'&', rest)
        };
        let plain = next.unwrap_or(rest.len());
        out.extend_from_slice(rest.get(..plain).unwrap_or_default());
        map.copied(plain);
        at += plain;
        let rest = rest.get(plain..).unwrap_or_default();
        if rest.is_empty() {
            return at;
        }
        if rest.first() == Some(&0) {
            out.extend_from_slice("\u{FFFD}".as_bytes());
            map.replaced(3, 1);
            at += 1;
            continue;
        }
        match read_reference(rest, in_attribute, is_complete) {
            CharacterReference::Undecided => return at,
            CharacterReference::None => {
                out.push(b'&');
                map.copied(1);
                at += 1;
            }
            CharacterReference::Found(length, characters) => {
                let before = out.len();
                match characters {
                    Characters::Named(characters) => out.extend_from_slice(characters),
                    Characters::Numbered(character) => {
                        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
                map.replaced(out.len() - before, length);
                at += length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decode_references;
    use crate::decode::OffsetMap;

    #[test]
    fn decodes_named_and_numeric_references() {
        // The source, its decoding as text, and its decoding as an attribute value.
        for (text, plain, attribute) in [
            ("a&amp;b", "a&b", "a&b"),
            ("&ampb", "&b", "&ampb"),
            ("?a=1&copy=2", "?a=1\u{a9}=2", "?a=1&copy=2"),
            ("&copy;=", "\u{a9}=", "\u{a9}="),
            ("&copy", "\u{a9}", "\u{a9}"),
            (
                "I'm &notit; &notin;",
                "I'm \u{ac}it; \u{2209}",
                "I'm &notit; \u{2209}",
            ),
            ("&#47;&#x2F;&#X2f &#47", "/// /", "/// /"),
            (
                "&#128;&#0;&#xD800;&#x110000;",
                "\u{20ac}\u{fffd}\u{fffd}\u{fffd}",
                "\u{20ac}\u{fffd}\u{fffd}\u{fffd}",
            ),
            ("&#99999999999;", "\u{fffd}", "\u{fffd}"),
            (
                "&#; &#x; &; & &unknown;",
                "&#; &#x; &; & &unknown;",
                "&#; &#x; &; & &unknown;",
            ),
            (
                "&bigstar;&NotEqualTilde;",
                "\u{2605}\u{2242}\u{338}",
                "\u{2605}\u{2242}\u{338}",
            ),
        ] {
            for (in_attribute, expected) in [(false, plain), (true, attribute)] {
                let (mut out, mut map) = (Vec::new(), OffsetMap::new(0));
                decode_references(text.as_bytes(), in_attribute, true, &mut out, &mut map);
                assert_eq!(String::from_utf8(out).unwrap(), expected, "{text}");
                assert_eq!(map.range(0..map.len()), 0..text.len(), "{text}");
            }
        }
    }

    #[test]
    fn limits_match_the_table_of_names() {
        let longest = htmlize::ENTITIES
            .keys()
            .filter(|name| !name.ends_with(b";"))
            .map(|name| name.len())
            .max();
        assert_eq!(longest, Some(super::MAX_LEGACY_NAME));
        let longest = htmlize::ENTITIES.keys().map(|name| name.len()).max();
        assert!(longest < Some(super::MAX_NAME));
    }
}
