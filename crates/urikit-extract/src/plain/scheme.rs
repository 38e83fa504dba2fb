//! Whether a colon ends the name of a scheme, and whether what follows it can be a URL of that
//! scheme.

use super::input::Input;
use super::term::{Term, term};

/// Longer names are not schemes: the longest registered one has 35 characters.
const MAX_LENGTH: usize = 40;

/// A scheme's name in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Where it begins.
    pub(crate) start: usize,
    /// Whether it is registered.
    pub(crate) is_known: bool,
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
        match text.at(offset) {
            Some(b'/') if text.at(offset + 1) == Some(b'/') => Self::Plain,
            Some(b'\\') if text.has(offset, b"\\/\\/") => Self::Escaped,
            Some(b'\\') if text.has(offset, b"\\u002F\\u002F") => Self::UnicodeEscaped,
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
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

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
        is_glued: false,
    })
}

/// The scheme that ends at `colon` and does not begin before `floor`. A single letter is more
/// likely a drive (`C:\dir`); only in a wrapper can it be a scheme.
///
/// A registered name is preferred to a longer unknown one: in `here.http://a` the scheme is
/// `http`.
pub(crate) fn before(text: &Input<'_>, colon: usize, floor: usize) -> Option<Name> {
    let lowest = floor.max(colon.saturating_sub(MAX_LENGTH + 1));
    let preceding = text.slice(lowest, colon);
    let run = preceding
        .iter()
        .rposition(|byte| !is_scheme_byte(*byte))
        .map_or(0, |at| at + 1);
    let mut name = preceding.get(run..)?;
    // A scheme begins with a letter.
    let letter = name.iter().position(u8::is_ascii_alphabetic)?;
    let is_glued = letter > 0;
    name = name.get(letter..)?;
    if is_known(name) {
        return (name.len() <= MAX_LENGTH).then_some(Name {
            start: colon - name.len(),
            is_known: true,
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
        if !is_joined && if is_word { is_web(end) } else { is_known(end) } {
            return Some(Name {
                start: colon - end.len(),
                is_known: true,
                is_glued: true,
            });
        }
    }
    (name.len() <= MAX_LENGTH).then_some(Name {
        start: colon - name.len(),
        is_known: false,
        is_glued,
    })
}

/// The schemes that are found within words.
fn is_web(name: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp"]
        .iter()
        .any(|web| name.eq_ignore_ascii_case(web))
}

/// Whether this is a registered scheme.
pub(crate) fn is_known(name: &[u8]) -> bool {
    is_web(name) || OPAQUE.iter().any(|known| name.eq_ignore_ascii_case(known)) || registered(name)
}

fn registered(name: &[u8]) -> bool {
    core::str::from_utf8(name).is_ok_and(|name| urikit::scheme::known(name).is_some())
}

/// Schemes whose URLs need no slashes, and which are found in plain text.
const OPAQUE: [&[u8]; 18] = [
    b"mailto", b"news", b"snews", b"nntp", b"urn", b"tel", b"data", b"cid", b"mid", b"sip",
    b"sips", b"xmpp", b"acct", b"im", b"pres", b"geo", b"tag", b"magnet",
];

/// Whether every URL of the scheme has a host (RFC 1738, 3.1; RFC 9110, 4.2.1; RFC 6455, 3).
pub(crate) fn needs_host(name: &[u8]) -> bool {
    let others = [&b"ws"[..], b"wss"];
    is_web(name) || others.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Whether the last two letters before `colon` are those of a name in [`OPAQUE`]. For most words
/// they are not.
pub(crate) fn may_be_opaque(text: &Input<'_>, colon: usize) -> bool {
    let [first, second] = text.slice(colon.saturating_sub(2), colon) else {
        return false;
    };
    let end = &[first.to_ascii_lowercase(), second.to_ascii_lowercase()];
    matches!(
        end,
        b"to"
            | b"ws"
            | b"tp"
            | b"rn"
            | b"el"
            | b"ta"
            | b"id"
            | b"ip"
            | b"ps"
            | b"pp"
            | b"ct"
            | b"im"
            | b"es"
            | b"eo"
            | b"ag"
            | b"et"
    )
}

/// The beginning of the run of scheme characters that ends at `colon`.
pub(crate) fn run_start(text: &Input<'_>, colon: usize, floor: usize) -> usize {
    let lowest = floor.max(colon.saturating_sub(MAX_LENGTH + 1));
    let preceding = text.slice(lowest, colon);
    let before = preceding.iter().rposition(|byte| !is_scheme_byte(*byte));
    lowest + before.map_or(0, |at| at + 1)
}

/// How far [`can_follow`] looks, in bytes.
const LOOKAHEAD: usize = 320;

/// Whether the text at `rest` can continue a URL of a scheme without slashes, as opposed to a word
/// with a colon. The lookahead ends before the next colon, so that many names in a row take no
/// more time than one.
pub(crate) fn can_follow(text: &Input<'_>, name: &[u8], rest: usize) -> bool {
    let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
    let first = text.at(rest);
    let is_alphanumeric = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    // These have no IP literal, since RFC 3986 allows brackets in an authority only.
    let is_domain = |at: usize| text.at(at + 1) != Some(b'[') && is_host(text, at + 1);
    if is(b"mailto") {
        first == Some(b'?') || at_sign(text, rest).is_some_and(is_domain)
    } else if is(b"cid") || is(b"mid") || is(b"acct") || is(b"im") || is(b"pres") {
        at_sign(text, rest).is_some_and(is_domain)
    } else if is(b"sip") || is(b"sips") || is(b"xmpp") {
        // A password may precede the `@` (RFC 3261, 25.1).
        let password = || run(text, rest, b":").and_then(|colon| at_sign(text, colon + 1));
        at_sign(text, rest)
            .or_else(password)
            .map_or_else(|| has_dot(text, rest), is_domain)
    } else if is(b"news") || is(b"snews") || is(b"nntp") {
        is_alphanumeric(first)
            && (has_dot(text, rest) || at_sign(text, rest).is_some_and(is_domain))
    } else if is(b"urn") {
        let nid = (0..34).find(|length| {
            !text
                .at(rest + length)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
        let is_end = |nid: usize| text.at(rest + nid) == Some(b':');
        is_alphanumeric(first)
            && nid.is_some_and(|nid| nid > 1 && is_end(nid) && is_word(text, rest + nid + 1))
    } else if is(b"tel") {
        let digit = |offset| text.at(offset).is_some_and(|byte| byte.is_ascii_digit());
        digit(rest) && digit(rest + 1) || first == Some(b'+') && digit(rest + 1)
    } else if is(b"geo") {
        let start = rest + usize::from(first == Some(b'-'));
        text.at(start).is_some_and(|byte| byte.is_ascii_digit()) && run(text, rest, b",").is_some()
    } else if is(b"data") {
        let end = run(text, rest, b",");
        end.is_some_and(|end| {
            end == rest
                || text
                    .slice(rest, end)
                    .iter()
                    .any(|b| matches!(b, b'/' | b';'))
        })
    } else if is(b"tag") {
        run(text, rest, b",").is_some_and(|end| end > rest && is_alphanumeric(text.at(end + 1)))
    } else if is(b"magnet") {
        first == Some(b'?') && is_word(text, rest + 1)
    } else {
        false
    }
}

/// The first of `ends` after `start`, unless a colon, a space or another character that ends a
/// link comes first, or it is too far away.
fn run(text: &Input<'_>, start: usize, ends: &[u8]) -> Option<usize> {
    for offset in start..start + LOOKAHEAD {
        match text.at(offset)? {
            byte if ends.contains(&byte) => return Some(offset),
            b':' | 0..=b' ' | b'<' | b'>' | b'"' | b'`' | b'{' | b'}' | b'|' | b'\\' => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// The `@` of an address that begins at `start`.
fn at_sign(text: &Input<'_>, start: usize) -> Option<usize> {
    run(text, start, b"@").filter(|at| *at > start)
}

/// Whether the word at `start` contains a dot followed by more of it.
fn has_dot(text: &Input<'_>, start: usize) -> bool {
    run(text, start, b".").is_some_and(|dot| is_word(text, dot + 1))
}

fn is_word(text: &Input<'_>, offset: usize) -> bool {
    text.at(offset)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'%' || byte >= 0x80)
}

/// Whether a host may begin at `offset`: a name, or an IP literal.
pub(crate) fn is_host(text: &Input<'_>, offset: usize) -> bool {
    match text.at(offset) {
        Some(b'[') => {
            let inner = (offset + 1..offset + 64).find(|at| {
                !text.at(*at).is_some_and(|byte| {
                    byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.' | b'v' | b'V')
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

#[cfg(test)]
mod tests {
    use super::{Input, OPAQUE, may_be_opaque};

    #[test]
    fn last_letters_match_the_names_in_opaque() {
        for name in OPAQUE {
            assert!(
                may_be_opaque(&Input::new(name, true), name.len()),
                "{name:?}"
            );
            let large = name.to_ascii_uppercase();
            assert!(
                may_be_opaque(&Input::new(&large, true), name.len()),
                "{name:?}"
            );
        }
        assert!(!may_be_opaque(&Input::new(b"note", true), 4));
    }
}
