//! `urlsplit`: five parts, by delimiters alone.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Scheme (in lower case), netloc, path, query and fragment. `None` for the scheme if there is
/// none. The caller checks what NFKC makes of a netloc beyond US-ASCII.
type Parts = (Option<String>, String, String, String, String);

/// Splits a URL; leading spaces and control characters, tabs and line breaks are removed.
#[pyfunction(name = "urlsplit")]
pub(crate) fn split(url: &str, allow_fragments: bool) -> PyResult<Parts> {
    let url = url.trim_start_matches(|c: char| c <= ' ');
    let is_removed = |c: char| matches!(c, '\t' | '\r' | '\n');
    let url: Cow<'_, str> = if url.contains(is_removed) {
        Cow::Owned(url.replace(is_removed, ""))
    } else {
        Cow::Borrowed(url)
    };
    let (scheme, rest) = scheme(&url);
    let (netloc, rest) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    check_brackets(netloc).map_err(PyValueError::new_err)?;
    let (rest, fragment) = match rest.split_once('#') {
        Some(split) if allow_fragments => split,
        _ => (rest, ""),
    };
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let own = str::to_owned;
    Ok((scheme, own(netloc), own(path), own(query), own(fragment)))
}

/// The scheme and what follows its colon; or no scheme.
fn scheme(url: &str) -> (Option<String>, &str) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match url.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_part) =>
        {
            (Some(scheme.to_ascii_lowercase()), rest)
        }
        _ => (None, url),
    }
}

/// Both brackets or none, an IP address between them, and only a port after them.
fn check_brackets(netloc: &str) -> Result<(), &'static str> {
    const INVALID: &str = "Invalid IPv6 URL";
    match (netloc.contains('['), netloc.contains(']')) {
        (false, false) => return Ok(()),
        (true, true) => {}
        _ => return Err(INVALID),
    }
    let hostinfo = netloc.rsplit('@').next().unwrap_or_default();
    let host = match hostinfo.split_once('[') {
        Some(("", bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            if !after.is_empty() && !after.starts_with(':') {
                return Err(INVALID);
            }
            host
        }
        Some(_) => return Err(INVALID),
        None => hostinfo.split(':').next().unwrap_or_default(),
    };
    if host.starts_with('v') {
        return is_future(host)
            .then_some(())
            .ok_or("IPvFuture address is invalid");
    }
    let (address, zone) = match host.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (host, None),
    };
    let is_zone = zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('%'));
    match address.parse::<Ipv6Addr>() {
        Ok(_) if is_zone => Ok(()),
        _ => Err("Expected an IPv6 address between brackets"),
    }
}

/// `v`, a version in hexadecimal digits, a dot and an address.
fn is_future(host: &str) -> bool {
    let split = host.strip_prefix('v').and_then(|rest| rest.split_once('.'));
    split.is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
    })
}
