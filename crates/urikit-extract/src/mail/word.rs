//! Encoded words in header fields (RFC 2047).

use super::{charset, transfer};
use crate::decode::OffsetMap;
use urikit_mime::transfer::Encoding;

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
        let is_base64 = encoding.eq_ignore_ascii_case(b"b");
        if !is_base64 && !encoding.eq_ignore_ascii_case(b"q") {
            return None;
        }
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
        let base64 = self.is_base64.then_some(Encoding::Base64);
        let decoded = base64.and_then(|encoding| transfer::decode(self.text, encoding));
        let (decoded, inner) = decoded.unwrap_or_else(|| transfer::q_encoding(self.text));
        if let Some((text, _)) = charset::decode(&decoded, self.charset.as_bytes()) {
            // In another charset, the word is mapped as one unit.
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
        // With padding, and with characters outside the alphabet, which are skipped.
        let (_, map) = decode(b"=?utf-8?B?aHR0cDovL2E=?= b").unwrap();
        assert_eq!((map.range(0..7), map.range(9..10)), (10..21, 25..26));
        let (_, map) = decode(b"=?utf-8?B?aH*R0?= b").unwrap();
        assert_eq!((map.range(0..3), map.range(4..5)), (10..15, 18..19));
        assert!(decode(b"a = b?").is_none());
    }
}
