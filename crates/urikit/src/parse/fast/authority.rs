//! Authorities with a userinfo, a port or an address, by masks.

use super::host_name::{HostNameMasks, is_letter};
use super::start::Start;
use super::{FastGrammar, Prefix, lowest_bit};
use crate::layout::{HostKind, offset_u32};
use crate::scan::{Block, DIGIT, HEX};

/// The bytes of an authority, and the masks of a block's characters that occur in it. What the
/// grammar does not have in an authority is 0 and not computed.
pub(super) struct AuthorityMasks {
    /// All bytes of the authority.
    authority: u64,
    names: HostNameMasks,
    digits: u64,
    hex: u64,
    colons: u64,
    ats: u64,
    opening: u64,
    closing: u64,
}

/// A host.
struct Host {
    /// What follows it: a colon and a port, or nothing.
    port: u64,
    end: usize,
    kind: HostKind,
}

impl AuthorityMasks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(block: impl Block, authority: u64) -> Self {
        Self {
            authority,
            names: HostNameMasks::new(block),
            digits: block.members(&DIGIT),
            hex: if G::IP_LITERALS {
                block.members(&HEX)
            } else {
                0
            },
            colons: block.is(b':'),
            ats: if G::USERINFO { block.is(b'@') } else { 0 },
            opening: if G::IP_LITERALS { block.is(b'[') } else { 0 },
            closing: if G::IP_LITERALS { block.is(b']') } else { 0 },
        }
    }

    /// Parses `[ userinfo "@" ] host [ ":" port ]` from `start.authority` to `end`, where the host
    /// is a name, an IPv4 address, or an IPv6 address without an IPv4 address in it. `None` if the
    /// authority is anything else.
    ///
    /// The caller has checked that the grammar allows all its characters in a userinfo, except
    /// brackets and a second `@`.
    #[inline(always)]
    pub(super) fn parse<G: FastGrammar>(
        &self,
        text: &[u8],
        start: Start,
        end: u32,
    ) -> Option<Prefix> {
        let delimiters = self.ats | self.colons | self.opening | self.closing;
        if self.authority & delimiters == 0 {
            // A host alone, which is not a name.
            let is_address = self.is_ipv4_address(text, self.authority, end as usize);
            return is_address.then(|| Prefix::server(start.scheme, 0, end, end, HostKind::Ipv4));
        }
        if G::IP_LITERALS && ends_with(self.authority, self.closing) {
            // An address in brackets alone, unless there is a userinfo, which is rare here.
            let is_address = self.is_ip_literal(self.authority);
            return is_address.then(|| Prefix::server(start.scheme, 0, end, end, HostKind::Ipv6));
        }
        let at = lowest(self.ats & self.authority);
        let (userinfo, rest) = match at {
            0 => (0, self.authority),
            _ => (lowest_bit(at) + 1, self.authority & above(at)),
        };
        let host = if rest & (self.opening | self.closing) != 0 {
            if !self.is_ip_literal(rest) {
                return None;
            }
            let closing = self.closing & rest;
            Host {
                port: rest & above(closing),
                end: lowest_bit(closing) + 1,
                kind: HostKind::Ipv6,
            }
        } else {
            self.name_or_ipv4::<G>(text, rest, end)?
        };
        // The host is followed by the end, or by a colon and digits.
        let colon = lowest(host.port);
        let digits = host.port & !colon;
        if colon & !self.colons != 0 || (colon != 0) != (digits != 0) || digits & !self.digits != 0
        {
            return None;
        }
        // The userinfo has been checked, except for brackets.
        if self.authority & !rest & (self.opening | self.closing) != 0 {
            return None;
        }
        Some(Prefix::server(
            start.scheme,
            offset_u32(userinfo),
            offset_u32(host.end),
            end,
            host.kind,
        ))
    }

    /// A host name or an IPv4 address. A name never ends in a label of digits alone, so
    /// the last character nearly always decides.
    #[inline(always)]
    fn name_or_ipv4<G: FastGrammar>(&self, text: &[u8], rest: u64, end: u32) -> Option<Host> {
        let colon = lowest(self.colons & rest);
        let port = rest & colon.wrapping_neg();
        let host = rest & !port;
        let end = lowest_bit(colon).min(end as usize);
        let kind = if ends_with(host, self.digits) && self.is_ipv4_address(text, host, end) {
            HostKind::Ipv4
        } else if self.names.is_host_name(text, host)
            && (G::HOST_NAMES_START_WITH_DIGITS || is_letter(text, lowest_bit(host)))
        {
            HostKind::Name
        } else {
            return None;
        };
        Some(Host { port, end, kind })
    }

    /// Whether the bytes of `host`, which ends with a digit at `end`, are an `IPv4address` of RFC
    /// 3986. Such an address is one under the older standards too.
    #[inline(never)]
    fn is_ipv4_address(&self, text: &[u8], host: u64, end: usize) -> bool {
        let (dots, digits) = (self.names.dots() & host, self.digits & host);
        let four_digits = digits & digits >> 1 & digits >> 2 & digits >> 3;
        // A dot at the start, or after a dot.
        let empty = dots & (dots << 1 | lowest(host));
        let second = dots & dots.wrapping_sub(1);
        let third = second & second.wrapping_sub(1);
        let fourth = third & third.wrapping_sub(1);
        if host & !(dots | digits) | four_digits | empty | fourth != 0 || third == 0 {
            return false;
        }
        let start = lowest_bit(host);
        let Some(window) = start.checked_sub(4).and_then(|from| text.get(from..)) else {
            return false;
        };
        let mut longer = [0; WINDOW];
        let window = if let Some(window) = window.first_chunk() {
            window
        } else {
            for (copy, byte) in longer.iter_mut().zip(window) {
                *copy = *byte;
            }
            &longer
        };
        let [one, two, three] = [dots, second, third].map(|dots| lowest_bit(dots) - start);
        // Without branches: a processor cannot predict how long an octet is.
        is_dec_octet(window, one, one)
            & is_dec_octet(window, two - one - 1, two)
            & is_dec_octet(window, three - two - 1, three)
            & is_dec_octet(window, end - start - three - 1, end - start)
    }

    /// Whether `rest` begins with an IPv6 address in brackets and has no other brackets.
    ///
    /// The masks of `[2001:db8::1]`, bit 0 on the left:
    ///
    /// ```text
    /// bytes     [2001:db8::1]
    /// colons    .....1...11..
    /// pieces    .1....1....1.   the first digit of each
    /// elisions  .........1...   a colon before a colon
    /// ```
    #[inline(never)] // few registers are needed here, and many by the caller
    fn is_ip_literal(&self, rest: u64) -> bool {
        let (opening, closing) = (self.opening & rest, self.closing & rest);
        let inner = rest & above(opening) & closing.wrapping_sub(1);
        let (colons, hex) = (self.colons & inner, self.hex & inner);
        let five_digits = hex & hex >> 1 & hex >> 2 & hex >> 3 & hex >> 4;
        let elisions = colons & colons >> 1;
        // A colon at either end is one of a `::`.
        let lone_first = colons & opening << 1 & !elisions;
        let lone_last = colons & closing >> 1 & !(elisions << 1);
        let two_elisions = elisions & elisions.wrapping_sub(1);
        let two_brackets = closing & closing.wrapping_sub(1);
        let others = inner & !(colons | hex);
        let bad = five_digits | lone_first | lone_last | two_elisions | two_brackets | others;
        // Eight pieces, or fewer if `::` replaces at least one.
        let pieces = (hex & !(hex << 1)).count_ones();
        let pieces_are_good = if elisions == 0 {
            pieces == 8
        } else {
            pieces < 8
        };
        opening == lowest(rest) && closing != 0 && bad == 0 && pieces_are_good
    }
}

