//! Stage 4: the end of a bare link, read forwards from its scheme.
//!
//! The link consists of its authority, path, query and fragment. The link ends before the first
//! unmatched closing bracket, or before the first character that browsers, terminals and human
//! readers take as the end of a link (see [`term`]). Links in text may also contain characters that
//! RFC 3986 and RFC 3987 do not allow (`|`, `[]`, a second `#`). A link that contains such a
//! character is marked as suspect, and only suspect links are parsed to find out whether they are
//! valid. `authority.rs` reads the authority, and `surroundings.rs` recognizes the characters that
//! end a link only in certain markup or programming languages.

use super::authority::{Authority, authority, unreserved_end};
use super::opaque::can_follow;
use super::start::Scheme;
use super::surroundings::entity_ends_link;
use super::text::{
    Brackets, CONTINUE, ESCAPE_LENGTH, Input, MAX_ESCAPE, NAME, Slashes, Term, char_start,
    escape_continues_link, escape_length, is_pct_encoded, is_spaceless, markup_escape, term,
    unescape, unicode_escape, unicode_escape_length,
};
use super::{adjacent_link, end_before};
use crate::link::{Kind, Link, Marks};
use std::borrow::Cow;
use urikit_scan::text::{BLOCK, outside, runs};

/// The end of a bare link, if the scheme begins one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndOfLink {
    /// The scheme does not begin a link.
    None,
    At(Ends),
}

impl EndOfLink {
    pub(super) const fn ends(self) -> Option<Ends> {
        match self {
            Self::None => None,
            Self::At(ends) => Some(ends),
        }
    }
}

/// The end of a bare link, and its properties.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Ends {
    pub(super) end: usize,
    /// The offset where the scan stopped: the end of the link or of the punctuation that follows
    /// it.
    pub(super) stop: usize,
    /// True if the link has escapes of string literals or of markup.
    pub(super) is_escaped: bool,
    pub(super) is_suspect: bool,
    pub(super) is_cut: bool,
}

impl Ends {
    pub(super) const fn marks(self) -> Marks {
        Marks {
            standard: None,
            is_suspect: self.is_suspect,
            is_cut: self.is_cut,
            is_template: false,
        }
    }
}

/// Returns the end of the link that starts with this scheme, whose colon is at `colon`.
#[inline]
pub(super) fn bare_end(
    text: &Input<'_>,
    name: Scheme,
    colon: usize,
    slashes: Slashes,
    max_length: usize,
) -> EndOfLink {
    let scheme = text.slice(name.start, colon);
    if scheme.len() < 2 {
        return EndOfLink::None;
    }
    let rest = colon + 1 + slashes.len();
    let limit = name.start.saturating_add(max_length);
    let mut scan = Scan {
        text,
        start: name.start,
        rest,
        slashes,
        limit,
        is_data: false,
        may_glue: true,
    };
    let mut ends = Ends {
        is_escaped: matches!(slashes, Slashes::Escaped | Slashes::UnicodeEscaped),
        ..Ends::default()
    };
    if slashes == Slashes::None {
        if !name.is_known || !can_follow(text, scheme, rest) {
            return EndOfLink::None;
        }
        scan.is_data = scheme.eq_ignore_ascii_case(b"data");
        scan.may_glue = false;
        scan.stop(rest, &mut ends);
        return scan.ends(ends, true);
    }
    // Most links consist of a registered name and common characters, and fit into one block.
    let (name, common) = runs(text.slice_from(rest), &NAME, &CONTINUE);
    let name = if name < BLOCK {
        rest + name
    } else {
        unreserved_end(text, rest, limit)
    };
    let Some(Authority {
        end,
        continues,
        is_suspect,
        is_cut,
    }) = authority(text, rest, name, slashes, scheme, limit)
    else {
        return EndOfLink::None;
    };
    ends.is_suspect = is_suspect;
    if continues {
        let start = if end == name {
            name.max(rest + common)
        } else {
            end
        };
        scan.stop(start, &mut ends);
    } else {
        ends.stop = end;
        ends.is_cut = is_cut;
    }
    scan.ends(ends, continues)
}

