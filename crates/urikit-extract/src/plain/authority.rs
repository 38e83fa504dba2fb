//! The authority of a link: userinfo, host and port (RFC 3986, 3.2).
//!
//! RFC 3986 allows commas and parentheses in a host. Real host names do not contain them, so the
//! host ends at a comma or parenthesis. According to UTS #58, a link continues after the host only
//! with a port, a path, a query or a fragment.

use super::restore::is_defanged_dot;
use super::start::needs_host;
use super::surroundings::entity_ends_link;
use super::text::{
    Input, NAME, Slashes, Term, is_invisible, is_pct_encoded, is_spaceless, markup_escape, term,
    unicode_escape,
};
use super::{adjacent_link, end_before};
use crate::link::standard_of;

/// The end of an authority, and its properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Authority {
    pub(super) end: usize,
    /// True if a path, a query or a fragment begins at the end.
    pub(super) continues: bool,
    pub(super) is_suspect: bool,
    pub(super) is_cut: bool,
}

impl Authority {
    /// Creates an authority that is valid and not cut off.
    const fn new(end: usize, continues: bool) -> Self {
        Self {
            end,
            continues,
            is_suspect: false,
            is_cut: false,
        }
    }
}

/// Returns the authority at `rest`, which begins with `unreserved` characters up to `end`. The
/// authority is not read past `limit`, because a longer link is cut off.
#[inline]
pub(super) fn authority(
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
    uncommon_authority(text, rest, slashes, scheme, limit)
}

/// Returns an authority that has a userinfo, a port, a percent-encoded octet, an IP literal or
/// non-ASCII characters, or that has no host.
fn uncommon_authority(
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
        reg_name_end(text, start, limit)
    };
    if end <= start || is_defanged_dot(text, end) {
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
        let port = text.run(end + 1, limit, |byte| byte.is_ascii_digit());
        let word = port_word(text, end + 1, limit);
        if word > port && begins_path(text, word, slashes) {
            // `http://host:port/`, `ssh://git@host:group/project`
            is_suspect = true;
            end = word;
        } else if port > end + 1 || begins_path(text, port, slashes) {
            end = port;
        }
    }
    if !needs_host(scheme) {
        // Database drivers accept a list of servers.
        while let Some(next) = next_server(text, end, limit) {
            is_suspect = true;
            end = next;
        }
    }
    let continues = begins_path(text, end, slashes);
    Some(Authority {
        end,
        continues,
        is_suspect,
        is_cut: !continues && is_authority_cut(text, end),
    })
}

/// Returns the end of the server after a comma: `mongodb://a.example:1,b.example:2/db`. Returns
/// `None` if another link follows the comma.
fn next_server(text: &Input<'_>, comma: usize, limit: usize) -> Option<usize> {
    let start = comma + 1;
    if text.at(comma) != Some(b',') || !is_host(text, start) {
        return None;
    }
    let host = reg_name_end(text, start, limit);
    if text.at(host) != Some(b':') {
        return (host > start).then_some(host);
    }
    let port = text.run(host + 1, limit, |byte| byte.is_ascii_digit());
    (port > host + 1).then_some(port)
}

/// Returns the end of a word that appears where a port would be: a name or a placeholder.
fn port_word(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'{' | b'}')
    };
    let limit = limit.min(start + MAX_PORT_WORD);
    text.run(start, limit, is_part)
}

/// The maximum length of a word in place of a port, in bytes.
const MAX_PORT_WORD: usize = 64;

/// Returns true if the text after an authority seems to continue the link rather than the
/// sentence.
fn is_authority_cut(text: &Input<'_>, end: usize) -> bool {
    let is_word = |at: usize| {
        text.char_at(at)
            .is_some_and(|(next, _)| next.is_alphanumeric())
    };
    match text.at(end) {
        Some(b':' | b'=' | b'$' | b'+' | b'~' | b'%' | b'@') => is_word(end + 1),
        Some(b'{') => true,
        Some(b'\\') => markup_escape(text, end).is_some() && is_word(end + 2),
        Some(b'&') => !entity_ends_link(text, end) && is_word(end + 1),
        Some(0x80..) => match text.char_at(end) {
            None => true,
            Some((c, length)) => is_invisible(c) && is_word(end + length),
        },
        _ => false,
    }
}

