//! Whether a colon ends the name of a scheme.

use super::escape;
use super::input::Input;
use super::term::{NAME, Term, term};
use crate::names;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::SCHEME;

/// Longer names are not schemes: the longest registered one has 35 characters.
const MAX_LENGTH: usize = 40;

/// A scheme's name in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Where it begins.
    pub(crate) start: usize,
    /// Whether it is registered.
    pub(crate) is_known: bool,
    /// Whether it is `http` or `https`, as nearly always.
    pub(crate) is_common: bool,
    /// Whether it directly follows letters that would belong to a longer name.
    pub(crate) is_glued: bool,
}

/// What follows the colon of a scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slashes {
    /// Two slashes.
    Plain,
    /// Two slashes, each after a backslash, as in string literals of JSON and other languages.
    Escaped,
    /// Two slashes, each as `\u002F`.
    UnicodeEscaped,
    /// Something else.
    None,
}

impl Slashes {
    pub(crate) fn at(text: &Input<'_>, offset: usize) -> Self {
        let is_slash = |at| escape::number(text, at) == Some('/');
        match text.at(offset) {
            Some(b'/') if text.at(offset + 1) == Some(b'/') => Self::Plain,
            Some(b'\\') if text.has(offset, b"\\/\\/") => Self::Escaped,
            Some(b'\\') if is_slash(offset) && is_slash(offset + escape::LENGTH) => {
                Self::UnicodeEscaped
            }
            _ => Self::None,
        }
    }

    pub(crate) const fn len(self) -> usize {
        match self {
            Self::Plain => 2,
            Self::Escaped => 4,
            Self::UnicodeEscaped => 12,
            Self::None => 0,
        }
    }
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986, 3.1), after the first
/// character.
#[inline]
pub(crate) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES.contains(byte)
}

static SCHEME_BYTES: ByteSet = *SCHEME.set();

/// The most common schemes, `http` and `https`, unless other letters precede them directly.
#[inline]
pub(crate) fn web(text: &Input<'_>, colon: usize, floor: usize) -> Option<Name> {
    let lowest = floor.max(colon.saturating_sub(6));
    let (length, before) = match text.slice(lowest, colon) {
        [before @ .., b'h', b't', b't', b'p', b's'] => (5, before.last()),
        [before @ .., b'h', b't', b't', b'p'] => (4, before.last()),
        _ => return None,
    };
    let is_glued = before.is_some_and(|byte| is_scheme_byte(*byte));
    (!is_glued).then_some(Name {
        start: colon - length,
        is_known: true,
        is_common: true,
        is_glued: false,
    })
}