/// Returns the bare link from `start` to `end`.
#[inline]
pub(super) fn plain_link<'t>(
    text: &Input<'t>,
    start: usize,
    end: usize,
    marks: Marks,
) -> Option<Link<'t>> {
    Some(Link {
        range: start..end,
        uri: Cow::Borrowed(text.string(start, end)?),
        kind: Kind::Bare,
        alternative: None,
        marks,
    })
}

/// Returns the bare link from `start` without the escapes of string literals and of markup.
pub(super) fn escaped_link<'t>(text: &Input<'t>, start: usize, ends: Ends) -> Option<Link<'t>> {
    let mut link = plain_link(text, start, ends.end, ends.marks())?;
    link.uri = Cow::Owned(unescape(&link.uri));
    Some(link)
}

/// Returns the end of the abbreviated link that starts at `start` and whose host ends at
/// `host_end`.
pub(super) fn abbreviated_end(
    text: &Input<'_>,
    start: usize,
    host_end: usize,
    max_length: usize,
) -> EndOfLink {
    let limit = start.saturating_add(max_length);
    let scan = Scan {
        text,
        start,
        rest: host_end,
        slashes: Slashes::Plain,
        limit,
        is_data: false,
        may_glue: true,
    };
    let mut ends = Ends {
        stop: host_end,
        ..Ends::default()
    };
    if text.at(host_end) == Some(b':') {
        let port = text.run(host_end + 1, limit, |byte| byte.is_ascii_digit());
        if port > host_end + 1 {
            ends.stop = port;
        }
    }
    let continues = matches!(text.at(ends.stop), Some(b'/' | b'?' | b'#'));
    if continues {
        scan.stop(ends.stop, &mut ends);
    }
    match scan.ends(ends, continues) {
        // The link is the host, or as much of it as the limit allows.
        EndOfLink::None => EndOfLink::At(Ends {
            end: host_end.min(char_start(text, limit)),
            is_cut: ends.stop > limit,
            ..ends
        }),
        ends @ EndOfLink::At(_) => ends,
    }
}

// The code below reads the path, the query and the fragment.

/// The state of the scan that looks for the end of a link.
pub(super) struct Scan<'a, 't> {
    pub(super) text: &'a Input<'t>,
    pub(super) start: usize,
    /// The offset after the scheme's colon and slashes. The link must extend past this offset.
    pub(super) rest: usize,
    pub(super) slashes: Slashes,
    /// The link does not continue past this offset.
    pub(super) limit: usize,
    pub(super) is_data: bool,
    /// True if letters of a script that is written without spaces may directly follow other
    /// letters. The value is false for URLs without slashes.
    pub(super) may_glue: bool,
}

/// The component of the link that the scan has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Path,
    Query,
    Fragment,
}

impl Scan<'_, '_> {
    /// Scans the path, query and fragment that begin at `start`. Sets `ends.stop` and the flags of
    /// `ends`.
    pub(super) fn stop(&self, start: usize, ends: &mut Ends) {
        let text = self.text;
        // Most links end after the first run of common characters.
        if matches!(
            text.at(start),
            None | Some(0..=b' ' | b'"' | b'<' | b'>' | b'`' | b')' | b']' | b'}')
        ) {
            ends.stop = start;
            return;
        }
        let mut brackets = Brackets::new();
        let mut part = Component::Path;
        let mut may_glue = self.may_glue;
        let mut bars_separate = None;
        // The start of the current block, and a bit for each of its bytes that must be examined.
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
                    ends.is_suspect |= part == Component::Fragment;
                    part = Component::Fragment;
                }
                b'?' => {
                    may_glue = true;
                    if part == Component::Path {
                        part = Component::Query;
                    }
                }
                b'%' => ends.is_suspect |= !is_pct_encoded(text, at),
                b'&' if !entity_ends_link(text, at) => {}
                // `''` is an apostrophe in an SQL string, and `*/` ends a comment.
                b'\'' if text.at(at + 1) == Some(b'\'') => return,
                b'*' if self.ends_comment(at) => return,
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
                b'|' if *bars_separate.get_or_insert_with(|| self.bars_separate())
                    || part == Component::Path && self.is_parameter(at + 1) =>
                {
                    return;
                }
                b'^' | b'|' => ends.is_suspect = true,
                b'{' if brackets.open('}') => ends.is_suspect = true,
                b'[' if (part != Component::Path || self.has_bracket_in_path(at))
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

