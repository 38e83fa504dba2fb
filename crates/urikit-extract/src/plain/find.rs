//! From colon to colon: which of them makes a link.

use super::bare::{self, Bare};
use super::input::Input;
use super::outcome::Outcome;
use super::scheme::{self, Name, Slashes, is_scheme_byte};
use super::wrapped;

/// What the colon at `colon` is, as the end of a scheme that does not begin before `floor`.
#[inline]
pub(crate) fn at_colon<'t>(
    longest: usize,
    text: &Input<'t>,
    colon: usize,
    floor: usize,
) -> Outcome<'t> {
    let Some(next) = text.at(colon + 1) else {
        return Outcome::NoLink;
    };
    if next == b'/' && text.at(colon + 2) == Some(b'/') {
        if let Some(name) = scheme::web(text, colon, floor) {
            return link(longest, text, name, colon, Slashes::Plain, floor);
        }
    } else if matches!(next, b' ' | b':' | b'<' | b'/' | b'"') {
        // Most colons.
        return Outcome::NoLink;
    }
    unusual(longest, text, colon, floor, next)
}

/// A colon that is not that of `http://` or `https://`.
fn unusual<'t>(
    longest: usize,
    text: &Input<'t>,
    colon: usize,
    floor: usize,
    next: u8,
) -> Outcome<'t> {
    if colon <= floor || !text.before(colon).is_some_and(is_scheme_byte) {
        return Outcome::NoLink;
    }
    let slashes = Slashes::at(text, colon + 1);
    let is_broken = matches!(next, b'\n' | b'\r');
    if slashes == Slashes::None
        && !(next.is_ascii_alphanumeric() || b"+*?,%-_".contains(&next) || is_broken)
    {
        return Outcome::NoLink;
    }
    if slashes == Slashes::None && !scheme::may_be_opaque(text, colon) {
        return wrapped::named(text, scheme::run_start(text, colon, floor), floor).into();
    }
    let Some(name) = scheme::before(text, colon, floor) else {
        return Outcome::NoLink;
    };
    if text.slice(name.start, colon).eq_ignore_ascii_case(b"url") {
        // `<URL:…`: the next colon tells.
        return Outcome::NoLink;
    }
    if slashes == Slashes::None && !name.is_known || colon == name.start + 1 {
        // Of any scheme behind `URL:`.
        return wrapped::named(text, name.start, floor).into();
    }
    link(longest, text, name, colon, slashes, floor)
}

/// The link that begins with this name: in its wrapper, or bare.
#[allow(clippy::inline_always)] // it has two callers, and one of them is on the way of nearly every link
#[inline(always)]
fn link<'t>(
    longest: usize,
    text: &Input<'t>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    floor: usize,
) -> Outcome<'t> {
    let before = text.before(name.start).filter(|_| name.start > floor);
    if matches!(before, Some(b'<' | b':' | b'/' | b'\t'..=b'\r' | b' '))
        && let Some(link) = wrapped::angles(text, name.start, floor)
    {
        return Outcome::Link(link);
    }
    let bare = bare::end(text, name, colon, slashes, longest);
    if before == Some(b'"')
        && is_broken(text, bare)
        && let Some(link) = wrapped::quotes(text, name.start)
    {
        return Outcome::Link(link);
    }
    match bare {
        Bare::None => Outcome::NoLink,
        // Its colon is passed in any case.
        Bare::TooLong => Outcome::TooLong((colon + 1).max(name.start.saturating_add(longest))),
        Bare::Ends {
            end,
            is_escaped: false,
            ..
        } => Outcome::Bare {
            start: name.start,
            end,
        },
        Bare::Ends { end, .. } => bare::escaped_link(text, name.start, end).into(),
    }
}

/// Whether a link between quotation marks may go on behind white space.
fn is_broken(text: &Input<'_>, bare: Bare) -> bool {
    match bare {
        Bare::None => true,
        Bare::TooLong => false,
        Bare::Ends { stop, .. } => matches!(text.at(stop), Some(b' ' | b'\t' | b'\r' | b'\n')),
    }
}
