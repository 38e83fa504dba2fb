//! Decoding escapes as `java.net.URI` does.

use std::borrow::Cow;

/// What happens to escapes between brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    /// They are decoded.
    Decode,
    /// They are kept: the zone of an IPv6 address is not escaped. Everything between any brackets
    /// is, in an opaque part or a query too, and a bracket that is not closed lasts to the end.
    Keep,
}

/// The text with each run of escapes decoded as UTF-8.
///
/// INVARIANT: two hexadecimal digits follow every `%` outside of brackets.
pub(super) fn decode(text: &str, brackets: Brackets) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut octets = Vec::new();
    let mut inside = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => inside = brackets == Brackets::Keep,
            ']' => inside = false,
            '%' if !inside => {
                let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16)).unwrap_or(0);
                let octet = digit(rest.next()) << 4 | digit(rest.next());
                octets.push(u8::try_from(octet).unwrap_or(0));
                if rest.as_str().starts_with('%') {
                    continue;
                }
                utf8(&octets, &mut decoded);
                octets.clear();
                continue;
            }
            _ => {}
        }
        decoded.push(c);
    }
    Cow::Owned(decoded)
}

/// Writes octets as text. Each malformed sequence becomes one U+FFFD, and a surrogate in three
/// octets is one such sequence. (Rust's conversion, as the Unicode standard recommends, makes
/// three of it.)
fn utf8(octets: &[u8], out: &mut String) {
    let mut rest = octets;
    while !rest.is_empty() {
        match rest {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, tail @ ..] | [0xED, 0xA0..=0xBF, tail @ ..] => {
                out.push(char::REPLACEMENT_CHARACTER);
                rest = tail;
            }
            _ => {
                let Some(chunk) = first_chunk(rest) else {
                    return;
                };
                out.push_str(chunk.0);
                if chunk.1 {
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                rest = rest.get(chunk.2..).unwrap_or_default();
            }
        }
    }
}

/// The valid text at the beginning of `octets` up to a surrogate, whether a malformed sequence
/// follows it, and the length of both.
fn first_chunk(octets: &[u8]) -> Option<(&str, bool, usize)> {
    let chunk = octets.utf8_chunks().next()?;
    let valid = chunk.valid();
    if chunk.invalid().first() == Some(&0xED) && !valid.is_empty() {
        return Some((valid, false, valid.len())); // it may be a surrogate: look at it next
    }
    let invalid = chunk.invalid();
    Some((valid, !invalid.is_empty(), valid.len() + invalid.len()))
}
