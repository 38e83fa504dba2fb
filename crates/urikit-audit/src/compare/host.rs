//! Hosts.

use crate::reading::Reading;
use std::borrow::Cow;
use std::net::IpAddr;

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
