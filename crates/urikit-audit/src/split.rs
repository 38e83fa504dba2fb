//! Splits text at US-ASCII characters, byte by byte, because components are short.

use std::borrow::Cow;
use urikit::octet::AnyOctets;

/// Splits a string before the first byte for which `ends` returns true; this byte must be US-ASCII.
#[inline]
pub(crate) fn split_at(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Splits a string at the first `delimiter`, which must be US-ASCII.
#[inline]
pub(crate) fn split_once(text: &str, delimiter: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Splits a string at the last `delimiter`, which must be US-ASCII.
#[inline]
pub(crate) fn rsplit_once(text: &str, delimiter: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns whether `is_it` returns true for any byte.
// The loop never stops early, so that the compiler can vectorize it.
#[inline]
pub(crate) fn any(text: &str, is_it: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | is_it(byte))
}

/// Returns whether a byte ends an authority.
#[inline]
pub(crate) const fn ends_authority(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#')
}

/// Splits the text after a path into a query and a fragment.
#[inline]
pub(crate) fn query_and_fragment(rest: &str) -> (Option<&str>, Option<&str>) {
    let (query, fragment) = split_at(rest, |byte| byte == b'#');
    (query.strip_prefix('?'), fragment.strip_prefix('#'))
}

/// Returns whether a byte ends a path.
#[inline]
pub(crate) const fn ends_path(byte: u8) -> bool {
    matches!(byte, b'?' | b'#')
}

/// Returns whether a path begins with an MS-DOS drive letter, such as `c:` or `c|`.
pub(crate) fn begins_with_drive(path: &str) -> bool {
    match path.as_bytes() {
        [letter, b':' | b'|', after @ ..] => {
            letter.is_ascii_alphabetic() && matches!(after, [] | [b'/' | b'\\', ..])
        }
        _ => false,
    }
}

/// Iterates over the octets of a string, decoding escapes.
pub(crate) fn octets(text: &str) -> AnyOctets<'_> {
    urikit::octet::octets(text.as_bytes())
}

/// Decodes the escapes in a string. Octets that are not UTF-8 become U+FFFD.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if !any(text, |byte| byte == b'%') {
        return Cow::Borrowed(text);
    }
    let octets: Vec<u8> = octets(text).map(|octet| octet.value).collect();
    Cow::Owned(match String::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn incomplete_escapes_are_literal() {
        assert_eq!(decoded("a%41%4%zz%c3%A9%"), "aA%4%zzé%");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
