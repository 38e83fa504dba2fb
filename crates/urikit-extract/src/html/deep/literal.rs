//! Strings of JavaScript and JSON (ECMA-262, 12.9.4; RFC 8259, 7).

use crate::decode::OffsetMap;

/// The longest path that is taken for a reference, in bytes.
const MAX_PATH: usize = 2048;

/// A string without its escapes, and the map to what is written, which begins at an offset.
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

/// The escape at the beginning of a text, and its length.
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

/// Whether a complete string is a reference: a URL with a scheme and `://`, or a path.
pub(super) fn is_reference(text: &[u8]) -> bool {
    is_absolute(text) || is_path(text)
}

/// Whether a text is a URL with a scheme and `://`, and nothing else.
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

/// Whether a text is a path that begins with `/`, `./` or `../`, or a network path.
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
        // `/g,` and the like are what remains of a regular expression.
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
