//! Charsets of documents: detection, and decoding with a map back to the bytes of the file.
//!
//! A byte order mark takes precedence over the charset that the caller specifies. The caller's
//! charset takes precedence over the one that the document declares (HTML living standard,
//! 13.2.3.2). A document without any of these is in UTF-8, or its charset is guessed.

mod map;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

pub(crate) use map::OffsetMap;

/// The kinds of byte order marks at the beginning of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// The document has no byte order mark.
    None,
    /// The byte order mark of UTF-8, or that of UTF-32, an encoding that the Encoding standard
    /// omits.
    Utf8,
    /// The byte order mark of UTF-16: the encoding, and the length of the mark in bytes.
    Utf16(&'static Encoding, usize),
}

/// Returns the byte order mark at the beginning of a document.
pub(crate) fn mark(head: &[u8]) -> Mark {
    match head {
        [0xEF, 0xBB, 0xBF, ..] | [0xFF, 0xFE, 0, 0, ..] => Mark::Utf8,
        [0xFF, 0xFE, ..] => Mark::Utf16(UTF_16LE, 2),
        [0xFE, 0xFF, ..] => Mark::Utf16(UTF_16BE, 2),
        _ => Mark::None,
    }
}

/// Guesses the charset of text that does not declare one, from its beginning. Returns `None` for
/// UTF-8.
// Text in another charset contains almost no valid multi-byte sequences of UTF-8. A few invalid
// bytes among many characters are therefore errors in UTF-8 text.
pub(crate) fn guess(head: &[u8], is_complete: bool) -> Option<&'static Encoding> {
    if head.is_ascii() && memchr::memchr(0x1B, head).is_none() {
        return None;
    }
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    let mut chunks = head.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        let continues = chunk.valid().bytes().filter(|byte| byte & 0xC0 == 0xC0);
        valid += continues.count();
        let is_last = chunks.peek().is_none();
        let is_cut = is_last && !is_complete && is_incomplete(chunk.invalid());
        invalid += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    if (valid > 0 || invalid > 0) && valid >= 4 * invalid {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(head, is_complete);
    let guessed = detector.guess(None, Utf8Detection::Allow);
    needs_decoding(guessed).then_some(guessed)
}

/// Returns true if more bytes may complete a character.
fn is_incomplete(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Returns true if text in this charset requires decoding and can be decoded.
pub(crate) fn needs_decoding(encoding: &'static Encoding) -> bool {
    encoding != UTF_8 && encoding != REPLACEMENT
}

/// Returns the charset with this label. Returns `None` for UTF-8 and for unknown labels.
pub(crate) fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).filter(|encoding| needs_decoding(encoding))
}

/// Decodes a document as browsers do (HTML living standard, 13.2.3.2): in the charset of its byte
/// order mark, which is removed, otherwise in the charset with this label, otherwise in UTF-8.
/// Invalid bytes become U+FFFD, and an unknown label has no effect.
///
/// Charsets that the document declares itself are ignored.
///
/// ```
/// use urikit_extract::document::decoded;
/// assert_eq!(decoded(b"\xFCber", Some("iso-8859-1")), "\u{fc}ber");
/// assert_eq!(decoded(b"\xEF\xBB\xBFa", Some("utf-16le")), "a");
/// ```
pub fn decoded<'d>(document: &'d [u8], charset: Option<&str>) -> Cow<'d, str> {
    let given = charset.and_then(|label| by_label(label.as_bytes()));
    let (encoding, rest) = match mark(document) {
        Mark::Utf16(encoding, length) => (Some(encoding), document.get(length..)),
        Mark::Utf8 => (None, document.strip_prefix(b"\xEF\xBB\xBF")),
        Mark::None => (given, None),
    };
    let rest = rest.unwrap_or(document);
    match encoding {
        Some(encoding) => encoding.decode_without_bom_handling(rest).0,
        None => String::from_utf8_lossy(rest),
    }
}

/// Decodes text that arrives in pieces.
pub(crate) struct Decoder {
    inner: encoding_rs::Decoder,
    is_compatible: bool,
    map: OffsetMap,
    /// The number of bytes of an incomplete character.
    partial: usize,
    invalid: usize,
}

impl core::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Decoder").field(&self.encoding()).finish()
    }
}

