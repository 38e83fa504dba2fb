//! What kind of host a name is (RFC 1034, 3.5; RFC 1123, 2.1).

use super::walk::{is_at, is_in};
use crate::grammar::{ByteSet, DIGITS, LETTERS};
use crate::layout::HostKind;

/// The kind of the host from `start` to `end`, which has no brackets. `ipv4` says whether it
/// matches the standard's production for IPv4 addresses.
pub(super) const fn kind_of_name(text: &[u8], start: usize, end: usize, ipv4: bool) -> HostKind {
    if start == end {
        HostKind::Empty
    } else if ipv4 {
        HostKind::Ipv4
    } else if is_host_name(text, start, end) {
        HostKind::Name
    } else {
        HostKind::RegName
    }
}

/// Whether the bytes from `start` to `end`, at least one, are a host name (RFC 1034, 3.5, as
/// amended by RFC 1123, 2.1).
const fn is_host_name(text: &[u8], start: usize, mut end: usize) -> bool {
    if is_at(text, end - 1, b'.') {
        end -= 1;
    }
    if end - start > 255 {
        return false;
    }
    let mut label = start;
    loop {
        let mut at = label;
        while at < end && is_in(text, at, LABEL) {
            at += 1;
        }
        let length = at - label;
        if length == 0 || length > 63 || is_at(text, label, b'-') || is_at(text, at - 1, b'-') {
            return false;
        }
        if at == end {
            return is_in(text, label, &LETTERS);
        }
        if !is_at(text, at, b'.') {
            return false;
        }
        label = at + 1;
    }
}

/// Letters, digits and the hyphen.
const LABEL: &ByteSet = &LETTERS.or(DIGITS).or(ByteSet::of(b"-"));
