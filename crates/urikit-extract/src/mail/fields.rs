//! Finds references in header fields, and decodes encoded words (RFC 2047).

use super::decode::{decode_base64, decode_charset, decode_q_word};
use super::{MessageReader, Source};
use crate::decode::{OffsetMap, lossy};
use crate::found::{Bases, Found, Place, PlaceParts, Unresolved};
use crate::link::{Kind, Marks};
use core::ops::Range;
use std::borrow::Cow;

/// The syntax of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FieldSyntax {
    /// References in angle brackets (RFC 2369, 2; RFC 5064, 2), or text if the value has no angle
    /// brackets.
    InAngles,
    /// One reference (RFC 2110, 4; RFC 2557, 4).
    One,
    /// Text.
    Text,
}

/// Fields that contain references in angle brackets.
const IN_ANGLES: [&str; 7] = [
    "List-Help",
    "List-Unsubscribe",
    "List-Subscribe",
    "List-Post",
    "List-Owner",
    "List-Archive",
    "Archived-At",
];

/// Fields without references: message identifiers, trace fields and signatures. All fields that
/// begin with `ARC-` are signatures too.
const WITHOUT_REFERENCES: [&str; 17] = [
    "Message-ID",
    "References",
    "In-Reply-To",
    "Resent-Message-ID",
    "Content-ID",
    "Supersedes",
    "Received",
    "Return-Path",
    "Path",
    "Xref",
    "MIME-Version",
    "Date",
    "Content-Transfer-Encoding",
    "List-Unsubscribe-Post",
    "DKIM-Signature",
    "DomainKey-Signature",
    "Authentication-Results",
];

/// Returns the syntax of a field, or `None` for a field without references.
fn field_syntax(name: &[u8]) -> Option<FieldSyntax> {
    let is = |expected: &[&str]| {
        let mut expected = expected.iter();
        expected.any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
    };
    let start = name.get(..4).unwrap_or_default();
    if is(&WITHOUT_REFERENCES) || start.eq_ignore_ascii_case(b"ARC-") {
        None
    } else if is(&IN_ANGLES) {
        Some(FieldSyntax::InAngles)
    } else if is(&["Content-Base", "Content-Location"]) {
        Some(FieldSyntax::One)
    } else {
        Some(FieldSyntax::Text)
    }
}

/// The base URI that a header sets for its part.
#[derive(Default)]
pub(super) struct PartBase {
    pub(super) content_base: Option<String>,
    pub(super) content_location: Option<String>,
}

