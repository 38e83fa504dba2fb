//! Hosts.

use super::error::CurlError;
use crate::escape::{decoded, octets};
use crate::split::any;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use urikit::component::inet_aton;

/// A host as curl gives it, and its address.
type Host<'a> = (Cow<'a, str>, Option<IpAddr>);

/// The longest zone.
const LONGEST_ZONE: usize = 15;

/// An IPv6 address with its brackets. The zone is not part of the host.
pub(super) fn ipv6(host: &str) -> Result<Host<'_>, CurlError> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let inner = inner.ok_or(CurlError::Ipv6Address)?;
    let text = match inner.split_once('%') {
        None => inner,
        Some((text, zone)) => {
            // `%25` is an escaped `%`, unless there is nothing else.
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

/// As the C library writes it: an address that ends in one of IPv4 with dots.
fn canonical(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => {
            let last = Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
            format!("::{last}")
        }
        _ => address.to_string(),
    }
}

/// A name or an IPv4 address.
pub(super) fn name(host: &str) -> Result<Host<'_>, CurlError> {
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
        Cow::Owned(decoded(host))
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

/// What a name may contain after decoding. Controls were rejected before, except U+007F in
/// escapes.
const fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'%' | b'-' | b'.' | b'_' | b'|' | b'~' | 0x7F..=0xFF)
}
