//! The versions of the scanner for x86-64, and code that reads a block with registers of any width.
//!
//! # Safety
//!
//! - **Instructions**: an instruction that not every x86-64 processor supports is available only
//!   with a *token*, such as [`Avx2`](avx2::Avx2). A token is created only in a function that is
//!   compiled for these instructions, which in turn is called only if the processor supports them.
//! - **Memory**: [`Register::read`] loads a register from a slice and an offset, and each caller
//!   proves that the complete register is within the slice. AVX-512 loads the end of the input with
//!   a mask that has no bits for bytes past it.

#![allow(clippy::cast_ptr_alignment)] // no load here needs alignment

mod avx2;
mod avx512;
mod ssse3;

use super::scanner::{Escapes, OutBuffer, Rest, Sealed};
use super::{BLOCK, Block, Nibbles, Scanner, compress};
pub(super) use avx2::run_avx2;
pub(super) use avx512::run_avx512;
use core::arch::x86_64::{__m128i, __m256i, __m512i, _MM_HINT_T0, _mm_prefetch, _pdep_u64};
pub(super) use ssse3::run_ssse3;

/// True if the scanner has versions for x86-64.
pub(super) const EXISTS: bool = true;

/// Returns, for each of SSSE3, AVX2 and AVX-512, whether the processor supports it.
#[cfg(feature = "std")]
pub(super) fn detect() -> [bool; 3] {
    use std::arch::is_x86_feature_detected as has;
    let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi2");
    [has!("ssse3"), avx2, avx512]
}

/// Computes [`Scanner::nth`] with one instruction: `PDEP` deposits a single bit at the `below`th
/// set bit of `mask`, counted from 0.
///
/// # Safety
///
/// The processor must have BMI2.
#[inline(always)]
unsafe fn nth_bit(mask: u64, below: u32) -> u32 {
    let nth = 1_u64.checked_shl(below).unwrap_or(0);
    // SAFETY: by this function's contract, the processor supports BMI2.
    unsafe { _pdep_u64(nth, mask) }.trailing_zeros()
}

/// Returns a register in which each byte is `byte`.
///
/// This function replaces the intrinsics `_mm_set1_epi8` and so on. In a debug build, each
/// intrinsic becomes one instruction for each byte of the register, and these instructions made up
/// most of the compiled code.
#[inline(always)]
const fn splat_16(byte: u8) -> __m128i {
    // SAFETY: all bit patterns are valid for both types, which are 16 bytes long.
    unsafe { core::mem::transmute([byte; 16]) }
}

/// Does the same as [`splat_16`] for a register of 32 bytes.
#[inline(always)]
const fn splat_32(byte: u8) -> __m256i {
    // SAFETY: all bit patterns are valid for both types, which are 32 bytes long.
    unsafe { core::mem::transmute([byte; 32]) }
}

/// Does the same as [`splat_16`] for a register of 64 bytes.
#[inline(always)]
const fn splat_64(byte: u8) -> __m512i {
    // SAFETY: all bit patterns are valid for both types, which are 64 bytes long.
    unsafe { core::mem::transmute([byte; 64]) }
}

/// Asks the processor to load the bytes at `at` into its cache.
#[inline(always)]
fn prefetch(text: &[u8], at: usize) {
    let address = text.as_ptr().wrapping_add(at).cast::<i8>();
    // SAFETY: every x86-64 processor has this instruction. It never faults and changes no memory,
    // whatever the address is.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
}

/// A SIMD register, or two registers used as one: at most 32 bytes. In each mask, bit `i` describes
/// byte `i`.
trait Register: Copy {
    /// The number of bytes.
    const WIDTH: usize;
    /// See [`Scanner::FOR_SPEED`].
    const FOR_SPEED: bool = true;
    /// A token that proves that the processor supports the instructions.
    type Token: Copy;

