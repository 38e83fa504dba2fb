//! The transfer encodings of MIME (RFC 2045, 6.7 and 6.8), and the Q encoding of encoded words
//! (RFC 2047, 4.2).
//!
//! Each decoder returns an [`OffsetMap`] with the decoded bytes, since a reference is reported with
//! its range in the file. The decoders of `mail-parser` and `base64` return the bytes only; the
//! tests compare the results with those of `mail-parser`.

use crate::decode::OffsetMap;

/// Decodes quoted-printable. Invalid sequences are kept as they are.
pub(super) fn quoted_printable(body: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(body.len()), OffsetMap::new(0));
    let mut rest = body;
    loop {
        let plain = memchr::memchr(b'=', rest).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        out.extend_from_slice(before);
        map.copied(plain);
        let escape = match after {
            [] => return (out, map),
            [_, high, low, ..] => escaped(*high, *low),
            _ => None,
        };
        let length = if let Some(byte) = escape {
            out.push(byte);
            map.replaced(1, 3);
            3
        } else {
            let line_break = soft_break(after);
            if let Some(length) = line_break {
                map.skipped(length);
            } else {
                out.push(b'=');
                map.copied(1);
            }
            line_break.unwrap_or(1)
        };
        rest = after.get(length..).unwrap_or_default();
    }
}

/// The length of a soft line break: the equals sign, white space added after it, and the line end.
fn soft_break(text: &[u8]) -> Option<usize> {
    // A line has at most 998 octets (RFC 5322, 2.1.1).
    let line = text.get(1..).unwrap_or_default();
    let line = line.get(..998).unwrap_or(line);
    let white = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    match line.get(white..)? {
        [] if white == 0 => Some(1),
        [b'\n', ..] => Some(white + 2),
        [b'\r', b'\n', ..] => Some(white + 3),
        _ => None,
    }
}

/// Decodes the Q encoding, in which an underscore is a space. Invalid sequences are kept as they
/// are.
pub(super) fn q_encoding(text: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(text.len()), OffsetMap::new(0));
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let (decoded, length) = match (byte, after) {
            (b'=', [high, low, ..]) => match escaped(*high, *low) {
                Some(byte) => (byte, 3),
                None => (b'=', 1),
            },
            (b'_', _) => (b' ', 1),
            (byte, _) => (*byte, 1),
        };
        out.push(decoded);
        map.replaced(1, length);
        rest = rest.get(length..).unwrap_or_default();
    }
    (out, map)
}

/// The octet of two hexadecimal digits.
fn escaped(high: u8, low: u8) -> Option<u8> {
    let digit = |byte| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Decodes base64. Characters outside its alphabet are skipped.
pub(super) fn base64(body: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(body.len() / 4 * 3), OffsetMap::new(0));
    let (mut bits, mut count, mut span) = (0_u32, 0_u32, 0_usize);
    for byte in body {
        let Some(value) = value(*byte) else {
            if *byte == b'=' && count > 1 {
                end(bits, count, span, &mut out, &mut map);
                map.skipped(1);
                (bits, count, span) = (0, 0, 0);
            } else if count == 0 {
                map.skipped(1);
            } else {
                span += 1;
            }
            continue;
        };
        bits = bits << 6 | u32::from(value);
        count += 1;
        span += 1;
        if count == 4 {
            let [_, first, second, third] = bits.to_be_bytes();
            out.extend([first, second, third]);
            map.replaced(3, span);
            (bits, count, span) = (0, 0, 0);
        }
    }
    if count > 1 {
        end(bits, count, span, &mut out, &mut map);
    }
    (out, map)
}

/// Appends the bytes of an incomplete group.
fn end(bits: u32, count: u32, span: usize, out: &mut Vec<u8>, map: &mut OffsetMap) {
    let [_, first, second, _] = (bits << (6 * (4 - count))).to_be_bytes();
    if count == 3 {
        out.extend([first, second]);
        map.replaced(2, span);
    } else {
        out.push(first);
        map.replaced(1, span);
    }
}

fn value(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{base64, quoted_printable};
    use mail_parser::decoders::base64::base64_decode;
    use mail_parser::decoders::quoted_printable::quoted_printable_decode;

    #[test]
    fn quoted_printable_agrees_with_mail_parser() {
        for text in [
            "a=3Db",
            "a=\r\nb=\nc",
            "a=  \r\nb",
            "=E9t=e9",
            "plain\r\ntext",
        ] {
            let (decoded, map) = quoted_printable(text.as_bytes());
            assert_eq!(
                Some(decoded),
                quoted_printable_decode(text.as_bytes()),
                "{text}"
            );
            assert_eq!(map.range(0..map.len()).start, 0, "{text}");
        }
        // RFC 2045, 6.7, leaves it open what to do with invalid input.
        assert_eq!(quoted_printable(b"a=b = =4").0, b"a=b = =4");
        let (decoded, map) = quoted_printable(b"a=3D=\r\nb");
        assert_eq!(decoded, b"a=b");
        assert_eq!(
            (map.range(0..2), map.range(1..3), map.range(2..3)),
            (0..4, 1..8, 7..8)
        );
    }

    #[test]
    fn base64_agrees_with_mail_parser() {
        for text in [
            "aHR0cDovL2EvYg==",
            "aHR0cDovL2E=",
            "aHR0\r\ncDov\r\n",
            "aH\r\nR0",
        ] {
            let (decoded, map) = base64(text.as_bytes());
            assert_eq!(Some(decoded), base64_decode(text.as_bytes()), "{text}");
            assert_eq!(
                map.range(0..map.len()),
                0..text.trim_end_matches(['=', '\r', '\n']).len(),
                "{text}"
            );
        }
        let (decoded, map) = base64(b"aHR0\r\ncDovL2E=");
        assert_eq!(decoded, b"http://a");
        assert_eq!(
            (map.range(0..1), map.range(2..4), map.range(3..8)),
            (0..2, 2..8, 6..13)
        );
    }
}
