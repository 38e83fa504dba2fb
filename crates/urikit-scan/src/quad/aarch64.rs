//! NEON, which every AArch64 processor has.
//!
//! NEON has no instruction that collects the highest bits of all bytes. Collecting them takes the
//! fewest instructions if each register holds every fourth byte of the block: with `SRI` (shift
//! right and insert), the four answers for bytes `4 * i` to `4 * i + 3` are inserted below each
//! other in lane `i`, and `SHRN` (shift right and narrow) joins the nibbles of all lanes. LLVM
//! knows that comparisons set all bits of a byte or none, and replaces three of the four `SRI` with
//! `AND` and `ORR`. Adding neighbours in registers in the usual order (`ADDP`) would take more
//! instructions: LLVM replaces each `ADDP` with `UZP1`, `UZP2` and `ORR`.

use super::super::{BLOCK, Nibbles, Work, compress};
use super::block::{self, Register};
use core::arch::aarch64::{
    uint8x16_t, uint8x16x4_t, vaddq_u8, vandq_u8, vbslq_u8, vceqq_u8, vcombine_u8, vcreate_u8,
    vdupq_n_u8, vget_lane_u64, vld1q_u8, vld4q_u8, vmlaq_u8, vorrq_u8, vqtbl1q_u8,
    vreinterpret_u64_u8, vreinterpretq_u16_u8, vshrn_n_u16, vshrq_n_u8, vsliq_n_u8, vsriq_n_u8,
    vst4q_u8, vtbl1_u8, vtstq_u8, vuzp1q_u8, vuzp2q_u8,
};

pub(super) const NAME: Option<&str> = Some("neon");

#[inline(always)]
pub(super) fn run<W: Work>(work: W) -> Option<W::Output> {
    block::run::<Neon, W>(work)
}

/// A register of 16 bytes. In a block, lane `i` of register `k` holds byte `4 * i + k`.
#[derive(Clone, Copy)]
struct Neon(uint8x16_t);

const INDICES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Maps the nibbles 0 to 7 to 1, 2, 4 and so on up to 128, and the other nibbles to 0.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

// SAFETY: this module is compiled only for targets with NEON. Each load and store accesses exactly
// the bytes of one array, and needs no alignment.
impl Register for Neon {
    #[inline(always)]
    fn read(block: &[u8; BLOCK]) -> [Self; 4] {
        // SAFETY: see above.
        let uint8x16x4_t(one, two, three, four) = unsafe { vld4q_u8(block.as_ptr()) };
        [Self(one), Self(two), Self(three), Self(four)]
    }

    #[inline(always)]
    fn arrange([one, two, three, four]: [Self; 4]) -> [Self; 4] {
        // SAFETY: see above.
        unsafe {
            let evens = [vuzp1q_u8(one.0, two.0), vuzp1q_u8(three.0, four.0)];
            let odds = [vuzp2q_u8(one.0, two.0), vuzp2q_u8(three.0, four.0)];
            [
                Self(vuzp1q_u8(evens[0], evens[1])),
                Self(vuzp1q_u8(odds[0], odds[1])),
                Self(vuzp2q_u8(evens[0], evens[1])),
                Self(vuzp2q_u8(odds[0], odds[1])),
            ]
        }
    }

    #[inline(always)]
    fn write([one, two, three, four]: [Self; 4], block: &mut [u8; BLOCK]) {
        let registers = uint8x16x4_t(one.0, two.0, three.0, four.0);
        // SAFETY: see above.
        unsafe { vst4q_u8(block.as_mut_ptr(), registers) };
    }

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: see above.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn from_halves(low: u64, high: u64) -> Self {
        // SAFETY: see above.
        Self(unsafe { vcombine_u8(vcreate_u8(low), vcreate_u8(high)) })
    }

    #[inline(always)]
    fn shift(self, count: u8) -> Self {
        // SAFETY: see above.
        unsafe {
            let from = vaddq_u8(Self::load(&INDICES).0, vdupq_n_u8(count));
            // An index of 16 or more gives 0.
            Self(vqtbl1q_u8(self.0, from))
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        // SAFETY: see above.
        Self(unsafe { vceqq_u8(self.0, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn is_member(self, set: &Nibbles) -> Self {
        // SAFETY: see above.
        unsafe {
            let low = vandq_u8(self.0, vdupq_n_u8(15));
            let row = vqtbl1q_u8(Self::load(set.rows()).0, low);
            let bit = vqtbl1q_u8(Self::load(&BITS).0, vshrq_n_u8::<4>(self.0));
            Self(vtstq_u8(row, bit))
        }
    }

    #[inline(always)]
    fn mask([one, two, three, four]: [Self; 4]) -> u64 {
        // SAFETY: see above.
        unsafe {
            let low = vsriq_n_u8::<1>(two.0, one.0);
            let high = vsriq_n_u8::<1>(four.0, three.0);
            let four = vsriq_n_u8::<2>(high, low);
            // Repeats the four bits of each lane, so that a pair of lanes holds eight adjacent
            // bits.
            let twice = vsriq_n_u8::<4>(four, four);
            let mask = vshrn_n_u16::<4>(vreinterpretq_u16_u8(twice));
            vget_lane_u64::<0>(vreinterpret_u64_u8(mask))
        }
    }

    #[inline(always)]
    fn select(self, there: Self, elsewhere: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { vbslq_u8(self.0, there.0, elsewhere.0) })
    }

    #[inline(always)]
    fn octets(first: Self, second: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { vsliq_n_u8::<4>(second.digits(), first.digits()) })
    }

    #[inline(always)]
    fn compress(bytes: u64, mask: u8) -> u64 {
        let from = u64::from_le_bytes(compress::indices(mask));
        // SAFETY: see above. An index of 8 or more gives 0.
        unsafe {
            let bytes = vtbl1_u8(vcreate_u8(bytes), vcreate_u8(from));
            vget_lane_u64::<0>(vreinterpret_u64_u8(bytes))
        }
    }
}

impl Neon {
    /// Returns the values of hexadecimal digits in the low nibbles, and unspecified high nibbles.
    #[inline(always)]
    fn digits(self) -> uint8x16_t {
        // SAFETY: see above.
        unsafe {
            // The low nibble of a digit is its value; that of a letter is nine less than its value.
            // Among hexadecimal digits, only letters have bit 6 set.
            let letter = vshrq_n_u8::<6>(self.0);
            vmlaq_u8(self.0, letter, vdupq_n_u8(9))
        }
    }
}