/// Returns true if a path, a query or a fragment begins here.
fn begins_path(text: &Input<'_>, at: usize, slashes: Slashes) -> bool {
    match text.at(at) {
        Some(b'/' | b'?' | b'#') => true,
        Some(b'\\') => {
            slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/')
                || matches!(unicode_escape(text, at), Some('/' | '?' | '#'))
        }
        _ => false,
    }
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the end of the run of `unreserved` characters that begins at `start`.
#[inline]
pub(super) fn unreserved_end(text: &Input<'_>, start: usize, limit: usize) -> usize {
    text.run(start, limit, |byte| NAME.contains(byte))
}

/// A userinfo.
#[derive(Clone, Copy)]
struct Userinfo {
    /// The offset of the `@` after the userinfo.
    at_sign: usize,
    is_suspect: bool,
}

/// Returns the userinfo that begins at `start`. The userinfo ends at the last `@`, as in browsers,
/// although a valid authority has only one `@`.
fn userinfo(text: &Input<'_>, start: usize, limit: usize) -> Option<Userinfo> {
    let mut at = start;
    let mut found: Option<Userinfo> = None;
    let mut is_suspect = false;
    while at <= limit {
        let Some((c, length)) = text.char_at(at) else {
            return found;
        };
        match c {
            // Another `@` ends the userinfo only if a host follows.
            '@' if found.is_none() || is_host(text, at + 1) => {
                found = Some(Userinfo {
                    at_sign: at,
                    is_suspect: is_suspect || found.is_some(),
                });
            }
            '/' | '?' | '#' => return found,
            '%' if !is_pct_encoded(text, at) => is_suspect = true,
            ':' if at > start && adjacent_link(text, at, start).is_some() => return found,
            _ if term(c) == Term::Hard => return found,
            _ => {}
        }
        at += length;
    }
    found
}

/// Returns the end of the `reg-name` that begins at `start`.
fn reg_name_end(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let mut at = start;
    // The start of the last label, and the offset in this label where a script without spaces
    // follows Latin letters.
    let mut label = start;
    let mut glue = None;
    while at <= limit {
        let plain = unreserved_end(text, at, limit);
        if let Some(dot) = text.slice(at, plain).iter().rposition(|byte| *byte == b'.') {
            label = at + dot + 1;
            glue = None;
        }
        at = plain;
        match text.char_at(at) {
            Some(('%', _)) if is_pct_encoded(text, at) => at += 3,
            Some((c, length)) if !c.is_ascii() && term(c) == Term::Include => {
                let is_ascii = at > label && text.slice(label, at).is_ascii();
                if is_spaceless(c) && is_ascii {
                    glue = Some(at);
                }
                at += length;
                // The label now contains other letters, so this offset no longer applies to the
                // rest of the label.
                at = non_ascii_end(text, at, limit);
            }
            _ => break,
        }
    }
    // Top-level domains do not mix scripts: the second script belongs to the sentence.
    glue.unwrap_or(at)
}

/// Returns the end of the run of non-ASCII letters that begins at `start`.
fn non_ascii_end(text: &Input<'_>, start: usize, limit: usize) -> usize {
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

/// Returns the `IP-literal` (RFC 3986, 3.2.2) at `start` if it is valid, or would be valid without
/// its zone. Zones are not allowed in URIs (RFC 9844, which obsoletes RFC 6874), but occur in
/// practice.
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

/// The maximum length of an IP literal with its brackets, in bytes.
const MAX_LITERAL: usize = 64;

/// Returns true if a host may begin at `offset`: a name, or an IP literal.
pub(super) fn is_host(text: &Input<'_>, offset: usize) -> bool {
    match text.at(offset) {
        Some(b'[') => {
            let mut in_zone = false;
            let inner = (offset + 1..offset + MAX_LITERAL).find(|at| {
                !text.at(*at).is_some_and(|byte| {
                    in_zone |= byte == b'%';
                    byte.is_ascii_hexdigit()
                        || matches!(byte, b':' | b'.' | b'v' | b'V')
                        || in_zone && (byte == b'%' || NAME.contains(byte))
                })
            });
            inner.is_some_and(|end| end > offset + 2 && text.at(end) == Some(b']'))
        }
        Some(b'%') => text.has_hex_pair(offset + 1),
        Some(b'_') => true,
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric(),
        _ => text
            .char_at(offset)
            .is_some_and(|(c, _)| c.is_alphanumeric() || !c.is_ascii() && term(c) == Term::Include),
    }
}