    /// Loads the bytes that begin at `at`.
    ///
    /// # Safety
    ///
    /// `at + WIDTH` must not be more than the length of `text`.
    unsafe fn read(token: Self::Token, text: &[u8], at: usize) -> Self;
    /// Returns sixteen bytes, followed by zeros.
    fn from_16(token: Self::Token, bytes: &[u8; 16]) -> Self;
    /// Returns a register with these eight bytes, followed by zeros.
    fn from_8(token: Self::Token, bytes: u64) -> Self;
    /// See [`Scanner::read_rest`].
    fn read_rest<A: Rest>(token: Self::Token, text: &[u8], first: A::Output) -> Option<A::Output>;
    /// See [`Scanner::nth`].
    fn nth(mask: u64, below: u32) -> u32;
    /// Returns the bytes equal to `byte`.
    fn is(self, byte: u8) -> u32;
    /// Returns the bytes equal to either byte.
    fn is_either(self, one: u8, other: u8) -> u32;
    /// Returns the bytes equal to `byte` for which the byte of `other` at the same index differs
    /// from `not`.
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32;
    /// Returns 0xFF for each byte that is not in the set, and 0 for each member.
    fn non_members(self, set: &Nibbles) -> Self;
    /// Selects the bytes, out of eight, whose bits in `mask` are set, and packs them at the low
    /// end.
    fn compress(token: Self::Token, bytes: u64, mask: u8) -> u64;
    /// Returns true if both registers are 0. Both arguments must be results of
    /// [`non_members`](Self::non_members).
    fn are_zero(self, other: Self) -> bool;
    /// Returns a mask of the bytes that are in the set.
    fn members(self, set: &Nibbles) -> u32;
    /// Writes the bytes to `out`, beginning at `at`. Replaces each `%` with the octet of its
    /// escape, whose digits are at the same index in `one` and `two`, and each `+` with a space if
    /// `plus` is true. Returns whether any escape decodes to a non-ASCII octet.
    fn unescape_block(
        self,
        one: Self,
        two: Self,
        plus: bool,
        out: &mut [u8; BLOCK],
        at: usize,
    ) -> bool;
}

/// The length of a block and the two bytes after it.
const WINDOW: usize = BLOCK + 2;

/// A block in two registers. The second register may overlap the first, and both may begin before
/// the block.
#[derive(Clone, Copy)]
struct Pair<R> {
    low: R,
    high: R,
    /// The offset of the second register from the first.
    high_at: u32,
    /// The number of bytes in the registers that precede the block.
    before: u32,
    /// The bytes of each register that are part of the input. The others are zeros.
    loaded: u32,
}

/// Joins the masks of two registers into the mask of a block; see [`Pair`] for the arguments.
#[inline]
const fn join(low: u32, high: u32, high_at: u32, before: u32) -> u64 {
    (low as u64 | (high as u64) << high_at) >> before
}

impl<R: Register> Pair<R> {
    /// Returns the mask of the block from the masks of its registers. `has_zero` is true if the
    /// masks may match the byte 0. It is usually constant, so the compiler removes the branch.
    #[inline(always)]
    fn mask(self, low: u32, high: u32, has_zero: bool) -> u64 {
        let loaded = if has_zero { self.loaded } else { u32::MAX };
        join(low & loaded, high & loaded, self.high_at, self.before)
    }
}

impl<R: Register> Sealed for Pair<R> {}

impl<R: Register> Block for Pair<R> {
    const PREFIX_LEN: usize = R::WIDTH;

    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        self.mask(self.low.is(byte), self.high.is(byte), byte == 0)
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u64 {
        self.mask(
            self.low.is_either(one, other),
            self.high.is_either(one, other),
            one == 0 || other == 0,
        )
    }

    #[inline(always)]
    fn are_all(self, set: &Nibbles) -> bool {
        self.low
            .non_members(set)
            .are_zero(self.high.non_members(set))
    }

    #[inline(always)]
    fn prefix(self) -> Self {
        Self {
            low: self.low,
            high: self.low,
            high_at: 0,
            before: 0,
            loaded: self.loaded,
        }
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u64 {
        let (low, high) = (self.low.members(set), self.high.members(set));
        self.mask(low, high, set.has_zero())
    }
}

/// The scanner for registers of one kind. It reads inputs of at least one register, and shorter
/// inputs with [`Scanner::any`].
#[derive(Clone, Copy)]
struct BlockReader<R: Register> {
    token: R::Token,
}

impl<R: Register> BlockReader<R> {
    #[inline(always)]
    const fn new(token: R::Token) -> Self {
        Self { token }
    }

    /// Loads a block into two registers, the first at offset `low` and the second at `high`. The
    /// block begins `before` bytes after `low`.
    ///
    /// # Safety
    ///
    /// `low <= high` must hold, and `high + WIDTH` must not be more than the length of `text`.
    #[inline(always)]
    unsafe fn pair(self, text: &[u8], low: usize, high: usize, before: usize) -> Pair<R> {
        debug_assert!(low <= high && high + R::WIDTH <= text.len() && before < BLOCK);
        #[allow(clippy::cast_possible_truncation)] // both are below 64
        let (high_at, before) = ((high - low) as u32, before as u32);
        // SAFETY: by this function's contract, both registers end within the text.
        let (low, high) = unsafe {
            (
                R::read(self.token, text, low),
                R::read(self.token, text, high),
            )
        };
        Pair {
            low,
            high,
            high_at,
            before,
            loaded: u32::MAX,
        }
    }

