//! Schemes whose URLs need no slashes: whether what follows the colon of one can be such a URL, and
//! not a word of the sentence.

use super::input::Input;
use super::scheme::is_host;

/// Whether the last two letters before `colon` are those of such a scheme. For most words they are
/// not.
pub(crate) fn may_be_opaque(text: &Input<'_>, colon: usize) -> bool {
    let [first, second] = text.slice(colon.saturating_sub(2), colon) else {
        return false;
    };
    let end = &[first.to_ascii_lowercase(), second.to_ascii_lowercase()];
    // In the order of the list.
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
            | b"ms"
            | b"me"
            | b"23"
            | b"un"
            | b"ns"
            | b"oi"
            | b"ix"
            | b"11"
            | b"wh"
            | b"fy"
            | b"pr"
            | b"in"
            | b"sh"
            | b"um"
            | b"pe"
    )
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
        others(text, name, rest)
    }
}

/// The same for schemes that were registered later.
fn others(text: &Input<'_>, name: &[u8], rest: usize) -> bool {
    let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
    let has = |word: &str| text.has(rest, word.as_bytes()) && is_word(text, rest + word.len());
    let word = |class: fn(&u8) -> bool| {
        let length =
            (0..LOOKAHEAD).find(|length| !text.at(rest + length).as_ref().is_some_and(class));
        length.unwrap_or(LOOKAHEAD)
    };
    let is_number = || {
        let plus = usize::from(text.at(rest) == Some(b'+'));
        let digit = |at| text.at(at).is_some_and(|byte: u8| byte.is_ascii_digit());
        digit(rest + plus) && digit(rest + plus + 1)
    };
    let is_address = || {
        at_sign(text, rest).is_some_and(|at| text.at(at + 1) != Some(b'[') && is_host(text, at + 1))
    };
    if is(b"sms") || is(b"callto") {
        is_number()
    } else if is(b"facetime") {
        is_number() || is_address()
    } else if is(b"h323") {
        is_address()
    } else if is(b"stun") || is(b"stuns") || is(b"turn") || is(b"turns") {
        has_dot(text, rest)
    } else if is(b"doi") {
        has("10.") && run(text, rest + 3, b"/").is_some_and(|slash| is_word(text, slash + 1))
    } else if is(b"matrix") {
        ["u/", "r/", "e/", "user/", "room/", "roomid/"]
            .into_iter()
            .any(has)
    } else if is(b"pkcs11") {
        let end = word(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
        end > 0 && text.at(rest + end) == Some(b'=')
    } else if is(b"did") {
        let end = word(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        end > 0 && text.at(rest + end) == Some(b':') && is_word(text, rest + end + 1)
    } else if is(b"swh") {
        ["1:cnt:", "1:dir:", "1:rev:", "1:rel:", "1:snp:"]
            .into_iter()
            .any(has)
    } else if is(b"spotify") {
        let kinds = [
            "track:",
            "album:",
            "artist:",
            "playlist:",
            "episode:",
            "show:",
            "user:",
        ];
        kinds.into_iter().any(has)
    } else if is(b"openpgp4fpr") {
        word(u8::is_ascii_hexdigit) >= 16
    } else if is(b"bitcoin") || is(b"bitcoincash") || is(b"ethereum") {
        word(u8::is_ascii_alphanumeric) >= 26
    } else if is(b"skype") {
        run(text, rest, b"?").is_some_and(|mark| mark > rest && is_word(text, mark + 1))
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

#[cfg(test)]
mod tests {
    use super::{Input, may_be_opaque};
    use crate::plain::scheme::{OPAQUE, is_known};

    #[test]
    fn last_letters_match_the_names_of_the_list() {
        for name in OPAQUE {
            assert!(is_known(name), "{name:?}");
            for name in [name.to_vec(), name.to_ascii_uppercase()] {
                assert!(
                    may_be_opaque(&Input::new(&name, true), name.len()),
                    "{name:?}"
                );
            }
        }
        assert!(!may_be_opaque(&Input::new(b"note", true), 4));
    }
}
