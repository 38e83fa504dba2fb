//! Untrusted octets, as a person may see them on one line.

use std::fmt::Write as _;

/// Octets as text: what a terminal could act upon and what is no UTF-8 is escaped, and many are cut.
pub(crate) fn shown(octets: &[u8]) -> String {
    const MOST: usize = 200;
    match octets.get(..MOST) {
        Some(cut) if cut.len() < octets.len() => shown_whole(cut) + "…",
        _ => shown_whole(octets),
    }
}

/// The same, however many there are.
pub(crate) fn shown_whole(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\'' => text.push(c),
                _ => text.extend(c.escape_debug()),
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02x}");
        }
    }
    text
}
