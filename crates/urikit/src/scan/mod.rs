//! Bytes to masks: many bytes looked at in one step. All `unsafe` code of the crate is here.
//!
//! # How it works
//!
//! A text is looked at in blocks of 64 bytes. For each question that a reader asks of a byte (may it stand in a
//! path? is it a slash?) there is a mask of 64 bits, of which bit `i` is the answer for byte `i` of the block: see
//! [`Block`]. The reader then walks masks: "the end of the authority" is the number of zeros before the first set bit
//! of a mask, one instruction for any length, and "all bytes are allowed" is one comparison. Only masks that are asked for
//! are made.
//!
//! **One delimiter** is found by comparing all bytes of a register with it.
//!
//! **A set of characters** is found by two lookups (`PSHUFB` finds sixteen or thirty-two at once in a table of sixteen
//! bytes). A byte has a low and a high half of four bits. [`Nibbles`] has a row for each low half, in which bit `h` says
//! whether the byte with the high half `h` is in the set; since US-ASCII has eight high halves, a row is one
//! byte. The second table turns the high half `h` into `1 << h`, and into nothing from 8 on. Where the two have a bit in
//! common, the byte is in the set.
//!
//! **The end of a text** is no multiple of 64, and nothing behind it may be read. So the last bytes are read by
//! registers that end where the text ends and overlap what was read before; their mask is moved to its place. Bits of
//! bytes that are not there are zero in every mask. A text that is shorter than a register ([`LEAST`]) has no blocks but the one of
//! [`Scanner::any`], which is put together of shorter reads and has zeros where there is no text. AVX-512 reads by a mask
//! instead, whatever the length is, and what the mask leaves out is not read.
//!
//! **What was seen of a text** does not have to be asked again: where all of it was accepted by sets of characters, it is US-ASCII
//! ([`ascii`]), and may be cut into components anywhere ([`cut`]).
//!
//! [`text`] is what the project's other crates may ask of texts of any length.
//! **What is read by masks and written** is the scanner's too where a `String` comes of it: [`unescape`].
//!
//! # Which version
//!
//! | version | bytes at a step | where |
//! |---|---|---|
//! | `Avx512` | 64 | x86-64 with AVX-512 (F, BW, VL, VBMI2), AVX2 and BMI |
//! | `Avx2` | 32 | x86-64 with AVX2 and BMI |
//! | `Ssse3` | 16 | x86-64 with SSSE3 |
//! | `Sse2` | 16 | every x86-64; sets are found range by range |
//! | `Portable` | 1 | tests hold the others against it |
//!
//! With `std`, the processor is asked once, when the program runs; without, the choice is made when it is compiled
//! (`-C target-cpu`). [`Level`] is that choice. Another machine, and constants, which cannot choose, read byte
//! by byte and not by way of here.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions
#![allow(unsafe_code)]
#![cfg_attr(not(feature = "alloc"), allow(dead_code))] // without memory, nothing is written

pub(crate) mod ascii;
pub(crate) mod components;
#[cfg(feature = "alloc")]
mod copy;
#[cfg(all(test, feature = "std", target_os = "linux"))]
mod guard;
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
pub(crate) use nibbles::{ALPHANUMERIC, HEX, Nibbles};
#[cfg(feature = "alloc")]
pub(crate) use unescape::{unescape, unescape_utf8};

/// How many bytes a block has.
pub const BLOCK: usize = 64;

/// Shorter texts have no blocks, but for AVX-512, and are looked at by [`Scanner::any`].
pub(crate) const LEAST: usize = 16;

/// What there is to know of up to 64 bytes: bit `i` of a mask is about byte `i`.
pub(crate) trait Block: Copy {
    /// How many bytes its beginning has: those that are a register's.
    const BEGINNING: usize;
    /// Where `byte` stands.
    fn is(self, byte: u8) -> u64;
    /// Where either byte stands.
    fn is_either(self, one: u8, other: u8) -> u64;
    /// Whether the set has all bytes of the text that were read for the block.
    fn are_all(self, set: &Nibbles) -> bool;
    /// The bytes that the set has.
    fn members(self, set: &Nibbles) -> u64;
    /// The block without its end, of which less is asked.
    fn beginning(self) -> Self;
}

/// The blocks of a text, one by one, and where each begins.
pub(crate) struct Blocks<'t, S> {
    scanner: S,
    text: &'t [u8],
    start: usize,
}

impl<'t, S: Scanner> Blocks<'t, S> {
    /// All of them; `text` is what the scanner is for.
    #[inline(always)]
    pub(crate) const fn new(scanner: S, text: &'t [u8]) -> Self {
        Self {
            scanner,
            text,
            start: 0,
        }
    }

