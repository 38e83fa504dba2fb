//! Hosts: `IP-literal` and `IPv4address` of RFC 3986, 3.2.2, and host names (RFC 1034, 3.5; RFC
//! 1123, 2.1). RFC 2732's `ipv6reference` uses the same functions.
//!
//! ```text
//! IP-literal    = "[" ( IPv6address / IPvFuture ) "]"
//! IPvFuture     = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
//! IPv6address   = nine alternatives; in short: eight pieces of 16 bits, or at most seven with one
//!                 "::" among them; the last two may be written as an IPv4address
//! h16           = 1*4HEXDIG
//! ```

use super::walk::{Parsed, byte_at, fail, is_at, is_in, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, DIGITS, HEX_DIGITS, LETTERS, Rule, rfc3986};
use crate::layout::HostKind;

/// The names and sections of the productions for addresses in one standard.
pub(super) struct Rules {
    /// The address including its brackets.
    pub(super) literal: &'static Rule,
    /// The address without its opening bracket.
    pub(super) inner: &'static Rule,
    pub(super) v6: &'static Rule,
    /// `IPvFuture`, if the standard defines it.
    pub(super) future: Option<&'static Rule>,
}

/// The offset at which an address ends, and the kind of the address.
type Address = (usize, HostKind);

/// Parses an `IP-literal` or `ipv6reference`. The `[` is at `at`.
pub(super) const fn ip_literal(text: &[u8], at: usize, rules: &Rules) -> Parsed<Address> {
    let mut expected = Expected::HEX_DIGIT.or(Expected::COLON);
    if let Some(future_rule) = rules.future {
        if is_at(text, at + 1, b'v') || is_at(text, at + 1, b'V') {
            let end = tri!(ipvfuture(text, at + 1, future_rule));
            return Ok((end, HostKind::IpvFuture));
        }
        expected = expected.or(Expected::VERSION);
    }
    if !is_at(text, at + 1, b':') && !is_in(text, at + 1, &HEX_DIGITS) {
        return fail(text, at + 1, expected, rules.inner);
    }
    let end = tri!(ipv6address(text, at + 1, rules));
    Ok((end, HostKind::Ipv6))
}

/// Parses `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) "]"`. The `v` is at `at`.
const fn ipvfuture(text: &[u8], at: usize, rule: &'static Rule) -> Parsed {
    let dot = skip(text, at + 1, &HEX_DIGITS);
    if dot == at + 1 {
        return fail(text, dot, Expected::HEX_DIGIT, rule);
    }
    if !is_at(text, dot, b'.') {
        return fail(text, dot, Expected::HEX_DIGIT.or(Expected::DOT), rule);
    }
    let end = skip(text, dot + 1, rfc3986::IPVFUTURE.set());
    if end == dot + 1 {
        return fail(text, end, Expected::HOST_CHAR, rule);
    }
    if !is_at(text, end, b']') {
        let expected = Expected::HOST_CHAR.or(Expected::CLOSING_BRACKET);
        return fail(text, end, expected, rule);
    }
    Ok(end + 1)
}

/// Parses `IPv6address "]"` from `at`.
const fn ipv6address(text: &[u8], mut at: usize, rules: &Rules) -> Parsed {
    // The number of pieces so far, including the current one; whether the address has a `::`,
    // which replaces at least one piece; and whether this `::` directly precedes `at`.
    let mut pieces = 0;
    let mut elided = false;
    let mut after_elision = false;
    if is_at(text, at, b':') {
        if !is_at(text, at + 1, b':') {
            return fail(text, at + 1, Expected::COLON, rules.v6);
        }
        at += 2;
        elided = true;
        after_elision = true;
    }
    loop {
        if after_elision && is_at(text, at, b']') {
            return Ok(at + 1);
        }
        if elided && pieces == 7 {
            return fail(text, at, Expected::CLOSING_BRACKET, rules.literal);
        }
        let end = h16(text, at);
        if end == at {
            let expected = if after_elision {
                Expected::HEX_DIGIT.or(Expected::CLOSING_BRACKET)
            } else if elided {
                Expected::HEX_DIGIT
            } else {
                Expected::HEX_DIGIT.or(Expected::COLON)
            };
            return fail(text, at, expected, rules.v6);
        }
        pieces += 1;
        // An IPv4 address replaces the last two pieces. The current piece would be the first of
        // the two.
        let ipv4_fits = if elided { pieces < 7 } else { pieces == 7 };
        let ipv4 = ipv4_fits && is_octet(text, at, end);
        if ipv4 && is_at(text, end, b'.') {
            return ipv4address_rest(text, end, rules);
        }
        let full = pieces == if elided { 7 } else { 8 };
        let complete = elided || full;
        if complete && is_at(text, end, b']') {
            return Ok(end + 1);
        }
        if full || !is_at(text, end, b':') {
            let expected = Expected::HEX_DIGIT
                .when(end - at < 4)
                .or(Expected::CLOSING_BRACKET.when(complete))
                .or(Expected::COLON.when(!full))
                .or(Expected::DOT.when(ipv4));
            return fail(text, end, expected, rules.v6);
        }
        at = end + 1;
        after_elision = !elided && is_at(text, at, b':');
        if after_elision {
            at += 1;
            elided = true;
        }
    }
}

