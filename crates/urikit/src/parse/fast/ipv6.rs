//! Authorities with an IPv6 address in brackets, by masks.

use super::authority::{Masks, split_userinfo};
use super::start::Start;
use super::{FastGrammar, Prefix, above, between, lowest, lowest_bit};
use crate::layout::{HostKind, offset_u32};
use crate::scan::{Block, DIGIT, HEX};

/// The bytes of an authority with a bracket, and the masks of a block's characters.
pub(super) struct Ipv6Masks {
    /// The offset past the `@`; 0 without one.
    userinfo: u32,
    /// The bracket after the address; 0 if there is no address.
    closing: u64,
    /// The bytes after the address.
    rest: u64,
    colons: u64,
    digits: u64,
}

impl Ipv6Masks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(block: impl Block, authority: u64) -> Self {
        let (userinfo, rest) = split_userinfo::<G>(block, authority);
        let (opening, closing) = (block.is(b'['), block.is(b']'));
        let (colons, hex) = (block.is(b':'), block.members(&HEX));
        // The host begins with the only opening bracket. A second closing one would be in the port.
        let (first, closing) = (lowest(rest), lowest(closing));
        let are_brackets = opening == first && first < closing;
        let inner = between(first, closing);
        let is_address = are_brackets && is_address(inner, colons & inner, hex & inner);
        Self {
            userinfo,
            closing: if is_address { closing } else { 0 },
            rest: rest & above(closing),
            colons,
            digits: block.members(&DIGIT),
        }
    }
}

/// Whether the bytes of `inner`, which are in a row, are an IPv6 address, given its colons and its
/// hexadecimal digits.
///
/// The masks of `2001:db8::1`, bit 0 on the left:
///
/// ```text
/// bytes     2001:db8::1
/// colons    ....1...11.
/// first     1....1....1   the first digit of each piece
/// elision   ........11.   colons without a digit on both sides
/// ```
#[inline(always)]
const fn is_address(inner: u64, colons: u64, hex: u64) -> bool {
    let two = hex & hex >> 1;
    let five = two & two >> 2 & hex >> 4;
    let others = inner & !(colons | hex);
    // There is no such colon, or it is one of a single `::`.
    let elision = colons & !(hex << 1 & hex >> 1);
    let one = lowest(elision);
    let other_elision = elision ^ (one | one << 1);
    // Eight pieces, or fewer if `::` replaces at least one: a set of numbers, as there are fewer
    // than 32 pieces in a block.
    let pieces = (hex & !(hex << 1)).count_ones();
    let numbers: u32 = if elision == 0 { 1 << 8 } else { 0xFF };
    five | others | other_elision == 0 && numbers >> (pieces & 31) & 1 == 1
}

impl Masks for Ipv6Masks {
    /// Parses `[ userinfo "@" ] "[" IPv6address "]" [ ":" port ]`, where the address has no IPv4
    /// address in it.
    ///
    /// The caller has checked that the grammar allows all its characters in a userinfo, except
    /// brackets and a second `@`, and that no bracket follows the authority.
    #[inline(always)]
    fn parse(&self, start: Start, end: u32) -> Option<Prefix> {
        if self.closing == 0 {
            return None;
        }
        if self.rest != 0 {
            let colon = lowest(self.rest);
            let port = self.rest & !colon;
            if port == 0 || colon & !self.colons | port & !self.digits != 0 {
                return None;
            }
        }
        let host_end = offset_u32(lowest_bit(self.closing) + 1);
        let (scheme, userinfo) = (start.scheme, self.userinfo);
        Some(Prefix::server(
            scheme,
            userinfo,
            host_end,
            end,
            HostKind::Ipv6,
        ))
    }
}
