//! Stage 3: the start of a link, read backwards from the colon of its scheme.

use super::opaque::opaque_form;
use super::text::{Input, Slashes, leading_escape};
use crate::names;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::SCHEME;

/// The maximum length of a scheme, in bytes. The longest registered scheme is 35 bytes long.
const MAX_SCHEME: usize = 40;

/// A scheme in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme {
    /// The offset of the scheme's first character.
    pub(super) start: usize,
    /// True if the scheme is registered.
    pub(super) is_known: bool,
    /// True if the scheme is `http` or `https`.
    pub(super) is_common: bool,
    /// True if other scheme characters directly precede the scheme, as in `here.http://a`.
    pub(super) is_glued: bool,
}

/// Returns true if a scheme can have this byte after its first character:
/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986, 3.1).
// This is the only test of scheme characters in this crate. The test can be replaced once the
// core's grammar makes such a test public.
#[inline]
pub(super) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES.contains(byte)
}

static SCHEME_BYTES: ByteSet = *SCHEME.set();

/// Returns the scheme that ends at `colon` if it is one of the most common schemes, `http` and
/// `https`, and no other scheme characters precede it.
#[inline]
pub(super) fn web_scheme(text: &Input<'_>, colon: usize, floor: usize) -> Option<Scheme> {
    let lowest = floor.max(colon.saturating_sub(6));
    let (length, before) = match text.slice(lowest, colon) {
        [before @ .., b'h', b't', b't', b'p', b's'] => (5, before.last()),
        [before @ .., b'h', b't', b't', b'p'] => (4, before.last()),
        _ => return None,
    };
    let is_glued = before.is_some_and(|byte| is_scheme_byte(*byte));
    (!is_glued).then_some(Scheme {
        start: colon - length,
        is_known: true,
        is_common: true,
        is_glued: false,
    })
}

/// Returns the scheme that ends at `colon` and does not start before `floor`.
///
/// A scheme may start after an escape (`\nhttp://a`, `%20http://a`) or after the full stop of a
/// sentence (`here.http://a`).
pub(super) fn scheme_before(
    text: &Input<'_>,
    colon: usize,
    floor: usize,
    slashes: Slashes,
) -> Option<Scheme> {
    let run = scheme_run_start(text, colon, floor);
    if run > floor && text.before(run).is_some_and(|byte| !byte.is_ascii()) {
        // The run is part of a longer word, which contains non-ASCII characters.
        return scheme_within(text, colon, floor);
    }
    let start = run
        + if run > floor {
            leading_escape(text, run, colon)
        } else {
            0
        };
    let mut name = text.slice(start, colon);
    // A scheme begins with a letter.
    let letter = name.iter().position(u8::is_ascii_alphabetic)?;
    let is_glued = letter > 0 || start > run;
    name = name.get(letter..)?;
    if name.len() > MAX_SCHEME {
        return None;
    }
    let found = |name: &[u8], is_known, is_glued| {
        Some(Scheme {
            start: colon - name.len(),
            is_known,
            is_common: false,
            is_glued,
        })
    };
    // Without slashes, only the schemes in `OPAQUE` are recognized in text.
    let is_known: fn(&[u8]) -> bool = match slashes {
        Slashes::None => |name| opaque_form(name).is_some(),
        _ => is_known,
    };
    if is_known(name) {
        return found(name, true, is_glued);
    }
    for (at, byte) in name.iter().enumerate() {
        let end = name.get(at + 1..)?;
        let begins = match slashes {
            Slashes::None => matches!(byte, b'.' | b'-') && is_known(end),
            _ => *byte == b'.' && is_web(end),
        };
        if begins {
            return found(end, true, true);
        }
    }
    found(name, false, is_glued)
}

/// Schemes that are followed by a complete URL with another scheme.
const OUTER_SCHEMES: [&[u8]; 6] = [
    b"jdbc:",
    b"view-source:",
    b"blob:",
    b"jar:",
    b"feed:",
    b"filesystem:",
];

/// Returns the beginning of a link whose scheme may follow an outer scheme, as in
/// `jdbc:mysql://a.example/b`.
#[cold]
pub(super) fn outer_start(text: &Input<'_>, start: usize, floor: usize) -> usize {
    let begins = |outer: &&[u8]| {
        let begin = start.checked_sub(outer.len()).filter(|at| *at >= floor)?;
        let is_word = begin > floor && text.before(begin).is_some_and(is_scheme_byte);
        (!is_word && text.has(begin, outer)).then_some(begin)
    };
    OUTER_SCHEMES.iter().find_map(begins).unwrap_or(start)
}

/// Returns the scheme that ends at `colon` and starts at `floor` or later, within another link or
/// a word. The most common schemes may directly follow letters.
pub(super) fn scheme_within(text: &Input<'_>, colon: usize, floor: usize) -> Option<Scheme> {
    let run = scheme_run_start(text, colon, floor);
    let mut name = text.slice(run, colon);
    let letter = name.iter().position(u8::is_ascii_alphabetic)?;
    let is_glued = letter > 0;
    name = name.get(letter..)?;
    if name.len() <= MAX_SCHEME && is_known(name) {
        return Some(Scheme {
            start: colon - name.len(),
            is_known: true,
            is_common: false,
            is_glued,
        });
    }
    let parts = name.iter().enumerate().skip(1);
    for (at, _) in parts.filter(|(_, byte)| byte.is_ascii_alphabetic()) {
        // Directly after a letter or digit, only the most common schemes are recognized.
        let end = name.get(at..)?;
        let is_word = name.get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
        // `git+https` is one scheme.
        let is_joined = name.get(at - 1) == Some(&b'+');
        let is_common = || is_web(end) || end.eq_ignore_ascii_case(b"sftp");
        if !is_joined && if is_word { is_common() } else { is_known(end) } {
            return Some(Scheme {
                start: colon - end.len(),
                is_known: true,
                is_common: false,
                is_glued: true,
            });
        }
    }
    (name.len() <= MAX_SCHEME).then_some(Scheme {
        start: colon - name.len(),
        is_known: false,
        is_common: false,
        is_glued,
    })
}

/// Returns true if this is one of the schemes that are found even within words.
fn is_web(name: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp"]
        .iter()
        .any(|web| name.eq_ignore_ascii_case(web))
}

/// Returns true if this scheme is registered or in common use.
pub(super) fn is_known(name: &[u8]) -> bool {
    is_web(name)
        || names::is_scheme(name)
        || core::str::from_utf8(name).is_ok_and(|name| urikit::scheme::known(name).is_some())
}

/// Returns true if all URLs of the scheme have a host (RFC 1738, 3.1; RFC 9110, 4.2.1; RFC 6455,
/// 3).
pub(super) fn needs_host(name: &[u8]) -> bool {
    let others = [&b"ws"[..], b"wss"];
    is_web(name) || others.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Returns the beginning of the run of scheme characters that ends at `colon`.
pub(super) fn scheme_run_start(text: &Input<'_>, colon: usize, floor: usize) -> usize {
    let lowest = floor.max(colon.saturating_sub(MAX_SCHEME + 1));
    let preceding = text.slice(lowest, colon);
    let before = preceding.iter().rposition(|byte| !is_scheme_byte(*byte));
    lowest + before.map_or(0, |at| at + 1)
}
