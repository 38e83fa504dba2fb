//! Registers of 16 bytes on every x86-64. SSE2 has no shuffle for bytes, so sets are compared
//! range by range.

use super::super::{Nibbles, Work};
use super::bytes16::{Instructions, compress_indices, run};
use super::splat_16;
use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_setzero_si128, _mm_sub_epi8, _mm_subs_epu8,
};

/// Does `work`. `None` if the input is shorter than a register and the work requires one.
pub(in super::super) fn run_sse2<W: Work>(work: W) -> Option<W::Output> {
    run(Sse2, work)
}

/// The token for SSE2, which every x86-64 has.
#[derive(Clone, Copy)]
struct Sse2;

impl Instructions for Sse2 {
    #[inline(always)]
    fn non_members(self, bytes: __m128i, set: &Nibbles) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let zero = _mm_setzero_si128();
            // How far each byte is after the nearest range before it, modulo 256; 0 if it is in a
            // range. For one range: `byte - first`, less `span`, where the second subtraction
            // stops at 0.
            let mut distance = splat_16(0xFF);
            for (first, span) in set.ranges() {
                let from = _mm_sub_epi8(bytes, splat_16(first));
                let past = _mm_subs_epu8(from, splat_16(span));
                distance = _mm_min_epu8(distance, past);
            }
            _mm_cmpeq_epi8(_mm_cmpeq_epi8(distance, zero), zero)
        }
    }

    #[inline(always)]
    fn compress(self, bytes: u64, mask: u8) -> u64 {
        if mask == u8::MAX {
            return bytes;
        }
        let from = compress_indices(mask);
        u64::from_le_bytes(from.map(|from| (bytes >> (8 * u32::from(from & 7))).to_le_bytes()[0]))
    }
}
