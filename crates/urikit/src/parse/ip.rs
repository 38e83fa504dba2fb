//! RFC 3986, 3.2.2: `IP-literal` and `IPv4address`, which RFC 2732's `ipv6reference` shares.
//!
//! ```text
//! IP-literal    = "[" ( IPv6address / IPvFuture ) "]"
//! IPvFuture     = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
//! IPv6address   = nine alternatives; in short: eight pieces of 16 bits, or at most seven with one
//!                 "::" among them, where an IPv4address may stand for the last two
//! h16           = 1*4HEXDIG
//! ```

use super::walk::{Scan, byte_at, fail, is_at, is_in, skip, tri};
use crate::error::Expected;
use crate::grammar::{DIGITS, HEX_DIGITS, Rule, rfc3986};
use crate::layout::HostKind;

/// What a standard calls these productions, and where.
pub(super) struct Rules {
    /// What stands in brackets, with them.
    pub(super) literal: &'static Rule,
    /// What must begin behind the opening bracket.
    pub(super) inner: &'static Rule,
    pub(super) v6: &'static Rule,
    /// `None` where there are no addresses of a later kind.
    pub(super) future: Option<&'static Rule>,
}

/// `IP-literal` or `ipv6reference`, where the `[` is at `at`.
pub(super) const fn literal(text: &[u8], at: usize, rules: &Rules) -> Scan<(usize, HostKind)> {
    let mut expected = Expected::HEX_DIGIT.or(Expected::COLON);
    if let Some(future_rule) = rules.future {
        if is_at(text, at + 1, b'v') || is_at(text, at + 1, b'V') {
            let end = tri!(future(text, at + 1, future_rule));
            return Ok((end, HostKind::IpvFuture));
        }
        expected = expected.or(Expected::VERSION);
    }
    if !is_at(text, at + 1, b':') && !is_in(text, at + 1, &HEX_DIGITS) {
        return fail(text, at + 1, expected, rules.inner);
    }
    let end = tri!(v6(text, at + 1, rules));
    Ok((end, HostKind::Ipv6))
}

/// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) "]"`, where the `v` is at `at`.
const fn future(text: &[u8], at: usize, rule: &'static Rule) -> Scan {
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

/// `IPv6address "]"` from `at`.
const fn v6(text: &[u8], mut at: usize, rules: &Rules) -> Scan {
    // Pieces so far, the one being read included; whether `::` stands among them, which takes the
    // place of one at least; and whether it is what was read last.
    let mut pieces = 0;
    let mut elided = false;
    let mut behind_elision = false;
    if is_at(text, at, b':') {
        if !is_at(text, at + 1, b':') {
            return fail(text, at + 1, Expected::COLON, rules.v6);
        }
        at += 2;
        elided = true;
        behind_elision = true;
    }
    loop {
        if behind_elision && is_at(text, at, b']') {
            return Ok(at + 1);
        }
        if elided && pieces == 7 {
            return fail(text, at, Expected::CLOSING_BRACKET, rules.literal);
        }
        let end = h16(text, at);
        if end == at {
            let expected = if behind_elision {
                Expected::HEX_DIGIT.or(Expected::CLOSING_BRACKET)
            } else if elided {
                Expected::HEX_DIGIT
            } else {
                Expected::HEX_DIGIT.or(Expected::COLON)
            };
            return fail(text, at, expected, rules.v6);
        }
        pieces += 1;
        // An IPv4 address is the last two pieces of an address, and this one would be its first.
        let ipv4_fits = if elided { pieces < 7 } else { pieces == 7 };
        let ipv4 = ipv4_fits && is_octet(text, at, end);
        if ipv4 && is_at(text, end, b'.') {
            return v4_behind_octet(text, end, rules);
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
        behind_elision = !elided && is_at(text, at, b':');
        if behind_elision {
            at += 1;
            elided = true;
        }
    }
}

/// The end of `h16 = 1*4HEXDIG`; `at` where there is none.
const fn h16(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < at + 4 && is_in(text, end, &HEX_DIGITS) {
        end += 1;
    }
    end
}

/// `3( "." dec-octet ) "]"`, behind the first octet of an `IPv4address`.
const fn v4_behind_octet(text: &[u8], mut at: usize, rules: &Rules) -> Scan {
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

/// The end of the longest `dec-octet`; `at` where there is none.
const fn dec_octet(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while is_in(text, end, &DIGITS) && is_octet(text, at, end + 1) {
        end += 1;
    }
    end
}

/// Whether the bytes from `start` to `end` are a `dec-octet`: 0 to 255, no leading zero.
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

/// Whether the bytes from `start` to `end` are an `IPv4address`.
pub(super) const fn is_v4(text: &[u8], start: usize, end: usize) -> bool {
    let mut at = dec_octet(text, start);
    if at == start {
        return false;
    }
    let mut octets = 1;
    while octets < 4 {
        if !is_at(text, at, b'.') || dec_octet(text, at + 1) == at + 1 {
            return false;
        }
        at = dec_octet(text, at + 1);
        octets += 1;
    }
    at == end
}

/// Whether the bytes from `start` to `end` are four groups of digits with dots between, at most
/// `longest` digits each: the older standards' IPv4 addresses, which have no range.
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
