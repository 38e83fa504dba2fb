//! Masks secrets in text for display.
//!
//! [`Secrets`] contains the known secrets: the passwords that an access sends. Known secrets are
//! masked in everything that a server sends, in every encoding in which the server may repeat them.
//! [`passwords`] finds possible passwords in a reference from an unknown source.
//!
//! Masking is for display only. Bodies, listings and metadata remain exact.

mod secrets;

pub use secrets::Secrets;
pub use urikit::component::MASK;

use memchr::{memchr, memchr3, memchr3_iter, memrchr};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Range;
use urikit::component::password_in;
use urikit::octet::{escaped_octet, octets};
use urikit::visible::Escaped;

/// Replaces each range of `text` with a mask. The ranges must be in order, and must not overlap.
fn masked<'a>(text: &'a [u8], secrets: &[Range<usize>]) -> Cow<'a, [u8]> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = Vec::with_capacity(text.len());
    let mut from = 0;
    for secret in secrets {
        shown.extend_from_slice(text.get(from..secret.start).unwrap_or_default());
        shown.extend_from_slice(MASK.as_bytes());
        from = secret.end;
    }
    shown.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(shown)
}

/// Masks passwords in the URLs that a line contains.
pub(crate) fn urls(line: &[u8]) -> Cow<'_, [u8]> {
    masked(line, &passwords_in_line(line))
}

/// The number of times that escapes are decoded. For example, `%2540` becomes `@` when it is
/// decoded twice.
const LEVELS: u8 = 4;

/// Schemes in which an `@` is part of an address or name, and never ends a password (RFC 6068,
/// 5538, 2392, 8141, 4151, 7565, 3860, 3859, 5122, 2397).
const ADDRESSES: [&str; 11] = [
    "mailto", "news", "mid", "cid", "urn", "tag", "acct", "im", "pres", "xmpp", "data",
];

/// Schemes whose URLs are also written without slashes, with a user after the colon. In such URLs,
/// only a second colon begins a password.
const LOGINS: [&str; 22] = [
    "ssh", "sftp", "scp", "ftp", "ftps", "http", "https", "ws", "wss", "sip", "sips", "telnet",
    "imap", "imaps", "pop", "smtp", "ldap", "irc", "rtsp", "rsync", "git", "svn",
];

/// The schemes that browsers accept with any number of slashes, or none.
const SPECIAL: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];

/// Returns the byte ranges that may be passwords in a reference, which need not be valid. The
/// ranges are in order and disjoint.
///
/// ```
/// use urikit_access::mask::passwords;
/// assert_eq!(passwords(b"ftp://tim:hunter2@host.dom/"), [10..17]);
/// assert_eq!(passwords(b"?u=ftp%3A%2F%2Ftim%3Ahunter2%40h"), [21..28]);
/// assert!(passwords(b"http://tim@host.dom/a:b@c").is_empty());
/// ```
pub fn passwords(text: &[u8]) -> Vec<Range<usize>> {
    at_level(text, 0)
}

/// A reference whose `Debug` masks possible passwords. The reference need not be valid.
///
/// ```
/// use urikit_access::mask::MaskedUrl;
/// let url = MaskedUrl("ftp://tim:hunter2@host.dom/");
/// assert_eq!(format!("{url:?}"), "\"ftp://tim:***@host.dom/\"");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MaskedUrl<'a>(pub &'a str);

impl fmt::Debug for MaskedUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.as_bytes();
        fmt::Debug::fmt(&String::from_utf8_lossy(&masked(text, &passwords(text))), f)
    }
}

/// Returns the ranges that may be passwords in a line of text. A reference in the line ends at a
/// space, a quote or an angle bracket. Does not decode escapes. Finds passwords only after
/// slashes; otherwise, `From: tim@host.dom` would appear to contain one.
pub(super) fn passwords_in_line(line: &[u8]) -> Vec<Range<usize>> {
    if memchr(b'@', line).is_none() {
        return Vec::new(); // as in most lines
    }
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"<>\"'".contains(byte);
    let mut found = Vec::new();
    let mut start = 0;
    for word in line.split(is_end) {
        let secrets = undecoded(word, false).into_iter();
        found.extend(secrets.map(|secret| shifted(start, secret)));
        start += word.len() + 1;
    }
    disjoint(found)
}

