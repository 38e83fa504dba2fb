//! Parses one reference: turns the bit masks of its blocks into a [`Packed`] layout.

use super::ends::{Start, Suffix, after_scheme, finish, http_or_https, start};
use super::host::{AuthorityMasks, HostNameMasks, Ipv6Masks, Masks, is_letter};
use super::{FastGrammar, Packed, Prefix, bits_from, lowest_bit, portable};
use crate::MAX_LEN;
use crate::grammar::HEX_DIGITS;
use crate::layout::{Delimiter, Layout, offset_u32};
use crate::parse::walk::{byte_at, is_at};
use core::marker::PhantomData;
use urikit_scan::ascii::{Cursor, Reader};
use urikit_scan::{BLOCK, Block, Bytes, HEX, Nibbles, Scanner};

/// Reads references of the grammar `G`.
pub(in super::super) struct ReferenceReader<G>(PhantomData<G>);

impl<G: FastGrammar> Reader for ReferenceReader<G> {
    type Output = Packed;
    const FOR_SPEED: bool = G::FOR_SPEED;

    #[inline(always)]
    fn read<S: Scanner, const SHORT: bool, const TINY: bool>(
        cursor: &mut Cursor<'_, S, TINY>,
    ) -> Option<Packed> {
        if !SHORT && cursor.text().len() > MAX_LEN {
            return None;
        }
        let is_unmarked = accept::<G, S, TINY>(cursor, &G::UNMARKED, true);
        if G::FOR_SPEED && S::FOR_SPEED && is_unmarked {
            return read::<G, S, SHORT, TINY>(cursor, Marks::NONE);
        }
        let marks = if is_unmarked {
            Marks::NONE
        } else if accept::<G, S, TINY>(cursor, &G::ALLOWED_FIRST, true) {
            Marks::of::<G>(cursor.block())
        } else {
            return None;
        };
        read::<G, S, SHORT, TINY>(cursor, marks)
    }

    #[inline(always)]
    fn read_bytes(bytes: &mut Bytes<'_>) -> Option<Packed> {
        portable::read::<G>(bytes)
    }
}

/// Bit masks of the rare characters in the first block.
struct Marks {
    hash: u64,
    percent: u64,
    brackets: u64,
}

impl Marks {
    const NONE: Self = Self {
        hash: 0,
        percent: 0,
        brackets: 0,
    };

    #[inline(always)]
    fn of<G: FastGrammar>(block: impl Block) -> Self {
        Self {
            hash: block.is(b'#'),
            percent: block.is(b'%'),
            brackets: if G::IP_LITERALS {
                block.is_either(b'[', b']')
            } else {
                0
            },
        }
    }
}

/// Reads a reference whose first block has been accepted.
#[inline(always)]
fn read<G: FastGrammar, S: Scanner, const SHORT: bool, const TINY: bool>(
    cursor: &mut Cursor<'_, S, TINY>,
    Marks {
        hash,
        percent,
        brackets,
    }: Marks,
) -> Option<Packed> {
    let (text, block) = (cursor.text(), cursor.block());
    let is_one_block = SHORT || text.len() <= BLOCK;
    let question = block.is(b'?');
    // An authority ends at a delimiter, or at the end of the input if the input ends within the
    // block.
    let ends = block.is_either(b'/', b'?') | hash | cursor.past_end();
    let start = match http_or_https(text) {
        Some(colon) => start(colon, G::http_has_authority(colon == b"https".len())),
        None => scheme_or_relative::<G>(text, block, ends, is_one_block)?,
    };
    let ends = ends & bits_from(start.authority as usize);
    if ends == 0 && start.authority != 0 && !is_one_block {
        return None;
    }

    // The path, the query and the fragment follow.
    let (query, fragment) = (lowest_bit(question), lowest_bit(hash));
    let mut suffix = Suffix {
        query: Delimiter::at_if(query, query < fragment),
        fragment: Delimiter::at_if(fragment, hash != 0),
        has_semicolons: G::PARAMS && block.is(b';') != 0,
    };
    if hash & hash.wrapping_sub(1) != 0
        || percent != 0 && !are_escapes(text, 0, percent, block.members(&HEX))
    {
        return None;
    }
    if !SHORT {
        while cursor.advance() {
            let (offset, block) = (cursor.start(), cursor.block());
            if accept::<G, S, TINY>(cursor, &G::UNMARKED, false) {
                suffix.record(offset, block.is(b'?'), 0);
            } else {
                let percent = block.is(b'%');
                // This check may read bytes of the first block again, which can contain brackets.
                let is_good = cursor.accept_but_first(&G::ALLOWED, 0)
                    && suffix.record(offset, block.is(b'?'), block.is(b'#'))
                    && (percent == 0 || are_escapes(text, offset, percent, block.members(&HEX)));
                if !is_good {
                    return None;
                }
            }
            suffix.has_semicolons |= G::PARAMS && block.is(b';') != 0;
        }
    }

    // The authority comes last, so that no register has to be saved across a call that parses it.
    let prefix = if start.authority == 0 {
        if brackets != 0 {
            return None;
        }
        Prefix::without_authority(start.scheme)
    } else {
        let end = offset_u32(lowest_bit(ends));
        if !G::QUESTION_ENDS_AUTHORITY && is_at(text, end as usize, b'?') {
            return None;
        }
        let host = start.authority as usize;
        let authority = ends.wrapping_sub(1) & !ends & bits_from(host);
        if brackets != 0 {
            if brackets & !authority != 0 {
                return None;
            }
            let masks = Ipv6Masks::new::<G>(block, authority);
            return other_authority::<G, S, _>(text, start, end, suffix, &masks);
        }
        // Few hosts extend past the block's first register, and the masks of one register take
        // fewer instructions.
        let is_in_prefix =
            !TINY && S::Block::PREFIX_LEN < BLOCK && ends & !bits_from(S::Block::PREFIX_LEN) != 0;
        let masks = if is_in_prefix {
            masks_unless_name::<G>(block.prefix(), authority)
        } else {
            masks_unless_name::<G>(block, authority)
        };
        if let Some(masks) = masks {
            return other_authority::<G, S, _>(text, start, end, suffix, &masks);
        }
        Prefix::name(start.scheme, end)
    };
    finish::<G>(text, prefix, suffix)
}

