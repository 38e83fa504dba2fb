//! Single escapes: reading them as octets and characters, and writing them.

use crate::bytes::char_at;

/// The value of a hexadecimal digit.
const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// The octet of the escape at the start of `text`.
pub const fn escaped_octet(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else {
        return None;
    };
    match (hex_value(*high), hex_value(*low)) {
        (Some(high), Some(low)) => Some(high << 4 | low),
        _ => None,
    }
}

/// Whether each `%` begins an escape, so that the text can be decoded.
#[cfg(feature = "idna")]
pub(crate) fn has_only_escapes(text: &str) -> bool {
    let rest = |at| text.as_bytes().get(at..).unwrap_or_default();
    let mut percents = text.match_indices('%');
    percents.all(|(at, _)| escaped_octet(rest(at)).is_some())
}

/// The character whose UTF-8 octets are those of the escapes at the start of `text`, and the
/// length of these as written; `None` if they are not UTF-8 (RFC 3629, 4).
pub(crate) fn escaped_char(text: &[u8]) -> Option<(char, usize)> {
    let mut octets = [0; 4];
    let mut count = 0;
    for (place, escape) in octets.iter_mut().zip(text.chunks_exact(3)) {
        match escaped_octet(escape) {
            Some(octet) => *place = octet,
            None => break,
        }
        count += 1;
    }
    let (c, length) = char_at(octets.get(..count)?, 0)?;
    Some((c, 3 * length))
}

/// The escapes of all octets, in order.
const ESCAPES: &str = {
    const BYTES: [u8; 768] = {
        let mut bytes = [b'%'; 768];
        let mut octet = 0;
        #[allow(clippy::indexing_slicing)] // in a constant
        while octet < 256 {
            bytes[3 * octet + 1] = b"0123456789ABCDEF"[octet >> 4];
            bytes[3 * octet + 2] = b"0123456789ABCDEF"[octet & 15];
            octet += 1;
        }
        bytes
    };
    match core::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

/// `%` and two hexadecimal digits, in upper case (RFC 3986, 2.1).
pub fn escape(octet: u8) -> &'static str {
    let at = 3 * usize::from(octet);
    ESCAPES.get(at..at + 3).unwrap_or_default()
}
