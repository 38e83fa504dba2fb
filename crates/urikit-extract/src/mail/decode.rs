//! Decodes transfer encodings, encoded words, charsets and `format=flowed` (RFC 3676), and maps
//! each byte back to the file.

use crate::decode::{Decoder as CharsetDecoder, OffsetMap, by_label};
use encoding_rs::{Encoding as Charset, UTF_8};
use urikit_mime::transfer::{Decoder, Encoding, Run};
use urikit_mime::word::decode_q;

/// Decoded text, and the map to the bytes it was decoded from.
pub(crate) type Decoded = (Vec<u8>, OffsetMap);

/// Decodes a body. Returns `None` if the body has no transfer encoding.
pub(super) fn decode_transfer(body: &[u8], encoding: Encoding) -> Option<Decoded> {
    (encoding != Encoding::Identity).then(|| run_decoder(body, encoding))
}

/// Decodes base64 as in mail, ignoring invalid characters.
pub(crate) fn decode_base64(text: &[u8]) -> Decoded {
    run_decoder(text, Encoding::Base64)
}

fn run_decoder(body: &[u8], encoding: Encoding) -> Decoded {
    let mut text = (Vec::with_capacity(body.len()), OffsetMap::new(0));
    append(&mut text, body, encoding);
    text
}

fn append(text: &mut Decoded, body: &[u8], encoding: Encoding) {
    let mut decoder = Decoder::new(encoding);
    decoder.push(body, |run| take(text, run));
    decoder.finish(|run| take(text, run));
}

/// Decodes a line in quoted-printable. Appends the octets, and maps them to the next bytes.
pub(crate) fn decode_quoted_printable(line: &[u8], out: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut text = (core::mem::take(out), core::mem::take(map));
    append(&mut text, line, Encoding::QuotedPrintable);
    (*out, *map) = text;
}

/// Decodes the text of a Q-encoded word.
pub(super) fn decode_q_word(text: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    decode_q(text, |run| take(&mut decoded, run));
    decoded
}

fn take((out, map): &mut Decoded, run: Run<'_>) {
    out.extend_from_slice(run.octets());
    match run {
        Run::Copied(octets) => map.copied(octets.len()),
        Run::Replaced(source, octets) => map.replaced(octets.len(), source),
        Run::Groups(octets) => map.groups(octets.len() / 3),
        Run::Skipped(source) => map.skipped(source),
    }
}

/// Converts text to UTF-8. Returns `None` if the text needs no conversion or if the charset is
/// unknown.
pub(super) fn decode_charset(text: &[u8], label: &[u8]) -> Option<(Vec<u8>, OffsetMap)> {
    // These are the most common labels. Looking them up took 2% of the time for short messages.
    let is_common = |common: &[u8]| label.eq_ignore_ascii_case(common);
    if is_common(b"utf-8") || is_common(b"us-ascii") {
        return None;
    }
    let encoding = by_label(label)?;
    if encoding.is_ascii_compatible() && text.is_ascii() {
        return None;
    }
    let mut decoder = CharsetDecoder::new(encoding, 0);
    let mut out = Vec::with_capacity(text.len() * 2);
    decoder.push(text, &mut out);
    decoder.finish(&mut out);
    Some((out, core::mem::take(decoder.map())))
}

/// Returns true if text with this charset label should be UTF-8, so that invalid bytes are errors.
pub(super) fn is_utf8(label: Option<&[u8]>) -> bool {
    label.is_none_or(|label| {
        label.eq_ignore_ascii_case(b"utf-8")
            || Charset::for_label(label).is_none_or(|encoding| encoding == UTF_8)
    })
}

/// The signature separator, which ends with a space but is never flowed (4.3).
const SIGNATURE: &[u8] = b"-- ";

/// A line, divided into its parts.
struct FlowedLine<'a> {
    /// The number of quote marks (`>`).
    quotes: usize,
    /// True if the line is space-stuffed (4.4).
    is_stuffed: bool,
    content: &'a [u8],
    /// The length of the line ending.
    end: usize,
}

impl<'a> FlowedLine<'a> {
    fn new(line: &'a [u8]) -> Self {
        let complete = line;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let end = complete.len() - line.len();
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let stuffed = line.get(quotes..).unwrap_or_default();
        let content = stuffed.strip_prefix(b" ").unwrap_or(stuffed);
        Self {
            quotes,
            is_stuffed: content.len() < stuffed.len(),
            content,
            end,
        }
    }

