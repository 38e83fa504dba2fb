//! Sixty-four bytes at a step: a block is one register, and a mask is what a comparison gives.
//!
//! A text's last bytes, and all of one that is shorter than a block, are read by a mask: the processor reads no byte whose bit is
//! not set, and has zeros in their places. So no text is too short, and there is one way through the code for all lengths.

use super::super::{BLOCK, Block, Escapes, Nibbles, Place, Scanner, Work};
use super::{fetch, nth_bit};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi8, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_cmpeq_epi8_mask, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_mov_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_set1_epi8, _mm512_set4_epi32, _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16,
    _mm512_storeu_si512, _mm512_test_epi8_mask,
};

/// Does `work`; `None` where there is no text and it needs some.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn run_avx512<W: Work>(work: W) -> Option<W::Output> {
    if !W::ANY && work.text().is_empty() {
        return None;
    }
    // SAFETY: this function is compiled for AVX-512, so that it is called where the processor has it.
    let avx512 = unsafe { Avx512::new() };
    work.run(avx512)
}

/// A processor that has AVX-512.
#[derive(Clone, Copy)]
struct Avx512(());

impl Avx512 {
    /// # Safety
    ///
    /// The processor must have AVX-512 F, BW, VL and VBMI2.
    #[inline(always)]
    const unsafe fn new() -> Self {
        Self(())
    }
}

/// Sixty-four bytes. INVARIANT: whoever made it had an `Avx512`; a byte that is not there is zero.
#[derive(Clone, Copy)]
struct SixtyFour {
    bytes: __m512i,
    /// The bytes that are there.
    there: u64,
}

impl SixtyFour {
    /// The bytes from `start` on, up to a block.
    #[inline(always)]
    fn read(_: Avx512, text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let there = match rest.len() {
            0 => 0,
            length => u64::MAX >> (BLOCK - length.min(BLOCK)),
        };
        // SAFETY: the processor has AVX-512; of the bytes from the beginning of `rest` on, those are read that `there` has a
        // bit for, which are no more than `rest` has.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast::<i8>()) };
        Self { bytes, there }
    }

    /// The values of hexadecimal digits, and for other bytes any value below sixteen.
    #[inline(always)]
    fn digits(self) -> __m512i {
        // SAFETY: the processor has AVX-512, by the type's invariant.
        unsafe {
            let fifteen = _mm512_set1_epi8(15);
            let half = _mm512_and_si512(_mm512_srli_epi16::<4>(self.bytes), fifteen);
            // For letters, whose high half is 4 or 6.
            let nines = _mm512_set4_epi32(0, 0, 0x0009_0009, 0);
            let digit = _mm512_add_epi8(self.bytes, _mm512_shuffle_epi8(nines, half));
            _mm512_and_si512(digit, fifteen)
        }
    }
}

impl Block for SixtyFour {
    const BEGINNING: usize = BLOCK;

    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        // SAFETY: the processor has AVX-512, by the type's invariant.
        let is =
            unsafe { _mm512_cmpeq_epi8_mask(self.bytes, _mm512_set1_epi8(byte.cast_signed())) };
        // What is not there is the byte 0.
        if byte == 0 { is & self.there } else { is }
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u64 {
        self.is(one) | self.is(other)
    }

    #[inline(always)]
    fn are_all(self, set: &Nibbles) -> bool {
        self.members(set) == self.there
    }

    #[inline(always)]
    fn beginning(self) -> Self {
        self
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u64 {
        // SAFETY: as above; what is loaded is an array of sixteen bytes.
        let members = unsafe {
            let rows = _mm_loadu_si128(set.rows().as_ptr().cast::<__m128i>());
            let rows = _mm512_broadcast_i32x4(rows);
            // 1, 2, 4 to 128 for the halves 0 to 7, and nothing from 8 on.
            let bits = _mm512_set4_epi32(0, 0, 0x8040_2010_u32.cast_signed(), 0x0804_0201);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.bytes), _mm512_set1_epi8(15));
            let bit = _mm512_shuffle_epi8(bits, high);
            // A byte of 128 or more finds no row.
            let row = _mm512_shuffle_epi8(rows, self.bytes);
            _mm512_test_epi8_mask(row, bit)
        };
        // As in `is`; no set of a grammar has the byte 0, which the compiler sees.
        if set.has_zero() {
            members & self.there
        } else {
            members
        }
    }
}

impl Scanner for Avx512 {
    type Block = SixtyFour;
    const ONE_BLOCK: bool = false;

    #[inline(always)]
    fn first(self, text: &[u8]) -> SixtyFour {
        SixtyFour::read(self, text, 0)
    }

    #[inline(always)]
    fn any(self, text: &[u8]) -> Self::Block {
        SixtyFour::read(self, text, 0)
    }

    #[inline(always)]
    fn nth(self, mask: u64, below: u32) -> u32 {
        // SAFETY: whoever has AVX-512 here has BMI2.
        unsafe { nth_bit(mask, below) }
    }

    #[inline(always)]
    fn later(self, text: &[u8], start: usize) -> SixtyFour {
        SixtyFour::read(self, text, start)
    }

    #[inline(always)]
    fn followed(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        assert!(text.len() > BLOCK && start < text.len() - BLOCK);
        // SAFETY: the last of these reads ends at `start + BLOCK + 1`, which is no more than the text's length; and the processor
        // has AVX-512.
        unsafe {
            let [block, next] = [0, 1].map(|offset| {
                _mm512_loadu_si512(text.as_ptr().add(start + offset).cast::<__m512i>())
            });
            let is = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte.cast_signed()));
            is & _mm512_cmpneq_epi8_mask(next, _mm512_set1_epi8(not.cast_signed()))
        }
    }

    #[inline(always)]
    fn octets(self, text: &[u8], start: usize, escapes: Escapes, place: &mut Place) -> bool {
        let [block, one, two] = [0, 1, 2].map(|next| SixtyFour::read(self, text, start + next));
        let (high, low) = (one.digits(), two.digits());
        // SAFETY: the processor has AVX-512 with VBMI2, and the place has sixty-four bytes.
        unsafe {
            let octets = _mm512_or_si512(_mm512_slli_epi16::<4>(high), low);
            let mut bytes = _mm512_mask_mov_epi8(block.bytes, escapes.percent, octets);
            if escapes.plus {
                let space = _mm512_set1_epi8(b' '.cast_signed());
                bytes = _mm512_mask_mov_epi8(bytes, block.is(b'+'), space);
            }
            let kept = _mm512_maskz_compress_epi8(escapes.kept, bytes);
            _mm512_storeu_si512(place.as_mut_ptr().cast::<__m512i>(), kept);
            _mm512_movepi8_mask(octets) & escapes.percent != 0
        }
    }

    #[inline(always)]
    fn fetch(self, text: &[u8], at: usize) {
        fetch(text, at);
    }
}
