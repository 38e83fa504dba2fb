//! Moves the kept bytes of a block together, for scanners that have no instruction for this.

use super::BLOCK;
use super::scanner::OutBuffer;
use core::mem::MaybeUninit;

/// Writes to `out` the bytes whose bits in `kept` are set, eight at a time. `eight` selects the
/// bytes, out of eight, whose bits in a mask are set, and packs them at the low end.
#[inline(always)]
pub(super) fn block(
    bytes: &[u8; BLOCK],
    mut kept: u64,
    out: &mut OutBuffer,
    eight: impl Fn(u64, u8) -> u64,
) {
    let mut length = 0;
    for bytes in bytes.as_chunks::<8>().0 {
        let mask = kept.to_le_bytes()[0];
        kept >>= 8;
        let bytes = eight(u64::from_le_bytes(*bytes), mask);
        if let Some(out) = out.get_mut(length..).and_then(<[_]>::first_chunk_mut) {
            *out = bytes.to_le_bytes().map(MaybeUninit::new);
        }
        length += mask.count_ones() as usize;
    }
}

/// Returns the indices of the set bits of `mask`, in order, and 128 in the remaining bytes. A
/// shuffle with these indices moves the bytes of the set bits together, and turns the rest into 0.
#[inline(always)]
pub(super) fn indices(mask: u8) -> [u8; 8] {
    #[allow(clippy::indexing_slicing)] // at compile time, a panic is a compile error
    static FROM: [[u8; 8]; 256] = {
        let mut from = [[0x80; 8]; 256];
        let mut mask = 0;
        while mask < 256 {
            let (mut at, mut to) = (0, 0);
            while at < 8 {
                if mask >> at & 1 == 1 {
                    from[mask][to] = at;
                    to += 1;
                }
                at += 1;
            }
            mask += 1;
        }
        from
    };
    FROM.get(usize::from(mask)).copied().unwrap_or_default()
}

/// Selects the bytes, out of eight, whose bits in `mask` are set, and packs them at the low end,
/// without a shuffle.
#[inline(always)]
pub(super) fn one_by_one(bytes: u64, mask: u8) -> u64 {
    if mask == u8::MAX {
        return bytes;
    }
    let from = indices(mask);
    u64::from_le_bytes(from.map(|from| (bytes >> (8 * u32::from(from & 7))).to_le_bytes()[0]))
}