    /// The next one. (No `Iterator`, whose adapters would not be compiled for the scanner's instructions.)
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

/// What is done with the bytes of a block.
#[derive(Clone, Copy)]
pub(crate) struct Escapes {
    /// Where escapes begin.
    percent: u64,
    /// The bytes that are not the digits of one.
    kept: u64,
    /// Whether a `+` is a space.
    plus: bool,
}

/// Where the octets of a block are written, by eight at a time.
pub(crate) type Place = [MaybeUninit<u8>; BLOCK + 8];

/// A version of the scanner, for texts of certain lengths.
pub(crate) trait Scanner: Copy {
    type Block: Block;
    /// Whether it is for texts of one block.
    const ONE_BLOCK: bool;
    /// The first block.
    fn first(self, text: &[u8]) -> Self::Block;
    /// The first block of a text of any length. It is asked for no byte 0, and whether a set has all of it is not known.
    fn any(self, text: &[u8]) -> Self::Block;
    /// The block that begins at `start`, which is a multiple of [`BLOCK`] and not 0, of a text that is longer than that.
    fn later(self, text: &[u8], start: usize) -> Self::Block;
    /// Where `byte` stands before another than `not`, among the 64 bytes from `start` on. The text has one more.
    fn followed(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64;
    /// The place of the bit of a mask that so many others are below of; 64 where it has not so many.
    fn nth(self, mask: u64, below: u32) -> u32;
    /// Writes, of the block that begins at `start`, the bytes that `escapes.kept` has, and for each `%` the octet that the two digits
    /// behind it are. Whether one of those is beyond US-ASCII.
    fn octets(self, text: &[u8], start: usize, escapes: Escapes, place: &mut Place) -> bool;
    /// Asks for the bytes at `at` to be brought from memory, if the text has them.
    fn fetch(self, text: &[u8], at: usize);
}

/// [`Scanner::nth`] by taking bits away.
#[inline(always)]
fn nth(mut mask: u64, below: u32) -> u32 {
    for _ in 0..below {
        mask &= mask.wrapping_sub(1);
    }
    mask.trailing_zeros()
}

/// What is done with a scanner. It is compiled once for each version.
pub(crate) trait Work {
    type Output;
    /// Whether it looks at texts of any length, by [`Scanner::any`] alone.
    const ANY: bool = false;
    /// The text that is looked at.
    fn text(&self) -> &[u8];
    /// `None` where masks do not tell. Must be `inline(always)`, so that it is compiled for what the scanner needs.
    fn run<S: Scanner>(self, scanner: S) -> Option<Self::Output>;
}

/// Which version to use.
///
/// INVARIANT: the processor has what the version needs; only the scanner makes one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Level(u8);

impl Level {
    /// The best that this machine has, where the processor was not asked yet.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    const NOT_ASKED: Self = Self(0);
    /// Byte by byte, without a scanner.
    pub(crate) const BYTES: Self = Self(1);
    #[cfg(target_arch = "x86_64")]
    const SSE2: Self = Self(2);
    #[cfg(target_arch = "x86_64")]
    const SSSE3: Self = Self(3);
    #[cfg(target_arch = "x86_64")]
    const AVX2: Self = Self(4);
    #[cfg(target_arch = "x86_64")]
    const AVX512: Self = Self(5);
    /// The scanner that goes byte by byte.
    #[cfg(all(test, feature = "alloc"))]
    const PORTABLE: Self = Self(u8::MAX);

    /// The best that this machine has, or that it is to be asked.
    #[inline(always)]
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        return x86_64::best();
        #[cfg(not(target_arch = "x86_64"))]
        Self::BYTES
    }

    /// From now on, [`best`](Self::best) gives none above the one of this name; `false` where there is none.
    #[cfg(feature = "std")]
    pub(crate) fn limit(name: &str) -> bool {
        let level = match name {
            "bytes" => Self::BYTES,
            #[cfg(target_arch = "x86_64")]
            "sse2" => Self::SSE2,
            #[cfg(target_arch = "x86_64")]
            "ssse3" => Self::SSSE3,
            #[cfg(target_arch = "x86_64")]
            "avx2" => Self::AVX2,
            #[cfg(target_arch = "x86_64")]
            "avx512" => Self::AVX512,
            _ => return false,
        };
        #[cfg(target_arch = "x86_64")]
        x86_64::limit(level);
        level <= Self::best()
    }

    /// All that this machine has.
    #[cfg(all(test, feature = "alloc"))]
    pub(crate) fn all() -> alloc::vec::Vec<Self> {
        let mut levels = alloc::vec![Self::BYTES, Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        levels.extend(
            [Self::SSE2, Self::SSSE3, Self::AVX2, Self::AVX512]
                .into_iter()
                .filter(|level| *level <= x86_64::detect()),
        );
        levels
    }

    /// Whether texts have to be of the [`LEAST`] length for it, but for [`Scanner::any`].
    #[inline(always)]
    pub(crate) fn has_least(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self != Self::AVX512;
        #[cfg(not(target_arch = "x86_64"))]
        true
    }

    /// Whether a text may have blocks.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn has_blocks(self, text: &[u8]) -> bool {
        self != Self::BYTES && (text.len() >= LEAST || !self.has_least())
    }

    /// The shortest text that it is for.
    #[cfg(all(test, feature = "alloc"))]
    pub(crate) fn least(self) -> usize {
        match self {
            Self::BYTES => usize::MAX,
            _ if self.has_least() => LEAST,
            _ => 1,
        }
    }

    /// Does `work`; `None` where there is no scanner for the text, too.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> Option<W::Output> {
        #[cfg(target_arch = "x86_64")]
        if self == Self::AVX512 {
            // SAFETY: by the invariant.
            return unsafe { x86_64::run_avx512(work) };
        } else if self == Self::AVX2 {
            // SAFETY: by the invariant.
            return unsafe { x86_64::run_avx2(work) };
        }
        self.run_other(work)
    }

    /// The same where it is neither of the versions that most machines have: apart, so that where one calls [`run`](Self::run) there is
    /// little code, and who gives on what comes of it can be left at once.
    #[inline(never)]
    fn run_other<W: Work>(self, work: W) -> Option<W::Output> {
        match self {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Self::NOT_ASKED => x86_64::ask().run(work),
            _ if !W::ANY && work.text().len() < LEAST => None,
            #[cfg(target_arch = "x86_64")]
            // SAFETY: by the invariant.
            Self::SSSE3 => unsafe { x86_64::run_ssse3(work) },
            #[cfg(target_arch = "x86_64")]
            Self::SSE2 => x86_64::run_sse2(work),
            #[cfg(all(test, feature = "alloc"))]
            Self::PORTABLE => work.run(portable::Portable),
            _ => None,
        }
    }
}
