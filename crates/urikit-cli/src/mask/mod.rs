//! Passwords in what people see: masked, in references that are valid and in those that are not.
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
use std::borrow::Cow;
use std::ops::Range;

/// What stands for a password. Its length says nothing.
pub(crate) const MASK: &str = "***";

/// A text in which the passwords are masked.
#[derive(Debug)]
pub(crate) struct Masked<'a> {
    original: &'a str,
    /// The text to show.
    pub(crate) text: Cow<'a, str>,
    /// What was masked, in the original, in order.
    secrets: Vec<Range<usize>>,
}

impl<'a> Masked<'a> {
    /// Masks `text`; or shows it as it is.
    pub(crate) fn new(text: &'a str, show_secrets: bool) -> Self {
        let secrets = if show_secrets {
            Vec::new()
        } else {
            secrets(text.as_bytes(), 0)
        };
        if secrets.is_empty() {
            return Self {
                original: text,
                text: Cow::Borrowed(text),
                secrets,
            };
        }
        let mut shown = String::with_capacity(text.len());
        let mut from = 0;
        for secret in &secrets {
            shown.push_str(text.get(from..secret.start).unwrap_or_default());
            shown.push_str(MASK);
            from = secret.end;
        }
        shown.push_str(text.get(from..).unwrap_or_default());
        Self {
            original: text,
            text: Cow::Owned(shown),
            secrets,
        }
    }

    /// The text as it is.
    pub(crate) const fn original(&self) -> &'a str {
        self.original
    }

    /// Where the byte at `offset` of the original is shown; the first of the mask, where it is secret.
    pub(crate) fn offset(&self, offset: usize) -> usize {
        let mut shown = offset;
        for secret in self
            .secrets
            .iter()
            .take_while(|secret| secret.start < offset)
        {
            let hidden = secret.end.min(offset) - secret.start;
            let mask = if offset < secret.end { 0 } else { MASK.len() };
            shown = shown - hidden + mask;
        }
        shown
    }

    /// What is shown of a range of the original: the whole mask for any part of a secret.
    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        if range.is_empty() {
            return "";
        }
        let inside = |secret: &Range<usize>| secret.start < range.end && range.end < secret.end;
        let mask = if self.secrets.iter().any(inside) {
            MASK.len()
        } else {
            0
        };
        let shown = self.offset(range.start)..self.offset(range.end) + mask;
        self.text.get(shown).unwrap_or_default()
    }

    /// Whether the byte at `offset` of the original is masked.
    pub(crate) fn hides(&self, offset: usize) -> bool {
        self.secrets.iter().any(|secret| secret.contains(&offset))
    }
}

/// `text` with its passwords masked.
pub(crate) fn mask(text: &str, show_secrets: bool) -> Cow<'_, str> {
    Masked::new(text, show_secrets).text
}

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

