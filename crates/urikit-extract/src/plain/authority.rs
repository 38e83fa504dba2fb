//! Authorities of bare links: userinfo, host and port (RFC 3986, 3.2), as far as a reader would
//! take them to extend.
//!
//! RFC 3986 allows commas and parentheses in a host. No real host name has them, so the host ends
//! there, and a link continues after the host only with a port, a path, a query or a fragment (UTS
//! #58).

use super::adjacent::{adjacent_link, end_before};
use super::defang::is_dot;
use super::entity;
use super::escape;
use super::input::Input;
use super::scheme::{MAX_LITERAL, Slashes, is_host, needs_host};
use super::term::{NAME, Term, is_invisible, is_spaceless, term};
use crate::link::standard_of;

/// Where an authority ends, and whether a path, a query or a fragment begins there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Authority {
    pub(crate) end: usize,
    pub(crate) continues: bool,
    pub(crate) is_suspect: bool,
    pub(crate) is_cut: bool,
}

impl Authority {
    /// A valid one.
    const fn new(end: usize, continues: bool) -> Self {
        Self {
            end,
            continues,
            is_suspect: false,
            is_cut: false,
        }
    }
}

/// The authority at `rest`, which begins with `unreserved` characters up to `end`. An authority
/// that continues past `limit` makes the link too long, so it is not read to its end.
#[inline]
pub(crate) fn authority(
    text: &Input<'_>,
    rest: usize,
    end: usize,
    slashes: Slashes,
    scheme: &[u8],
    limit: usize,
) -> Option<Authority> {
    let is_plain = match text.at(end) {
        None => true,
        Some(byte) => matches!(
            byte,
            b'/' | b'?' | b'#' | b'"' | b'<' | b'>' | b')' | b'`' | 0..=b' '
        ),
    };
    if is_plain && end > rest && text.before(rest + 1).is_some_and(is_name_start) {
        let continues = matches!(text.at(end), Some(b'/' | b'?' | b'#'));
        return Some(Authority::new(end, continues));
    }
    unusual(text, rest, slashes, scheme, limit)
}

/// An authority with a userinfo, a port, a percent-encoded octet, an IP literal or characters
/// beyond US-ASCII, or without a host.
fn unusual(
    text: &Input<'_>,
    rest: usize,
    slashes: Slashes,
    scheme: &[u8],
    limit: usize,
) -> Option<Authority> {
    let path = match text.at(rest)? {
        b'/' => 1,
        b'\\' if slashes == Slashes::Escaped && text.at(rest + 1) == Some(b'/') => 2,
        _ => 0,
    };
    if path > 0 {
        // `file:///etc/motd`
        let (c, _) = text.char_at(rest + path)?;
        let is_path = !needs_host(scheme) && c != '/' && term(c) == Term::Include;
        return is_path.then_some(Authority::new(rest, true));
    }
    let userinfo = userinfo(text, rest, limit);
    let mut is_suspect = userinfo.is_some_and(|userinfo| userinfo.is_suspect);
    let start = userinfo.map_or(rest, |userinfo| userinfo.at_sign + 1);
    if !is_host(text, start) {
        return None;
    }
    let mut end = if text.at(start) == Some(b'[') {
        let literal = ip_literal(text, start)?;
        is_suspect |= literal.is_suspect;
        literal.end
    } else {
        host(text, start, limit)
    };
    if end <= start || is_dot(text, end) {
        return None;
    }
    if text.at(end) == Some(b':') {
        if let Some(next) = adjacent_link(text, end, start) {
            let end = end_before(text, next);
            return (end > start).then_some(Authority {
                is_suspect,
                ..Authority::new(end, false)
            });
        }
        let mut port = end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
        let word = port_word(text, end + 1, limit);
        if word > port && is_path(text, word, slashes) {
            // `http://host:port/`, `ssh://git@host:group/project`
            is_suspect = true;
            end = word;
        } else if port > end + 1 || is_path(text, port, slashes) {
            end = port;
        }
    }
    let continues = is_path(text, end, slashes);
    Some(Authority {
        end,
        continues,
        is_suspect,
        is_cut: !continues && is_cut(text, end),
    })
}

/// The end of what is written in place of a port: a name, or a placeholder.
fn port_word(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'{' | b'}')
    };
    let limit = limit.min(start + MAX_PORT_WORD);
    text.run(start, limit, is_part)
}

/// The longest word in the place of a port, in bytes.
const MAX_PORT_WORD: usize = 64;

