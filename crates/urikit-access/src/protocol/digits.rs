//! Numbers in protocols: digits, without a sign or spaces.

use std::str::FromStr;

/// Reads a decimal number. `None` for anything but ASCII digits, and for a number that does not
/// fit.
pub(super) fn number<T: FromStr>(digits: &[u8]) -> Option<T> {
    // `from_str` alone would accept `+80`.
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    text.parse().ok()
}
