//! Sixteen bytes at a step, by what every x86-64 has: a set of characters is found range by range.

use super::super::{Nibbles, Work};
use super::sixteen::{Version, run, sources};
use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_set1_epi8, _mm_setzero_si128, _mm_sub_epi8,
    _mm_subs_epu8,
};

/// Does `work`; `None` where the text is shorter than a register and it needs one.
pub(in super::super) fn run_sse2<W: Work>(work: W) -> Option<W::Output> {
    run(Sse2, work)
}

/// Any x86-64.
#[derive(Clone, Copy)]
struct Sse2;

impl Version for Sse2 {
    #[inline(always)]
    fn absent(self, bytes: __m128i, set: &Nibbles) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let zero = _mm_setzero_si128();
            // How far each byte lies behind the nearest range, going round: nothing where one has it.
            let mut behind = _mm_set1_epi8(-1);
            for (first, span) in set.ranges() {
                let from = _mm_sub_epi8(bytes, _mm_set1_epi8(first.cast_signed()));
                let beyond = _mm_subs_epu8(from, _mm_set1_epi8(span.cast_signed()));
                behind = _mm_min_epu8(behind, beyond);
            }
            _mm_cmpeq_epi8(_mm_cmpeq_epi8(behind, zero), zero)
        }
    }

    #[inline(always)]
    fn compact(self, bytes: u64, mask: u8) -> u64 {
        if mask == u8::MAX {
            return bytes;
        }
        let from = sources(mask);
        u64::from_le_bytes(from.map(|from| (bytes >> (8 * u32::from(from & 7))).to_le_bytes()[0]))
    }
}
