//! Functions for bytes and characters that also work in constants, where the standard library's
//! functions do not.

/// Returns the byte at `at`, or `None` past the end.
#[inline]
#[allow(clippy::indexing_slicing)] // the condition is the bounds check
pub(crate) const fn byte_at(text: &[u8], at: usize) -> Option<u8> {
    if at < text.len() {
        Some(text[at])
    } else {
        None
    }
}

/// Returns whether two byte strings are equal.
pub(crate) const fn are_equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, other_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// Returns the character at `at` and its length in bytes. Returns `None` at the end, and where the
/// bytes are not a well-formed character (RFC 3629, 4).
pub(crate) const fn char_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let Some(first) = byte_at(text, at) else {
        return None;
    };
    let (length, bits, least) = match first {
        0x00..=0x7F => return Some((first as char, 1)),
        0xC2..=0xDF => (2, (first & 0x1F) as u32, 0x80),
        0xE0..=0xEF => (3, (first & 0x0F) as u32, 0x800),
        0xF0..=0xF4 => (4, (first & 0x07) as u32, 0x1_0000),
        _ => return None,
    };
    let mut code = bits;
    let mut index = 1;
    while index < length {
        match byte_at(text, at + index) {
            Some(byte @ 0x80..=0xBF) => code = code << 6 | (byte & 0x3F) as u32,
            _ => return None,
        }
        index += 1;
    }
    // `from_u32` rejects surrogates and numbers beyond U+10FFFF.
    match char::from_u32(code) {
        Some(c) if code >= least => Some((c, length)),
        _ => None,
    }
}
