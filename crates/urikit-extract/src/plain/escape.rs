//! Escapes of programs' notations in a link: `\\/` and `\\u0026` (RFC 8259, 7).
//!
//! Who writes JSON into a page puts `\\u0026`, `\\u003D` and `\\u002F` for what HTML would misread. A backslash is part of no
//! reference, so that with `u` and four digits behind it, it can be nothing else.

use super::input::Input;
use super::term::{Term, term};

/// How long `\\u0026` is.
pub(crate) const LENGTH: usize = 6;

/// The character of the numbered escape at `at`.
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

/// Whether a link goes on over this character, whose escape stands at `at`.
pub(crate) fn goes_on(text: &Input<'_>, at: usize, c: char) -> bool {
    match c {
        '%' => {
            let digit = |at| text.at(at).is_some_and(|byte| byte.is_ascii_hexdigit());
            digit(at + LENGTH) && digit(at + LENGTH + 1)
        }
        '?' => true,
        c => term(c) == Term::Include,
    }
}

/// The text without its escapes.
pub(crate) fn undone(link: &str) -> String {
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
                at += 1;
                continue;
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
    use super::undone;

    #[test]
    fn undoes_both_kinds() {
        for (link, expected) in [
            ("http:\\/\\/a\\/b", "http://a/b"),
            (
                "http:\\u002F\\u002fa?b\\u003Dc\\u0026\\u00e9",
                "http://a?b=c&\u{e9}",
            ),
            ("a\\b\\u12", "a\\b\\u12"),
        ] {
            assert_eq!(undone(link), expected);
        }
    }
}