/// Returns the end of `h16 = 1*4HEXDIG`, or `at` if no digit is found there.
const fn h16(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < at + 4 && is_in(text, end, &HEX_DIGITS) {
        end += 1;
    }
    end
}

/// Parses `3( "." dec-octet ) "]"`, after the first octet of an `IPv4address`.
const fn ipv4address_rest(text: &[u8], mut at: usize, rules: &Rules) -> Parsed {
    let mut octets = 1;
    while octets < 4 {
        if !is_at(text, at, b'.') {
            return fail(text, at, Expected::DOT, rules.v6);
        }
        let end = dec_octet(text, at + 1);
        if end == at + 1 {
            return fail(text, end, Expected::OCTET, rules.v6);
        }
        at = end;
        octets += 1;
    }
    if !is_at(text, at, b']') {
        return fail(text, at, Expected::CLOSING_BRACKET, rules.literal);
    }
    Ok(at + 1)
}

/// Returns the end of the longest `dec-octet`, or `at` if none begins there.
// If this function were inlined, its copies would be most of the module's machine code.
#[inline(never)]
const fn dec_octet(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while is_in(text, end, &DIGITS) && is_octet(text, at, end + 1) {
        end += 1;
    }
    end
}

/// Returns whether the bytes from `start` to `end` are a `dec-octet`: 0 to 255, no leading zero.
const fn is_octet(text: &[u8], start: usize, end: usize) -> bool {
    if end == start || end - start > 3 || (end - start > 1 && is_at(text, start, b'0')) {
        return false;
    }
    let mut value = 0;
    let mut at = start;
    while at < end {
        match byte_at(text, at) {
            Some(digit @ b'0'..=b'9') => value = value * 10 + (digit - b'0') as u16,
            _ => return false,
        }
        at += 1;
    }
    value <= 255
}

/// Returns whether the bytes from `start` to `end` are an `IPv4address`.
pub(super) const fn is_ipv4address(text: &[u8], start: usize, end: usize) -> bool {
    let (mut at, mut octets) = (start, 0);
    loop {
        let octet_end = dec_octet(text, at);
        octets += 1;
        if octet_end == at {
            return false;
        }
        if octets == 4 {
            return octet_end == end;
        }
        if !is_at(text, octet_end, b'.') {
            return false;
        }
        at = octet_end + 1;
    }
}

/// Returns whether the bytes from `start` to `end` are four groups of at most `longest` digits,
/// separated by dots. The older standards define IPv4 addresses in this way and do not limit the
/// numbers to 255.
pub(super) const fn is_dotted_digits(
    text: &[u8],
    start: usize,
    end: usize,
    longest: usize,
) -> bool {
    let mut at = start;
    let mut groups = 0;
    loop {
        let group_end = skip(text, at, &DIGITS);
        groups += 1;
        if group_end == at || group_end - at > longest || group_end > end {
            return false;
        }
        if groups == 4 {
            return group_end == end;
        }
        if group_end == end || !is_at(text, group_end, b'.') {
            return false;
        }
        at = group_end + 1;
    }
}

/// Returns the kind of the host from `start` to `end`, which has no brackets. `ipv4` is true if the
/// host matches the standard's production for IPv4 addresses.
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

/// Returns whether the bytes from `start` to `end`, at least one, are a host name (RFC 1034, 3.5,
/// as amended by RFC 1123, 2.1).
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

/// The characters allowed in a label: letters, digits and the hyphen.
const LABEL: &ByteSet = &LETTERS.or(DIGITS).or(ByteSet::of(b"-"));
