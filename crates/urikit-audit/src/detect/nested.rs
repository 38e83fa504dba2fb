//! URLs within URLs: prefixes that Python, Java and browsers remove before they open the rest.

use super::is_blank;
use crate::split::split_once;

/// The prefixes, each without its colon. Only Python distinguishes case: it removes only `URL:` in
/// capitals.
///
/// - `url`: Python's `urlopen` and Java's `URL` (RFC 3986, Appendix C).
/// - `jar`: Java fetches the archive. The name of an archive entry follows the archive's URL.
/// - `view-source`, `filesystem`, `blob`: browsers. The URL inside identifies a page, or the origin
///   of a page.
/// - `feed`, `microsoft-edge`: operating systems start a program that opens the URL inside.
const PREFIXES: [&str; 7] = [
    "blob",
    "feed",
    "filesystem",
    "jar",
    "microsoft-edge",
    "url",
    "view-source",
];

/// A URL within another URL.
#[derive(Clone, Copy)]
pub(crate) struct Nested<'a> {
    /// The innermost URL.
    pub(crate) text: &'a str,
    /// True if all prefixes are `blob:`, which identifies an origin but never leads to a
    /// connection.
    pub(crate) is_blob: bool,
}

impl<'a> Nested<'a> {
    /// Finds the innermost URL of an input. Returns `None` if the input has no prefix.
    ///
    /// The time is linear in the length of the input, even with many prefixes.
    pub(crate) fn of(input: &'a str) -> Option<Self> {
        let mut text = input.trim_matches(is_blank);
        let (mut is_nested, mut is_blob, mut is_archive) = (false, true, false);
        while let Some((prefix, inside)) = unwrap(text) {
            is_nested = true;
            is_blob &= prefix == "blob";
            is_archive |= prefix == "jar";
            text = inside;
        }
        let entry = text.find("!/").filter(|_| is_archive);
        let text = entry.and_then(|at| text.get(..at)).unwrap_or(text);
        is_nested.then_some(Self { text, is_blob })
    }
}

/// Removes one prefix, or the angle brackets that Python removes, and returns the prefix and the
/// text inside. Returns `None` if there is no text inside.
fn unwrap(text: &str) -> Option<(&'static str, &str)> {
    let brackets = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    let (prefix, inside) = if let Some(inside) = brackets {
        ("<", inside)
    } else {
        let (name, inside) = split_once(text, b':')?;
        (prefix(name)?, inside)
    };
    let inside = inside.trim_matches(is_blank);
    (!inside.is_empty()).then_some((prefix, inside))
}

/// Returns the prefix with this name, which may contain characters that browsers remove.
fn prefix(name: &str) -> Option<&'static str> {
    let kept = || {
        name.bytes()
            .filter(|byte| !matches!(byte, b'\t' | b'\r' | b'\n'))
    };
    let is_it = |prefix: &&str| {
        kept()
            .map(|byte| byte.to_ascii_lowercase())
            .eq(prefix.bytes())
    };
    PREFIXES.into_iter().find(is_it)
}
