//! The next colon that may end a scheme.
//!
//! Most colons in text are followed by a space or another colon, and end no scheme. Where there
//! are many of them, searching byte by byte spends its time on restarting and on mispredicted
//! branches. So the core's scanner looks at a region of the text at once, and only blocks that
//! have a possible colon are visited.

use memchr::memchr;
use urikit::internal::scan_text::{BLOCK, Region};

/// The colons of a text, in order.
#[derive(Debug, Default)]
pub struct Colons {
    region: Region,
    /// Where the region begins, and where the next one begins.
    start: usize,
    end: usize,
    /// Where the current block begins.
    block: usize,
    /// The remaining colons of the block, one bit for each byte.
    marks: u64,
}

impl Colons {
    /// The next colon from `at` on that is not followed by a space or a colon, and not preceded by
    /// a colon. A colon at the very end counts, since what follows is not known; one at the very
    /// beginning does not, since no scheme precedes it.
    ///
    /// Between calls, `at` must not decrease and the bytes must not change.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        loop {
            let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
            self.marks &= u64::MAX.checked_shl(passed).unwrap_or(0);
            while self.marks != 0 {
                let found = self.block + self.marks.trailing_zeros() as usize;
                self.marks &= self.marks - 1;
                if is_single(bytes, found) {
                    return Some(found);
                }
            }
            if self.region.any != 0 {
                let index = self.region.any.trailing_zeros() as usize;
                self.region.any &= self.region.any - 1;
                self.block = self.start + index * BLOCK;
                let marks = self.region.masks.get(index).copied().unwrap_or(0);
                // Drop both of two adjacent colons.
                self.marks = marks & !(marks << 1) & !(marks >> 1);
            } else {
                self.start = at.max(self.end).max(1);
                self.region.look(bytes, self.start, b':', b' ');
                self.end = self.start + self.region.blocks * BLOCK;
                if self.region.blocks == 0 {
                    return last(bytes, self.start);
                }
            }
        }
    }
}

/// Whether no other colon is next to this one.
#[inline]
fn is_single(bytes: &[u8], at: usize) -> bool {
    bytes.get(at - 1) != Some(&b':') && bytes.get(at + 1) != Some(&b':')
}

/// The next colon in a rest that is too short for a block.
fn last(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr(b':', bytes.get(at..)?)?;
        if is_single(bytes, at) && bytes.get(at + 1) != Some(&b' ') {
            return Some(at);
        }
        at += 1;
    }
}
