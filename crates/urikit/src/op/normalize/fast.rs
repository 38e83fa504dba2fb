//! The fast check: whether a reference contains nothing that any level changes, which is true of
//! most references on the Web. It takes less time than looking at each component.
//!
//! A reference usually differs from its normal form by an upper-case letter before the path, a dot
//! segment, or an escape. These are found by masks, or the first and the last in words of eight
//! bytes. Rare causes (a
//! port, `localhost`, an IP address) are left to the plan, which has the rules.
//!
//! Checking by masks that nothing has to change.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use super::decodable;
use crate::grammar::{ByteSet, rfc1808, rfc2396, rfc3986};
use crate::layout::HostKind;
use crate::op::resolve::dots;
use crate::scan::{BLOCK, Block, Blocks, Level, Nibbles, Scanner, Work};
use crate::{AnyRef, Standard};

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
        let kept = Kept::by(reference.standard());
        let is_plain = is_plain(text, layout.host_end as usize, kept);
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

/// Which escapes are unchanged.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    /// Octets of US-ASCII that are decoded somewhere.
    unescaped: &'static ByteSet,
    /// From this octet on, an escape depends on its neighbours.
    end: u8,
}

impl Kept {
    /// The escapes that no level changes under `standard`, whatever the scheme and the component.
    pub(super) const fn by(standard: Standard) -> Self {
        let (unescaped, end) = match standard {
            // There it depends on both.
            Standard::Rfc1630 | Standard::Rfc1738 => (rfc3986::UNRESERVED.set(), 0),
            Standard::Rfc1808 => (rfc1808::UNRESERVED.set(), u8::MAX),
            Standard::Rfc2396 | Standard::Rfc2732 => (rfc2396::UNRESERVED.set(), u8::MAX),
            Standard::Rfc3986 => (rfc3986::UNRESERVED.set(), u8::MAX),
            Standard::Rfc3987 => (rfc3986::UNRESERVED.set(), 0x80),
        };
        Self { unescaped, end }
    }

    /// Whether any escape is known to be unchanged.
    pub(super) const fn knows_escapes(self) -> bool {
        self.end > 0
    }

    /// Whether the escape at `at` is unchanged.
    #[inline(always)]
    fn has(self, text: &[u8], at: usize) -> bool {
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'A'..=b'F' => Some(digit - b'A' + 10),
            _ => None,
        };
        match text.get(at..) {
            Some([_, high, low, ..]) => match (value(*high), value(*low)) {
                (Some(high), Some(low)) => {
                    let octet = high << 4 | low;
                    octet < self.end && !self.unescaped.contains(octet)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a text has only escapes that are kept, no dot after a slash, and no upper-case letter
/// before `names_end`.
#[inline]
pub(super) fn is_plain(text: &[u8], names_end: usize, kept: Kept) -> bool {
    let by_bytes = || {
        let names = text.get(..names_end).unwrap_or(text);
        !text.contains(&b'%')
            && !dots::follow_slashes(text)
            && !names.iter().any(u8::is_ascii_uppercase)
    };
    let work = Plain {
        text,
        names_end,
        kept,
    };
    Level::best().run(work).unwrap_or_else(by_bytes)
}

struct Plain<'t> {
    text: &'t [u8],
    names_end: usize,
    kept: Kept,
}

const CAPITALS: Nibbles = Nibbles::new(&ByteSet::range(b'A', b'Z'));

impl Work for Plain<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let mut behind_slash = 0;
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((start, block)) = blocks.next() {
            let slash = block.is(b'/');
            let dots = block.is(b'.') & (slash << 1 | behind_slash);
            if dots != 0 {
                return Some(false);
            }
            let mut escapes = block.is(b'%');
            while escapes != 0 {
                let at = start + escapes.trailing_zeros() as usize;
                if !self.kept.has(self.text, at) {
                    return Some(false);
                }
                escapes &= escapes - 1;
            }
            if start < self.names_end {
                let names = self.names_end - start;
                let beyond = if names < BLOCK { u64::MAX << names } else { 0 };
                if block.members(&CAPITALS) & !beyond != 0 {
                    return Some(false);
                }
            }
            behind_slash = slash >> (BLOCK - 1);
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Level, is_plain};
    use crate::Standard;

    fn scan_least() -> usize {
        let levels = Level::all();
        levels.last().map_or(usize::MAX, |best| best.least())
    }

    #[test]
    fn every_character_at_every_place() {
        let kept = Kept::by(Standard::Rfc3986);
        for length in 1..200 {
            let plain = "a/".repeat(length / 2) + "b";
            for names_end in [0, 1, 15, 16, 63, 64, 65, plain.len()] {
                let names_end = names_end.min(plain.len());
                assert!(is_plain(plain.as_bytes(), names_end, kept));
                for at in 0..plain.len() {
                    let with = |c: &str| {
                        let mut text = plain.clone();
                        text.replace_range(at..=at, c);
                        is_plain(text.as_bytes(), names_end, kept)
                    };
                    assert!(!with("%"), "{at} of {plain}");
                    assert!(
                        !with("%41") && !with("%2e") && !with("%c3"),
                        "{at} of {plain}"
                    );
                    // The F is the first upper-case letter; texts without a scanner are not
                    // checked so precisely.
                    let stays = plain.len() + 5 >= scan_least() && at + 2 >= names_end;
                    assert_eq!(with("%2F%C3"), stays, "{at} of {plain}");
                    assert_eq!(with("A"), at >= names_end, "{at} of {plain}");
                    assert_eq!(with("Z"), at >= names_end, "{at} of {plain}");
                    assert!(with("-"), "{at} of {plain}");
                    let is_behind_slash = at > 0 && plain.as_bytes().get(at - 1) == Some(&b'/');
                    assert_eq!(with("."), !is_behind_slash, "{at} of {plain}");
                }
            }
        }
    }
}
