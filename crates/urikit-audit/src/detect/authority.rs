//! Findings about the authority: userinfo, host, address, name and port.

use super::Shape;
use crate::agree::Agreement;
use crate::finding::{Code, Findings};
use crate::split::{any, decoded, octets};
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use unicode_security::{MixedScript as _, skeleton};
use urikit::component::{AddressKind, embedded_ipv4};
use urikit::scheme::default_port;

pub(super) fn find_in_authority(shape: &Shape<'_>, found: &mut Findings) {
    let Some(authority) = shape.authority else {
        return;
    };
    if authority.matches('@').count() > 1 {
        let second = authority.match_indices('@').nth(1).map_or(0, |(at, _)| at);
        found.add(Code::SeveralAt, shape.offset(authority) + second);
    }
    userinfo(shape, found);
    if let Some(at) = misplaced_bracket(authority, shape.host) {
        found.add(Code::MisplacedBracket, shape.offset(authority) + at);
    }
    if shape.host.starts_with('[') {
        if let Some(at) = shape.host.find('%') {
            found.add(Code::Zone, shape.offset(shape.host) + at);
        }
    } else {
        host(shape, found);
    }
}

fn userinfo(shape: &Shape<'_>, found: &mut Findings) {
    let Some(userinfo) = shape.userinfo else {
        return;
    };
    let offset = shape.offset(userinfo);
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    if !password.is_empty() {
        found.add(Code::Password, offset + user.len() + 1);
    }
    let user = decoded(user);
    // A colon in a bracketed address does not mark the end of the user name.
    let is_bracketed = userinfo.starts_with('[') && userinfo.contains(']');
    if user.contains('.') || is_bracketed {
        found.add(Code::HostLikeUser, offset);
    }
    if user.starts_with('-') {
        found.add(Code::LeadingDash, offset);
    }
}

/// Returns the offset of the first bracket that does not enclose the host.
fn misplaced_bracket(authority: &str, host: &str) -> Option<usize> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let is_bracketed = inner.is_some_and(|inner| !inner.contains(['[', ']']));
    let end = authority.len() - authority.rsplit('@').next().unwrap_or_default().len();
    let around = if is_bracketed {
        [Some(end), Some(end + host.len() - 1)]
    } else {
        [None, None]
    };
    authority
        .match_indices(['[', ']'])
        .map(|(at, _)| at)
        .find(|at| !around.contains(&Some(*at)))
}

fn host(shape: &Shape<'_>, found: &mut Findings) {
    let begin = shape.offset(shape.host);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    if !any(shape.host, |byte| !is_name(byte)) {
        // Most hosts contain only these characters.
        if shape.host.starts_with('-') {
            found.add(Code::LeadingDash, begin);
        }
        return;
    }
    for octet in octets(shape.host) {
        let at = begin + octet.offset;
        let is_delimiter = b"/?#@:[]\\".contains(&octet.value) || octet.value <= b' ';
        match octet.is_escaped {
            true if is_delimiter => found.add(Code::EscapedDelimiterInHost, at),
            true => found.add(Code::EscapeInHost, at),
            // Other codes cover the characters not listed here.
            false if b"!\"$&'()*+,;<=>^`{|}:".contains(&octet.value) => {
                found.add(Code::DelimiterInHost, at);
            }
            false => {}
        }
    }
    if decoded(shape.host).starts_with('-') {
        found.add(Code::LeadingDash, begin);
    }
}

/// The maximum length of a name in octets (RFC 1035, 2.3.4, without the length octets of the wire
/// format).
const LONGEST_NAME: usize = 253;
/// The maximum length of a label in octets (RFC 1035, 2.3.4).
const LONGEST_LABEL: usize = 63;

pub(super) fn find_in_name(shape: &Shape<'_>, found: &mut Findings) {
    let at = shape.host_offset();
    if shape.host.is_empty() || shape.host.starts_with('[') {
        return;
    }
    let host = decoded(shape.host);
    let host = host.strip_suffix('.').unwrap_or(&host);
    let mut labels = host.split('.');
    if host.len() > LONGEST_NAME || labels.any(|label| label.len() > LONGEST_LABEL) {
        found.add(Code::OverlongName, at);
    }
    if !host.is_ascii() {
        let lower = host.to_lowercase();
        let mapped = idna::domain_to_unicode(&lower).0;
        let to_ascii = |c: char| !c.is_ascii() && c.to_lowercase().all(|lower| lower.is_ascii());
        if mapped != lower || host.chars().any(to_ascii) {
            found.add(Code::MappedName, at);
        }
    }
    for label in host.split(FULL_STOPS) {
        let ace = label
            .get(..4)
            .filter(|begin| begin.eq_ignore_ascii_case("xn--"));
        if ace.is_some() {
            punycode(label, at, found);
        } else if !label.is_ascii() {
            unicode(label, at, found);
        }
    }
}

/// The characters that IDNA reads as `.`.
const FULL_STOPS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Checks a label that begins with `xn--`.
fn punycode(label: &str, at: usize, found: &mut Findings) {
    match decoded_label(label) {
        Some(label) => unicode(&label, at, found),
        None => found.add(Code::Punycode, at),
    }
}

/// Decodes a label that begins with `xn--`. Returns `None` if encoding the result would not produce
/// the same label.
fn decoded_label(label: &str) -> Option<String> {
    let lower = label.to_ascii_lowercase();
    let (unicode_label, outcome) = idna::domain_to_unicode(&lower);
    let again = idna::domain_to_ascii(&unicode_label);
    let is_same =
        outcome.is_ok() && !unicode_label.is_ascii() && again.is_ok_and(|again| again == lower);
    is_same.then_some(unicode_label)
}

