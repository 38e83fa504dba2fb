//! The versions for x86-64, and how a block is read by registers of any width.
//!
//! # What makes it safe
//!
//! * **Instructions**: what not every x86-64 has is reached through a value that stands for it, and such a value is made
//!   only in a function that is compiled for that, called where the processor was found to have it.
//! * **Memory**: registers are read by [`Register::read`], which is told a text and an offset, and each caller shows that all of the
//!   register lies within the text; and by AVX-512 with a mask that has no bit for what lies beyond.

#![allow(unsafe_code)]
#![allow(clippy::cast_ptr_alignment)] // no read here needs any
#![allow(clippy::inline_always)] // what is not inlined is not compiled for the instructions that it needs

mod avx2;
mod avx512;
mod sixteen;
mod sse2;
mod ssse3;

use super::{BLOCK, Block, Escapes, Level, Nibbles, Place, Scanner, Work};
pub(super) use avx2::run_avx2;
pub(super) use avx512::run_avx512;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _pdep_u64};
use core::mem::MaybeUninit;
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};
pub(super) use sse2::run_sse2;
pub(super) use ssse3::run_ssse3;

/// The best that may be used; 0 before the processor was asked.
#[cfg(feature = "std")]
static BEST: AtomicU8 = AtomicU8::new(0);

/// What the processor has, unless [`limit`] asked for less, or that it was not asked.
#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn best() -> Level {
    Level(BEST.load(Ordering::Relaxed))
}

/// What the processor has. Whoever finds that it was not asked does so, and all find the same.
#[cfg(feature = "std")]
pub(super) fn ask() -> Level {
    let best = detect();
    BEST.store(best.0, Ordering::Relaxed);
    best
}

#[cfg(feature = "std")]
pub(super) fn detect() -> Level {
    let avx2 = std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("popcnt");
    let avx512 = std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512vbmi2");
    match (avx2, std::arch::is_x86_feature_detected!("ssse3")) {
        (true, _) if avx512 => Level::AVX512,
        (true, _) => Level::AVX2,
        (false, true) => Level::SSSE3,
        (false, false) => Level::SSE2,
    }
}

/// From now on, nothing above `level` is used; never what the processor has not.
#[cfg(feature = "std")]
pub(super) fn limit(level: Level) {
    BEST.store(detect().min(level).0, Ordering::Relaxed);
}

/// What the processor has, as far as it is known when this is compiled.
#[cfg(not(feature = "std"))]
pub(super) const fn best() -> Level {
    let avx2 = cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "popcnt"
    ));
    let avx512 = cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512vl",
        target_feature = "avx512vbmi2"
    ));
    if avx2 && avx512 {
        Level::AVX512
    } else if avx2 {
        Level::AVX2
    } else if cfg!(target_feature = "ssse3") {
        Level::SSSE3
    } else {
        Level::SSE2
    }
}

/// [`Scanner::nth`] by an instruction.
///
/// # Safety
///
/// The processor must have BMI2.
#[inline(always)]
unsafe fn nth_bit(mask: u64, below: u32) -> u32 {
    let nth = 1_u64.checked_shl(below).unwrap_or(0);
    // SAFETY: by this function's own contract.
    unsafe { _pdep_u64(nth, mask) }.trailing_zeros()
}

/// Asks for the bytes at `at` to be brought from memory, if the text has them.
#[inline(always)]
fn fetch(text: &[u8], at: usize) {
    let place = text.as_ptr().wrapping_add(at).cast::<i8>();
    // SAFETY: every x86-64 has this instruction, and it reads nothing, whatever the place is.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
}

/// Bytes that are looked at in one step, at most 32.
trait Register: Copy {
    /// How many.
    const WIDTH: usize;
    /// What lets the instructions be used.
    type Token: Copy;

