//! WebAssembly's `simd128`.
//!
//! A target has these instructions only if it is compiled for them (`-C target-feature=+simd128`):
//! a module with instructions that the host lacks does not load at all.

use super::super::{BLOCK, Nibbles, Work, compress};
use super::block::{self, Register};
use core::arch::wasm32::{
    i8x16_add, i8x16_bitmask, i8x16_eq, i8x16_ne, i8x16_shl, i8x16_swizzle, u8x16_shr, u8x16_splat,
    u64x2, u64x2_extract_lane, v128, v128_and, v128_bitselect, v128_load, v128_or, v128_store,
};

pub(super) const NAME: Option<&str> = Some("simd128");

#[inline(always)]
pub(super) fn run<W: Work>(work: W) -> Option<W::Output> {
    block::run::<Simd128, W>(work)
}

/// A register of 16 bytes.
#[derive(Clone, Copy)]
struct Simd128(v128);

const INDICES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Maps the nibbles 0 to 7 to 1, 2, 4 and so on up to 128, and the other nibbles to 0.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Register for Simd128 {
    #[inline(always)]
    fn read(block: &[u8; BLOCK]) -> [Self; 4] {
        let zero = Self(u8x16_splat(0));
        match block.as_chunks().0 {
            [one, two, three, four] => [one, two, three, four].map(Self::load),
            _ => [zero; 4],
        }
    }

    #[inline(always)]
    fn arrange(ordered: [Self; 4]) -> [Self; 4] {
        ordered
    }

    #[inline(always)]
    fn write(registers: [Self; 4], block: &mut [u8; BLOCK]) {
        for (register, bytes) in registers.iter().zip(block.as_chunks_mut::<16>().0) {
            // SAFETY: the array is 16 bytes long, and 16 bytes are stored. The store needs no
            // alignment.
            unsafe { v128_store(bytes.as_mut_ptr().cast::<v128>(), register.0) };
        }
    }

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array is 16 bytes long, and 16 bytes are loaded. The load needs no alignment.
        Self(unsafe { v128_load(bytes.as_ptr().cast::<v128>()) })
    }

    #[inline(always)]
    fn from_halves(low: u64, high: u64) -> Self {
        Self(u64x2(low, high))
    }

    #[inline(always)]
    fn shift(self, count: u8) -> Self {
        let from = i8x16_add(Self::load(&INDICES).0, u8x16_splat(count));
        // An index of 16 or more gives 0.
        Self(i8x16_swizzle(self.0, from))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        Self(i8x16_eq(self.0, u8x16_splat(byte)))
    }

    #[inline(always)]
    fn is_member(self, set: &Nibbles) -> Self {
        let low = v128_and(self.0, u8x16_splat(15));
        let row = i8x16_swizzle(Self::load(set.rows()).0, low);
        let bit = i8x16_swizzle(Self::load(&BITS).0, u8x16_shr(self.0, 4));
        Self(i8x16_ne(v128_and(row, bit), u8x16_splat(0)))
    }

    #[inline(always)]
    fn mask(registers: [Self; 4]) -> u64 {
        let [one, two, three, four] = registers.map(|register| i8x16_bitmask(register.0));
        let (low, high) = (
            u32::from(one) | u32::from(two) << 16,
            u32::from(three) | u32::from(four) << 16,
        );
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn select(self, there: Self, elsewhere: Self) -> Self {
        Self(v128_bitselect(there.0, elsewhere.0, self.0))
    }

    #[inline(always)]
    fn octets(first: Self, second: Self) -> Self {
        Self(v128_or(i8x16_shl(first.digits(), 4), second.digits()))
    }

    #[inline(always)]
    fn compress(bytes: u64, mask: u8) -> u64 {
        let from = u64::from_le_bytes(compress::indices(mask));
        // An index of 16 or more gives 0.
        let bytes = i8x16_swizzle(u64x2(bytes, 0), u64x2(from, 0));
        u64x2_extract_lane::<0>(bytes)
    }
}

impl Simd128 {
    /// Returns the values of hexadecimal digits. Other bytes become an unspecified value below 16.
    #[inline(always)]
    fn digits(self) -> v128 {
        // The low nibble of a digit is its value; that of a letter is nine less than its value.
        // Among hexadecimal digits, only letters have bit 6 set.
        let letter = v128_and(u8x16_shr(self.0, 6), u8x16_splat(1));
        let nine = i8x16_add(letter, i8x16_shl(letter, 3));
        v128_and(i8x16_add(self.0, nine), u8x16_splat(15))
    }
}
