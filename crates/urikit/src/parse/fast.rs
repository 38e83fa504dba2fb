//! The fast way: most references of the Web, by masks.
//!
//! What is plain is read here: a scheme of letters, digits, hyphens and dots, or none; an authority that is a host name,
//! or whatever the standard's own function for authorities says of it; and a path, query and fragment whose characters are
//! US-ASCII. Anything else, and whatever is not valid, is left to the standard's own file, which decides byte by byte:
//! what is given here is what it would give, and tests hold the two together.
//!
//! One set of characters serves for all of a text. A grammar's path, query and fragment differ in delimiters alone: the
//! path ends at the first `?` or `#`, the query at the first `#`, and a second `#` stands nowhere. Where the
//! delimiters are where they should be, a character of the largest set is one of its own component's set.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use super::packed::{Front, Packed};
use super::walk::{byte_at, is_at};
use super::{Standard, rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};
use crate::MAX_LEN;
use crate::grammar::{ByteSet, HEX_DIGITS};
use crate::layout::{Delimiter, Layout, offset_u32};
#[cfg(all(test, feature = "alloc"))]
use crate::scan::Level;
use crate::scan::ascii::{self, Ascii, Reader, Walk};
use crate::scan::{ALPHANUMERIC, BLOCK, Block, HEX, Nibbles, Scanner};
use core::hint::select_unpredictable;
use core::marker::PhantomData;

/// Reads `text` by masks, if the machine has a scanner and it is plain. It is US-ASCII then.
#[inline(always)]
pub(super) fn reference(text: &str, standard: Standard) -> Option<(Ascii<'_>, Packed)> {
    // Whoever knows the standard calls one of these and nothing else.
    match standard {
        Standard::Rfc1630 => ascii::read::<Plain<rfc1630::Fast>>(text),
        Standard::Rfc1738 => ascii::read::<Plain<rfc1738::Fast>>(text),
        Standard::Rfc1808 => ascii::read::<Plain<rfc1808::Fast>>(text),
        Standard::Rfc2396 => ascii::read::<Plain<rfc2396::Fast2396>>(text),
        Standard::Rfc2732 => ascii::read::<Plain<rfc2396::Fast2732>>(text),
        Standard::Rfc3986 => ascii::read::<Plain<rfc3986::Fast3986>>(text),
        Standard::Rfc3987 => ascii::read::<Plain<rfc3986::Fast3987>>(text),
    }
}

/// The same at a level.
#[cfg(all(test, feature = "alloc"))]
pub(super) fn reference_at(level: Level, text: &[u8], standard: Standard) -> Option<Packed> {
    match standard {
        Standard::Rfc1630 => ascii::run_at::<Plain<rfc1630::Fast>>(level, text),
        Standard::Rfc1738 => ascii::run_at::<Plain<rfc1738::Fast>>(level, text),
        Standard::Rfc1808 => ascii::run_at::<Plain<rfc1808::Fast>>(level, text),
        Standard::Rfc2396 => ascii::run_at::<Plain<rfc2396::Fast2396>>(level, text),
        Standard::Rfc2732 => ascii::run_at::<Plain<rfc2396::Fast2732>>(level, text),
        Standard::Rfc3986 => ascii::run_at::<Plain<rfc3986::Fast3986>>(level, text),
        Standard::Rfc3987 => ascii::run_at::<Plain<rfc3986::Fast3987>>(level, text),
    }
}

/// What a standard has of its own.
pub(super) trait Shape {
    /// The US-ASCII characters that may stand in a path, a query or a fragment, and `%`, `?`, `#`.
    const SET: Nibbles;
    /// Those of SET that are neither `%` nor `#`, which most texts have not.
    const UNMARKED: Nibbles = Self::SET.without(b"%#");
    /// Whether colons may stand behind the scheme.
    const COLONS: bool = true;
    /// Whether a text without a scheme may begin with `//`.
    const NETWORK_PATHS: bool = true;
    /// Whether a text may have no scheme.
    const RELATIVE: bool = true;
    /// Whether what follows a scheme's colon is hierarchical however it begins.
    const ROOTLESS: bool = true;
    /// Whether a `?` ends an authority.
    const QUESTION_ENDS_AUTHORITY: bool = true;
    /// Whether a host that begins with a digit may be a name.
    const NAMES_BEGIN_WITH_DIGITS: bool = true;
    /// Whether there are params.
    const PARAMS: bool = false;

