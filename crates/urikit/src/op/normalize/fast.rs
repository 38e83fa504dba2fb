//! The fast check: finds references that no level of normalization changes.
//!
//! Most references on the Web pass the check. The check reads the text once, in blocks, and costs
//! less than looking at each component. The check looks for the usual differences from the normal
//! form: an upper-case letter before the path, a dot segment, or an escape that normalization
//! decodes. Rare features (a port, `localhost`, an IP address) are left to the plan, which applies
//! all rules.

// Only inlined code is compiled for the scanner's instruction set.
#![allow(clippy::inline_always)]

use super::decodable;
use crate::Standard;
use crate::grammar::ByteSet;
use crate::layout::HostKind;
use crate::op::resolve::dots;
use crate::reference::{Known, Standards};
use core::marker::PhantomData;
use urikit_scan::{BLOCK, Block, Blocks, Level, Nibbles, Scanner, Work};

/// The outcome of the fast check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FastCheck {
    /// The reference is in normal form at every level.
    Normal,
    /// The reference has a host and an empty path, for which some schemes have a rule. Apart from
    /// the path, the reference is in normal form at every level.
    WithoutPath,
    /// The check is inconclusive, so the caller must compute a `Plan`.
    Unknown,
}

/// Checks a reference.
pub(super) fn check<S: Standards>(reference: Known<'_, S>) -> FastCheck {
    let layout = reference.layout();
    let text = reference.as_str().as_bytes();
    let standard = reference.standard();
    let Some((before, after)) = text.split_at_checked(layout.path as usize) else {
        return FastCheck::Unknown;
    };
    if layout.host_kind.is_none() {
        // A scheme may have rules for a path without an authority. Without a scheme, the path keeps
        // its dot segments.
        let is_relative = !layout.scheme.is_there();
        return if is_relative && has_only::<S>(text, standard) {
            FastCheck::Normal
        } else {
            FastCheck::Unknown
        };
    }
    let is_rare = layout.host_end != layout.path || layout.host_kind == Some(HostKind::Ipv6);
    if is_rare || before.ends_with(b"localhost") {
        return FastCheck::Unknown;
    }
    if !is_unchanged::<S>(text, layout.host_end as usize, standard) {
        return FastCheck::Unknown;
    }
    if after.first() == Some(&b'/') {
        FastCheck::Normal
    } else {
        FastCheck::WithoutPath
    }
}

/// The escapes that no level changes, regardless of the scheme and the component.
#[derive(Clone, Copy)]
struct UnchangedEscapes {
    /// The octets that are decoded in at least one component.
    decoded: &'static ByteSet,
    /// The lowest octet whose escape a level may decode, depending on adjacent escapes.
    end: u8,
}

impl UnchangedEscapes {
    const fn of(standard: Standard) -> Self {
        Self {
            decoded: decodable::somewhere(standard),
            end: match standard {
                Standard::Rfc3987 => 0x80,
                _ => u8::MAX,
            },
        }
    }

    /// Returns true if no level changes the escape at `at`.
    #[inline(always)]
    fn contains(self, text: &[u8], at: usize) -> bool {
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'A'..=b'F' => Some(digit - b'A' + 10),
            _ => None,
        };
        match text.get(at..) {
            Some([_, high, low, ..]) => match (value(*high), value(*low)) {
                (Some(high), Some(low)) => {
                    let octet = high << 4 | low;
                    octet < self.end && !self.decoded.contains(octet)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Returns true if no level changes any escape in the text.
fn has_only<S: Standards>(text: &[u8], standard: Standard) -> bool {
    let unchanged = UnchangedEscapes::of(S::narrow(standard));
    let mut escapes = text.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    !text.contains(&b'%') || escapes.all(|(at, _)| unchanged.contains(text, at))
}

/// Returns true if the text has only escapes that no level changes, no dot after a slash, and no
/// upper-case letter before `names_end`.
#[inline]
fn is_unchanged<S: Standards>(text: &[u8], names_end: usize, standard: Standard) -> bool {
    // No scanner reads texts of this length.
    let by_bytes = || {
        let names = text.get(..names_end).unwrap_or(text);
        has_only::<S>(text, standard)
            && !dots::follow_slashes(text)
            && !names.iter().any(u8::is_ascii_uppercase)
    };
    let work = Unchanged {
        text,
        names_end,
        standard,
        standards: PhantomData::<S>,
    };
    Level::best().run(work).unwrap_or_else(by_bytes)
}

struct Unchanged<'t, S> {
    text: &'t [u8],
    names_end: usize,
    standard: Standard,
    standards: PhantomData<S>,
}

const CAPITALS: Nibbles = Nibbles::new(&ByteSet::range(b'A', b'Z'));

impl<K: Standards> Work for Unchanged<'_, K> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let mut after_slash = 0;
        // Most texts have one block, for which this takes fewer instructions than the loop.
        if self.text.len() <= BLOCK {
            let block = scanner.first_or_narrow(self.text);
            return Some(self.is_unchanged(0, block, &mut after_slash));
        }
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((start, block)) = blocks.next() {
            if !self.is_unchanged(start, block, &mut after_slash) {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl<S: Standards> Unchanged<'_, S> {
    /// Checks the block at `start`. On entry, the lowest bit of `after_slash` is set if a slash
    /// precedes the block; on return, if the block ends with a slash.
    #[inline(always)]
    fn is_unchanged(&self, start: usize, block: impl Block, after_slash: &mut u64) -> bool {
        let slash = block.is(b'/');
        let dots = block.is(b'.') & (slash << 1 | *after_slash);
        if dots != 0 {
            return false;
        }
        let mut escapes = block.is(b'%');
        while escapes != 0 {
            let at = start + escapes.trailing_zeros() as usize;
            if !UnchangedEscapes::of(S::narrow(self.standard)).contains(self.text, at) {
                return false;
            }
            escapes &= escapes - 1;
        }
        if start < self.names_end {
            let names = self.names_end - start;
            let beyond = if names < BLOCK { u64::MAX << names } else { 0 };
            if block.members(&CAPITALS) & !beyond != 0 {
                return false;
            }
        }
        *after_slash = slash >> (BLOCK - 1);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::is_unchanged;
    use crate::Standard;
    use crate::reference::Every;

    #[test]
    fn every_character_at_every_place() {
        for length in 1..200 {
            let plain = "a/".repeat(length / 2) + "b";
            for names_end in [0, 1, 15, 16, 63, 64, 65, plain.len()] {
                let names_end = names_end.min(plain.len());
                assert!(is_unchanged::<Every>(
                    plain.as_bytes(),
                    names_end,
                    Standard::Rfc3986
                ));
                for at in 0..plain.len() {
                    let with = |c: &str| {
                        let mut text = plain.clone();
                        text.replace_range(at..=at, c);
                        is_unchanged::<Every>(text.as_bytes(), names_end, Standard::Rfc3986)
                    };
                    assert!(!with("%"), "{at} of {plain}");
                    assert!(
                        !with("%41") && !with("%2e") && !with("%c3"),
                        "{at} of {plain}"
                    );
                    // The F is the first upper-case letter.
                    assert_eq!(with("%2F%C3"), at + 2 >= names_end, "{at} of {plain}");
                    assert_eq!(with("A"), at >= names_end, "{at} of {plain}");
                    assert_eq!(with("Z"), at >= names_end, "{at} of {plain}");
                    assert!(with("-"), "{at} of {plain}");
                    let follows_slash = at > 0 && plain.as_bytes().get(at - 1) == Some(&b'/');
                    assert_eq!(with("."), !follows_slash, "{at} of {plain}");
                }
            }
        }
    }
}
