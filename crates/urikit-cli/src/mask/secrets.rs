//! Where passwords stand.
//!
//! Where a text is no reference, nobody can say what in it is a password, so this looks for what
//! somebody may have meant as one, and masks too much rather than too little:
//!
//! - what stands between a colon and an `@` behind `//` or `\\`, or behind a scheme with which browsers
//!   need no slashes; anywhere, so that it finds a URL inside a URL; with delimiters in it, unless what
//!   stands before them is a port (`http://h:80/a@b`) or has its own `@` (`http://u:p@h/a@b`);
//! - `word:password@` at the beginning, where the word is a user, and `ssh:user:password@`, where it is a
//!   scheme of [`LOGINS`]; up to the first delimiter. Behind a scheme of [`ADDRESSES`] it finds none;
//! - each of these also where its characters are escaped, up to [`LEVELS`] times over.
//!
//! A `user:password@` without slashes further inside of a text, a secret in a query (`?token=…`), and one
//! that stands in for a user (`https://TOKEN@host`) are shown.

use crate::escape::unescaped;
use std::ops::Range;
use urikit::component::password_in;

/// How many times over escapes are read: `%2540` is an `@` when it is decoded twice.
const LEVELS: u8 = 4;

/// Schemes behind which an `@` parts an address or a name, and never ends a password (RFC 6068, 5538,
/// 2392, 8141, 4151, 7565, 3860, 3859, 5122, 2397).
const ADDRESSES: [&str; 11] = [
    "mailto", "news", "mid", "cid", "urn", "tag", "acct", "im", "pres", "xmpp", "data",
];

/// Schemes that are written without slashes too, and behind which a user stands: what stands there is
/// a password only behind a colon of its own.
const LOGINS: [&str; 22] = [
    "ssh", "sftp", "scp", "ftp", "ftps", "http", "https", "ws", "wss", "sip", "sips", "telnet",
    "imap", "imaps", "pop", "smtp", "ldap", "irc", "rtsp", "rsync", "git", "svn",
];

/// The schemes that browsers read with any number of slashes, even none.
const SPECIAL: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];

/// What may be a password in `text`; in order, and apart.
pub(super) fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    at_level(text, 0)
}

/// The same, and in what its escapes stand for, from this level on.
fn at_level(text: &[u8], level: u8) -> Vec<Range<usize>> {
    let mut found = written(text);
    if level < LEVELS && text.iter().any(|byte| *byte == b'%' || is_dropped(*byte)) {
        let decoded: Vec<u8> = meant(text).map(|(_, byte)| byte).collect();
        if decoded.len() < text.len() {
            found.extend(origins(text, &at_level(&decoded, level + 1)));
        }
    }
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

/// The bytes that `text` stands for once, and where; without those that browsers drop.
fn meant(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    unescaped(text).filter(|(at, _)| !text.get(*at).copied().is_some_and(is_dropped))
}

/// Browsers drop tabs and line ends, wherever they stand.
fn is_dropped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\r' | b'\n')
}

/// Where `ranges` of what `text` stands for are written. They are in order, and apart.
fn origins(text: &[u8], ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut places = meant(text).map(|(at, _)| at);
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

/// What may be a password as `text` is written: in every place at which an authority may begin, what
/// stands between a colon and an `@`. An empty one is no secret.
fn written(text: &[u8]) -> Vec<Range<usize>> {
    let Some(last_at) = text.iter().rposition(|byte| *byte == b'@') else {
        return Vec::new();
    };
    let mut secrets: Vec<_> = login(text).into_iter().collect();
    let mut from = 0;
    while let Some(start) = authority_after(text, from) {
        let authority = head(text.get(start..).unwrap_or_default());
        let end = start + authority.len();
        if authority.contains(&b'@') {
            secrets.extend(password_in(authority).map(|password| behind(start, password)));
        } else if let Some(from) = behind_colon(authority).map(|at| start + at)
            && from < last_at
            && !is_port(text.get(from..end).unwrap_or_default())
        {
            // A password with a delimiter in it: `http://user:p/w@host`.
            secrets.push(from..last_at);
            break;
        }
        from = end;
    }
    secrets
}

/// What stands before the first delimiter.
fn head(text: &[u8]) -> &[u8] {
    let delimiter = |byte: &u8| matches!(byte, b'/' | b'\\' | b'?' | b'#');
    text.split(delimiter).next().unwrap_or_default()
}

/// The password of `user:password@host` and of `ssh:user:password@host`, at the beginning of `text`
/// and without slashes.
fn login(text: &[u8]) -> Option<Range<usize>> {
    let prefix = text
        .get(..4)
        .filter(|prefix| prefix.eq_ignore_ascii_case(b"url:"))
        .map_or(0, <[u8]>::len);
    let head = head(text);
    let mut start = prefix;
    let colon = head.get(prefix..)?.iter().position(|byte| *byte == b':')?;
    let word = head.get(prefix..prefix + colon)?.trim_ascii();
    let is_word = |name: &&str| word.eq_ignore_ascii_case(name.as_bytes());
    if ADDRESSES.iter().any(&is_word) {
        return None;
    }
    if LOGINS.iter().any(is_word) {
        start += colon + 1;
    }
    password_in(head.get(start..)?).map(|password| behind(start, password))
}

/// The range behind the first `start` bytes.
const fn behind(start: usize, range: Range<usize>) -> Range<usize> {
    start + range.start..start + range.end
}

/// Where the colon of `host:port` ends; the colons in brackets do not count.
fn behind_colon(authority: &[u8]) -> Option<usize> {
    let from = if authority.starts_with(b"[") {
        authority.iter().position(|byte| *byte == b']')?
    } else {
        0
    };
    let mut rest = authority.get(from..)?.iter();
    Some(from + rest.position(|byte| *byte == b':')? + 1)
}

fn is_port(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// Where an authority begins at `from` or later: behind two slashes or more, of either kind; behind
/// a special scheme, any number of them.
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
    let begins = |(at, byte): (usize, &u8)| match byte {
        b':' if is_special(at) => Some(at + 1),
        b'/' | b'\\' if is_pair(at) => Some(at),
        _ => None,
    };
    let start = text.iter().enumerate().skip(from).find_map(begins)?;
    let slashes = text.get(start..)?.iter().take_while(|byte| is_slash(byte));
    Some(start + slashes.count())
}