    fn is_flowed(&self) -> bool {
        self.content.ends_with(b" ") && self.content != SIGNATURE
    }
}

/// Joins flowed lines of the same quote depth. Deletes the space before each break if the space was
/// added with the break (`DelSp=yes`).
pub(super) fn join_flowed(text: &[u8], deletes_space: bool) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::with_capacity(text.len()), OffsetMap::new(0));
    // The quote depth of the preceding line, if that line is flowed.
    let mut open = None;
    let mut rest = text;
    while !rest.is_empty() {
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (complete, after) = rest.split_at(length);
        let line = FlowedLine::new(complete);
        let continues = open == Some(line.quotes) && line.content != SIGNATURE;
        let marks = line.quotes + usize::from(line.is_stuffed);
        if continues {
            map.skipped(marks);
        } else {
            if open.is_some() {
                // A flowed line at the end of its paragraph ends like any other line.
                out.push(b'\n');
                map.replaced(1, 0);
            }
            out.extend(core::iter::repeat_n(b'>', line.quotes));
            map.copied(line.quotes);
            map.skipped(usize::from(line.is_stuffed));
        }
        let is_flowed = line.is_flowed() && line.end > 0;
        let kept = line.content.len() - usize::from(is_flowed && deletes_space);
        out.extend_from_slice(line.content.get(..kept).unwrap_or_default());
        map.copied(kept);
        map.skipped(line.content.len() - kept);
        if is_flowed {
            map.skipped(line.end);
            open = Some(line.quotes);
        } else {
            out.extend_from_slice(
                complete
                    .get(complete.len() - line.end..)
                    .unwrap_or_default(),
            );
            map.copied(line.end);
            open = None;
        }
        rest = after;
    }
    (out, map)
}

#[cfg(test)]
mod tests {
    use super::{decode_charset, decode_transfer, join_flowed};
    use urikit_mime::transfer::Encoding;

    #[test]
    fn maps_back() {
        let (decoded, map) =
            decode_transfer(b"a=3D=\r\nb \r\n", Encoding::QuotedPrintable).unwrap();
        assert_eq!(decoded, b"a=b\r\n");
        assert_eq!(
            (
                map.range(0..2),
                map.range(1..3),
                map.range(2..3),
                map.range(2..4)
            ),
            (0..4, 1..8, 7..8, 7..10)
        );
        let (decoded, map) = decode_transfer(b"aHR0\r\ncDovL2E=", Encoding::Base64).unwrap();
        assert_eq!(decoded, b"http://a");
        assert_eq!(
            (map.range(0..1), map.range(2..4), map.range(3..8)),
            (0..2, 2..8, 6..13)
        );
    }

    #[test]
    fn charsets_map_back() {
        let (_, map) = decode_charset(b"/\xE9t\xE9", b"latin1").unwrap();
        assert_eq!(
            (map.range(0..1), map.range(1..3), map.range(3..6)),
            (0..1, 1..2, 2..4)
        );
        assert!(
            decode_charset(b"a", b"iso-8859-1").is_none()
                && decode_charset(b"\xE9", b"x-unknown").is_none()
        );
    }

    #[test]
    fn joins_flowed_lines() {
        for (text, deletes_space, expected) in [
            ("a \r\nb\r\nc\r\n", false, "a b\r\nc\r\n"),
            ("http://a/ \r\nb\r\n", true, "http://a/b\r\n"),
            (
                ">> a \r\n>> b\r\n> c \r\nd\r\n",
                false,
                ">>a b\r\n>c \nd\r\n",
            ),
            (" From \r\n  x\r\n", false, "From  x\r\n"),
            ("a \r\n-- \r\nb\r\n", false, "a \n-- \r\nb\r\n"),
            ("a ", false, "a "),
        ] {
            let (joined, map) = join_flowed(text.as_bytes(), deletes_space);
            assert_eq!(String::from_utf8(joined.clone()).unwrap(), expected);
            assert_eq!(map.len(), joined.len(), "{text}");
            for (index, byte) in joined
                .iter()
                .enumerate()
                .filter(|(_, byte)| byte.is_ascii_alphabetic())
            {
                assert_eq!(text.as_bytes()[map.start(index)], *byte, "{text}");
            }
        }
    }
}
