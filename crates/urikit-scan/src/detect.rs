//! Detects which versions of the scanner a processor supports.

use super::Level;
use super::{quad, x86_64};
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

/// True if the version in use is known only at run time, because it depends on the processor or on
/// a test.
pub(super) const AT_RUN_TIME: bool =
    cfg!(feature = "std") && x86_64::EXISTS && COMPILED.0 < Level::AVX512.0
        || cfg!(feature = "test-hooks");

/// The lowest version that can be in use, except that processors without it use none. Lower ones
/// are not compiled.
// On x86-64, the only processors that do not have SSSE3 are older than 2006, or than 2011 if made
// by AMD.
pub(super) const LOWEST: Level = if cfg!(any(feature = "test-hooks", test)) {
    Level::PORTABLE
} else if AT_RUN_TIME && COMPILED.0 < Level::SSSE3.0 {
    Level::SSSE3
} else {
    COMPILED
};

/// The best version that may be used, or 0 until the processor's features are detected.
#[cfg(feature = "std")]
static BEST: AtomicU8 = AtomicU8::new(0);

/// Returns the best version that the processor supports, or [`Level::UNDETECTED`]. Tests can
/// select a lower version.
#[inline(always)]
pub(super) fn best() -> Level {
    #[cfg(feature = "std")]
    if AT_RUN_TIME {
        return Level(BEST.load(Ordering::Relaxed));
    }
    COMPILED
}

/// Detects the best version and stores it. Several threads may do this at the same time; they all
/// store the same value.
pub(super) fn detect_and_store() -> Level {
    let best = detect();
    #[cfg(feature = "std")]
    BEST.store(best.0, Ordering::Relaxed);
    best
}

/// Returns the best version that the processor supports.
pub(super) fn detect() -> Level {
    #[cfg(all(feature = "std", feature = "simd", target_arch = "x86_64"))]
    {
        let ssse3 = std::arch::is_x86_feature_detected!("ssse3");
        let avx2 = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        let avx512 = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512vbmi2");
        level_of(ssse3, avx2, avx512)
    }
    #[cfg(not(all(feature = "std", feature = "simd", target_arch = "x86_64")))]
    COMPILED
}

/// Makes [`best`] return `level` from now on, or a lower one if the processor does not support it.
#[cfg(feature = "test-hooks")]
pub(super) fn limit(level: Level) {
    BEST.store(detect().min(level).0, Ordering::Relaxed);
}

/// The best version for the features that the crate is compiled for.
const COMPILED: Level = match quad::NAME {
    _ if x86_64::EXISTS => level_of(
        cfg!(target_feature = "ssse3"),
        cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        )),
        cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512vl",
            target_feature = "avx512vbmi2"
        )),
    ),
    Some(_) => Level::QUAD,
    None => Level::PORTABLE,
};

/// Returns the best version for an x86-64 processor with these features.
const fn level_of(ssse3: bool, avx2: bool, avx512: bool) -> Level {
    match (ssse3, avx2, avx512) {
        (_, true, true) => Level::AVX512,
        (_, true, false) => Level::AVX2,
        (true, false, _) => Level::SSSE3,
        (false, false, _) => Level::PORTABLE,
    }
}
