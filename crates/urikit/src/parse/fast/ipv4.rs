//! IPv4 addresses, by masks.

use super::host_name::HostNameMasks;
use crate::grammar::ByteSet;
use crate::scan::{Block, Nibbles};

const ZERO_TO_FIVE: Nibbles = Nibbles::new(&ByteSet::of(b"012345"));

/// The bytes that cannot be part of an `IPv4address` of RFC 3986 at the beginning of `rest`, which
/// nothing but a port may follow. Such an address is one under the older standards too.
///
/// It has three dots. A `dec-octet` has one to three digits, no leading zero, and is at most 255.
/// The masks of `10.255.300.07`, bit 0 on the left:
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
pub(super) fn wrong(block: impl Block, names: HostNameMasks, rest: u64) -> u64 {
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
    // No number is empty: each dot is between digits.
    let others = !(digits | dots & digits << 1 & digits >> 1);
    others | two & block.is(b'0') | three & !in_range | four
}
