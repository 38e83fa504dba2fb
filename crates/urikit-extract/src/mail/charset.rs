//! Decoding the charsets of parts and encoded words.

use crate::decode::{Decoder, OffsetMap, by_label};
use encoding_rs::{Encoding, UTF_8};

/// The text in UTF-8; `None` if it is already, or if the charset is unknown.
pub(super) fn decode(text: &[u8], label: &[u8]) -> Option<(Vec<u8>, OffsetMap)> {
    if label.eq_ignore_ascii_case(b"us-ascii") {
        return None;
    }
    let encoding = by_label(label)?;
    if encoding.is_ascii_compatible() && text.is_ascii() {
        return None;
    }
    let mut decoder = Decoder::new(encoding, 0);
    let mut out = Vec::with_capacity(text.len() * 2);
    decoder.push(text, &mut out);
    decoder.finish(&mut out);
    Some((out, core::mem::take(decoder.map())))
}

/// Whether a text should be UTF-8, so that other bytes in it are errors.
pub(super) fn is_utf8(label: Option<&[u8]>) -> bool {
    label.is_none_or(|label| Encoding::for_label(label).is_none_or(|encoding| encoding == UTF_8))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes_and_maps_back() {
        let (_, map) = decode(b"/\xE9t\xE9", b"latin1").unwrap();
        assert_eq!(
            (map.range(0..1), map.range(1..3), map.range(3..6)),
            (0..1, 1..2, 2..4)
        );
        assert!(decode(b"a", b"iso-8859-1").is_none() && decode(b"\xE9", b"x-unknown").is_none());
    }
}