impl Decoder {
    /// Creates a decoder for text whose source begins at this offset.
    pub(crate) fn new(encoding: &'static Encoding, source: usize) -> Self {
        Self {
            inner: encoding.new_decoder_without_bom_handling(),
            is_compatible: encoding.is_ascii_compatible(),
            map: OffsetMap::new(source),
            partial: 0,
            invalid: 0,
        }
    }

    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.inner.encoding()
    }

    /// Returns the map from the decoded text to the source.
    pub(crate) fn map(&mut self) -> &mut OffsetMap {
        &mut self.map
    }

    /// Returns the number of invalid bytes.
    pub(crate) const fn invalid(&self) -> usize {
        self.invalid
    }

    /// Decodes the next piece, and appends it to `out` in UTF-8.
    pub(crate) fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let mut rest = piece;
        while let [byte, after @ ..] = rest {
            if self.partial == 0 && self.is_compatible && byte.is_ascii() {
                let length = rest.iter().position(|byte| !byte.is_ascii());
                let (ascii, after) = rest.split_at(length.unwrap_or(rest.len()));
                out.extend_from_slice(ascii);
                self.map.copied(ascii.len());
                rest = after;
                continue;
            }
            self.partial += 1;
            self.decode(&[*byte], false, out);
            rest = after;
        }
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        self.decode(&[], true, out);
    }

    fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) {
        let mut characters = [0; 16];
        let (_, _, written, is_replaced) =
            self.inner.decode_to_utf8(bytes, &mut characters, is_last);
        if is_replaced {
            self.invalid += self.partial;
        }
        if written > 0 || is_last {
            out.extend_from_slice(characters.get(..written).unwrap_or_default());
            self.map.replaced(written, self.partial);
            self.partial = 0;
        }
    }
}

/// Counts the bytes that are not UTF-8 in text that arrives in pieces.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct InvalidUtf8 {
    count: usize,
    /// The beginning of a character whose remaining bytes have not arrived.
    partial: [u8; 4],
    length: usize,
}

impl InvalidUtf8 {
    /// Reads the next piece of the text.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while self.length > 0
            && let [byte, after @ ..] = rest
        {
            if let Some(place) = self.partial.get_mut(self.length) {
                *place = *byte;
            }
            let partial = self.partial.get(..=self.length).unwrap_or_default();
            match core::str::from_utf8(partial) {
                Ok(_) => self.length = 0,
                Err(error) if error.error_len().is_none() => self.length += 1,
                Err(_) => {
                    // The byte does not continue the character: it begins another character, or is
                    // itself invalid.
                    self.count += self.length;
                    self.length = 0;
                    continue;
                }
            }
            rest = after;
        }
        // This check uses vector instructions. Text with one invalid byte usually has many, which
        // `core` finds faster.
        let valid = Encoding::utf8_valid_up_to(rest);
        rest = rest.get(valid..).unwrap_or_default();
        while let Err(error) = core::str::from_utf8(rest) {
            let at = error.valid_up_to();
            let Some(length) = error.error_len() else {
                let partial = rest.get(at..).unwrap_or_default();
                self.length = partial.len();
                for (place, byte) in self.partial.iter_mut().zip(partial) {
                    *place = *byte;
                }
                return;
            };
            self.count += length;
            rest = rest.get(at + length..).unwrap_or_default();
        }
    }

    /// Returns the number of invalid bytes in the complete text.
    pub(crate) const fn finish(self) -> usize {
        self.count + self.length
    }
}

/// The character that replaces invalid bytes. The substitute is a control character, so it ends
/// every link.
pub(crate) const SUBSTITUTE: u8 = 0x1A;

/// A character that marks a cell boundary in the text of a table: the US-ASCII unit separator.
/// Every link ends at such a boundary. If a cell consists of a link, the link includes the last
/// character of the cell, whatever it is.
pub(crate) const CELL: u8 = 0x1F;

/// Decodes UTF-8, and replaces invalid bytes with U+FFFD. Nearly all text is valid, and checking
/// for that first is faster.
pub(crate) fn lossy(text: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}

