//! Single escapes, and the octets of any text that may contain escapes.
//!
//! [`percent`](crate::percent) encodes and decodes complete components. The functions of this
//! module are its building blocks, for programs that read text octet by octet.
//!
//! ```
//! use urikit::octet::{escape, octets};
//! let octets: Vec<u8> = octets(b"50%25 off").map(|octet| octet.value).collect();
//! assert_eq!(octets, b"50% off");
//! assert_eq!(escape(b'%'), "%25");
//! ```

use crate::bytes::char_at;

/// Returns the value of a hexadecimal digit, or 255 for any other byte.
#[inline]
#[allow(clippy::indexing_slicing)] // the table has a value for each byte
pub(crate) const fn hex_value(digit: u8) -> u8 {
    // A table handles both upper-case and lower-case digits with one lookup.
    static VALUES: [u8; 256] = {
        let mut values = [u8::MAX; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789ABCDEF"[value as usize] as usize] = value;
            values[b"0123456789abcdef"[value as usize] as usize] = value;
            value += 1;
        }
        values
    };
    VALUES[digit as usize]
}

/// Returns the octet that two characters encode, or `None` if either is not a hexadecimal digit.
///
/// ```
/// use urikit::octet::octet;
/// assert_eq!((octet(b'7', b'E'), octet(b'7', b'g')), (Some(b'~'), None));
/// ```
#[inline]
pub const fn octet(high: u8, low: u8) -> Option<u8> {
    let (high, low) = (hex_value(high), hex_value(low));
    if (high | low) < 16 {
        Some(high << 4 | low)
    } else {
        None
    }
}

/// Returns the octet that the escape at the start of `text` encodes.
///
/// ```
/// use urikit::octet::escaped_octet;
/// assert_eq!(escaped_octet(b"%7Esmith"), Some(b'~'));
/// assert_eq!(escaped_octet(b"%smith"), None);
/// ```
#[inline]
pub const fn escaped_octet(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] => octet(*high, *low),
        _ => None,
    }
}

/// One octet of percent-encoded text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Octet {
    /// The offset at which the octet begins in the text, in bytes.
    pub offset: usize,
    /// The value of the octet.
    pub value: u8,
    /// True if the octet is written as an escape.
    pub is_escaped: bool,
}

/// An iterator over the octets of percent-encoded text. Created by [`octets`].
#[derive(Clone, Debug)]
pub struct AnyOctets<'a> {
    text: &'a [u8],
    offset: usize,
}

/// Returns the octets of any text. Decodes escapes, and leaves a `%` without two hexadecimal digits
/// as it is.
///
/// ```
/// use urikit::octet::octets;
/// let last = octets(b"a%2Fb%").last().unwrap();
/// assert_eq!((last.offset, last.value, last.is_escaped), (5, b'%', false));
/// ```
pub const fn octets(text: &[u8]) -> AnyOctets<'_> {
    AnyOctets { text, offset: 0 }
}

impl Iterator for AnyOctets<'_> {
    type Item = Octet;

    #[inline]
    fn next(&mut self) -> Option<Octet> {
        let offset = self.offset;
        let rest = self.text.get(offset..)?;
        let escaped = escaped_octet(rest);
        let (value, length) = match escaped {
            Some(value) => (value, 3),
            None => (*rest.first()?, 1),
        };
        self.offset += length;
        Some(Octet {
            offset,
            value,
            is_escaped: escaped.is_some(),
        })
    }
}

/// Returns whether each `%` begins an escape.
#[cfg(feature = "idna")]
pub(crate) fn has_only_escapes(text: &str) -> bool {
    let rest = |at| text.as_bytes().get(at..).unwrap_or_default();
    let mut percents = text.match_indices('%');
    percents.all(|(at, _)| escaped_octet(rest(at)).is_some())
}

/// Returns the character whose UTF-8 octets the escapes at the start of `text` encode, and the
/// length of these escapes. Returns `None` if the octets are not UTF-8 (RFC 3629, 4).
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

/// The escapes of all octets, in order of their values.
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

/// Returns the escape of an octet: `%` and two hexadecimal digits in upper case (RFC 3986, 2.1).
///
/// ```
/// assert_eq!(urikit::octet::escape(b' '), "%20");
/// ```
pub fn escape(octet: u8) -> &'static str {
    let at = 3 * usize::from(octet);
    ESCAPES.get(at..at + 3).unwrap_or_default()
}