/// The lowest bit of a mask; 0 if it has none.
#[inline(always)]
const fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// All bits above a single bit.
#[inline(always)]
const fn above(bit: u64) -> u64 {
    !(bit | bit.wrapping_sub(1))
}

/// The longest IPv4 address, and the four bytes before it.
const WINDOW: usize = 4 + "255.255.255.255".len();

/// Whether the highest bit of `bytes` is in `mask`. Of two numbers without a common bit, the one
/// with the highest bit is greater.
#[inline(always)]
const fn ends_with(bytes: u64, mask: u64) -> bool {
    bytes & mask > bytes & !mask
}

/// Whether one to three digits, the last of the four bytes from `at` on, are a `dec-octet`: 0 to
/// 255, no leading zero.
///
/// US-ASCII digits compare like the numbers that they represent. So the octet is read as a number
/// of one to three bytes, the first digit in the highest: `25` is 0x3235.
#[inline(always)]
fn is_dec_octet(window: &[u8; WINDOW], digits: usize, at: usize) -> bool {
    /// By the number of digits: the bits that they have, the least octet, and the difference
    /// between that and the greatest.
    static BOUNDS: [(u32, u32, u32); 4] = {
        const GREATEST: u32 = 0x32_35_35;
        [
            (0, u32::MAX, 0),
            (0xFF, 0x30, GREATEST - 0x30),
            (0xFF_FF, 0x31_30, GREATEST - 0x31_30),
            (0xFF_FF_FF, 0x31_30_30, GREATEST - 0x31_30_30),
        ]
    };
    let at = at & 15;
    let four = window.get(at..at + 4).and_then(<[_]>::first_chunk);
    let (Some(four), Some((bits, least, span))) = (four, BOUNDS.get(digits & 3)) else {
        return false;
    };
    (u32::from_be_bytes(*four) & bits).wrapping_sub(*least) <= *span
}
