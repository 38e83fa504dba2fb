//! Parses one reference: turns the bit masks of its blocks into a [`Packed`] layout.

use super::ends::{Start, Suffix, after_scheme, finish, http_or_https, start};
use super::host::{AuthorityMasks, HostNameMasks, Ipv6Masks, Masks};
use super::{FastGrammar, Packed, Prefix, bits_from, lowest_bit, portable};
use crate::MAX_LEN;
use crate::grammar::HEX_DIGITS;
use crate::layout::{Delimiter, Layout, offset_u32};
use crate::parse::walk::{byte_at, is_at, scheme};
use core::marker::PhantomData;
use urikit_scan::ascii::{Cursor, Reader};
use urikit_scan::{BLOCK, Block, Bytes, HEX, Nibbles, Scanner};

/// Reads references of the grammar `G`.
pub(in super::super) struct ReferenceReader<G>(PhantomData<G>);

impl<G: FastGrammar> Reader for ReferenceReader<G> {
    type Output = Packed;
    const FOR_SPEED: bool = G::FOR_SPEED;

    #[inline(always)]
    fn read<S: Scanner, const TINY: bool>(cursor: &mut Cursor<'_, S, TINY>) -> Option<Packed> {
        let (text, block) = (cursor.text(), cursor.block());
        let is_unmarked = accept::<G, S, TINY>(cursor, &G::UNMARKED, true);
        let first = if G::FOR_SPEED && S::FOR_SPEED && is_unmarked {
            FirstBlock::read::<G, S, TINY>(cursor, 0, 0)?
        } else {
            let marks = if is_unmarked {
                Marks::NONE
            } else if accept::<G, S, TINY>(cursor, &G::ALLOWED_FIRST, true) {
                Marks::of::<G>(block)
            } else {
                return None;
            };
            let first = FirstBlock::read::<G, S, TINY>(cursor, marks.hash, marks.percent)?;
            if marks.brackets != 0 {
                return with_brackets::<G, S>(text, block, &first, marks.brackets);
            }
            first
        };
        without_brackets::<G, S, TINY>(text, block, &first)
    }

