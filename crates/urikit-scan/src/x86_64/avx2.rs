//! Registers of 32 bytes with AVX2.

use super::super::scanner::Rest;
use super::super::{BLOCK, Lengths, MIN_LEN, Nibbles, Work, compress};
use super::{BlockReader, Register, nth_bit, splat_32};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_setr_epi8,
    _mm_shuffle_epi8, _mm256_add_epi8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_srli_epi16, _mm256_storeu_si256, _mm256_testz_si256,
    _mm256_zextsi128_si256,
};

/// Runs `work`. Returns `None` if the input has fewer than [`MIN_LEN`] bytes and the work requires
/// that many.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn run_avx2<W: Work>(work: W) -> Option<W::Output> {
    // SAFETY: this function is compiled for AVX2, BMI1, BMI2, LZCNT and POPCNT, so it is called
    // only on processors that support them.
    let avx2 = unsafe { Avx2::new() };
    if W::LENGTHS == Lengths::Register && work.text().len() < MIN_LEN {
        return None;
    }
    work.run(BlockReader::<Bytes32>::new(avx2))
}

/// See [`Scanner::read_rest`](super::Scanner::read_rest).
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn read_rest<R: Rest>(text: &[u8], first: R::Output) -> Option<R::Output> {
    // SAFETY: as above.
    let token = unsafe { Avx2::new() };
    R::read(BlockReader::<Bytes32>::new(token), text, first)
}

// These are separate functions, so that a debug build calls them and does not contain a copy at
// each call.

/// Returns the bytes equal to `byte`.
#[inline]
#[target_feature(enable = "avx2")]
fn equal(bytes: __m256i, byte: u8) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, splat_32(byte))).cast_unsigned()
}

/// Returns the bytes equal to either byte.
#[inline]
#[target_feature(enable = "avx2")]
fn equal_to_either(bytes: __m256i, one: u8, other: u8) -> u32 {
    let one = _mm256_cmpeq_epi8(bytes, splat_32(one));
    let other = _mm256_cmpeq_epi8(bytes, splat_32(other));
    _mm256_movemask_epi8(_mm256_or_si256(one, other)).cast_unsigned()
}

/// Returns 0xFF for each byte that is not in the set with these [rows](Nibbles::rows), and 0 for
/// each member.
#[inline]
#[target_feature(enable = "avx2")]
fn non_members(bytes: __m256i, rows: &[u8; 16]) -> __m256i {
    // SAFETY: the rows are 16 bytes long, and 16 bytes are loaded.
    let rows = unsafe { _mm_loadu_si128(rows.as_ptr().cast::<__m128i>()) };
    let rows = _mm256_broadcastsi128_si256(rows);
    let bits = _mm256_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0, //
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
    );
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), splat_32(15));
    let bit = _mm256_shuffle_epi8(bits, high);
    // The shuffle returns 0 for bytes of 128 or more.
    let row = _mm256_shuffle_epi8(rows, bytes);
    _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), _mm256_setzero_si256())
}

/// The token for AVX2 and BMI2.
///
/// INVARIANT: the processor supports AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// # Safety
    ///
    /// The processor must support AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[inline(always)]
    const unsafe fn new() -> Self {
        Self(())
    }
}

/// A register of 32 bytes.
///
/// INVARIANT: the register was created with an [`Avx2`], so the processor supports AVX2.
#[derive(Clone, Copy)]
struct Bytes32(__m256i);

impl Register for Bytes32 {
    const WIDTH: usize = 32;
    type Token = Avx2;

    #[inline(always)]
    unsafe fn read(_: Avx2, text: &[u8], at: usize) -> Self {
        // SAFETY: the token proves that the processor supports AVX2. The text has 32 bytes that
        // begin at `at`, by this function's contract. The load needs no alignment.
        Self(unsafe { _mm256_loadu_si256(text.as_ptr().add(at).cast::<__m256i>()) })
    }

