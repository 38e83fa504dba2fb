//! The versions of the scanner, and the choice between them.

#[cfg(all(test, feature = "alloc"))]
use super::naive;
use super::{Lengths, MIN_LEN, Work, detect, quad, x86_64};

/// The version of the scanner in use.
// INVARIANT: the processor supports the version's instructions. Only this crate creates values of
// this type, and only after it has detected the processor's features.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(pub(super) u8);

impl Level {
    /// The features of the processor have not been detected yet.
    pub(super) const UNDETECTED: Self = Self(0);
    /// No scanner. Tasks run their portable version, if they have one, or leave the input to the
    /// caller.
    pub const PORTABLE: Self = Self(1);
    pub(super) const SSSE3: Self = Self(2);
    pub(super) const AVX2: Self = Self(3);
    pub(super) const AVX512: Self = Self(4);
    /// The scanner for the target's baseline instructions, if the target has one (see
    /// [`quad::NAME`]).
    pub(super) const QUAD: Self = Self(5);
    /// The scanner that the tests use.
    #[cfg(all(test, feature = "alloc"))]
    pub(super) const NAIVE: Self = Self(u8::MAX);

    /// Returns the best version for an x86-64 processor, given which of SSSE3, AVX2 and AVX-512 it
    /// has.
    pub(super) const fn x86_64(has: [bool; 3]) -> Self {
        match has {
            [_, true, true] => Self::AVX512,
            [_, true, false] => Self::AVX2,
            [true, false, _] => Self::SSSE3,
            [false, false, _] => Self::PORTABLE,
        }
    }

    /// True if the portable version can be in use.
    pub(super) const HAS_PORTABLE: bool = detect::LOWEST.0 <= Self::PORTABLE.0;

    /// Returns whether this version is slower than AVX2, or has not been detected yet.
    #[inline(always)]
    pub(super) fn is_slow(self) -> bool {
        detect::LOWEST < Self::AVX2 && self < Self::AVX2
    }

    /// Returns whether inputs must have a minimum length, unless [`Scanner::any`] reads them.
    /// `has_avx512` is true if the task has a version for AVX-512.
    ///
    /// [`Scanner::any`]: super::Scanner::any
    #[inline(always)]
    pub fn needs_min_len(self, has_avx512: bool) -> bool {
        !(x86_64::EXISTS && has_avx512 && self == Self::AVX512 || self.is_quad())
    }

    /// Returns whether this is [`QUAD`](Self::QUAD). For targets without this scanner, the result
    /// is the constant `false`.
    #[inline(always)]
    fn is_quad(self) -> bool {
        quad::NAME.is_some() && self == Self::QUAD
    }

    /// Returns whether this version can decode the input in blocks.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn has_blocks(self, text: &[u8]) -> bool {
        self != Self::PORTABLE
            && self != Self::SSSE3
            && (text.len() >= MIN_LEN || !self.needs_min_len(true))
    }

    /// Returns the length of the shortest input that this version can read in blocks.
    #[cfg(all(test, feature = "alloc"))]
    pub fn least(self) -> usize {
        match self {
            Self::PORTABLE => usize::MAX,
            _ if self.needs_min_len(true) => MIN_LEN,
            _ => 1,
        }
    }

    /// Returns the best version that this processor supports.
    ///
    /// With `std`, early calls may return a value that means "not yet detected"; [`run`](Self::run)
    /// then detects the level.
    #[inline(always)]
    pub fn best() -> Self {
        detect::best()
    }

    /// Makes [`best`](Self::best) return at most the version with this name (`portable`, `ssse3`,
    /// `avx2`, `avx512`, `neon` or `simd128`) from now on. Returns whether this processor
    /// supports the version.
    #[cfg(feature = "test-hooks")]
    #[doc(hidden)]
    pub fn limit(name: &str) -> bool {
        let level = match name {
            "portable" => Self::PORTABLE,
            "ssse3" if x86_64::EXISTS => Self::SSSE3,
            "avx2" if x86_64::EXISTS => Self::AVX2,
            "avx512" if x86_64::EXISTS => Self::AVX512,
            name if quad::NAME == Some(name) => Self::QUAD,
            _ => return false,
        };
        detect::limit(level);
        level <= Self::best()
    }

    /// Returns the name of the version in use, once a task has been run.
    #[cfg(feature = "test-hooks")]
    #[doc(hidden)]
    pub fn name() -> &'static str {
        match Self::best() {
            Self::AVX512 => "avx512",
            Self::AVX2 => "avx2",
            Self::SSSE3 => "ssse3",
            Self::QUAD => quad::NAME.unwrap_or_default(),
            _ => "portable",
        }
    }

    /// Returns all versions that this processor supports.
    #[cfg(all(test, feature = "alloc"))]
    pub fn all() -> alloc::vec::Vec<Self> {
        let mut levels = alloc::vec![Self::PORTABLE, Self::NAIVE];
        levels.extend(quad::NAME.map(|_| Self::QUAD));
        if x86_64::EXISTS {
            let wide = [Self::SSSE3, Self::AVX2, Self::AVX512];
            levels.extend(wide.into_iter().filter(|level| *level <= detect::detect()));
        }
        levels
    }

    /// Runs `work`. Returns `None` if `work` returns `None`, or if no scanner reads inputs of this
    /// length.
    #[inline(always)]
    pub fn run<W: Work>(self, work: W) -> Option<W::Output> {
        if x86_64::EXISTS && W::HAS_AVX512 && self == Self::AVX512 {
            // SAFETY: by the invariant of `Level`, the processor supports AVX-512.
            return unsafe { x86_64::run_avx512(work) };
        } else if x86_64::EXISTS && (self == Self::AVX2 || self == Self::AVX512) {
            // SAFETY: by the invariant of `Level`, the processor supports AVX2, which
            // [`AVX512`](Self::AVX512) includes.
            return unsafe { x86_64::run_avx2(work) };
        }
        if self.is_quad() {
            return quad::run(work);
        }
        Self::run_other(work, self)
    }

    /// Runs the work with a version that few processors need.
    // Kept out of line so that call sites stay small, and a caller that only returns the result can
    // make a tail call. The work is the first argument, so it stays in the registers in which it
    // was passed.
    #[inline(never)]
    fn run_other<W: Work>(work: W, level: Self) -> Option<W::Output> {
        match level {
            Self::UNDETECTED if detect::AT_RUN_TIME => detect::detect_and_store().run(work),
            _ if W::LENGTHS == Lengths::Register && work.text().len() < MIN_LEN => None,
            // SAFETY: by the invariant of `Level`, the processor supports SSSE3.
            Self::SSSE3 if x86_64::EXISTS && W::HAS_SSSE3 => unsafe { x86_64::run_ssse3(work) },
            #[cfg(all(test, feature = "alloc"))]
            Self::NAIVE => work.run(naive::Naive),
            _ if !Self::HAS_PORTABLE => None,
            _ => work.run_portable(),
        }
    }
}
