//! The scan for the end of a link, over its path, query and fragment, and what is removed there.

use super::adjacent::{adjacent_link, end_before};
use super::authority::is_escape;
use super::brackets::Brackets;
use super::entity;
use super::escape;
use super::input::Input;
use super::scheme::Slashes;
use super::term::{CONTINUE, Term, can_end, is_invisible, is_spaceless, term};
use crate::link::Marks;
use urikit::internal::scan_text::{BLOCK, outside};

/// How far a bracket in a path may close after it opens, in bytes.
const MAX_BRACKET: usize = 128;

/// How far before a link on its line a `|` says that such marks separate.
const MAX_LINE: usize = 256;

/// Where a bare link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bare {
    /// There is no link.
    None,
    Ends(Ends),
}

/// The end of a bare link.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Ends {
    pub(crate) end: usize,
    /// Where the scan stopped: the same, or after trailing punctuation.
    pub(crate) stop: usize,
    /// Whether the link has escapes of string literals or of markup.
    pub(crate) is_escaped: bool,
    pub(crate) is_suspect: bool,
    pub(crate) is_cut: bool,
}

impl Ends {
    pub(crate) const fn marks(self) -> Marks {
        Marks {
            standard: None,
            is_suspect: self.is_suspect,
            is_cut: self.is_cut,
        }
    }
}

/// The search for the end of a link.
pub(crate) struct Scan<'a, 't> {
    pub(crate) text: &'a Input<'t>,
    pub(crate) start: usize,
    /// After the scheme's colon and slashes. A link must end after this.
    pub(crate) rest: usize,
    pub(crate) slashes: Slashes,
    /// No link continues past this offset.
    pub(crate) limit: usize,
    pub(crate) is_data: bool,
    /// Whether letters of a script without spaces may follow other letters. In URLs of schemes
    /// without slashes they do not.
    pub(crate) may_glue: bool,
}

/// The component that the scan is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    Path,
    Query,
    Fragment,
}

impl Scan<'_, '_> {
    /// Sets `stop`, and the marks, for the path, query and fragment that begin at `start`.
    pub(crate) fn stop(&self, start: usize, ends: &mut Ends) {
        let text = self.text;
        // Most links end with the run of common characters.
        if matches!(
            text.at(start),
            None | Some(0..=b' ' | b'"' | b'<' | b'>' | b'`' | b')' | b']' | b'}')
        ) {
            ends.stop = start;
            return;
        }
        let mut brackets = Brackets::new();
        let mut part = In::Path;
        let mut may_glue = self.may_glue;
        let mut bars_separate = None;
        // The bytes of the current block over which the link does not just continue.
        let mut block = start;
        let mut marks = outside(text.slice_from(block), &CONTINUE);
        loop {
            if marks == 0 {
                block += BLOCK;
                if block > self.limit {
                    ends.stop = block;
                    return;
                }
                marks = outside(text.slice_from(block), &CONTINUE);
                continue;
            }
            let at = block + marks.trailing_zeros() as usize;
            ends.stop = at;
            if at > self.limit {
                return;
            }
            let Some(byte) = text.at(at) else {
                return;
            };
            let mut length = 1;
            match byte {
                b'#' => {
                    ends.is_suspect |= part == In::Fragment;
                    part = In::Fragment;
                }
                b'?' => {
                    may_glue = true;
                    if part == In::Path {
                        part = In::Query;
                    }
                }
                b'%' => ends.is_suspect |= !is_escape(text, at),
                b'&' if !entity::ends_link(text, at) => {}
                b'\'' | b'*' if text.before(self.start) != Some(byte) => {}
                b':' => {
                    if at > self.rest
                        && !self.is_data
                        && let Some(next) = adjacent_link(text, at, self.rest)
                    {
                        ends.stop = end_before(text, next);
                        return;
                    }
                }
                b'^' => ends.is_suspect = true,
                b'|' if !*bars_separate.get_or_insert_with(|| self.bars_separate()) => {
                    ends.is_suspect = true;
                }
                b'{' if brackets.open('}') => ends.is_suspect = true,
                b'[' if (part != In::Path || self.has_bracket_in_path(at))
                    && brackets.open(']') =>
                {
                    ends.is_suspect = true;
                }
                b'}' | b']' if brackets.close(char::from(byte)) => ends.is_suspect = true,
                b'(' if brackets.open(')') => {}
                b')' if brackets.close(')') => {}
                b'\\' => match self.escape(at, &mut part, ends) {
                    Some(escape) => length = escape,
                    None => return,
                },
                0x80.. => match self.character(at, may_glue, &mut brackets) {
                    Some(bytes) => length = bytes,
                    None => return,
                },
                _ => return,
            }
            let passed = at + length - block;
            if passed < BLOCK {
                marks &= u64::MAX << passed;
            } else {
                block += passed;
                marks = outside(text.slice_from(block), &CONTINUE);
            }
        }
    }

    /// The length of the character beyond US-ASCII at this offset, if the link continues over it.
    fn character(&self, at: usize, may_glue: bool, brackets: &mut Brackets) -> Option<usize> {
        let text = self.text;
        let (c, length) = text.char_at(at)?;
        let is_part = match term(c) {
            Term::Include => may_glue || !is_spaceless(c) || !follows_alphanumeric(text, at),
            Term::Soft => c != '\u{2019}' || text.char_before(self.start) != Some('\u{2018}'),
            Term::Open(close) => brackets.open(close),
            Term::Close => brackets.close(c),
            Term::Hard => false,
        };
        is_part.then_some(length)
    }

