//! Links with a scheme: whether a colon is in one.

use super::bare;
use super::defang;
use super::input::Input;
use super::opaque::may_be_opaque;
use super::outcome::Outcome;
use super::scan::Bare;
use super::scheme::{self, Name, Slashes, is_scheme_byte};
use super::wrapped;
use crate::link::Link;

/// Decides whether the colon ends the scheme of a link, which does not begin before `floor`. It is
/// one that [`Colons`](super::Colons) finds.
#[allow(clippy::inline_always)] // on the path of nearly every link
#[inline(always)]
pub(crate) fn at_colon<'t>(
    max_length: usize,
    text: &Input<'t>,
    colon: usize,
    floor: usize,
) -> Outcome<'t> {
    if text.at(colon + 1) == Some(b'/') {
        if text.at(colon + 2) != Some(b'/') {
            return Outcome::NoLink;
        }
        if let Some(name) = scheme::web(text, colon, floor) {
            return link(max_length, text, name, colon, Slashes::Plain, floor);
        }
    }
    unusual(max_length, text, colon, floor)
}

/// A colon other than that of `http://` or `https://`.
#[inline(never)]
fn unusual<'t>(max_length: usize, text: &Input<'t>, colon: usize, floor: usize) -> Outcome<'t> {
    // `12:34:56`: no scheme is a number.
    if let [before, b'0'..=b'9', b'0'..=b'9'] = text.slice(colon.saturating_sub(3), colon)
        && !is_scheme_byte(*before)
    {
        return Outcome::NoLink;
    }
    let next = text.at(colon + 1);
    if colon <= floor || next.is_none() {
        return Outcome::NoLink;
    }
    let slashes = match next {
        Some(b'/' | b'\\') => Slashes::at(text, colon + 1),
        _ => Slashes::None,
    };
    if slashes == Slashes::None {
        if next == Some(b'\\') {
            return Outcome::NoLink;
        }
        if !may_be_opaque(text, colon) {
            return rare(text, colon, floor).into();
        }
    }
    let Some(name) = scheme::before(text, colon, floor, slashes) else {
        return Outcome::NoLink;
    };
    if text.slice(name.start, colon).eq_ignore_ascii_case(b"url") {
        // `<URL:…`: the scheme follows.
        return Outcome::NoLink;
    }
    if slashes == Slashes::None && !name.is_known {
        return rare(text, colon, floor).into();
    }
    if colon == name.start + 1 {
        // After `URL:`, any scheme is accepted.
        return wrapped::named(text, name.start, floor).into();
    }
    link(max_length, text, name, colon, slashes, floor)
}

/// The link without slashes that a wrapper alone makes one: `<URL:x-y:z>`, `<dns:example.org?a>`.
fn rare<'t>(text: &Input<'t>, colon: usize, floor: usize) -> Option<Link<'t>> {
    let start = scheme::run_start(text, colon, floor);
    match text.before(start)? {
        b'<' if start > floor && scheme::is_known(text.slice(start, colon)) => {
            wrapped::angles(text, start, floor)
        }
        // Most are words of a sentence.
        b'\n' | b' ' if text.before(start - 1).is_some_and(is_scheme_byte) => None,
        b':' | b'/' | b'\t'..=b'\r' | b' ' => wrapped::named(text, start, floor),
        _ => None,
    }
}

/// The link that begins with this scheme: in its wrapper, or bare.
#[allow(clippy::inline_always)] // of the two callers, one is on the path of nearly every link
#[inline(always)]
fn link<'t>(
    max_length: usize,
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
    let bare = bare::end(text, name, colon, slashes, max_length);
    if let Bare::Ends(ends) = bare
        && !name.is_common
        && defang::is_scheme(text.slice(name.start, colon))
    {
        return Outcome::Skip(ends.end.max(colon + 1));
    }
    if before == Some(b'"')
        && is_broken(text, bare)
        && let Some(link) = wrapped::quoted(text, name.start)
    {
        return Outcome::Link(link);
    }
    match bare {
        Bare::None => Outcome::NoLink,
        Bare::Ends(ends) if !ends.is_escaped => Outcome::Bare {
            start: name.start,
            end: ends.end,
            marks: ends.marks(),
        },
        Bare::Ends(ends) => bare::escaped_link(text, name.start, ends).into(),
    }
}

/// Whether a link in double quotes may continue after white space.
fn is_broken(text: &Input<'_>, bare: Bare) -> bool {
    match bare {
        Bare::None => true,
        Bare::Ends(ends) => matches!(text.at(ends.stop), Some(b' ' | b'\t' | b'\r' | b'\n')),
    }
}
