//! Authorities with an IPv6 address in brackets, by masks.

use super::authority::{Masks, is_port, split_userinfo};
use super::start::Start;
use super::{FastGrammar, Prefix, above, between, lowest, lowest_bit};
use crate::layout::{HostKind, offset_u32};
use crate::scan::{Block, DIGIT, HEX};

/// The bytes of an authority with a bracket, and the masks of a block's characters in it.
pub(super) struct Ipv6Masks {
    authority: u64,
    digits: u64,
    hex: u64,
    colons: u64,
    ats: u64,
    opening: u64,
    closing: u64,
    /// How many colons there are between the first brackets.
    count: u32,
}

impl Ipv6Masks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(block: impl Block, authority: u64) -> Self {
        let is = |byte| block.is(byte) & authority;
        let (colons, opening, closing) = (is(b':'), is(b'['), is(b']'));
        // Counted here, where the processor has an instruction for it.
        let count = (colons & between(lowest(opening), lowest(closing))).count_ones();
        Self {
            authority,
            digits: block.members(&DIGIT),
            hex: block.members(&HEX),
            colons,
            ats: if G::USERINFO { is(b'@') } else { 0 },
            opening,
            closing,
            count,
        }
    }

    /// Whether there is an IPv6 address between two brackets.
    ///
    /// The masks of `[2001:db8::1]`, bit 0 on the left:
    ///
    /// ```text
    /// bytes     [2001:db8::1]
    /// colons    .....1...11..
    /// elisions  .........1...   a colon before a colon
    /// ```
    #[allow(clippy::needless_bitwise_bool)] // fewer branches that a processor cannot predict
    #[inline(always)]
    const fn is_address(&self, opening: u64, closing: u64) -> bool {
        let inner = between(opening, closing);
        let (colons, hex) = (self.colons & inner, self.hex & inner);
        let two = hex & hex >> 1;
        let five = two & two >> 2 & hex >> 4;
        let elisions = colons & colons >> 1;
        let two_elisions = elisions & elisions.wrapping_sub(1);
        let (after_first, before_last) = (opening << 1, closing >> 1);
        // A colon at either end is one of a `::`.
        let lone = colons & !(elisions | elisions << 1) & (after_first | before_last);
        let others = inner & !(colons | hex);
        // Eight pieces, or fewer if `::` replaces at least one. There is a piece on each side of a
        // colon, but none on the outer side of a `::` at an end.
        let is_first = elisions & after_first != 0;
        let is_last = elisions << 1 & before_last != 0;
        let least = self.count.wrapping_sub(is_first as u32 + is_last as u32);
        let pieces_are_good = (elisions == 0) & (self.count == 7) | (elisions != 0) & (least <= 7);
        (five | two_elisions | lone | others == 0) & pieces_are_good
    }
}

impl Masks for Ipv6Masks {
    /// Parses `[ userinfo "@" ] "[" IPv6address "]" [ ":" port ]` from `start.authority` to `end`,
    /// where the address has no IPv4 address in it. `None` if the authority is anything else.
    ///
    /// The caller has checked that the grammar allows all its characters in a userinfo, except
    /// brackets and a second `@`.
    #[inline(always)]
    fn parse<G: FastGrammar>(&self, _: &[u8], start: Start, end: u32) -> Option<Prefix> {
        let (userinfo, rest) = split_userinfo(self.authority, self.ats);
        let (first, closing) = (lowest(rest), lowest(self.closing));
        let port = rest & above(closing);
        let is_server = first == lowest(self.opening)
            && first < closing
            && self.is_address(first, closing)
            && is_port(port, self.colons, self.digits);
        if !is_server {
            return None;
        }
        let host_end = offset_u32(lowest_bit(closing) + 1);
        let kind = HostKind::Ipv6;
        Some(Prefix::server(start.scheme, userinfo, host_end, end, kind))
    }
}
