//! The reader: parses one reference, from the masks of its blocks to a [`Packed`] layout.

use super::authority::{AuthorityMasks, Masks};
use super::host_name::HostNameMasks;
use super::ipv6::Ipv6Masks;
use super::start::{Start, http_or_https, scheme_or_relative, start};
use super::suffix::{are_escapes, params};
use super::{FastGrammar, Packed, Prefix, Suffix, bits_from, lowest_bit};
use crate::MAX_LEN;
use crate::layout::{Delimiter, Layout, offset_u32};
use crate::parse::walk::is_at;
use crate::scan::ascii::{Cursor, Reader};
use crate::scan::{BLOCK, Block, HEX, Nibbles, Scanner};
use core::marker::PhantomData;

/// Reads references of the grammar `G`.
pub(in super::super) struct ReferenceReader<G>(PhantomData<G>);

impl<G: FastGrammar> Reader for ReferenceReader<G> {
    type Output = Packed;
    const HAS_SSE2: bool = G::FOR_SPEED;

    #[inline(always)]
    fn read<S: Scanner, const SHORT: bool, const TINY: bool>(
        cursor: &mut Cursor<'_, S, TINY>,
    ) -> Option<Packed> {
        if !SHORT && cursor.text().len() > MAX_LEN {
            return None;
        }
        let is_unmarked = accept::<G, S, TINY>(cursor, &G::UNMARKED, true);
        if G::FOR_SPEED && is_unmarked {
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
}

/// The characters of the first block that few references have.
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
    // What ends an authority: a delimiter, or the end of the input if it is within the block.
    let ends = block.is_either(b'/', b'?') | hash | cursor.past_end();
    let start = match http_or_https(text) {
        Some(colon) => start(colon, G::http_has_authority(colon == b"https".len())),
        None => scheme_or_relative::<G>(text, block, ends, is_one_block)?,
    };
    let ends = ends & bits_from(start.authority as usize);
    if ends == 0 && start.authority != 0 && !is_one_block {
        return None;
    }

    // Path, query and fragment.
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
                // Bytes of the first block may be read again, which contains brackets perhaps.
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

    // The authority comes last: if it has to be parsed by a call, no register has to be saved across
    // that call.
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
            return other_authority::<G, _>(text, start, end, suffix, &masks);
        }
        // Few hosts extend past the block's first register, and one register is less work.
        let is_in_prefix =
            !TINY && S::Block::PREFIX_LEN < BLOCK && ends & !bits_from(S::Block::PREFIX_LEN) != 0;
        let masks = if is_in_prefix {
            masks_unless_name::<G>(block.prefix(), authority)
        } else {
            masks_unless_name::<G>(block, authority)
        };
        if let Some(masks) = masks {
            return other_authority::<G, _>(text, start, end, suffix, &masks);
        }
        Prefix::name(start.scheme, end)
    };
    finish::<G>(text, prefix, suffix)
}

/// Accepts the block if all its characters are in the set. In the first block, the first colon may
/// be the scheme's and is accepted even if no colon may follow the scheme.
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

/// The masks of an authority without brackets; `None` if the authority is a host name alone.
#[inline(always)]
fn masks_unless_name<G: FastGrammar>(block: impl Block, authority: u64) -> Option<AuthorityMasks> {
    let names = HostNameMasks::new(block);
    if names.is_host_name::<G>(authority) {
        None
    } else {
        Some(AuthorityMasks::new::<G>(block, authority, names))
    }
}

/// The result if the authority, which ends at `end`, is not a host name alone. Most versions of the
/// reader share one function for it, which they call.
#[inline(always)]
fn other_authority<G: FastGrammar, M: Masks>(
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
    if G::FOR_SPEED {
        parse_and_finish::<G, M>(text, start, end, suffix, masks)
    } else {
        call::<G, M>(text, start, end, suffix, masks)
    }
}

/// The result of an authority. What the masks do not parse, the standard's own function parses
/// byte by byte.
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
    let mut layout = Layout::EMPTY;
    layout.scheme = start.scheme;
    layout.path = offset_u32(start.scheme.end());
    let (host, end) = (start.authority as usize, end as usize);
    if !G::authority(text, host, end, &mut layout) {
        return None;
    }
    finish::<G>(text, Prefix::of(&layout), suffix)
}

/// The last step: what only some standards have.
#[inline(always)]
fn finish<G: FastGrammar>(text: &[u8], prefix: Prefix, mut suffix: Suffix) -> Option<Packed> {
    let params = if G::PARAMS && suffix.has_semicolons {
        params(text, prefix.path(), suffix)
    } else {
        Delimiter::ABSENT
    };
    if !G::finish(text, prefix, &mut suffix) {
        return None;
    }
    Packed::new(prefix, params, suffix.query, suffix.fragment)
}
