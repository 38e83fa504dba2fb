//! A model of CPython 3.13.0's `urllib.parse.urlsplit`, and of the `username`, `password`,
//! `hostname` and `port` properties of its result.
//!
//! The model is based on measurements with version 3.13.0 (`tests/programs/python.py`). The
//! `models` test compares the model with CPython if that version is installed. Other versions
//! differ: before 3.6.14 and 3.9.5, tabs and line breaks are kept; before 3.11.4, leading spaces
//! and control characters are kept, and brackets may contain any text. Version 3.13.2 rejects text
//! around the brackets, which version 3.13.0 ignores.
//!
//! - Leading spaces and control characters are removed, as are all tabs, CR and LF.
//! - The text before the first colon is a scheme if all its characters are allowed in a scheme.
//!   Otherwise the input is a relative reference.
//! - The authority ends at the first `/`, `?` or `#`, and the userinfo at the last `@`. The host is
//!   the text between brackets, or otherwise the text up to the first colon. The host is converted
//!   to lower case up to a `%`.
//! - Only four things are errors: a bracket without its counterpart, brackets without an IP
//!   address, a host in which Unicode's NFKC produces one of `/?#@:`, and a port that is not a
//!   decimal number up to 65535. Python reports an invalid port only when a program reads `port`;
//!   this model rejects the URL.

use crate::reading::Reading;
use crate::split::{
    any, ends_authority, ends_path, query_and_fragment, rsplit_once, split_at, split_once,
};
use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;
use unicode_normalization::UnicodeNormalization as _;
use urikit::grammar::rfc3986::is_scheme_char;

/// Reads a URL as `urlsplit` does.
pub(crate) fn read(input: &str) -> Result<Reading<'_>, UrllibError> {
    match cleaned(input) {
        Cow::Borrowed(input) => split(input),
        Cow::Owned(input) => split(&input).map(Reading::into_owned),
    }
}

/// Removes the characters that `urlsplit` removes.
fn cleaned(input: &str) -> Cow<'_, str> {
    let input = input.trim_start_matches(|c: char| c <= ' ');
    if any(input, |byte| matches!(byte, b'\t' | b'\r' | b'\n')) {
        Cow::Owned(input.replace(['\t', '\r', '\n'], ""))
    } else {
        Cow::Borrowed(input)
    }
}

fn split(text: &str) -> Result<Reading<'_>, UrllibError> {
    let url = SplitResult::of(text);
    let reading = match url.netloc {
        None => Reading::default(),
        Some(netloc) => Reading {
            authority: (!netloc.is_empty()).then_some(Cow::Borrowed(netloc)),
            ..authority(netloc)?
        },
    };
    let given = |text| Some(text).filter(|text: &&str| !text.is_empty());
    Ok(Reading {
        scheme: url.scheme,
        path: Cow::Borrowed(url.path),
        query: given(url.query).map(Cow::Borrowed),
        fragment: given(url.fragment).map(Cow::Borrowed),
        ..reading
    })
}

/// The result of `urlsplit` before any check. An empty query or fragment is treated as absent.
struct SplitResult<'a> {
    /// The scheme in lower case.
    scheme: Option<Cow<'a, str>>,
    netloc: Option<&'a str>,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl<'a> SplitResult<'a> {
    fn of(text: &'a str) -> Self {
        let (scheme, rest) = scheme(text);
        let (netloc, rest) = match rest.strip_prefix("//") {
            None => (None, rest),
            Some(rest) => {
                let (netloc, rest) = split_at(rest, ends_authority);
                (Some(netloc), rest)
            }
        };
        let (path, rest) = split_at(rest, ends_path);
        let (query, fragment) = query_and_fragment(rest);
        Self {
            scheme,
            netloc,
            path,
            query: query.unwrap_or_default(),
            fragment: fragment.unwrap_or_default(),
        }
    }
}

