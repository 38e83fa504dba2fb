//! Untrusted octets, made safe to display on one line.

use crate::mask;
use std::borrow::Cow;
use std::fmt::Write as _;
use urikit::internal::Escaped;

/// What is displayed of a line is cut after this many octets.
const MAX_SHOWN: usize = 200;

/// Octets as text, with passwords in URLs masked, and cut if they are many.
pub(crate) fn escape(octets: &[u8]) -> String {
    escape_all(&cut(&mask::urls(octets)))
}

/// At most 200 octets; `…` marks the cut. Secrets are masked before, so that none is cut in two.
pub(crate) fn cut(octets: &[u8]) -> Cow<'_, [u8]> {
    match octets.get(..MAX_SHOWN) {
        Some(cut) if cut.len() < octets.len() => [cut, "…".as_bytes()].concat().into(),
        _ => octets.into(),
    }
}

/// Makes untrusted octets safe to display on one line: escapes backslashes, control characters,
/// other characters that are not visible, and octets that are not UTF-8.
///
/// ```
/// assert_eq!(urikit_access::escape_all(b"motd\x1b[2J"), "motd\\u{1b}[2J");
/// ```
pub fn escape_all(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                ' '..='~' => text.push(c),
                // INVARIANT: writing to a string never fails.
                _ => drop(write!(text, "{}", Escaped(c))),
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02x}");
        }
    }
    text
}
