//! Sixteen bytes at a step, with shuffles.

use super::super::{Nibbles, Work};
use super::sixteen::{Version, run, sources};
use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadu_si128,
    _mm_set1_epi8, _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16,
};

/// Does `work`; `None` where the text is shorter than a register and it needs one.
#[target_feature(enable = "ssse3")]
pub(in super::super) fn run_ssse3<W: Work>(work: W) -> Option<W::Output> {
    // SAFETY: this function is compiled for SSSE3, so that it is called where the processor has it.
    run(unsafe { Ssse3::new() }, work)
}

/// A processor that has SSSE3.
#[derive(Clone, Copy)]
pub(super) struct Ssse3(());

impl Ssse3 {
    /// # Safety
    ///
    /// The processor must have SSSE3.
    #[inline(always)]
    pub(super) const unsafe fn new() -> Self {
        Self(())
    }
}

impl Version for Ssse3 {
    #[inline(always)]
    fn absent(self, bytes: __m128i, set: &Nibbles) -> __m128i {
        // SAFETY: the processor has SSSE3, as the value says; what is loaded is an array of sixteen bytes.
        unsafe {
            let rows = _mm_loadu_si128(set.rows().as_ptr().cast::<__m128i>());
            let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
            let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), _mm_set1_epi8(15));
            let bit = _mm_shuffle_epi8(bits, high);
            // A byte of 128 or more finds no row.
            let row = _mm_shuffle_epi8(rows, bytes);
            _mm_cmpeq_epi8(_mm_and_si128(row, bit), _mm_setzero_si128())
        }
    }

    #[inline(always)]
    fn compact(self, bytes: u64, mask: u8) -> u64 {
        let from = sources(mask);
        // SAFETY: the processor has SSSE3, as the value says.
        unsafe {
            let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
            let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
        }
    }
}
