//! Percent-decoding for masks and pages, which must keep track of positions. (Data is decoded by
//! the core.)

use memchr::memchr;
use urikit::internal::{escaped_octet, octets};

/// The decoded bytes of `text`, each with the offset in bytes at which it is written. Anything that
/// is not an escape is literal.
///
/// ```
/// use urikit_access::mask::unescaped;
/// assert!(unescaped(b"a%42c").eq([(0, b'a'), (1, b'B'), (4, b'c')]));
/// ```
pub fn unescaped(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    octets(text).map(|octet| (octet.offset, octet.value))
}

/// Appends the decoded bytes of `text` to `out`.
pub(super) fn unescape_into(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((literal, escape)) = memchr(b'%', rest).and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(literal);
        let (octet, length) = escaped_octet(escape).map_or((b'%', 1), |octet| (octet, 3));
        out.push(octet);
        rest = escape.get(length..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
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
