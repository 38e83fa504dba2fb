//! A fast check for dot segments. Most paths have no dot segments.

// Only inlined code is compiled for the scanner's instruction set.
#![allow(clippy::inline_always)]

use urikit_scan::{BLOCK, Block, Blocks, Level, Scanner, Work};

/// Returns true if a dot follows a slash. If the result is false, only the first segment can be a
/// literal dot segment.
#[inline]
pub(in crate::op) fn follow_slashes(text: &[u8]) -> bool {
    Level::best()
        .run(Dots { text })
        .unwrap_or_else(|| follow_slashes_in_words(text))
}

/// Implements [`follow_slashes`] for short texts and for processors without SIMD, eight bytes at a
/// time.
#[inline]
fn follow_slashes_in_words(text: &[u8]) -> bool {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    // Returns 0x80 for each byte that equals `byte`, and 0 for the others.
    let is = |bytes: u64, byte: u8| {
        let other = bytes ^ u64::from_le_bytes([byte; 8]);
        !(((other & LOW) + LOW) | other | LOW)
    };
    let has_pair = |bytes: &[u8; 8]| {
        let bytes = u64::from_le_bytes(*bytes);
        is(bytes, b'/') << 8 & is(bytes, b'.') != 0
    };
    let Some(last) = text.last_chunk() else {
        return text.windows(2).any(|pair| pair == b"/.");
    };
    // Consecutive words overlap by at least one byte, so each pair of adjacent bytes is in at least
    // one word.
    let mut words = text.windows(8).step_by(7).filter_map(<[u8]>::first_chunk);
    words.any(has_pair) || has_pair(last)
}

struct Dots<'t> {
    text: &'t [u8],
}

impl Work for Dots<'_> {
    type Output = bool;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<bool> {
        let mut behind_slash = 0;
        let mut blocks = Blocks::new(scanner, self.text);
        while let Some((_, block)) = blocks.next() {
            let slash = block.is(b'/');
            if block.is(b'.') & (slash << 1 | behind_slash) != 0 {
                return Some(true);
            }
            behind_slash = slash >> (BLOCK - 1);
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::{follow_slashes, follow_slashes_in_words};

    #[test]
    fn at_every_place() {
        for length in 2..200 {
            let plain = ".x".repeat(length / 2) + "/x";
            assert!(!follow_slashes(plain.as_bytes()));
            assert!(!follow_slashes_in_words(plain.as_bytes()));
            for at in 0..plain.len() - 1 {
                let mut text = plain.clone();
                text.replace_range(at..at + 2, "/.");
                assert!(follow_slashes(text.as_bytes()), "{at} of {text}");
                assert!(follow_slashes_in_words(text.as_bytes()), "{text}");
            }
        }
    }
}
