//! Copying what is short, without a call for each piece.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use super::BLOCK;
use alloc::string::String;
use core::mem::MaybeUninit;

/// Appends two texts. Inside of a [`Work`](super::Work), it is done by its registers.
#[inline(always)]
pub(crate) fn append(out: &mut String, first: &str, second: &str) {
    // SAFETY: whole texts are appended.
    let out = unsafe { out.as_mut_vec() };
    let (first, second) = (first.as_bytes(), second.as_bytes());
    let length = first.len() + second.len();
    out.reserve(length);
    let place = out.spare_capacity_mut();
    if let Some((one, rest)) = place.split_at_mut_checked(first.len())
        && let Some(other) = rest.get_mut(..second.len())
    {
        whole(first, one);
        whole(second, other);
        // SAFETY: all of the two was written.
        unsafe { out.set_len(out.len() + length) };
    }
}

/// Copies a text to a place of its length.
#[inline(always)]
fn whole(text: &[u8], place: &mut [MaybeUninit<u8>]) {
    if text.len() > BLOCK {
        long(text, place);
    } else if !up_to_a_block(text, place) && !both_ends::<8>(text, place) {
        last(text, place);
    }
}

/// Copies a text of 16 bytes to a block, by sixteen bytes four times, whatever the length is: to guess it would take a processor
/// longer. `false` where it has fewer.
#[inline(always)]
fn up_to_a_block(text: &[u8], place: &mut [MaybeUninit<u8>]) -> bool {
    const N: usize = 16;
    let Some(last) = text.len().checked_sub(N) else {
        return false;
    };
    debug_assert!(text.len() <= BLOCK);
    for at in [0, last.min(N), last.saturating_sub(N), last] {
        let (Some(text), Some(place)) = (text.get(at..), place.get_mut(at..)) else {
            return false;
        };
        if let (Some(text), Some(place)) = (text.first_chunk::<N>(), place.first_chunk_mut()) {
            *place = text.map(MaybeUninit::new);
        }
    }
    true
}

#[inline(never)]
fn long(text: &[u8], place: &mut [MaybeUninit<u8>]) {
    let text = text.iter().copied().map(MaybeUninit::new);
    for (place, byte) in place.iter_mut().zip(text) {
        *place = byte;
    }
}

/// Copies a text of at most `2 * N` bytes by its first and its last `N`; `false` where it has fewer than that.
#[inline(always)]
pub(super) fn both_ends<const N: usize>(rest: &[u8], place: &mut [MaybeUninit<u8>]) -> bool {
    if let (Some(first), Some(last)) = (rest.first_chunk::<N>(), rest.last_chunk::<N>())
        && let Some(place) = place.get_mut(..rest.len())
    {
        if let Some(place) = place.first_chunk_mut() {
            *place = first.map(MaybeUninit::new);
        }
        if let Some(place) = place.last_chunk_mut() {
            *place = last.map(MaybeUninit::new);
        }
        return true;
    }
    false
}

/// Copies a text that has fewer than 32 bytes.
#[inline(never)]
pub(super) fn last(rest: &[u8], place: &mut [MaybeUninit<u8>]) {
    if both_ends::<16>(rest, place) || both_ends::<8>(rest, place) || both_ends::<4>(rest, place) {
        return;
    }
    for (place, byte) in place.iter_mut().zip(rest) {
        place.write(*byte);
    }
}

#[cfg(test)]
mod tests {
    use super::append;
    use alloc::string::String;

    #[test]
    fn two_texts_of_every_length() {
        let text = |length: usize, first: char| -> String { (first..).take(length).collect() };
        for first in (0..=70).chain([127, 128, 200]) {
            for second in (0..=70).chain([127, 128, 200]) {
                let (first, second) = (text(first, '!'), text(second, '\u{100}'));
                let mut out = String::from("before");
                append(&mut out, &first, &second);
                assert_eq!(out.strip_prefix("before"), Some(&*(first + &second)));
            }
        }
    }
}