    #[inline(always)]
    fn from_16(_: Avx2, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves that the processor supports AVX2. The array is 16 bytes long,
        // and 16 bytes are loaded.
        Self(unsafe { _mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast::<__m128i>())) })
    }

    #[inline(always)]
    fn from_8(_: Avx2, bytes: u64) -> Self {
        // SAFETY: the token proves that the processor supports AVX2.
        Self(unsafe { _mm256_zextsi128_si256(_mm_cvtsi64_si128(bytes.cast_signed())) })
    }

    #[inline(always)]
    fn read_rest<A: Rest>(_: Avx2, text: &[u8], first: A::Output) -> Option<A::Output> {
        // SAFETY: the token proves that the processor supports these features.
        unsafe { read_rest::<A>(text, first) }
    }

    #[inline(always)]
    fn nth(mask: u64, below: u32) -> u32 {
        // SAFETY: the processor supports BMI2: `BlockReader`, the only caller, has an `Avx2`
        // token.
        unsafe { nth_bit(mask, below) }
    }

    #[inline(always)]
    fn is(self, byte: u8) -> u32 {
        // SAFETY: the processor supports AVX2, by the type's invariant.
        unsafe { equal(self.0, byte) }
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u32 {
        // SAFETY: as above.
        unsafe { equal_to_either(self.0, one, other) }
    }

    #[inline(always)]
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32 {
        // SAFETY: as above.
        unsafe { equal(self.0, byte) & !equal(other.0, not) }
    }

    #[inline(always)]
    fn non_members(self, set: &Nibbles) -> Self {
        // SAFETY: as above.
        Self(unsafe { non_members(self.0, set.rows()) })
    }

    #[inline(always)]
    fn compress(_: Avx2, bytes: u64, mask: u8) -> u64 {
        let from = compress::indices(mask);
        // SAFETY: the token proves that the processor supports AVX2, which implies SSSE3.
        unsafe {
            let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
            let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn are_zero(self, other: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            let either = _mm256_or_si256(self.0, other.0);
            _mm256_testz_si256(either, either) == 1
        }
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u32 {
        // SAFETY: as above.
        unsafe { !_mm256_movemask_epi8(self.non_members(set).0).cast_unsigned() }
    }

    #[inline(always)]
    fn unescape_block(
        self,
        one: Self,
        two: Self,
        plus: bool,
        out: &mut [u8; BLOCK],
        at: usize,
    ) -> bool {
        let Some(out) = out.get_mut(at..).and_then(<[_]>::first_chunk_mut::<32>) else {
            return false;
        };
        let (high, low) = (one.digits(), two.digits());
        // SAFETY: as above; `out` is 32 bytes long, and 32 bytes are stored.
        unsafe {
            let octets = _mm256_or_si256(_mm256_slli_epi16::<4>(high.0), low.0);
            let percent = _mm256_cmpeq_epi8(self.0, splat_32(b'%'));
            let mut bytes = _mm256_blendv_epi8(self.0, octets, percent);
            if plus {
                let is_plus = _mm256_cmpeq_epi8(self.0, splat_32(b'+'));
                let space = splat_32(b' ');
                bytes = _mm256_blendv_epi8(bytes, space, is_plus);
            }
            _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), bytes);
            _mm256_movemask_epi8(_mm256_and_si256(octets, percent)) != 0
        }
    }
}

impl Bytes32 {
    /// Returns the values of hexadecimal digits. Other bytes become an unspecified value below 16.
    #[inline(always)]
    fn digits(self) -> Self {
        // SAFETY: the processor supports AVX2, by the type's invariant.
        unsafe {
            // The low nibble of a digit is its value; that of a letter is nine less than its value.
            // The high nibble of a letter is 4 or 6.
            let nines = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            ));
            let fifteen = splat_32(15);
            let half = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), fifteen);
            let digit = _mm256_add_epi8(self.0, _mm256_shuffle_epi8(nines, half));
            Self(_mm256_and_si256(digit, fifteen))
        }
    }
}
