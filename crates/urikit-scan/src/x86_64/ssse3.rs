//! Registers of 16 bytes with SSSE3, used in pairs, for processors without AVX2. SSE2, which every
//! x86-64 processor has, lacks the byte shuffle that sets of characters require.

use super::super::scanner::{Rest, nth};
use super::super::{BLOCK, Nibbles, Work, compress};
use super::{BlockReader, Register, splat_16};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_setr_epi8,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128,
};

/// Runs `work`.
#[target_feature(enable = "ssse3")]
pub(in super::super) fn run_ssse3<W: Work>(work: W) -> Option<W::Output> {
    // SAFETY: this function is compiled for SSSE3, so it is called only on processors that support
    // it.
    let ssse3 = unsafe { Ssse3::new() };
    work.run(BlockReader::<Bytes2x16>::new(ssse3))
}

/// See [`Scanner::read_rest`](super::Scanner::read_rest).
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn read_rest<R: Rest>(text: &[u8], first: R::Output) -> Option<R::Output> {
    // SAFETY: as above.
    let token = unsafe { Ssse3::new() };
    R::read(BlockReader::<Bytes2x16>::new(token), text, first)
}

/// The token for SSSE3.
///
/// INVARIANT: the processor supports SSSE3.
#[derive(Clone, Copy)]
struct Ssse3(());

impl Ssse3 {
    /// # Safety
    ///
    /// The processor must support SSSE3.
    #[inline(always)]
    const unsafe fn new() -> Self {
        Self(())
    }
}

// This is a separate function, so that a debug build calls it and does not contain a copy at each
// call.

/// Returns 0xFF for each byte that is not in the set with these [rows](Nibbles::rows), and 0 for
/// each member.
#[inline]
#[target_feature(enable = "ssse3")]
fn non_members(bytes: __m128i, rows: &[u8; 16]) -> __m128i {
    // SAFETY: the rows are 16 bytes long, and 16 bytes are loaded.
    let rows = unsafe { _mm_loadu_si128(rows.as_ptr().cast::<__m128i>()) };
    // The values 1, 2, 4 and so on up to 128 for the nibbles 0 to 7, and 0 for 8 or more.
    let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), splat_16(15));
    let bit = _mm_shuffle_epi8(bits, high);
    // The shuffle gives 0 for bytes of 128 or more.
    let row = _mm_shuffle_epi8(rows, bytes);
    _mm_cmpeq_epi8(_mm_and_si128(row, bit), _mm_setzero_si128())
}

/// A register of 16 bytes.
///
/// INVARIANT: the register was created with an [`Ssse3`], so the processor supports SSSE3.
#[derive(Clone, Copy)]
struct Bytes16(__m128i);

impl Bytes16 {
    #[inline(always)]
    unsafe fn read(_: Ssse3, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 16 bytes that begin at `at`, by this function's contract. The load
        // needs no alignment.
        Self(unsafe { _mm_loadu_si128(text.as_ptr().add(at).cast::<__m128i>()) })
    }

    #[inline]
    fn from_16(_: Ssse3, bytes: &[u8; 16]) -> Self {
        // SAFETY: the array is 16 bytes long, and 16 bytes are loaded.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>()) })
    }

