//! Bare links: where they end.
//!
//! From behind the scheme the text is walked, character by character, to the first one that no link has, or to a
//! bracket that nothing opened (see [`term`]). Then the parser judges: a text that is no reference up to there is one up
//! to some place before, since only what begins like one is walked at all. So no text is walked twice.

use crate::link::{Kind, Link, standard_of};
use crate::scheme::{self, Name, Slashes, can_follow, is_host};
use crate::term::{Term, term};
use crate::text::Text;
use std::borrow::Cow;

/// Brackets that are open at one time; one more ends the link.
const DEEPEST: usize = 32;

/// The link that begins with this name, whose colon is at `colon`.
pub(crate) fn link<'t>(
    text: &Text<'t>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    longest: usize,
) -> Option<Link<'t>> {
    let scheme = text.slice(name.start, colon);
    let rest = colon + 1 + slashes.len();
    if slashes == Slashes::None {
        if !name.is_known || !can_follow(text, scheme, rest) {
            return None;
        }
    } else if !is_authority(text, name, rest, slashes) {
        return None;
    }
    let walk = Walk {
        text,
        name,
        rest,
        slashes,
        is_data: scheme.eq_ignore_ascii_case(b"data"),
        end_at: (name.start + longest).max(rest),
    };
    let end = walk.end()?;
    finish(text, name.start, rest, end, slashes)
}

/// The abbreviated link from `start`, whose host ends at `host_end`; with the scheme that was guessed, and its slashes.
pub(crate) fn abbreviated<'t>(
    text: &Text<'t>,
    start: usize,
    host_end: usize,
    scheme: &str,
    longest: usize,
) -> Option<Link<'t>> {
    let walk = Walk {
        text,
        name: Name {
            start,
            is_known: true,
            is_glued: false,
        },
        rest: host_end,
        slashes: Slashes::Plain,
        is_data: false,
        end_at: start + longest,
    };
    let end = walk.end()?.max(host_end);
    // Behind the host a port, a path, a query or a fragment begins, or the link ends.
    let end = match text.at(host_end) {
        Some(b'/' | b'?' | b'#') => end,
        Some(b':')
            if text
                .at(host_end + 1)
                .is_some_and(|byte| byte.is_ascii_digit()) =>
        {
            end
        }
        _ => host_end,
    };
    let written = core::str::from_utf8(text.slice(start, end)).ok()?;
    let uri = [scheme, written].concat();
    let link = |uri: String, end| Link {
        range: start..end,
        uri: Cow::Owned(uri),
        kind: Kind::Abbreviated,
        alternative: None,
    };
    if standard_of(&uri).parse(&uri).is_ok() {
        return Some(link(uri, end));
    }
    let host = core::str::from_utf8(text.slice(start, host_end)).ok()?;
    Some(link([scheme, host].concat(), host_end))
}

/// Whether an authority can begin at `rest`, behind the slashes: a host, or none in front of a path.
fn is_authority(text: &Text<'_>, name: Name, rest: usize, slashes: Slashes) -> bool {
    match text.at(rest) {
        // `file:///etc/motd`
        Some(b'/') => {
            name.is_known
                && text
                    .char_at(rest + 1)
                    .is_some_and(|(c, _)| matches!(term(c), Term::Include) && c != '/')
        }
        Some(b'\\') if slashes == Slashes::Escaped => text.has(rest, b"\\/"),
        // `ftp://@host/`
        Some(b'@') => is_host(text, rest + 1),
        Some(_) => is_host(text, rest),
        None => false,
    }
}

struct Walk<'a, 't> {
    text: &'a Text<'t>,
    name: Name,
    /// Behind the scheme's colon and slashes.
    rest: usize,
    slashes: Slashes,
    is_data: bool,
    end_at: usize,
}

impl Walk<'_, '_> {
    /// Where the link ends; `None` for one that is too long.
    fn end(&self) -> Option<usize> {
        let text = self.text;
        let before = text.char_before(self.name.start);
        let mut at = self.rest;
        let mut end = at;
        let mut closers = ['\0'; DEEPEST];
        let mut depth = 0;
        let mut in_authority = self.slashes != Slashes::None;
        while let Some((c, length)) = self.next(at) {
            if at > self.end_at {
                return None;
            }
            match c {
                '/' | '?' | '#' => in_authority = false,
                ':' if at > self.rest => {
                    if let Some(start) = self.another(at, in_authority) {
                        end = self.without_soft(start);
                        break;
                    }
                }
                '&' if self.is_entity(at) => break,
                '\'' if before == Some('\'') => break,
                '\u{2019}' if before == Some('\u{2018}') => break,
                _ => {}
            }
            match term(c) {
                Term::Include => end = at + length,
                Term::Soft => {}
                Term::Open(close) => {
                    let Some(place) = closers.get_mut(depth) else {
                        break;
                    };
                    *place = close;
                    depth += 1;
                }
                Term::Close => {
                    let open = depth.checked_sub(1);
                    if open.and_then(|open| closers.get(open)) != Some(&c) {
                        break;
                    }
                    depth -= 1;
                    end = at + length;
                }
                Term::Hard => break,
            }
            at += length;
        }
        Some(self.without_emphasis(end, before))
    }

    /// The character at an offset, and how long it is as written.
    fn next(&self, at: usize) -> Option<(char, usize)> {
        let found = self.text.char_at(at)?;
        if found.0 == '\\' && self.slashes == Slashes::Escaped && self.text.at(at + 1) == Some(b'/')
        {
            return Some(('/', 2));
        }
        Some(found)
    }