/// Returns the document as text. [`SUBSTITUTE`] replaces each invalid byte, so that offsets do not
/// change.
pub(crate) fn as_text(document: &[u8]) -> Cow<'_, str> {
    if let Some(text) = UTF_8.decode_without_bom_handling_and_without_replacement(document) {
        return text;
    }
    let mut text = String::with_capacity(document.len());
    for chunk in document.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::from(SUBSTITUTE)));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::{Decoder, InvalidUtf8, as_text, by_label, guess};

    #[test]
    fn guesses_what_is_not_utf8() {
        let french = "Les élèves étaient très étonnés: où était le théâtre? À côté.";
        let japanese = "これは日本語の文章です。文字コードは宣言されていません。";
        let russian = "Это русский текст, кодировка которого нигде не объявлена.";
        for (label, text, expected) in [
            ("windows-1252", french, Some("windows-1252")),
            ("shift_jis", japanese, Some("Shift_JIS")),
            ("euc-jp", japanese, Some("EUC-JP")),
            ("iso-2022-jp", japanese, Some("ISO-2022-JP")),
            ("koi8-r", russian, Some("KOI8-U")),
            ("utf-8", french, None),
            ("utf-8", "plain", None),
        ] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, ..) = encoding.encode(text);
            let found = guess(&bytes, true).map(encoding_rs::Encoding::name);
            assert_eq!(found, expected, "{label}");
        }
        let broken = [french.as_bytes(), b"\xE9"].concat();
        assert_eq!(guess(&broken, true), None);
        assert_eq!(guess(&french.as_bytes()[..6], false), None);
    }

    #[test]
    fn decodes_in_pieces_and_maps_back() {
        for (label, text, expected, invalid) in [
            ("iso-8859-1", &b"/\xE9t\xE9"[..], "/\u{e9}t\u{e9}", 0),
            ("Shift_JIS", b"\x93\xFA\x96{ a", "\u{65e5}\u{672c} a", 0),
            (
                "iso-2022-jp",
                b"\x1B$BF|K\\\x1B(B a",
                "\u{65e5}\u{672c} a",
                0,
            ),
            ("utf-16be", b"\0/\0a\xD8", "/a\u{fffd}", 1),
            ("utf-16le", b"/\0\x3D\xD8\0\xDEa\0", "/\u{1f600}a", 0),
            ("gb18030", b"\x81\x30\x81\x30a", "\u{80}a", 0),
        ] {
            for cut in 0..=text.len() {
                let mut decoder = Decoder::new(by_label(label.as_bytes()).unwrap(), 7);
                let mut found = Vec::new();
                decoder.push(&text[..cut], &mut found);
                decoder.push(&text[cut..], &mut found);
                decoder.finish(&mut found);
                assert_eq!(String::from_utf8(found).unwrap(), expected, "{label}");
                let length = decoder.map().len();
                assert_eq!(decoder.map().range(0..length), 7..7 + text.len(), "{label}");
                assert_eq!(decoder.invalid(), invalid, "{label}");
            }
        }
    }

    #[test]
    fn count_does_not_depend_on_the_cuts() {
        for (text, expected) in [
            (&b"a\xC3\xA9\xF0\x9F\x98\x80"[..], 0),
            (b"\xE9t\xE9", 2),
            (b"\xF0\x9F\x98", 3),
            (b"\xE2\x82a\xE2\x82\xAC\xFF\x80", 4),
            (b"\xC0\x80\xED\xA0\x80", 5),
        ] {
            for cut in 0..=text.len() {
                for second in cut..=text.len() {
                    let mut invalid = InvalidUtf8::default();
                    invalid.push(&text[..cut]);
                    invalid.push(&text[cut..second]);
                    invalid.push(&text[second..]);
                    assert_eq!(invalid.finish(), expected, "{text:?} at {cut}, {second}");
                }
            }
            // Long text is checked with vector instructions.
            for valid in ["a".repeat(130), "\u{e9}\u{20ac}".repeat(26)] {
                for length in 0..valid.len() {
                    let before = &valid.as_bytes()[length..];
                    let cut = before
                        .iter()
                        .take_while(|byte| **byte & 0xC0 == 0x80)
                        .count();
                    let long = [before, text, valid.as_bytes(), text].concat();
                    let mut invalid = InvalidUtf8::default();
                    invalid.push(&long);
                    assert_eq!(invalid.finish(), cut + 2 * expected, "{long:?}");
                    let shown = String::from_utf8_lossy(&long);
                    let is_valid = !shown.contains('\u{FFFD}');
                    assert_eq!(as_text(&long).contains('\u{1A}'), !is_valid, "{long:?}");
                }
            }
        }
    }
}
