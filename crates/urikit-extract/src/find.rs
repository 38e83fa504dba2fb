//! From colon to colon: which of them makes a link.

use crate::finder::Finder;
use crate::link::Link;
use crate::scheme::{self, Slashes, is_scheme_byte};
use crate::text::Text;
use crate::{bare, wrapped};

/// The link whose scheme ends at `colon`, if there is one; it does not begin before `floor`.
pub(crate) fn at_colon<'t>(
    finder: &Finder,
    text: &Text<'t>,
    colon: usize,
    floor: usize,
) -> Option<Link<'t>> {
    let last = text.before(colon).filter(|_| colon > floor)?;
    if !is_scheme_byte(last) {
        return None;
    }
    let next = text.at(colon + 1)?;
    if last.eq_ignore_ascii_case(&b'l') && is_url(text, colon, floor) {
        // `<URL:…`; without a wrapper, the next colon tells.
        return wrapped::link(text, colon - 3, skip_white(text, colon + 1), floor);
    }
    let slashes = Slashes::at(text, colon + 1);
    if slashes == Slashes::None && !(next.is_ascii_alphanumeric() || b"+*?,%-_".contains(&next)) {
        return None;
    }
    let name = scheme::before(text, colon, floor)?;
    if slashes == Slashes::None && !name.is_known {
        return None;
    }
    wrapped::link(text, name.start, name.start, floor)
        .or_else(|| bare::link(text, name, colon, slashes, finder.longest))
}

/// Whether the word before `colon` is `URL`.
fn is_url(text: &Text<'_>, colon: usize, floor: usize) -> bool {
    let Some(start) = colon.checked_sub(3).filter(|start| *start >= floor) else {
        return false;
    };
    let is_longer = start > floor && text.before(start).is_some_and(is_scheme_byte);
    !is_longer && text.has(start, b"url")
}

/// Behind the white space at `offset`, as far as it goes on for a line or two.
fn skip_white(text: &Text<'_>, offset: usize) -> usize {
    let mut at = offset;
    while at < offset + 80 && text.at(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
        at += 1;
    }
    at
}
