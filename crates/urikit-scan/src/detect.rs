//! Detects which versions of the scanner a processor supports.

use super::Level;
#[cfg(not(target_arch = "x86_64"))]
use super::quad;
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

/// True if the version in use is known only at run time, because it depends on the processor or on
/// a test.
pub(super) const AT_RUN_TIME: bool = cfg!(any(
    all(feature = "std", target_arch = "x86_64"),
    feature = "test-hooks"
));

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
    compiled()
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
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    {
        let avx2 = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        let avx512 = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512vbmi2");
        x86_64(avx2, avx512)
    }
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    compiled()
}

/// Makes [`best`] return `level` from now on, or a lower one if the processor does not support it.
#[cfg(feature = "test-hooks")]
pub(super) fn limit(level: Level) {
    BEST.store(detect().min(level).0, Ordering::Relaxed);
}

/// Returns the best version for the features that the crate is compiled for.
#[inline(always)]
const fn compiled() -> Level {
    #[cfg(target_arch = "x86_64")]
    return x86_64(
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
    );
    #[cfg(not(target_arch = "x86_64"))]
    match quad::NAME {
        Some(_) => Level::QUAD,
        None => Level::PORTABLE,
    }
}

#[cfg(target_arch = "x86_64")]
const fn x86_64(avx2: bool, avx512: bool) -> Level {
    match (avx2, avx512) {
        (true, true) => Level::AVX512,
        (true, false) => Level::AVX2,
        (false, _) => Level::SSE2,
    }
}
