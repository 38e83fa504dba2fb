//! SIMD: questions about 64 bytes, answered in a few instructions. All `unsafe` code of the crate
//! is in this module.
//!
//! SIMD (single instruction, multiple data) instructions work on registers of 16, 32 or 64 bytes
//! and do the same to each byte: one instruction compares every byte of a register with `/`, and
//! another collects the results into the bits of an ordinary integer. A parser that asks its
//! questions once per 64 bytes, and not once per byte, needs far fewer instructions.
//!
//! # Blocks and masks
//!
//! The input is divided into blocks of 64 bytes. For each question about a byte (is it a slash? is
//! it allowed in a path?) a [`Block`] computes a *mask*: a 64-bit number in which bit `i` is the
//! answer for byte `i` of the block. With bit 0 on the left and zeros as dots:
//!
//! ```text
//! bytes   a/b?c=d/e
//! is `/`  .1.....1.
//! is `?`  ...1.....
//! ```
//!
//! The rest is arithmetic on masks:
//!
//! - *Where is the first slash?* `mask.trailing_zeros()`, which is one instruction.
//! - *Are all bytes allowed?* `mask == u64::MAX`.
//! - *Is there a dot after a slash?* `dots & slashes << 1 != 0`.
//!
//! Only the masks that are asked for are computed, and computing one takes no branch that depends
//! on the input and that the processor could mispredict.
//!
//! # Sets of characters
//!
//! A set, such as the characters allowed in a path, is too large to compare each byte with each
//! member. A shuffle instruction (`PSHUFB`) finds the answer by table: it looks up each byte of a
//! register in a table of 16 bytes, all at the same time. A table of 16 can be indexed by half a
//! byte (four bits, a *nibble*), so there are two tables:
//!
//! 1. [`Nibbles`] has one row for each low nibble. Bit `h` of the row says whether the byte with
//!    this low nibble and the high nibble `h` is in the set. US-ASCII has only eight high nibbles,
//!    0 to 7, so a row is one byte.
//! 2. The second table turns the high nibble `h` into `1 << h`, and into 0 if `h` is 8 or more.
//!
//! A byte is in the set if the two results have a bit in common. For example, `/` is 0x2F. Its
//! high nibble 2 gives 0b100, so row 0xF must have bit 2 set. Bytes beyond US-ASCII get 0 from the
//! second table, so they are in no set.
//!
//! # The end of the input
//!
//! Reading past the end of the input would be undefined behaviour, and few inputs fill their last
//! block. The last bytes are therefore read by a register that *ends* where the input ends. It
//! overlaps bytes that have been read before, and its mask is shifted so that each bit is at its
//! place. Bits past the end of the input are 0 in every mask.
//!
//! Inputs that are shorter than a register cannot be read in this way. [`Scanner::any`] reads them
//! by smaller loads, with zeros after them. AVX-512 needs neither: its loads leave out bytes by a
//! mask, and bytes that are left out are not accessed.
//!
//! Each version of a task is code that has to be compiled and linked, so a task says which inputs
//! it is for ([`Lengths`]), and only the versions that can get such inputs are compiled.
//!
//! # Versions
//!
//! | version | bytes per register | where |
//! |---|---|---|
//! | `Avx512` | 64 | x86-64 with AVX-512 (F, BW, VL, VBMI2), AVX2 and BMI |
//! | `Avx2` | 32, or 16 for short inputs | x86-64 with AVX2 and BMI |
//! | `Sse2` | 16, used in pairs | every x86-64, for [some tasks](Work::HAS_SSE2); it has no shuffle, so sets are compared range by range |
//! | `Portable` | 1 | tests, which compare the others with it |
//!
//! With `std`, the processor's features are detected once, at run time; without it, they are those
//! that the crate is compiled for (`-C target-cpu`). [`Level`] is the version in use. On other
//! processors, and in constants, the crate works byte by byte and without this module.
//!
//! A task for the scanner implements [`Work`] and is generic over the [`Scanner`]. [`Level::run`]
//! calls a function that is compiled for the right instruction set. Everything that the task does
//! must be inlined into that function, or it is compiled without these instructions. This is why
//! so many functions are `#[inline(always)]`.
//!
//! # Modules
//!
//! - [`ascii`] remembers that all blocks of an input were accepted, which makes it US-ASCII;
//!   [`components`] then slices it without further checks.
//! - `unescape` decodes escapes; `copy` copies short strings.
//! - [`text`] is for the project's other crates.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set
#![allow(unsafe_code)]
#![cfg_attr(not(feature = "alloc"), allow(dead_code))] // without `alloc`, nothing is decoded

pub(crate) mod ascii;
pub(crate) mod components;
#[cfg(feature = "alloc")]
mod copy;
mod dispatch;
#[cfg(all(test, feature = "std", target_os = "linux"))]
mod guard;
mod level;
mod nibbles;
#[cfg(all(test, feature = "alloc"))]
mod portable;
#[cfg(all(test, feature = "alloc"))]
mod tests;
pub mod text;
#[cfg(feature = "alloc")]
mod unescape;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(feature = "alloc")]
pub(crate) use copy::append;
use core::mem::MaybeUninit;
pub(crate) use level::Level;
pub(crate) use nibbles::{ALPHANUMERIC, DIGIT, HEX, Nibbles};
#[cfg(feature = "alloc")]
pub(crate) use unescape::{unescape, unescape_utf8};

/// The length of a block in bytes.
pub const BLOCK: usize = 64;

