//! Origins, and the comparison of a destination with the base.

use super::{Departure, Keep};
use crate::reading::Reading;
use crate::split::{any, decoded};
use idna::AsciiDenyList;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use urikit_domains::List;

/// The scheme, the host and the port of an http(s) URL without userinfo.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Origin<'a> {
    pub(super) is_https: bool,
    pub(super) host: Host<'a>,
    /// The port, or the default port of the scheme. `None` if the port is not a number up to 65535.
    pub(super) port: Option<u16>,
}

/// A host in the form used for comparison.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Host<'a> {
    Address(IpAddr),
    /// A name: decoded, mapped by IDNA, and in lower case. A trailing dot is kept.
    Name(Cow<'a, str>),
}

impl<'a> Origin<'a> {
    /// Returns `None` if the scheme is not http(s), or if the URL has a userinfo or lacks a host.
    pub(super) fn of(reading: &'a Reading<'_>) -> Option<Self> {
        let host = reading.host.as_deref().filter(|host| !host.is_empty())?;
        if reading.userinfo.is_some() {
            return None;
        }
        Some(Self {
            is_https: is_https(reading)?,
            host: Host::of(host, reading.address),
            port: reading.port_number(),
        })
    }

    /// Returns whether `other` has the same origin or the same registrable domain as this base.
    pub(super) fn is_kept_by(&self, other: &Origin<'_>, keep: Keep) -> bool {
        match keep {
            Keep::Origin => self == other,
            Keep::Domain => {
                (other.is_https || !self.is_https) && self.host.is_same_site(&other.host)
            }
        }
    }

    /// Returns the reason why a destination leaves this base, if it does.
    pub(super) fn departure(&self, reading: &Reading<'_>, keep: Keep) -> Option<Departure> {
        let origin = Origin::of(reading);
        if origin
            .as_ref()
            .is_some_and(|origin| self.is_kept_by(origin, keep))
        {
            return None;
        }
        let is_downgrade = self.is_https && is_https(reading) == Some(false);
        // An upgrade from http to https also changes the default port.
        let would_keep = is_downgrade
            && origin.is_some_and(|origin| {
                let port = match origin.port {
                    Some(80) if reading.port.as_deref().unwrap_or_default().is_empty() => Some(443),
                    port => port,
                };
                let upgraded = Origin {
                    is_https: true,
                    port,
                    ..origin
                };
                self.is_kept_by(&upgraded, keep)
            });
        Some(Departure {
            leaves: !would_keep,
            is_downgrade,
        })
    }
}

/// Returns `None` if the scheme is neither http nor https.
fn is_https(reading: &Reading<'_>) -> Option<bool> {
    let scheme = reading.scheme.as_deref()?;
    if scheme.eq_ignore_ascii_case("https") {
        Some(true)
    } else {
        scheme.eq_ignore_ascii_case("http").then_some(false)
    }
}

impl<'a> Host<'a> {
    fn of(host: &'a str, address: Option<IpAddr>) -> Self {
        if let Some(address) = address {
            return Self::Address(address);
        }
        let name = canonical(host);
        let address: Option<IpAddr> = match name.strip_prefix('[') {
            Some(rest) => {
                let inner = rest.strip_suffix(']').unwrap_or_default();
                inner.parse().ok().map(|address: Ipv6Addr| address.into())
            }
            None => name.parse().ok().map(|address: Ipv4Addr| address.into()),
        };
        address.map_or(Self::Name(name), Self::Address)
    }

    fn is_same_site(&self, other: &Host<'_>) -> bool {
        self == other
            || match (self, other) {
                (Self::Name(a), Host::Name(b)) => {
                    let (a, b) = (registrable(a), registrable(b));
                    a.is_some() && a == b
                }
                _ => false,
            }
    }
}

/// Decodes a host, applies IDNA, and converts it to lower case. The result of IDNA validation does
/// not matter here: a host that IDNA rejects is only decoded.
fn canonical(host: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
    if !any(host, |byte| !is_plain(byte)) && !host.contains("xn--") {
        return Cow::Borrowed(host);
    }
    let decoded = decoded(host);
    match idna::domain_to_ascii_cow(decoded.as_bytes(), AsciiDenyList::EMPTY) {
        Ok(ascii) => Cow::Owned(ascii.into_owned()),
        Err(_) => Cow::Owned(decoded.to_lowercase()),
    }
}

/// Returns the registrable domain, and whether a dot follows it.
fn registrable(name: &str) -> Option<(&str, bool)> {
    let domain = List::builtin().with_private(true).domain(name)?;
    Some((domain.registrable()?, name.ends_with('.')))
}
