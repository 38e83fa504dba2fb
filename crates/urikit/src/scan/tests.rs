//! Each version against the obvious one.

#![allow(clippy::indexing_slicing)] // a test fails by panicking

use super::{ALPHANUMERIC, BLOCK, Block, HEX, LEAST, Level, Nibbles, Scanner, Work};
use crate::grammar::{ByteSet, rfc3986};
use alloc::vec::Vec;

/// Every mask of every block: of some bytes, and of some sets.
struct Masks<'t> {
    text: &'t [u8],
    bytes: &'t [u8],
}

const SETS: [Nibbles; 5] = [
    ALPHANUMERIC,
    HEX,
    Nibbles::new(rfc3986::QUERY.set()),
    Nibbles::new(&ByteSet::range(0, 0xFF)),
    Nibbles::new(&ByteSet::EMPTY),
];

impl Work for Masks<'_> {
    type Output = Vec<u64>;

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Vec<u64> {
        let mut masks = Vec::new();
        for start in (0..self.text.len()).step_by(BLOCK) {
            let block = if start == 0 {
                scanner.first(self.text)
            } else {
                scanner.later(self.text, start)
            };
            masks.extend(self.bytes.iter().map(|byte| block.is(*byte)));
            masks.extend(SETS.iter().map(|set| block.members(set)));
        }
        masks
    }
}

fn assert_same(text: &[u8], bytes: &[u8], place: &str) {
    let expected = Level::all()[1].run(Masks { text, bytes });
    for level in Level::all() {
        let found = level.run(Masks { text, bytes });
        if level == Level::BYTES || text.len() < LEAST {
            assert!(found.is_none() && (level == Level::BYTES || expected.is_none()));
        } else {
            assert_eq!(found, expected, "{level:?}: {place}");
        }
    }
}

/// A text of a length at an alignment: all that lies around it is a byte that no mask may show.
fn at_alignment(
    length: usize,
    alignment: usize,
    byte: impl Fn(usize) -> u8,
    check: impl Fn(&[u8]),
) {
    let mut around = alloc::vec![b'z'; length + 3 * BLOCK];
    let start = around.as_ptr().align_offset(BLOCK) + BLOCK + alignment;
    for at in 0..length {
        around[start + at] = byte(at);
    }
    check(&around[start..start + length]);
}

#[test]
fn every_length_at_every_alignment() {
    for length in 0..=300 {
        for alignment in 0..BLOCK {
            let byte = |at: usize| b"abc/:?#%.-@;0F~ \x80\xFF"[(at * 7 + length) % 18];
            at_alignment(length, alignment, byte, |text| {
                assert_same(
                    text,
                    b"z/?",
                    &alloc::format!("{length} bytes at {alignment}"),
                );
            });
        }
    }
}

#[test]
fn every_byte_at_every_place() {
    for length in [16, 31, 32, 33, 63, 64, 65, 100, 128, 130] {
        for place in 0..length {
            for value in 0..=u8::MAX {
                let byte = |at: usize| if at == place { value } else { b'a' };
                at_alignment(length, 1, byte, |text| {
                    assert_same(
                        text,
                        &[value],
                        &alloc::format!("{value} at {place} of {length}"),
                    );
                });
            }
        }
    }
}

#[test]
fn a_set_has_its_characters_and_no_byte_beyond() {
    for byte in 0..=u8::MAX {
        let set = Nibbles::new(rfc3986::QUERY.set());
        assert_eq!(set.contains(byte), rfc3986::QUERY.set().contains(byte));
        assert_eq!(SETS[3].contains(byte), byte.is_ascii());
        assert_eq!(HEX.contains(byte), byte.is_ascii_hexdigit());
    }
}
