//! Lines that are too long.

use memchr::memchr;

/// Where the first line of more than `max` bytes begins. The last one need not be complete.
pub(super) fn overlong(data: &[u8], end: u8, max: usize) -> Option<usize> {
    let mut start = 0;
    while data.len() - start > max {
        let rest = data.get(start..).unwrap_or_default();
        let length = memchr(end, rest).unwrap_or(rest.len());
        if length > max {
            return Some(start);
        }
        start += length + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::overlong;

    #[test]
    fn the_first_overlong_line() {
        for (data, max, start) in [
            ("", 0, None),
            ("\n\n", 0, None),
            ("a", 0, Some(0)),
            ("abc", 3, None),
            ("abc\n", 3, None),
            ("abcd\n", 3, Some(0)),
            ("abc\nabcd\na", 3, Some(4)),
            ("a\nb\nabcd", 3, Some(4)),
            ("a\nb\nabc", 3, None),
        ] {
            assert_eq!(
                overlong(data.as_bytes(), b'\n', max),
                start,
                "{data:?} {max}"
            );
        }
    }
}
