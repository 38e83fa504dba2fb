//! Each version of the scanner, compared with the portable one.

#![allow(clippy::indexing_slicing)] // a test fails by panicking

use super::portable::Portable;
use super::text::{REGION, Region, Set, outside_at_level, runs_at_level};
use super::{
    ALPHANUMERIC, BLOCK, Block, Blocks, HEX, Lengths, Level, MIN_LEN, Nibbles, Scanner, Work,
};
use crate::grammar::{ByteSet, rfc3986};
use alloc::vec::Vec;

/// Every mask of every block, for some bytes and some sets.
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
            // In a later block, some versions look again at bytes before it.
            let are_all = |set| start == 0 && block.are_all(set);
            masks.extend(SETS.iter().map(|set| u64::from(are_all(set))));
            masks.push(block.is(b'a') & SHORTEST_PREFIX);
        }
        let beginning = scanner.first(self.text).prefix();
        assert!(S::Block::PREFIX_LEN.is_multiple_of(MIN_LEN));
        masks.push(beginning.is(b'a') & SHORTEST_PREFIX);
        Some(masks)
    }
}

/// The first block of an input of any length, and the offsets of its slashes one by one.
struct AnyLength<'t> {
    text: &'t [u8],
}

impl Work for AnyLength<'_> {
    type Output = (Vec<u64>, Vec<u32>);
    const LENGTHS: Lengths = Lengths::Any;

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
                    let has_scanner = level != Level::BYTES;
                    assert_eq!(found, expected.clone().filter(|_| has_scanner), "{level:?}");
                }
            });
        }
    }
}

/// The bytes that the prefix of a block has in every version.
const SHORTEST_PREFIX: u64 = u64::MAX >> (BLOCK - MIN_LEN);

/// All masks of an input with a given version.
pub(super) fn every_mask(level: Level, text: &[u8]) -> Option<Vec<u64>> {
    let bytes = b"a%/";
    level.run(Masks { text, bytes })
}

/// The masks of the first block of an input of any length.
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

/// Calls `check` with an input of a given length and alignment. It is surrounded by a byte that
/// must not appear in any mask.
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
fn a_set_has_its_characters_and_nothing_beyond_ascii() {
    for byte in 0..=u8::MAX {
        let set = Nibbles::new(rfc3986::QUERY.set());
        assert_eq!(set.contains(byte), rfc3986::QUERY.set().contains(byte));
        assert_eq!(SETS[3].contains(byte), byte.is_ascii());
        assert_eq!(HEX.contains(byte), byte.is_ascii_hexdigit());
    }
}

#[test]
fn a_region_has_each_byte_without_the_other_after_it() {
    let text: Vec<u8> = (0..5_000_usize)
        .map(|at| b"a: b::c\xBA;"[at * at % 9])
        .collect();
    for length in (0..300).chain([2_047, 2_048, 2_049, 2_112, 2_113, 5_000]) {
        for start in [0, 1, 7, 64, 100, 2_500] {
            let text = &text[..length];
            let blocks = length.saturating_sub(start + 1) / BLOCK;
            for level in Level::all() {
                let mut region = Region::default();
                region.look_at_level(level, text, start, b':', b' ');
                assert_eq!(
                    region.blocks,
                    blocks.min(REGION),
                    "{level:?} {length} {start}"
                );
                for block in 0..region.blocks {
                    let first = start + block * BLOCK;
                    let bits = (0..BLOCK).map(|at| {
                        let is_found = text[first + at] == b':' && text[first + at + 1] != b' ';
                        u64::from(is_found) << at
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
                    let found = runs_at_level(level, &text, &digits, &letters);
                    assert_eq!(found, expected, "{level:?} {text:?}");
                    let bits = 0..BLOCK;
                    let is_outside =
                        |at: &usize| text.get(*at).is_none_or(|b| !letters.contains(*b));
                    let mask = bits.filter(is_outside).fold(0, |mask, at| mask | 1 << at);
                    assert_eq!(outside_at_level(level, &text, &letters), mask, "{text:?}");
                }
            }
        }
    }
}
