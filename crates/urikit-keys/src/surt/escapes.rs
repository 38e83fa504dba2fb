//! Escapes, as the Internet Archive's programs undo and write them: decoded until none is left,
//! and written once.

use urikit::internal::{escape, octet};

/// Decodes escapes in place until there is none, also those that decoding makes (`%2541`), if
/// `decodes` is true for their octet.
///
/// No two escapes overlap, so the order in which they are decoded does not matter: one pass that
/// looks back gives what repeated passes would, in linear time.
pub(super) fn unescape(text: &mut Vec<u8>, decodes: impl Fn(u8) -> bool) {
    let Some(first) = text.iter().position(|byte| *byte == b'%') else {
        return;
    };
    let mut length = first;
    for at in first..text.len() {
        let mut byte = text.get(at).copied().unwrap_or_default();
        while let Some(start) = length.checked_sub(2)
            && let Some([b'%', high]) = text.get(start..length)
            && let Some(octet) = octet(*high, byte)
            && decodes(octet)
        {
            byte = octet;
            length = start;
        }
        if let Some(place) = text.get_mut(length) {
            *place = byte;
        }
        length += 1;
    }
    text.truncate(length);
}

/// Decodes runs of escapes of octets beyond US-ASCII where they are UTF-8.
pub(super) fn decode_utf8(text: &mut Vec<u8>, scratch: &mut Vec<u8>, run: &mut Vec<u8>) {
    if !text.contains(&b'%') {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let [byte, after @ ..] = rest {
        run.clear();
        let mut escapes = rest;
        while let [b'%', high, low, after @ ..] = escapes
            && let Some(octet) = octet(*high, *low)
        {
            run.push(octet);
            escapes = after;
        }
        if run.is_empty() {
            scratch.push(*byte);
            rest = after;
            continue;
        }
        for chunk in run.utf8_chunks() {
            let valid = chunk.valid().len();
            scratch.extend_from_slice(chunk.valid().as_bytes());
            let invalid = chunk.invalid().len();
            // What is not UTF-8 stays as written.
            scratch.extend_from_slice(
                rest.get(valid * 3..(valid + invalid) * 3)
                    .unwrap_or_default(),
            );
            rest = rest.get((valid + invalid) * 3..).unwrap_or_default();
        }
    }
    std::mem::swap(text, scratch);
}

/// Escapes what Python's `surt` does: what is no printable character of US-ASCII, `#` and `%`.
pub(super) fn escape_python(text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    let is_literal = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%');
    if text.iter().fold(true, |all, byte| all & is_literal(byte)) {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let Some(at) = rest.iter().position(|byte| !is_literal(byte))
        && let Some((literal, [byte, after @ ..])) = rest.split_at_checked(at)
    {
        scratch.extend_from_slice(literal);
        scratch.extend_from_slice(escape(*byte).as_bytes());
        rest = after;
    }
    scratch.extend_from_slice(rest);
    std::mem::swap(text, scratch);
}

/// Escapes what the Java program does: as Python's, but U+007F is literal, and escapes that are
/// left, since they are not UTF-8, are kept.
pub(super) fn escape_java(text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    let is_literal = |byte: &u8| matches!(byte, 33..=127) && !matches!(byte, b'#' | b'%');
    if text.iter().all(is_literal) {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        if is_literal(byte) {
            scratch.push(*byte);
        } else if let (b'%', [high, low, after @ ..]) = (byte, after)
            && let Some(octet) = octet(*high, *low)
        {
            scratch.extend_from_slice(escape(octet).as_bytes());
            rest = after;
        } else {
            scratch.extend_from_slice(escape(*byte).as_bytes());
        }
    }
    std::mem::swap(text, scratch);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the programs do it: pass after pass.
    fn by_passes(text: &str) -> Vec<u8> {
        let mut text = text.as_bytes().to_vec();
        loop {
            let mut out = Vec::new();
            let mut rest = &text[..];
            while let [byte, after @ ..] = rest {
                rest = after;
                match (byte, after) {
                    (b'%', [high, low, after @ ..]) if octet(*high, *low).is_some() => {
                        out.extend(octet(*high, *low));
                        rest = after;
                    }
                    _ => out.push(*byte),
                }
            }
            if out == text {
                return out;
            }
            text = out;
        }
    }

    #[test]
    fn one_pass_is_as_many_passes() {
        let mut random = 7_u32;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..12 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(
                    ["%", "2", "5", "%25", "a", "%2", "4", "1"][(random >> 24) as usize % 8],
                );
            }
            let mut one = text.clone().into_bytes();
            unescape(&mut one, |_| true);
            assert_eq!(one, by_passes(&text), "{text}");
        }
    }

    #[test]
    fn what_is_not_utf8_stays() {
        let mut text = b"%C3%A9%FF%e4%b8%ADx%E4%B8".to_vec();
        decode_utf8(&mut text, &mut Vec::new(), &mut Vec::new());
        assert_eq!(text, "é%FF中x%E4%B8".as_bytes());
    }
}
