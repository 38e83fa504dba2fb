//! Sixteen bytes at a step, by what every x86-64 has and what a [`Version`] adds.

use super::super::{BLOCK, Nibbles, Work, nth};
use super::{Reader, Register};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128,
    _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_slli_epi16,
    _mm_srli_epi16, _mm_storeu_si128,
};

/// What versions of sixteen bytes do each in its own way; a value of one stands for a processor that has what it needs.
pub(super) trait Version: Copy {
    /// All bits of the bytes that the set has not, and none of the others.
    fn absent(self, bytes: __m128i, set: &Nibbles) -> __m128i;
    /// The bytes that a mask has a bit for, one behind the other.
    fn compact(self, bytes: u64, mask: u8) -> u64;
}

/// Where the bytes come from that a mask has a bit for, one behind the other; then 128.
#[inline(always)]
pub(super) fn sources(mask: u8) -> [u8; 8] {
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
    FROM.get(usize::from(mask)).copied().unwrap_or_default()
}

/// Does `work`; `None` where the text is shorter than a register and it needs one. Inside of a function that is compiled for the
/// version.
#[inline(always)]
pub(super) fn run<V: Version, W: Work>(version: V, work: W) -> Option<W::Output> {
    if let Some(reader) = Reader::<TwoSixteens<V>>::new(version, &work) {
        return work.run(reader);
    }
    let reader = Reader::<Sixteen<V>>::new(version, &work)?;
    work.run(reader)
}

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Sixteen<V>(__m128i, V);

impl<V: Version> Register for Sixteen<V> {
    const WIDTH: usize = 16;
    type Token = V;

    #[inline(always)]
    unsafe fn read(version: V, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 16 bytes from `at` on, by the caller's word; the read needs no alignment.
        Self(
            unsafe { _mm_loadu_si128(text.as_ptr().add(at).cast::<__m128i>()) },
            version,
        )
    }

    #[inline(always)]
    fn sixteen(version: V, bytes: &[u8; 16]) -> Self {
        // SAFETY: sixteen bytes are read.
        Self(
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>()) },
            version,
        )
    }

    #[inline(always)]
    fn eight(version: V, bytes: u64) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_cvtsi64_si128(bytes.cast_signed()) }, version)
    }

    #[inline(always)]
    fn nth(mask: u64, below: u32) -> u32 {
        nth(mask, below)
    }

    #[inline(always)]
    fn is(self, byte: u8) -> u32 {
        // SAFETY: every x86-64 has SSE2.
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
        Self(self.1.absent(self.0, set), self.1)
    }

    #[inline(always)]
    fn compact(version: V, bytes: u64, mask: u8) -> u64 {
        version.compact(bytes, mask)
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
            let octets = _mm_or_si128(_mm_slli_epi16::<4>(high), low);
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

impl<V> Sixteen<V> {
    /// The values of hexadecimal digits, and for other bytes any value below sixteen.
    #[inline(always)]
    fn digits(self) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            // Nine more for letters, which have the bit of 64.
            let letter = _mm_and_si128(_mm_srli_epi16::<6>(self.0), _mm_set1_epi8(1));
            let nine = _mm_add_epi8(letter, _mm_slli_epi16::<3>(letter));
            _mm_and_si128(_mm_add_epi8(self.0, nine), _mm_set1_epi8(15))
        }
    }
}

/// Thirty-two bytes in two registers.
#[derive(Clone, Copy)]
struct TwoSixteens<V>(Sixteen<V>, Sixteen<V>);

impl<V: Version> Register for TwoSixteens<V> {
    const WIDTH: usize = 32;
    type Token = V;

    #[inline(always)]
    unsafe fn read(token: V, text: &[u8], at: usize) -> Self {
        // SAFETY: the text has 32 bytes from `at` on, by the caller's word.
        unsafe {
            Self(
                Sixteen::read(token, text, at),
                Sixteen::read(token, text, at + 16),
            )
        }
    }

    #[inline(always)]
    fn sixteen(token: V, bytes: &[u8; 16]) -> Self {
        Self(Sixteen::sixteen(token, bytes), Sixteen::eight(token, 0))
    }

    #[inline(always)]
    fn eight(token: V, bytes: u64) -> Self {
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
    fn compact(version: V, bytes: u64, mask: u8) -> u64 {
        version.compact(bytes, mask)
    }

    #[inline(always)]
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
    fn octets(self, one: Self, two: Self, plus: bool, place: &mut [u8; BLOCK], at: usize) -> bool {
        let first = self.0.octets(one.0, two.0, plus, place, at);
        self.1.octets(one.1, two.1, plus, place, at + 16) | first
    }
}
