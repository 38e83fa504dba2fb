//! A model of the URL parser of libcurl 7.88.1.
//!
//! The model is based on measurements of `curl_url_set` with the `CURLU_NON_SUPPORT_SCHEME` flag on
//! Linux (`tests/programs/curl.py`). The `models` test compares the model with libcurl if that
//! version is installed. The model does not include the guess that the `curl` command makes if the
//! scheme is missing. The command derives the scheme from the host, and usually assumes `http`: it
//! reads `mailto:a@b` as `http://mailto:a@b`.
//!
//! - A scheme has 1 to 40 letters, digits, `+`, `-` and `.`, in any order. One to three slashes
//!   follow the scheme: `http:/h` and `http:///h` mean `http://h`.
//! - The authority ends at the first `/`, `?` or `#`, and the userinfo at the first `@`. A second
//!   `@` is an error.
//! - Spaces, control characters and U+007F are errors everywhere. In hosts, some other characters
//!   are errors too.
//! - Hosts are percent-decoded. IPv4 addresses may be octal, hexadecimal or short, as in
//!   `inet_aton`. Addresses are read before decoding, so `%31.1` is the name `1.1`.
//! - An IPv6 address may have a zone of up to 15 characters after `%` or `%25`.
//! - The highest port is 65535. Dot segments are removed from the path, but not if they are
//!   escaped.
//! - The host of a `file` URL is empty, `localhost` or `127.0.0.1`. Drive letters are errors.

use crate::reading::Reading;
use crate::split::{
    any, begins_with_drive, decoded, ends_authority, ends_path, octets, query_and_fragment,
    rsplit_once, split_at, split_once,
};
use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use urikit::component::inet_aton;
use urikit::grammar::rfc3986::is_scheme_char;
use urikit::op::remove_dot_segments;

/// Resolves a reference as `curl_url_set` does on a handle that contains the base, which is an
/// http(s) URL.
///
/// curl edits the text of the base and reads the result. A reference without a scheme is an
/// authority if it begins with two slashes, and otherwise a path. Only leading `./` and `../` are
/// removed from a path here, because reading the result removes all other dot segments.
pub(crate) fn resolve(base: &str, target: &str) -> Result<Reading<'static>, CurlError> {
    if scheme(target).is_ok() {
        return read(target).map(Reading::into_owned);
    }
    let base = url(&read(base)?);
    read(&concat(&base, target)).map(Reading::into_owned)
}

/// Writes a URL as `curl_url_get` returns it.
pub(crate) fn url(reading: &Reading<'_>) -> String {
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
    let mut url = format!("{}://", text(&reading.scheme));
    if reading.userinfo.is_some() {
        url.push_str(&text(&reading.userinfo));
        url.push('@');
    }
    url.push_str(&text(&reading.host));
    if reading.port.is_some() {
        url.push(':');
        url.push_str(&text(&reading.port));
    }
    url.push_str(&reading.path);
    for (delimiter, part) in [('?', &reading.query), ('#', &reading.fragment)] {
        if let Some(part) = part {
            url.push(delimiter);
            url.push_str(part);
        }
    }
    url
}

/// Resolves a reference without a scheme: joins it to the beginning of `base`, which has a path.
fn concat(base: &str, target: &str) -> String {
    let root = base.find("//").map_or(0, |at| at + 2);
    let (scheme, rest) = base.split_at_checked(root).unwrap_or((base, ""));
    if let Some(target) = target.strip_prefix("//") {
        // The authority is kept as written. Only the text after it is escaped.
        let begin = target.find("//").map_or(0, |at| at + 2);
        let after = target.get(begin..).unwrap_or_default();
        let end = begin + after.find(['/', '?']).unwrap_or(after.len());
        let (authority, rest) = target.split_at_checked(end).unwrap_or((target, ""));
        return format!("{scheme}{authority}{}", escaped(rest));
    }
    if target.starts_with('/') {
        let (authority, _) = split_at(rest, |byte| matches!(byte, b'/' | b'?'));
        return format!("{scheme}{authority}{}", escaped(target));
    }
    // The fragment of the base is not removed, so slashes in it are treated as slashes in the path.
    let (hierarchy, _) = split_at(rest, |byte| byte == b'?');
    if target.starts_with('?') {
        return format!("{scheme}{hierarchy}{}", escaped(target));
    }
    let folder = rsplit_once(hierarchy, b'/').map_or(hierarchy, |(folder, _)| folder);
    let (authority, path) = split_at(folder, |byte| byte == b'/');
    let mut inner = path.strip_prefix('/');
    let mut target = target.strip_prefix("./").unwrap_or(target);
    while let Some(rest) = target.strip_prefix("../") {
        inner = inner.map(|inner| rsplit_once(inner, b'/').map_or("", |(parent, _)| parent));
        target = rest;
    }
    let has_slash = target.starts_with(['?', '/']) || inner == Some("");
    let slash = if has_slash { "" } else { "/" };
    let folder = inner.map(|inner| format!("/{inner}")).unwrap_or_default();
    format!("{scheme}{authority}{folder}{slash}{}", escaped(target))
}

