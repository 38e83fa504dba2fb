//! RFC 1630: URIs as the World-Wide Web first used them.
//!
//! ```text
//! fragmentaddress = uri [ # fragmentid ]
//! uri             = scheme : path [ ? search ]
//! path            = ( void | xpalphas ) [ / path ]      ; the evident meaning
//! search          = xalphas [ + search ]
//! ```
//!
//! A URI must match its scheme's production in the BNF for specific schemes, or the generic
//! production above if the scheme has none there. The generic BNF omits `=`, `;` and `:`, so some
//! of the RFC's own URIs match the specific production only.
//!
//! A partial form has no production. It is a `path`, a search part and a fragment, without a
//! colon. It has no authority, since the RFC only counts its slashes.
//!
//! Scheme names are case-sensitive ("Single letters stand for single letters"): `HTTP` is not
//! `http`. An empty fragment is allowed ("with or without the hash sign"), an empty search is not.

mod ip;
mod schemes;

use super::fast::{FastGrammar, Prefix, Suffix};
use super::walk::{Parsed, fail, is_at, is_end, is_in, run, skip, tri};
use crate::error::Expected;
use crate::grammar::rfc1630::{self, generic};
use crate::grammar::{ByteSet, Class, LETTERS, Rule};
use crate::layout::{Delimiter, Layout, offset_u32};
pub use schemes::is_article;

const ESCAPE: &Rule = &rfc1630::ESCAPE;

/// RFC 1630 on the [fast path](mod@super::fast): URIs with the schemes `http`, which has a
/// production, and `https`, which is generic and so has no authority; none with a port, and no
/// partial forms.
pub(super) struct Fast;

impl FastGrammar for Fast {
    // The specific part's `path` has the same characters as the generic one.
    const CHARACTERS: &ByteSet = rfc1630::PATH.set();
    const COLONS_AFTER_SCHEME: bool = false;
    const HOST_NAMES_START_WITH_DIGITS: bool = false;
    const RELATIVE_REFERENCES: bool = false;

    fn http_has_authority(is_https: bool) -> bool {
        !is_https
    }

    fn has_authority(text: &[u8], colon: usize, has_slashes: bool) -> Option<bool> {
        match text.get(..colon)? {
            b"http" if has_slashes => Some(true),
            b"https" => Some(false),
            _ => None,
        }
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        ip::hostport(text, start, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], prefix: Prefix, suffix: &mut Suffix) -> bool {
        let is_generic = !prefix.has_authority();
        let has = |part: &[u8], bytes: &[u8]| part.iter().any(|byte| bytes.contains(byte));
        let fragment = suffix.fragment.get().unwrap_or(text.len());
        if let Some(question) = suffix.query.get() {
            let search = text.get(question + 1..fragment).unwrap_or_default();
            if search.is_empty()
                || has(search, b"/?")
                || is_generic && search.split(|byte| *byte == b'+').any(<[u8]>::is_empty)
            {
                return false;
            }
        }
        let fragmentid = text.get(fragment..).unwrap_or_default();
        !has(fragmentid, if is_generic { b"/?+" } else { b"/?" })
    }
}

/// `fragmentaddress` by the scheme's production if it has one, or a partial form.
pub(super) const fn reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    if tri!(scheme(text, &mut layout))
        && let Some(end) = schemes::specific(text, &mut layout)
    {
        let (class, escape) = (&rfc1630::FRAGMENTID, ESCAPE);
        tri!(fragmentid(text, tri!(end), class, escape, &mut layout));
    } else {
        tri!(generic_rest(text, &mut layout));
    }
    Ok(layout)
}

/// `fragmentaddress` by the generic production, whatever the scheme.
pub(super) const fn generic_reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    layout.generic = true;
    if !is_in(text, 0, &LETTERS) {
        return fail(text, 0, Expected::LETTER, generic::SCHEME.rule());
    }
    let colon = tri!(run(text, 0, &generic::SCHEME, &generic::ESCAPE));
    if !is_at(text, colon, b':') {
        let expected = Expected::SCHEME_CHAR.or(Expected::COLON);
        return fail(text, colon, expected, &generic::URI);
    }
    layout.scheme = Delimiter::at(colon);
    layout.path = offset_u32(colon + 1);
    tri!(generic_rest(text, &mut layout));
    Ok(layout)
}

/// `path [ ? search ] [ # fragmentid ]` of the generic part, after the scheme or without one.
const fn generic_rest(text: &[u8], layout: &mut Layout) -> Parsed<()> {
    let end = tri!(path_and_search(text, layout.after_scheme(), layout));
    let (class, escape) = (&generic::FRAGMENTID, &generic::ESCAPE);
    fragmentid(text, end, class, escape, layout)
}

/// Whether the input begins with a `scheme` and its colon, which are recorded in `layout`.
///
/// A colon after anything else is an error: neither a URI nor a partial form has one there.
const fn scheme(text: &[u8], layout: &mut Layout) -> Parsed<bool> {
    let end = tri!(run(text, 0, &generic::XPALPHA, &generic::ESCAPE));
    if !is_at(text, end, b':') {
        return Ok(false);
    }
    let plus = skip(
        text,
        0,
        &ByteSet::range(0, 0xFF).without(ByteSet::of(b"+:")),
    );
    if !is_in(text, 0, &LETTERS) || plus < end {
        let expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        let expected = expected.or(Expected::LETTER.when(end == 0));
        return fail(text, end, expected, generic::PATH.rule());
    }
    layout.scheme = Delimiter::at(end);
    layout.path = offset_u32(end + 1);
    Ok(true)
}

/// `path [ ? search ]` of the generic part, up to the end or the fragment.
const fn path_and_search(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(run(text, at, &generic::PATH, &generic::ESCAPE));
    if is_end(text, at) {
        return Ok(at);
    }
    if !is_at(text, at, b'?') {
        let expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        return fail(text, at, expected, generic::PATH.rule());
    }
    layout.query = Delimiter::at(at);
    search(text, at, &generic::SEARCH, &generic::ESCAPE)
}

/// `? search`, where the `?` is at `at`: words of at least one character with `+` between them.
///
/// The `xalphas` of the specific part include the `+`, so a word there is any run.
const fn search(
    text: &[u8],
    mut at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Parsed {
    loop {
        let end = tri!(run(text, at + 1, class, escape));
        if end == at + 1 {
            return fail(text, end, Expected::QUERY_CHAR, class.rule());
        }
        if is_end(text, end) {
            return Ok(end);
        }
        if !is_at(text, end, b'+') {
            let expected = Expected::QUERY_CHAR.or(Expected::HASH).or(Expected::END);
            return fail(text, end, expected, class.rule());
        }
        at = end;
    }
}

/// `[ # fragmentid ]`: at `at` is the hash sign or the end of the input.
const fn fragmentid(
    text: &[u8],
    at: usize,
    class: &'static Class,
    escape: &'static Rule,
    layout: &mut Layout,
) -> Parsed<()> {
    if is_at(text, at, b'#') {
        layout.fragment = Delimiter::at(at);
        let end = tri!(run(text, at + 1, class, escape));
        if end < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, EXPECTED, class.rule());
        }
    }
    Ok(())
}
