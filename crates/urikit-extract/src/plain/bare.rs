//! Bare links: where they end.
//!
//! After the scheme and the authority, the text is scanned up to the first character that ends a
//! link for browsers, terminals and readers, or to a closing bracket without its opening one (see
//! [`term`]). What RFC 3986 and RFC 3987 do not allow there (`|`, `[]`, a second `#`) is part of
//! the link where people write it so, and makes it a suspect: only those are parsed to know whether
//! they are valid.

use super::adjacent::{adjacent_link, end_before};
use super::authority::{self, Authority, authority, is_escape};
use super::entity;
use super::escape;
use super::input::Input;
use super::opaque::can_follow;
use super::scheme::{Name, Slashes};
use super::term::{CONTINUE, NAME, Term, can_end, is_invisible, is_spaceless, term};
use crate::link::{Kind, Link, Marks};
use std::borrow::Cow;
use urikit::internal::scan_text::{BLOCK, outside, runs};

/// At most this many brackets can be open at a time; one more ends the link.
const MAX_DEPTH: usize = 32;

/// How far a bracket in a path may close after it opens, in bytes.
const MAX_BRACKET: usize = 128;

/// How far before a link on its line a `|` says that such marks separate.
const MAX_LINE: usize = 256;

/// Where a bare link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bare {
    /// There is no link.
    None,
    /// The link is longer than allowed.
    TooLong,
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

/// The end of the link that begins with this scheme, whose colon is at `colon`.
#[inline]
pub(crate) fn end(
    text: &Input<'_>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    max_length: usize,
) -> Bare {
    let scheme = text.slice(name.start, colon);
    if scheme.len() < 2 {
        return Bare::None;
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
            return Bare::None;
        }
        scan.is_data = scheme.eq_ignore_ascii_case(b"data");
        scan.may_glue = false;
        scan.stop(rest, &mut ends);
        return scan.ends(ends, true);
    }
    // Most links consist of a registered name and common characters, in no more than one block.
    let (name, common) = runs(text.slice_from(rest), &NAME, &CONTINUE);
    let name = if name < BLOCK {
        rest + name
    } else {
        authority::name(text, rest, limit)
    };
    let Some(Authority {
        end,
        continues,
        is_suspect,
        is_cut,
    }) = authority(text, rest, name, slashes, scheme, limit)
    else {
        return Bare::None;
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

/// The bare link from `start` to `end`.
#[inline]
pub(crate) fn plain_link<'t>(
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

/// The same, without the escapes of string literals and of markup.
pub(crate) fn escaped_link<'t>(text: &Input<'t>, start: usize, ends: Ends) -> Option<Link<'t>> {
    let mut link = plain_link(text, start, ends.end, ends.marks())?;
    link.uri = Cow::Owned(escape::unescape(&link.uri));
    Some(link)
}

/// The end of the abbreviated link that begins at `start` and whose host ends at `host_end`.
pub(crate) fn abbreviated(
    text: &Input<'_>,
    start: usize,
    host_end: usize,
    max_length: usize,
) -> Bare {
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
        let mut port = host_end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
        if port > host_end + 1 {
            ends.stop = port;
        }
    }
    let continues = matches!(text.at(ends.stop), Some(b'/' | b'?' | b'#'));
    if continues {
        scan.stop(ends.stop, &mut ends);
    }
    match scan.ends(ends, continues) {
        Bare::None => Bare::Ends(Ends {
            end: host_end,
            ..ends
        }),
        ends => ends,
    }
}

struct Scan<'a, 't> {
    text: &'a Input<'t>,
    start: usize,
    /// After the scheme's colon and slashes. A link must end after this.
    rest: usize,
    slashes: Slashes,
    /// No link continues past this offset.
    limit: usize,
    is_data: bool,
    /// Whether letters of a script without spaces may follow other letters. In URLs of schemes
    /// without slashes they do not.
    may_glue: bool,
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
    fn stop(&self, start: usize, ends: &mut Ends) {
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
                0x80.. => {
                    let Some((c, bytes)) = text.char_at(at) else {
                        return;
                    };
                    let is_part = match term(c) {
                        Term::Include => {
                            may_glue || !is_spaceless(c) || !follows_alphanumeric(text, at)
                        }
                        Term::Soft => {
                            c != '\u{2019}' || text.char_before(self.start) != Some('\u{2018}')
                        }
                        Term::Open(close) => brackets.open(close),
                        Term::Close => brackets.close(c),
                        Term::Hard => false,
                    };
                    if !is_part {
                        return;
                    }
                    length = bytes;
                }
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
    fn ends(&self, mut ends: Ends, has_path: bool) -> Bare {
        let stop = ends.stop;
        if stop > self.limit {
            return Bare::TooLong;
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
            let mut end = self.without_soft(stop);
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

/// The brackets that are open.
struct Brackets {
    closers: [char; MAX_DEPTH],
    depth: usize,
}

impl Brackets {
    const fn new() -> Self {
        Self {
            closers: ['\0'; MAX_DEPTH],
            depth: 0,
        }
    }

    fn open(&mut self, close: char) -> bool {
        let place = self.closers.get_mut(self.depth);
        let is_there = place.is_some();
        if let Some(place) = place {
            *place = close;
            self.depth += 1;
        }
        is_there
    }

    fn close(&mut self, c: char) -> bool {
        let open = self.depth.checked_sub(1);
        let is_open = open.and_then(|open| self.closers.get(open)) == Some(&c);
        if is_open {
            self.depth -= 1;
        }
        is_open
    }
}

fn follows_alphanumeric(text: &Input<'_>, at: usize) -> bool {
    text.before(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
}
