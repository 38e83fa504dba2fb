//! Where the next colon is that may end a scheme.
//!
//! Text is full of colons with a space behind them. They make no link, and where there are many of them a search for
//! one byte spends its time on beginning again. So 64 bytes are looked at together, for a colon *and* what follows it:
//! comparisons of whole arrays without an early end, which compilers turn into vector instructions.

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// The next colon from `start` on that has no space behind it. One at the very end counts: what follows it is not known.
#[inline]
pub(crate) fn find(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some((block, _)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk::<BLOCK>) {
        let Some(next) = bytes.get(at + 1..).and_then(<[u8]>::first_chunk::<BLOCK>) else {
            break;
        };
        if has_any(block, next)
            && let Some(found) = find_in(block, next)
        {
            return Some(at + found);
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..)?;
    let found = rest
        .iter()
        .enumerate()
        .position(|(index, byte)| *byte == b':' && rest.get(index + 1) != Some(&b' '))?;
    Some(at + found)
}

/// Whether there is one in the block; `next` are the bytes one place on.
#[inline]
fn has_any(block: &[u8; BLOCK], next: &[u8; BLOCK]) -> bool {
    let pairs = block.iter().zip(next);
    let is_one = |byte: u8, next: u8| u8::from(byte == b':') & u8::from(next != b' ');
    pairs.fold(0, |any, (byte, next)| any | is_one(*byte, *next)) != 0
}

/// The first one in the block.
#[inline]
fn find_in(block: &[u8; BLOCK], next: &[u8; BLOCK]) -> Option<usize> {
    const LOW: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const COLONS: u64 = u64::from_le_bytes([b':'; 8]);
    let (words, _) = block.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // The high bit of each byte that is a colon, and of some behind one that are none.
        let differs = u64::from_le_bytes(*word) ^ COLONS;
        let mut marks = differs.wrapping_sub(LOW) & !differs & HIGH;
        while marks != 0 {
            let at = index * 8 + (marks.trailing_zeros() / 8) as usize;
            if block.get(at) == Some(&b':') && next.get(at) != Some(&b' ') {
                return Some(at);
            }
            marks &= marks - 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find;

    /// What the search is, said plainly.
    fn plain(bytes: &[u8], start: usize) -> Option<usize> {
        (start..bytes.len()).find(|at| bytes[*at] == b':' && bytes.get(at + 1) != Some(&b' '))
    }

    #[test]
    fn equals_the_plain_search() {
        let mut random = urikit_testkit::Random::new(1);
        for _ in 0..2_000 {
            let length = random.below(300);
            let rare = *random.pick(&[2, 10, 60]);
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    if random.chance(100 / rare) {
                        *random.pick(b": ;\x01\x3B\xBA")
                    } else {
                        *random.pick(b"ab \xFF9")
                    }
                })
                .collect();
            for start in [0, 1, 63, 64, 65, 200] {
                assert_eq!(
                    find(&bytes, start),
                    plain(&bytes, start),
                    "{bytes:?} {start}"
                );
            }
        }
    }
}
