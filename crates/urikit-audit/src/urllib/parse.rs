//! From a URL to its components.

use super::error::UrllibError;
use crate::reading::Reading;
use crate::split::split_at_any;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv6Addr};
use unicode_normalization::UnicodeNormalization as _;

/// Reads a URL as `urlsplit` does.
pub(crate) fn read(input: &str) -> Result<Reading<'_>, UrllibError> {
    let input = input.trim_start_matches(|c: char| c <= ' ');
    if !input
        .bytes()
        .any(|byte| matches!(byte, b'\t' | b'\r' | b'\n'))
    {
        return split(input);
    }
    let cleaned = input.replace(['\t', '\r', '\n'], "");
    split(&cleaned).map(Reading::into_owned)
}

fn split(text: &str) -> Result<Reading<'_>, UrllibError> {
    let (scheme, rest) = scheme(text);
    let (netloc, rest) = match rest.strip_prefix("//") {
        None => (None, rest),
        Some(rest) => {
            let (netloc, rest) = split_at_any(rest, b"/?#");
            (Some(netloc), rest)
        }
    };
    let reading = match netloc {
        Some(netloc) => authority(netloc)?,
        None => Reading::default(),
    };
    Ok(Reading {
        scheme,
        path: Cow::Borrowed(split_at_any(rest, b"?#").0),
        ..reading
    })
}

/// The scheme in lower case, and what follows its colon; or no scheme.
fn scheme(text: &str) -> (Option<Cow<'_, str>>, &str) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match text.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_part) =>
        {
            (Some(lower(scheme)), rest)
        }
        _ => (None, text),
    }
}

fn authority(netloc: &str) -> Result<Reading<'_>, UrllibError> {
    match (netloc.split_once('['), netloc.contains(']')) {
        (Some((_, after)), true) => {
            let inner = after.split_once(']').map_or(after, |(inner, _)| inner);
            if !is_bracketed_host(inner) {
                return Err(UrllibError::Address);
            }
        }
        (None, false) => {}
        _ => return Err(UrllibError::Bracket),
    }
    check_normalization(netloc)?;
    let (userinfo, hostinfo) = match netloc.rsplit_once('@') {
        Some((userinfo, hostinfo)) => (Some(Cow::Borrowed(userinfo)), hostinfo),
        None => (None, netloc),
    };
    let (host, digits) = match hostinfo.split_once('[') {
        Some((_, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, after.split_once(':').map_or("", |(_, digits)| digits))
        }
        None => hostinfo.split_once(':').unwrap_or((hostinfo, "")),
    };
    let port = port(digits)?;
    Ok(Reading {
        userinfo,
        host: (!host.is_empty()).then(|| lower_host(host)),
        address: address(host),
        port,
        ..Reading::default()
    })
}

/// A host that is an address as it is written. Python converts no host, so that other forms stay
/// names.
fn address(host: &str) -> Option<IpAddr> {
    let begins = host.starts_with(|c: char| c.is_ascii_hexdigit() || c == ':');
    begins.then(|| host.parse().ok())?
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
    match host.split_once('%') {
        None => lower(host),
        Some((name, zone)) => match lower(name) {
            Cow::Borrowed(_) => Cow::Borrowed(host),
            Cow::Owned(name) => Cow::Owned(format!("{name}%{zone}")),
        },
    }
}

fn lower(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}