    /// Notes the authority from `start` to `end`, which is no plain host name; `false` where it is better not tried.
    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool;

    /// Whether the authority of a text with this scheme is read, if it has one; `None` where the text is none of this.
    #[inline(always)]
    fn scheme(_text: &[u8], _colon: usize, has_authority: bool) -> Option<bool> {
        Some(has_authority)
    }

    /// Whether the authority of a text is read that begins with `http://` or `https://`, in small letters.
    #[inline(always)]
    fn http(_is_https: bool) -> bool {
        true
    }

    /// Puts right or refuses what was found.
    #[inline(always)]
    fn finish(_text: &[u8], _front: Front, _behind: &mut Behind) -> bool {
        true
    }
}

/// The characters of SET: those of `set`, and what else stands in it.
pub(super) const fn characters(set: &ByteSet) -> Nibbles {
    Nibbles::new(&set.or(ByteSet::of(b"%?#")))
}

/// The reader of a shape.
struct Plain<K>(PhantomData<K>);

/// The bits from `from` on, of which there may be none.
#[inline(always)]
const fn from(from: usize) -> u64 {
    if from < BLOCK { u64::MAX << from } else { 0 }
}

/// The place of the lowest bit; 64 where there is none.
#[inline(always)]
const fn first(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

impl<K: Shape> Reader for Plain<K> {
    type Output = Packed;

    #[inline(always)]
    fn read<S: Scanner, const SHORT: bool, const TINY: bool>(
        walk: &mut Walk<'_, S, TINY>,
    ) -> Option<Packed> {
        if !SHORT && walk.text().len() > MAX_LEN {
            None
        } else if accept::<K, S, TINY>(walk, &K::UNMARKED, true) {
            read::<K, S, false, SHORT, TINY>(walk)
        } else if accept::<K, S, TINY>(walk, &K::SET, true) {
            read::<K, S, true, SHORT, TINY>(walk)
        } else {
            None
        }
    }
}

/// Reads a text whose first block was accepted, and has neither `%` nor `#` unless it is `MARKED`.
#[inline(always)]
fn read<K: Shape, S: Scanner, const MARKED: bool, const SHORT: bool, const TINY: bool>(
    walk: &mut Walk<'_, S, TINY>,
) -> Option<Packed> {
    let (text, block) = (walk.text(), walk.block());
    let is_one_block = SHORT || S::ONE_BLOCK;
    let question = block.is(b'?');
    let hash = if MARKED { block.is(b'#') } else { 0 };
    // What ends an authority; the end of the text does so too, if it is in the block.
    let ends = block.is_either(b'/', b'?') | hash | walk.beyond();
    let begin = match http(text) {
        Some(colon) => begin(colon, K::http(colon == b"https".len())),
        None => scheme_or_none::<K>(text, block, ends, is_one_block)?,
    };
    let ends = ends & from(begin.authority as usize);
    if ends == 0 && begin.authority != 0 && !is_one_block {
        return None;
    }

    // Path, query and fragment.
    let (query, fragment) = (first(question), first(hash));
    let mut behind = Behind {
        query: Delimiter::at_if(query, query < fragment),
        fragment: Delimiter::at_if(fragment, hash != 0),
        has_semicolons: K::PARAMS && block.is(b';') != 0,
    };
    if MARKED {
        let percent = block.is(b'%');
        if hash & hash.wrapping_sub(1) != 0
            || percent != 0 && !are_escapes(text, 0, percent, block.members(&HEX))
        {
            return None;
        }
    }
    if !is_one_block {
        while walk.advance() {
            let (start, block) = (walk.start(), walk.block());
            if accept::<K, S, TINY>(walk, &K::UNMARKED, false) {
                behind.later(start, block.is(b'?'), 0);
            } else {
                let percent = block.is(b'%');
                let is_good = accept::<K, S, TINY>(walk, &K::SET, false)
                    && behind.later(start, block.is(b'?'), block.is(b'#'))
                    && (percent == 0 || are_escapes(text, start, percent, block.members(&HEX)));
                if !is_good {
                    return None;
                }
            }
            behind.has_semicolons |= K::PARAMS && block.is(b';') != 0;
        }
    }

    // The authority comes last, so that nothing has to be kept while one is read that is no host name.
    let front = if begin.authority == 0 {
        Front::without_authority(begin.scheme)
    } else {
        let end = offset_u32(first(ends));
        if !K::QUESTION_ENDS_AUTHORITY && is_at(text, end as usize, b'?') {
            return None;
        }
        let start = begin.authority as usize;
        // Few hosts are longer than what the block's beginning has room for.
        let is_name =
            if !TINY && S::Block::BEGINNING < BLOCK && ends & !from(S::Block::BEGINNING) != 0 {
                Names::new(block.beginning()).is_host_name(text, start, ends)
            } else {
                Names::new(block).is_host_name(text, start, ends)
            };
        if !is_name || !K::NAMES_BEGIN_WITH_DIGITS && !is_letter(text, start) {
            return other_authority::<K>(text, begin, end, behind);
        }
        Front::name(begin.scheme, end)
    };
    finish::<K>(text, front, behind)
}

/// What a text begins with, within the first block.
#[derive(Clone, Copy)]
struct Begin {
    scheme: Delimiter,
    /// Where the authority begins; 0 for none.
    authority: u32,
}

/// What stands behind the path.
#[derive(Clone, Copy)]
pub(super) struct Behind {
    pub(super) query: Delimiter,
    pub(super) fragment: Delimiter,
    /// Whether a semicolon stands anywhere, under a standard with params.
    has_semicolons: bool,
}

impl Behind {
    /// Notes where the query and the fragment begin in a later block; `false` where a `#` is one too many.
    #[inline(always)]
    fn later(&mut self, start: usize, question: u64, hash: u64) -> bool {
        let is_before = self.fragment.get().is_none();
        if is_before && self.query.get().is_none() && first(question) < first(hash) {
            self.query = Delimiter::at(start + first(question));
        }
        if hash != 0 {
            if !is_before || hash & (hash - 1) != 0 {
                return false;
            }
            self.fragment = Delimiter::at(start + first(hash));
        }
        true
    }
}

/// Accepts the block if a set has its characters; the first colon of the first one is the scheme's.
#[inline(always)]
fn accept<K: Shape, S: Scanner, const TINY: bool>(
    walk: &mut Walk<'_, S, TINY>,
    set: &Nibbles,
    is_first: bool,
) -> bool {
    if K::COLONS {
        walk.accept(set)
    } else {
        walk.accept_but_first(set, is_first.then_some(b':'))
    }
}

/// The colon of a text that begins with `http://` or `https://`. Which of the two it is takes no branch.
#[inline(always)]
fn http(text: &[u8]) -> Option<usize> {
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    let beginning = u64::from_le_bytes(*text.first_chunk()?);
    let has_s = beginning >> 32 & 0xFF == u64::from(b's');
    let rest = beginning << (8 * u32::from(!has_s));
    let is_http = rest == select_unpredictable(has_s, HTTPS, HTTP);
    is_http.then_some(4 + usize::from(has_s))
}

/// The scheme and whether an authority follows, or what stands for it in a relative reference.
#[inline(always)]
fn scheme_or_none<K: Shape>(
    text: &[u8],
    block: impl Block,
    ends: u64,
    is_one_block: bool,
) -> Option<Begin> {
    let colon = block.is(b':');
    let stop = first(ends | colon);
    if stop == BLOCK && !is_one_block {
        return None;
    }
    // Behind a longer scheme, shifts would have to be looked after.
    if stop <= BLOCK / 2 && colon >> stop & 1 == 1 {
        let names = Names::new(block);
        if stop == 0 || !(names.all() | from(stop)) != 0 || !is_letter(text, 0) {
            return None;
        }
        let has_authority = is_at(text, stop + 1, b'/') && is_at(text, stop + 2, b'/');
        return after_scheme::<K>(text, stop, has_authority);
    }
    if !K::RELATIVE || colon & ends.wrapping_sub(1) & !ends != 0 {
        return None;
    }
    let is_network_path = is_at(text, 0, b'/') && is_at(text, 1, b'/');
    if is_network_path && !K::NETWORK_PATHS {
        return None;
    }
    Some(Begin {
        scheme: Delimiter::ABSENT,
        authority: if is_network_path { 2 } else { 0 },
    })
}

/// The scheme that ends at `colon`, and whether an authority follows.
#[inline(always)]
fn after_scheme<K: Shape>(text: &[u8], colon: usize, has_authority: bool) -> Option<Begin> {
    let has_authority = K::scheme(text, colon, has_authority)?;
    if !has_authority && !K::ROOTLESS && !is_at(text, colon + 1, b'/') {
        return None;
    }
    Some(begin(colon, has_authority))
}

#[inline(always)]
const fn begin(colon: usize, has_authority: bool) -> Begin {
    Begin {
        scheme: Delimiter::at(colon),
        authority: if has_authority {
            offset_u32(colon + 3)
        } else {
            0
        },
    }
}

/// What is found where the authority, which ends at `end`, is no host name: it is as the standard's own function reads it.
#[inline(never)]
fn other_authority<K: Shape>(
    text: &[u8],
    begin: Begin,
    end: u32,
    behind: Behind,
) -> Option<Packed> {
    let mut layout = Layout::EMPTY;
    layout.scheme = begin.scheme;
    layout.path = offset_u32(begin.scheme.end());
    let (start, end) = (begin.authority as usize, end as usize);
    if !K::authority(text, start, end, &mut layout) {
        return None;
    }
    finish::<K>(text, Front::of(&layout), behind)
}

/// The end of it: what only some standards have.
#[inline(always)]
fn finish<K: Shape>(text: &[u8], front: Front, mut behind: Behind) -> Option<Packed> {
    let params = if K::PARAMS && behind.has_semicolons {
        params(text, front.path(), behind)
    } else {
        Delimiter::ABSENT
    };
    if !K::finish(text, front, &mut behind) {
        return None;
    }
    Packed::new(front, params, behind.query, behind.fragment)
}

/// Whether two hexadecimal digits follow each `%` of the block that begins at `start`.
#[inline(always)]
fn are_escapes(text: &[u8], start: usize, percent: u64, hex: u64) -> bool {
    // Those whose digits are in the next block are looked at one by one.
    let mut hex = hex >> 1 & hex >> 2;
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

/// The first semicolon behind the authority and before the query and the fragment.
#[cold]
fn params(text: &[u8], path: usize, behind: Behind) -> Delimiter {
    let end = behind.query.get().or(behind.fragment.get());
    let place = text
        .get(path..end.unwrap_or(text.len()))
        .and_then(|path| path.iter().position(|byte| *byte == b';'));
    place.map_or(Delimiter::ABSENT, |place| Delimiter::at(path + place))
}

#[inline(always)]
fn is_letter(text: &[u8], at: usize) -> bool {
    byte_at(text, at).is_some_and(|byte| byte.is_ascii_alphabetic())
}

/// The characters of names in a block.
#[derive(Clone, Copy)]
struct Names {
    alphanumeric: u64,
    dots: u64,
    hyphens: u64,
}

impl Names {
    #[inline(always)]
    fn new(block: impl Block) -> Self {
        Self {
            alphanumeric: block.members(&ALPHANUMERIC),
            dots: block.is(b'.'),
            hyphens: block.is(b'-'),
        }
    }

    #[inline(always)]
    const fn all(self) -> u64 {
        self.alphanumeric | self.dots | self.hyphens
    }

    /// Whether the bytes from `start` on to the first of `ends` are a host name without a dot at its end
    /// ([`HostKind::Name`]). `start` is at least 2, and no bit of `ends` lies before it. What fits into a block behind `//` has
    /// no label of more than 63 characters.
    #[inline(always)]
    fn is_host_name(self, text: &[u8], start: usize, ends: u64) -> bool {
        let below_end = ends.wrapping_sub(1) & !ends;
        let host = below_end & from(start);
        let labels = host & !self.dots;
        // Characters of labels stand on both sides of a dot or a hyphen.
        let inner = labels << 1 & labels >> 1;
        let bad = host & !(self.alphanumeric | (self.dots | self.hyphens) & inner);
        let last = BLOCK - (below_end & !labels).leading_zeros() as usize;
        bad == 0 && host != 0 && is_letter(text, last)
    }
}
