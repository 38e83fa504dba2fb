//! Percent-encoded text as octets, where a `%` without two hexadecimal digits is literal.

/// An octet of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Octet {
    /// Where it begins in the text.
    pub(crate) offset: usize,
    pub(crate) value: u8,
    /// Whether it is written as an escape.
    pub(crate) is_escaped: bool,
}

/// The octets of a text; see [`octets`].
#[derive(Clone)]
pub(crate) struct Octets<'a> {
    rest: &'a [u8],
    offset: usize,
}

/// The octets of a text, escapes decoded.
pub(crate) fn octets(text: &str) -> Octets<'_> {
    Octets {
        rest: text.as_bytes(),
        offset: 0,
    }
}

/// The text, escapes decoded; octets that are not UTF-8 become U+FFFD.
pub(crate) fn decoded(text: &str) -> String {
    let octets: Vec<u8> = octets(text).map(|octet| octet.value).collect();
    match String::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

impl Iterator for Octets<'_> {
    type Item = Octet;

    fn next(&mut self) -> Option<Octet> {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let escape = match self.rest {
            [b'%', high, low, ..] => digit(*high).zip(digit(*low)),
            _ => None,
        };
        let offset = self.offset;
        let (value, length) = match escape {
            Some((high, low)) => (u8::try_from(high << 4 | low).ok()?, 3),
            None => (*self.rest.first()?, 1),
        };
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.offset += length;
        Some(Octet {
            offset,
            value,
            is_escaped: escape.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn incomplete_escapes_are_literal() {
        assert_eq!(decoded("a%41%4%zz%c3%A9%"), "aA%4%zzé%");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
