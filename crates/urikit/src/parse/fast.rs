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

use super::parts::{Delimiter, Parts, offset_u32};
use super::scan::{byte_at, is_at};
use super::{Standard, rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};
use crate::component::HostKind;
use crate::grammar::{ByteSet, HEX_DIGITS};
use crate::scan::{ALPHANUMERIC, BLOCK, Block, HEX, Level, Nibbles, Scanner, Work};
use core::marker::PhantomData;

/// Reads `text` by masks, if `level` has such and it is plain: then `parts` are its parts, and else of no use.
#[inline]
pub(super) fn reference(text: &[u8], standard: Standard, level: Level, parts: &mut Parts) -> bool {
    let is_read = match standard {
        Standard::Rfc1630 => level.run(Plain::<rfc1630::Fast>::new(text, parts)),
        Standard::Rfc1738 => level.run(Plain::<rfc1738::Fast>::new(text, parts)),
        Standard::Rfc1808 => level.run(Plain::<rfc1808::Fast>::new(text, parts)),
        Standard::Rfc2396 => level.run(Plain::<rfc2396::Fast2396>::new(text, parts)),
        Standard::Rfc2732 => level.run(Plain::<rfc2396::Fast2732>::new(text, parts)),
        Standard::Rfc3986 => level.run(Plain::<rfc3986::Fast3986>::new(text, parts)),
        Standard::Rfc3987 => level.run(Plain::<rfc3986::Fast3987>::new(text, parts)),
    };
    is_read == Some(true)
}

/// What a standard has of its own.
pub(super) trait Shape {
    /// The US-ASCII characters that may stand in a path, a query or a fragment, and `%`, `?`, `#`.
    const SET: Nibbles;
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
    fn authority(text: &[u8], start: usize, end: usize, parts: &mut Parts) -> bool;

    /// Whether the authority of a text with this scheme is read, if it has one; `None` where the text is none of this.
    #[inline(always)]
    fn scheme(_text: &[u8], _colon: usize, has_authority: bool) -> Option<bool> {
        Some(has_authority)
    }

    /// Puts right or refuses what was found.
    #[inline(always)]
    fn finish(_text: &[u8], _parts: &mut Parts) -> bool {
        true
    }
}

/// The characters of SET: those of `set`, and what else stands in it.
pub(super) const fn characters(set: &ByteSet) -> Nibbles {
    Nibbles::new(&set.or(ByteSet::of(b"%?#")))
}

struct Plain<'t, K> {
    text: &'t [u8],
    parts: &'t mut Parts,
    shape: PhantomData<K>,
}

impl<'t, K> Plain<'t, K> {
    #[inline(always)]
    const fn new(text: &'t [u8], parts: &'t mut Parts) -> Self {
        Self {
            text,
            parts,
            shape: PhantomData,
        }
    }
}

/// The bits from `from` on, of which there may be none.
#[inline(always)]
const fn from(from: usize) -> u64 {
    if from < BLOCK { u64::MAX << from } else { 0 }
}

/// The bits below `to`, which is 1 to 64.
#[inline(always)]
const fn below(to: usize) -> u64 {
    u64::MAX >> ((BLOCK - to) & (BLOCK - 1))
}

/// The place of the lowest bit; 64 where there is none.
#[inline(always)]
const fn first(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

impl<K: Shape> Work for Plain<'_, K> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> bool {
        let Self { text, parts, .. } = self;
        let is_one_block = S::ONE_BLOCK || text.len() <= BLOCK;
        let there = below(text.len().min(BLOCK));
        let block = scanner.first(text);
        if !are_good::<K>(block, there, true) {
            return false;
        }
        let question = block.is(b'?');
        let hash = block.is(b'#');
        let percent = block.is(b'%');
        // What ends an authority; the end of the text does so too, if it is in the block.
        let ends = block.is(b'/') | question | hash | !there;
        *parts = Parts::EMPTY;
        let is_read = if let Some(colon) = http(text) {
            after_scheme::<K>(text, colon, true, block, ends, parts)
        } else {
            scheme_or_none::<K>(text, block, ends, is_one_block, parts)
        };
        if !is_read {
            return false;
        }

        // Path, query and fragment.
        let (query, fragment) = (first(question), first(hash));
        if query < fragment {
            parts.query = Delimiter::at(query);
        }
        if hash != 0 {
            parts.fragment = Delimiter::at(fragment);
        }
        let mut is_good = hash & hash.wrapping_sub(1) == 0
            && (percent == 0 || are_escapes(text, 0, percent, block.members(&HEX)));
        let mut semicolons = if K::PARAMS { block.is(b';') } else { 0 };
        if !is_one_block {
            let mut start = BLOCK;
            while start < text.len() {
                let block = scanner.later(text, start);
                let (question, hash, percent) = (block.is(b'?'), block.is(b'#'), block.is(b'%'));
                is_good &= are_good::<K>(block, below((text.len() - start).min(BLOCK)), false)
                    && (question | hash == 0 || later(start, question, hash, parts))
                    && (percent == 0 || are_escapes(text, start, percent, block.members(&HEX)));
                if !is_good {
                    return false;
                }
                if K::PARAMS {
                    semicolons |= block.is(b';');
                }
                start += BLOCK;
            }
        }
        if K::PARAMS && semicolons != 0 {
            parts.params = params(text, parts);
        }
        is_good && K::finish(text, parts)
    }
}

