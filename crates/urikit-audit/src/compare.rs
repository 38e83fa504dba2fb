//! When two readers say the same: the rules of a dispute.
//!
//! Schemes are compared in lower case; users and passwords decoded; ports as numbers, with the
//! scheme's default where there is none; hosts in lower case and without brackets, addresses by
//! value; paths after normalization. Empty is equal to absent. Nothing here allocates unless paths
//! differ.

use crate::reading::Reading;
use crate::split;
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::octet::escape;
use urikit::op::remove_dot_segments;

/// Whether both have the same scheme, in any case.
pub(crate) fn same_scheme(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let (a, b) = (a.scheme.as_deref(), b.scheme.as_deref());
    a == b
        || a.unwrap_or_default()
            .eq_ignore_ascii_case(b.unwrap_or_default())
}

/// What is compared.
#[derive(Clone, Copy)]
enum Host<'a> {
    Address(IpAddr),
    /// Without brackets; empty where there is no host.
    Name(&'a str),
}

fn host<'a>(reading: &'a Reading<'_>) -> Host<'a> {
    if let Some(address) = reading.address {
        return Host::Address(address);
    }
    let text = reading.host.as_deref().unwrap_or_default();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let text = inner.unwrap_or(text);
    let is_address = text.contains(':') || text.ends_with(|c: char| c.is_ascii_digit());
    let address = is_address.then(|| text.parse().ok()).flatten();
    address.map_or(Host::Name(text), Host::Address)
}

/// Whether both have the same host.
pub(crate) fn same_host(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    if a.address == b.address && a.host == b.host {
        return true;
    }
    match (host(a), host(b)) {
        (Host::Address(a), Host::Address(b)) => a == b,
        (Host::Name(a), Host::Name(b)) if a.is_ascii() && b.is_ascii() => a.eq_ignore_ascii_case(b),
        (Host::Name(a), Host::Name(b)) => lower(a).eq(lower(b)),
        _ => false,
    }
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// The host as it is compared.
pub(crate) fn host_text<'a>(reading: &'a Reading<'_>) -> Cow<'a, str> {
    match host(reading) {
        Host::Address(address) => Cow::Owned(address.to_string()),
        Host::Name(name)
            if name
                .chars()
                .any(|c| !c.is_ascii() || c.is_ascii_uppercase()) =>
        {
            Cow::Owned(lower(name).collect())
        }
        Host::Name(name) => Cow::Borrowed(name),
    }
}

/// Whether both have the same path: as written, or else after normalization (RFC 3986, 6.2.2 and
/// 6.2.3), with everything escaped that a path cannot contain.
pub(crate) fn same_path(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let is_root = |reading: &Reading<'_>| {
        matches!(&*reading.path, "" | "/") && (reading.host.is_some() || reading.has_null_host)
    };
    a.path == b.path || is_root(a) && is_root(b) || normal(a) == normal(b)
}

fn normal(reading: &Reading<'_>) -> String {
    let escaped = escaped(&reading.path);
    let is_hierarchical = reading.host.is_some() || reading.has_null_host;
    match &*escaped {
        "" if is_hierarchical => "/".to_owned(),
        path if path.starts_with('/') => remove_dot_segments(path).into_owned(),
        _ => escaped,
    }
}

/// The path with unreserved characters literal, and all others that are not delimiters as escapes
/// in upper case.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for octet in split::octets(path) {
        let is_unreserved = octet.value.is_ascii_alphanumeric() || b"-._~".contains(&octet.value);
        let is_delimiter = !octet.is_escaped && b"!$&'()*+,;=:@/".contains(&octet.value);
        if is_unreserved || is_delimiter {
            out.push(char::from(octet.value));
        } else {
            out.push_str(escape(octet.value));
        }
    }
    out
}

/// Whether both have the same port; the default of the scheme where there is none. Two readings
/// without a port agree, also if their schemes differ: that is a dispute of its own.
pub(crate) fn same_port(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.port == b.port || given(a) == given(b) || port_text(a) == port_text(b)
}

/// The port as given, without leading zeros.
fn given<'a>(reading: &'a Reading<'_>) -> &'a str {
    let text = reading.port.as_deref().unwrap_or_default();
    match text.trim_start_matches('0') {
        "" if !text.is_empty() => "0",
        digits => digits,
    }
}

/// The port as it is compared; empty if the scheme has no default.
pub(crate) fn port_text<'a>(reading: &'a Reading<'_>) -> Cow<'a, str> {
    match given(reading) {
        "" => {
            let number = reading.port_number();
            number.map_or(Cow::Borrowed(""), |number| Cow::Owned(number.to_string()))
        }
        given => Cow::Borrowed(given),
    }
}

/// Whether both have the same user and the same password, decoded.
pub(crate) fn same_userinfo(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.userinfo == b.userinfo || same(a.user(), b.user()) && same(a.password(), b.password())
}

fn same(a: Option<&str>, b: Option<&str>) -> bool {
    decoded_octets(a.unwrap_or_default()).eq(decoded_octets(b.unwrap_or_default()))
}

/// The octets of a text, escapes decoded.
fn decoded_octets(text: &str) -> impl Iterator<Item = u8> {
    split::octets(text).map(|octet| octet.value)
}
