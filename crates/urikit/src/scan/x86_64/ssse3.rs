//! Sixteen bytes at a step.

use super::super::{BLOCK, Nibbles, Work, nth};
use super::{Reader, Register};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16,
    _mm_storeu_si128,
};

/// Does `work`; `None` where the text is shorter than a register and it needs one.
#[target_feature(enable = "ssse3")]
pub(in super::super) fn run_ssse3<W: Work>(work: W) -> Option<W::Output> {
    // SAFETY: this function is compiled for SSSE3, so that it is called where the processor has it.
    let token = unsafe { Ssse3::new() };
    if let Some(reader) = Reader::<TwoSixteens>::new(token, &work) {
        return work.run(reader);
    }
    let reader = Reader::<Sixteen>::new(token, &work)?;
    work.run(reader)
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

/// Sixteen bytes. INVARIANT: whoever made it had an `Ssse3`.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m128i);

impl Register for Sixteen {
    const WIDTH: usize = 16;
    type Token = Ssse3;

    #[inline(always)]
    unsafe fn read(_: Ssse3, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 16 bytes from `at` on, by the caller's word; the read needs no alignment.
        Self(unsafe { _mm_loadu_si128(text.as_ptr().add(at).cast::<__m128i>()) })
    }

    #[inline(always)]
    fn sixteen(_: Ssse3, bytes: &[u8; 16]) -> Self {
        // SAFETY: the processor has SSSE3, and sixteen bytes are read.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>()) })
    }

    #[inline(always)]
    fn eight(_: Ssse3, bytes: u64) -> Self {
        // SAFETY: the processor has SSSE3.
        Self(unsafe { _mm_cvtsi64_si128(bytes.cast_signed()) })
    }

    #[inline(always)]
    fn nth(mask: u64, below: u32) -> u32 {
        nth(mask, below)
    }

    #[inline(always)]
    fn is(self, byte: u8) -> u32 {
        // SAFETY: the processor has SSSE3, by the type's invariant.
        unsafe {
            let wanted = _mm_set1_epi8(byte.cast_signed());
            _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, wanted)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u32 {
        // SAFETY: as above.
        unsafe {
            let one = _mm_cmpeq_epi8(self.0, _mm_set1_epi8(one.cast_signed()));
            let other = _mm_cmpeq_epi8(self.0, _mm_set1_epi8(other.cast_signed()));
            _mm_movemask_epi8(_mm_or_si128(one, other)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32 {
        // SAFETY: as above.
        unsafe {
            let is = _mm_cmpeq_epi8(self.0, _mm_set1_epi8(byte.cast_signed()));
            let is_not = _mm_cmpeq_epi8(other.0, _mm_set1_epi8(not.cast_signed()));
            _mm_movemask_epi8(_mm_andnot_si128(is_not, is)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn absent(self, set: &Nibbles) -> Self {
        // SAFETY: as above; what is loaded is an array of sixteen bytes.
        unsafe {
            let rows = _mm_loadu_si128(set.rows().as_ptr().cast::<__m128i>());
            let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
            let high = _mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15));
            let bit = _mm_shuffle_epi8(bits, high);
            // A byte of 128 or more finds no row.
            let row = _mm_shuffle_epi8(rows, self.0);
            Self(_mm_cmpeq_epi8(_mm_and_si128(row, bit), _mm_setzero_si128()))
        }
    }

    #[inline(always)]
    fn are_zero(self, other: Self) -> bool {
        // SAFETY: as above.
        unsafe { _mm_movemask_epi8(_mm_or_si128(self.0, other.0)) == 0 }
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u32 {
        // SAFETY: as above.
        unsafe { !_mm_movemask_epi8(self.absent(set).0).cast_unsigned() & 0xFFFF }
    }

    #[inline(always)]
    fn octets(self, one: Self, two: Self, plus: bool, place: &mut [u8; BLOCK], at: usize) -> bool {
        let Some(place) = place.get_mut(at..).and_then(<[_]>::first_chunk_mut::<16>) else {
            return false;
        };
        let (high, low) = (one.digits(), two.digits());
        // SAFETY: as above; the place has sixteen bytes.
        unsafe {
            let either = |is: __m128i, there: __m128i, else_there: __m128i| {
                _mm_or_si128(_mm_and_si128(is, there), _mm_andnot_si128(is, else_there))
            };
            let octets = _mm_or_si128(_mm_slli_epi16::<4>(high.0), low.0);
            let percent = _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b'%'.cast_signed()));
            let mut bytes = either(percent, octets, self.0);
            if plus {
                let is_plus = _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b'+'.cast_signed()));
                bytes = either(is_plus, _mm_set1_epi8(b' '.cast_signed()), bytes);
            }
            _mm_storeu_si128(place.as_mut_ptr().cast::<__m128i>(), bytes);
            _mm_movemask_epi8(_mm_and_si128(octets, percent)) != 0
        }
    }
}

impl Sixteen {
    /// The values of hexadecimal digits, and for other bytes any value below sixteen.
    #[inline(always)]
    fn digits(self) -> Self {
        // SAFETY: the processor has SSSE3, by the type's invariant.
        unsafe {
            // For letters, whose high half is 4 or 6.
            let nines = _mm_setr_epi8(0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            let fifteen = _mm_set1_epi8(15);
            let half = _mm_and_si128(_mm_srli_epi16::<4>(self.0), fifteen);
            let digit = _mm_add_epi8(self.0, _mm_shuffle_epi8(nines, half));
            Self(_mm_and_si128(digit, fifteen))
        }
    }
}

/// The bytes that a mask has a bit for, one behind the other.
///
/// # Safety
///
/// The processor must have SSSE3.
#[inline(always)]
pub(super) unsafe fn compact(bytes: u64, mask: u8) -> u64 {
    /// Where each of them comes from.
    #[allow(clippy::indexing_slicing)] // in a constant: the compiler would stop
    static FROM: [[u8; 8]; 256] = {
        let mut from = [[0x80; 8]; 256];
        let mut mask = 0;
        while mask < 256 {
            let (mut at, mut to) = (0, 0);
            while at < 8 {
                if mask >> at & 1 == 1 {
                    from[mask][to] = at;
                    to += 1;
                }
                at += 1;
            }
            mask += 1;
        }
        from
    };
    let from = FROM.get(usize::from(mask)).copied().unwrap_or_default();
    // SAFETY: by this function's own contract.
    unsafe {
        let bytes = _mm_cvtsi64_si128(bytes.cast_signed());
        let from = _mm_cvtsi64_si128(i64::from_le_bytes(from));
        _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, from)).cast_unsigned()
    }
}

/// Thirty-two bytes in two registers.
#[derive(Clone, Copy)]
struct TwoSixteens(Sixteen, Sixteen);

impl Register for TwoSixteens {
    const WIDTH: usize = 32;
    type Token = Ssse3;

    #[inline(always)]
    unsafe fn read(token: Ssse3, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 32 bytes from `at` on, by the caller's word.
        unsafe {
            Self(
                Sixteen::read(token, text, at),
                Sixteen::read(token, text, at + 16),
            )
        }
    }

    #[inline(always)]
    fn sixteen(token: Ssse3, bytes: &[u8; 16]) -> Self {
        Self(Sixteen::sixteen(token, bytes), Sixteen::eight(token, 0))
    }

    #[inline(always)]
    fn eight(token: Ssse3, bytes: u64) -> Self {
        Self(Sixteen::eight(token, bytes), Sixteen::eight(token, 0))
    }

    #[inline(always)]
    fn nth(mask: u64, below: u32) -> u32 {
        nth(mask, below)
    }

    #[inline(always)]
    fn is(self, byte: u8) -> u32 {
        self.0.is(byte) | self.1.is(byte) << 16
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u32 {
        self.0.is_either(one, other) | self.1.is_either(one, other) << 16
    }

    #[inline(always)]
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32 {
        self.0.is_and_not(byte, other.0, not) | self.1.is_and_not(byte, other.1, not) << 16
    }

    #[inline(always)]
    fn absent(self, set: &Nibbles) -> Self {
        Self(self.0.absent(set), self.1.absent(set))
    }

    #[inline(always)]
    fn are_zero(self, other: Self) -> bool {
        // SAFETY: the processor has SSSE3, by the type's invariant.
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
    fn octets(self, one: Self, two: Self, plus: bool, place: &mut [u8; BLOCK], at: usize) -> bool {
        let first = self.0.octets(one.0, two.0, plus, place, at);
        self.1.octets(one.1, two.1, plus, place, at + 16) | first
    }
}
