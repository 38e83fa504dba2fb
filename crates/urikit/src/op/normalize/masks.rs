//! Checking by masks that nothing has to change.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::Standard;
use crate::grammar::{ByteSet, rfc1808, rfc2396, rfc3986};
use crate::op::dots;
use crate::scan::{BLOCK, Block, Blocks, Level, Nibbles, Scanner, Work};

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
    use super::{BLOCK, Kept, Level, is_plain};
    use crate::Standard;

    fn scan_least() -> usize {
        let lengths = 1..BLOCK;
        let shortest = lengths
            .into_iter()
            .find(|n| Level::best().has_blocks(&[0; BLOCK][..*n]));
        shortest.unwrap_or(usize::MAX)
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
