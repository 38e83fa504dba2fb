//! How Python reads a URL: a model of `urllib.parse.urlsplit` of CPython 3.13.0, and the
//! properties `username`, `password`, `hostname` and `port` of its result.
//!
//! Measured with that version (`tests/programs/urllib.py`; the test `models` compares the two
//! where it is installed). Older versions differ: before 3.6.14 and 3.9.5, tabs and line breaks
//! stay; before 3.11.4, leading spaces and control characters stay; before 3.11.4, brackets may
//! contain anything. 3.13.2 rejects text around the brackets, which 3.13.0 ignores.
//!
//! - Leading spaces and control characters, and all tabs, CR and LF, are removed.
//! - What precedes the first colon is a scheme if it has the characters of one; otherwise all of
//!   the input is a relative reference.
//! - The authority ends at the first `/`, `?` or `#`; the userinfo at its last `@`. The host is
//!   what is between brackets, or ends at the first colon. It is put into lower case, up to a `%`.
//! - Only these are errors: one bracket without the other, no IP address between brackets, a host
//!   in which Unicode's NFKC makes one of `/?#@:`, and a port that is not a decimal number up to
//!   65535. The last is raised when `port` is asked for; here it rejects the URL.

use crate::reading::Reading;
use crate::split::{
    any, ends_authority, ends_path, query_and_fragment, rsplit_once, split_at, split_once,
};
use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;
use unicode_normalization::UnicodeNormalization as _;

/// Reads a URL as `urlsplit` does.
pub(crate) fn read(input: &str) -> Result<Reading<'_>, UrllibError> {
    let input = input.trim_start_matches(|c: char| c <= ' ');
    if !any(input, |byte| matches!(byte, b'\t' | b'\r' | b'\n')) {
        return split(input);
    }
    let cleaned = input.replace(['\t', '\r', '\n'], "");
    split(&cleaned).map(Reading::into_owned)
}

fn split(text: &str) -> Result<Reading<'_>, UrllibError> {
    let (scheme, rest) = scheme(text);
    let (reading, rest) = match rest.strip_prefix("//") {
        None => (Reading::default(), rest),
        Some(rest) => {
            let (netloc, rest) = split_at(rest, ends_authority);
            let reading = Reading {
                authority: (!netloc.is_empty()).then_some(Cow::Borrowed(netloc)),
                ..authority(netloc)?
            };
            (reading, rest)
        }
    };
    let (path, rest) = split_at(rest, ends_path);
    let (query, fragment) = query_and_fragment(rest);
    let given = |text: Option<_>| {
        text.filter(|text: &&str| !text.is_empty())
            .map(Cow::Borrowed)
    };
    Ok(Reading {
        scheme,
        path: Cow::Borrowed(path),
        query: given(query),
        fragment: given(fragment),
        ..reading
    })
}

/// The scheme in lower case, and what follows its colon; or no scheme.
fn scheme(text: &str) -> (Option<Cow<'_, str>>, &str) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let (scheme, rest) = split_at(text, |byte| !is_part(byte));
    match rest.strip_prefix(':') {
        Some(rest)
            if scheme
                .as_bytes()
                .first()
                .is_some_and(u8::is_ascii_alphabetic) =>
        {
            (Some(lower(scheme)), rest)
        }
        _ => (None, text),
    }
}