    /// Returns the block of an input of up to 32 bytes that begins with the `width` bytes of `low`
    /// and ends with those of `high`. Zeros follow in both registers.
    #[inline(always)]
    fn short(text: &[u8], low: R, high: R, width: usize) -> Pair<R> {
        Pair {
            low,
            high,
            #[allow(clippy::cast_possible_truncation)] // below 32
            high_at: (text.len() - width) as u32,
            before: 0,
            loaded: !(u32::MAX << width),
        }
    }
}

impl<R: Register> Sealed for BlockReader<R> {}

impl<R: Register> Scanner for BlockReader<R> {
    type Block = Pair<R>;
    const FOR_SPEED: bool = R::FOR_SPEED;
    #[inline(always)]
    fn first(self, text: &[u8]) -> Pair<R> {
        let end = text.len().min(2 * R::WIDTH);
        assert!(end >= R::WIDTH);
        // SAFETY: `WIDTH <= end <= text.len()`, so both registers end within the text.
        unsafe { self.pair(text, 0, end - R::WIDTH, 0) }
    }

    #[inline(always)]
    fn first_or_narrow(self, text: &[u8]) -> Pair<R> {
        if text.len() >= R::WIDTH {
            return self.first(text);
        }
        assert!(text.len() >= 16);
        let from_16 = |bytes: Option<&[u8; 16]>| R::from_16(self.token, bytes.unwrap_or(&[0; 16]));
        let (low, high) = (from_16(text.first_chunk()), from_16(text.last_chunk()));
        Self::short(text, low, high, 16)
    }

    #[inline(always)]
    fn any(self, text: &[u8]) -> Pair<R> {
        let two = |low: R, high: R, width: usize| Self::short(text, low, high, width);
        let from_8 = |bytes: u64| R::from_8(self.token, bytes);
        if text.len() >= R::WIDTH {
            self.first(text)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<16>(), text.last_chunk()) {
            let from_16 = |bytes| R::from_16(self.token, bytes);
            two(from_16(low), from_16(high), 16)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<8>(), text.last_chunk()) {
            let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
            two(from_8(low), from_8(high), 8)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<4>(), text.last_chunk()) {
            let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
            two(from_8(low.into()), from_8(high.into()), 4)
        } else {
            let bytes = text.iter().rev();
            let bytes = bytes.fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
            two(from_8(bytes), from_8(0), text.len())
        }
    }

    #[inline(always)]
    fn nth(self, mask: u64, below: u32) -> u32 {
        R::nth(mask, below)
    }

    #[inline(always)]
    fn later(self, text: &[u8], start: usize) -> Pair<R> {
        assert!(2 * R::WIDTH == BLOCK && text.len() >= BLOCK && start < text.len());
        // For the last block, the last 64 bytes of the input are read.
        let low = start.min(text.len() - BLOCK);
        // SAFETY: `low + BLOCK <= text.len()`, and a block is two registers.
        unsafe { self.pair(text, low, low + R::WIDTH, start - low) }
    }

    #[inline(always)]
    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        assert!(2 * R::WIDTH == BLOCK && text.len() > BLOCK && start < text.len() - BLOCK);
        // SAFETY: the last of these loads ends at `start + BLOCK + 1`, which the assertion limits
        // to the length of the text.
        let [low, low_next, high, high_next] = unsafe {
            [0, 1, R::WIDTH, R::WIDTH + 1].map(|offset| R::read(self.token, text, start + offset))
        };
        let low = low.is_and_not(byte, low_next, not);
        let high = high.is_and_not(byte, high_next, not);
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool {
        let rest = text.get(start..).unwrap_or_default();
        // If the rest of the input is shorter, it is copied to an array of the full length.
        let mut longer = [0; WINDOW];
        let window = if let Some(window) = rest.first_chunk::<WINDOW>() {
            window
        } else {
            for (copy, byte) in longer.iter_mut().zip(rest) {
                *copy = *byte;
            }
            &longer
        };
        let mut octets = [0; BLOCK];
        let mut has_non_ascii = false;
        for at in (0..BLOCK).step_by(R::WIDTH) {
            // SAFETY: `at + WIDTH <= BLOCK`, as `WIDTH` divides `BLOCK`, and the window has two
            // more bytes.
            let [bytes, one, two] =
                [0, 1, 2].map(|next| unsafe { R::read(self.token, window, at + next) });
            has_non_ascii |= bytes.unescape_block(one, two, escapes.plus, &mut octets, at);
        }
        let compress = |eight, mask| R::compress(self.token, eight, mask);
        compress::block(&octets, escapes.kept, out, compress);
        has_non_ascii
    }

    #[inline(always)]
    fn read_rest<A: Rest>(self, text: &[u8], first: A::Output) -> Option<A::Output> {
        R::read_rest::<A>(self.token, text, first)
    }

    #[inline(always)]
    fn prefetch(self, text: &[u8], at: usize) {
        prefetch(text, at);
    }
}
