//! Compares each version of the scanner with the naive one.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)] // a test fails by panicking

use super::naive::Naive;
use super::text::{REGION, Region, Set, outside_at_level, runs_at_level};
use super::unescape::{unescape_at, unescape_utf8_at};
use super::{
    ALPHANUMERIC, BLOCK, Block, Blocks, ByteSet, HEX, Lengths, Level, MIN_LEN, Nibbles, Scanner,
    WIDE, Work,
};
use alloc::format;
use alloc::string::{FromUtf8Error, String};
use alloc::vec::Vec;

/// Every mask of every block, for some bytes and some sets.
struct Masks<'t> {
    text: &'t [u8],
    bytes: &'t [u8],
}

/// The characters of RFC 3986's `query`.
const QUERY: ByteSet = ByteSet::range(b'a', b'z')
    .or(ByteSet::range(b'@', b'Z'))
    .or(ByteSet::range(b'$', b';'))
    .or(ByteSet::of(b"!=?_~"))
    .without(ByteSet::of(b"%"));

const SETS: [Nibbles; 5] = [
    ALPHANUMERIC,
    HEX,
    Nibbles::new(&QUERY),
    Nibbles::new(&ByteSet::range(0, 0xFF)),
    Nibbles::new(&ByteSet::EMPTY),
];

impl Work for Masks<'_> {
    type Output = Vec<u64>;
    const HAS_SSSE3: bool = true;

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
            let are_all = |set| start == 0 && self.text.len() >= WIDE && block.are_all(set);
            masks.extend(SETS.iter().map(|set| u64::from(are_all(set))));
            masks.push(block.is(b'a') & SHORTEST_PREFIX);
        }
        let beginning = scanner.first_or_narrow(self.text).prefix();
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
    const HAS_SSSE3: bool = true;

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
                let expected = AnyLength { text }.run(Naive);
                for level in Level::all() {
                    let found = level.run(AnyLength { text });
                    let has_scanner = level != Level::PORTABLE;
                    assert_eq!(found, expected.clone().filter(|_| has_scanner), "{level:?}");
                }
            });
        }
    }
}

/// The bytes that the prefix of a block has in every version.
const SHORTEST_PREFIX: u64 = u64::MAX >> (BLOCK - MIN_LEN);

/// All masks of an input with a given version.
#[cfg(all(feature = "std", target_os = "linux"))]
fn every_mask(level: Level, text: &[u8]) -> Option<Vec<u64>> {
    let bytes = b"a%/";
    level.run(Masks { text, bytes })
}

/// The masks of the first block of an input of any length.
#[cfg(all(feature = "std", target_os = "linux"))]
fn masks_of_any_length(level: Level, text: &[u8]) -> Option<Vec<u64>> {
    level.run(AnyLength { text }).map(|(masks, _)| masks)
}

fn assert_same(text: &[u8], bytes: &[u8], place: &str) {
    let expected = Masks { text, bytes }.run(Naive);
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
                assert_same(text, b"z/?", &format!("{length} bytes at {alignment}"));
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
                    assert_same(text, &[value], &format!("{value} at {place} of {length}"));
                });
            }
        }
    }
}

#[test]
fn a_set_has_its_characters_and_nothing_beyond_ascii() {
    for byte in 0..=u8::MAX {
        let set = Nibbles::new(&QUERY);
        assert_eq!(set.contains(byte), QUERY.contains(byte));
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

/// Decodes byte by byte.
fn byte_by_byte(text: &str, plus: bool) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'%' => {
                let digits = core::str::from_utf8(&rest[..2]).unwrap_or_default();
                octets.extend(u8::from_str_radix(digits, 16));
                rest = &rest[2..];
            }
            b'+' if plus => octets.push(b' '),
            _ => octets.push(*byte),
        }
    }
    octets
}

fn check(text: &str) {
    for plus in [false, true] {
        let expected = byte_by_byte(text, plus);
        for level in Level::all() {
            let mut octets = b"before".to_vec();
            let outcome = unescape_at(level, text, plus, &mut octets);
            let has_blocks = level.has_blocks(text.as_bytes());
            let has_scanner = has_blocks && text.len() >= level.least();
            assert_eq!(outcome.is_some(), has_scanner, "{text}: {level:?}");
            if has_scanner {
                assert_eq!(
                    octets.strip_prefix(b"before"),
                    Some(&*expected),
                    "{text}: {level:?}"
                );
                let utf8 = unescape_utf8_at(level, text, plus);
                let expected = String::from_utf8(expected.clone());
                let expected = expected.map_err(FromUtf8Error::into_bytes);
                assert_eq!(utf8, Some(expected), "{text}: {level:?}");
            } else {
                assert_eq!(octets, b"before");
                assert_eq!(unescape_utf8_at(level, text, plus), None);
            }
        }
    }
}

const ESCAPES: [&str; 24] = [
    "%41",
    "%2B",
    "+",
    "%7f",
    "%80",
    "%BF",
    "%C0",
    "%c3%A9",
    "%C3",
    "%C3%C3",
    "%E3%82%A2",
    "%E3%82",
    "%E0%80%80",
    "%ED%A0%80",
    "%EF%BF%BF",
    "%F0%9F%92%A9",
    "%F0%80%80%80",
    "%F4%90%80%80",
    "%F4%8F%BF%BF",
    "%FF",
    "\u{e9}",
    "%C3\u{e9}",
    "%E3+%82%A2",
    "%E3%82x%A2",
];