/// Escapes spaces and non-ASCII octets, as curl does in redirects.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_query = false;
    for byte in text.bytes() {
        is_query |= byte == b'?';
        match byte {
            b' ' if is_query => out.push('+'),
            b' ' => out.push_str("%20"),
            0x80.. => {
                // INVARIANT: writing to a string does not fail.
                let _ = write!(out, "%{byte:02x}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out
}

/// The maximum length of a scheme.
const LONGEST_SCHEME: usize = 40;

/// Reads a URL as libcurl does.
pub(crate) fn read(input: &str) -> Result<Reading<'_>, CurlError> {
    let (scheme, rest) = scheme(input)?;
    if any(input, |byte| byte <= b' ' || byte == 0x7F) {
        return Err(CurlError::Character);
    }
    let lower = lower(scheme);
    if lower == "file" {
        return file(lower, rest);
    }
    let slashes = rest.bytes().take_while(|byte| *byte == b'/').count();
    if !(1..=3).contains(&slashes) {
        return Err(CurlError::Slashes);
    }
    let after = rest.get(slashes..).unwrap_or_default();
    let (text, rest) = split_at(after, ends_authority);
    let reading = authority(text)?;
    let (before, after) = path(rest);
    let (query, fragment) = query_and_fragment(after);
    Ok(Reading {
        scheme: Some(lower),
        authority: Some(Cow::Borrowed(text)),
        path: normal(before),
        query: query.map(Cow::Borrowed),
        fragment: fragment.filter(|text| !text.is_empty()).map(Cow::Borrowed),
        ..reading
    })
}

/// Splits off the scheme and its colon.
fn scheme(input: &str) -> Result<(&str, &str), CurlError> {
    let (scheme, rest) = split_once(input, b':').ok_or(CurlError::Scheme)?;
    let is_scheme =
        (1..=LONGEST_SCHEME).contains(&scheme.len()) && scheme.bytes().all(is_scheme_char);
    if is_scheme {
        Ok((scheme, rest))
    } else {
        Err(CurlError::Scheme)
    }
}

fn lower(scheme: &str) -> Cow<'_, str> {
    if any(scheme, |byte| byte.is_ascii_uppercase()) {
        Cow::Owned(scheme.to_ascii_lowercase())
    } else {
        Cow::Borrowed(scheme)
    }
}

/// Reads an authority. Leaves the path of the returned reading empty.
fn authority(text: &str) -> Result<Reading<'_>, CurlError> {
    let (userinfo, rest) = match split_once(text, b'@') {
        Some((userinfo, rest)) => (Some(Cow::Borrowed(userinfo)), rest),
        None => (None, text),
    };
    let end = if rest.starts_with('[') {
        rest.find(']').ok_or(CurlError::Ipv6Address)? + 1
    } else {
        rest.bytes()
            .position(|byte| byte == b':')
            .unwrap_or(rest.len())
    };
    let (host, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let port = match after.strip_prefix(':') {
        Some(digits) => port(digits)?,
        None if after.is_empty() => None,
        None => return Err(CurlError::Port),
    };
    let (host, address) = match host.strip_prefix('[') {
        Some(_) => ipv6(host)?,
        None => name(host)?,
    };
    Ok(Reading {
        userinfo,
        host: Some(host),
        address,
        port,
        ..Reading::default()
    })
}

/// Checks a port and removes leading zeros.
fn port(digits: &str) -> Result<Option<Cow<'_, str>>, CurlError> {
    if digits.is_empty() {
        return Ok(None);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CurlError::Port);
    }
    let number = digits.trim_start_matches('0');
    match number {
        "" => Ok(Some(Cow::Borrowed("0"))),
        number if number.parse::<u16>().is_ok() => Ok(Some(Cow::Borrowed(number))),
        _ => Err(CurlError::Port),
    }
}

/// A host as curl returns it, and its address.
type Host<'a> = (Cow<'a, str>, Option<IpAddr>);

/// The maximum length of a zone.
const LONGEST_ZONE: usize = 15;

/// Reads an IPv6 address with its brackets. curl returns the host without the zone.
fn ipv6(host: &str) -> Result<Host<'_>, CurlError> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let inner = inner.ok_or(CurlError::Ipv6Address)?;
    let text = match inner.split_once('%') {
        None => inner,
        Some((text, zone)) => {
            // `%25` is an escaped `%`. If nothing follows the `%25`, the zone is `25`.
            let zone = match zone.strip_prefix("25") {
                Some(zone) if !zone.is_empty() => zone,
                _ => zone,
            };
            if zone.is_empty() || zone.len() > LONGEST_ZONE {
                return Err(CurlError::Ipv6Address);
            }
            text
        }
    };
    let address: Ipv6Addr = text.parse().map_err(|_| CurlError::Ipv6Address)?;
    let canonical = canonical(address);
    let is_shorter = canonical.len() < text.len();
    let host = if is_shorter {
        Cow::Owned(format!("[{canonical}]"))
    } else if inner.len() == text.len() {
        Cow::Borrowed(host)
    } else {
        Cow::Owned(format!("[{text}]"))
    };
    Ok((host, Some(IpAddr::V6(address))))
}

