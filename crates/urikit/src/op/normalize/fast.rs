//! The fast check: whether a reference contains nothing that any level changes, which is true of
//! most references on the Web. It takes less time than looking at each component.
//!
//! A reference usually differs from its normal form by an upper-case letter before the path, a dot
//! segment, or an escape. These are found by masks, or the first and the last in words of eight
//! bytes. Rare causes (a
//! port, `localhost`, an IP address) are left to the plan, which has the rules.

use super::{decodable, masks};
use crate::AnyRef;
use crate::layout::HostKind;

/// The lowest bit of each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each.
const HIGH: u64 = 0x80 * ONES;

/// The outcome of the fast check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FastCheck {
    /// It is its normal form at every level.
    Normal,
    /// The same, except that it has a host and no path, for which some schemes have a rule.
    WithoutPath,
    /// Neither is known: the plan decides.
    Unknown,
}

/// Checks a reference.
///
/// With a host, the masks decide alone if they know the standard's escapes: text that they reject
/// is rarely in normal form, and a second check would cost more than it saves.
pub(super) fn check(reference: &AnyRef<'_>) -> FastCheck {
    let layout = reference.layout();
    let text = reference.as_str().as_bytes();
    let Some((before, after)) = text.split_at_checked(layout.path as usize) else {
        return FastCheck::Unknown;
    };
    let has_host = layout.host_kind.is_some();
    if has_host {
        let is_rare = layout.host_end != layout.path || layout.host_kind == Some(HostKind::Ipv6);
        if is_rare || before.ends_with(b"localhost") {
            return FastCheck::Unknown;
        }
        let kept = masks::Kept::by(reference.standard());
        let is_plain = masks::is_plain(text, layout.host_end as usize, kept);
        let has_path = after.first() == Some(&b'/');
        match (is_plain, has_path) {
            (true, true) => return FastCheck::Normal,
            (true, false) => return FastCheck::WithoutPath,
            (false, _) if kept.knows_escapes() || !has_path => return FastCheck::Unknown,
            (false, _) => {}
        }
    }
    // Without an authority, a scheme may have rules for the path. Dot segments need no look: they
    // are removed from RFC 3986 on and after a scheme only, and there the masks have decided.
    let is_normal = (has_host || !layout.scheme.is_there())
        && !has_capital_or_escape(before)
        && are_escapes_plain(*reference, after);
    if is_normal {
        FastCheck::Normal
    } else {
        FastCheck::Unknown
    }
}

/// Whether there is a letter `A` to `Z` or a `%`.
fn has_capital_or_escape(text: &[u8]) -> bool {
    any(text, |word| capitals(word) | equal(word, b'%'))
}

/// Whether no escape in `text`, the end of a reference, is decoded or changed at any level.
fn are_escapes_plain(reference: AnyRef<'_>, text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = position_of_escape(rest) {
        let escape = rest.get(at..).and_then(<[u8]>::split_first_chunk);
        let Some((&[_, high, low], after)) = escape else {
            return false;
        };
        if !decodable::is_fixed(reference.standard(), high, low) {
            return false;
        }
        rest = after;
    }
    true
}

fn position_of_escape(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let found = equal(u64::from_le_bytes(*word), b'%');
        if found != 0 {
            return Some(8 * index + first(found));
        }
    }
    if equal(last_word(text, rest), b'%') == 0 {
        return None;
    }
    let at = rest.iter().position(|byte| *byte == b'%')?;
    Some(8 * words.len() + at)
}

/// Whether `found` marks a byte in any word of a text.
#[inline]
fn any(text: &[u8], found: impl Fn(u64) -> u64) -> bool {
    let (words, rest) = text.as_chunks();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    words.any(|word| found(word) != 0) || found(last_word(text, rest)) != 0
}

/// The last eight bytes of a text that has `rest` after its words; if it is shorter, all of it and
/// zeros.
#[inline]
fn last_word(text: &[u8], rest: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => (rest.iter().rev()).fold(0, |word, byte| (word << 8) | u64::from(*byte)),
    }
}

/// Which bytes of a word are upper-case letters: the highest bit of each.
#[inline]
const fn capitals(word: u64) -> u64 {
    let low = word & !HIGH;
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let after_z = low + (0x7F - b'Z' as u64) * ONES;
    from_a & !after_z & !word & HIGH
}

/// Which bytes of a word are `byte`: the highest bit of each.
#[inline]
const fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (byte as u64 * ONES);
    !(((difference & !HIGH) + !HIGH) | difference) & HIGH
}

/// The index of the first byte that is marked in a word.
#[inline]
const fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}
