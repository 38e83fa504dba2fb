//! Where the next colon is that may end a scheme.
//!
//! Text is full of colons with a space behind them, or another colon. They make no link, and where there are many of
//! them a search for one byte spends its time on beginning again, and the processor on guessing wrongly whether this
//! piece of text has one. So 64 times 64 bytes are looked at together, without a branch, and each block of 64 leaves a
//! bit; only then are the blocks visited that have theirs. What a block is asked are comparisons of whole arrays
//! without an early end, which compilers turn into vector instructions.

/// How many bytes make a block, and how many blocks a region: as many as a word has bits.
const BLOCK: usize = 64;

/// The colons of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Colons {
    /// Where the region begins whose blocks these are.
    region: usize,
    /// Behind the region.
    end: usize,
    /// The blocks of the region that have one, but for those that were visited.
    blocks: u64,
    /// Where the block begins that is visited.
    block: usize,
    /// What is left of it, a bit for each byte.
    marks: u64,
}

impl Colons {
    /// The next colon from `at` on that has neither space nor colon behind it, nor a colon before it. One at the very
    /// end counts: what follows it is not known; one at the very beginning does not: there is no scheme before it.
    ///
    /// From one call to the next, `at` only grows, and the bytes are the same.
    #[inline]
    pub(crate) fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        loop {
            if self.marks != 0 {
                let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
                self.marks &= u64::MAX.checked_shl(passed).unwrap_or(0);
            }
            if self.marks != 0 {
                let found = self.block + self.marks.trailing_zeros() as usize;
                self.marks &= self.marks - 1;
                return Some(found);
            }
            if self.blocks != 0 {
                self.block = self.region + self.blocks.trailing_zeros() as usize * BLOCK;
                self.blocks &= self.blocks - 1;
                if self.block + BLOCK > at {
                    self.marks = marks(bytes, self.block);
                }
            } else if !self.look(bytes, at) {
                return plain(bytes, at.max(self.end).max(1));
            }
        }
    }

    /// Looks at the next region; says whether there is one.
    fn look(&mut self, bytes: &[u8], at: usize) -> bool {
        self.region = at.max(self.end).max(1);
        let count = bytes.len().saturating_sub(self.region + 1) / BLOCK;
        self.end = self.region + count.min(BLOCK) * BLOCK;
        let blocks = bytes.get(self.region..self.end).unwrap_or_default();
        let nexts = bytes.get(self.region + 1..=self.end).unwrap_or_default();
        let (blocks, _) = blocks.as_chunks::<BLOCK>();
        let (nexts, _) = nexts.as_chunks::<BLOCK>();
        for (index, (block, next)) in blocks.iter().zip(nexts).enumerate() {
            self.blocks |= u64::from(has_any(block, next)) << index;
        }
        count > 0
    }
}

/// Whether there is a colon in the block with no space behind it; `next` are the bytes one place on.
#[inline]
fn has_any(block: &[u8; BLOCK], next: &[u8; BLOCK]) -> bool {
    let pairs = block.iter().zip(next);
    let is_one = |byte: u8, next: u8| u8::from(byte == b':') & u8::from(next != b' ');
    pairs.fold(0, |any, (byte, next)| any | is_one(*byte, *next)) != 0
}

/// Which of the bytes of the block at `start` are such colons.
#[inline]
fn marks(bytes: &[u8], start: usize) -> u64 {
    // A factor that brings the lowest bits of eight bytes together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let block_at = |start: usize| bytes.get(start..).and_then(<[u8]>::first_chunk::<BLOCK>);
    let (Some(before), Some(block), Some(next)) =
        (block_at(start - 1), block_at(start), block_at(start + 1))
    else {
        return 0;
    };
    let mut lanes = [0; BLOCK];
    for (((lane, before), byte), next) in lanes.iter_mut().zip(before).zip(block).zip(next) {
        *lane = u8::from(*byte == b':') & u8::from(*before != b':') & is_next(*next);
    }
    let (words, _) = lanes.as_chunks::<8>();
    words.iter().rev().fold(0, |marks, word| {
        marks << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56
    })
}

/// Whether the byte may stand behind such a colon.
const fn is_next(byte: u8) -> u8 {
    (byte != b' ') as u8 & (byte != b':') as u8
}

/// The first one in what is too short for a block.
fn plain(bytes: &[u8], start: usize) -> Option<usize> {
    (start..bytes.len()).find(|at| {
        bytes.get(*at) == Some(&b':')
            && bytes.get(at - 1) != Some(&b':')
            && bytes.get(at + 1).is_none_or(|next| is_next(*next) != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::Colons;

    /// What the search is, said plainly.
    fn is_one(bytes: &[u8], at: usize) -> bool {
        at > 0
            && bytes[at] == b':'
            && bytes[at - 1] != b':'
            && !matches!(bytes.get(at + 1), Some(b' ' | b':'))
    }

    #[test]
    fn equals_the_plain_search() {
        let mut random = urikit_testkit::Random::new(1);
        for _ in 0..2_000 {
            let longest = *random.pick(&[300, 10_000]);
            let length = random.below(longest);
            let rare = *random.pick(&[2, 10, 60, 100]);
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    if random.chance(100 / rare) {
                        *random.pick(b":: ;\x01\x3B\xBA")
                    } else {
                        *random.pick(b"ab \xFF9")
                    }
                })
                .collect();
            let far = *random.pick(&[1, 70, 5_000]);
            let mut colons = Colons::default();
            let mut at = 0;
            loop {
                let found = colons.next(&bytes, at);
                let expected = (at..bytes.len()).find(|at| is_one(&bytes, *at));
                assert_eq!(found, expected, "{bytes:?} {at}");
                let Some(found) = found else { break };
                at = found + 1 + random.below(far);
            }
        }
    }
}
