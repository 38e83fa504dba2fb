//! Escapes in a link: of string literals, `\\/` and `\\u0026` (RFC 8259, 7), and of LaTeX and
//! Markdown, `\\_`.
//!
//! JSON in a web page has `\\u0026`, `\\u003D` and `\\u002F` in place of characters that HTML
//! would misread. No reference contains a backslash, so one that is followed by `u` and four
//! hexadecimal digits, or by a mark that LaTeX or Markdown give a meaning, can only be such an escape.

use super::input::Input;
use super::term::{Term, term};

/// The length of `\\u0026`.
pub(crate) const LENGTH: usize = 6;

/// The character of the `\\u` escape at this offset.
pub(crate) fn number(text: &Input<'_>, at: usize) -> Option<char> {
    if text.at(at) != Some(b'\\') || text.at(at + 1) != Some(b'u') {
        return None;
    }
    let mut code = 0;
    for place in at + 2..at + LENGTH {
        code = code * 16 + char::from(text.at(place)?).to_digit(16)?;
    }
    char::from_u32(code)
}

/// The mark after the backslash at this offset, if LaTeX or Markdown escape it in a link. Brackets
/// are not among them: `\\(…\\)` is around formulas.
pub(crate) fn mark(text: &Input<'_>, at: usize) -> Option<char> {
    let mark = text.at(at + 1)?;
    b"_%#&$~-*+=.@|".contains(&mark).then_some(char::from(mark))
}

/// The length of the escape at this offset.
pub(crate) fn length(text: &Input<'_>, at: usize) -> usize {
    if number(text, at).is_some() {
        LENGTH
    } else {
        2
    }
}

/// Whether a link continues with this character, whose escape is at this offset.
pub(crate) fn continues_link(text: &Input<'_>, at: usize, c: char) -> bool {
    match c {
        '%' => text.has_hex_pair(at + LENGTH),
        '?' => true,
        c => term(c) == Term::Include,
    }
}

/// The link without its escapes.
pub(crate) fn unescape(link: &str) -> String {
    let text = Input::new(link.as_bytes(), true);
    let mut out = String::with_capacity(link.len());
    let (mut at, mut kept) = (0, 0);
    while let Some(found) = link
        .get(at..)
        .and_then(|rest| memchr::memchr(b'\\', rest.as_bytes()))
    {
        at += found;
        let (c, length) = match number(&text, at) {
            Some(c) => (c, LENGTH),
            None if text.at(at + 1) == Some(b'/') => ('/', 2),
            None => {
                let Some(mark) = mark(&text, at) else {
                    at += 1;
                    continue;
                };
                (mark, 2)
            }
        };
        out.push_str(link.get(kept..at).unwrap_or_default());
        out.push(c);
        at += length;
        kept = at;
    }
    out.push_str(link.get(kept..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn removes_both_kinds_of_escape() {
        for (link, expected) in [
            ("http:\\/\\/a\\/b", "http://a/b"),
            (
                "http:\\u002F\\u002fa?b\\u003Dc\\u0026\\u00e9",
                "http://a?b=c&\u{e9}",
            ),
            ("a\\b\\u12", "a\\b\\u12"),
        ] {
            assert_eq!(unescape(link), expected);
        }
    }
}
