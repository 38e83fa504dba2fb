//! Registers of 64 bytes with AVX-512: a block is one register, and a comparison returns a mask.
//!
//! The end of the input is loaded with a mask: the processor does not access bytes whose bits are
//! not set, and reads them as zeros. Therefore, no input is too short, and inputs of all lengths
//! take the same path through the code.

use super::super::scanner::{Escapes, OutBuffer, Rest, Sealed};
use super::super::{BLOCK, Block, Lengths, Nibbles, Scanner, Work};
use super::{nth_bit, prefetch, splat_64};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi8, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_cmpeq_epi8_mask, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_mov_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_set4_epi32, _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16,
    _mm512_storeu_si512, _mm512_test_epi8_mask,
};

/// Runs `work`. Returns `None` if the input is empty and the work needs at least one byte.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn run_avx512<W: Work>(work: W) -> Option<W::Output> {
    let is_for_input = match W::LENGTHS {
        Lengths::Any => true,
        Lengths::Register | Lengths::Wide => !work.text().is_empty(),
        // AVX-512 never runs narrow tasks, and this code must not be compiled for them.
        Lengths::Narrow => false,
    };
    if !is_for_input {
        return None;
    }
    // SAFETY: this function is compiled for AVX-512 and the other features, so it is called only on
    // processors that support them.
    let avx512 = unsafe { Avx512::new() };
    work.run(avx512)
}

/// See [`Scanner::read_rest`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn read_rest<R: Rest>(text: &[u8], first: R::Output) -> Option<R::Output> {
    // SAFETY: as above.
    let avx512 = unsafe { Avx512::new() };
    R::read(avx512, text, first)
}

// These are separate functions, so that a debug build calls them and does not contain a copy at
// each call.

/// Returns the bytes equal to `byte`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn equal(bytes: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, splat_64(byte))
}

/// Returns the bytes in the set with these [rows](Nibbles::rows).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn members(bytes: __m512i, rows: &[u8; 16]) -> u64 {
    // SAFETY: the rows are 16 bytes long, and 16 bytes are loaded.
    let rows = unsafe { _mm_loadu_si128(rows.as_ptr().cast::<__m128i>()) };
    let rows = _mm512_broadcast_i32x4(rows);
    // The values 1, 2, 4 and so on up to 128 for the nibbles 0 to 7, and 0 for 8 or more.
    let bits = _mm512_set4_epi32(0, 0, 0x8040_2010_u32.cast_signed(), 0x0804_0201);
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), splat_64(15));
    let bit = _mm512_shuffle_epi8(bits, high);
    // The shuffle gives 0 for bytes of 128 or more.
    let row = _mm512_shuffle_epi8(rows, bytes);
    _mm512_test_epi8_mask(row, bit)
}

/// The token for AVX-512 and BMI2.
///
/// INVARIANT: the processor supports AVX-512 F, BW, VL and VBMI2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
struct Avx512(());

impl Avx512 {
    /// # Safety
    ///
    /// The processor must support AVX-512 F, BW, VL and VBMI2, BMI1, BMI2, LZCNT and POPCNT.
    #[inline(always)]
    const unsafe fn new() -> Self {
        Self(())
    }
}

/// A register of 64 bytes.
///
/// INVARIANT: the register was created with an [`Avx512`], so the processor supports AVX-512. Bytes
/// past the end of the input are zero.
#[derive(Clone, Copy)]
struct Bytes64 {
    bytes: __m512i,
    /// The bytes within the input.
    within: u64,
}

impl Bytes64 {
    /// Returns the bytes that begin at `start`, at most one block.
    #[inline(always)]
    fn read(_: Avx512, text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let within = match rest.len() {
            0 => 0,
            length => u64::MAX >> (BLOCK - length.min(BLOCK)),
        };
        // SAFETY: the token proves that the processor supports AVX-512. Only bytes whose bits in
        // `within` are set are accessed, and `within` has at most `rest.len()` bits, the lowest
        // ones.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(within, rest.as_ptr().cast::<i8>()) };
        Self { bytes, within }
    }