fn authority(netloc: &str) -> Result<Reading<'_>, UrllibError> {
    let is_plain = !any(netloc, |byte| matches!(byte, b'[' | b']' | 0x80..));
    if !is_plain {
        check_brackets(netloc)?;
        check_normalization(netloc)?;
    }
    let (userinfo, hostinfo) = match rsplit_once(netloc, b'@') {
        Some((userinfo, hostinfo)) => (Some(Cow::Borrowed(userinfo)), hostinfo),
        None => (None, netloc),
    };
    let bracketed = if is_plain {
        None
    } else {
        hostinfo.split_once('[')
    };
    let (host, digits) = match bracketed {
        Some((_, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, after.split_once(':').map_or("", |(_, digits)| digits))
        }
        None => split_once(hostinfo, b':').unwrap_or((hostinfo, "")),
    };
    // Python converts no host: an address in another form stays a name.
    let is_address = bracketed.is_some() || host.as_bytes().last().is_some_and(u8::is_ascii_digit);
    let address = is_address.then(|| host.parse().ok()).flatten();
    Ok(Reading {
        userinfo,
        host: (!host.is_empty()).then(|| lower_host(host)),
        address,
        port: port(digits)?,
        ..Reading::default()
    })
}

/// Both brackets or none, with an address between the first pair.
fn check_brackets(netloc: &str) -> Result<(), UrllibError> {
    match (netloc.split_once('['), netloc.contains(']')) {
        (Some((_, after)), true) => {
            let inner = after.split_once(']').map_or(after, |(inner, _)| inner);
            is_bracketed_host(inner)
                .then_some(())
                .ok_or(UrllibError::Address)
        }
        (None, false) => Ok(()),
        _ => Err(UrllibError::Bracket),
    }
}

/// `v` and a version, or an IPv6 address with an optional zone.
fn is_bracketed_host(inner: &str) -> bool {
    if let Some(future) = inner.strip_prefix('v') {
        return future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
        });
    }
    let address = match inner.split_once('%') {
        None => inner,
        Some((address, zone)) if !zone.is_empty() && !zone.contains('%') => address,
        Some(_) => return false,
    };
    address.parse::<Ipv6Addr>().is_ok()
}

/// No delimiter may come out of another character.
fn check_normalization(netloc: &str) -> Result<(), UrllibError> {
    if netloc.is_ascii() {
        return Ok(());
    }
    let kept = || {
        netloc
            .chars()
            .filter(|c| !matches!(c, '@' | ':' | '#' | '?'))
    };
    let mut normal = kept().nfkc();
    if normal.any(|c| matches!(c, '/' | '?' | '#' | '@' | ':')) {
        return Err(UrllibError::Normalization);
    }
    Ok(())
}

/// The digits without leading zeros.
fn port(digits: &str) -> Result<Option<Cow<'_, str>>, UrllibError> {
    if digits.is_empty() {
        return Ok(None);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(UrllibError::Port);
    }
    match digits.trim_start_matches('0') {
        "" => Ok(Some(Cow::Borrowed("0"))),
        number if number.parse::<u16>().is_ok() => Ok(Some(Cow::Borrowed(number))),
        _ => Err(UrllibError::PortRange),
    }
}

/// In lower case up to a `%`, which begins a zone.
fn lower_host(host: &str) -> Cow<'_, str> {
    match split_once(host, b'%') {
        None => lower(host),
        Some((name, zone)) => match lower(name) {
            Cow::Borrowed(_) => Cow::Borrowed(host),
            Cow::Owned(name) => Cow::Owned(format!("{name}%{zone}")),
        },
    }
}

fn lower(text: &str) -> Cow<'_, str> {
    if any(text, |byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Why Python's `urlsplit`, or `port` of its result, raises a `ValueError`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UrllibError {
    /// One bracket without the other.
    Bracket,
    /// Between brackets, neither an IPv6 nor a future address.
    Address,
    /// The authority has one of `/?#@:` after NFKC normalization.
    Normalization,
    /// The port is not a decimal number.
    Port,
    /// The port is above 65535.
    PortRange,
}

impl UrllibError {
    /// A description, such as `the port is above 65535`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bracket => "one bracket without the other",
            Self::Address => "no IPv6 address between brackets",
            Self::Normalization => "a delimiter after NFKC normalization of the authority",
            Self::Port => "the port is not a decimal number",
            Self::PortRange => "the port is above 65535",
        }
    }
}

impl fmt::Display for UrllibError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::error::Error for UrllibError {}
