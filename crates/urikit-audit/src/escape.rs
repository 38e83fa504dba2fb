//! Percent-encoded text as octets, where a `%` without two hexadecimal digits is literal.

use urikit::internal::AnyOctets;

/// The octets of a text, escapes decoded.
pub(crate) fn octets(text: &str) -> AnyOctets<'_> {
    urikit::internal::octets(text.as_bytes())
}

/// The text, escapes decoded; octets that are not UTF-8 become U+FFFD.
pub(crate) fn decoded(text: &str) -> String {
    let octets: Vec<u8> = octets(text).map(|octet| octet.value).collect();
    match String::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
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
