//! HTML character references in plain text.
//!
//! In a link copied from HTML, `&quot;` or `&#60;` stands for a character that would end the link.

use super::input::Input;
use super::term::{Term, term};

/// Names of quotation marks, angle brackets and spaces.
const NAMES: [&[u8]; 19] = [
    b"lt;", b"gt;", b"quot;", b"apos;", b"nbsp;", b"ldquo;", b"rdquo;", b"lsquo;", b"rsquo;",
    b"laquo;", b"raquo;", b"bdquo;", b"sbquo;", b"lsaquo;", b"rsaquo;", b"ensp;", b"emsp;",
    b"thinsp;", b"zwsp;",
];

/// The longest reference that counts has no more bytes after its ampersand: `#x10FFFF;`.
const MAX_LENGTH: usize = 10;

/// Whether a reference to such a character begins with the ampersand at this offset.
pub(crate) fn ends_link(text: &Input<'_>, ampersand: usize) -> bool {
    // In most queries no semicolon is near.
    let near = text.slice(ampersand + 1, ampersand + 1 + MAX_LENGTH);
    if near.len() == MAX_LENGTH && !near.contains(&b';') {
        return false;
    }
    match text.at(ampersand + 1) {
        Some(b'#') => number(text, ampersand + 2)
            .and_then(char::from_u32)
            .is_some_and(|c| c == '\'' || term(c) == Term::Hard),
        Some(_) => NAMES.iter().any(|name| text.has(ampersand + 1, name)),
        None => false,
    }
}

/// The code point of a numeric reference, decimal or (after `x`) hexadecimal, with its semicolon.
fn number(text: &Input<'_>, start: usize) -> Option<u32> {
    let is_hexadecimal = matches!(text.at(start), Some(b'x' | b'X'));
    let (radix, start) = if is_hexadecimal {
        (16, start + 1)
    } else {
        (10, start)
    };
    let mut number = None;
    for at in start..start + 8 {
        let c = char::from(text.at(at)?);
        if c == ';' {
            return number;
        }
        let digit = c.to_digit(radix)?;
        number = Some(
            number
                .unwrap_or(0_u32)
                .checked_mul(radix)?
                .checked_add(digit)?,
        );
    }
    None
}
