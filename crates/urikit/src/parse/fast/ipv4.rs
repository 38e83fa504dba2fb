//! IPv4 addresses, by masks.

use super::{ends_with, lowest};
use crate::grammar::ByteSet;
use crate::scan::{Block, Nibbles};

const ZERO_TO_FIVE: Nibbles = Nibbles::new(&ByteSet::of(b"012345"));

/// The masks that tell IPv4 addresses.
pub(super) struct Ipv4Masks {
    dots: u64,
    digits: u64,
    /// The first digit of each number that is no `dec-octet`.
    wrong: u64,
}

impl Ipv4Masks {
    /// The masks of a block. Numbers are checked if all bytes of the authority are in `plain`;
    /// otherwise all of them are wrong.
    ///
    /// A `dec-octet` has one to three digits, no leading zero, and is at most 255. The masks of
    /// `10.255.300.07`, bit 0 on the left:
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
    pub(super) fn new(block: impl Block, dots: u64, digits: u64, is_plain: bool) -> Self {
        let mut masks = Self {
            dots,
            digits,
            wrong: u64::MAX,
        };
        if is_plain {
            let first = digits & !(digits << 1);
            let two = first & digits >> 1;
            let three = two & digits >> 2;
            let four = three & digits >> 3;
            let (five, to_five) = (block.is(b'5'), block.members(&ZERO_TO_FIVE));
            let rest_of_200s = to_five >> 1 & !(five >> 1 & !(to_five >> 2));
            let in_range = block.is(b'1') | block.is(b'2') & rest_of_200s;
            masks.wrong = two & block.is(b'0') | three & !in_range | four;
        }
        masks
    }

    /// Whether the bytes of `host` are an `IPv4address` of RFC 3986. Such an address is one under
    /// the older standards too.
    #[inline(always)]
    pub(super) const fn are_address(&self, host: u64) -> bool {
        let dots = self.dots & host;
        let second = dots & dots.wrapping_sub(1);
        let third = second & second.wrapping_sub(1);
        let fourth = third & third.wrapping_sub(1);
        // Where a number must begin.
        let empty = (dots << 1 | lowest(host)) & !self.digits;
        let others = host & !(dots | self.digits);
        ends_with(host, self.digits)
            && third != 0
            && fourth | empty | others | self.wrong & host == 0
    }
}
