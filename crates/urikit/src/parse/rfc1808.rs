//! RFC 1808. The BNF of section 2.2 defines the valid URLs, and the parsing order of section 2.4
//! divides them into components.
//!
//! ```text
//! URL         = ( absoluteURL | relativeURL ) [ "#" fragment ]
//! absoluteURL = generic-RL | ( scheme ":" *( uchar | reserved ) )
//! generic-RL  = scheme ":" relativeURL
//! relativeURL = net_path | abs_path | rel_path
//! net_path    = "//" net_loc [ abs_path ]
//! abs_path    = "/" rel_path
//! rel_path    = [ path ] [ ";" params ] [ "?" query ]
//! path        = fsegment *( "/" segment )
//! ```
//!
//! After a scheme and its colon, the second alternative of `absoluteURL` allows any run of allowed
//! characters. Without a scheme, the first segment of a path must not be empty: `////x` is not a
//! URL, but `http:////x` is.
//!
//! A `net_loc` that matches RFC 1738's `login` is parsed as a `login`. Otherwise, the complete
//! `net_loc` is the host.

use super::fast::FastGrammar;
use super::rfc1738;
use super::walk::{Parsed, fail, is_at, is_end, run, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, Class, Rule, rfc1808};
use crate::layout::{Delimiter, Layout, offset_u32};

const ESCAPE: &Rule = &rfc1808::ESCAPE;

/// The grammar of RFC 1808 for the [fast path](mod@super::fast).
pub(super) struct Fast;

impl FastGrammar for Fast {
    const CHARACTERS: &ByteSet = rfc1808::QUERY.set();
    const NET_PATHS: bool = false;
    const QUESTION_ENDS_AUTHORITY: bool = false;
    const PARAMS: bool = true;

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        rfc1738::login_or_host(text, start, end, layout);
        true
    }
}

/// `URL = ( absoluteURL | relativeURL ) [ "#" fragment ]`
pub(super) const fn reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    let colon = skip(text, 0, rfc1808::SCHEME.set());
    let end = if colon > 0 && is_at(text, colon, b':') {
        layout.scheme = Delimiter::at(colon);
        layout.path = offset_u32(colon + 1);
        let expected = Expected::OPAQUE_CHAR.or(Expected::HASH).or(Expected::END);
        tri!(run_to_end(
            text,
            colon + 1,
            &rfc1808::ABSOLUTE_URL,
            expected
        ))
    } else {
        tri!(relative_url(text))
    };
    split(text, end, &mut layout);
    if is_at(text, end, b'#') {
        layout.fragment = Delimiter::at(end);
        let end = tri!(run(text, end + 1, &rfc1808::FRAGMENT, ESCAPE));
        if end < text.len() {
            let expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, expected, rfc1808::FRAGMENT.rule());
        }
    }
    Ok(layout)
}

/// Parses a run of `class` that must extend to the end or the fragment.
const fn run_to_end(text: &[u8], at: usize, class: &'static Class, expected: Expected) -> Parsed {
    let end = tri!(run(text, at, class, ESCAPE));
    if !is_end(text, end) {
        return fail(text, end, expected, class.rule());
    }
    Ok(end)
}

/// `relativeURL = net_path | abs_path | rel_path`, up to the end or the fragment.
const fn relative_url(text: &[u8]) -> Parsed {
    const AFTER_PATH: Expected = Expected::SEMICOLON
        .or(Expected::QUESTION)
        .or(Expected::HASH)
        .or(Expected::END);
    let mut at = 0;
    if is_at(text, 0, b'/') && is_at(text, 1, b'/') {
        at = tri!(run(text, 2, &rfc1808::NET_LOC, ESCAPE));
        if is_end(text, at) {
            return Ok(at);
        }
        if !is_at(text, at, b'/') {
            const EXPECTED: Expected = Expected::HOST_CHAR
                .or(Expected::SLASH)
                .or(Expected::HASH)
                .or(Expected::END);
            return fail(text, at, EXPECTED, rfc1808::NET_LOC.rule());
        }
    }
    if is_at(text, at, b'/') {
        at += 1;
        if is_at(text, at, b'/') {
            let expected = Expected::PATH_CHAR.or(AFTER_PATH);
            return fail(text, at, expected, &rfc1808::FSEGMENT);
        }
    }
    at = tri!(run(text, at, &rfc1808::PATH, ESCAPE));
    let mut class = &rfc1808::PATH;
    let mut expected = Expected::PATH_CHAR.or(Expected::SLASH).or(AFTER_PATH);
    if is_at(text, at, b';') {
        at = tri!(run(text, at + 1, &rfc1808::PARAMS, ESCAPE));
        class = &rfc1808::PARAMS;
        expected = Expected::PARAM_CHAR
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
    }
    if is_at(text, at, b'?') {
        at = tri!(run(text, at + 1, &rfc1808::QUERY, ESCAPE));
        class = &rfc1808::QUERY;
        expected = Expected::QUERY_CHAR.or(Expected::HASH).or(Expected::END);
    }
    if !is_end(text, at) {
        return fail(text, at, expected, class.rule());
    }
    Ok(at)
}

/// Divides the text between the scheme and `end` into components (2.4.3 to 2.4.6).
const fn split(text: &[u8], end: usize, layout: &mut Layout) {
    let mut at = layout.after_scheme();
    if is_at(text, at, b'/') && is_at(text, at + 1, b'/') {
        let start = at + 2;
        at = until(text, start, end, &ByteSet::of(b"/"));
        rfc1738::login_or_host(text, start, at, layout);
    }
    let query = until(text, at, end, &ByteSet::of(b"?"));
    if query < end {
        layout.query = Delimiter::at(query);
    }
    let params = until(text, at, query, &ByteSet::of(b";"));
    if params < query {
        layout.params = Delimiter::at(params);
    }
}

/// Returns the offset of the first byte at or after `at` that is in `set`, or `end`.
const fn until(text: &[u8], mut at: usize, end: usize, set: &ByteSet) -> usize {
    while at < end && !super::walk::is_in(text, at, set) {
        at += 1;
    }
    at
}
