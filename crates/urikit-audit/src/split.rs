//! Splitting text at characters of US-ASCII, byte by byte: the parts of references are short.

use urikit::octet::AnyOctets;

/// The text before the first byte for which `ends` is true, and the rest with it. The byte has to
/// be of US-ASCII.
#[inline]
pub(crate) fn split_at(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The text before and after the first `delimiter`, a byte of US-ASCII.
#[inline]
pub(crate) fn split_once(text: &str, delimiter: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The text before and after the last `delimiter`, a byte of US-ASCII.
#[inline]
pub(crate) fn rsplit_once(text: &str, delimiter: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Whether `is_it` is true for any byte. All are looked at, several in one step.
#[inline]
pub(crate) fn any(text: &str, is_it: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | is_it(byte))
}

/// What ends an authority.
#[inline]
pub(crate) const fn ends_authority(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#')
}

/// The query and the fragment, in what follows a path.
#[inline]
pub(crate) fn query_and_fragment(rest: &str) -> (Option<&str>, Option<&str>) {
    let (query, fragment) = split_at(rest, |byte| byte == b'#');
    (query.strip_prefix('?'), fragment.strip_prefix('#'))
}

/// What ends a path.
#[inline]
pub(crate) const fn ends_path(byte: u8) -> bool {
    matches!(byte, b'?' | b'#')
}

/// The octets of a text, escapes decoded.
pub(crate) fn octets(text: &str) -> AnyOctets<'_> {
    urikit::octet::octets(text.as_bytes())
}

/// The text, escapes decoded; octets that are not UTF-8 become U+FFFD.
pub(crate) fn decoded(text: &str) -> String {
    let octets: Vec<u8> = octets(text).map(|octet| octet.value).collect();
    match String::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
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
