//! Each version against the obvious one.

#![allow(clippy::indexing_slicing)] // a test fails by panicking

use super::portable::Portable;
use super::text::{REGION, Region, Set, runs_by};
use super::{ALPHANUMERIC, BLOCK, Block, Blocks, HEX, LEAST, Level, Nibbles, Scanner, Work};
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
    fn run<S: Scanner>(self, scanner: S) -> Option<Vec<u64>> {
        let mut masks = Vec::new();
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((start, block)) = blocks.next() {
            masks.extend(self.bytes.iter().map(|byte| block.is(*byte)));
            masks.extend(self.bytes.iter().map(|byte| block.is_either(*byte, b'.')));
            masks.extend(SETS.iter().map(|set| block.members(set)));
            // In a later block, some look at bytes before it again.
            let are_all = |set| start == 0 && block.are_all(set);
            masks.extend(SETS.iter().map(|set| u64::from(are_all(set))));
            masks.push(block.is(b'a') & SHORTEST_BEGINNING);
        }
        let beginning = scanner.first(self.text).beginning();
        assert!(S::Block::BEGINNING.is_multiple_of(LEAST));
        masks.push(beginning.is(b'a') & SHORTEST_BEGINNING);
        Some(masks)
    }
}

/// The first block of a text of any length, and the places of its slashes one by one.
struct AnyLength<'t> {
    text: &'t [u8],
}

impl Work for AnyLength<'_> {
    type Output = (Vec<u64>, Vec<u32>);
    const ANY: bool = true;

    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<(Vec<u64>, Vec<u32>)> {
        let block = scanner.any(self.text);
        let slashes = block.is(b'/');
        let masks = [block.is(b'z'), block.is(b'%'), block.members(&HEX), slashes];
        let places = (0..=64).map(|below| scanner.nth(slashes, below));
        Some((masks.to_vec(), places.collect()))
    }
}

#[test]
fn the_first_block_of_every_length_at_every_alignment() {
    for length in 1..=130 {
        for alignment in 0..BLOCK {
            let byte = |at: usize| b"/b%/:/0F\xE9"[(at * 5 + length) % 9];
            at_alignment(length, alignment, byte, |text| {
                let expected = AnyLength { text }.run(Portable);
                for level in Level::all() {
                    let found = level.run(AnyLength { text });
                    let is_there = level != Level::BYTES;
                    assert_eq!(found, expected.clone().filter(|_| is_there), "{level:?}");
                }
            });
        }
    }
}

/// What every version has in its beginning.
const SHORTEST_BEGINNING: u64 = u64::MAX >> (BLOCK - LEAST);

/// All masks that a level has of a text.
pub(super) fn every_mask(level: Level, text: &[u8]) -> Option<Vec<u64>> {
    let bytes = b"a%/";
    level.run(Masks { text, bytes })
}

/// The masks of the first block of a text, of whatever length it is.
pub(super) fn masks_of_any_length(level: Level, text: &[u8]) -> Option<Vec<u64>> {
    level.run(AnyLength { text }).map(|(masks, _)| masks)
}

fn assert_same(text: &[u8], bytes: &[u8], place: &str) {
    let expected = Masks { text, bytes }.run(Portable);
    for level in Level::all() {
        let found = level.run(Masks { text, bytes });
        if text.len() < level.least() {
            assert_eq!(found, None, "{level:?}: {place}");
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

#[test]
fn a_region_has_each_byte_that_another_follows() {
    let text: Vec<u8> = (0..5_000_usize)
        .map(|at| b"a: b::c\xBA;"[at * at % 9])
        .collect();
    for length in (0..300).chain([2_047, 2_048, 2_049, 2_112, 2_113, 5_000]) {
        for start in [0, 1, 7, 64, 100, 2_500] {
            let text = &text[..length];
            let blocks = length.saturating_sub(start + 1) / BLOCK;
            for level in Level::all() {
                let mut region = Region::default();
                region.look_by(level, text, start, b':', b' ');
                assert_eq!(
                    region.blocks,
                    blocks.min(REGION),
                    "{level:?} {length} {start}"
                );
                for block in 0..region.blocks {
                    let first = start + block * BLOCK;
                    let bits = (0..BLOCK).map(|at| {
                        let there = text[first + at] == b':' && text[first + at + 1] != b' ';
                        u64::from(there) << at
                    });
                    assert_eq!(region.masks[block], bits.sum::<u64>(), "{level:?} {first}");
                    assert_eq!(region.any >> block & 1 == 1, region.masks[block] != 0);
                }
                let beyond = region
                    .any
                    .checked_shr(u32::try_from(region.blocks).unwrap());
                assert_eq!(beyond.unwrap_or(0), 0, "{level:?} {length} {start}");
            }
        }
    }
}

#[test]
fn runs_end_where_their_sets_do() {
    let digits = Set::new(ByteSet::range(b'0', b'9'));
    let letters = Set::new(ByteSet::range(b'a', b'z'));
    for first in 0..90 {
        for second in 0..90 {
            for tail in [
                &b""[..],
                b"/",
                b"\xE9",
                b"9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z9z",
            ] {
                let text = [&b"1".repeat(first)[..], &b"m".repeat(second), tail].concat();
                let run = |set: &Set, at: usize| {
                    let end = text[at..].iter().position(|byte| !set.contains(*byte));
                    end.map_or(text.len(), |end| at + end)
                };
                let end = run(&digits, 0);
                let expected = (end.min(BLOCK), run(&letters, end).min(BLOCK));
                for level in Level::all() {
                    let found = runs_by(level, &text, &digits, &letters);
                    assert_eq!(found, expected, "{level:?} {text:?}");
                }
            }
        }
    }
}
