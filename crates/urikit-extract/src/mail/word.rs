//! Encoded words in header fields (RFC 2047).

use super::{charset, transfer};
use crate::decode::OffsetMap;

/// The longest encoded word that is decoded; RFC 2047, 2, allows 75 characters.
const MAX_LENGTH: usize = 1024;

/// The text of a field; `None` if it has no encoded words.
pub(super) fn decode(field: &[u8]) -> Option<(Vec<u8>, OffsetMap)> {
    memchr::memmem::find(field, b"=?")?;
    let (mut out, mut map) = (Vec::with_capacity(field.len()), OffsetMap::new(0));
    let mut rest = field;
    let mut follows_word = false;
    while !rest.is_empty() {
        let plain = memchr::memmem::find(rest, b"=?").unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        let word = Word::read(after);
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

struct Word<'a> {
    charset: &'a str,
    is_base64: bool,
    text: &'a [u8],
    /// The length of what precedes the text.
    prefix: usize,
    length: usize,
}

impl<'a> Word<'a> {
    /// The encoded word at the beginning of a text.
    fn read(text: &'a [u8]) -> Option<Self> {
        let seen = text.get(..MAX_LENGTH).unwrap_or(text).strip_prefix(b"=?")?;
        let mut parts = seen.splitn(3, |byte| *byte == b'?');
        let (charset, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let end = memchr::memchr2(b'?', b'\n', rest)?;
        let (content, after) = rest.split_at(end);
        if !after.starts_with(b"?=") {
            return None;
        }
        let is_base64 = match encoding {
            b"B" | b"b" => true,
            b"Q" | b"q" => false,
            _ => return None,
        };
        let charset = core::str::from_utf8(charset).ok()?;
        let prefix = 2 + charset.len() + 1 + 1 + 1;
        Some(Self {
            // A language may follow (RFC 2231, 5).
            charset: charset.split('*').next().unwrap_or(charset),
            is_base64,
            text: content,
            prefix,
            length: prefix + content.len() + 2,
        })
    }

    fn decode(&self, out: &mut Vec<u8>, map: &mut OffsetMap) {
        let decoded = if self.is_base64 {
            transfer::base64(self.text).0
        } else {
            quoted(self.text)
        };
        if let Some((text, _)) = charset::decode(&decoded, self.charset) {
            // In another charset, the word is mapped as one unit.
            out.extend_from_slice(&text);
            map.replaced(text.len(), self.length);
            return;
        }
        out.extend_from_slice(&decoded);
        map.skipped(self.prefix);
        if self.is_base64 {
            let full = self.text.len() / 4 * 3;
            map_base64(decoded.len(), full, self.text.len(), map);
        } else {
            map_quoted(self.text, map);
        }
        map.skipped(2);
    }
}

/// Maps the bytes of base64, which has no gaps.
fn map_base64(decoded: usize, full: usize, length: usize, map: &mut OffsetMap) {
    if decoded == full {
        for _ in 0..decoded / 3 {
            map.replaced(3, 4);
        }
    } else {
        map.replaced(decoded, length);
    }
}

/// Decodes the Q encoding (4.2), in which an underscore is a space.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    each_quoted(text, |byte, _| out.push(byte));
    out
}

fn map_quoted(text: &[u8], map: &mut OffsetMap) {
    each_quoted(text, |_, length| map.replaced(1, length));
}

/// Calls `each` with each byte, and with its length as written.
fn each_quoted(text: &[u8], mut each: impl FnMut(u8, usize)) {
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let (decoded, length) = match (byte, after) {
            (b'=', [high, low, ..]) => match transfer::escaped(*high, *low) {
                Some(byte) => (byte, 3),
                None => (b'=', 1),
            },
            (b'_', _) => (b' ', 1),
            (byte, _) => (*byte, 1),
        };
        each(decoded, length);
        rest = rest.get(length..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

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
            let (decoded, map) = decode(field.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(decoded).unwrap(), expected);
            assert_eq!(map.len(), expected.len(), "{field}");
        }
        let (_, map) = decode(b"see =?utf-8?B?aHR0cDovL2Ev?=!").unwrap();
        assert_eq!(
            (map.range(4..13), map.range(4..5), map.range(13..14)),
            (14..26, 14..16, 28..29)
        );
        assert!(decode(b"a = b?").is_none());
    }
}