/// Whether what follows a host seems to be more of the same reference, and not the sentence's.
fn is_cut(text: &Input<'_>, end: usize) -> bool {
    let is_word = |at: usize| {
        text.char_at(at)
            .is_some_and(|(next, _)| next.is_alphanumeric())
    };
    match text.at(end) {
        Some(b':' | b'=' | b'$' | b'+' | b'~' | b'%' | b'@') => is_word(end + 1),
        Some(b'{') => true,
        Some(b'\\') => escape::mark(text, end).is_some() && is_word(end + 2),
        Some(b'&') => !entity::ends_link(text, end) && is_word(end + 1),
        Some(0x80..) => match text.char_at(end) {
            None => true,
            Some((c, length)) => is_invisible(c) && is_word(end + length),
        },
        _ => false,
    }
}

/// Whether a path, a query or a fragment begins here.
fn is_path(text: &Input<'_>, at: usize, slashes: Slashes) -> bool {
    match text.at(at) {
        Some(b'/' | b'?' | b'#') => true,
        Some(b'\\') => {
            slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/')
                || matches!(escape::number(text, at), Some('/' | '?' | '#'))
        }
        _ => false,
    }
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of the run of `unreserved` characters that begins at `start`.
#[inline]
pub(crate) fn name(text: &Input<'_>, start: usize, limit: usize) -> usize {
    text.run(start, limit, |byte| NAME.contains(byte))
}

/// A userinfo.
#[derive(Clone, Copy)]
struct Userinfo {
    /// The `@` after it.
    at_sign: usize,
    is_suspect: bool,
}

/// The userinfo that begins at `start`. As for browsers, the last `@` ends it, though only one is
/// valid.
fn userinfo(text: &Input<'_>, start: usize, limit: usize) -> Option<Userinfo> {
    let mut at = start;
    let mut found: Option<Userinfo> = None;
    let mut is_suspect = false;
    while at <= limit {
        let Some((c, length)) = text.char_at(at) else {
            return found;
        };
        match c {
            // After the first one, only a host makes it another.
            '@' if found.is_none() || is_host(text, at + 1) => {
                found = Some(Userinfo {
                    at_sign: at,
                    is_suspect: is_suspect || found.is_some(),
                });
            }
            '/' | '?' | '#' => return found,
            '%' if !is_escape(text, at) => is_suspect = true,
            ':' if at > start && adjacent_link(text, at, start).is_some() => return found,
            _ if term(c) == Term::Hard => return found,
            _ => {}
        }
        at += length;
    }
    found
}

/// Whether `pct-encoded` begins here: `%` and two hexadecimal digits (RFC 3986, 2.1).
pub(crate) fn is_escape(text: &Input<'_>, at: usize) -> bool {
    text.at(at) == Some(b'%') && text.has_hex_pair(at + 1)
}

/// The end of a registered name.
fn host(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let mut at = start;
    // The beginning of the last label; and the offset within it where Latin letters are followed
    // by a script that is written without spaces.
    let mut label = start;
    let mut glue = None;
    while at <= limit {
        let plain = name(text, at, limit);
        if let Some(dot) = text.slice(at, plain).iter().rposition(|byte| *byte == b'.') {
            label = at + dot + 1;
            glue = None;
        }
        at = plain;
        match text.char_at(at) {
            Some(('%', _)) if is_escape(text, at) => at += 3,
            Some((c, length)) if !c.is_ascii() && term(c) == Term::Include => {
                let is_ascii = at > label && text.slice(label, at).is_ascii();
                if is_spaceless(c) && is_ascii {
                    glue = Some(at);
                }
                at += length;
                // The rest of this label cannot contain that offset.
                at = non_ascii(text, at, limit);
            }
            _ => break,
        }
    }
    // No top-level domain mixes scripts: the second one is the sentence that follows.
    glue.unwrap_or(at)
}

/// The end of the run of letters beyond US-ASCII.
fn non_ascii(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let mut at = start;
    while at <= limit
        && let Some((c, length)) = text.char_at(at)
        && !c.is_ascii()
        && term(c) == Term::Include
    {
        at += length;
    }
    at
}

/// An `IP-literal`.
struct Literal {
    end: usize,
    is_suspect: bool,
}

/// The `IP-literal` (RFC 3986, 3.2.2) at `start`, if it is valid, or is without its zone (RFC
/// 6874, which browsers do not follow, and RFC 3986 does not allow).
fn ip_literal(text: &Input<'_>, start: usize) -> Option<Literal> {
    let length = (1..MAX_LITERAL).find(|length| text.at(start + length) == Some(b']'))?;
    let written = core::str::from_utf8(text.slice(start, start + length + 1)).ok()?;
    let is_valid = |literal: &str| {
        let reference = ["//", literal].concat();
        standard_of(&reference).parse(&reference).is_ok()
    };
    let end = start + length + 1;
    if is_valid(written) {
        let is_suspect = false;
        return Some(Literal { end, is_suspect });
    }
    let (address, zone) = written.split_once('%')?;
    (zone.len() > 1 && is_valid(&[address, "]"].concat())).then_some(Literal {
        end,
        is_suspect: true,
    })
}
