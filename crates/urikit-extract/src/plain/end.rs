//! Stage 4: the end of a bare link, read forwards from its scheme.
//!
//! The link extends over its authority, and then over path, query and fragment up to the first
//! character that ends a link in browsers and terminals and for human readers, or to a closing
//! bracket without its opening one (see [`term`]). Links also contain characters that RFC 3986 and
//! RFC 3987 do not allow (`|`, `[]`, a second `#`). Such a link is marked as suspect, and only
//! suspect links are parsed to find out whether they are valid.
//!
//! RFC 3986 allows commas and parentheses in a host. Real host names contain neither, so the host
//! ends there. After the host, a link continues only with a port, a path, a query or a fragment
//! (UTS
//! #58).

use super::restore::is_defanged_dot;
use super::start::{MAX_LITERAL, Scheme, can_follow, is_host, needs_host};
use super::text::{
    Brackets, CONTINUE, ESCAPE_LENGTH, Input, NAME, Slashes, Term, can_end, char_start,
    entity_ends_link, escape_continues_link, escape_length, is_invisible, is_pct_encoded,
    is_spaceless, markup_escape, term, unescape, unicode_escape,
};
use super::{adjacent_link, end_before};
use crate::link::{Kind, Link, Marks, standard_of};
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
    /// The offset where the scan stopped: the end, or after trailing punctuation.
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
        // The link is the host, or as much of it as the limit allows.
        EndOfLink::None => EndOfLink::At(Ends {
            end: host_end.min(char_start(text, limit)),
            is_cut: ends.stop > limit,
            ..ends
        }),
        ends @ EndOfLink::At(_) => ends,
    }
}

// The authority: userinfo, host and port (RFC 3986, 3.2).

/// The end of an authority, and its properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Authority {
    end: usize,
    /// True if a path, a query or a fragment begins at the end.
    continues: bool,
    is_suspect: bool,
    is_cut: bool,
}

impl Authority {
    /// An authority that is valid and not cut off.
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
/// authority is not read past `limit`, since a longer link is cut off.
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

/// Returns an authority with a userinfo, a port, a percent-encoded octet, an IP literal or
/// characters beyond US-ASCII, or without a host.
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
        let mut port = end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
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
/// `None` if another link begins there.
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

/// Returns the end of a word in the position of a port: a name or a placeholder.
fn port_word(text: &Input<'_>, start: usize, limit: usize) -> usize {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'{' | b'}')
    };
    let limit = limit.min(start + MAX_PORT_WORD);
    text.run(start, limit, is_part)
}

/// The maximum length of a word in the position of a port, in bytes.
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

/// Returns the userinfo that begins at `start`. The last `@` ends it, as in browsers, although only
/// one is valid.
fn userinfo(text: &Input<'_>, start: usize, limit: usize) -> Option<Userinfo> {
    let mut at = start;
    let mut found: Option<Userinfo> = None;
    let mut is_suspect = false;
    while at <= limit {
        let Some((c, length)) = text.char_at(at) else {
            return found;
        };
        match c {
            // A further `@` ends the userinfo only if a host follows.
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
                // rest of it.
                at = non_ascii_end(text, at, limit);
            }
            _ => break,
        }
    }
    // Top-level domains do not mix scripts: the second script belongs to the sentence.
    glue.unwrap_or(at)
}

/// Returns the end of the run of letters beyond US-ASCII that begins at `start`.
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

// Path, query and fragment.

/// The maximum distance between brackets in a path, in bytes.
const MAX_BRACKET: usize = 128;

/// The maximum distance, in bytes, between a link and a `|` before it for which a `|` after the
/// link is a separator.
const MAX_BAR_DISTANCE: usize = 256;

/// The maximum length of a parameter name in a wiki template, in bytes.
const MAX_PARAMETER: usize = 32;

/// The maximum length of the white space between two parts of a string literal, in bytes.
const MAX_INDENT: usize = 64;

/// The state of the search for the end of a link.
pub(super) struct Scan<'a, 't> {
    pub(super) text: &'a Input<'t>,
    pub(super) start: usize,
    /// The offset after the scheme's colon and slashes. The link must extend past this offset.
    pub(super) rest: usize,
    pub(super) slashes: Slashes,
    /// The link does not continue past this offset.
    pub(super) limit: usize,
    pub(super) is_data: bool,
    /// True if letters of a script without spaces may directly follow other letters. In URLs
    /// without slashes, they may not.
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
        // The bytes of the current block that need a decision.
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