    /// Returns the values of hexadecimal digits. Other bytes become an unspecified value below 16.
    #[inline(always)]
    fn digits(self) -> __m512i {
        // SAFETY: the processor supports AVX-512, by the type's invariant.
        unsafe {
            let fifteen = splat_64(15);
            let half = _mm512_and_si512(_mm512_srli_epi16::<4>(self.bytes), fifteen);
            // The low nibble of a digit is its value; that of a letter is nine less than its value.
            // The high nibble of a letter is 4 or 6.
            let nines = _mm512_set4_epi32(0, 0, 0x0009_0009, 0);
            let digit = _mm512_add_epi8(self.bytes, _mm512_shuffle_epi8(nines, half));
            _mm512_and_si512(digit, fifteen)
        }
    }
}

impl Sealed for Bytes64 {}

impl Block for Bytes64 {
    const PREFIX_LEN: usize = BLOCK;

    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        // SAFETY: the processor supports AVX-512, by the type's invariant.
        let is = unsafe { equal(self.bytes, byte) };
        // Bytes past the end of the input are zero.
        if byte == 0 { is & self.within } else { is }
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u64 {
        self.is(one) | self.is(other)
    }

    #[inline(always)]
    fn are_all(self, set: &Nibbles) -> bool {
        self.members(set) == self.within
    }

    #[inline(always)]
    fn prefix(self) -> Self {
        self
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u64 {
        // SAFETY: as above.
        let members = unsafe { members(self.bytes, set.rows()) };
        // Bytes past the end of the input are zero, as in `is`. No set of a grammar contains the
        // byte 0, so the compiler removes this branch.
        if set.has_zero() {
            members & self.within
        } else {
            members
        }
    }
}

impl Sealed for Avx512 {}

impl Scanner for Avx512 {
    type Block = Bytes64;
    const FOR_SPEED: bool = true;

    #[inline(always)]
    fn first(self, text: &[u8]) -> Bytes64 {
        Bytes64::read(self, text, 0)
    }

    #[inline(always)]
    fn any(self, text: &[u8]) -> Self::Block {
        Bytes64::read(self, text, 0)
    }

    #[inline(always)]
    fn nth(self, mask: u64, below: u32) -> u32 {
        // SAFETY: the token proves that the processor supports BMI2.
        unsafe { nth_bit(mask, below) }
    }

    #[inline(always)]
    fn later(self, text: &[u8], start: usize) -> Bytes64 {
        Bytes64::read(self, text, start)
    }

    #[inline(always)]
    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        assert!(text.len() > BLOCK && start < text.len() - BLOCK);
        // SAFETY: the token proves that the processor supports AVX-512. The last of these loads
        // ends at `start + BLOCK + 1`, which the assertion limits to the length of the text.
        unsafe {
            let [block, next] = [0, 1].map(|offset| {
                _mm512_loadu_si512(text.as_ptr().add(start + offset).cast::<__m512i>())
            });
            let is = _mm512_cmpeq_epi8_mask(block, splat_64(byte));
            is & _mm512_cmpneq_epi8_mask(next, splat_64(not))
        }
    }

    #[inline(always)]
    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool {
        let [block, one, two] = [0, 1, 2].map(|next| Bytes64::read(self, text, start + next));
        let (high, low) = (one.digits(), two.digits());
        // SAFETY: the token proves that the processor supports AVX-512 with VBMI2. `out` has room
        // for the 64 bytes that are stored.
        unsafe {
            let octets = _mm512_or_si512(_mm512_slli_epi16::<4>(high), low);
            let mut bytes = _mm512_mask_mov_epi8(block.bytes, escapes.percent, octets);
            if escapes.plus {
                let space = splat_64(b' ');
                bytes = _mm512_mask_mov_epi8(bytes, block.is(b'+'), space);
            }
            let kept = _mm512_maskz_compress_epi8(escapes.kept, bytes);
            _mm512_storeu_si512(out.as_mut_ptr().cast::<__m512i>(), kept);
            _mm512_movepi8_mask(octets) & escapes.percent != 0
        }
    }

    #[inline(always)]
    fn read_rest<R: Rest>(self, text: &[u8], first: R::Output) -> Option<R::Output> {
        // SAFETY: the token proves that the processor supports these features.
        unsafe { read_rest::<R>(text, first) }
    }

    #[inline(always)]
    fn prefetch(self, text: &[u8], at: usize) {
        prefetch(text, at);
    }
}