    /// The bytes from `at` on.
    ///
    /// # Safety
    ///
    /// `at + WIDTH` must be no more than the text's length.
    unsafe fn read(token: Self::Token, text: &[u8], at: usize) -> Self;
    /// Sixteen bytes, and zeros behind them.
    fn sixteen(token: Self::Token, bytes: &[u8; 16]) -> Self;
    /// Eight bytes, and zeros behind them.
    fn eight(token: Self::Token, bytes: u64) -> Self;
    /// [`Scanner::nth`].
    fn nth(mask: u64, below: u32) -> u32;
    /// Where `byte` stands.
    fn is(self, byte: u8) -> u32;
    /// Where either byte stands.
    fn is_either(self, one: u8, other: u8) -> u32;
    /// Where `byte` stands, and in the other bytes something else than `not`.
    fn is_and_not(self, byte: u8, other: Self, not: u8) -> u32;
    /// All bits of the bytes that the set has not, and none of the others.
    fn absent(self, set: &Nibbles) -> Self;
    /// The bytes that a mask has a bit for, one behind the other.
    fn compact(token: Self::Token, bytes: u64, mask: u8) -> u64;
    /// Whether no bit of either is set; both are from [`absent`](Self::absent).
    fn are_zero(self, other: Self) -> bool;
    /// The bytes that the set has.
    fn members(self, set: &Nibbles) -> u32;
    /// Writes these bytes, with an octet for each `%`, whose two digits are in the next register and in the one behind that, and a
    /// space for each `+` if `plus`. Whether an octet is beyond US-ASCII.
    fn octets(self, one: Self, two: Self, plus: bool, place: &mut [u8; BLOCK], at: usize) -> bool;
}

/// A block and the two bytes behind it.
const WINDOW: usize = BLOCK + 2;

/// A block of one to two registers' bytes: the second may overlap the first.
#[derive(Clone, Copy)]
struct Pair<R> {
    low: R,
    high: R,
    /// Where the second register begins.
    high_at: u32,
    /// How many of the bits are about bytes before the block.
    before: u32,
}

impl<R: Register> Pair<R> {
    #[inline(always)]
    fn mask(self, low: u32, high: u32) -> u64 {
        (u64::from(low) | u64::from(high) << self.high_at) >> self.before
    }
}

impl<R: Register> Block for Pair<R> {
    const BEGINNING: usize = R::WIDTH;

    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        self.mask(self.low.is(byte), self.high.is(byte))
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u64 {
        self.mask(
            self.low.is_either(one, other),
            self.high.is_either(one, other),
        )
    }

    #[inline(always)]
    fn are_all(self, set: &Nibbles) -> bool {
        self.low.absent(set).are_zero(self.high.absent(set))
    }

    #[inline(always)]
    fn beginning(self) -> Self {
        Self {
            low: self.low,
            high: self.low,
            high_at: 0,
            before: 0,
        }
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u64 {
        self.mask(self.low.members(set), self.high.members(set))
    }
}

/// Reads texts of at least one register, and with [`Scanner::any`] shorter ones too.
#[derive(Clone, Copy)]
struct Reader<R: Register> {
    token: R::Token,
}

impl<R: Register> Reader<R> {
    /// A reader for the work; `None` where its text is shorter than a register and it needs more.
    #[inline(always)]
    fn new<W: Work>(token: R::Token, work: &W) -> Option<Self> {
        (W::ANY || work.text().len() >= R::WIDTH).then_some(Self { token })
    }

    /// The two registers of which the first begins at `low` and the second at `high`.
    ///
    /// # Safety
    ///
    /// `low <= high`, and `high + WIDTH` must be no more than the text's length.
    #[inline(always)]
    unsafe fn pair(self, text: &[u8], low: usize, high: usize, before: usize) -> Pair<R> {
        debug_assert!(low <= high && high + R::WIDTH <= text.len() && before < BLOCK);
        #[allow(clippy::cast_possible_truncation)] // both are below 64
        let (high_at, before) = ((high - low) as u32, before as u32);
        // SAFETY: by this function's own contract.
        let (low, high) = unsafe {
            (
                R::read(self.token, text, low),
                R::read(self.token, text, high),
            )
        };
        Pair {
            low,
            high,
            high_at,
            before,
        }
    }
}

impl<R: Register> Scanner for Reader<R> {
    type Block = Pair<R>;
    const ONE_BLOCK: bool = R::WIDTH < BLOCK / 2;

