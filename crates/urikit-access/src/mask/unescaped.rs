//! Percent-decoding for masks and pages, which must keep track of positions. (Data is decoded by
//! the core.)

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
        let (byte, after) = rest.split_first()?;
        let escaped = match after {
            [high, low, ..] if *byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            rest = after.get(2..).unwrap_or_default();
            return Some((at, high << 4 | low));
        }
        rest = after;
        Some((at, *byte))
    })
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn each_byte_has_its_offset() {
        let all: Vec<_> = unescaped(b"a%4g%4A%").collect();
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
    }
}