/// Returns true if a label looks like a US-ASCII label, but is not one.
fn is_look_alike(label: &str) -> bool {
    !label.is_ascii() && skeleton(label).all(|c| c.is_ascii())
}

/// Returns the US-ASCII name that the host looks like, if one of its labels looks like a US-ASCII
/// label but is not one.
pub(super) fn look_alike(shape: &Shape<'_>) -> Option<String> {
    let host = decoded(shape.host);
    if host.len() > LONGEST_NAME || shape.host.starts_with('[') {
        return None;
    }
    let mut name = String::with_capacity(host.len());
    let mut is_found = false;
    for (index, label) in host.split(FULL_STOPS).enumerate() {
        if index > 0 {
            name.push('.');
        }
        let label = decoded_label(label).map_or(Cow::Borrowed(label), Cow::Owned);
        is_found |= is_look_alike(&label);
        for c in label.chars() {
            // The skeletons of some US-ASCII letters are other letters: `m` becomes `rn`.
            if c.is_ascii() {
                name.push(c);
            } else {
                name.extend(skeleton(c.encode_utf8(&mut [0; 4])));
            }
        }
    }
    is_found.then_some(name)
}

/// Checks a label with non-ASCII characters.
fn unicode(label: &str, at: usize, found: &mut Findings) {
    if !label.is_single_script() {
        found.add(Code::MixedScript, at);
    }
    if is_look_alike(label) {
        found.add(Code::LookAlike, at);
    }
}

/// The bad ports of the Fetch standard (section 2.9), sorted.
const BLOCKED: [u16; 82] = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080,
];

pub(super) fn find_in_port(shape: &Shape<'_>, found: &mut Findings) {
    let Some(port) = shape.port else { return };
    let at = shape.offset(port);
    let code = if port.is_empty() {
        Code::EmptyPort
    } else if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        Code::BadPort
    } else {
        match port.trim_start_matches('0') {
            "" => Code::PortZero,
            digits => match digits.parse::<u16>() {
                Err(_) => Code::PortRange,
                Ok(number) => match classified(shape, number) {
                    Some(code) => code,
                    None => return,
                },
            },
        }
    };
    found.add(code, at);
}

fn classified(shape: &Shape<'_>, number: u16) -> Option<Code> {
    let default = shape.scheme.and_then(default_port);
    if default == Some(number) {
        Some(Code::DefaultPort)
    } else {
        BLOCKED
            .binary_search(&number)
            .ok()
            .map(|_| Code::BlockedPort)
    }
}

/// The IPv4 addresses at which cloud providers serve the metadata and credentials of an instance:
/// Amazon, Azure, Google and others; Amazon's containers; Alibaba; Azure's wire server; Oracle.
const METADATA_V4: [Ipv4Addr; 5] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
/// The IPv6 addresses of the metadata services of Amazon, Google, Oracle and Scaleway.
const METADATA_V6: [Ipv6Addr; 4] = [
    Ipv6Addr::new(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xFD00, 0xC1, 0, 0, 0, 0, 0xA9FE, 0xA9FE),
    Ipv6Addr::new(0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42),
];
/// The names of metadata services.
const METADATA_NAMES: [&str; 3] = [
    "metadata.google.internal",
    "metadata.goog",
    "instance-data.ec2.internal",
];
/// Names that refer to this machine.
const LOCAL_NAMES: [&str; 4] = [
    "localhost",
    "localhost.localdomain",
    "ip6-localhost",
    "ip6-loopback",
];

pub(super) fn find_in_address(shape: &Shape<'_>, agreement: &Agreement<'_>, found: &mut Findings) {
    let at = shape.host_offset();
    let mut last = None;
    for (_, reading) in agreement.readings() {
        let Some(address) = reading.address else {
            let host = reading.host.as_deref().unwrap_or_default();
            // Most readers find the same host, so this check usually runs once.
            if last != Some(host) {
                named(host, at, found);
                last = Some(host);
            }
            continue;
        };
        let is_name = shape.host.parse::<Ipv4Addr>().is_err() && !shape.host.starts_with('[');
        if is_name && !shape.host.is_empty() && address.is_ipv4() {
            found.add(Code::UnusualIpv4, at);
        }
        if let IpAddr::V6(address) = address
            && embedded_ipv4(address).is_some()
        {
            found.add(Code::MappedIpv4, at);
        }
        if let Some(code) = code(address) {
            found.add(code, at);
        }
    }
}

fn code(address: IpAddr) -> Option<Code> {
    let is_metadata = match address {
        IpAddr::V4(address) => METADATA_V4.contains(&address),
        IpAddr::V6(address) => {
            METADATA_V6.contains(&address)
                || embedded_ipv4(address).is_some_and(|inner| METADATA_V4.contains(&inner))
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

/// Finds names that refer to this machine or to metadata services.
fn named(host: &str, at: usize, found: &mut Findings) {
    const LOCAL: &[u8] = b".localhost";
    let name = decoded(host);
    let name = name.strip_suffix('.').unwrap_or(&name);
    let is = |other: &&str| name.eq_ignore_ascii_case(other);
    let end = name.len().checked_sub(LOCAL.len());
    let end = end.and_then(|at| name.as_bytes().get(at..));
    if LOCAL_NAMES.iter().any(is) || end.is_some_and(|end| end.eq_ignore_ascii_case(LOCAL)) {
        found.add(Code::LoopbackAddress, at);
    }
    if METADATA_NAMES.iter().any(is) {
        found.add(Code::MetadataAddress, at);
    }
}