    /// The length of the escape of a string literal or of markup at this offset, if the link
    /// continues over it.
    #[cold]
    fn escape(&self, at: usize, part: &mut In, ends: &mut Ends) -> Option<usize> {
        let text = self.text;
        if self.slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/') {
            return Some(2);
        }
        let number = escape::number(text, at).filter(|c| escape::continues_link(text, at, *c));
        let (c, length) = match number {
            Some(c) => (c, escape::LENGTH),
            None => (escape::mark(text, at)?, 2),
        };
        match c {
            '#' => {
                ends.is_suspect |= *part == In::Fragment;
                *part = In::Fragment;
            }
            '?' if *part == In::Path => *part = In::Query,
            '%' => ends.is_suspect |= !text.has_hex_pair(at + length),
            '|' => ends.is_suspect = true,
            _ => {}
        }
        ends.is_escaped = true;
        Some(length)
    }

    /// Whether `|` separates the link from what follows, as in tables and in the markup of wikis
    /// and chats: one is before the link on its line, or an opening bracket is.
    #[cold]
    fn bars_separate(&self) -> bool {
        let lowest = self.start.saturating_sub(MAX_LINE);
        let line = self.text.slice(lowest, self.start);
        let line = line.rsplit(|byte| *byte == b'\n').next();
        line.is_some_and(|line| line.contains(&b'|') || matches!(line, [.., b'[' | b'<']))
    }

    /// Whether a bracket in a path belongs to it: what is in it is a number, or the path continues
    /// after it. Otherwise it is what markup writes after a link (`http://a.example/[text]`).
    #[cold]
    fn has_bracket_in_path(&self, open: usize) -> bool {
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

    /// The end of the link when the scan stopped: without trailing punctuation, opening brackets
    /// and emphasis marks. It can only be cut in a path and what follows it.
    #[inline]
    pub(crate) fn ends(&self, mut ends: Ends, has_path: bool) -> Bare {
        let stop = ends.stop;
        if stop > self.limit {
            return self.cut(ends);
        }
        let text = self.text;
        let before = text.before(self.start);
        // The common case: nothing below removes a letter, a digit or a slash.
        if stop > self.rest
            && text
                .before(stop)
                .is_some_and(|last| last.is_ascii_alphanumeric() || last == b'/')
            && !matches!(before, Some(b'_' | b'~' | b'='))
        {
            ends.end = stop;
        } else {
            // In TeX, `%` begins a comment; elsewhere the link had one more character.
            let is_comment = text.before(stop) == Some(b'%')
                && text.at(stop).is_none_or(|byte| byte.is_ascii_whitespace());
            ends.is_cut |= is_comment;
            let mut end = self.without_soft(stop - usize::from(is_comment));
            if let Some(mark @ (b'_' | b'~' | b'=')) = before {
                // `_http://a/_`. A single `=` is not emphasis.
                let is_emphasis =
                    mark != b'=' || self.start >= 2 && text.before(self.start - 1) == Some(b'=');
                while is_emphasis && end > self.rest && text.before(end) == Some(mark) {
                    end -= 1;
                }
                end = self.without_soft(end);
            }
            if end <= self.rest {
                return Bare::None;
            }
            ends.end = end;
        }
        if has_path
            && ends.end == stop
            && matches!(text.at(stop), Some(b'\\' | b'(' | b'[' | b'{' | 0x80..))
        {
            ends.is_cut |= self.is_cut(stop);
        }
        Bare::Ends(ends)
    }

    /// The end of a link that is longer than allowed: before the character that exceeds the limit.
    #[cold]
    fn cut(&self, mut ends: Ends) -> Bare {
        let text = self.text;
        ends.end = char_start(text, self.limit);
        // A link has no backslash but in an escape.
        let last = ends.end.saturating_sub(escape::LENGTH).max(self.rest);
        let escape = text.slice(last, ends.end);
        if let Some(at) = memchr::memrchr(b'\\', escape)
            && last + at + escape::length(text, last + at) > ends.end
        {
            ends.end = last + at;
        }
        if ends.end <= self.rest {
            return Bare::None;
        }
        ends.stop = ends.end;
        ends.is_cut = true;
        // A percent-encoded octet may be cut, or an IP literal.
        ends.is_suspect = true;
        Bare::Ends(ends)
    }

    /// Whether more of the link follows the character that ends it.
    #[cold]
    fn is_cut(&self, stop: usize) -> bool {
        let text = self.text;
        match text.at(stop) {
            // An escape of a string literal ends a link as a quotation mark does.
            Some(b'\\') => text.at(stop + 1).is_some_and(|next| {
                next.is_ascii_alphanumeric() && !b"nrtbfvae0xuU".contains(&next)
            }),
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

    /// The end without soft punctuation and opening brackets before it.
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
}

/// Where the character begins that is at this offset.
pub(super) fn char_start(text: &Input<'_>, offset: usize) -> usize {
    let bytes = text.slice(offset.saturating_sub(3), offset.saturating_add(1));
    let continues = bytes.iter().rev().take_while(|byte| **byte & 0xC0 == 0x80);
    offset - continues.count().min(3)
}

fn follows_alphanumeric(text: &Input<'_>, at: usize) -> bool {
    text.before(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
}
