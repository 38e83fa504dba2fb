//! RFC 1738, section 5: URLs.
//!
//! ```text
//! url           = httpurl | ftpurl | newsurl | nntpurl | telneturl | gopherurl
//!               | waisurl | mailtourl | fileurl | prosperourl | otherurl
//! otherurl      = genericurl
//! genericurl    = scheme ":" schemepart
//! schemepart    = *xchar | ip-schemepart
//! ip-schemepart = "//" login [ "/" urlpath ]
//! ```
//!
//! By the letter `otherurl` takes any URL, `http:xyz` too. Here a scheme that has a production is
//! judged by it, and the generic production is a verdict of its own.
//!
//! There are no relative URLs. A `#fragment` is no part of a URL, and may follow one in context
//! (Appendix): it is read off.

mod ip;
mod schemes;

use super::fast::{Behind, Shape, characters};
use super::packed::Front;
use super::walk::{Scan, fail, is_at, is_end, is_word, run, skip, tri};
use crate::error::Expected;
use crate::grammar::{Class, Rule, rfc1738};
use crate::layout::{Delimiter, Layout, offset_u32};
use crate::scan::Nibbles;
pub(crate) use ip::host;
pub(super) use ip::login_or_host;

const ESCAPE: &Rule = &rfc1738::ESCAPE;

/// What [`fast`](super::fast) has to know of RFC 1738: URLs of the schemes `http` and `https`, of which the first has a
/// production. The other schemes are none of its.
pub(super) struct Fast;

impl Shape for Fast {
    const SET: Nibbles = characters(rfc1738::XCHAR.set());
    const RELATIVE: bool = false;
    const QUESTION_ENDS_AUTHORITY: bool = false;

    fn scheme(text: &[u8], colon: usize, has_authority: bool) -> Option<bool> {
        let is_read = is_word(text, 0, colon, b"http") || is_word(text, 0, colon, b"https");
        (is_read && has_authority).then_some(true)
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        ip::hostport(text, start, Expected::SLASH, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], front: Front, behind: &mut Behind) -> bool {
        let Some(question) = behind.query.get() else {
            return true;
        };
        if front.scheme().end() != b"http:".len() {
            // `schemepart` has no query.
            behind.query = Delimiter::ABSENT;
            return true;
        }
        // `search` has neither of these.
        let end = behind.fragment.get().unwrap_or(text.len());
        let search = text.get(question + 1..end).unwrap_or_default();
        !search.iter().any(|byte| matches!(byte, b'/' | b'?'))
    }
}

/// `url [ "#" fragment ]`, by the scheme's own production where it has one.
pub(super) const fn reference(text: &[u8]) -> Scan<Layout> {
    let mut layout = Layout::EMPTY;
    let at = tri!(scheme(text, &mut layout));
    let colon = at - 1;
    let end = if is_word(text, 0, colon, b"http") {
        tri!(schemes::http(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"ftp") {
        tri!(schemes::ftp(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"file") {
        tri!(schemes::file(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"gopher") {
        tri!(schemes::gopher(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"mailto") {
        tri!(schemes::mailto(text, at))
    } else if is_word(text, 0, colon, b"news") {
        tri!(schemes::news(text, at))
    } else if is_word(text, 0, colon, b"nntp") {
        tri!(schemes::nntp(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"telnet") {
        tri!(schemes::telnet(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"wais") {
        tri!(schemes::wais(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"prospero") {
        tri!(schemes::prospero(text, at, &mut layout))
    } else {
        tri!(schemepart(text, at, &mut layout))
    };
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `genericurl [ "#" fragment ]`
pub(super) const fn generic_reference(text: &[u8]) -> Scan<Layout> {
    let mut layout = Layout::EMPTY;
    layout.generic = true;
    let at = tri!(scheme(text, &mut layout));
    let end = tri!(schemepart(text, at, &mut layout));
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `scheme ":"`
const fn scheme(text: &[u8], layout: &mut Layout) -> Scan {
    let colon = skip(text, 0, rfc1738::SCHEME.set());
    if colon == 0 {
        return fail(text, 0, Expected::SCHEME_CHAR, rfc1738::SCHEME.rule());
    }
    if !is_at(text, colon, b':') {
        let expected = Expected::SCHEME_CHAR.or(Expected::COLON);
        return fail(text, colon, expected, &rfc1738::GENERICURL);
    }
    layout.scheme = Delimiter::at(colon);
    layout.path = offset_u32(colon + 1);
    Ok(colon + 1)
}

/// `schemepart = *xchar | ip-schemepart`: the second is within the first, and says where the
/// components are when it matches.
const fn schemepart(text: &[u8], at: usize, layout: &mut Layout) -> Scan {
    let end = tri!(run_to_end(text, at, &rfc1738::XCHAR, Expected::OPAQUE_CHAR));
    if is_at(text, at, b'/') && is_at(text, at + 1, b'/') {
        let mut with_login = *layout;
        if let Ok(login_end) = ip::login(text, at + 2, Expected::SLASH, &mut with_login)
            && (login_end == end || is_at(text, login_end, b'/'))
        {
            *layout = with_login;
        }
    }
    Ok(end)
}

/// A run that must reach the end or the fragment; `expected` is what could have gone on.
const fn run_to_end(text: &[u8], at: usize, class: &'static Class, expected: Expected) -> Scan {
    let end = tri!(run(text, at, class, ESCAPE));
    if !is_end(text, end) {
        let expected = expected.or(Expected::HASH).or(Expected::END);
        return fail(text, end, expected, class.rule());
    }
    Ok(end)
}

/// `[ "#" fragment ]`, where the text ends or the `#` is at `at`.
const fn fragment(text: &[u8], at: usize, layout: &mut Layout) -> Scan<()> {
    if is_at(text, at, b'#') {
        layout.fragment = Delimiter::at(at);
        let end = tri!(run(text, at + 1, &rfc1738::FRAGMENT, ESCAPE));
        if end < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, EXPECTED, rfc1738::FRAGMENT.rule());
        }
    }
    Ok(())
}
