//! Other processors, and crates without the feature `simd`, have no versions for x86-64.

pub(super) const EXISTS: bool = false;
