//! Copies short strings without calling `memcpy`.

use super::BLOCK;
use alloc::string::String;
use core::mem::MaybeUninit;

/// Appends two strings. Within a [`Work`](super::Work), this function uses the scanner's registers.
#[inline(always)]
pub fn append(out: &mut String, first: &str, second: &str) {
    // SAFETY: only complete strings are appended, so `out` remains UTF-8.
    let out = unsafe { out.as_mut_vec() };
    let (first, second) = (first.as_bytes(), second.as_bytes());
    let length = first.len() + second.len();
    out.reserve(length);
    let place = out.spare_capacity_mut();
    if let Some((one, rest)) = place.split_at_mut_checked(first.len())
        && let Some(other) = rest.get_mut(..second.len())
    {
        copy_exact(first, one);
        copy_exact(second, other);
        // SAFETY: `first.len() + second.len()` bytes of the spare capacity were written.
        unsafe { out.set_len(out.len() + length) };
    }
}

/// Copies `text` to `place`, which has the same length.
#[inline(always)]
fn copy_exact(text: &[u8], place: &mut [MaybeUninit<u8>]) {
    if text.len() > BLOCK {
        copy_long(text, place);
    } else if !copy_up_to_block(text, place) && !copy_both_ends::<8>(text, place) {
        copy_short(text, place);
    }
}

/// Copies 16 to 64 bytes with four copies of 16, which overlap for fewer than 64 bytes. Returns
/// `false` for fewer than 16 bytes.
// Always make four copies: a mispredicted branch on the length would take longer.
#[inline(always)]
fn copy_up_to_block(text: &[u8], place: &mut [MaybeUninit<u8>]) -> bool {
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
fn copy_long(text: &[u8], place: &mut [MaybeUninit<u8>]) {
    let text = text.iter().copied().map(MaybeUninit::new);
    for (place, byte) in place.iter_mut().zip(text) {
        *place = byte;
    }
}

/// Copies `N` to `2 * N` bytes with two copies, of the first `N` and the last `N`, which may
/// overlap. Returns `false` for fewer than `N` bytes.
#[inline(always)]
pub(super) fn copy_both_ends<const N: usize>(rest: &[u8], place: &mut [MaybeUninit<u8>]) -> bool {
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

/// Copies fewer than 32 bytes.
#[inline(never)]
pub(super) fn copy_short(rest: &[u8], place: &mut [MaybeUninit<u8>]) {
    if copy_both_ends::<16>(rest, place)
        || copy_both_ends::<8>(rest, place)
        || copy_both_ends::<4>(rest, place)
    {
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
    fn two_strings_of_every_length() {
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