    /// Returns the length of the character beyond US-ASCII at this offset if the link continues
    /// over it.
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

    /// Returns the length of the escape of a string literal or of markup at this offset if the link
    /// continues over it.
    #[cold]
    fn escape(&self, at: usize, part: &mut Component, ends: &mut Ends) -> Option<usize> {
        let text = self.text;
        if self.slashes == Slashes::Escaped && text.at(at + 1) == Some(b'/') {
            return Some(2);
        }
        let number = unicode_escape(text, at).filter(|c| escape_continues_link(text, at, *c));
        let (c, length) = match number {
            Some(c) => (c, ESCAPE_LENGTH),
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

    /// Returns true if a `|` after the link separates it from other text, as in tables and in the
    /// markup of wikis and chats. It does so if another `|` or an inline tag (`{@link`) precedes
    /// the link on its line, or if `[` or `<` directly precedes the link.
    #[cold]
    fn bars_separate(&self) -> bool {
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
    fn is_parameter(&self, at: usize) -> bool {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte);
        let end = self.text.run(at, at + MAX_PARAMETER, is_name);
        end > at && self.text.at(end) == Some(b'=')
    }

    /// Returns true if the `*` at this offset ends a comment in source code. A `*` that is a
    /// segment of a path does not.
    #[cold]
    fn ends_comment(&self, at: usize) -> bool {
        let text = self.text;
        text.at(at + 1) == Some(b'/')
            && text
                .at(at + 2)
                .is_none_or(|next| next.is_ascii_whitespace())
            && text.before(at) != Some(b'/')
    }

    /// Returns true if a bracket in a path belongs to the path: it encloses a number, or the path
    /// continues after it. Otherwise it is markup after the link (`http://a.example/[text]`).
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
            // In TeX, `%` begins a comment. Elsewhere, it belongs to the link, which is then cut
            // off.
            let is_comment = text.before(stop) == Some(b'%')
                && text.at(stop).is_none_or(|byte| byte.is_ascii_whitespace());
            ends.is_cut |= is_comment;
            let mut end = self.without_soft(stop - usize::from(is_comment));
            if text.at(end) == Some(b'>') && text.slice(end.saturating_sub(2), end) == b"--" {
                // `-->` ends an HTML comment.
                end = self.without_soft(end - 2);
            }
            if let Some(mark @ (b'_' | b'~' | b'=' | b'+')) = before {
                // `_http://a/_`, `++http://a/++`. A single `=` or `+` is not emphasis.
                let is_emphasis = !matches!(mark, b'=' | b'+')
                    || self.start >= 2 && text.before(self.start - 1) == Some(mark);
                while is_emphasis && end > self.rest && text.before(end) == Some(mark) {
                    end -= 1;
                }
                end = self.without_soft(end);
            }
            if end <= self.rest {
                return EndOfLink::None;
            }
            ends.end = end;
            ends.is_cut |= text.slice_from(end).starts_with(b"...")
                || text.slice_from(end).starts_with("…".as_bytes());
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

    /// Returns the end of an overlong link: before the character that exceeds the limit.
    #[cold]
    fn cut(&self, mut ends: Ends) -> EndOfLink {
        let text = self.text;
        ends.end = char_start(text, self.limit);
        // In a link, a backslash only occurs in an escape. Do not cut within an escape.
        let last = ends.end.saturating_sub(ESCAPE_LENGTH).max(self.rest);
        let escape = text.slice(last, ends.end);
        if let Some(at) = memchr::memrchr(b'\\', escape)
            && last + at + escape_length(text, last + at) > ends.end
        {
            ends.end = last + at;
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

    /// Returns true if the text after the link seems to continue it.
    #[cold]
    fn is_link_cut(&self, stop: usize) -> bool {
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
            // An escape of a string literal, such as `\n`, is not part of the link.
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

    /// Returns the end without the soft punctuation and opening brackets before it.
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

fn follows_alphanumeric(text: &Input<'_>, at: usize) -> bool {
    text.before(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric())
}