/// The length of the shortest register. Shorter inputs have no blocks, except with AVX-512.
pub(crate) const MIN_LEN: usize = 16;

/// The length of the widest register, and of two of the shortest, except with AVX-512.
pub(crate) const WIDE: usize = 32;

/// Which inputs a task is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// All inputs, by [`Scanner::any`] alone.
    Any,
    /// Inputs of at least [`MIN_LEN`] bytes; with AVX-512 all that are not empty.
    Register,
    /// Inputs of at least [`WIDE`] bytes; with AVX-512 all that are not empty.
    Wide,
    /// As `Wide`, and at most a block. There is no version with SSE2, which has `Wide` for these.
    Block,
    /// Inputs of less than [`WIDE`] bytes, by [`Scanner::any`] alone; with AVX-512 none.
    Narrow,
}

/// Up to 64 bytes of the input. In each mask, bit `i` is about byte `i`.
pub(crate) trait Block: Copy {
    /// The length of [`prefix`](Self::prefix): the bytes of one register.
    const PREFIX_LEN: usize;
    /// The bytes equal to `byte`.
    fn is(self, byte: u8) -> u64;
    /// The bytes equal to either byte.
    fn is_either(self, one: u8, other: u8) -> u64;
    /// Whether all bytes are in the set, including those before the block that were read with it.
    fn are_all(self, set: &Nibbles) -> bool;
    /// The bytes in the set.
    fn members(self, set: &Nibbles) -> u64;
    /// The first bytes of the block, for which masks take fewer instructions.
    fn prefix(self) -> Self;
}

/// The blocks of an input, one by one, each with its offset.
pub(crate) struct Blocks<'t, S> {
    scanner: S,
    text: &'t [u8],
    start: usize,
}

impl<'t, S: Scanner> Blocks<'t, S> {
    /// All blocks of `text`, which is the input of the work that `scanner` runs.
    #[inline(always)]
    pub(crate) const fn new(scanner: S, text: &'t [u8]) -> Self {
        Self {
            scanner,
            text,
            start: 0,
        }
    }

    /// The next block. This is no `Iterator`: its adapters would not be compiled for the scanner's
    /// instruction set.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, S::Block)> {
        let start = self.start;
        if start >= self.text.len() {
            return None;
        }
        self.start = if S::ONE_BLOCK {
            self.text.len()
        } else {
            start + BLOCK
        };
        let block = if start == 0 {
            self.scanner.first(self.text)
        } else {
            self.scanner.later(self.text, start)
        };
        Some((start, block))
    }
}

/// How [`Scanner::unescape_block`] decodes a block.
#[derive(Clone, Copy)]
pub(crate) struct Escapes {
    /// The `%` of the block.
    percent: u64,
    /// The bytes that produce an octet: all except the digits of escapes.
    kept: u64,
    /// Whether a `+` is decoded to a space.
    plus: bool,
}

/// The output of a block. Its octets are written eight at a time, so up to eight more are written.
pub(crate) type OutBuffer = [MaybeUninit<u8>; BLOCK + 8];

/// A version of the scanner, for inputs of certain lengths.
pub(crate) trait Scanner: Copy {
    type Block: Block;
    /// Whether it is for inputs of one block only.
    const ONE_BLOCK: bool;
    /// The first block.
    fn first(self, text: &[u8]) -> Self::Block;
    /// The first block of an input of any length. It may have zeros past the end of the input, so
    /// its masks of the byte 0, of sets with it, and [`Block::are_all`] are meaningless.
    fn any(self, text: &[u8]) -> Self::Block;
    /// The block at `start`, which is a multiple of [`BLOCK`], not 0, and less than the input's
    /// length.
    fn later(self, text: &[u8], start: usize) -> Self::Block;
    /// Of the 64 bytes from `start` on, those equal to `byte` that are not followed by `not`. The
    /// input must have one more byte.
    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64;
    /// The index of the set bit of a mask that has `below` set bits below it; 64 if there is none.
    fn nth(self, mask: u64, below: u32) -> u32;
    /// Decodes the block at `start` to `out`. Writes one octet for each byte in `escapes.kept`:
    /// for a `%` the value of the two digits that follow it, for a `+` a space if `escapes.plus`,
    /// and for any other byte the byte itself. Returns whether an octet of an escape is beyond
    /// US-ASCII.
    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool;
    /// Asks the processor to load the bytes at `at` into its cache. Reads nothing.
    fn prefetch(self, text: &[u8], at: usize);
}

/// [`Scanner::nth`] by clearing the lowest set bit `below` times.
#[inline(always)]
fn nth(mut mask: u64, below: u32) -> u32 {
    for _ in 0..below {
        mask &= mask.wrapping_sub(1);
    }
    mask.trailing_zeros()
}

/// A task for a scanner. It is compiled once for each version.
pub(crate) trait Work {
    type Output;
    /// Which inputs it is for. [`Level::run`] checks this for [`Lengths::Register`]; otherwise the
    /// caller must.
    const LENGTHS: Lengths = Lengths::Register;
    /// Whether there is a version with SSE2. Few processors need it, and it is the one with the most
    /// code.
    const HAS_SSE2: bool = true;
    /// The input.
    fn text(&self) -> &[u8];
    /// Does the task. `None` if masks do not give the result.
    ///
    /// Must be `#[inline(always)]`, so that it is compiled for the scanner's instruction set.
    fn run<S: Scanner>(self, scanner: S) -> Option<Self::Output>;
}
