//! Detects which versions of the scanner an x86-64 processor supports.

use super::Level;
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

/// The best version that may be used, or 0 until the processor's features are detected.
#[cfg(feature = "std")]
static BEST: AtomicU8 = AtomicU8::new(0);

/// Returns the best version that the processor supports, or [`Level::UNDETECTED`]. Tests can
/// select a lower version.
#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn best() -> Level {
    Level(BEST.load(Ordering::Relaxed))
}

/// Detects the best version and stores it. Several threads may do this at the same time; they all
/// store the same value.
#[cfg(feature = "std")]
pub(super) fn detect_and_store() -> Level {
    let best = detect();
    BEST.store(best.0, Ordering::Relaxed);
    best
}

/// Returns the best version that the processor supports.
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
    match (avx2, avx512) {
        (true, true) => Level::AVX512,
        (true, false) => Level::AVX2,
        (false, _) => Level::SSE2,
    }
}

/// Makes [`best`] return `level` from now on, or a lower one if the processor does not support it.
#[cfg(feature = "test-hooks")]
pub(super) fn limit(level: Level) {
    BEST.store(detect().min(level).0, Ordering::Relaxed);
}

/// Returns the best version for the features that the crate is compiled for.
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
    } else {
        Level::SSE2
    }
}