/// Finds passwords in `text`, both as written and after decoding escapes. `level` is the number of
/// times that `text` has already been decoded.
fn at_level(text: &[u8], level: u8) -> Vec<Range<usize>> {
    let mut found = undecoded(text, true);
    let has_escapes = memchr(b'%', text).is_some() || memchr3(b'\t', b'\r', b'\n', text).is_some();
    if level < LEVELS && has_escapes {
        // An escape cannot span a character that browsers drop.
        let mut decoded = Vec::with_capacity(text.len());
        let mut start = 0;
        for end in memchr3_iter(b'\t', b'\r', b'\n', text).chain([text.len()]) {
            unescape_into(text.get(start..end).unwrap_or_default(), &mut decoded);
            start = end + 1;
        }
        if decoded.len() < text.len() {
            found.extend(origins(text, &at_level(&decoded, level + 1)));
        }
    }
    disjoint(found)
}

/// Sorts ranges, and joins those that touch or overlap.
pub(super) fn disjoint(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|secret| secret.start);
    let mut secrets: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for secret in found {
        match secrets.last_mut() {
            Some(last) if secret.start <= last.end => last.end = last.end.max(secret.end),
            _ => secrets.push(secret),
        }
    }
    secrets
}

/// Returns true for the octets that browsers drop wherever they occur: tabs and line breaks.
fn is_dropped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\r' | b'\n')
}

/// Maps `ranges` of the decoded text, which must be in order and disjoint, to the corresponding
/// ranges of `text`.
fn origins(text: &[u8], ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let is_kept = |at: &usize| !text.get(*at).copied().is_some_and(is_dropped);
    let mut places = unescaped(text).map(|(at, _)| at).filter(is_kept);
    let mut passed = 0;
    let mut origin = |index: usize| {
        let place = places.nth(index - passed).unwrap_or(text.len());
        passed = index + 1;
        place
    };
    ranges
        .iter()
        .map(|range| origin(range.start)..origin(range.end))
        .collect()
}

/// Finds possible passwords without decoding escapes: the text between a colon and an `@` wherever
/// an authority may begin. Ignores empty passwords, which are not secrets. A reference may also
/// begin with a login, without slashes before it.
fn undecoded(text: &[u8], is_reference: bool) -> Vec<Range<usize>> {
    let Some(last_at) = memrchr(b'@', text) else {
        return Vec::new();
    };
    let mut secrets = Vec::new();
    if is_reference {
        secrets.extend(login(text));
    }
    let mut from = 0;
    while let Some(start) = authority_after(text, from) {
        let authority = head(text.get(start..).unwrap_or_default());
        let end = start + authority.len();
        if memchr(b'@', authority).is_some() {
            secrets.extend(password_in(authority).map(|password| shifted(start, password)));
        } else if let Some(from) = after_colon(authority).map(|at| start + at)
            && from < last_at
            && !is_port(text.get(from..end).unwrap_or_default())
        {
            // The password may contain a delimiter, such as the slash in `http://user:p/w@host`.
            secrets.push(from..last_at);
            break;
        }
        from = end;
    }
    secrets
}

/// Returns the text before the first delimiter.
fn head(text: &[u8]) -> &[u8] {
    let end = memchr3(b'/', b'\\', b'?', text).unwrap_or(text.len());
    let head = text.get(..end).unwrap_or_default();
    let end = memchr(b'#', head).unwrap_or(end);
    head.get(..end).unwrap_or_default()
}

/// Finds the password if `text` begins with `user:password@host` or `ssh:user:password@host`,
/// without slashes.
fn login(text: &[u8]) -> Option<Range<usize>> {
    let prefix = text
        .get(..4)
        .filter(|prefix| prefix.eq_ignore_ascii_case(b"url:"))
        .map_or(0, <[u8]>::len);
    let head = head(text);
    let mut start = prefix;
    let colon = memchr(b':', head.get(prefix..)?)?;
    let word = head.get(prefix..prefix + colon)?.trim_ascii();
    let is_word = |name: &&str| word.eq_ignore_ascii_case(name.as_bytes());
    if ADDRESSES.iter().any(&is_word) {
        return None;
    }
    if LOGINS.iter().any(is_word) {
        start += colon + 1;
    }
    password_in(head.get(start..)?).map(|password| shifted(start, password))
}

