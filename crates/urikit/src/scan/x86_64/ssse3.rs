//! Registers of 16 bytes with SSSE3, which has a shuffle for bytes: for inputs that are too short
//! for a register of AVX2.

use super::super::Nibbles;
use super::bytes16::{Instructions, compress_indices};
use super::splat_16;
use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadu_si128,
    _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16,
};

/// The token for SSSE3.
///
/// INVARIANT: the processor supports SSSE3.
#[derive(Clone, Copy)]
pub(super) struct Ssse3(());

impl Ssse3 {
    /// # Safety
    ///
    /// The processor must support SSSE3.
    #[inline(always)]
    pub(super) const unsafe fn new() -> Self {
        Self(())
    }
}

impl Instructions for Ssse3 {
    #[inline(always)]
    fn non_members(self, bytes: __m128i, set: &Nibbles) -> __m128i {
        // SAFETY: the processor supports SSSE3, by the invariant. The rows have the 16 bytes that
        // are loaded.
        unsafe {
            let rows = _mm_loadu_si128(set.rows().as_ptr().cast::<__m128i>());
            let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
            let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), splat_16(15));
            let bit = _mm_shuffle_epi8(bits, high);
            // The shuffle gives 0 for bytes of 128 and more.
            let row = _mm_shuffle_epi8(rows, bytes);
            _mm_cmpeq_epi8(_mm_and_si128(row, bit), _mm_setzero_si128())
        }
    }

    #[inline(always)]
    fn compress(self, bytes: u64, mask: u8) -> u64 {
        let from = compress_indices(mask);
        // SAFETY: the processor supports SSSE3, by the invariant.
        unsafe {
            let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
            let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
        }
    }
}
