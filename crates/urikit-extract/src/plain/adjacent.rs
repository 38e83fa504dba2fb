//! Links written directly after one another, without white space between them.

use super::escape;
use super::input::Input;
use super::opaque::can_follow;
use super::scheme::{self, Slashes, is_host};

/// The start of another link, whose scheme ends with this colon, written directly after the
/// current one: after a comma or similar, or after a letter or punctuation mark in any script.
/// After a slash or similar, a URL within a URL is part of it.
pub(crate) fn adjacent_link(text: &Input<'_>, colon: usize, floor: usize) -> Option<usize> {
    let slashes = Slashes::at(text, colon + 1);
    if slashes == Slashes::None && !follows_separator(text, colon, floor) {
        return None;
    }
    let name = scheme::glued(text, colon, floor)?;
    if is_within_escape(text, name.start) {
        return None;
    }
    let before = text.char_before(name.start);
    let is_separated = matches!(before, Some(',' | ';' | '|'));
    let is_another = if slashes == Slashes::None {
        let scheme = text.slice(name.start, colon);
        let is_part = matches!(before, Some(c) if c.is_ascii()) && !is_separated;
        !is_part && name.is_known && can_follow(text, scheme, colon + 1)
    } else {
        let is_loose = match before {
            Some('!' | '*' | '\'') => true,
            Some(c) => name.is_glued || !c.is_ascii() || c.is_ascii_alphanumeric(),
            None => false,
        };
        (is_separated || name.is_known && (is_loose || name.start == floor))
            && is_host(text, colon + 1 + slashes.len())
    };
    (is_another && colon > name.start + 1).then_some(name.start)
}

/// The end of a link that another one follows at `next`. `%4ftp://…`: the other one begins within
/// what looked like a percent-encoded octet, of which nothing is left.
#[cold]
pub(crate) fn end_before(text: &Input<'_>, next: usize) -> usize {
    match text.slice(next.saturating_sub(2), next) {
        [_, b'%'] => next - 1,
        [b'%', _] => next - 2,
        _ => next,
    }
}

/// Whether an escape `\\u002F` begins before this offset and ends after it: in `\\u002Ftp://…`, the
/// `F` is part of a slash.
fn is_within_escape(text: &Input<'_>, at: usize) -> bool {
    (at.saturating_sub(escape::LENGTH - 1)..at).any(|begin| escape::number(text, begin).is_some())
}

/// Whether the word that ends at this colon follows a separator of links.
fn follows_separator(text: &Input<'_>, colon: usize, floor: usize) -> bool {
    let mut at = colon;
    while at > floor && colon - at < 8 {
        match text.before(at) {
            Some(b',' | b';' | b'|' | 0x80..) => return true,
            Some(byte) if scheme::is_scheme_byte(byte) => at -= 1,
            _ => return false,
        }
    }
    false
}