/// The scheme that ends at `colon` and does not begin before `floor`, as it is written. A single
/// letter is more likely a drive (`C:\dir`); only in a wrapper can it be a scheme.
///
/// A scheme begins after an escape (`\nhttp://a`, `%20http://a`), and after the full stop of a
/// sentence (`here.http://a`).
pub(crate) fn before(
    text: &Input<'_>,
    colon: usize,
    floor: usize,
    slashes: Slashes,
) -> Option<Name> {
    let run = run_start(text, colon, floor);
    if run > floor && text.before(run).is_some_and(|byte| !byte.is_ascii()) {
        // Of a word with other letters this is only a part.
        return glued(text, colon, floor);
    }
    let start = run
        + if run > floor {
            escape_length(text, run, colon)
        } else {
            0
        };
    let mut name = text.slice(start, colon);
    // A scheme begins with a letter.
    let letter = name.iter().position(u8::is_ascii_alphabetic)?;
    let is_glued = letter > 0 || start > run;
    name = name.get(letter..)?;
    if name.len() > MAX_LENGTH {
        return None;
    }
    let found = |name: &[u8], is_known, is_glued| {
        Some(Name {
            start: colon - name.len(),
            is_known,
            is_common: false,
            is_glued,
        })
    };
    // Without slashes, only those of the list count in text.
    let is_known = match slashes {
        Slashes::None => is_opaque,
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

/// The length of the end of an escape at the beginning of a run of scheme characters: of a string
/// literal (`\n`, `\x3d`, `\u003d`), of a URL (`%3D`), of quoted-printable (`=3D`) and of a
/// terminal's colour (ESC `[0m`).
fn escape_length(text: &Input<'_>, run: usize, colon: usize) -> usize {
    let name = text.slice(run, colon);
    let are_digits = |range: core::ops::Range<usize>| {
        name.get(range)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let letter = name.iter().position(u8::is_ascii_alphabetic);
    let letters = name.get(letter.unwrap_or(0)..).unwrap_or_default();
    let is_known_after = |length: usize| name.get(length..).is_some_and(is_known);
    match (text.before(run), name.first()) {
        (Some(b'%'), _) if are_digits(0..2) && (is_known_after(2) || !is_known(letters)) => 2,
        (Some(b'='), _) if are_digits(0..2) && is_known_after(2) => 2,
        (Some(b'\\'), Some(b'u')) if are_digits(1..5) => 5,
        (Some(b'\\'), Some(b'x')) if are_digits(1..3) => 3,
        (Some(b'\\'), Some(b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0' | b'e' | b'a'))
            if is_known_after(1) =>
        {
            1
        }
        (Some(b'[' | b';'), Some(_)) => {
            let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let before = text.slice(run.saturating_sub(MAX_COLOUR), run);
            let parameters = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
            let opens = before.iter().rposition(|byte| !parameters(byte));
            let is_colour = name.get(digits) == Some(&b'm')
                && opens.is_some_and(|at| {
                    before.get(at) == Some(&b'[')
                        && at.checked_sub(1).and_then(|at| before.get(at)) == Some(&0x1B)
                });
            if is_colour { digits + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// The longest beginning of a terminal's colour, in bytes: ESC, `[`, numbers.
const MAX_COLOUR: usize = 32;

/// The scheme that ends at `colon`, within a link that ends no earlier than `floor`: a common one
/// may follow letters directly.
pub(crate) fn glued(text: &Input<'_>, colon: usize, floor: usize) -> Option<Name> {
    let run = run_start(text, colon, floor);
    let mut name = text.slice(run, colon);
    let letter = name.iter().position(u8::is_ascii_alphabetic)?;
    let is_glued = letter > 0;
    name = name.get(letter..)?;
    if name.len() <= MAX_LENGTH && is_known(name) {
        return Some(Name {
            start: colon - name.len(),
            is_known: true,
            is_common: false,
            is_glued,
        });
    }
    let parts = name.iter().enumerate().skip(1);
    for (at, _) in parts.filter(|(_, byte)| byte.is_ascii_alphabetic()) {
        // Directly after a letter or digit, only the most common schemes count.
        let end = name.get(at..)?;
        let is_word = name.get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
        // `git+https` is one name.
        let is_joined = name.get(at - 1) == Some(&b'+');
        let is_common = || is_web(end) || end.eq_ignore_ascii_case(b"sftp");
        if !is_joined && if is_word { is_common() } else { is_known(end) } {
            return Some(Name {
                start: colon - end.len(),
                is_known: true,
                is_common: false,
                is_glued: true,
            });
        }
    }
    (name.len() <= MAX_LENGTH).then_some(Name {
        start: colon - name.len(),
        is_known: false,
        is_common: false,
        is_glued,
    })
}

/// The schemes that are found within words.
fn is_web(name: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp"]
        .iter()
        .any(|web| name.eq_ignore_ascii_case(web))
}

/// Whether this is a registered scheme, or one in common use.
pub(crate) fn is_known(name: &[u8]) -> bool {
    is_web(name)
        || names::is_scheme(name)
        || core::str::from_utf8(name).is_ok_and(|name| urikit::scheme::known(name).is_some())
}

/// The registered schemes whose URLs need no slashes and are looked for in plain text, reviewed one
/// by one: what follows the colon is of a form that words do not have. Many others are words that
/// often precede a colon: `go`, `query`, `info`.
pub(super) const OPAQUE: [&[u8]; 37] = [
    b"mailto",
    b"news",
    b"snews",
    b"nntp",
    b"urn",
    b"tel",
    b"data",
    b"cid",
    b"mid",
    b"sip",
    b"sips",
    b"xmpp",
    b"acct",
    b"im",
    b"pres",
    b"geo",
    b"tag",
    b"magnet",
    b"sms",
    b"callto",
    b"facetime",
    b"h323",
    b"stun",
    b"stuns",
    b"turn",
    b"turns",
    b"doi",
    b"matrix",
    b"pkcs11",
    b"did",
    b"swh",
    b"spotify",
    b"openpgp4fpr",
    b"bitcoin",
    b"bitcoincash",
    b"ethereum",
    b"skype",
];

/// Whether the scheme is one of them.
fn is_opaque(name: &[u8]) -> bool {
    let [first, ..] = name else { return false };
    let letter = usize::from(first.to_ascii_lowercase().wrapping_sub(b'a'));
    let lengths = OPAQUE_LENGTHS.get(letter).copied().unwrap_or(0);
    // Most words differ from all of them in this.
    lengths >> name.len().min(31) & 1 != 0
        && OPAQUE.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// For each first letter, the lengths of those schemes, one bit for each.
#[allow(clippy::indexing_slicing)] // in a constant, where another first character does not compile
static OPAQUE_LENGTHS: [u32; 26] = {
    let mut lengths = [0; 26];
    let mut rest = OPAQUE.as_slice();
    while let [[first, tail @ ..], others @ ..] = rest {
        lengths[(*first - b'a') as usize] |= 1 << (tail.len() + 1);
        rest = others;
    }
    lengths
};

/// Whether every URL of the scheme has a host (RFC 1738, 3.1; RFC 9110, 4.2.1; RFC 6455, 3).
pub(crate) fn needs_host(name: &[u8]) -> bool {
    let others = [&b"ws"[..], b"wss"];
    is_web(name) || others.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// The beginning of the run of scheme characters that ends at `colon`.
pub(crate) fn run_start(text: &Input<'_>, colon: usize, floor: usize) -> usize {
    let lowest = floor.max(colon.saturating_sub(MAX_LENGTH + 1));
    let preceding = text.slice(lowest, colon);
    let before = preceding.iter().rposition(|byte| !is_scheme_byte(*byte));
    lowest + before.map_or(0, |at| at + 1)
}

/// An IP literal with its brackets has no more bytes.
pub(crate) const MAX_LITERAL: usize = 64;

/// Whether a host may begin at `offset`: a name, or an IP literal.
pub(crate) fn is_host(text: &Input<'_>, offset: usize) -> bool {
    match text.at(offset) {
        Some(b'[') => {
            let mut in_zone = false;
            let inner = (offset + 1..offset + MAX_LITERAL).find(|at| {
                !text.at(*at).is_some_and(|byte| {
                    in_zone |= byte == b'%';
                    byte.is_ascii_hexdigit()
                        || matches!(byte, b':' | b'.' | b'v' | b'V')
                        || in_zone && (byte == b'%' || NAME.contains(byte))
                })
            });
            inner.is_some_and(|end| end > offset + 2 && text.at(end) == Some(b']'))
        }
        Some(b'%') => text.has_hex_pair(offset + 1),
        Some(b'_') => true,
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric(),
        _ => text
            .char_at(offset)
            .is_some_and(|(c, _)| c.is_alphanumeric() || !c.is_ascii() && term(c) == Term::Include),
    }
}
