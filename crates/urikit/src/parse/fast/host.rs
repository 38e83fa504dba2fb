//! Parses authorities with bit masks: userinfo, host names, IPv4 addresses, ports, and IPv6
//! addresses in brackets.

use super::ends::Start;
use super::{FastGrammar, Prefix, above, between, ends_with, lowest, lowest_bit};
use crate::grammar::ByteSet;
use crate::layout::{HostKind, offset_u32};
use urikit_scan::{ALPHANUMERIC, Block, DIGIT, HEX, Nibbles};

/// Bit masks of a block: the characters of host names.
#[derive(Clone, Copy)]
pub(super) struct HostNameMasks {
    alphanumeric: u64,
    digits: u64,
    dots: u64,
    hyphens: u64,
}

impl HostNameMasks {
    #[inline(always)]
    pub(super) fn new(block: impl Block) -> Self {
        Self {
            alphanumeric: block.members(&ALPHANUMERIC),
            digits: block.members(&DIGIT),
            dots: block.is(b'.'),
            hyphens: block.is(b'-'),
        }
    }

    #[inline(always)]
    pub(super) const fn dots(self) -> u64 {
        self.dots
    }

    #[inline(always)]
    pub(super) const fn digits(self) -> u64 {
        self.digits
    }

    /// Returns whether the consecutive bytes of `host` are a host name ([`HostKind::Name`]) that
    /// does not end in a dot.
    #[inline(always)]
    pub(super) const fn is_host_name<G: FastGrammar>(self, host: u64) -> bool {
        host & self.wrong::<G>(host, 0) == 0 && self.last_begins_with_letter(host)
    }

    /// Returns the bytes that cannot be part of a host name at the beginning of `rest`. The name
    /// ends before the first colon.
    ///
    /// A host name is a list of labels, separated by dots. A label consists of letters, digits and
    /// hyphens, and begins and ends with a letter or digit. The last label begins with a letter. No
    /// label can be too long here: text that fits in a block after `//` has fewer than 64
    /// characters.
    ///
    /// The masks of `www.a-b.example`, with bit 0 on the left:
    ///
    /// ```text
    /// bytes        //www.a-b.example/
    /// rest         ..111111111111111.
    /// labels       ..111.111.1111111.   without dots
    /// inner        ...1.1.1.1.11111..   `labels` on both sides
    /// ```
    ///
    /// Each dot and each hyphen must have its bit set in `inner`: otherwise a label would be empty,
    /// or would begin or end with a hyphen. All other bytes of the host must be letters or digits.
    #[inline(always)]
    pub(super) const fn wrong<G: FastGrammar>(self, rest: u64, colons: u64) -> u64 {
        let labels = rest & !(self.dots | colons);
        let inner = labels << 1 & labels >> 1;
        let first = if G::HOST_NAMES_START_WITH_DIGITS {
            0
        } else {
            lowest(rest) & self.digits
        };
        first | !(self.alphanumeric | (self.dots | self.hyphens) & inner)
    }

    /// Returns the first byte of each label of the host at the beginning of `rest`, and the byte
    /// after the dot if the host ends with one.
    #[inline(always)]
    pub(super) const fn first_of_labels(self, rest: u64) -> u64 {
        (rest & self.dots) << 1 | lowest(rest)
    }

    /// Returns whether the last label begins with a letter, provided that all characters of the
    /// label are valid. A port, which contains no dot, may follow the label. Returns `false` if the
    /// host has no label.
    #[inline(always)]
    pub(super) const fn last_begins_with_letter(self, rest: u64) -> bool {
        ends_with(self.first_of_labels(rest), !self.digits)
    }
}

/// The bit masks that one kind of authority needs.
pub(super) trait Masks {
    /// Parses the authority, which ends at `end`. Returns `None` if the authority is not of this
    /// kind, or is invalid.
    fn parse(&self, start: Start, end: u32) -> Option<Prefix>;
}

/// Bit masks of an authority without brackets.
pub(super) struct AuthorityMasks {
    /// The offset after the `@`, or 0 if the authority has none.
    userinfo: u32,
    /// The bytes of the authority after its userinfo.
    rest: u64,
    /// The kind of the host if it is valid: an address if its last label begins with a digit, and
    /// otherwise a name.
    kind: HostKind,
    /// The bytes that cannot be part of a host of this kind.
    wrong: u64,
    colons: u64,
    digits: u64,
}

impl AuthorityMasks {
    #[inline(always)]
    pub(super) fn new<G: FastGrammar>(
        block: impl Block,
        authority: u64,
        names: HostNameMasks,
    ) -> Self {
        let (userinfo, rest) = split_userinfo::<G>(block, authority);
        let colons = block.is(b':');
        let (kind, wrong) = if names.last_begins_with_letter(rest) {
            (HostKind::Name, names.wrong::<G>(rest, colons))
        } else {
            (HostKind::Ipv4, wrong_for_ipv4(block, names, rest))
        };
        Self {
            userinfo,
            rest,
            kind,
            wrong,
            colons,
            digits: names.digits(),
        }
    }
}

