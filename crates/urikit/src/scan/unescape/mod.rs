//! Escapes to octets, sixty-four bytes at a time: for each byte the octet that an escape would stand for which begins there, those
//! taken that do begin there, and the digits left out.
//!
//! What was written is not read again: a processor that has many small stores before it waits with a wide load. So whether
//! the octets are UTF-8 is seen in the text: what is not escaped is, and so are escaped characters of US-ASCII. Where there
//! are others, which is noted while they are written, escapes that follow each other have to make whole characters.

#[cfg(test)]
mod tests;

use super::copy::{both_ends, last};
use super::{BLOCK, Block, Blocks, Escapes, HEX, Level, Nibbles, Place, Scanner, Work};
use crate::grammar::ByteSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// What is seen of the escapes while their octets are written.
pub(crate) struct Seen {
    /// Whether one of them is beyond US-ASCII.
    is_high: bool,
    /// Whether one of them has not two digits.
    is_bad: bool,
}

/// Appends the octets that `text` stands for; `None`, and `out` as it was, where there is no scanner. Two hexadecimal digits
/// should follow each `%`; where they do not, no octet is promised.
#[inline]
pub(crate) fn unescape(text: &str, plus: bool, out: &mut Vec<u8>) -> Option<Seen> {
    unescape_at(Level::best(), text, plus, out)
}

/// The text that `text` stands for; the octets where they are no UTF-8, and `None` where there is no scanner.
#[inline]
pub(crate) fn unescape_utf8(text: &str, plus: bool) -> Option<Result<String, Vec<u8>>> {
    unescape_utf8_at(Level::best(), text, plus)
}

#[inline]
fn unescape_at(level: Level, text: &str, plus: bool, out: &mut Vec<u8>) -> Option<Seen> {
    let text = text.as_bytes();
    if !level.has_blocks(text) {
        return None;
    }
    // More than the text, since what is written last may be a whole place.
    out.reserve(text.len() + size_of::<Place>());
    let place = out.spare_capacity_mut();
    let (length, seen) = level.run(Unescape { text, plus, place })?;
    // SAFETY: `Unescape` gives how many octets it wrote to the front of the spare capacity.
    unsafe { out.set_len(out.len() + length) };
    Some(seen)
}

#[inline]
pub(super) fn unescape_utf8_at(
    level: Level,
    text: &str,
    plus: bool,
) -> Option<Result<String, Vec<u8>>> {
    let mut octets = Vec::new();
    let seen = unescape_at(level, text, plus, &mut octets)?;
    if !seen.is_bad && (!seen.is_high || level.run(Characters { text })?) {
        // SAFETY: no character was cut, since each `%` begins an escape: what is not escaped is UTF-8, as it was. What is
        // escaped is US-ASCII, or its other octets are whole characters, as `Characters` says. So is a space for a `+`.
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
    /// How many octets were written, from the front of the place on.
    type Output = (usize, Seen);

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<(usize, Seen)> {
        let Self { text, plus, place } = self;
        let mut seen = Seen {
            is_high: false,
            is_bad: false,
        };
        // What was written. INVARIANT: no more than was read, and all of the place before it.
        let mut length = 0;
        // The first bytes of the next block that are digits of an escape of this one.
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
            seen.is_bad |= digits & !block.members(&HEX) != 0;
            let kept = u64::MAX >> (BLOCK - count) & !digits;
            let escapes = Escapes {
                percent,
                kept,
                plus,
            };
            seen.is_high |= scanner.octets(text, start, escapes, place.first_chunk_mut()?);
            length += kept.count_ones() as usize;
            carried = percent >> (BLOCK - 1) | percent >> (BLOCK - 2);
        }
        seen.is_bad |= carried != 0;
        Some((length, seen))
    }
}

/// Copies a block, or what is left, to the front of a place that is longer.
#[inline(always)]
fn copy(rest: &[u8], place: &mut [MaybeUninit<u8>]) {
    if let (Some(block), Some(place)) = (rest.first_chunk::<BLOCK>(), place.first_chunk_mut()) {
        *place = block.map(MaybeUninit::new);
    } else if !both_ends::<32>(rest, place) {
        last(rest, place);
    }
}

/// Whether the escapes of octets beyond US-ASCII make whole characters of UTF-8 (RFC 3629, 4).
struct Characters<'t> {
    text: &'t str,
}

impl Work for Characters<'_> {
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
            // The digit behind the last byte is in the next block.
            let mut escapes = percent & !(block.members(&LOW) >> 1 & !(1 << (BLOCK - 1)));
            loop {
                escapes &= match at.saturating_sub(start) {
                    taken if taken < BLOCK => u64::MAX << taken,
                    _ => 0,
                };
                if escapes == 0 {
                    break;
                }
                match character(text, start + escapes.trailing_zeros() as usize) {
                    Some(behind) => at = behind,
                    None => return Some(false),
                }
            }
        }
        Some(true)
    }
}

/// The first digits of escapes of US-ASCII.
const LOW: Nibbles = Nibbles::new(&ByteSet::range(b'0', b'7'));

/// Where the character ends whose first octet is escaped at `at`; `None` where it is not whole.
#[inline(always)]
fn character(text: &[u8], at: usize) -> Option<usize> {
    let (first, behind) = escape(text, at)?;
    let (count, second) = match first {
        0..=0x7F => return Some(behind),
        0xC2..=0xDF => (2, 0x80..=0xBF),
        0xE0 => (3, 0xA0..=0xBF),
        0xED => (3, 0x80..=0x9F),
        0xE1..=0xEF => (3, 0x80..=0xBF),
        0xF0 => (4, 0x90..=0xBF),
        0xF1..=0xF3 => (4, 0x80..=0xBF),
        0xF4 => (4, 0x80..=0x8F),
        _ => return None,
    };
    let (octet, mut behind) = escape(text, behind)?;
    if !second.contains(&octet) {
        return None;
    }
    for _ in 2..count {
        let (octet, end) = escape(text, behind)?;
        if octet & 0xC0 != 0x80 {
            return None;
        }
        behind = end;
    }
    Some(behind)
}

/// The octet that is escaped at `at`, and where its escape ends.
#[inline(always)]
fn escape(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match text.get(at..)? {
        [b'%', high, low, ..] => {
            let (high, low) = (value(*high), value(*low));
            ((high | low) < 16).then_some((high << 4 | low, at + 3))
        }
        _ => None,
    }
}

/// The value of a hexadecimal digit; all ones for what is none.
#[inline(always)]
fn value(digit: u8) -> u8 {
    VALUES.get(usize::from(digit)).copied().unwrap_or(u8::MAX)
}

/// The values of the hexadecimal digits.
#[allow(clippy::indexing_slicing)] // in a constant: the compiler would stop
static VALUES: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789ABCDEF"[value as usize] as usize] = value;
        values[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    values
};
