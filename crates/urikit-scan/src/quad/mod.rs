//! The scanner for targets whose registers have 16 bytes: a block is four of them.
//!
//! The instructions are in the baseline of these targets, so nothing is detected at run time, and
//! every function is compiled for them.

#[allow(dead_code)] // on other targets, only the tests use it
mod block;
#[cfg_attr(
    all(
        feature = "simd",
        any(not(debug_assertions), test, feature = "test-hooks"),
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    path = "aarch64.rs"
)]
#[cfg_attr(
    all(feature = "simd", target_arch = "wasm32", target_feature = "simd128"),
    path = "wasm32.rs"
)]
mod registers;

use super::Work;

/// The name of the instruction set, or `None` if the target has no such registers.
pub(super) const NAME: Option<&str> = registers::NAME;

/// Runs `work`. Returns `None` if the target has no such registers, or if the input is empty and
/// the work needs at least one byte.
// Kept out of line so that call sites stay small.
#[inline(never)]
pub(super) fn run<W: Work>(work: W) -> Option<W::Output> {
    registers::run(work)
}
