//! Text with bytes that are not UTF-8, for parsers that need a string.

use std::borrow::Cow;

/// Replaces invalid bytes. As a control character it ends every link.
pub(crate) const SUBSTITUTE: u8 = 0x1A;

/// The document as text. Each invalid byte is replaced by one valid byte, so that offsets do not
/// change.
pub(crate) fn as_text(document: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = core::str::from_utf8(document) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(document.len());
    for chunk in document.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::from(SUBSTITUTE)));
    }
    Cow::Owned(text)
}
