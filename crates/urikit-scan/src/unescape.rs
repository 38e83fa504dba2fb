//! Decodes escapes, 64 bytes at a time.
//!
//! # Decoding
//!
//! A block is decoded in three steps, without a branch for each escape:
//!
//! 1. For *every* byte of the block, compute the octet of an escape that would begin there, from
//!    the two bytes that follow: the block shifted by one byte and by two.
//! 2. Use that octet where the byte is a `%`, and the byte itself elsewhere.
//! 3. Remove the digits of escapes, and close the gaps.
//!
//! ```text
//! input    a  %  4  1  b
//! step 2   a  A  4  1  b
//! kept     1  1  .  .  1
//! step 3   a  A  b
//! ```
//!
//! # UTF-8
//!
//! The UTF-8 check examines the input rather than the output. Reading the output again would be
//! slow: a processor delays a wide load from memory to which it has just made small stores.
//! Unescaped text comes from a `str`, so it is UTF-8, and escaped US-ASCII characters are too.
//! Decoding records whether it found any other octets. If so, adjacent escapes must form complete
//! characters.

use super::copy::{copy_both_ends, copy_short};
use super::scanner::{Escapes, OutBuffer};
use super::{BLOCK, Block, Blocks, ByteSet, HEX, Level, Nibbles, Scanner, Work};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// Properties of the decoded escapes.
#[derive(Debug)]
pub struct Outcome {
    /// True if an escape decodes to a non-ASCII octet.
    has_non_ascii: bool,
    /// True if a `%` is not followed by two hexadecimal digits.
    has_malformed: bool,
}

/// Decodes `text` and appends its octets to `out`, with a space for each `+` if `plus` is true.
/// Returns `None` and leaves `out` unchanged if no scanner reads inputs of this length.
///
/// Two hexadecimal digits should follow each `%`. If they do not, the octets are unspecified.
#[inline]
pub fn unescape(text: &str, plus: bool, out: &mut Vec<u8>) -> Option<Outcome> {
    unescape_at(Level::best(), text, plus, out)
}

/// Decodes `text` to a string, or to octets if they are not UTF-8, with a space for each `+` if
/// `plus` is true. Returns `None` if no scanner reads inputs of this length.
#[inline]
pub fn unescape_utf8(text: &str, plus: bool) -> Option<Result<String, Vec<u8>>> {
    unescape_utf8_at(Level::best(), text, plus)
}

#[inline]
pub(super) fn unescape_at(
    level: Level,
    text: &str,
    plus: bool,
    out: &mut Vec<u8>,
) -> Option<Outcome> {
    let text = text.as_bytes();
    if !level.has_blocks(text) {
        return None;
    }
    // Even the last block is written to a buffer of the full length, although the block may have
    // fewer octets.
    out.reserve(text.len() + size_of::<OutBuffer>());
    let place = out.spare_capacity_mut();
    let (length, outcome) = level.run(Unescape { text, plus, place })?;
    // SAFETY: `Unescape` wrote `length` octets to the start of the spare capacity, by its
    // invariant.
    unsafe { out.set_len(out.len() + length) };
    Some(outcome)
}

#[inline]
pub(super) fn unescape_utf8_at(
    level: Level,
    text: &str,
    plus: bool,
) -> Option<Result<String, Vec<u8>>> {
    let mut octets = Vec::new();
    let outcome = unescape_at(level, text, plus, &mut octets)?;
    if !outcome.has_malformed && (!outcome.has_non_ascii || level.run(Utf8Check { text })?) {
        // SAFETY: each `%` begins an escape, so no unescaped character was split, and text that is
        // not escaped is UTF-8 as before. Each escape is US-ASCII, or `Utf8Check` found that it is
        // part of a complete character. A space for a `+` is US-ASCII.
        Some(Ok(unsafe { String::from_utf8_unchecked(octets) }))
    } else {
        Some(Err(octets))
    }
}

struct Unescape<'t, 'o> {
    text: &'t [u8],
    plus: bool,
    place: &'o mut [MaybeUninit<u8>],
}

