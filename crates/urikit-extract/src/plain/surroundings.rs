//! Recognizes where the surrounding markup or programming language ends a link: comments, emphasis
//! and tables, parameters in wikis, string literals, and character references in HTML.

use super::end::Scan;
use super::text::{Input, Term, can_end, is_invisible, is_lone_surrogate, term};
use crate::decode::CELL;

/// The maximum distance between brackets in a path, in bytes.
const MAX_BRACKET: usize = 128;

/// A `|` after a link counts as a separator only if another `|` precedes the link by at most
/// this many bytes.
const MAX_BAR_DISTANCE: usize = 256;

/// The maximum length of a parameter name in a wiki template, in bytes.
const MAX_PARAMETER: usize = 32;

/// The maximum length of the white space between two parts of a string literal, in bytes.
const MAX_INDENT: usize = 64;

impl Scan<'_, '_> {
    /// Returns true if a `|` after the link separates it from other text, as in tables and in the
    /// markup of wikis and chats. The `|` is a separator if another `|` or an inline tag (`{@link`)
    /// precedes the link on its line, or if `[` or `<` directly precedes the link.
    #[cold]
    pub(super) fn bars_separate(&self) -> bool {
        let lowest = self.start.saturating_sub(MAX_BAR_DISTANCE);
        let line = self.text.slice(lowest, self.start);
        let line = line.rsplit(|byte| *byte == b'\n').next();
        line.is_some_and(|line| {
            let is_tagged = || line.windows(2).any(|pair| pair == b"{@");
            line.contains(&b'|') || matches!(line, [.., b'[' | b'<']) || is_tagged()
        })
    }

    /// Returns true if a name and `=` begin here, as in a wiki template:
    /// `url=http://a.example/b|title=c`.
    #[cold]
    pub(super) fn is_parameter(&self, at: usize) -> bool {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte);
        let end = self.text.run(at, at + MAX_PARAMETER, is_name);
        end > at && self.text.at(end) == Some(b'=')
    }

    /// Returns true if the `*` at this offset ends a comment in source code. A `*` that is a
    /// segment of a path does not end a comment.
    #[cold]
    pub(super) fn ends_comment(&self, at: usize) -> bool {
        let text = self.text;
        text.at(at + 1) == Some(b'/')
            && text
                .at(at + 2)
                .is_none_or(|next| next.is_ascii_whitespace())
            && text.before(at) != Some(b'/')
    }

    /// Returns true if a bracket in a path belongs to the path: it encloses a number, or the path
    /// continues after it. Otherwise the bracket is markup after the link
    /// (`http://a.example/[text]`).
    #[cold]
    pub(super) fn has_bracket_in_path(&self, open: usize) -> bool {
        let text = self.text;
        let mut is_number = true;
        for at in open + 1..open + MAX_BRACKET {
            match text.at(at) {
                Some(b']') => {
                    let continues =
                        |byte: u8| byte.is_ascii_alphanumeric() || b"/?#&=.-_%+~[".contains(&byte);
                    return at > open + 1 && is_number
                        || text.at(at + 1).is_some_and(continues)
                            && text
                                .at(at + 2)
                                .is_some_and(|byte| !byte.is_ascii_whitespace());
                }
                None | Some(0..=b' ' | b'"' | b'<' | b'>' | b'[' | b'`' | b'\\') => return false,
                Some(byte) => is_number &= byte.is_ascii_digit(),
            }
        }
        false
    }

    /// Returns the end of the link before `stop`, without trailing punctuation, opening brackets
    /// and the marks of the surrounding language: `-->`, a TeX comment or emphasis. Sets `is_cut`
    /// if the link seems to continue in the text.
    pub(super) fn trimmed_end(&self, stop: usize, is_cut: &mut bool) -> usize {
        let text = self.text;
        // In TeX, `%` begins a comment. Elsewhere, a trailing `%` belongs to the link, which is
        // then cut off.
        let is_comment = text.before(stop) == Some(b'%')
            && text.at(stop).is_none_or(|byte| byte.is_ascii_whitespace());
        let mut end = self.without_soft(stop - usize::from(is_comment));
        if text.at(end) == Some(b'>') && text.slice(end.saturating_sub(2), end) == b"--" {
            // `-->` ends an HTML comment.
            end = self.without_soft(end - 2);
        }
        if let Some(mark @ (b'_' | b'~' | b'=' | b'+')) = text.before(self.start) {
            // `_http://a/_`, `++http://a/++`. A single `=` or `+` is not emphasis.
            let is_emphasis = !matches!(mark, b'=' | b'+')
                || self.start >= 2 && text.before(self.start - 1) == Some(mark);
            while is_emphasis && end > self.rest && text.before(end) == Some(mark) {
                end -= 1;
            }
            end = self.without_soft(end);
        }
        let rest = text.slice_from(end);
        *is_cut |= is_comment || rest.starts_with(b"...") || rest.starts_with("…".as_bytes());
        let is_cell = || text.at(stop) == Some(CELL) && text.before(self.start) == Some(CELL);
        if !*is_cut && is_cell() { stop } else { end }
    }

    /// Returns `end`, moved back over preceding soft punctuation and opening brackets.
    #[inline]
    fn without_soft(&self, mut end: usize) -> usize {
        let text = self.text;
        while end > self.rest {
            let Some(last) = text.before(end) else {
                break;
            };
            if last.is_ascii() {
                if can_end(char::from(last)) {
                    break;
                }
                end -= 1;
            } else {
                let Some(c) = text.char_before(end).filter(|c| !can_end(*c)) else {
                    break;
                };
                end -= c.len_utf8();
            }
        }
        end
    }
    /// Returns true if the link seems to continue in the text after it.
    #[cold]
    pub(super) fn is_link_cut(&self, stop: usize) -> bool {
        let text = self.text;
        match text.at(stop) {
            // A string literal that continues on the next line, as in PO files and C.
            Some(b'"') => {
                let is_space = |byte: u8| byte.is_ascii_whitespace();
                let next = text.run(stop + 1, stop + MAX_INDENT, is_space);
                text.slice(stop + 1, next).contains(&b'\n')
                    && text.at(next) == Some(b'"')
                    && text
                        .at(next + 1)
                        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'/')
            }
            // An escape in a string literal, such as `\n`, is not part of the link.
            Some(b'\\') => {
                let is_letter =
                    |next: u8| next.is_ascii_alphanumeric() && !b"nrtbfvae0xuU".contains(&next);
                text.at(stop + 1).is_some_and(is_letter) || is_lone_surrogate(text, stop)
            }
            Some(0x80..) => match text.char_at(stop) {
                None => true,
                Some((c, length)) => {
                    is_invisible(c)
                        && text
                            .char_at(stop + length)
                            .is_some_and(|(next, _)| next.is_alphanumeric())
                }
            },
            _ => text
                .char_at(stop + 1)
                .is_some_and(|(next, _)| next.is_alphanumeric()),
        }
    }
}

