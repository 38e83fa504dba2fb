//! The fast path: parses common references 64 bytes at a time.
//!
//! # What it parses
//!
//! The fast path handles references of the usual form: US-ASCII characters only; no scheme, or one
//! of letters, digits, hyphens and dots; any authority. It returns `None` for everything else, and for
//! every reference that is invalid. The caller then parses byte by byte with the standard's own
//! file, which also knows what to report.
//!
//! So the fast path never rejects a reference. When it does return a layout, that layout is the
//! one the byte-by-byte parser would return; `tests/fast.rs` compares the two.
//!
//! # How it works
//!
//! [`scan`](crate::scan) turns a block of 64 bytes into *masks*. A mask answers one question about
//! each byte of the block: bit `i` of the 64-bit number is set if the answer for byte `i` is yes.
//! Here are some masks of a short reference, with bit 0 on the left and zeros as dots:
//!
//! ```text
//! bytes             http://a.example/b?c=d
//! is `:`            ....1.................
//! is `/`            .....11.........1.....
//! is `?`            ..................1...
//! is `.`            ........1.............
//! letter or digit   1111...1.1111111.1.1.1
//! ```
//!
//! Parsing is arithmetic on these numbers, the same few instructions for any reference:
//!
//! 1. **Are all characters allowed?** One test for the block, with one set of characters for the
//!    path, the query and the fragment alike ([`FastGrammar::ALLOWED`]). One set is enough because
//!    these components differ in their delimiters alone: the path ends at the first `?` or `#`,
//!    the query at the first `#`, and a second `#` is not allowed anywhere. Step 4 checks these.
//!    Where a grammar has other differences, [`FastGrammar::finish`] checks them.
//! 2. **Scheme** ([`start`]): it ends at the first set bit of the `:` mask, if that precedes every
//!    `/`, `?` and `#`. To find the first set bit takes one instruction (`trailing_zeros`). The
//!    two most common starts, `http://` and `https://`, are recognized by a single comparison.
//! 3. **Authority** ([`host_name`]): it ends at the first set bit of `/` *or* `?` *or* `#` after
//!    the `//`. Whether it is a host name follows from the masks of letters, dots and hyphens,
//!    shifted by one against each other. If it is not, [`authority`] looks for a userinfo, a port
//!    and an IPv4 address ([`ipv4`]), and [`ipv6`] reads authorities with brackets. What is left
//!    (host names that end in a dot, registered names) is parsed by the standard's own function,
//!    byte by byte.
//! 4. **Query and fragment** ([`suffix`]): the first set bits of the `?` and the `#` masks. A
//!    `%` is valid if the next two bits of the mask of hexadecimal digits are set.
//!
//! A reference of more than 64 bytes repeats steps 1 and 4 for each further block. The scheme and
//! the authority must end within the first block; otherwise the fast path returns `None`.
//!
//! Most references contain neither `%` nor `#`. Those two characters are called *marks* here. For
//! the standard that most programs use, the reader is compiled twice: once for inputs whose first
//! block has no marks, where looking for them costs nothing, and once for the others
//! ([`FastGrammar::FOR_SPEED`]).
//!
//! The result is [`Packed`]: a layout small enough to be returned in registers.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

mod authority;
mod grammar;
mod host_name;
mod ipv4;
mod ipv6;
mod packed;
mod reader;
mod start;
mod suffix;

use crate::scan::BLOCK;
pub(super) use grammar::FastGrammar;
pub(super) use packed::{Packed, Prefix};
pub(super) use reader::ReferenceReader;
pub(super) use suffix::Suffix;

/// A mask of all bits from `index` on; 0 if `index` is 64 or more.
#[inline]
const fn bits_from(index: usize) -> u64 {
    if index < BLOCK { u64::MAX << index } else { 0 }
}

/// The index of the lowest set bit; 64 if no bit is set.
#[inline]
const fn lowest_bit(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// The lowest set bit of a mask; 0 if it has none.
#[inline(always)]
const fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// All bits above a single bit.
#[inline(always)]
const fn above(bit: u64) -> u64 {
    !(bit | bit.wrapping_sub(1))
}

/// All bits between two single bits, the lower one first.
#[inline(always)]
const fn between(low: u64, high: u64) -> u64 {
    high.wrapping_sub(low << 1)
}

/// Whether the highest bit of `bytes` is in `mask`. Of two numbers without a common bit, the one
/// with the highest bit is greater.
#[inline(always)]
const fn ends_with(bytes: u64, mask: u64) -> bool {
    bytes & mask > bytes & !mask
}