impl MessageReader<'_> {
    /// Calls `each` with the references in a field. The value of the field is at `range` in the
    /// source.
    pub(super) fn field(
        &mut self,
        source: &Source<'_>,
        name: &[u8],
        range: Range<usize>,
        bases: &Bases,
        base: &mut PartBase,
    ) {
        let Some(syntax) = field_syntax(name) else {
            return;
        };
        let parts = PlaceParts::of_field(lossy(name));
        let place = Place::from(&parts);
        let value = source.bytes.get(range.clone()).unwrap_or_default();
        match syntax {
            FieldSyntax::Text => self.text_field(source, value, range.start, bases, &place),
            FieldSyntax::InAngles => {
                let all = in_angles(value);
                if all.is_empty() {
                    self.text_field(source, value, range.start, bases, &place);
                }
                for inner in all {
                    let written = value.get(inner.clone()).unwrap_or_default();
                    let at = inner.start + range.start..inner.end + range.start;
                    self.link(source, at, written, bases, &place);
                }
            }
            FieldSyntax::One => {
                let start = range.start + (value.len() - value.trim_ascii_start().len());
                let written = value.trim_ascii();
                let quoted = written
                    .strip_prefix(b"\"")
                    .and_then(|inner| inner.strip_suffix(b"\""));
                let (start, written) = quoted.map_or((start, written), |inner| (start + 1, inner));
                let at = start..start + written.len();
                let uri = self.link(source, at, written, bases, &place);
                let slot = if name.eq_ignore_ascii_case(b"content-base") {
                    &mut base.content_base
                } else {
                    &mut base.content_location
                };
                slot.get_or_insert(uri);
            }
        }
    }

    /// Calls `each` with the links in the text of a field, whose value begins at `start` in the
    /// source.
    fn text_field(
        &mut self,
        source: &Source<'_>,
        value: &[u8],
        start: usize,
        bases: &Bases,
        place: &Place<'_>,
    ) {
        let decoded = decode_words(value);
        let text = decoded.as_ref().map_or(value, |(text, _)| text);
        self.plain(text, bases, place, &|inner| {
            let inner = match &decoded {
                Some((_, map)) => map.range(inner),
                None => inner,
            };
            (source.to_file)(inner.start + start..inner.end + start)
        });
    }

    /// Removes folding white space from a reference, calls `each` with the result, and returns it.
    fn link(
        &mut self,
        source: &Source<'_>,
        range: Range<usize>,
        written: &[u8],
        bases: &Bases,
        place: &Place<'_>,
    ) -> String {
        let decoded = decode_words(written);
        let text = decoded.as_ref().map_or(written, |(text, _)| text);
        let mut uri = lossy(text).into_owned();
        uri.retain(|character| !character.is_ascii_whitespace());
        let found = Unresolved {
            range: (source.to_file)(range),
            kind: Kind::Link,
            text: Cow::Borrowed(written),
            uri: Cow::Borrowed(&uri),
            alternative: None,
            codebase: None,
            place: place.clone(),
            marks: Marks::MARKUP,
        };
        (self.each)(found.into_reference(Cow::Borrowed(bases)));
        uri
    }

    /// Calls `each` with the links in text. `to_file` maps the ranges of the links to the file.
    pub(super) fn plain(
        &mut self,
        text: &[u8],
        bases: &Bases,
        place: &Place<'_>,
        to_file: &dyn Fn(Range<usize>) -> Range<usize>,
    ) {
        for link in self.context.finder.links(text) {
            let range = link.range();
            let written = text.get(range.clone()).unwrap_or_default();
            let mut found = Found::plain(link, written, bases);
            found.range = to_file(range);
            found.place = place.clone();
            (self.each)(found);
        }
    }
}

