//! IP addresses.

use super::class::ZONE;

/// Four numbers of at most 255, each after any number of zeros.
pub(super) fn ipv4(text: &str) -> bool {
    text.split('.').count() == 4 && text.split('.').all(is_octet)
}

fn is_octet(text: &str) -> bool {
    let digits = text.trim_start_matches('0').as_bytes();
    let is_small = matches!(
        digits,
        [] | [_] | [_, _] | [b'1', _, _] | [b'2', b'0'..=b'4', _] | [b'2', b'5', b'0'..=b'5']
    );
    !text.is_empty() && is_small && digits.iter().all(u8::is_ascii_digit)
}

/// An IPv6 address as RFC 2373 writes it, with an optional zone: eight groups, of which an IPv4
/// address counts for two, or fewer with one `::`.
pub(super) fn ipv6(text: &str) -> bool {
    let address = match text.split_once('%') {
        None => text,
        Some((address, zone)) if !zone.is_empty() && zone.bytes().all(|b| ZONE.contains(b)) => {
            address
        }
        Some(_) => return false,
    };
    match address.split_once("::") {
        None => groups(address, true) == Some(8),
        Some((before, after)) => {
            let before = match before {
                "" => Some(0),
                _ => groups(before, false),
            };
            let after = match after {
                "" => Some(0),
                _ => groups(after, true),
            };
            matches!((before, after), (Some(a), Some(b)) if a + b <= 7)
        }
    }
}

/// How many groups there are between colons; `None` if one is not a group. The last may be an IPv4
/// address if `ends` is set, which is the end of the address.
fn groups(text: &str, ends: bool) -> Option<usize> {
    let is_group =
        |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let (rest, last) = text
        .rsplit_once(':')
        .map_or((None, text), |(a, b)| (Some(a), b));
    let last = match last {
        _ if is_group(last) => 1,
        _ if ends && ipv4(last) => 2,
        _ => return None,
    };
    let Some(rest) = rest else { return Some(last) };
    let mut count = last;
    for group in rest.split(':') {
        if !is_group(group) {
            return None;
        }
        count += 1;
    }
    Some(count)
}