impl Work for Unescape<'_, '_> {
    /// The number of octets written to the start of `place`.
    type Output = (usize, Outcome);

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<(usize, Outcome)> {
        let Self { text, plus, place } = self;
        let mut outcome = Outcome {
            has_non_ascii: false,
            has_malformed: false,
        };
        // The number of octets written. INVARIANT: this is at most the number of bytes read, and
        // `place` is initialized up to this length.
        let mut length = 0;
        // The mask of the digits at the start of the next block that belong to an escape in this
        // block.
        let mut carried = 0;
        let mut blocks = Blocks::new(scanner, text);
        while let Some((start, block)) = blocks.next() {
            let percent = block.is(b'%');
            let pluses = if plus { block.is(b'+') } else { 0 };
            let count = BLOCK.min(text.len() - start);
            let digits = percent << 1 | percent << 2 | carried;
            let place = place.get_mut(length..)?;
            if percent | carried | pluses == 0 {
                copy(text.get(start..)?, place);
                length += count;
                continue;
            }
            outcome.has_malformed |= digits & !block.members(&HEX) != 0;
            let kept = u64::MAX >> (BLOCK - count) & !digits;
            let escapes = Escapes {
                percent,
                kept,
                plus,
            };
            outcome.has_non_ascii |=
                scanner.unescape_block(text, start, escapes, place.first_chunk_mut()?);
            length += kept.count_ones() as usize;
            carried = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        }
        outcome.has_malformed |= carried != 0;
        Some((length, outcome))
    }
}

/// Copies a block, or the rest of the input if it is shorter, to the start of `place`, which must
/// be longer than a block.
#[inline(always)]
fn copy(rest: &[u8], place: &mut [MaybeUninit<u8>]) {
    if let (Some(block), Some(place)) = (rest.first_chunk::<BLOCK>(), place.first_chunk_mut()) {
        *place = block.map(MaybeUninit::new);
    } else if !copy_both_ends::<32>(rest, place) {
        copy_short(rest, place);
    }
}

/// Checks that the escapes of non-ASCII octets form complete UTF-8 characters (RFC 3629, 4).
struct Utf8Check<'t> {
    text: &'t str,
}

impl Work for Utf8Check<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text.as_bytes()
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let text = self.text.as_bytes();
        let mut at: usize = 0;
        let mut blocks = Blocks::new(scanner, text);
        while let Some((start, block)) = blocks.next() {
            let percent = block.is(b'%');
            // Escapes of non-ASCII octets have a first digit other than 0 to 7. For a `%` at the
            // end of the block, the digit is in the next block, so that escape is always read.
            let mut escapes =
                percent & !(block.members(&ASCII_FIRST_DIGIT) >> 1 & !(1 << (BLOCK - 1)));
            loop {
                escapes &= match at.saturating_sub(start) {
                    taken if taken < BLOCK => u64::MAX << taken,
                    _ => 0,
                };
                if escapes == 0 {
                    break;
                }
                match utf8_char(text, start + escapes.trailing_zeros() as usize) {
                    Some(end) => at = end,
                    None => return Some(false),
                }
            }
        }
        Some(true)
    }
}

/// The first digits of escapes of US-ASCII characters.
const ASCII_FIRST_DIGIT: Nibbles = Nibbles::new(&ByteSet::range(b'0', b'7'));

/// Returns the end of the escapes of the character whose first octet is escaped at `at`, or `None`
/// if they are not a complete character.
#[inline(always)]
fn utf8_char(text: &[u8], at: usize) -> Option<usize> {
    let (first, end) = pct_encoded(text, at)?;
    let (count, second) = match first {
        0..=0x7F => return Some(end),
        0xC2..=0xDF => (2, 0x80..=0xBF),
        0xE0 => (3, 0xA0..=0xBF),
        0xED => (3, 0x80..=0x9F),
        0xE1..=0xEF => (3, 0x80..=0xBF),
        0xF0 => (4, 0x90..=0xBF),
        0xF1..=0xF3 => (4, 0x80..=0xBF),
        0xF4 => (4, 0x80..=0x8F),
        _ => return None,
    };
    let (octet, mut end) = pct_encoded(text, end)?;
    if !second.contains(&octet) {
        return None;
    }
    for _ in 2..count {
        let (octet, octet_end) = pct_encoded(text, end)?;
        if octet & 0xC0 != 0x80 {
            return None;
        }
        end = octet_end;
    }
    Some(end)
}

/// Returns the octet of the escape at `at`, and the end of the escape.
#[inline(always)]
fn pct_encoded(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match text.get(at..)? {
        [b'%', high, low, ..] => {
            let value = |digit: u8| char::from(digit).to_digit(16)?.try_into().ok();
            let (high, low): (u8, u8) = (value(*high)?, value(*low)?);
            Some((high << 4 | low, at + 3))
        }
        _ => None,
    }
}
