//! Compares two readings of one input, component by component.
//!
//! - Schemes are compared in lower case.
//! - Users and passwords are decoded before they are compared.
//! - Hosts are compared in lower case and without brackets, and addresses by value.
//! - Ports are compared as numbers, with the default of the scheme filled in.
//! - Paths are normalized before they are compared.
//!
//! An empty component is equal to an absent one. Comparing allocates only if the paths differ.

use crate::reading::Reading;
use crate::split;
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::octet::escape;
use urikit::op::remove_dot_segments;

/// Returns whether both readings have the same scheme, ignoring case.
pub(crate) fn same_scheme(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let (a, b) = (a.scheme.as_deref(), b.scheme.as_deref());
    a == b
        || a.unwrap_or_default()
            .eq_ignore_ascii_case(b.unwrap_or_default())
}

/// A host in the form used for comparison.
#[derive(Clone, Copy)]
enum Host<'a> {
    Address(IpAddr),
    /// A name, without brackets; empty if the host is absent.
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

/// Returns whether both readings have the same host.
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

/// Returns the host in the form used for comparison.
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

/// Returns whether both readings have the same path, as written or after normalization (RFC 3986,
/// 6.2.2 and 6.2.3). Characters that a path cannot contain are escaped first.
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

/// Decodes the escaped unreserved characters in a path, and escapes all other characters except
/// delimiters.
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

/// Returns whether both readings have the same port, with the default of the scheme filled in.
///
/// Two readings without a port agree even if their schemes have different defaults, because the
/// difference in schemes is already reported as a dispute.
pub(crate) fn same_port(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.port == b.port || given(a) == given(b) || port_text(a) == port_text(b)
}

/// Returns the port without leading zeros, or an empty string.
fn given<'a>(reading: &'a Reading<'_>) -> &'a str {
    let text = reading.port.as_deref().unwrap_or_default();
    match text.trim_start_matches('0') {
        "" if !text.is_empty() => "0",
        digits => digits,
    }
}

/// Returns the port in the form used for comparison: with the default filled in, or empty.
pub(crate) fn port_text<'a>(reading: &'a Reading<'_>) -> Cow<'a, str> {
    match given(reading) {
        "" => {
            let number = reading.port_number();
            number.map_or(Cow::Borrowed(""), |number| Cow::Owned(number.to_string()))
        }
        given => Cow::Borrowed(given),
    }
}

/// Returns whether both readings have the same user and the same password after decoding.
pub(crate) fn same_userinfo(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.userinfo == b.userinfo || same(a.user(), b.user()) && same(a.password(), b.password())
}

fn same(a: Option<&str>, b: Option<&str>) -> bool {
    decoded_octets(a.unwrap_or_default()).eq(decoded_octets(b.unwrap_or_default()))
}

/// Iterates over the octets of a string, and decodes its escapes.
fn decoded_octets(text: &str) -> impl Iterator<Item = u8> {
    split::octets(text).map(|octet| octet.value)
}
