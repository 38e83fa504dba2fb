//! Numbers in protocols: digits, without a sign or spaces.

use std::str::FromStr;

/// Reads a decimal number. `None` for anything but ASCII digits, and for a number that does not
/// fit.
pub(super) fn number<T: FromStr>(digits: &[u8]) -> Option<T> {
    // `from_str` alone would accept `+80`.
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
