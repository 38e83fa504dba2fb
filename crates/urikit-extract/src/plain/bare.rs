//! Bare links: where they end.
//!
//! After the scheme and the authority, the text is scanned up to the first character that cannot
//! be in a link, or to a closing bracket without its opening one (see [`term`]). The scan accepts
//! only what RFC 3986 and RFC 3987 allow in a path, a query and a fragment, so the result is a
//! valid reference and nothing is scanned twice.

use super::adjacent::adjacent_link;
use super::authority::{self, NAME, authority, is_escape};
use super::entity;
use super::escape;
use super::input::Input;
use super::scheme::{Name, Slashes, can_follow};
use super::term::{CONTINUE, Step, Term, can_end, is_spaceless, step, term};
use crate::link::{Kind, Link, Marks};
use core::cell::Cell;
use std::borrow::Cow;
use urikit::internal::scan_text::{BLOCK, runs};

/// At most this many brackets can be open at a time; one more ends the link.
const MAX_DEPTH: usize = 32;

/// Where a bare link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bare {
    /// There is no link.
    None,
    /// The link is longer than allowed.
    TooLong,
    /// The link ends at `end`. The scan stopped at `stop`, which is the same or comes after
    /// trailing punctuation. `is_escaped`: the link has escapes of string literals.
    Ends {
        end: usize,
        stop: usize,
        is_escaped: bool,
    },
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
        is_escaped: Cell::new(matches!(
            slashes,
            Slashes::Escaped | Slashes::UnicodeEscaped
        )),
    };
    if slashes == Slashes::None {
        if !name.is_known || !can_follow(text, scheme, rest) {
            return Bare::None;
        }
        scan.is_data = scheme.eq_ignore_ascii_case(b"data");
        scan.may_glue = false;
        return scan.ends(scan.stop(rest));
    }
    // Most links consist of a registered name and common characters, in no more than one block.
    let (name, common) = runs(text.slice_from(rest), &NAME, &CONTINUE);
    let name = if name < BLOCK {
        rest + name
    } else {
        authority::name(text, rest, limit)
    };
    match authority(text, rest, name, slashes, scheme, limit) {
        None => Bare::None,
        Some(authority) if authority.continues => {
            let is_name = authority.end == name;
            let start = if is_name {
                name.max(rest + common)
            } else {
                authority.end
            };
            scan.ends(scan.stop(start))
        }
        Some(authority) => scan.ends(authority.end),
    }
}

/// The bare link from `start` to `end`.
#[inline]
pub(crate) fn plain_link<'t>(text: &Input<'t>, start: usize, end: usize) -> Option<Link<'t>> {
    Some(Link {
        range: start..end,
        uri: Cow::Borrowed(text.string(start, end)?),
        kind: Kind::Bare,
        alternative: None,
        marks: Marks::default(),
    })
}

/// The same, without the escapes of string literals.
pub(crate) fn escaped_link<'t>(text: &Input<'t>, start: usize, end: usize) -> Option<Link<'t>> {
    let mut link = plain_link(text, start, end)?;
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
        is_escaped: Cell::new(false),
    };
    let mut end = host_end;
    if text.at(end) == Some(b':') {
        let mut port = end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
        if port > end + 1 {
            end = port;
        }
    }
    let stop = if matches!(text.at(end), Some(b'/' | b'?' | b'#')) {
        scan.stop(end)
    } else {
        end
    };
    match scan.ends(stop) {
        Bare::None => Bare::Ends {
            end: host_end,
            stop,
            is_escaped: false,
        },
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
    /// Whether the link has escapes of string literals.
    is_escaped: Cell<bool>,
}

impl Scan<'_, '_> {
    /// The end of the path, query and fragment that begin at `start`.
    fn stop(&self, start: usize) -> usize {
        let text = self.text;
        let mut at = start;
        let mut brackets = Brackets::new();
        let mut in_fragment = false;
        let mut may_glue = self.may_glue;
        while at <= self.limit {
            at = text.skip_common(at, self.limit);
            // To the first byte that may end the link.
            at = text.run(at, self.limit, |byte| step(byte) == Step::Continue);
            if at > self.limit {
                return at;
            }
            let Some(byte) = text.at(at) else {
                return at;
            };
            match byte {
                b'#' if in_fragment => return at,
                b'#' => in_fragment = true,
                b'?' => may_glue = true,
                b'%' if is_escape(text, at) => at += 2,
                b'&' if !entity::ends_link(text, at) => {}
                b'\'' | b'*' if text.before(self.start) != Some(byte) => {}
                b':' => {
                    if at > self.rest
                        && !self.is_data
                        && let Some(next) = adjacent_link(text, at, self.rest)
                    {
                        return next;
                    }
                }
                b'\\' if self.slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/') => {
                    at += 1;
                }
                b'\\' => {
                    let number = escape::number(text, at).filter(|c| {
                        escape::continues_link(text, at, *c) && !(*c == '#' && in_fragment)
                    });
                    let Some(c) = number else {
                        return at;
                    };
                    in_fragment |= c == '#';
                    self.is_escaped.set(true);
                    at += escape::LENGTH - 1;
                }
                b'(' if brackets.open(')') => {}
                b')' if brackets.close(')') => {}
                0x80.. => {
                    let Some((c, length)) = text.char_at(at) else {
                        return at;
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
                        return at;
                    }
                    at += length - 1;
                }
                _ => return at,
            }
            at += 1;
        }
        at
    }

    /// The end of the link when the scan stopped here: without trailing punctuation, opening
    /// brackets and emphasis marks.
    #[inline]
    fn ends(&self, stop: usize) -> Bare {
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
            && text.before(stop - 1) != Some(b'%')
            && !matches!(before, Some(b'_' | b'~' | b'='))
        {
            return self.ends_at(stop, stop);
        }
        let mut end = stop;
        // `${…}` and `#{…}` are template placeholders.
        if text
            .before(end)
            .is_some_and(|byte| matches!(byte, b'$' | b'#'))
            && text.at(stop) == Some(b'{')
        {
            end -= 1;
        }
        // `%4ftp://…`: another link begins within what looked like a percent-encoded octet.
        if text.before(end) == Some(b'%') {
            end -= 1;
        } else if text.before(end - 1) == Some(b'%') {
            end -= 2;
        }
        end = self.without_soft(end);
        if let Some(mark @ (b'_' | b'~' | b'=')) = before {
            // `_http://a/_`. A single `=` is not emphasis.
            let is_emphasis =
                mark != b'=' || self.start >= 2 && text.before(self.start - 1) == Some(b'=');
            while is_emphasis && end > self.rest && text.before(end) == Some(mark) {
                end -= 1;
            }
            end = self.without_soft(end);
        }
        if end > self.rest {
            self.ends_at(end, stop)
        } else {
            Bare::None
        }
    }

    #[inline]
    fn ends_at(&self, end: usize, stop: usize) -> Bare {
        Bare::Ends {
            end,
            stop,
            is_escaped: self.is_escaped.get(),
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
