//! Authorities of bare links: userinfo, host and port (RFC 3986, 3.2), as far as a reader would
//! take them to extend.
//!
//! RFC 3986 allows commas and parentheses in a host. No real host name has them, so the host ends
//! there, and a link continues after the host only with a port, a path, a query or a fragment (UTS
//! #58).

use super::adjacent::adjacent_link;
use super::escape;
use super::input::Input;
use super::scheme::{Slashes, is_host, needs_host};
use super::term::{Term, is_spaceless, term};
use crate::link::standard_of;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::internal::scan_text::Set;

/// Where an authority ends, and whether a path, a query or a fragment begins there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Authority {
    pub(crate) end: usize,
    pub(crate) continues: bool,
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
        return Some(Authority { end, continues });
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
        return is_path.then_some(Authority {
            end: rest,
            continues: true,
        });
    }
    let start = userinfo(text, rest, limit).map_or(rest, |at| at + 1);
    if !is_host(text, start) {
        return None;
    }
    let mut end = if text.at(start) == Some(b'[') {
        ip_literal(text, start)?
    } else {
        host(text, start, limit)
    };
    if text.at(end) == Some(b':') {
        if let Some(next) = adjacent_link(text, end, start) {
            return (next > start).then_some(Authority {
                end: next,
                continues: false,
            });
        }
        let mut port = end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
        if port > end + 1 || is_path(text, port, slashes) {
            end = port;
        }
    }
    (end > start).then(|| Authority {
        end,
        continues: is_path(text, end, slashes),
    })
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

/// `unreserved` (RFC 3986, 2.3).
pub(crate) static NAME: Set = Set::new(*UNRESERVED.set());

/// The `@` after the userinfo that begins at `start`.
fn userinfo(text: &Input<'_>, start: usize, limit: usize) -> Option<usize> {
    let mut at = start;
    while at <= limit {
        let (c, length) = text.char_at(at)?;
        match c {
            '@' => return Some(at),
            '/' | '?' | '#' => return None,
            '%' if !is_escape(text, at) => return None,
            ':' if at > start && adjacent_link(text, at, start).is_some() => return None,
            _ if term(c) == Term::Hard => return None,
            _ => at += length,
        }
    }
    None
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

/// The end of `IP-literal` (RFC 3986, 3.2.2), if it is valid.
fn ip_literal(text: &Input<'_>, start: usize) -> Option<usize> {
    let length = (1..64).find(|length| text.at(start + length) == Some(b']'))?;
    let written = core::str::from_utf8(text.slice(start, start + length + 1)).ok()?;
    let reference = ["//", written].concat();
    standard_of(&reference).parse(&reference).ok()?;
    Some(start + length + 1)
}
