//! The obvious byte-by-byte version, against which the tests check the others.

#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // a test fails by panicking

use super::scanner::{self, Escapes, OutBuffer, Rest, Sealed};
use super::{BLOCK, Block, Nibbles, Scanner};
use alloc::vec::Vec;

/// The scanner that the tests use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naive;

/// The bytes of a block.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    bytes: [u8; BLOCK],
    length: usize,
}

impl Bytes {
    fn mask(self, is: impl Fn(u8) -> bool) -> u64 {
        let bits: Vec<u64> = (0..self.length)
            .map(|at| u64::from(is(self.bytes[at])) << at)
            .collect();
        bits.iter().sum()
    }
}

impl Sealed for Bytes {}

impl Block for Bytes {
    const PREFIX_LEN: usize = BLOCK;

    fn is(self, byte: u8) -> u64 {
        self.mask(|b| b == byte)
    }

    fn is_either(self, one: u8, other: u8) -> u64 {
        self.mask(|b| b == one || b == other)
    }

    fn are_all(self, set: &Nibbles) -> bool {
        self.bytes[..self.length]
            .iter()
            .all(|byte| set.contains(*byte))
    }

    fn prefix(self) -> Self {
        self
    }

    fn members(self, set: &Nibbles) -> u64 {
        self.mask(|byte| set.contains(byte))
    }
}

impl Sealed for Naive {}

impl Scanner for Naive {
    type Block = Bytes;
    const FOR_SPEED: bool = false;

    fn first(self, text: &[u8]) -> Bytes {
        self.later(text, 0)
    }

    fn any(self, text: &[u8]) -> Bytes {
        self.later(text, 0)
    }

    fn nth(self, mask: u64, below: u32) -> u32 {
        scanner::nth(mask, below)
    }

    fn later(self, text: &[u8], start: usize) -> Bytes {
        let length = BLOCK.min(text.len() - start);
        let mut bytes = [0; BLOCK];
        bytes[..length].copy_from_slice(&text[start..start + length]);
        Bytes { bytes, length }
    }

    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        let block = self.later(text, start);
        block.is(byte) & !self.later(text, start + 1).is(not)
    }

    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool {
        let mut has_non_ascii = false;
        let kept = (0..BLOCK).filter(|at| escapes.kept >> at & 1 == 1);
        for (at, out) in kept.zip(out) {
            let octet = match text[start + at] {
                b'%' => {
                    let digit = |at| text.get(at).and_then(|digit| (*digit as char).to_digit(16));
                    let digits = digit(start + at + 1).zip(digit(start + at + 2));
                    let octet = digits.map_or(0, |(high, low)| (high << 4 | low) as u8);
                    has_non_ascii |= !octet.is_ascii();
                    octet
                }
                b'+' if escapes.plus => b' ',
                byte => byte,
            };
            out.write(octet);
        }
        has_non_ascii
    }

    fn read_rest<R: Rest>(self, text: &[u8], first: R::Output) -> Option<R::Output> {
        R::read(self, text, first)
    }

    fn prefetch(self, _: &[u8], _: usize) {}
}
