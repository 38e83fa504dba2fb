//! Whether nothing has to change, by masks.

#![allow(clippy::inline_always)] // what is not inlined is not compiled for the scanner's instructions

use crate::grammar::ByteSet;
use crate::op::dots;
use crate::scan::{BLOCK, Block, Level, Nibbles, Scanner, Work};

/// Whether a text has no escape, no dot behind a slash, and no capital before `names_end`.
#[inline]
pub(super) fn is_plain(text: &[u8], names_end: usize) -> bool {
    let by_bytes = || {
        let names = text.get(..names_end).unwrap_or(text);
        !text.contains(&b'%')
            && !dots::follow_slashes(text)
            && !names.iter().any(u8::is_ascii_uppercase)
    };
    let work = Plain { text, names_end };
    Level::best().run(work).unwrap_or_else(by_bytes)
}

struct Plain<'t> {
    text: &'t [u8],
    names_end: usize,
}

const CAPITALS: Nibbles = Nibbles::new(&ByteSet::range(b'A', b'Z'));

impl Work for Plain<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> bool {
        let mut behind_slash = 0;
        let mut start = 0;
        while start < self.text.len() {
            let block = if start == 0 {
                scanner.first(self.text)
            } else {
                scanner.later(self.text, start)
            };
            let slash = block.is(b'/');
            let dots = block.is(b'.') & (slash << 1 | behind_slash);
            if block.is(b'%') | dots != 0 {
                return false;
            }
            if start < self.names_end {
                let names = self.names_end - start;
                let beyond = if names < BLOCK { u64::MAX << names } else { 0 };
                if block.members(&CAPITALS) & !beyond != 0 {
                    return false;
                }
            }
            if S::ONE_BLOCK {
                break;
            }
            behind_slash = slash >> (BLOCK - 1);
            start += BLOCK;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn every_character_at_every_place() {
        for length in 1..200 {
            let plain = "a/".repeat(length / 2) + "b";
            for names_end in [0, 1, 15, 16, 63, 64, 65, plain.len()] {
                let names_end = names_end.min(plain.len());
                assert!(is_plain(plain.as_bytes(), names_end));
                for at in 0..plain.len() {
                    let with = |c: &str| {
                        let mut text = plain.clone();
                        text.replace_range(at..=at, c);
                        is_plain(text.as_bytes(), names_end)
                    };
                    assert!(!with("%"), "{at} of {plain}");
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
