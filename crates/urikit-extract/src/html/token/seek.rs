//! Searches that expect to be short.

/// The offset of a byte from `at` on. The next bytes are searched eight at a time, which is faster
/// than a call for most values and tags.
#[inline]
pub(super) fn find(text: &[u8], byte: u8, at: usize) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pattern = LOW * u64::from(byte);
    let mut from = at;
    while from < at + 32 {
        let Some(eight) = text.get(from..).and_then(<[u8]>::first_chunk::<8>) else {
            break;
        };
        let other = u64::from_le_bytes(*eight) ^ pattern;
        let zero = other.wrapping_sub(LOW) & !other & HIGH;
        if zero != 0 {
            let index = zero.trailing_zeros() / 8;
            return Some(from + usize::try_from(index).unwrap_or(0));
        }
        from += 8;
    }
    let rest = text.get(from..)?;
    memchr::memchr(byte, rest).map(|length| from + length)
}

#[inline]
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Whether a byte ends the name of a tag.
#[inline]
pub(super) const fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// Whether `text` at an offset begins with a word in lower case, ignoring case, and a byte that
/// ends a name; `None` if that depends on what follows.
pub(super) fn word(text: &[u8], at: usize, word: &str) -> Option<bool> {
    let rest = text.get(at..).unwrap_or_default();
    let word = word.as_bytes();
    let seen = rest.len().min(word.len());
    let is_equal = rest
        .get(..seen)
        .unwrap_or_default()
        .eq_ignore_ascii_case(word.get(..seen).unwrap_or_default());
    match rest.get(word.len()) {
        _ if !is_equal => Some(false),
        None => None,
        Some(byte) => Some(ends_name(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::{find, word};

    #[test]
    fn finds_the_first() {
        for length in 0..80 {
            for position in 0..length {
                let mut text = vec![b'a'; length];
                text[position] = b'>';
                let last = length - 1;
                text[last] = b'>';
                for at in 0..=position {
                    assert_eq!(find(&text, b'>', at), Some(position));
                }
                assert_eq!(find(&text, b'<', 0), None);
            }
        }
        assert_eq!(find(b"\x80\x81\x01\x00", 0, 0), Some(3));
        assert_eq!(find(b"\x01\x00\x01\x00\x01\x01\x01\x01", 0, 2), Some(3));
    }

    #[test]
    fn words_are_undecided_until_they_end() {
        assert_eq!(word(b"SCRIPT>", 0, "script"), Some(true));
        assert_eq!(word(b"script", 0, "script"), None);
        assert_eq!(word(b"scr", 0, "script"), None);
        assert_eq!(word(b"scripts", 0, "script"), Some(false));
        assert_eq!(word(b"scx", 0, "script"), Some(false));
    }
}