    /// Returns the length of the non-ASCII character at this offset if it is part of the link.
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

    /// Returns the length of the escape at this offset, from a string literal or from markup, if
    /// the escape is part of the link.
    #[cold]
    fn escape(&self, at: usize, part: &mut Component, ends: &mut Ends) -> Option<usize> {
        let text = self.text;
        if self.slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/') {
            return Some(2);
        }
        let number = unicode_escape(text, at).filter(|c| escape_continues_link(text, at, *c));
        let (c, length) = match number {
            Some(c) => (c, unicode_escape_length(c)),
            None => (markup_escape(text, at)?, 2),
        };
        match c {
            '#' => {
                ends.is_suspect |= *part == Component::Fragment;
                *part = Component::Fragment;
            }
            '?' if *part == Component::Path => *part = Component::Query,
            '%' => ends.is_suspect |= !text.has_hex_pair(at + length),
            '|' => ends.is_suspect = true,
            _ => {}
        }
        ends.is_escaped = true;
        Some(length)
    }

    /// Returns the end of the link after the scan has stopped: without trailing punctuation,
    /// opening brackets and emphasis marks. Only a link with a path, query or fragment can be
    /// shortened here.
    #[inline]
    pub(super) fn ends(&self, mut ends: Ends, has_path: bool) -> EndOfLink {
        let stop = ends.stop;
        if stop > self.limit {
            return self.cut(ends);
        }
        let text = self.text;
        let before = text.before(self.start);
        // The common case: a link that ends in a letter, a digit or a slash is not changed.
        if stop > self.rest
            && text
                .before(stop)
                .is_some_and(|last| last.is_ascii_alphanumeric() || last == b'/')
            && !matches!(before, Some(b'_' | b'~' | b'=' | b'+'))
        {
            ends.end = stop;
        } else {
            ends.end = self.trimmed_end(stop, &mut ends.is_cut);
            if ends.end <= self.rest {
                return EndOfLink::None;
            }
        }
        if has_path
            && ends.end == stop
            && matches!(
                text.at(stop),
                Some(b'\\' | b'(' | b'[' | b'{' | b'"' | 0x80..)
            )
        {
            ends.is_cut |= self.is_link_cut(stop);
        }
        EndOfLink::At(ends)
    }

    /// Returns where to cut an overlong link: before the character that exceeds the limit.
    #[cold]
    fn cut(&self, mut ends: Ends) -> EndOfLink {
        let text = self.text;
        ends.end = char_start(text, self.limit);
        // In a link, a backslash occurs only in an escape. Do not cut within an escape.
        let last = ends.end.saturating_sub(MAX_ESCAPE).max(self.rest);
        let escape = text.slice(last, ends.end);
        if let Some(at) = memchr::memrchr(b'\\', escape) {
            // The escape at the limit may be the second half of a surrogate pair.
            let first = (last + at).saturating_sub(ESCAPE_LENGTH).max(self.rest);
            let mut begins = [first, last + at].into_iter();
            if let Some(begin) = begins.find(|at| at + escape_length(text, *at) > ends.end) {
                ends.end = begin;
            }
        }
        if ends.end <= self.rest {
            return EndOfLink::None;
        }
        ends.stop = ends.end;
        ends.is_cut = true;
        // The cut may be within a percent-encoded octet or an IP literal.
        ends.is_suspect = true;
        EndOfLink::At(ends)
    }
}

fn follows_alphanumeric(text: &Input<'_>, at: usize) -> bool {
    text.before(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
}
