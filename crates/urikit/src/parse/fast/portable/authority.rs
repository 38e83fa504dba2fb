//! Reads authorities byte by byte: userinfo, host names, IPv4 and IPv6 addresses, ports.

use super::super::ends::Start;
use super::super::host::is_address;
use super::super::{FastGrammar, Prefix, bits_from};
use super::{AUTHORITY, USERINFO, run};
use crate::layout::{HostKind, Layout, offset_u32};
use urikit_scan::Bytes;

/// The length of the longest scheme that the fast path reads without a scanner. With this limit and
/// the limit on authorities, offsets in a prefix stay below 128, and no label of a host name is too
/// long.
pub(super) const LONGEST_SCHEME: usize = 32;
const LONGEST_AUTHORITY: usize = 63;

/// Reads the authority at the current position.
#[inline(always)]
pub(super) fn read<G: FastGrammar>(bytes: &mut Bytes<'_>, start: Start) -> Option<Prefix> {
    let first = start.authority as usize;
    let mut userinfo = 0;
    // This run would include a bracket, which is not allowed in the userinfo.
    let may_have_userinfo = G::USERINFO && bytes.peek() != Some(b'[');
    let mut found = host_and_port::<G>(bytes);
    if may_have_userinfo && found.is_none() {
        // Most userinfos have the form of a host name, so they have already been read.
        if bytes.peek() != Some(b'@') {
            run::<G>(bytes, USERINFO)?;
        }
        if bytes.skip(*b"@") {
            userinfo = offset_u32(bytes.at());
            found = host_and_port::<G>(bytes);
        }
    }
    let Some((kind, host_end)) = found else {
        let (prefix, rest) = other::<G>(*bytes, start)?;
        *bytes = rest;
        return Some(prefix);
    };
    let end = bytes.at();
    if end - first > LONGEST_AUTHORITY {
        return None;
    }
    let (scheme, end) = (start.scheme, offset_u32(end));
    Some(Prefix::server(
        scheme,
        userinfo,
        offset_u32(host_end),
        end,
        kind,
    ))
}

/// Parses any other authority with the standard's function.
#[inline(never)]
fn other<G: FastGrammar>(mut bytes: Bytes<'_>, start: Start) -> Option<(Prefix, Bytes<'_>)> {
    run::<G>(&mut bytes, AUTHORITY)?;
    let (first, end) = (start.authority as usize, bytes.at());
    if !ends_authority::<G>(bytes.peek()) || end - first > LONGEST_AUTHORITY {
        return None;
    }
    let mut layout = Layout::EMPTY;
    layout.scheme = start.scheme;
    layout.path = offset_u32(start.scheme.end());
    if !G::authority(bytes.text(), first, end, &mut layout) {
        return None;
    }
    Some((Prefix::of(&layout), bytes))
}

#[inline(always)]
fn ends_authority<G: FastGrammar>(next: Option<u8>) -> bool {
    match next {
        None | Some(b'/' | b'#') => true,
        Some(b'?') => G::QUESTION_ENDS_AUTHORITY,
        _ => false,
    }
}

/// Reads `host [ ":" port ]` up to the end of the authority. Returns the kind of the host and its
/// end, or `None` for any other authority, after reading only some of its characters.
#[inline(always)]
fn host_and_port<G: FastGrammar>(bytes: &mut Bytes<'_>) -> Option<(HostKind, usize)> {
    let kind = match bytes.peek()? {
        b'[' if G::IP_LITERALS => {
            bytes.skip(*b"[");
            ipv6(bytes)?;
            HostKind::Ipv6
        }
        first => {
            let host = *bytes;
            if first.is_ascii_digit() && ipv4(bytes).is_some() {
                HostKind::Ipv4
            } else {
                if first.is_ascii_digit() || !bytes.labels::<false>() {
                    *bytes = with_digits::<G>(host)?;
                }
                HostKind::Name
            }
        }
    };
    let host_end = bytes.at();
    let mut next = bytes.peek();
    if next == Some(b':') {
        bytes.skip(*b":");
        bytes.digits();
        next = bytes.peek();
        if bytes.at() == host_end + 1 {
            return None;
        }
    }
    ends_authority::<G>(next).then_some((kind, host_end))
}

/// Reads a host name in which labels other than the last may begin with digits, which is rare.
/// Returns `None` for any other text. If the last label begins with a digit, the host may be an
/// address.
// If this function took a reference, positions would not stay in registers.
#[inline(never)]
fn with_digits<G: FastGrammar>(mut bytes: Bytes<'_>) -> Option<Bytes<'_>> {
    let may_begin = G::HOST_NAMES_START_WITH_DIGITS || !matches!(bytes.peek(), Some(b'0'..=b'9'));
    (may_begin && bytes.labels::<true>()).then_some(bytes)
}

/// Reads an `IPv4address` of RFC 3986.
#[inline(always)]
fn ipv4(bytes: &mut Bytes<'_>) -> Option<()> {
    let mut is_good = true;
    for nth in 0..4 {
        is_good &= nth == 0 || bytes.skip(*b".");
        is_good &= bytes.dec_octet();
    }
    is_good.then_some(())
}

/// Reads `IPv6address "]"`, except addresses that contain an IPv4 address.
#[inline(always)]
fn ipv6(bytes: &mut Bytes<'_>) -> Option<()> {
    let (colons, length) = bytes.hex_and_colons();
    let inner = !bits_from(length);
    (is_address(inner, colons & inner, inner & !colons) && bytes.skip(*b"]")).then_some(())
}
