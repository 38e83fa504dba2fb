//! Characters that no part may contain.

use super::shape::Shape;
use crate::finding::{Code, Findings};

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let input = shape.input;
    let begin = shape.offset(shape.trimmed);
    let end = begin + shape.trimmed.len();
    if end < input.len() {
        found.add(Code::SurroundingBlank, end);
    }
    if begin > 0 {
        found.add(Code::SurroundingBlank, 0);
    }
    for (at, c) in input.char_indices() {
        let is_inside = (begin..end).contains(&at);
        match c {
            '\t' | '\r' | '\n' => found.add(Code::StrippedCharacter, at),
            ' ' if is_inside => found.add(Code::Space, at),
            ' ' => {}
            _ if c.is_control() => found.add(Code::ControlCharacter, at),
            _ if is_invisible(c) => found.add(Code::InvisibleCharacter, at),
            _ => {}
        }
        if !c.is_ascii() {
            found.add(Code::NotAscii, at);
        }
    }
    backslash(shape, found);
}

/// The schemes after which browsers see a slash in a backslash.
const SLASHED: [&str; 6] = ["http", "https", "ws", "wss", "ftp", "file"];

/// A backslash up to the end of the authority, where browsers see a slash; or after it. After
/// another scheme, they see none, but a backslash in an authority is still one that readers differ
/// about.
fn backslash(shape: &Shape<'_>, found: &mut Findings) {
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let is_other = shape
        .scheme
        .is_some_and(|scheme| scheme.bytes().all(is_scheme) && !shape.is_one_of(&SLASHED));
    let end = shape.rest.find(['?', '#']).unwrap_or(shape.rest.len());
    let hierarchy = shape.rest.get(..end).unwrap_or(shape.rest);
    for (at, _) in hierarchy.match_indices('\\') {
        let offset = shape.offset(hierarchy) + at;
        let in_authority = match shape.authority {
            Some(authority) => offset < shape.offset(authority) + authority.len(),
            // before a word, and after slashes only
            None if is_other => continue,
            None => hierarchy
                .bytes()
                .take(at)
                .all(|byte| matches!(byte, b'/' | b'\\')),
        };
        match in_authority {
            true => found.add(Code::Backslash, offset),
            false if is_other => {}
            false => found.add(Code::BackslashInRest, offset),
        }
    }
}

/// Whether a character has no glyph, is a space other than U+0020, or directs text (the default
/// ignorable code points of Unicode, and the bidirectional controls).
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || !c.is_ascii() && c.is_whitespace()
}
