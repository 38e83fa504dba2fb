//! Numbers in protocols: digits, without a sign or spaces.

/// Reads a decimal number. `None` for anything but ASCII digits, and for a number that does not
/// fit.
pub(super) fn number<T: TryFrom<u64>>(digits: &[u8]) -> Option<T> {
    if digits.is_empty() {
        return None;
    }
    let mut number: u64 = 0;
    for octet in digits {
        let digit = octet.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    number.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_digits_that_fit() {
        assert_eq!(number::<u64>(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number::<u64>(b"18446744073709551616"), None);
        assert_eq!(number::<u64>(b"99999999999999999999"), None);
        assert_eq!(number::<u64>(b"00000000000000000000000001"), Some(1));
        assert_eq!(
            (number::<u8>(b"255"), number::<u8>(b"256")),
            (Some(255), None)
        );
        for digits in ["", "+80", "-1", "8 ", " 8", "8:", "8/", "\u{665}"] {
            assert_eq!(number::<u64>(digits.as_bytes()), None, "{digits}");
        }
    }
}
