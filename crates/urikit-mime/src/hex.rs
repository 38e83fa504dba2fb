//! Hexadecimal digits of escapes.

/// The octet of two hexadecimal digits.
pub(crate) fn escaped(high: u8, low: u8) -> Option<u8> {
    let digit = |octet| char::from(octet).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}