/// Returns the ranges in angle brackets, outside comments (RFC 2369, 2).
fn in_angles(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut open = None;
    let mut bytes = value.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (byte, open) {
            (b'\\', None) if depth > 0 => {
                bytes.next();
            }
            (b'(', None) => depth += 1,
            (b')', None) => depth = depth.saturating_sub(1),
            (b'<', None) if depth == 0 => open = Some(at + 1),
            (b'>', Some(start)) => {
                let inner = value.get(start..at).unwrap_or_default();
                let white = inner.len() - inner.trim_ascii_start().len();
                found.push(start + white..start + white + inner.trim_ascii().len());
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// The maximum length of an encoded word to decode. RFC 2047, 2, allows 75 characters.
const MAX_LENGTH: usize = 1024;

/// Decodes the encoded words in a field. Returns `None` if the field has no encoded words.
fn decode_words(field: &[u8]) -> Option<(Vec<u8>, OffsetMap)> {
    find_word(field)?;
    let (mut out, mut map) = (Vec::with_capacity(field.len()), OffsetMap::new(0));
    let mut rest = field;
    let mut follows_word = false;
    while !rest.is_empty() {
        let plain = find_word(rest).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        let word = EncodedWord::read(after);
        // White space between two encoded words is ignored (6.2).
        if follows_word && word.is_some() && before.trim_ascii().is_empty() {
            map.skipped(plain);
        } else {
            out.extend_from_slice(before);
            map.copied(plain);
        }
        let length = if let Some(word) = &word {
            word.decode(&mut out, &mut map);
            word.length
        } else {
            let length = after.len().min(2);
            out.extend_from_slice(after.get(..length).unwrap_or_default());
            map.copied(length);
            length
        };
        follows_word = word.is_some();
        rest = after.get(length..).unwrap_or_default();
    }
    Some((out, map))
}

/// Returns the offset of the first `=?`. `memmem` would prepare its search for each short field.
fn find_word(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'=', text).find(|at| text.get(at + 1) == Some(&b'?'))
}

struct EncodedWord<'a> {
    charset: &'a str,
    is_base64: bool,
    text: &'a [u8],
    /// The number of bytes in the word before its encoded text.
    prefix: usize,
    length: usize,
}

impl<'a> EncodedWord<'a> {
    /// Reads the encoded word at the start of `text`.
    fn read(text: &'a [u8]) -> Option<Self> {
        let seen = text.get(..MAX_LENGTH).unwrap_or(text).strip_prefix(b"=?")?;
        let mut parts = seen.splitn(3, |byte| *byte == b'?');
        let (charset, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let end = memchr::memchr2(b'?', b'\n', rest)?;
        let (content, after) = rest.split_at(end);
        if !after.starts_with(b"?=") {
            return None;
        }
        let is_base64 = encoding.eq_ignore_ascii_case(b"b");
        if !is_base64 && !encoding.eq_ignore_ascii_case(b"q") {
            return None;
        }
        let charset = core::str::from_utf8(charset).ok()?;
        let prefix = 2 + charset.len() + 1 + 1 + 1;
        Some(Self {
            // A language may follow the charset (RFC 2231, 5).
            charset: charset.split('*').next().unwrap_or(charset),
            is_base64,
            text: content,
            prefix,
            length: prefix + content.len() + 2,
        })
    }

    fn decode(&self, out: &mut Vec<u8>, map: &mut OffsetMap) {
        let (decoded, inner) = if self.is_base64 {
            decode_base64(self.text)
        } else {
            decode_q_word(self.text)
        };
        if let Some((text, _)) = decode_charset(&decoded, self.charset.as_bytes()) {
            // A word in another charset is mapped as one unit.
            out.extend_from_slice(&text);
            map.replaced(text.len(), self.length);
            return;
        }
        out.extend_from_slice(&decoded);
        map.skipped(self.prefix);
        map.append(&inner, self.text.len());
        map.skipped(2);
    }
}

#[cfg(test)]
mod tests {
    use super::decode_words;

    #[test]
    fn decodes_encoded_words() {
        for (field, expected) in [
            ("=?ISO-8859-1?Q?a?=", "a"),
            ("=?ISO-8859-1?Q?a?= b", "a b"),
            ("=?ISO-8859-1?Q?a?= \r\n =?ISO-8859-1?Q?b?=", "ab"),
            ("=?ISO-8859-1?Q?a_b?=", "a b"),
            ("=?US-ASCII*EN?Q?Keith_Moore?=", "Keith Moore"),
            ("=?ISO-8859-1?Q?Andr=E9?= Pirard", "Andr\u{e9} Pirard"),
            ("see =?utf-8?B?aHR0cDovL2Ev?=!", "see http://a/!"),
            ("=?utf-8?X?a?= =?utf-8?Q?a", "=?utf-8?X?a?= =?utf-8?Q?a"),
        ] {
            let (decoded, map) = decode_words(field.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(decoded).unwrap(), expected);
            assert_eq!(map.len(), expected.len(), "{field}");
        }
        let (_, map) = decode_words(b"see =?utf-8?B?aHR0cDovL2Ev?=!").unwrap();
        assert_eq!(
            (map.range(4..13), map.range(4..5), map.range(13..14)),
            (14..26, 14..16, 28..29)
        );
        // Padding, and a skipped character outside the alphabet.
        let (_, map) = decode_words(b"=?utf-8?B?aHR0cDovL2E=?= b").unwrap();
        assert_eq!((map.range(0..7), map.range(9..10)), (10..21, 25..26));
        let (_, map) = decode_words(b"=?utf-8?B?aH*R0?= b").unwrap();
        assert_eq!((map.range(0..3), map.range(4..5)), (10..15, 18..19));
        assert!(decode_words(b"a = b?").is_none());
    }
}
