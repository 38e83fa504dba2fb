//! Registers of 16 bytes with SSSE3, for processors without AVX2.
//!
//! A block is four registers, as for other targets with registers of 16 bytes ([`quad`]). SSE2,
//! which every x86-64 has, cannot shuffle bytes, which sets of characters require.
//!
//! [`quad`]: super::super::quad

use super::super::quad::block::{self, Register};
use super::super::{BLOCK, Nibbles, Work, compress};
use super::splat_16;
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_adds_epu8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8,
    _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
    _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16,
    _mm_storeu_si128,
};

/// Runs `work`. Returns `None` if the input is empty and the work needs at least one byte.
#[target_feature(enable = "ssse3")]
pub(in super::super) fn run_ssse3<W: Work>(work: W) -> Option<W::Output> {
    block::run::<Bytes16, W>(work)
}

/// A register of 16 bytes.
///
/// INVARIANT: only [`run_ssse3`] uses this type, so the processor supports SSSE3.
#[derive(Clone, Copy)]
struct Bytes16(__m128i);

const INDICES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// The values 1, 2, 4 and so on to 128 for the nibbles 0 to 7, and 0 for 8 and more.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Register for Bytes16 {
    #[inline(always)]
    fn read(block: &[u8; BLOCK]) -> [Self; 4] {
        match block.as_chunks().0 {
            [one, two, three, four] => [one, two, three, four].map(Self::load),
            _ => [Self(splat_16(0)); 4],
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
            unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast::<__m128i>(), register.0) };
        }
    }

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array is 16 bytes long, and 16 bytes are loaded. The load needs no alignment.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>()) })
    }

    #[inline(always)]
    fn from_halves(low: u64, high: u64) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) })
    }

    #[inline(always)]
    fn shift(self, count: u8) -> Self {
        // SAFETY: the processor supports SSSE3, by the type's invariant.
        unsafe {
            // An index of 128 or more gives 0. The second addition stops at 255.
            let from = _mm_add_epi8(Self::load(&INDICES).0, splat_16(count));
            Self(_mm_shuffle_epi8(self.0, _mm_adds_epu8(from, splat_16(112))))
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_cmpeq_epi8(self.0, splat_16(byte)) })
    }

    #[inline(always)]
    fn is_member(self, set: &Nibbles) -> Self {
        // SAFETY: the processor supports SSSE3, by the type's invariant.
        unsafe {
            let high = _mm_and_si128(_mm_srli_epi16::<4>(self.0), splat_16(15));
            let bit = _mm_shuffle_epi8(Self::load(&BITS).0, high);
            // The shuffle gives 0 for bytes of 128 and more.
            let row = _mm_shuffle_epi8(Self::load(set.rows()).0, self.0);
            // The bit is 0 for these bytes too, which are not members.
            let is = _mm_cmpeq_epi8(_mm_and_si128(row, bit), bit);
            Self(_mm_andnot_si128(
                _mm_cmpeq_epi8(bit, _mm_setzero_si128()),
                is,
            ))
        }
    }

    #[inline(always)]
    fn mask(registers: [Self; 4]) -> u64 {
        // SAFETY: every x86-64 has SSE2.
        let [one, two, three, four] =
            registers.map(|register| unsafe { _mm_movemask_epi8(register.0) }.cast_unsigned());
        let (low, high) = (one | two << 16, three | four << 16);
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn select(self, there: Self, elsewhere: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let there = _mm_and_si128(self.0, there.0);
            _mm_or_si128(there, _mm_andnot_si128(self.0, elsewhere.0))
        })
    }

    #[inline(always)]
    fn octets(first: Self, second: Self) -> Self {
        // SAFETY: as above. The digits are below 16, so no bit moves to another byte.
        let high = Self(unsafe { _mm_slli_epi16::<4>(first.digits()) });
        high.or(Self(second.digits()))
    }

    #[inline(always)]
    fn compress(bytes: u64, mask: u8) -> u64 {
        let from = compress::indices(mask);
        // SAFETY: the processor supports SSSE3, by the type's invariant.
        unsafe {
            let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
            let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
        }
    }
}

impl Bytes16 {
    /// Returns the values of hexadecimal digits. Other bytes become an unspecified value below 16.
    #[inline(always)]
    fn digits(self) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            // The low nibble of a digit is its value; that of a letter is nine less than its value.
            // Among hexadecimal digits, only letters have bit 6 set.
            let letter = _mm_and_si128(_mm_srli_epi16::<6>(self.0), splat_16(1));
            let nine = _mm_add_epi8(letter, _mm_slli_epi16::<3>(letter));
            _mm_and_si128(_mm_add_epi8(self.0, nine), splat_16(15))
        }
    }
}