/// What may be a password in `text`, and in what its escapes stand for; in order, and apart.
fn secrets(text: &[u8], level: u8) -> Vec<Range<usize>> {
    let mut found = written(text);
    if level < LEVELS && text.iter().any(|byte| *byte == b'%' || is_dropped(*byte)) {
        let decoded: Vec<u8> = meant(text).map(|(_, byte)| byte).collect();
        if decoded.len() < text.len() {
            found.extend(origins(text, &secrets(&decoded, level + 1)));
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
        if let Some(at) = authority.iter().rposition(|byte| *byte == b'@') {
            if let Some(colon) = authority.iter().position(|byte| *byte == b':')
                && colon + 1 < at
            {
                secrets.push(start + colon + 1..start + at);
            }
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
    let at = head.iter().rposition(|byte| *byte == b'@')?;
    let colon = |from: usize| Some(from + head.get(from..)?.iter().position(|byte| *byte == b':')?);
    let mut end = colon(prefix)?;
    let word = head.get(prefix..end)?.trim_ascii();
    let is_word = |name: &&str| word.eq_ignore_ascii_case(name.as_bytes());
    if ADDRESSES.iter().any(&is_word) {
        return None;
    }
    if LOGINS.iter().any(is_word) {
        end = colon(end + 1)?;
    }
    (end + 1 < at).then(|| end + 1..at)
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

#[cfg(test)]
mod tests {
    use super::{Masked, mask};

    #[test]
    fn whatever_may_be_a_password_is_masked() {
        for (text, shown) in [
            ("http://user:pw@host/", "http://user:***@host/"),
            ("//user:pw@host", "//user:***@host"),
            ("http://user@host/", "http://user@host/"),
            ("ftp://foo:@host.dom:21/", "ftp://foo:@host.dom:21/"),
            ("http://u:a:b@c@h/", "http://u:***@h/"),
            ("http://user:p^ w@host/", "http://user:***@host/"),
            ("http://user:p/w@host/", "http://user:***@host/"),
            ("http://user:p#?w@host/", "http://user:***@host/"),
            ("http:\\\\user:pw@host/", "http:\\\\user:***@host/"),
            ("HTTP:user:pw@host/", "HTTP:user:***@host/"),
            ("http:/user:pw@host/", "http:/user:***@host/"),
            ("http://[::1]:80/@x", "http://[::1]:80/@x"),
            ("http://[::1/x@y", "http://[::1/x@y"),
            ("http://h:80/a@b", "http://h:80/a@b"),
            ("http://h/?u=ftp://u:pw@h/", "http://h/?u=ftp://u:***@h/"),
            (
                "http://u:pw@h/?u=ftp://u:pw@h/",
                "http://u:***@h/?u=ftp://u:***@h/",
            ),
            ("mailto:a:b@c", "mailto:a:b@c"),
            ("urn:a:b@c", "urn:a:b@c"),
            // Without slashes.
            ("user:pw@host/", "user:***@host/"),
            ("user:p:w@x@host", "user:***@host"),
            ("me@corp:pw@host", "me@corp:***@host"),
            ("URL:user:pw@host", "URL:user:***@host"),
            (":pw@host", ":***@host"),
            ("ssh:user:pw@host", "ssh:user:***@host"),
            ("url: SSH:user:pw@host", "url: SSH:user:***@host"),
            ("ssh:user@host", "ssh:user@host"),
            ("sip:alice@h", "sip:alice@h"),
            ("sip:alice:pw@h", "sip:alice:***@h"),
            ("URL:mailto:a@b", "URL:mailto:a@b"),
            ("NEWS:1:2@h", "NEWS:1:2@h"),
            ("mid:a:b@c", "mid:a:b@c"),
            ("cid:a@b", "cid:a@b"),
            ("tag:a@b.org,2005:x", "tag:a@b.org,2005:x"),
            ("git@host:me/it", "git@host:me/it"),
            ("pkg:npm/it@1.0", "pkg:npm/it@1.0"),
            ("localhost:80/a@b", "localhost:80/a@b"),
            ("a/b:c@d", "a/b:c@d"),
            ("a?b:c@d", "a?b:c@d"),
            // In a URL.
            ("http://p/http:/u:pw@h/", "http://p/http:/u:***@h/"),
            ("view-source:ftp:u:pw@h", "view-source:***@h"),
            // Escaped, and as browsers drop characters.
            ("?u=ftp%3A%2F%2Fu%3Apw%40h", "?u=ftp%3A%2F%2Fu%3A***%40h"),
            (
                "?ftp%253a%252F%2Fu%3apw%2540h",
                "?ftp%253a%252F%2Fu%3a***%2540h",
            ),
            ("?%2F/é:é%25@é%40é", "?%2F/é:***%40é"),
            (
                "?u=http%3A%2F%2Fh%3A80%2Fa%40b",
                "?u=http%3A%2F%2Fh%3A80%2Fa%40b",
            ),
            ("http://u%3Apw@h/", "http://u%3A***@h/"),
            ("foo:/\t/u:pw@h", "foo:/\t/u:***@h"),
            ("ht\ntp:u:p\tw@h", "ht\ntp:***@h"),
            ("%40", "%40"),
            ("%", "%"),
            ("", ""),
            ("http:", "http:"),
        ] {
            assert_eq!(mask(text, false), shown, "{text}");
            assert_eq!(mask(text, true), text);
        }
    }

    #[test]
    fn offsets_follow_their_bytes() {
        let masked = Masked::new("http://u:secret@h/?ftp://u:x@h^", false);
        assert_eq!(masked.text, "http://u:***@h/?ftp://u:***@h^");
        for (offset, shown) in [
            (0, 0),
            (9, 9),
            (12, 9),
            (15, 12),
            (16, 13),
            (27, 24),
            (28, 27),
            (30, 29),
        ] {
            assert_eq!(masked.offset(offset), shown, "{offset}");
        }
        for (range, shown) in [
            (0..9, "http://u:"),
            (0..12, "http://u:***"),
            (9..12, "***"),
            (10..12, "***"),
            (9..9, ""),
            (12..16, "***@"),
            (16..17, "h"),
            (27..28, "***"),
        ] {
            assert_eq!(masked.slice(range.clone()), shown, "{range:?}");
        }
        assert!(masked.hides(9) && masked.hides(14) && !masked.hides(15) && !masked.hides(8));
    }
}
