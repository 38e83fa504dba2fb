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

mod host;
mod packed;
mod reader;

use crate::grammar::ByteSet;
use crate::layout::Layout;
pub(super) use packed::{Packed, Prefix};
pub(super) use reader::{ReferenceReader, Suffix};
use urikit_scan::{BLOCK, Nibbles};

/// A standard's grammar, as far as the fast path parses it. Each standard's own file implements
/// it.
///
/// The constants are known at compile time, so each standard gets its own version of the reader,
/// without the code that it does not need.
pub(super) trait FastGrammar {
    /// The US-ASCII characters allowed in a path, a query or a fragment.
    const CHARACTERS: &ByteSet;
    /// These characters and `?`, without the marks `%` and `#`, which most references don't have.
    const UNMARKED: Nibbles = Nibbles::new(&unmarked(Self::CHARACTERS));
    /// The characters that a block may contain: these and the marks.
    const ALLOWED: Nibbles = Nibbles::new(&marked(Self::CHARACTERS));
    /// The same for the first block, which may contain a host in brackets.
    const ALLOWED_FIRST: Nibbles = Nibbles::new(&if Self::IP_LITERALS {
        marked(Self::CHARACTERS).or(ByteSet::of(b"[]"))
    } else {
        marked(Self::CHARACTERS)
    });
    /// Whether a colon may appear after the scheme.
    const COLONS_AFTER_SCHEME: bool = true;
    /// Whether a reference without a scheme may begin with `//`.
    const NET_PATHS: bool = true;
    /// Whether a reference may have no scheme.
    const RELATIVE_REFERENCES: bool = true;
    /// Whether a path after a scheme need not begin with a slash. Where it must, anything else
    /// after the scheme is opaque, and left to the byte-by-byte parser.
    const ROOTLESS_PATHS: bool = true;
    /// Whether a `?` ends an authority.
    const QUESTION_ENDS_AUTHORITY: bool = true;
    /// Whether a host name may begin with a digit.
    const HOST_NAMES_START_WITH_DIGITS: bool = true;
    /// Whether a path may be followed by params.
    const PARAMS: bool = false;
    /// Whether a userinfo may precede any host, of all characters that are allowed except `@` and
    /// those that end the authority.
    const USERINFO: bool = false;
    /// Whether a host may be an address in brackets. Brackets anywhere else are left to the
    /// byte-by-byte parser.
    const IP_LITERALS: bool = false;
    /// Whether the reader is compiled for speed and not for size: with a version of its own for
    /// references without marks, without calls for any kind of authority, and for processors that have
    /// SSE2 alone. This more than triples what is compiled for the standard.
    const FOR_SPEED: bool = false;

    /// Parses any authority from `start` to `end` byte by byte, and records it in `layout`. `false`
    /// leaves the reference to the byte-by-byte parser.
    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool;

    /// Whether an authority follows the scheme whose colon is at `colon`, given whether `//` does.
    /// `None` if the fast path does not parse references with this scheme.
    #[inline(always)]
    fn has_authority(_text: &[u8], _colon: usize, has_slashes: bool) -> Option<bool> {
        Some(has_slashes)
    }

    /// Whether an authority follows `http://`, or `https://` if `is_https`, in lower case.
    #[inline(always)]
    fn http_has_authority(_is_https: bool) -> bool {
        true
    }

    /// Checks and corrects the components that only this standard parses differently. `false`
    /// leaves the reference to the byte-by-byte parser.
    #[inline(always)]
    fn finish(_text: &[u8], _prefix: Prefix, _suffix: &mut Suffix) -> bool {
        true
    }
}

const fn unmarked(characters: &ByteSet) -> ByteSet {
    characters.or(ByteSet::of(b"?")).without(MARKS)
}

const fn marked(characters: &ByteSet) -> ByteSet {
    characters.or(ByteSet::of(b"?")).or(MARKS)
}

const MARKS: ByteSet = ByteSet::of(b"%#");

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
