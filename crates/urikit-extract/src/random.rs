//! Random numbers for unit tests. `urikit-testkit` is not available in the packaged crate.

/// Random numbers (xorshift64*) with a fixed seed, which must not be 0.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap_or_default() % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        #[allow(clippy::indexing_slicing)] // the index is less than the length
        from[self.below(from.len())]
    }
}