// HTML character references. In a link copied from HTML, `&quot;` or `&#60;` represents a character
// that ends the link.

/// The names of quotation marks, angle brackets and spaces.
const ENDING_ENTITIES: [&[u8]; 19] = [
    b"lt;", b"gt;", b"quot;", b"apos;", b"nbsp;", b"ldquo;", b"rdquo;", b"lsquo;", b"rsquo;",
    b"laquo;", b"raquo;", b"bdquo;", b"sbquo;", b"lsaquo;", b"rsaquo;", b"ensp;", b"emsp;",
    b"thinsp;", b"zwsp;",
];

/// The maximum length of a character reference after its ampersand, in bytes: `#x10FFFF;`.
const MAX_ENTITY: usize = 10;

/// Returns true if the ampersand at this offset begins a reference to a character that ends a link.
pub(super) fn entity_ends_link(text: &Input<'_>, ampersand: usize) -> bool {
    // Most queries contain no semicolon near an ampersand.
    let near = text.slice(ampersand + 1, ampersand + 1 + MAX_ENTITY);
    if near.len() == MAX_ENTITY && !near.contains(&b';') {
        return false;
    }
    match text.at(ampersand + 1) {
        Some(b'#') => code_point(text, ampersand + 2)
            .and_then(char::from_u32)
            .is_some_and(|c| c == '\'' || term(c) == Term::Hard),
        Some(_) => ENDING_ENTITIES
            .iter()
            .any(|name| text.has(ampersand + 1, name)),
        None => false,
    }
}

/// Returns the code point of a numeric character reference, which is decimal, or hexadecimal after
/// `x`, and which ends with a semicolon.
fn code_point(text: &Input<'_>, start: usize) -> Option<u32> {
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