/// Resolves a reference as `urljoin` does. `base` is an http(s) URL with a host.
///
/// `urljoin` checks the authority, whereas this model checks it when the result is read.
pub(crate) fn join(base: &str, target: &str) -> String {
    if target.is_empty() {
        return base.to_owned();
    }
    let (base, cleaned_target) = (cleaned(base), cleaned(target));
    let (base, url) = (SplitResult::of(&base), SplitResult::of(&cleaned_target));
    if url.scheme.is_some() && url.scheme != base.scheme {
        return target.to_owned();
    }
    let given = |text: &'_ str| !text.is_empty();
    let (path, params) = path_and_params(url.path);
    let (base_path, base_params) = path_and_params(base.path);
    let netloc = url.netloc.filter(|netloc| given(netloc));
    let (path, params, query) = match netloc {
        Some(_) => (Cow::Borrowed(path), params, url.query),
        None if path.is_empty() && params.is_empty() => {
            let query = if given(url.query) {
                url.query
            } else {
                base.query
            };
            (Cow::Borrowed(base_path), base_params, query)
        }
        None => (Cow::Owned(merged(base_path, path)), params, url.query),
    };
    let scheme = base.scheme.as_deref().unwrap_or_default();
    let netloc = netloc.or(base.netloc).unwrap_or_default();
    let mut joined = format!("{scheme}://{netloc}");
    if given(&path) && !path.starts_with('/') {
        joined.push('/');
    }
    joined.push_str(&path);
    for (delimiter, text) in [(';', params), ('?', query), ('#', url.fragment)] {
        if given(text) {
            joined.push(delimiter);
            joined.push_str(text);
        }
    }
    joined
}

/// Splits the parameters off the last segment of a path.
fn path_and_params(path: &str) -> (&str, &str) {
    let segment = path.rfind('/').unwrap_or(0);
    let at = path.get(segment..).and_then(|text| text.find(';'));
    at.and_then(|at| Some((path.get(..segment + at)?, path.get(segment + at + 1..)?)))
        .unwrap_or((path, ""))
}

/// Merges two paths and removes dot segments. Empty segments of a relative path are removed.
fn merged(base: &str, path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    if !path.starts_with('/') {
        segments.extend(base.split('/'));
        if segments.last().is_some_and(|last| !last.is_empty()) {
            segments.pop();
        }
    }
    segments.extend(path.split('/'));
    let last = segments.len() - 1;
    let is_kept = |at: usize, segment: &str| {
        path.starts_with('/') || at == 0 || at == last || !segment.is_empty()
    };
    let mut resolved: Vec<&str> = Vec::with_capacity(segments.len());
    for (at, segment) in segments.iter().enumerate() {
        match *segment {
            ".." => drop(resolved.pop()),
            "." => {}
            segment if is_kept(at, segment) => resolved.push(segment),
            _ => {}
        }
    }
    if matches!(segments.last(), Some(&("." | ".."))) {
        resolved.push("");
    }
    match resolved.join("/") {
        path if path.is_empty() => "/".to_owned(),
        path => path,
    }
}

/// Splits off the scheme and its colon, if any. The scheme is in lower case.
fn scheme(text: &str) -> (Option<Cow<'_, str>>, &str) {
    let (scheme, rest) = split_at(text, |byte| !is_scheme_char(byte));
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
    // Python never converts hosts: an address in another form remains a name.
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

/// Checks that brackets come in pairs, and that the first pair contains an address.
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

/// Returns true if a string is an `IPvFuture` address (`v`, a version, a dot and text), or an IPv6
/// address with an optional zone.
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

/// Checks that normalization does not turn other characters into delimiters.
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

/// Checks a port and removes leading zeros.
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

/// Converts a host to lower case, up to the `%` that begins a zone, if any.
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

/// The reason why Python's `urlsplit`, or `port` of its result, raises a `ValueError`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UrllibError {
    /// A bracket without its counterpart.
    Bracket,
    /// The brackets contain neither an IPv6 address nor an `IPvFuture` address.
    Address,
    /// NFKC normalization of the authority produces one of `/?#@:`.
    Normalization,
    /// The port is not a decimal number.
    Port,
    /// The port is above 65535.
    PortRange,
}

impl UrllibError {
    /// Returns a description, such as `the port is above 65535`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bracket => "a bracket without its counterpart",
            Self::Address => "the brackets do not contain an IPv6 address",
            Self::Normalization => "NFKC normalization of the authority produces a delimiter",
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
