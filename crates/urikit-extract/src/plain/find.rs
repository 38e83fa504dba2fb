//! From colon to colon: which of them makes a link.

use crate::bare::{self, Bare};
use crate::finder::Finder;
use crate::link::Link;
use crate::scheme::{self, Name, Slashes, is_scheme_byte};
use crate::text::Text;
use crate::wrapped;

/// What a byte that can be in a link turns out to be.
pub(crate) enum Found<'t> {
    /// In no link.
    Nothing,
    /// In a bare link, whose reference is what stands there.
    Bare { start: usize, end: usize },
    /// In this link.
    Link(Link<'t>),
    /// In one that is too long; what may be in it before this place is not looked for.
    TooLong(usize),
}

impl<'t> Found<'t> {
    /// The same, with the link that a bare one makes.
    pub(crate) fn made(self, text: &Text<'t>) -> Self {
        match self {
            Self::Bare { start, end } => bare::plain_link(text, start, end).into(),
            found => found,
        }
    }
}

impl<'t> From<Option<Link<'t>>> for Found<'t> {
    fn from(link: Option<Link<'t>>) -> Self {
        link.map_or(Self::Nothing, Self::Link)
    }
}

/// What the colon at `colon` is, as the end of a scheme that does not begin before `floor`.
#[inline]
pub(crate) fn at_colon<'t>(
    finder: &Finder,
    text: &Text<'t>,
    colon: usize,
    floor: usize,
) -> Found<'t> {
    let Some(next) = text.at(colon + 1) else {
        return Found::Nothing;
    };
    if next == b'/' && text.at(colon + 2) == Some(b'/') {
        if let Some(name) = scheme::web(text, colon, floor) {
            return link(finder, text, name, colon, Slashes::Plain, floor);
        }
    } else if matches!(next, b' ' | b':' | b'<' | b'/' | b'"') {
        // Most colons.
        return Found::Nothing;
    }
    unusual(finder, text, colon, floor, next)
}

/// A colon that is not that of `http://` or `https://`.
fn unusual<'t>(
    finder: &Finder,
    text: &Text<'t>,
    colon: usize,
    floor: usize,
    next: u8,
) -> Found<'t> {
    if colon <= floor || !text.before(colon).is_some_and(is_scheme_byte) {
        return Found::Nothing;
    }
    let slashes = Slashes::at(text, colon + 1);
    let is_broken = matches!(next, b'\n' | b'\r');
    if slashes == Slashes::None
        && !(next.is_ascii_alphanumeric() || b"+*?,%-_".contains(&next) || is_broken)
    {
        return Found::Nothing;
    }
    if slashes == Slashes::None && !scheme::may_be_opaque(text, colon) {
        return wrapped::named(text, scheme::run_start(text, colon, floor), floor).into();
    }
    let Some(name) = scheme::before(text, colon, floor) else {
        return Found::Nothing;
    };
    if text.slice(name.start, colon).eq_ignore_ascii_case(b"url") {
        // `<URL:…`: the next colon tells.
        return Found::Nothing;
    }
    if slashes == Slashes::None && !name.is_known || colon == name.start + 1 {
        // Of any scheme behind `URL:`.
        return wrapped::named(text, name.start, floor).into();
    }
    link(finder, text, name, colon, slashes, floor)
}

/// The link that begins with this name: in its wrapper, or bare.
#[allow(clippy::inline_always)] // it has two callers, and one of them is on the way of nearly every link
#[inline(always)]
fn link<'t>(
    finder: &Finder,
    text: &Text<'t>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    floor: usize,
) -> Found<'t> {
    let before = text.before(name.start).filter(|_| name.start > floor);
    if matches!(before, Some(b'<' | b':' | b'/' | b'\t'..=b'\r' | b' '))
        && let Some(link) = wrapped::angles(text, name.start, floor)
    {
        return Found::Link(link);
    }
    let bare = bare::end(text, name, colon, slashes, finder.longest);
    if before == Some(b'"')
        && is_broken(text, bare)
        && let Some(link) = wrapped::quotes(text, name.start)
    {
        return Found::Link(link);
    }
    match bare {
        Bare::None => Found::Nothing,
        // Its colon is passed in any case.
        Bare::TooLong => Found::TooLong((colon + 1).max(name.start.saturating_add(finder.longest))),
        Bare::Ends {
            end,
            is_escaped: false,
            ..
        } => Found::Bare {
            start: name.start,
            end,
        },
        Bare::Ends { end, .. } => bare::escaped_link(text, name.start, end).into(),
    }
}

/// Whether a link between quotation marks may go on behind white space.
fn is_broken(text: &Text<'_>, bare: Bare) -> bool {
    match bare {
        Bare::None => true,
        Bare::TooLong => false,
        Bare::Ends { stop, .. } => matches!(text.at(stop), Some(b' ' | b'\t' | b'\r' | b'\n')),
    }
}
