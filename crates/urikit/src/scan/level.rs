//! The choice between the versions of the scanner.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set
#![allow(unsafe_code)]

#[cfg(all(test, feature = "alloc"))]
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::x86_64;
use super::{Lengths, MIN_LEN, Work};

/// The version of the scanner to use.
///
/// INVARIANT: the processor supports the version's instructions. Only this module and the one that
/// detects the processor's features create values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Level(pub(super) u8);

impl Level {
    /// The features of the processor have not been detected yet.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    pub(super) const UNDETECTED: Self = Self(0);
    /// Without a scanner, byte by byte.
    pub(crate) const BYTES: Self = Self(1);
    #[cfg(target_arch = "x86_64")]
    pub(super) const SSE2: Self = Self(2);
    #[cfg(target_arch = "x86_64")]
    pub(super) const AVX2: Self = Self(3);
    #[cfg(target_arch = "x86_64")]
    pub(super) const AVX512: Self = Self(4);
    /// A scanner that works byte by byte.
    #[cfg(all(test, feature = "alloc"))]
    const PORTABLE: Self = Self(u8::MAX);

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

    /// Whether there is a least length of inputs, unless they are read by [`Scanner::any`].
    ///
    /// [`Scanner::any`]: super::Scanner::any
    #[inline(always)]
    pub(crate) fn needs_min_len(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self != Self::AVX512;
        #[cfg(not(target_arch = "x86_64"))]
        true
    }

    /// Whether there are versions for [`Lengths::Block`]. Without one, those for [`Lengths::Wide`]
    /// are used, which are a little slower.
    #[inline(always)]
    pub(crate) fn has_block_version(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self > Self::SSE2;
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Whether this version can read the input in blocks.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn has_blocks(self, text: &[u8]) -> bool {
        self != Self::BYTES && (text.len() >= MIN_LEN || !self.needs_min_len())
    }

    /// The length of the shortest input that it can read in blocks.
    #[cfg(all(test, feature = "alloc"))]
    pub(crate) fn least(self) -> usize {
        match self {
            Self::BYTES => usize::MAX,
            _ if self.needs_min_len() => MIN_LEN,
            _ => 1,
        }
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
        self.run_other(work)
    }

    /// [`run`](Self::run) for the versions that few processors need. This is kept out of line so
    /// that call sites stay small, and so that a caller that only returns the result can make a
    /// tail call.
    #[inline(never)]
    fn run_other<W: Work>(self, work: W) -> Option<W::Output> {
        match self {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Self::UNDETECTED => x86_64::detect_and_store().run(work),
            _ if W::LENGTHS == Lengths::Register && work.text().len() < MIN_LEN => None,
            #[cfg(target_arch = "x86_64")]
            Self::SSE2 if W::LENGTHS == Lengths::Block => None,
            #[cfg(target_arch = "x86_64")]
            Self::SSE2 => x86_64::run_sse2(work),
            #[cfg(all(test, feature = "alloc"))]
            Self::PORTABLE => work.run(portable::Portable),
            _ => None,
        }
    }
}
