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
//! Taken literally, `otherurl` matches any URL, even `http:xyz`. Here a scheme that has a
//! production must match it; the generic production gives a second verdict, which callers ask for
//! separately.
//!
//! There are no relative URLs. A `#fragment` is not part of a URL but may follow one in context
//! (Appendix), so it is accepted and split off.

mod ip;
mod schemes;

use super::fast::{FastGrammar, Prefix, Suffix};
use super::walk::{Parsed, fail, is_at, is_end, is_word, run, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, Class, Rule, rfc1738};
use crate::layout::{Delimiter, Layout, offset_u32};
pub use ip::host;
pub(super) use ip::login_or_host;

const ESCAPE: &Rule = &rfc1738::ESCAPE;

/// RFC 1738 on the [fast path](mod@super::fast): URLs with the schemes `http`, which has a
/// production, and `https`, which is generic.
pub(super) struct Fast;

impl FastGrammar for Fast {
    const CHARACTERS: &ByteSet = rfc1738::XCHAR.set();
    const RELATIVE_REFERENCES: bool = false;
    const QUESTION_ENDS_AUTHORITY: bool = false;

    fn has_authority(text: &[u8], colon: usize, has_slashes: bool) -> Option<bool> {
        let is_http = is_word(text, 0, colon, b"http") || is_word(text, 0, colon, b"https");
        (is_http && has_slashes).then_some(true)
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        ip::hostport(text, start, Expected::SLASH, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], prefix: Prefix, suffix: &mut Suffix) -> bool {
        let Some(question) = suffix.query.get() else {
            return true;
        };
        if prefix.scheme().end() != b"http:".len() {
            // `https`: `schemepart` has no query.
            suffix.query = Delimiter::ABSENT;
            return true;
        }
        // `search` allows neither `/` nor `?`.
        let end = suffix.fragment.get().unwrap_or(text.len());
        let search = text.get(question + 1..end).unwrap_or_default();
        !search.iter().any(|byte| matches!(byte, b'/' | b'?'))
    }
}

/// `url [ "#" fragment ]`, by the scheme's production if it has one.
pub(super) const fn reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    let at = tri!(scheme(text, &mut layout));
    let colon = at - 1;
    let end = if is_word(text, 0, colon, b"http") {
        tri!(schemes::httpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"ftp") {
        tri!(schemes::ftpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"file") {
        tri!(schemes::fileurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"gopher") {
        tri!(schemes::gopherurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"mailto") {
        tri!(schemes::mailtourl(text, at))
    } else if is_word(text, 0, colon, b"news") {
        tri!(schemes::newsurl(text, at))
    } else if is_word(text, 0, colon, b"nntp") {
        tri!(schemes::nntpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"telnet") {
        tri!(schemes::telneturl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"wais") {
        tri!(schemes::waisurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"prospero") {
        tri!(schemes::prosperourl(text, at, &mut layout))
    } else {
        tri!(schemepart(text, at, &mut layout))
    };
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `genericurl [ "#" fragment ]`
pub(super) const fn generic_reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    layout.generic = true;
    let at = tri!(scheme(text, &mut layout));
    let end = tri!(schemepart(text, at, &mut layout));
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `scheme ":"`
const fn scheme(text: &[u8], layout: &mut Layout) -> Parsed {
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

/// `schemepart = *xchar | ip-schemepart`. The first alternative includes the second, which gives
/// the components if it matches.
const fn schemepart(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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

/// A run of `class` that must extend to the end or the fragment. `expected` is what could have
/// continued it.
const fn run_to_end(text: &[u8], at: usize, class: &'static Class, expected: Expected) -> Parsed {
    let end = tri!(run(text, at, class, ESCAPE));
    if !is_end(text, end) {
        let expected = expected.or(Expected::HASH).or(Expected::END);
        return fail(text, end, expected, class.rule());
    }
    Ok(end)
}

/// `[ "#" fragment ]`: at `at` is the `#` or the end of the input.
const fn fragment(text: &[u8], at: usize, layout: &mut Layout) -> Parsed<()> {
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