    #[inline]
    fn from_8(_: Ssse3, bytes: u64) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_cvtsi64_si128(bytes.cast_signed()) })
    }

    #[inline]
    fn is(self, byte: u8) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let wanted = splat_16(byte);
            _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, wanted)).cast_unsigned()
        }
    }

    #[inline]
    fn is_either(self, one: u8, other: u8) -> u32 {
        // SAFETY: as above.
        unsafe {
            let one = _mm_cmpeq_epi8(self.0, splat_16(one));
            let other = _mm_cmpeq_epi8(self.0, splat_16(other));
            _mm_movemask_epi8(_mm_or_si128(one, other)).cast_unsigned()
        }
    }

    #[inline]
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32 {
        // SAFETY: as above.
        unsafe {
            let is = _mm_cmpeq_epi8(self.0, splat_16(byte));
            let is_not = _mm_cmpeq_epi8(other.0, splat_16(not));
            _mm_movemask_epi8(_mm_andnot_si128(is_not, is)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn non_members(self, set: &Nibbles) -> Self {
        // SAFETY: the processor supports SSSE3, by the type's invariant.
        Self(unsafe { non_members(self.0, set.rows()) })
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u32 {
        // SAFETY: as above.
        unsafe { !_mm_movemask_epi8(self.non_members(set).0).cast_unsigned() & 0xFFFF }
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
        let Some(out) = out.get_mut(at..).and_then(<[_]>::first_chunk_mut::<16>) else {
            return false;
        };
        let (high, low) = (one.digits(), two.digits());
        // SAFETY: as above; `out` is 16 bytes long, and 16 bytes are stored.
        unsafe {
            let either = |is: __m128i, there: __m128i, else_there: __m128i| {
                _mm_or_si128(_mm_and_si128(is, there), _mm_andnot_si128(is, else_there))
            };
            let octets = _mm_or_si128(_mm_slli_epi16::<4>(high), low);
            let percent = _mm_cmpeq_epi8(self.0, splat_16(b'%'));
            let mut bytes = either(percent, octets, self.0);
            if plus {
                let is_plus = _mm_cmpeq_epi8(self.0, splat_16(b'+'));
                bytes = either(is_plus, splat_16(b' '), bytes);
            }
            _mm_storeu_si128(out.as_mut_ptr().cast::<__m128i>(), bytes);
            _mm_movemask_epi8(_mm_and_si128(octets, percent)) != 0
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

/// Two 16-byte registers, used like one register of 32 bytes.
#[derive(Clone, Copy)]
struct Bytes2x16(Bytes16, Bytes16);

impl Register for Bytes2x16 {
    const WIDTH: usize = 32;
    type Token = Ssse3;
    // Few processors need this version, so it should be small.
    const FOR_SPEED: bool = false;

    #[inline(always)]
    unsafe fn read(token: Ssse3, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 32 bytes that begin at `at`, by this function's contract.
        unsafe {
            Self(
                Bytes16::read(token, text, at),
                Bytes16::read(token, text, at + 16),
            )
        }
    }

    #[inline]
    fn from_16(token: Ssse3, bytes: &[u8; 16]) -> Self {
        Self(Bytes16::from_16(token, bytes), Bytes16::from_8(token, 0))
    }

    #[inline]
    fn from_8(token: Ssse3, bytes: u64) -> Self {
        Self(Bytes16::from_8(token, bytes), Bytes16::from_8(token, 0))
    }

    #[inline(always)]
    fn read_rest<A: Rest>(_: Ssse3, text: &[u8], first: A::Output) -> Option<A::Output> {
        // SAFETY: the token proves that the processor supports SSSE3.
        unsafe { read_rest::<A>(text, first) }
    }

    #[inline(always)]
    fn nth(mask: u64, below: u32) -> u32 {
        nth(mask, below)
    }

    #[inline]
    fn is(self, byte: u8) -> u32 {
        self.0.is(byte) | self.1.is(byte) << 16
    }

    #[inline]
    fn is_either(self, one: u8, other: u8) -> u32 {
        self.0.is_either(one, other) | self.1.is_either(one, other) << 16
    }

    #[inline]
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32 {
        self.0.is_and_not(byte, other.0, not) | self.1.is_and_not(byte, other.1, not) << 16
    }

    #[inline(always)]
    fn non_members(self, set: &Nibbles) -> Self {
        Self(self.0.non_members(set), self.1.non_members(set))
    }

    #[inline(always)]
    fn compress(_: Ssse3, bytes: u64, mask: u8) -> u64 {
        let from = compress::indices(mask);
        // SAFETY: the token proves that the processor supports SSSE3.
        unsafe {
            let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
            let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
            _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
        }
    }

    #[inline]
    fn are_zero(self, other: Self) -> bool {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let one = _mm_or_si128(self.0.0, self.1.0);
            let other = _mm_or_si128(other.0.0, other.1.0);
            _mm_movemask_epi8(_mm_or_si128(one, other)) == 0
        }
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u32 {
        self.0.members(set) | self.1.members(set) << 16
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
        let first = self.0.unescape_block(one.0, two.0, plus, out, at);
        self.1.unescape_block(one.1, two.1, plus, out, at + 16) | first
    }
}