/// Accepts the block if all its characters are in the set. In the first block, this also accepts
/// the first colon, which may end the scheme, even if no colon may follow a scheme.
#[inline(always)]
fn accept<G: FastGrammar, S: Scanner, const TINY: bool>(
    cursor: &mut Cursor<'_, S, TINY>,
    set: &Nibbles,
    is_first: bool,
) -> bool {
    if G::COLONS_AFTER_SCHEME {
        cursor.accept(set)
    } else {
        cursor.accept_but_first(set, if is_first { b':' } else { 0 })
    }
}

/// Returns the masks of an authority without brackets, or `None` if the authority is just a host
/// name.
#[inline(always)]
fn masks_unless_name<G: FastGrammar>(block: impl Block, authority: u64) -> Option<AuthorityMasks> {
    let names = HostNameMasks::new(block);
    if names.is_host_name::<G>(authority) {
        None
    } else {
        Some(AuthorityMasks::new::<G>(block, authority, names))
    }
}

/// Returns the result for an authority that is more than a host name and ends at `end`. Most
/// versions of the reader call one shared function instead of inlining it.
#[inline(always)]
fn other_authority<G: FastGrammar, S: Scanner, M: Masks>(
    text: &[u8],
    start: Start,
    end: u32,
    suffix: Suffix,
    masks: &M,
) -> Option<Packed> {
    #[inline(never)]
    fn call<G: FastGrammar, M: Masks>(
        text: &[u8],
        start: Start,
        end: u32,
        suffix: Suffix,
        masks: &M,
    ) -> Option<Packed> {
        parse_and_finish::<G, M>(text, start, end, suffix, masks)
    }
    if G::FOR_SPEED && S::FOR_SPEED {
        parse_and_finish::<G, M>(text, start, end, suffix, masks)
    } else {
        call::<G, M>(text, start, end, suffix, masks)
    }
}

/// Parses the authority with the masks, or byte by byte with the standard's function if the masks
/// cannot parse it, and returns the result.
#[inline(always)]
fn parse_and_finish<G: FastGrammar, M: Masks>(
    text: &[u8],
    start: Start,
    end: u32,
    suffix: Suffix,
    masks: &M,
) -> Option<Packed> {
    if let Some(prefix) = masks.parse(start, end) {
        return finish::<G>(text, prefix, suffix);
    }
    authority_by_bytes::<G>(text, start, end, suffix)
}

/// Parses the authority with the standard's function, and returns the result.
#[inline(never)]
fn authority_by_bytes<G: FastGrammar>(
    text: &[u8],
    start: Start,
    end: u32,
    suffix: Suffix,
) -> Option<Packed> {
    let mut layout = Layout::EMPTY;
    layout.scheme = start.scheme;
    layout.path = offset_u32(start.scheme.end());
    let (host, end) = (start.authority as usize, end as usize);
    if !G::authority(text, host, end, &mut layout) {
        return None;
    }
    finish::<G>(text, Prefix::of(&layout), suffix)
}

/// Parses the start of a reference: any scheme, or none. `ends` is the mask of bytes that end an
/// authority, all of which end a scheme too.
#[inline(always)]
fn scheme_or_relative<G: FastGrammar>(
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
    // A scheme of more than 32 characters is left to the byte-by-byte parser. The offsets that
    // follow then stay below 64, so a mask can be shifted by them.
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

/// Returns whether two hexadecimal digits follow each `%` of the block that begins at offset
/// `start`.
///
/// `percent` has a bit for each `%`, and `hex` a bit for each hexadecimal digit.
#[inline]
fn are_escapes(text: &[u8], start: usize, percent: u64, hex: u64) -> bool {
    // Bit `i` is set if the bytes `i + 1` and `i + 2` are digits.
    let mut hex = hex >> 1 & hex >> 2;
    // The digits of a `%` among the last two bytes are in the next block, and are checked one by
    // one.
    if percent >> (BLOCK - 2) != 0 {
        let is_hex = |at| byte_at(text, at).is_some_and(|byte| HEX_DIGITS.contains(byte));
        for nth in BLOCK - 2..BLOCK {
            if is_hex(start + nth + 1) && is_hex(start + nth + 2) {
                hex |= 1 << nth;
            }
        }
    }
    percent & !hex == 0
}