    /// Where another link begins whose colon is at `colon`: behind a comma and the like, glued to this one's host, or to
    /// a word of its path. A URL within a URL is a part of it.
    fn another(&self, colon: usize, in_authority: bool) -> Option<usize> {
        if self.is_data {
            return None;
        }
        let slashes = Slashes::at(self.text, colon + 1);
        if slashes == Slashes::None && !is_separator(self.text, colon, self.rest) {
            return None;
        }
        let name = scheme::before(self.text, colon, self.rest)?;
        let before = self.text.before(name.start);
        let behind_separator = matches!(before, Some(b',' | b';' | b'|'));
        let is_another = if slashes == Slashes::None {
            let scheme = self.text.slice(name.start, colon);
            behind_separator && name.is_known && can_follow(self.text, scheme, colon + 1)
        } else {
            (behind_separator || in_authority || name.is_glued)
                && name.is_known
                && is_host(self.text, colon + 1 + slashes.len())
        };
        is_another.then_some(name.start)
    }

    /// The end without the soft punctuation and the open brackets before it.
    fn without_soft(&self, mut end: usize) -> usize {
        while end > self.rest
            && let Some(c) = self.text.char_before(end)
            && matches!(term(c), Term::Soft | Term::Open(_))
        {
            end -= c.len_utf8();
        }
        end
    }

    /// The end without the marks of emphasis that stand before the link too: `_http://a/_`.
    fn without_emphasis(&self, mut end: usize, before: Option<char>) -> usize {
        let Some(mark @ ('_' | '~' | '=')) = before else {
            return end;
        };
        while end > self.rest && self.text.char_before(end) == Some(mark) {
            end -= 1;
        }
        self.without_soft(end)
    }

    /// Whether an ampersand begins what HTML writes for a quotation mark, an angle bracket or a space.
    fn is_entity(&self, at: usize) -> bool {
        [
            &b"&lt;"[..],
            b"&gt;",
            b"&quot;",
            b"&nbsp;",
            b"&#34;",
            b"&#39;",
        ]
        .iter()
        .any(|entity| self.text.has(at, entity))
    }
}

/// Whether something that parts links stands before the word that ends at `colon`.
fn is_separator(text: &Text<'_>, colon: usize, floor: usize) -> bool {
    let mut at = colon;
    while at > floor && colon - at < 8 {
        match text.before(at) {
            Some(b',' | b';' | b'|') => return true,
            Some(byte) if scheme::is_scheme_byte(byte) => at -= 1,
            _ => return false,
        }
    }
    false
}

/// The link from `start` to `end`, or to the last place before at which it is a reference.
fn finish<'t>(
    text: &Text<'t>,
    start: usize,
    rest: usize,
    mut end: usize,
    slashes: Slashes,
) -> Option<Link<'t>> {
    // Twice may be needed: at the place that the parser names, and before an escape that is then cut in two.
    for _ in 0..3 {
        if end <= rest {
            return None;
        }
        let written = core::str::from_utf8(text.slice(start, end)).ok()?;
        let uri = if slashes == Slashes::Escaped {
            Cow::Owned(written.replace("\\/", "/"))
        } else {
            Cow::Borrowed(written)
        };
        let Err(error) = standard_of(&uri).parse(&uri) else {
            return Some(Link {
                range: start..end,
                uri,
                kind: Kind::Bare,
                alternative: None,
            });
        };
        if slashes == Slashes::Escaped {
            // The offset is one of the text without backslashes: what follows is rare enough to be left out.
            return None;
        }
        end = if slashes == Slashes::None {
            start + error.offset()
        } else {
            cut(text, rest, start + error.offset())
        };
        while end > rest
            && let Some(c) = text.char_before(end)
            && (matches!(term(c), Term::Soft | Term::Open(_)) || is_cut_escape(text, end))
        {
            end -= c.len_utf8();
        }
    }
    None
}

/// Whether what stands before `end` is the beginning of an escape.
fn is_cut_escape(text: &Text<'_>, end: usize) -> bool {
    text.before(end) == Some(b'%')
        || text.before(end.saturating_sub(1)) == Some(b'%')
            && !text.at(end).is_some_and(|byte| byte.is_ascii_hexdigit())
}

/// Where a link with an authority ends that is refused at `offset`: there, or where its host and port end when what
/// follows them is no path.
fn cut(text: &Text<'_>, rest: usize, offset: usize) -> usize {
    let authority = text.slice(rest, offset);
    if authority
        .iter()
        .any(|byte| matches!(byte, b'/' | b'?' | b'#'))
    {
        return offset;
    }
    let is_host_byte = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') || *byte >= 0x80
    };
    let host = if authority.first() == Some(&b'[') {
        authority
            .iter()
            .position(|byte| *byte == b']')
            .map_or(0, |at| at + 1)
    } else {
        authority
            .iter()
            .position(|byte| !is_host_byte(byte))
            .unwrap_or(authority.len())
    };
    let port = authority.get(host..).unwrap_or_default();
    let digits = match port {
        [b':', digits @ ..] => digits
            .iter()
            .position(|byte| !byte.is_ascii_digit())
            .unwrap_or(digits.len()),
        _ => 0,
    };
    rest + host + if digits > 0 { digits + 1 } else { 0 }
}