#[test]
fn every_escape_at_every_offset() {
    for length in [0, 14, 20, 31, 33, 63, 64, 65, 100, 130] {
        for at in 0..=length {
            for escape in ESCAPES {
                let (before, after) = ("x".repeat(at), "y".repeat(length - at));
                check(&format!("{before}{escape}{after}"));
            }
        }
    }
}

#[test]
fn escapes_after_each_other() {
    for first in ESCAPES {
        for second in ESCAPES {
            for between in 0..70 {
                let between = "z".repeat(between);
                check(&format!("{first}{between}{second}"));
                check(&format!("{between}{first}{second}{first}"));
            }
        }
    }
    for count in 0..200 {
        check(&"%41".repeat(count));
        check(&"%C3%A9".repeat(count));
        check(&"+".repeat(count));
    }
}

/// Decodes malformed escapes, which callers normally reject first. The resulting octets are
/// unspecified, but a `String` is always UTF-8.
#[test]
fn malformed_escapes_make_no_invalid_string() {
    for escape in [
        "%",
        "%4",
        "%%",
        "%%41",
        "%4\u{e9}",
        "%\u{e9}",
        "%zz",
        "%\u{20ac}",
        "%a\u{20ac}",
    ] {
        for length in 0..140 {
            for (before, after) in [(length, 20), (20, length), (length, 0)] {
                let text = "x".repeat(before) + escape + &"y".repeat(after);
                for level in Level::all() {
                    if let Some(Ok(text)) = unescape_utf8_at(level, &text, true) {
                        assert!(core::str::from_utf8(text.as_bytes()).is_ok());
                    }
                }
            }
        }
    }
}

/// Tests that nothing past the end of an input is read: inputs that end where a page of memory
/// does, followed by an inaccessible page.
///
/// The core's `tests/memory.rs` checks each byte that is read with valgrind, which does not support
/// AVX-512. A guard page works for all versions, because bytes that an AVX-512 load excludes do not
/// cause a fault.
#[cfg(all(feature = "std", target_os = "linux"))]
mod guard {
    use super::{every_mask, masks_of_any_length};
    use crate::text::{Region, Set, runs_at_level};
    use crate::unescape::unescape_utf8_at;
    use crate::{ByteSet, Level};
    use alloc::vec::Vec;
    use core::ffi::c_void;
    use core::{ptr, slice};
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

    /// The length of each half of the mapping: at least one page on x86-64 and AArch64.
    const PAGE: usize = 0x1_0000;

    /// An accessible page, followed by an inaccessible one.
    struct Guarded(*mut c_void);

    impl Guarded {
        fn new() -> Self {
            // SAFETY: the mapping is new, so nothing else refers to it. Its second half is not
            // accessed from here on.
            let place = unsafe {
                let place = mmap_anonymous(
                    ptr::null_mut(),
                    2 * PAGE,
                    ProtFlags::READ | ProtFlags::WRITE,
                    MapFlags::PRIVATE,
                )
                .unwrap();
                mprotect(place.byte_add(PAGE), PAGE, MprotectFlags::empty()).unwrap();
                place
            };
            Self(place)
        }

        /// Copies `text` so that it ends where the accessible page does.
        fn copy_to_end(&mut self, text: &[u8]) -> &[u8] {
            assert!(text.len() <= PAGE);
            // SAFETY: the first page is readable and writable, and is borrowed as long as `self`
            // is.
            let page = unsafe { slice::from_raw_parts_mut(self.0.cast::<u8>(), PAGE) };
            let start = PAGE - text.len();
            page[start..].copy_from_slice(text);
            &page[start..]
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            // SAFETY: both pages were mapped by `new`, and nothing borrows them any more.
            unsafe { munmap(self.0, 2 * PAGE).unwrap() }
        }
    }

    #[test]
    fn nothing_past_the_end_is_read() {
        let mut guarded = Guarded::new();
        let letters = Set::new(ByteSet::range(b'a', b'z'));
        for length in 0..=300 {
            let text: Vec<u8> = b"a%41/b:c?%C3%A9+d"
                .iter()
                .copied()
                .cycle()
                .take(length)
                .collect();
            let guarded_text = guarded.copy_to_end(&text);
            for level in Level::all() {
                assert_eq!(every_mask(level, guarded_text), every_mask(level, &text));
                assert_eq!(
                    masks_of_any_length(level, guarded_text),
                    masks_of_any_length(level, &text)
                );
                assert_eq!(
                    runs_at_level(level, guarded_text, &letters, &letters),
                    runs_at_level(level, &text, &letters, &letters)
                );
                let (mut guarded_region, mut region) = (Region::default(), Region::default());
                guarded_region.look_at_level(level, guarded_text, 0, b'%', b'C');
                region.look_at_level(level, &text, 0, b'%', b'C');
                assert_eq!(guarded_region.masks, region.masks);
                let guarded_text = core::str::from_utf8(guarded_text).unwrap();
                let text = core::str::from_utf8(&text).unwrap();
                assert_eq!(
                    unescape_utf8_at(level, guarded_text, true),
                    unescape_utf8_at(level, text, true)
                );
            }
        }
    }
}
