//! The next colon that may end a scheme, by the bytes next to it.
//!
//! Most colons in text are followed by a space or a quotation mark or preceded by one, and end no
//! scheme. Where there are many of them, searching byte by byte spends its time on restarting and
//! on mispredicted branches. So the core's scanner looks at a region of the text at once, and only
//! blocks that have a possible colon are visited.

use super::scheme::is_scheme_byte;
use memchr::memchr;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::{ALPHA, DIGIT};
use urikit::internal::scan_text::{BLOCK, Region};

/// The bytes that may follow the colon of a link: two slashes, which may be escaped, or the first
/// character of a URL without them, or the end of the line on which a wrapped link is broken.
static AFTER: ByteSet = ALPHA
    .set()
    .or(*DIGIT.set())
    .or(ByteSet::of(b"/\\+*?,%-_\n\r"));

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
    /// After the last colon that was found. The marks before it are cleared.
    passed: usize,
}

impl Colons {
    /// The next colon from `at` on that may end a scheme: a character of schemes precedes it, and
    /// one with which a reference continues follows. A colon at the very end counts, since what
    /// follows is not known.
    ///
    /// Between calls, `at` must not decrease and the bytes must not change.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if at > self.passed {
            // What was found before was a link, which is passed.
            let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
            self.marks &= u64::MAX.checked_shl(passed).unwrap_or(0);
        }
        loop {
            while self.marks != 0 {
                let found = self.block + self.marks.trailing_zeros() as usize;
                self.marks &= self.marks - 1;
                if may_end_scheme(bytes, found) {
                    self.passed = found + 1;
                    return Some(found);
                }
            }
            if self.region.any != 0 {
                let index = self.region.any.trailing_zeros() as usize;
                self.region.any &= self.region.any - 1;
                self.block = self.start + index * BLOCK;
                let marks = self.region.masks.get(index).copied().unwrap_or(0);
                let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
                // Drop both of two adjacent colons.
                self.marks = marks
                    & !(marks << 1)
                    & !(marks >> 1)
                    & u64::MAX.checked_shl(passed).unwrap_or(0);
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

/// Whether the colon at this offset may end a scheme.
#[inline]
fn may_end_scheme(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(at + 1);
    before.is_some_and(|byte| is_scheme_byte(*byte))
        && after.is_none_or(|byte| AFTER.contains(*byte))
}

/// The next colon in a rest that is too short for a block.
fn last(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr(b':', bytes.get(at..)?)?;
        if may_end_scheme(bytes, at) {
            return Some(at);
        }
        at += 1;
    }
}
