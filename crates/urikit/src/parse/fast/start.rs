//! The start of a reference: the scheme, and whether an authority follows.

use super::host_name::{HostNameMasks, is_letter};
use super::{FastGrammar, bits_from, lowest_bit};
use crate::layout::{Delimiter, offset_u32};
use crate::parse::walk::is_at;
use crate::scan::{BLOCK, Block};
use core::hint::select_unpredictable;

/// How a reference starts, within the first block.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) scheme: Delimiter,
    /// The offset of the authority, after its `//`; 0 if there is none.
    pub(super) authority: u32,
}

/// A scheme whose colon is at `colon`, followed by `//` and an authority if `has_authority`.
#[inline]
pub(super) const fn start(colon: usize, has_authority: bool) -> Start {
    Start {
        scheme: Delimiter::at(colon),
        authority: if has_authority {
            offset_u32(colon + 3)
        } else {
            0
        },
    }
}

/// The offset of the colon if `text` begins with `http://` or `https://`, in lower case.
///
/// What follows `http` is compared as one number, `://` after shifting it to the place it has in
/// `s://`. Which of the two it is takes no branch: a processor could not predict it.
#[inline]
pub(super) fn http_or_https(text: &[u8]) -> Option<usize> {
    const HTTP: u32 = u32::from_le_bytes(*b"\0://");
    const HTTPS: u32 = u32::from_le_bytes(*b"s://");
    let eight: &[u8; 8] = text.first_chunk()?;
    let ([http @ .., _, _, _, _], [_, _, _, _, rest @ ..]) = (eight, eight);
    let has_s = rest.starts_with(b"s");
    let shifted = u32::from_le_bytes(*rest) << (8 * u32::from(!has_s));
    let is_http = http == b"http" && shifted == select_unpredictable(has_s, HTTPS, HTTP);
    is_http.then_some(4 + usize::from(has_s))
}

/// How a reference starts that has any scheme or none. `ends` is the mask of bytes that end an
/// authority, all of which end a scheme too.
#[inline(always)]
pub(super) fn scheme_or_relative<G: FastGrammar>(
    text: &[u8],
    block: impl Block,
    ends: u64,
    is_one_block: bool,
) -> Option<Start> {
    let colon = block.is(b':');
    let stop = lowest_bit(ends | colon);
    if stop == BLOCK && !is_one_block {
        return None;
    }
    // A scheme of more than 32 characters is left to the byte-by-byte parser, so that the offsets
    // after it stay below 64 and can be shifted by.
    if stop <= BLOCK / 2 && colon >> stop & 1 == 1 {
        let masks = HostNameMasks::new(block);
        if stop == 0 || !(masks.all() | bits_from(stop)) != 0 || !is_letter(text, 0) {
            return None;
        }
        let has_slashes = is_at(text, stop + 1, b'/') && is_at(text, stop + 2, b'/');
        return after_scheme::<G>(text, stop, has_slashes);
    }
    // A colon before the first delimiter ends a scheme of more than 32 characters.
    if !G::RELATIVE_REFERENCES || colon & ends.wrapping_sub(1) & !ends != 0 {
        return None;
    }
    let is_net_path = is_at(text, 0, b'/') && is_at(text, 1, b'/');
    if is_net_path && !G::NET_PATHS {
        return None;
    }
    Some(Start {
        scheme: Delimiter::ABSENT,
        authority: if is_net_path { 2 } else { 0 },
    })
}

/// How a reference starts whose scheme ends at `colon`, given whether `//` follows.
#[inline]
fn after_scheme<G: FastGrammar>(text: &[u8], colon: usize, has_slashes: bool) -> Option<Start> {
    let has_authority = G::has_authority(text, colon, has_slashes)?;
    if !has_authority && !G::ROOTLESS_PATHS && !is_at(text, colon + 1, b'/') {
        return None;
    }
    Some(start(colon, has_authority))
}