/// Shifts a range by `start` bytes.
const fn shifted(start: usize, range: Range<usize>) -> Range<usize> {
    start + range.start..start + range.end
}

/// Returns the offset after the colon in `host:port`. Ignores colons in brackets.
fn after_colon(authority: &[u8]) -> Option<usize> {
    let from = if authority.starts_with(b"[") {
        memchr(b']', authority)?
    } else {
        0
    };
    Some(from + memchr(b':', authority.get(from..)?)? + 1)
}

fn is_port(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// Returns the offset, at or after `from`, at which an authority begins: after two or more
/// slashes or backslashes, or after a special scheme and any number of slashes.
fn authority_after(text: &[u8], from: usize) -> Option<usize> {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_pair = |at: usize| {
        text.get(at..at + 2)
            .is_some_and(|pair| pair.iter().all(is_slash))
    };
    let is_special = |colon: usize| {
        let before = text.get(..colon).unwrap_or_default();
        let word = before.rsplit(|byte| !byte.is_ascii_alphanumeric()).next();
        SPECIAL
            .iter()
            .any(|name| word.is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes())))
    };
    let begins = |found: usize| {
        let at = from + found;
        match text.get(at)? {
            b':' => is_special(at).then_some(at + 1),
            _ => is_pair(at).then_some(at),
        }
    };
    let start = memchr3_iter(b':', b'/', b'\\', text.get(from..)?).find_map(begins)?;
    let slashes = text.get(start..)?.iter().take_while(|byte| is_slash(byte));
    Some(start + slashes.count())
}

/// Decodes the escapes in `text`. Returns each byte with its offset in `text`. Bytes outside
/// escapes are returned unchanged.
///
/// ```
/// use urikit_access::mask::unescaped;
/// assert!(unescaped(b"a%42c").eq([(0, b'a'), (1, b'B'), (4, b'c')]));
/// ```
pub fn unescaped(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    octets(text).map(|octet| (octet.offset, octet.value))
}

/// Appends the decoded bytes of `text` to `out`.
pub(super) fn unescape_into(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((literal, escape)) = memchr(b'%', rest).and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(literal);
        let (octet, length) = escaped_octet(escape).map_or((b'%', 1), |octet| (octet, 3));
        out.push(octet);
        rest = escape.get(length..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

/// A displayed line is truncated after this many octets.
const MAX_SHOWN: usize = 200;

/// Makes octets safe to display: masks passwords in URLs, and truncates long text.
pub(crate) fn escape(octets: &[u8]) -> String {
    escape_all(&cut(&urls(octets)))
}

/// Truncates text after 200 octets, and marks the cut with `…`. Mask secrets before calling this
/// function, so that no secret is split.
pub(crate) fn cut(octets: &[u8]) -> Cow<'_, [u8]> {
    match octets.get(..MAX_SHOWN) {
        Some(cut) if cut.len() < octets.len() => [cut, "…".as_bytes()].concat().into(),
        _ => octets.into(),
    }
}

/// Makes untrusted octets safe to display on one line: escapes backslashes, control characters,
/// other characters that are not visible, and octets that are not valid UTF-8.
///
/// ```
/// assert_eq!(urikit_access::escape_all(b"motd\x1b[2J"), "motd\\u{1b}[2J");
/// ```
pub fn escape_all(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                ' '..='~' => text.push(c),
                // INVARIANT: writing to a string never fails.
                _ => drop(write!(text, "{}", Escaped(c))),
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{unescape_into, unescaped};

    #[test]
    fn each_byte_has_its_offset() {
        let text = b"a%4g%4A%";
        let all: Vec<_> = unescaped(text).collect();
        assert_eq!(
            all,
            [
                (0, b'a'),
                (1, b'%'),
                (2, b'4'),
                (3, b'g'),
                (4, b'J'),
                (7, b'%')
            ]
        );
        let mut bytes = Vec::new();
        unescape_into(text, &mut bytes);
        assert_eq!(bytes, b"a%4gJ%");
    }
}
