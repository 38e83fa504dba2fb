//! IP addresses: those that any reader reads.

use super::shape::Shape;
use crate::agree::Agreement;
use crate::escape::decoded;
use crate::finding::{Code, Findings};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use urikit::component::AddressKind;

/// Addresses at which clouds serve the metadata and the credentials of an instance: Amazon,
/// Azure, Google and others; Amazon's containers; Alibaba; Azure's wire server; Oracle.
const METADATA_V4: [Ipv4Addr; 5] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
/// The same of Amazon, Google, Oracle and Scaleway.
const METADATA_V6: [Ipv6Addr; 4] = [
    Ipv6Addr::new(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xFD00, 0xC1, 0, 0, 0, 0, 0xA9FE, 0xA9FE),
    Ipv6Addr::new(0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42),
];
/// Names of the same services.
const METADATA_NAMES: [&str; 3] = [
    "metadata.google.internal",
    "metadata.goog",
    "instance-data.ec2.internal",
];
/// Names of this machine.
const LOCAL_NAMES: [&str; 4] = [
    "localhost",
    "localhost.localdomain",
    "ip6-localhost",
    "ip6-loopback",
];

pub(super) fn find(shape: &Shape<'_>, agreement: &Agreement<'_>, found: &mut Findings) {
    let at = shape.host_offset();
    for (_, reading) in agreement.readings() {
        let Some(address) = reading.address else {
            let host = reading.host.as_deref().unwrap_or_default();
            named(host, at, found);
            continue;
        };
        let is_name = shape.host.parse::<Ipv4Addr>().is_err() && !shape.host.starts_with('[');
        if is_name && !shape.host.is_empty() && address.is_ipv4() {
            found.add(Code::UnusualIpv4, at);
        }
        if let IpAddr::V6(address) = address
            && embedded(address).is_some()
        {
            found.add(Code::MappedIpv4, at);
        }
        if let Some(code) = code(address) {
            found.add(code, at);
        }
    }
}

/// The IPv4 address in one of IPv6: mapped or compatible (RFC 4291, 2.5.5), translated (RFC 6052),
/// tunnelled (RFC 3056).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let (high, low) = match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => (high, low),
        [0, 0, 0, 0, 0, 0, high, low] if high > 0 => (high, low),
        _ => return None,
    };
    Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
}

fn code(address: IpAddr) -> Option<Code> {
    let is_metadata = match address {
        IpAddr::V4(address) => METADATA_V4.contains(&address),
        IpAddr::V6(address) => {
            METADATA_V6.contains(&address)
                || embedded(address).is_some_and(|inner| METADATA_V4.contains(&inner))
        }
    };
    if is_metadata {
        return Some(Code::MetadataAddress);
    }
    match AddressKind::of(address) {
        AddressKind::Public => None,
        AddressKind::Loopback => Some(Code::LoopbackAddress),
        AddressKind::Private => Some(Code::PrivateAddress),
        AddressKind::LinkLocal => Some(Code::LinkLocalAddress),
        _ => Some(Code::SpecialAddress),
    }
}

/// Names that lead to such addresses, whatever the DNS says.
fn named(host: &str, at: usize, found: &mut Findings) {
    let name = decoded(host).to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    if LOCAL_NAMES.contains(&name) || name.ends_with(".localhost") {
        found.add(Code::LoopbackAddress, at);
    }
    if METADATA_NAMES.contains(&name) {
        found.add(Code::MetadataAddress, at);
    }
}
