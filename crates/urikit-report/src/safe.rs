//! Makes untrusted text safe to print on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns true if a character is visible and printing it only moves the cursor forward. Control
/// characters, combining marks, invisible characters and those that change the direction of writing
/// are unsafe.
pub use urikit::visible::is_visible as is_safe;

/// Replaces unsafe characters with U+FFFD.
pub fn safe(text: &str) -> Cow<'_, str> {
    if is_printable(text) || text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let shown = |c| {
        if is_safe(c) {
            c
        } else {
            char::REPLACEMENT_CHARACTER
        }
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Quotes decoded bytes. Control characters, invisible characters and bytes that are not UTF-8 are
/// escaped.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                _ if is_safe(c) => out.push(c),
                _ => out.extend(c.escape_default()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

/// Returns true if `text` is printable US-ASCII: every character is safe and one column wide.
pub fn is_printable(text: &str) -> bool {
    // The loop does not branch on each byte, so the compiler can compare many bytes in one step.
    text.bytes()
        .fold(true, |is, byte| is & matches!(byte, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::{quoted, safe};

    #[test]
    fn unsafe_characters_are_replaced_or_escaped() {
        assert_eq!(
            safe("a\u{1b}[31mb\u{202e}c\u{9b}"),
            "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}"
        );
        assert_eq!(safe("'\"\\` é 例"), "'\"\\` é 例");
        assert_eq!(
            safe("a\u{115F}\u{1160}\u{3164}\u{FFA0}"),
            "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"
        );
        assert_eq!(
            quoted("\u{3164}\u{E0020}".as_bytes()),
            r#""\u{3164}\u{e0020}""#
        );
        assert_eq!(
            quoted(b"a\r\n\"\x00\xff\xe2\x80\xae"),
            r#""a\r\n\"\u{0}\xff\u{202e}""#
        );
    }
}