/// Whether the characters of a block are the standard's. `there` has a bit for each; the first colon is the scheme's.
#[inline(always)]
fn are_good<K: Shape>(block: impl Block, there: u64, is_first: bool) -> bool {
    if K::COLONS {
        return block.are_all(&K::SET);
    }
    // Other than `are_all`, this does not look at what was read again.
    let colon = if is_first { block.is(b':') } else { 0 };
    block.members(&K::SET) | colon & colon.wrapping_neg() == there
}

/// The colon of a text that begins with `http://` or `https://`.
#[inline(always)]
fn http(text: &[u8]) -> Option<usize> {
    let begin = u64::from_le_bytes(*text.first_chunk()?);
    let is_https = begin == u64::from_le_bytes(*b"https://");
    let is_http = begin << 8 == u64::from_le_bytes(*b"\0http://");
    (is_http || is_https).then_some(4 + usize::from(is_https))
}

/// Reads the scheme and what [`after_scheme`] reads, or what stands for it in a relative reference.
#[inline(always)]
fn scheme_or_none<K: Shape>(
    text: &[u8],
    block: impl Block,
    ends: u64,
    is_one_block: bool,
    parts: &mut Parts,
) -> bool {
    let colon = block.is(b':');
    let stop = first(ends | colon);
    if stop == BLOCK && !is_one_block {
        return false;
    }
    // Behind a longer scheme, shifts would have to be looked after.
    if stop <= BLOCK / 2 && colon >> stop & 1 == 1 {
        let names = Names::new(block);
        if stop == 0 || !names.all() & below(stop) != 0 || !is_letter(text, 0) {
            return false;
        }
        let has_authority = is_at(text, stop + 1, b'/') && is_at(text, stop + 2, b'/');
        return after_scheme::<K>(text, stop, has_authority, block, ends, parts);
    }
    if !K::RELATIVE || colon & ends.wrapping_sub(1) & !ends != 0 {
        return false;
    }
    if is_at(text, 0, b'/') && is_at(text, 1, b'/') {
        return K::NETWORK_PATHS && authority::<K>(text, 2, block, ends, parts);
    }
    true
}

/// Notes the scheme that ends at `colon`, and reads the authority.
#[inline(always)]
fn after_scheme<K: Shape>(
    text: &[u8],
    colon: usize,
    has_authority: bool,
    block: impl Block,
    ends: u64,
    parts: &mut Parts,
) -> bool {
    let behind = colon + 1;
    parts.scheme = Delimiter::at(colon);
    parts.path = offset_u32(behind);
    match K::scheme(text, colon, has_authority) {
        Some(true) => authority::<K>(text, behind + 2, block, ends, parts),
        Some(false) => K::ROOTLESS || is_at(text, behind, b'/'),
        None => false,
    }
}

/// Reads the authority that begins at `start` and must end in the block or with the text.
#[inline(always)]
fn authority<K: Shape>(
    text: &[u8],
    start: usize,
    block: impl Block,
    ends: u64,
    parts: &mut Parts,
) -> bool {
    let ends = ends & from(start);
    let end = first(ends);
    if ends == 0 && text.len() > BLOCK {
        return false;
    }
    if !K::QUESTION_ENDS_AUTHORITY && is_at(text, end, b'?') {
        return false;
    }
    if Names::new(block).is_host_name(text, start, ends)
        && (K::NAMES_BEGIN_WITH_DIGITS || is_letter(text, start))
    {
        parts.set_host(HostKind::Name, end, end);
        return true;
    }
    K::authority(text, start, end, parts)
}

/// Notes where the query and the fragment begin in a later block; `false` where a `#` is one too many.
#[inline(always)]
fn later(start: usize, question: u64, hash: u64, parts: &mut Parts) -> bool {
    let is_before = parts.fragment.get().is_none();
    if is_before && parts.query.get().is_none() && first(question) < first(hash) {
        parts.query = Delimiter::at(start + first(question));
    }
    if hash != 0 {
        if !is_before || hash & (hash - 1) != 0 {
            return false;
        }
        parts.fragment = Delimiter::at(start + first(hash));
    }
    true
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
fn params(text: &[u8], parts: &Parts) -> Delimiter {
    let end = parts.query.get().or(parts.fragment.get());
    let path = parts.path as usize;
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
        // What lies around a label: no hyphen stands beside it, and no dot.
        let around = self.dots | !host;
        let beside = around << 1 | around >> 1 | 1 << (BLOCK - 1);
        let bad = host & !self.alphanumeric & (beside | !(self.dots | self.hyphens));
        let last = BLOCK - (around & below_end).leading_zeros() as usize;
        bad == 0 && host != 0 && is_letter(text, last)
    }
}