impl Masks for AuthorityMasks {
    /// Parses `[ userinfo "@" ] host [ ":" port ]`, whose host is a name or an IPv4 address.
    ///
    /// The caller has checked that the grammar allows all characters in a userinfo, except a
    /// second `@`.
    #[inline(always)]
    fn parse(&self, start: Start, end: u32) -> Option<Prefix> {
        let colon = lowest(self.colons & self.rest);
        let (host, host_end) = if colon == 0 {
            (self.rest, end)
        } else {
            let port = self.rest & above(colon);
            if port == 0 || port & !self.digits != 0 {
                return None;
            }
            let host = self.rest & colon.wrapping_sub(1);
            (host, offset_u32(lowest_bit(colon)))
        };
        if host == 0 || host & self.wrong != 0 {
            return None;
        }
        let (scheme, userinfo) = (start.scheme, self.userinfo);
        Some(Prefix::server(scheme, userinfo, host_end, end, self.kind))
    }
}

/// Returns the offset after the `@`, or 0 if the authority has none, and the rest of the authority.
#[inline(always)]
fn split_userinfo<G: FastGrammar>(block: impl Block, authority: u64) -> (u32, u64) {
    let ats = if G::USERINFO { block.is(b'@') } else { 0 };
    match lowest(ats & authority) {
        0 => (0, authority),
        at => (offset_u32(lowest_bit(at) + 1), authority & above(at)),
    }
}

const ZERO_TO_FIVE: Nibbles = Nibbles::new(&ByteSet::of(b"012345"));

/// Returns the bytes that cannot be part of an `IPv4address` of RFC 3986 at the beginning of
/// `rest`. Only a port may follow the address. The older standards accept these addresses too.
///
/// An address has three dots. A `dec-octet` has one to three digits, no leading zero, and is at
/// most 255. The masks of `10.255.300.07`, with bit 0 on the left:
///
/// ```text
/// bytes     10.255.300.07
/// first     1..1...1...1.   the first digit of each number
/// two       1..1...1...1.   ... that has two digits or more
/// three     ...1...1.....   ... that has three or more
/// in range  1..1.........   a 1, or a 2 before 0 to 4 or before a 5 and 0 to 5
/// wrong     .......1...1.
/// ```
#[inline(always)]
fn wrong_for_ipv4(block: impl Block, names: HostNameMasks, rest: u64) -> u64 {
    let (dots, digits) = (names.dots(), names.digits());
    if (dots & rest).count_ones() != 3 {
        return u64::MAX;
    }
    let first = names.first_of_labels(rest);
    let two = first & digits >> 1;
    let three = two & digits >> 2;
    let four = three & digits >> 3;
    let (five, to_five) = (block.is(b'5'), block.members(&ZERO_TO_FIVE));
    let rest_of_200s = to_five >> 1 & !(five >> 1 & !(to_five >> 2));
    let in_range = block.is(b'1') | block.is(b'2') & rest_of_200s;
    // Each dot must be between digits: otherwise a number would be empty.
    let others = !(digits | dots & digits << 1 & digits >> 1);
    others | two & block.is(b'0') | three & !in_range | four
}

/// Bit masks of an authority that contains a bracket.
pub(super) struct Ipv6Masks {
    /// The offset after the `@`, or 0 if the authority has none.
    userinfo: u32,
    /// The bit of the bracket after the address, or 0 if no address was found.
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
        // The host begins with the only opening bracket. A second closing bracket would be in the
        // port.
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

/// Returns whether the consecutive bytes of `inner` are an IPv6 address, given its colons and its
/// hexadecimal digits.
///
/// The masks of `2001:db8::1`, with bit 0 on the left:
///
/// ```text
/// bytes     2001:db8::1
/// colons    ....1...11.
/// first     1....1....1   the first digit of each piece
/// elision   ........11.   colons without a digit on both sides
/// ```
#[inline(always)]
pub(super) const fn is_address(inner: u64, colons: u64, hex: u64) -> bool {
    let two = hex & hex >> 1;
    let five = two & two >> 2 & hex >> 4;
    let others = inner & !(colons | hex);
    // The address has no elision, or a single `::`.
    let elision = colons & !(hex << 1 & hex >> 1);
    let one = lowest(elision);
    let other_elision = elision ^ (one | one << 1);
    // The valid piece counts, as a set of bits: exactly eight, or fewer if `::` replaces at least
    // one. An authority has fewer than 32 pieces, so the shift cannot overflow.
    let pieces = (hex & !(hex << 1)).count_ones();
    let numbers: u32 = if elision == 0 { 1 << 8 } else { 0xFF };
    five | others | other_elision == 0 && numbers >> (pieces & 31) & 1 == 1
}

impl Masks for Ipv6Masks {
    /// Parses `[ userinfo "@" ] "[" IPv6address "]" [ ":" port ]`, whose address contains no IPv4
    /// address.
    ///
    /// The caller has checked that the grammar allows all characters in a userinfo, except
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
