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

/// The lowest version that can be in use; processors that do not support it use none. Lower
/// versions are not compiled.
// The only x86-64 processors without SSSE3 date from before 2006, or before 2011 if made by AMD.
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
    #[cfg(feature = "std")]
    if x86_64::EXISTS {
        return Level::x86_64(x86_64::detect());
    }
    COMPILED
}

/// Makes [`best`] return `level` from now on, or a lower level if the processor does not support
/// it.
#[cfg(feature = "test-hooks")]
pub(super) fn limit(level: Level) {
    BEST.store(detect().min(level).0, Ordering::Relaxed);
}

/// The best version for the features that the crate is compiled for.
const COMPILED: Level = match quad::NAME {
    _ if x86_64::EXISTS => Level::x86_64([
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
    ]),
    Some(_) => Level::QUAD,
    None => Level::PORTABLE,
};
