//! Percent-decoding for masks and pages, which must keep track of positions. (Data is decoded by
//! the core.)

use memchr::memchr;

/// The decoded bytes of `text`, each with the offset in bytes at which it is written. Anything that
/// is not an escape is literal.
///
/// ```
/// use urikit_access::mask::unescaped;
/// assert!(unescaped(b"a%42c").eq([(0, b'a'), (1, b'B'), (4, b'c')]));
/// ```
pub fn unescaped(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = text.len() - rest.len();
        let (byte, after) = first(rest)?;
        rest = after;
        Some((at, byte))
    })
}

/// Appends the decoded bytes of `text` to `out`.
pub(super) fn unescape_into(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((literal, escape)) = memchr(b'%', rest).and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(literal);
        let (byte, after) = first(escape).unwrap_or((b'%', &[]));
        out.push(byte);
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// The first byte, decoded, and what follows it.
fn first(text: &[u8]) -> Option<(u8, &[u8])> {
    let (byte, after) = text.split_first()?;
    if let [high, low, after @ ..] = after
        && *byte == b'%'
        && let Some((high, low)) = hex(*high).zip(hex(*low))
    {
        return Some((high << 4 | low, after));
    }
    Some((*byte, after))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::{unescape_into, unescaped};

    #[test]
    fn each_byte_has_its_offset() {
        let text = b"a%4g%4A%";
        let all: Vec<_> = unescaped(text).collect();
        assert_eq!(
            all,
            [
                (0, b'a'),
                (1, b'%'),
                (2, b'4'),
                (3, b'g'),
                (4, b'J'),
                (7, b'%')
            ]
        );
        let mut bytes = Vec::new();
        unescape_into(text, &mut bytes);
        assert_eq!(bytes, b"a%4gJ%");
    }
}
