//! The fast path: parses common references 64 bytes at a time.
//!
//! # What it parses
//!
//! The fast path handles references of the usual form: only US-ASCII characters, any authority, and
//! a scheme of at most 32 characters, if any. The fast path returns `None` for all other
//! references, and for every invalid one. The caller then parses byte by byte, which
//! also finds the error.
//!
//! So the fast path never rejects a reference. Each layout that it returns equals that of the
//! byte-by-byte parser; `tests/fast.rs` compares the two.
//!
//! # How it works
//!
//! The [scanner](urikit_scan) turns a block of 64 bytes into *masks*. A mask answers one question
//! about each byte of the block: bit `i` of the 64-bit number is set if the answer for byte `i` is
//! yes. These are some masks of a short reference, with bit 0 on the left and zeros shown as dots:
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
//! Parsing is arithmetic on these numbers and takes the same few instructions for any reference:
//!
//! 1. **Are all characters allowed?** One test checks the block against a single set of characters
//!    for the path, the query and the fragment ([`FastGrammar::ALLOWED`]). One set is enough
//!    because these components differ only in their delimiters: the path ends at the first `?` or
//!    `#`, the query at the first `#`, and a second `#` is not allowed anywhere. Step 4 checks
//!    these delimiters. [`FastGrammar::finish`] checks the rules that are particular to one
//!    standard.
//! 2. **Scheme** (`reader`): it ends at the first set bit of the `:` mask, if that precedes every
//!    `/`, `?` and `#`. Finding the first set bit takes one instruction (`trailing_zeros`). A
//!    single comparison recognizes the two most common starts, `http://` and `https://`.
//! 3. **Authority** (`host`): it ends at the first set bit of `/` *or* `?` *or* `#` after the `//`.
//!    The authority is a host name if the masks of letters, dots and hyphens, combined after shifts
//!    by one, leave no gap. Otherwise, other masks find a userinfo, a port, and an IPv4 or IPv6
//!    address. The standard's function for authorities parses the rest (host names that end in a
//!    dot, registered names) byte by byte.
//! 4. **Query and fragment** (`reader`): the first set bits of the `?` and the `#` masks. A `%` is
//!    valid if the next two bits of the mask of hexadecimal digits are set.
//!
//! For a reference of more than 64 bytes, a function repeats steps 1 and 4 for each further block.
//! On x86-64, this function is not inlined. The scheme and the authority must end within the first
//! block; otherwise the fast path returns `None`.
//!
//! Most references contain neither `%` nor `#`. The module calls these two characters *marks*. For
//! RFC 3986, which most programs use, steps 2 and 4 are compiled twice: once for inputs whose first
//! block has no marks, and once for the others ([`FastGrammar::FOR_SPEED`]).
//!
//! The result is [`Packed`]: a layout small enough to be returned in registers.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

mod ends;
mod host;
mod packed;
mod portable;
mod reader;

use crate::grammar::ByteSet;
use crate::layout::Layout;
pub(super) use ends::Suffix;
pub(super) use packed::{Packed, Prefix};
pub(super) use reader::ReferenceReader;
use urikit_scan::{BLOCK, Classes, Nibbles};

/// The part of a standard's grammar that the fast path parses. Each standard's file implements it.
///
/// The constants are known at compile time, so each standard has its own version of the reader,
/// without the code that it does not need.
pub(super) trait FastGrammar: Sized {
    /// The US-ASCII characters allowed in a path, a query or a fragment.
    const CHARACTERS: &ByteSet;
    /// [`CHARACTERS`](Self::CHARACTERS) and `?`, but without the marks `%` and `#`, which most
    /// references lack.
    const UNMARKED: Nibbles = Nibbles::new(&unmarked(Self::CHARACTERS));
    /// The characters that a block may contain: [`CHARACTERS`](Self::CHARACTERS) and the marks.
    const ALLOWED: Nibbles = Nibbles::new(&marked(Self::CHARACTERS));
    /// The characters that the first block may contain, including the brackets of a host.
    const ALLOWED_FIRST: Nibbles = Nibbles::new(&if Self::IP_LITERALS {
        marked(Self::CHARACTERS).or(ByteSet::of(b"[]"))
    } else {
        marked(Self::CHARACTERS)
    });
    /// The characters of each component, for processors without a scanner.
    const CLASSES: &Classes = &portable::classes::<Self>();
    /// True if a colon may appear after the scheme.
    const COLONS_AFTER_SCHEME: bool = true;
    /// True if a reference without a scheme may begin with `//`.
    const NET_PATHS: bool = true;
    /// True if a reference may have no scheme.
    const RELATIVE_REFERENCES: bool = true;
    /// True if a path after a scheme may begin without a slash. If the value is false, all other
    /// text after the scheme is opaque, and left to the byte-by-byte parser.
    const ROOTLESS_PATHS: bool = true;
    /// True if a `?` ends an authority.
    const QUESTION_ENDS_AUTHORITY: bool = true;
    /// True if a host name may begin with a digit.
    const HOST_NAMES_START_WITH_DIGITS: bool = true;
    /// True if a path may be followed by params.
    const PARAMS: bool = false;
    /// True if a userinfo may precede any host. A userinfo may contain all allowed characters
    /// except `@` and those that end the authority.
    const USERINFO: bool = false;
    /// True if a host may be an address in brackets. References with other brackets are left to the
    /// byte-by-byte parser.
    const IP_LITERALS: bool = false;
    /// True if the reader is compiled for speed rather than size: with separate code for references
    /// without marks, with all kinds of authorities inlined, and with versions for AVX-512 and
    /// SSSE3. This more than doubles the size of the machine code for the standard.
    const FOR_SPEED: bool = false;

    /// Parses any authority from `start` to `end` byte by byte, and records it in `layout`.
    /// Returns `false` to leave the reference to the byte-by-byte parser.
    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool;

    /// Returns whether an authority follows the scheme whose colon is at `colon`. `has_slashes` is
    /// true if `//` follows the scheme. Returns `None` if the fast path does not parse references
    /// with this scheme.
    #[inline(always)]
    fn has_authority(_text: &[u8], _colon: usize, has_slashes: bool) -> Option<bool> {
        Some(has_slashes)
    }

    /// Returns whether an authority follows `http://`, or `https://` if `is_https`, in lower case.
    #[inline(always)]
    fn http_has_authority(_is_https: bool) -> bool {
        true
    }

    /// Checks and corrects the components that this standard parses differently from all others.
    /// Returns `false` to leave the reference to the byte-by-byte parser.
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

/// Returns a mask of the bits at `index` and above, or 0 if `index` is 64 or more.
#[inline]
const fn bits_from(index: usize) -> u64 {
    if index < BLOCK { u64::MAX << index } else { 0 }
}

/// Returns the index of the lowest set bit, or 64 if no bit is set.
#[inline]
const fn lowest_bit(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// Returns the lowest set bit of a mask, or 0 if no bit is set.
#[inline(always)]
const fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// Returns a mask of all bits above the single set bit of `bit`.
#[inline(always)]
const fn above(bit: u64) -> u64 {
    !(bit | bit.wrapping_sub(1))
}

/// Returns a mask of all bits between the single set bits of `low` and `high`.
#[inline(always)]
const fn between(low: u64, high: u64) -> u64 {
    high.wrapping_sub(low << 1)
}

/// Returns whether the highest bit of `bytes` is in `mask`. Of two numbers without a common bit,
/// the one with the highest bit is greater.
#[inline(always)]
const fn ends_with(bytes: u64, mask: u64) -> bool {
    bytes & mask > bytes & !mask
}
