//! Targets without registers of 16 bytes do not have this scanner. Their tests use arrays to check
//! the code that all registers share.

#[cfg(not(all(test, feature = "alloc")))]
pub(super) use absent::{NAME, run};
#[cfg(all(test, feature = "alloc"))]
pub(super) use arrays::{NAME, run};

#[cfg(not(all(test, feature = "alloc")))]
mod absent {
    use super::super::super::Work;

    pub(in super::super) const NAME: Option<&str> = None;

    pub(in super::super) fn run<W: Work>(_: W) -> Option<W::Output> {
        None
    }
}

#[cfg(all(test, feature = "alloc"))]
#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // a test fails by panicking
mod arrays {
    use super::super::super::{BLOCK, Nibbles, Work, compress};
    use super::super::block::{self, Register};
    use core::array::from_fn;

    pub(in super::super) const NAME: Option<&str> = Some("arrays");

    pub(in super::super) fn run<W: Work>(work: W) -> Option<W::Output> {
        block::run::<Array, W>(work)
    }

    #[derive(Clone, Copy)]
    struct Array([u8; 16]);

    impl Array {
        fn each(self, f: impl Fn(u8) -> u8) -> Self {
            Self(self.0.map(f))
        }

        fn both(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
            Self(from_fn(|lane| f(self.0[lane], other.0[lane])))
        }
    }

    /// Returns 0xFF for `true`, and 0 for `false`.
    fn all_bits(is: bool) -> u8 {
        if is { 0xFF } else { 0 }
    }

    impl Register for Array {
        fn read(block: &[u8; BLOCK]) -> [Self; 4] {
            from_fn(|register| Self(from_fn(|lane| block[16 * register + lane])))
        }

        fn arrange(ordered: [Self; 4]) -> [Self; 4] {
            ordered
        }

        fn write(registers: [Self; 4], block: &mut [u8; BLOCK]) {
            *block = from_fn(|at| registers[at / 16].0[at % 16]);
        }

        fn load(bytes: &[u8; 16]) -> Self {
            Self(*bytes)
        }

        fn from_halves(low: u64, high: u64) -> Self {
            let number = u128::from(low) | u128::from(high) << 64;
            Self(number.to_le_bytes())
        }

        fn shift(self, count: u8) -> Self {
            let from = |lane: usize| usize::from(count.wrapping_add(lane.try_into().unwrap_or(0)));
            Self(from_fn(|lane| self.0.get(from(lane)).copied().unwrap_or(0)))
        }

        fn and(self, other: Self) -> Self {
            self.both(other, |one, other| one & other)
        }

        fn or(self, other: Self) -> Self {
            self.both(other, |one, other| one | other)
        }

        fn is(self, byte: u8) -> Self {
            self.each(|b| all_bits(b == byte))
        }

        fn is_member(self, set: &Nibbles) -> Self {
            self.each(|byte| all_bits(set.contains(byte)))
        }

        fn mask(registers: [Self; 4]) -> u64 {
            let bytes = registers.iter().flat_map(|register| register.0);
            let bits = bytes
                .enumerate()
                .map(|(at, byte)| u64::from(byte >> 7) << at);
            bits.sum()
        }

        fn select(self, there: Self, elsewhere: Self) -> Self {
            let there = self.both(there, |mask, byte| mask & byte);
            there.or(self.both(elsewhere, |mask, byte| !mask & byte))
        }

        fn octets(first: Self, second: Self) -> Self {
            let digit = |byte| char::from(byte).to_digit(16).unwrap_or(0) as u8;
            first.both(second, |first, second| digit(first) << 4 | digit(second))
        }

        fn compress(bytes: u64, mask: u8) -> u64 {
            compress::one_by_one(bytes, mask)
        }
    }
}
