//! Words between spaces. In a long listing, looking at each byte by itself takes longer than
//! everything else: where a word ends is different in each line, which no processor predicts.

/// The words of a line, from the beginning.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    line: &'a [u8],
    /// Which of the first bytes are spaces, from the lowest bit on.
    spaces: u64,
    at: usize,
}

/// So many bytes are looked at together.
const TOGETHER: usize = 64;

impl<'a> Words<'a> {
    #[inline]
    pub(super) fn new(line: &'a [u8]) -> Self {
        let (groups, _) = line.as_chunks::<8>();
        let mut spaces = 0;
        for (nth, group) in groups.iter().take(TOGETHER / 8).enumerate() {
            spaces |= spaces_of(*group) << (8 * nth);
        }
        let looked_at = 8 * groups.len().min(TOGETHER / 8);
        for (at, byte) in line.iter().enumerate().take(TOGETHER).skip(looked_at) {
            spaces |= u64::from(*byte == b' ') << at;
        }
        Self {
            line,
            spaces,
            at: 0,
        }
    }

    /// The next word, after spaces. `None` if no space follows it.
    #[inline]
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let begin = self.find(self.at, false)?;
        let end = self.find(begin, true)?;
        self.at = end;
        self.line.get(begin..end)
    }

    /// What follows the last word.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// The same, after spaces.
    pub(super) fn rest_after_spaces(&self) -> &'a [u8] {
        let begin = self.find(self.at, false);
        begin
            .and_then(|begin| self.line.get(begin..))
            .unwrap_or_default()
    }

    /// The offset of the first byte from `at` on that is a space, or that is none.
    #[inline]
    fn find(&self, mut at: usize, is_space: bool) -> Option<usize> {
        if at < TOGETHER {
            let wanted = if is_space { self.spaces } else { !self.spaces };
            let wanted = wanted & (u64::MAX << at);
            if wanted != 0 {
                at = wanted.trailing_zeros() as usize;
                return Some(at).filter(|at| *at < self.line.len());
            }
            at = TOGETHER;
        }
        let mut rest = self.line.get(at..)?.iter();
        let found = rest.position(|byte| (*byte == b' ') == is_space);
        found.map(|found| at + found)
    }
}

/// Which of the bytes are spaces, one bit for each.
fn spaces_of(bytes: [u8; 8]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let others = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b' '; 8]);
    // The highest bit of each byte that is zero.
    let highest = !(((others & LOW) + LOW) | others | LOW);
    // Each of these bits, moved to its place in the highest byte.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn words_end_at_spaces() {
        // Of each length and at each offset, up to and past what is looked at together.
        for length in 0..140 {
            let mut seed: u32 = length + 1;
            let line: Vec<u8> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                    b"  ab\t!\xA0\x00"[(seed >> 16) as usize % 8]
                })
                .collect();
            let mut words = Words::new(&line);
            let mut rest = &line[..];
            loop {
                let begin = rest.iter().position(|byte| *byte != b' ');
                let text = begin.map_or(&b""[..], |begin| &rest[begin..]);
                assert_eq!(words.rest(), rest);
                assert_eq!(words.rest_after_spaces(), text);
                let end = text.iter().position(|byte| *byte == b' ');
                assert_eq!(words.next(), end.map(|end| &text[..end]), "{line:?}");
                let Some(end) = end else { break };
                rest = &text[end..];
            }
        }
    }
}