    #[inline(always)]
    fn read_rest<S: Scanner>(cursor: &mut Cursor<'_, S, false>, first: Packed) -> Option<Packed> {
        let (prefix, semicolon, mut suffix) = first.split();
        let mut has_semicolons = semicolon.is_there();
        // An authority that reaches the end of the first block may continue in the next one.
        let is_cut = prefix.has_authority() && prefix.path() == BLOCK;
        if is_cut || cursor.text().len() > MAX_LEN {
            return None;
        }
        loop {
            let (offset, block) = (cursor.start(), cursor.block());
            if accept::<G, S, false>(cursor, &G::UNMARKED, false) {
                suffix.record(offset, block.is(b'?'), 0);
            } else {
                let percent = block.is(b'%');
                // This check may read bytes of the first block again, which can contain brackets.
                let is_good = cursor.accept_but_first(&G::ALLOWED, 0)
                    && suffix.record(offset, block.is(b'?'), block.is(b'#'))
                    && (percent == 0
                        || are_escapes(cursor.text(), offset, percent, block.members(&HEX)));
                if !is_good {
                    return None;
                }
            }
            has_semicolons |= G::PARAMS && block.is(b';') != 0;
            if !cursor.advance() {
                return finish::<G>(cursor.text(), prefix, suffix, has_semicolons);
            }
        }
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

/// The first block of a reference, before its authority is parsed.
struct FirstBlock {
    start: Start,
    /// The mask of the bytes after the start that can end an authority.
    ends: u64,
    suffix: Suffix,
    /// True if the block contains a semicolon. Always `false` for a standard without params.
    has_semicolons: bool,
}

impl FirstBlock {
    /// Reads a block that has been accepted.
    #[inline(always)]
    fn read<G: FastGrammar, S: Scanner, const TINY: bool>(
        cursor: &Cursor<'_, S, TINY>,
        hash: u64,
        percent: u64,
    ) -> Option<Self> {
        let (text, block) = (cursor.text(), cursor.block());
        let question = block.is(b'?');
        // An authority ends at a delimiter, or at the end of the input if the input ends within
        // the block.
        let ends = block.is_either(b'/', b'?') | hash | cursor.past_end();
        let start = match http_or_https(text) {
            Some(colon) => start(colon, G::http_has_authority(colon == b"https".len())),
            None => scheme_or_relative::<G>(text, block, ends)?,
        };
        // The path, the query and the fragment follow.
        let (query, fragment) = (lowest_bit(question), lowest_bit(hash));
        let are_escapes = percent == 0 || are_escapes(text, 0, percent, block.members(&HEX));
        if hash & hash.wrapping_sub(1) != 0 || !are_escapes {
            return None;
        }
        let ends = ends & bits_from(start.authority as usize);
        let has_authority = start.authority != 0;
        if !G::QUESTION_ENDS_AUTHORITY && has_authority && is_at(text, lowest_bit(ends), b'?') {
            return None;
        }
        Some(Self {
            start,
            ends,
            suffix: Suffix {
                query: Delimiter::at_if(query, query < fragment),
                fragment: Delimiter::at_if(fragment, hash != 0),
            },
            has_semicolons: G::PARAMS && block.is(b';') != 0,
        })
    }

    /// Returns the end of the authority.
    #[inline(always)]
    fn end(&self) -> u32 {
        offset_u32(lowest_bit(self.ends))
    }

    /// Returns the mask of the authority.
    #[inline(always)]
    const fn authority(&self) -> u64 {
        self.ends.wrapping_sub(1) & !self.ends & bits_from(self.start.authority as usize)
    }
}

/// Reads the authority of a reference that contains brackets. Returns the result for the first
/// block.
#[inline(always)]
fn with_brackets<G: FastGrammar, S: Scanner>(
    text: &[u8],
    block: S::Block,
    first: &FirstBlock,
    brackets: u64,
) -> Option<Packed> {
    let authority = first.authority();
    if first.start.authority == 0 || brackets & !authority != 0 {
        return None;
    }
    let masks = Ipv6Masks::new::<G>(block, authority);
    other_authority::<G, S, _>(text, first, &masks)
}

/// Reads the authority of a reference without brackets, if it has one. Returns the result for the
/// first block.
// The authority comes last, so that no register has to be saved across a call that parses it.
#[inline(always)]
fn without_brackets<G: FastGrammar, S: Scanner, const TINY: bool>(
    text: &[u8],
    block: S::Block,
    first: &FirstBlock,
) -> Option<Packed> {
    let prefix = if first.start.authority == 0 {
        Prefix::without_authority(first.start.scheme)
    } else {
        // Few hosts extend past the block's first register, and the masks of one register take
        // fewer instructions.
        let length = S::Block::PREFIX_LEN;
        let is_in_prefix = !TINY && length < BLOCK && first.ends & !bits_from(length) != 0;
        let masks = if is_in_prefix {
            masks_unless_name::<G>(block.prefix(), first.authority())
        } else {
            masks_unless_name::<G>(block, first.authority())
        };
        if let Some(masks) = masks {
            return other_authority::<G, S, _>(text, first, &masks);
        }
        Prefix::name(first.start.scheme, first.end())
    };
    finish_first::<G>(text, prefix, first.suffix, first.has_semicolons)
}

/// Returns the result for the first block, which `read_rest` completes if other blocks follow.
#[inline(always)]
fn finish_first<G: FastGrammar>(
    text: &[u8],
    prefix: Prefix,
    suffix: Suffix,
    has_semicolons: bool,
) -> Option<Packed> {
    if text.len() <= BLOCK {
        return finish::<G>(text, prefix, suffix, has_semicolons);
    }
    // Until the last block has been read, the params record only that a semicolon was found.
    let semicolon = Delimiter::at_if(0, has_semicolons);
    Packed::new(prefix, semicolon, suffix.query, suffix.fragment)
}

/// Accepts the block if all its characters are in the set. In the first block, this also accepts
/// the first colon, which may end the scheme, even if the set contains no colon.
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
    first: &FirstBlock,
    masks: &M,
) -> Option<Packed> {
    #[inline(never)]
    fn call<G: FastGrammar, M: Masks>(
        text: &[u8],
        first: &FirstBlock,
        masks: &M,
    ) -> Option<Packed> {
        parse_and_finish::<G, M>(text, first, masks)
    }
    if G::FOR_SPEED && S::FOR_SPEED {
        parse_and_finish::<G, M>(text, first, masks)
    } else {
        call::<G, M>(text, first, masks)
    }
}

/// Parses the authority with the masks, or byte by byte with the standard's function if the masks
/// cannot parse it, and returns the result.
#[inline(always)]
fn parse_and_finish<G: FastGrammar, M: Masks>(
    text: &[u8],
    first: &FirstBlock,
    masks: &M,
) -> Option<Packed> {
    let (start, end) = (first.start, first.end());
    let (suffix, has_semicolons) = (first.suffix, first.has_semicolons);
    if let Some(prefix) = masks.parse(start, end) {
        return finish_first::<G>(text, prefix, suffix, has_semicolons);
    }
    authority_by_bytes::<G>(text, start, end, suffix, has_semicolons)
}

/// Parses the authority with the standard's function, and returns the result.
#[inline(never)]
fn authority_by_bytes<G: FastGrammar>(
    text: &[u8],
    start: Start,
    end: u32,
    suffix: Suffix,
    has_semicolons: bool,
) -> Option<Packed> {
    let mut layout = Layout::EMPTY;
    layout.scheme = start.scheme;
    layout.path = offset_u32(start.scheme.end());
    let (host, end) = (start.authority as usize, end as usize);
    if end == BLOCK && text.len() > BLOCK {
        return None; // the authority may go on after the first block
    }
    if !G::authority(text, host, end, &mut layout) {
        return None;
    }
    finish_first::<G>(text, Prefix::of(&layout), suffix, has_semicolons)
}

/// Parses the start of a reference: any scheme, or none. `ends` is the mask of bytes that end an
/// authority, all of which end a scheme too.
#[inline(always)]
fn scheme_or_relative<G: FastGrammar>(text: &[u8], block: impl Block, ends: u64) -> Option<Start> {
    let colon = block.is(b':');
    if ends | colon == 0 && text.len() > BLOCK {
        return None;
    }
    if colon & ends.wrapping_sub(1) & !ends != 0 {
        // A longer scheme is left to the byte-by-byte parser, so all offsets below are less than
        // 64, and a mask can be shifted by them.
        let colon = scheme(text).filter(|colon| *colon <= BLOCK / 2)?;
        let has_slashes = is_at(text, colon + 1, b'/') && is_at(text, colon + 2, b'/');
        return after_scheme::<G>(text, colon, has_slashes);
    }
    if !G::RELATIVE_REFERENCES {
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
