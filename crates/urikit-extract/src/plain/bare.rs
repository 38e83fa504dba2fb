//! Bare links: where they end.
//!
//! From behind the scheme and the authority the text is walked to the first character that no link has there, or to a
//! bracket that nothing opened (see [`term`]). The walk takes only what RFC 3986 and RFC 3987 have in a path, a query
//! and a fragment, so that what was walked is a reference, and no text is walked twice.

use super::adjacent::another;
use super::authority::{self, NAME, authority, is_escape};
use super::entity;
use super::escape;
use super::input::Input;
use super::scheme::{Name, Slashes, can_follow};
use super::term::{ON, Step, Term, can_end, is_spaceless, step, term};
use crate::link::{Kind, Link};
use core::cell::Cell;
use std::borrow::Cow;
use urikit::scan_text::{BLOCK, runs};

/// Brackets that are open at one time; one more ends the link.
const DEEPEST: usize = 32;

/// Where a bare link ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bare {
    /// There is none.
    None,
    /// The link is longer than it may be.
    TooLong,
    /// The link ends at `end`; what stands at `stop` is what ended it. Whether there are a program's escapes in it.
    Ends {
        end: usize,
        stop: usize,
        is_escaped: bool,
    },
}

/// Where the link ends that begins with this name, whose colon is at `colon`.
#[inline]
pub(crate) fn end(
    text: &Input<'_>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    longest: usize,
) -> Bare {
    let scheme = text.slice(name.start, colon);
    if scheme.len() < 2 {
        return Bare::None;
    }
    let rest = colon + 1 + slashes.len();
    let limit = name.start.saturating_add(longest);
    let mut walk = Walk {
        text,
        start: name.start,
        rest,
        slashes,
        limit,
        is_data: false,
        may_glue: true,
        is_escaped: Cell::new(matches!(slashes, Slashes::Escaped | Slashes::Numbered)),
    };
    if slashes == Slashes::None {
        if !name.is_known || !can_follow(text, scheme, rest) {
            return Bare::None;
        }
        walk.is_data = scheme.eq_ignore_ascii_case(b"data");
        walk.may_glue = false;
        return walk.ends(walk.stop(rest));
    }
    // Most links are a host's name and then plain characters, no longer than this sees.
    let (name, plain) = runs(text.slice_from(rest), &NAME, &ON);
    let name = if name < BLOCK {
        rest + name
    } else {
        authority::name(text, rest, limit)
    };
    match authority(text, rest, name, slashes, scheme, limit) {
        None => Bare::None,
        Some(authority) if authority.goes_on => {
            let is_name = authority.end == name;
            let start = if is_name {
                name.max(rest + plain)
            } else {
                authority.end
            };
            walk.ends(walk.stop(start))
        }
        Some(authority) => walk.ends(authority.end),
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
    })
}

/// The same, with the escapes of a program's notation undone.
pub(crate) fn escaped_link<'t>(text: &Input<'t>, start: usize, end: usize) -> Option<Link<'t>> {
    let mut link = plain_link(text, start, end)?;
    link.uri = Cow::Owned(escape::undone(&link.uri));
    Some(link)
}

/// Where the abbreviated link ends that begins at `start`, and whose host ends at `host_end`.
pub(crate) fn abbreviated(text: &Input<'_>, start: usize, host_end: usize, longest: usize) -> Bare {
    let limit = start.saturating_add(longest);
    let walk = Walk {
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
        walk.stop(end)
    } else {
        end
    };
    match walk.ends(stop) {
        Bare::None => Bare::Ends {
            end: host_end,
            stop,
            is_escaped: false,
        },
        ends => ends,
    }
}

struct Walk<'a, 't> {
    text: &'a Input<'t>,
    start: usize,
    /// Behind the scheme's colon and slashes: there is no link that ends here or before.
    rest: usize,
    slashes: Slashes,
    /// A link does not go on behind this place.
    limit: usize,
    is_data: bool,
    /// Whether letters of a script without spaces may follow others: not in schemes whose URLs hold none.
    may_glue: bool,
    /// Whether the link has escapes of a program's notation.
    is_escaped: Cell<bool>,
}

impl Walk<'_, '_> {
    /// Where the path, the query and the fragment end that begin at `start`.
    fn stop(&self, start: usize) -> usize {
        let text = self.text;
        let mut at = start;
        let mut brackets = Brackets::new();
        let mut in_fragment = false;
        let mut may_glue = self.may_glue;
        while at <= self.limit {
            at = text.skip_plain(at, self.limit);
            // To the end of the run that has no say.
            at = text.run(at, self.limit, |byte| step(byte) == Step::On);
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
                        && let Some(next) = another(text, at, self.rest)
                    {
                        return next;
                    }
                }
                b'\\' if self.slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/') => {
                    at += 1;
                }
                b'\\' => {
                    let number = escape::number(text, at)
                        .filter(|c| escape::goes_on(text, at, *c) && !(*c == '#' && in_fragment));
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
                            may_glue || !is_spaceless(c) || !is_letter_before(text, at)
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

    /// The end of the link for which the walk stopped here: without soft punctuation, open brackets and the marks of emphasis.
    #[inline]
    fn ends(&self, stop: usize) -> Bare {
        if stop > self.limit {
            return Bare::TooLong;
        }
        let text = self.text;
        let before = text.before(self.start);
        // Most ends: nothing below takes a letter, a digit or a slash.
        if stop > self.rest
            && text
                .before(stop)
                .is_some_and(|last| last.is_ascii_alphanumeric() || last == b'/')
            && text.before(stop - 1) != Some(b'%')
            && !matches!(before, Some(b'_' | b'~' | b'='))
        {
            return self.ended(stop, stop);
        }
        let mut end = stop;
        // `${…}` and `#{…}` are places to fill.
        if text
            .before(end)
            .is_some_and(|byte| matches!(byte, b'$' | b'#'))
            && text.at(stop) == Some(b'{')
        {
            end -= 1;
        }
        // `%4ftp://…`: another link begins within what looked like an escape.
        if text.before(end) == Some(b'%') {
            end -= 1;
        } else if text.before(end - 1) == Some(b'%') {
            end -= 2;
        }
        end = self.without_soft(end);
        if let Some(mark @ (b'_' | b'~' | b'=')) = before {
            // `_http://a/_`; but one `=` is no emphasis.
            let is_emphasis =
                mark != b'=' || self.start >= 2 && text.before(self.start - 1) == Some(b'=');
            while is_emphasis && end > self.rest && text.before(end) == Some(mark) {
                end -= 1;
            }
            end = self.without_soft(end);
        }
        if end > self.rest {
            self.ended(end, stop)
        } else {
            Bare::None
        }
    }

    #[inline]
    fn ended(&self, end: usize, stop: usize) -> Bare {
        Bare::Ends {
            end,
            stop,
            is_escaped: self.is_escaped.get(),
        }
    }

    /// The end without the soft punctuation and the open brackets before it.
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
    closers: [char; DEEPEST],
    depth: usize,
}

impl Brackets {
    const fn new() -> Self {
        Self {
            closers: ['\0'; DEEPEST],
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

fn is_letter_before(text: &Input<'_>, at: usize) -> bool {
    text.before(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
}