    #[inline(always)]
    fn first(self, text: &[u8]) -> Pair<R> {
        let end = text.len().min(2 * R::WIDTH);
        assert!(end >= R::WIDTH);
        // SAFETY: `end` is at least a register's width and at most the text's length.
        unsafe { self.pair(text, 0, end - R::WIDTH, 0) }
    }

    #[inline(always)]
    fn any(self, text: &[u8]) -> Pair<R> {
        let two = |low: R, high: R, width: usize| Pair {
            low,
            high,
            #[allow(clippy::cast_possible_truncation)] // below 32
            high_at: (text.len() - width) as u32,
            before: 0,
        };
        let eight = |bytes: u64| R::eight(self.token, bytes);
        if text.len() >= R::WIDTH {
            self.first(text)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<16>(), text.last_chunk()) {
            let sixteen = |bytes| R::sixteen(self.token, bytes);
            two(sixteen(low), sixteen(high), 16)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<8>(), text.last_chunk()) {
            let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
            two(eight(low), eight(high), 8)
        } else if let (Some(low), Some(high)) = (text.first_chunk::<4>(), text.last_chunk()) {
            let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
            two(eight(low.into()), eight(high.into()), 4)
        } else {
            let bytes = text.iter().rev();
            let bytes = bytes.fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
            two(eight(bytes), eight(0), text.len())
        }
    }

    #[inline(always)]
    fn nth(self, mask: u64, below: u32) -> u32 {
        R::nth(mask, below)
    }

    #[inline(always)]
    fn later(self, text: &[u8], start: usize) -> Pair<R> {
        assert!(2 * R::WIDTH == BLOCK && text.len() >= BLOCK && start < text.len());
        // Of the last block, the 64 bytes that end it are read.
        let low = start.min(text.len() - BLOCK);
        // SAFETY: `low + BLOCK` is no more than the text's length, and a block is two registers.
        unsafe { self.pair(text, low, low + R::WIDTH, start - low) }
    }
    #[inline(always)]
    fn followed(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        assert!(2 * R::WIDTH == BLOCK && text.len() > BLOCK && start < text.len() - BLOCK);
        // SAFETY: the last of these reads ends at `start + BLOCK + 1`, which is no more than the text's length.
        let [low, low_next, high, high_next] = unsafe {
            [0, 1, R::WIDTH, R::WIDTH + 1].map(|offset| R::read(self.token, text, start + offset))
        };
        let low = low.is_and_not(byte, low_next, not);
        let high = high.is_and_not(byte, high_next, not);
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn octets(self, text: &[u8], start: usize, escapes: Escapes, place: &mut Place) -> bool {
        let rest = text.get(start..).unwrap_or_default();
        // What is shorter is copied to where more can be read.
        let mut longer = [0; WINDOW];
        let window = if let Some(window) = rest.first_chunk::<WINDOW>() {
            window
        } else {
            for (place, byte) in longer.iter_mut().zip(rest) {
                *place = *byte;
            }
            &longer
        };
        let mut octets = [0; BLOCK];
        let mut is_high = false;
        for at in (0..BLOCK).step_by(R::WIDTH) {
            // SAFETY: `at` is a multiple of a register's width below a block's, and the window has two bytes more.
            let [bytes, one, two] =
                [0, 1, 2].map(|next| unsafe { R::read(self.token, window, at + next) });
            is_high |= bytes.octets(one, two, escapes.plus, &mut octets, at);
        }
        let mut kept = escapes.kept;
        let mut length = 0;
        for eight in octets.as_chunks::<8>().0 {
            let mask = kept.to_le_bytes()[0];
            kept >>= 8;
            let eight = R::compact(self.token, u64::from_le_bytes(*eight), mask);
            if let Some(place) = place.get_mut(length..).and_then(<[_]>::first_chunk_mut) {
                *place = eight.to_le_bytes().map(MaybeUninit::new);
            }
            length += mask.count_ones() as usize;
        }
        is_high
    }

    #[inline(always)]
    fn fetch(self, text: &[u8], at: usize) {
        fetch(text, at);
    }
}
