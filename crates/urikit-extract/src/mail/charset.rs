//! Charsets, by `encoding_rs`, with the way back kept.

use crate::document::Map;
use encoding_rs::{Encoding, REPLACEMENT, UTF_8};

/// The text in UTF-8; `None` where it is that already, or of a charset that is not known.
pub(super) fn decode(text: &[u8], label: &str) -> Option<(Vec<u8>, Map)> {
    if label.eq_ignore_ascii_case("us-ascii") {
        return None;
    }
    let encoding = Encoding::for_label(label.as_bytes())?;
    let is_compatible = encoding.is_ascii_compatible();
    if encoding == UTF_8 || encoding == REPLACEMENT || is_compatible && text.is_ascii() {
        return None;
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut out, mut map) = (Vec::with_capacity(text.len() * 2), Map::new(0));
    let mut rest = text;
    // How many bytes of a character were read that is not whole.
    let mut begun = 0;
    while let [byte, behind @ ..] = rest {
        if begun == 0 && is_compatible && byte.is_ascii() {
            let length = rest.iter().position(|byte| !byte.is_ascii());
            let (plain, behind) = rest.split_at(length.unwrap_or(rest.len()));
            out.extend_from_slice(plain);
            map.same(plain.len());
            rest = behind;
            continue;
        }
        let mut characters = [0; 16];
        let (_, _, written, _) = decoder.decode_to_utf8(&[*byte], &mut characters, false);
        begun += 1;
        if written > 0 {
            out.extend_from_slice(characters.get(..written).unwrap_or_default());
            map.replaced(written, begun);
            begun = 0;
        }
        rest = behind;
    }
    let mut characters = [0; 16];
    let (_, _, written, _) = decoder.decode_to_utf8(&[], &mut characters, true);
    out.extend_from_slice(characters.get(..written).unwrap_or_default());
    map.replaced(written, begun);
    Some((out, map))
}

/// Whether a text is to be UTF-8 as it stands, so that other bytes in it are mistakes.
pub(super) fn is_utf8(label: Option<&str>) -> bool {
    label.is_none_or(|label| {
        Encoding::for_label(label.as_bytes()).is_none_or(|encoding| encoding == UTF_8)
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes_and_knows_the_way_back() {
        for (label, text, expected) in [
            ("iso-8859-1", &b"/\xE9t\xE9"[..], "/\u{e9}t\u{e9}"),
            ("Shift_JIS", b"\x93\xFA\x96{ a", "\u{65e5}\u{672c} a"),
            ("iso-2022-jp", b"\x1B$BF|K\\\x1B(B a", "\u{65e5}\u{672c} a"),
            ("utf-16be", b"\0/\0a", "/a"),
            ("gb18030", b"\x81\x30\x81\x30a", "\u{80}a"),
        ] {
            let (decoded, map) = decode(text, label).unwrap();
            assert_eq!(String::from_utf8(decoded).unwrap(), expected, "{label}");
            assert_eq!(map.range(0..map.len()), 0..text.len(), "{label}");
        }
        let (_, map) = decode(b"/\xE9t\xE9", "latin1").unwrap();
        assert_eq!(
            (map.range(0..1), map.range(1..3), map.range(3..6)),
            (0..1, 1..2, 2..4)
        );
        assert!(decode(b"a", "iso-8859-1").is_none() && decode(b"\xE9", "x-unknown").is_none());
    }
}