/// Writes an IPv6 address like the C library, which writes the end of some addresses as an IPv4
/// address.
fn canonical(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => {
            let last = Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
            format!("::{last}")
        }
        _ => address.to_string(),
    }
}

/// Reads a name or an IPv4 address.
fn name(host: &str) -> Result<Host<'_>, CurlError> {
    if host.is_empty() {
        return Err(CurlError::NoHost);
    }
    if let Some(address) = inet_aton(host) {
        let canonical = address.to_string();
        let host = if canonical == host {
            Cow::Borrowed(host)
        } else {
            Cow::Owned(canonical)
        };
        return Ok((host, Some(IpAddr::V4(address))));
    }
    let host = if any(host, |byte| byte == b'%') {
        if octets(host).any(|octet| octet.value < b' ') {
            return Err(CurlError::Host);
        }
        decoded(host)
    } else {
        Cow::Borrowed(host)
    };
    if host.bytes().all(is_host) {
        let is_address = host.as_bytes().last().is_some_and(u8::is_ascii_digit);
        let address = is_address
            .then(|| host.parse().ok().map(IpAddr::V4))
            .flatten();
        Ok((host, address))
    } else {
        Err(CurlError::Host)
    }
}

/// Returns whether a name may contain an octet after decoding. Earlier checks have rejected all
/// other control characters.
const fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'%' | b'-' | b'.' | b'_' | b'|' | b'~' | 0x7F..=0xFF)
}

/// Splits off the path.
fn path(text: &str) -> (&str, &str) {
    split_at(text, ends_path)
}

/// Removes dot segments. curl replaces a path of a single character with a slash.
fn normal(path: &str) -> Cow<'_, str> {
    if path.len() < 2 {
        Cow::Borrowed("/")
    } else {
        remove_dot_segments(path)
    }
}

/// The hosts that curl removes from `file` URLs, because they refer to this machine.
const THIS_MACHINE: [&str; 2] = ["localhost/", "127.0.0.1/"];

/// Reads the rest of a `file` URL.
fn file<'a>(scheme: Cow<'a, str>, rest: &'a str) -> Result<Reading<'a>, CurlError> {
    if rest.len() < 2 {
        return Err(CurlError::File);
    }
    let text = match rest.strip_prefix("//") {
        None => rest,
        Some(after) if after.starts_with('/') => after,
        Some(after) => {
            let host = THIS_MACHINE.iter().find(|host| {
                after
                    .get(..host.len())
                    .is_some_and(|begin| begin.eq_ignore_ascii_case(host))
            });
            let length = host.ok_or(CurlError::File)?.len();
            after.get(length - 1..).unwrap_or_default()
        }
    };
    if begins_with_drive(text.strip_prefix('/').unwrap_or(text)) {
        return Err(CurlError::File);
    }
    let (before, after) = path(text);
    let (query, fragment) = query_and_fragment(after);
    Ok(Reading {
        scheme: Some(scheme),
        path: normal(before),
        query: query.map(Cow::Borrowed),
        fragment: fragment.filter(|text| !text.is_empty()).map(Cow::Borrowed),
        ..Reading::default()
    })
}

/// The reason why curl rejects a URL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CurlError {
    /// The scheme is missing, too long or has invalid characters.
    Scheme,
    /// The scheme is not followed by one to three slashes.
    Slashes,
    /// The URL contains a control character or a space. (curl never receives text after U+0000.)
    Character,
    /// The host is empty.
    NoHost,
    /// The host contains an invalid character, perhaps only after decoding.
    Host,
    /// The brackets do not contain an IPv6 address, or its zone is too long.
    Ipv6Address,
    /// The port is not a decimal number from 0 to 65535.
    Port,
    /// The `file` URL has the host of another machine, a drive letter or no path.
    File,
}

impl CurlError {
    /// Returns a description, such as `the URL has no host`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "the scheme is missing or not valid",
            Self::Slashes => "expected one to three slashes after the scheme",
            Self::Character => "the URL contains a control character or a space",
            Self::NoHost => "the URL has no host",
            Self::Host => "the host contains a character that is not allowed",
            Self::Ipv6Address => "the brackets do not contain an IPv6 address",
            Self::Port => "the port is not a decimal number from 0 to 65535",
            Self::File => "the file is not on this machine",
        }
    }
}

impl fmt::Display for CurlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::error::Error for CurlError {}
