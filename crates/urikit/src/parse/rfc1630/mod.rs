//! RFC 1630: URIs as the World-Wide Web first used them.
//!
//! ```text
//! fragmentaddress = uri [ # fragmentid ]
//! uri             = scheme : path [ ? search ]
//! path            = ( void | xpalphas ) [ / path ]      ; as it must be read
//! search          = xalphas [ + search ]
//! ```
//!
//! A URI is judged by its scheme's production in the BNF for specific schemes, and by the generic
//! production above where the scheme has none there. The generic BNF leaves out `=`, `;` and `:`,
//! so that some URIs of the text itself match the specific production only.
//!
//! A partial form has no production. It is a `path`, a search part and a fragment, without a colon;
//! it has no authority, since the text only counts its slashes.
//!
//! Names are matched by the letter ("Single letters stand for single letters"): `HTTP` is not `http`.
//! A void fragment is one ("with or without the hash sign"); a void search is none.

mod ip;
mod schemes;

use super::fast::{Behind, Shape, characters};
use super::packed::Front;
use super::walk::{Scan, fail, is_at, is_end, is_in, run, skip, tri};
use crate::error::Expected;
use crate::grammar::rfc1630::{self, generic};
use crate::grammar::{ByteSet, Class, LETTERS, Rule};
use crate::layout::{Delimiter, Layout, offset_u32};
use crate::scan::Nibbles;
pub(crate) use schemes::is_article;

const ESCAPE: &Rule = &rfc1630::ESCAPE;

/// What [`fast`](super::fast) has to know of RFC 1630: URIs of the schemes `http`, which has a production, and
/// `https`, which is generic and so has no authority. The other schemes, partial forms and ports are none of its.
pub(super) struct Fast;

impl Shape for Fast {
    // The generic part has the same characters.
    const SET: Nibbles = characters(rfc1630::PATH.set());
    const COLONS: bool = false;
    const NAMES_BEGIN_WITH_DIGITS: bool = false;
    const RELATIVE: bool = false;

    fn http(is_https: bool) -> bool {
        !is_https
    }

    fn scheme(text: &[u8], colon: usize, has_authority: bool) -> Option<bool> {
        match text.get(..colon)? {
            b"http" if has_authority => Some(true),
            b"https" => Some(false),
            _ => None,
        }
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        ip::hostport(text, start, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], front: Front, behind: &mut Behind) -> bool {
        let is_generic = !front.has_authority();
        let has = |part: &[u8], bytes: &[u8]| part.iter().any(|byte| bytes.contains(byte));
        let fragment = behind.fragment.get().unwrap_or(text.len());
        if let Some(question) = behind.query.get() {
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

/// `fragmentaddress` by the scheme's own production where it has one, or a partial form.
pub(super) const fn reference(text: &[u8]) -> Scan<Layout> {
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
pub(super) const fn generic_reference(text: &[u8]) -> Scan<Layout> {
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

/// `path [ ? search ] [ # fragmentid ]` of the generic part, behind the scheme or without one.
const fn generic_rest(text: &[u8], layout: &mut Layout) -> Scan<()> {
    let end = tri!(path_and_search(text, layout.after_scheme(), layout));
    let (class, escape) = (&generic::FRAGMENTID, &generic::ESCAPE);
    fragmentid(text, end, class, escape, layout)
}

/// Whether the text begins with a `scheme` and its colon, which are then noted.
///
/// A colon behind anything else is an error: no URI and no partial form has it there.
const fn scheme(text: &[u8], layout: &mut Layout) -> Scan<bool> {
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
const fn path_and_search(text: &[u8], at: usize, layout: &mut Layout) -> Scan {
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

/// `? search`, where the `?` is at `at`: words of at least one character with a `+` between them.
///
/// The specific part's `xalphas` have the `+` already, so that there a word may be any run.
const fn search(text: &[u8], mut at: usize, class: &'static Class, escape: &'static Rule) -> Scan {
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

/// `[ # fragmentid ]`, where the text ends or the hash sign is at `at`.
const fn fragmentid(
    text: &[u8],
    at: usize,
    class: &'static Class,
    escape: &'static Rule,
    layout: &mut Layout,
) -> Scan<()> {
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
