//! Escapes to octets: runs of what stands for itself are copied, sixty-four octets at a time.
//!
//! Each run is copied with what follows it, up to the size of a block, and the next one writes over that. So there is no
//! branch but the loop over the escapes, of which a mask has a bit for each.
//!
//! What was written is not read again: a processor that has many small stores before it waits with a wide load. So whether
//! the octets are UTF-8 is seen in the text: what is not escaped is, and so are escaped characters of US-ASCII. Where there
//! are others, which is noted while they are written, escapes that follow each other have to make whole characters.

#[cfg(test)]
mod tests;

use super::copy::{both_ends, last};
use super::{BLOCK, Block, Blocks, Level, Nibbles, Scanner, Work};
use crate::grammar::ByteSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// What is seen of the octets while they are written.
pub(crate) struct Seen {
    /// All that were escaped, one over the other.
    octets: u8,
    /// All their digits, as values; from 16 on where one is missing.
    digits: u8,
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
    // A block more, since what is copied last may be all of one.
    out.reserve(text.len() + BLOCK);
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
    let mut octets = Vec::with_capacity(text.len() + BLOCK);
    let seen = unescape_at(level, text, plus, &mut octets)?;
    let are_escapes = seen.digits < 16;
    if are_escapes && (seen.octets.is_ascii() || level.run(Characters { text })?) {
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
            octets: 0,
            digits: 0,
        };
        if place.len() < text.len() + BLOCK {
            return None;
        }
        // Where to read and to write next. INVARIANT: `length <= at <= text.len()`, since no more is written than read, and
        // all of the place before `length` was written.
        let (mut at, mut length) = (0, 0);
        let mut blocks = Blocks::new(scanner, text);
        while let Some((start, block)) = blocks.next() {
            let mut marks = block.is(b'%');
            if plus {
                marks |= block.is(b'+');
            }
            while marks != 0 {
                let mark = start + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                let run = mark.checked_sub(at)?;
                // SAFETY: by the invariant and the place's length.
                unsafe { copy(text, at, place, length) };
                length += run;
                let (octet, digits, width) = match text.get(mark..) {
                    Some([b'%', high, low, ..]) => {
                        let (high, low) = (value(*high), value(*low));
                        (high << 4 | low, high | low, 3)
                    }
                    _ => (b' ', 0, 1),
                };
                at = mark + width;
                seen.octets |= octet;
                seen.digits |= digits;
                // SAFETY: `length` is no more than `mark`, which is in the text, and the place is longer.
                unsafe { place.get_unchecked_mut(length) }.write(octet);
                length += 1;
            }
            // No run is longer than a block; an escape may have ended in the next.
            let end = text.len().min(start + BLOCK);
            if at < end {
                // SAFETY: by the invariant and the place's length.
                unsafe { copy(text, at, place, length) };
                length += end - at;
                at = end;
            }
        }
        Some((length, seen))
    }
}

/// Copies the bytes from `at` on to the place from `to` on: a block, or what is left.
///
/// # Safety
///
/// `at` must be no more than the text's length, and the place must have a block behind `to`.
#[inline(always)]
unsafe fn copy(text: &[u8], at: usize, place: &mut [MaybeUninit<u8>], to: usize) {
    debug_assert!(at <= text.len() && to + BLOCK <= place.len());
    // SAFETY: by this function's own contract.
    let (rest, place) = unsafe { (text.get_unchecked(at..), place.get_unchecked_mut(to..)) };
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
