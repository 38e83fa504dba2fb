//! Percent-encoding, as far as people are shown what it stands for. (Nothing that is data is decoded.)

/// The bytes that `text` stands for, each with the place at which it is written. What is no escape
/// stands for itself.
pub(crate) fn unescaped(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = text.len() - rest.len();
        let (byte, behind) = rest.split_first()?;
        let escaped = match behind {
            [high, low, ..] if *byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            rest = behind.get(2..).unwrap_or_default();
            return Some((at, high << 4 | low));
        }
        rest = behind;
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
    fn each_byte_has_its_place() {
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
