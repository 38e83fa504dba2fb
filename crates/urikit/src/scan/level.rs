//! The versions of the scanner.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

#[cfg(feature = "alloc")]
use super::MIN_LEN;

/// The version of the scanner to use.
///
/// INVARIANT: the processor supports the version's instructions. Values are created by the module
/// that detects the processor's features.
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
    pub(super) const PORTABLE: Self = Self(u8::MAX);

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
    ///
    /// [`Lengths::Block`]: super::Lengths::Block
    /// [`Lengths::Wide`]: super::Lengths::Wide
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
}
