//! The choice between the versions of the scanner.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set
#![allow(unsafe_code)]

#[cfg(all(test, feature = "alloc"))]
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::x86_64;
use super::{Lengths, Level, MIN_LEN, Work};

impl Level {
    /// The best version that this processor supports, or `UNDETECTED`.
    #[inline(always)]
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        return x86_64::best();
        #[cfg(not(target_arch = "x86_64"))]
        Self::BYTES
    }

    /// Makes [`best`](Self::best) return no version above the one with this name from now on.
    /// Returns whether this processor supports that version; `false` for an unknown name.
    #[cfg(feature = "std")]
    pub(crate) fn limit(name: &str) -> bool {
        let level = match name {
            "bytes" => Self::BYTES,
            #[cfg(target_arch = "x86_64")]
            "sse2" => Self::SSE2,
            #[cfg(target_arch = "x86_64")]
            "avx2" => Self::AVX2,
            #[cfg(target_arch = "x86_64")]
            "avx512" => Self::AVX512,
            _ => return false,
        };
        #[cfg(target_arch = "x86_64")]
        x86_64::limit(level);
        level <= Self::best()
    }

    /// All versions that this processor supports.
    #[cfg(all(test, feature = "alloc"))]
    pub(crate) fn all() -> alloc::vec::Vec<Self> {
        let mut levels = alloc::vec![Self::BYTES, Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        levels.extend(
            [Self::SSE2, Self::AVX2, Self::AVX512]
                .into_iter()
                .filter(|level| *level <= x86_64::detect()),
        );
        levels
    }

    /// Does `work`. `None` also if there is no scanner for an input of this length.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> Option<W::Output> {
        #[cfg(target_arch = "x86_64")]
        if self == Self::AVX512 {
            // SAFETY: by the invariant, the processor supports AVX-512.
            return unsafe { x86_64::run_avx512(work) };
        } else if self == Self::AVX2 {
            // SAFETY: by the invariant, the processor supports AVX2.
            return unsafe { x86_64::run_avx2(work) };
        }
        Self::run_other(work, self)
    }

    /// [`run`](Self::run) for the versions that few processors need. This is kept out of line so
    /// that call sites stay small, and so that a caller that only returns the result can make a
    /// tail call. The work comes first, and stays in the registers in which it was passed.
    #[inline(never)]
    fn run_other<W: Work>(work: W, level: Self) -> Option<W::Output> {
        match level {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Self::UNDETECTED => x86_64::detect_and_store().run(work),
            _ if W::LENGTHS == Lengths::Register && work.text().len() < MIN_LEN => None,
            #[cfg(target_arch = "x86_64")]
            Self::SSE2 if W::LENGTHS == Lengths::Block || !W::HAS_SSE2 => None,
            #[cfg(target_arch = "x86_64")]
            Self::SSE2 => x86_64::run_sse2(work),
            #[cfg(all(test, feature = "alloc"))]
            Self::PORTABLE => work.run(portable::Portable),
            _ => None,
        }
    }
}
