//! Stubs that replace the versions for x86-64 on other processors and in builds without SIMD.

use super::Work;

pub(super) const EXISTS: bool = false;

#[cfg(feature = "std")]
pub(super) const fn detect() -> [bool; 3] {
    [false; 3]
}

/// # Safety
///
/// This stub is always safe, unlike the function that it replaces.
pub(super) unsafe fn run_avx512<W: Work>(_: W) -> Option<W::Output> {
    None
}

/// # Safety
///
/// This stub is always safe, unlike the function that it replaces.
pub(super) unsafe fn run_avx2<W: Work>(_: W) -> Option<W::Output> {
    None
}

/// # Safety
///
/// This stub is always safe, unlike the function that it replaces.
pub(super) unsafe fn run_ssse3<W: Work>(_: W) -> Option<W::Output> {
    None
}
