//! Links without a scheme: abbreviated URLs (RFC 2396, Appendix F) and mail addresses. Both are
//! guesses, made only if enabled.

use super::bare;
use super::escape;
use super::input::Input;
use super::outcome::Outcome;
use super::scan::Bare;
use super::scheme::is_scheme_byte;
use super::term::{Term, is_spaceless, term};
use crate::link::{Kind, Link, Marks};
use crate::names::is_top_level_domain;
use std::borrow::Cow;
use urikit::internal;

/// First labels of host names that suggest a scheme.
const PREFIXES: [(&[u8], &str); 3] = [
    (b"www", "http://"),
    (b"ftp", "ftp://"),
    (b"gopher", "gopher://"),
];

/// Top-level domains that rarely end another word with a dot in it. `README.md` and `main.rs` end
/// in country codes; such a name is a link only after `www.`.
const DOMAINS: [&[u8]; 10] = [
    b"com", b"org", b"net", b"edu", b"gov", b"mil", b"int", b"arpa", b"info", b"biz",
];

/// A domain name has at most 253 characters.
const MAX_DOMAIN: usize = 254;

/// A local part has at most 64 octets (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL: usize = 64;

/// The abbreviated URL whose host has its first dot at `dot`.
pub(crate) fn abbreviated<'t>(
    text: &Input<'t>,
    dot: usize,
    floor: usize,
    max_length: usize,
    any_domain: bool,
) -> Outcome<'t> {
    let Some((start, end, scheme)) = host(text, dot, floor, any_domain) else {
        return Outcome::NoLink;
    };
    match bare::abbreviated(text, start, end, max_length) {
        Bare::None => Outcome::NoLink,
        Bare::Ends(ends) => {
            let end = ends.end;
            let written = core::str::from_utf8(text.slice(start, end)).ok();
            let written = written.map(|written| {
                if ends.is_escaped {
                    Cow::Owned(escape::unescape(written))
                } else {
                    Cow::Borrowed(written)
                }
            });
            let link = written.map(|written| Link {
                range: start..end,
                uri: Cow::Owned([scheme, &written].concat()),
                kind: Kind::Abbreviated,
                alternative: None,
                marks: ends.marks(),
            });
            link.into()
        }
    }
}

/// Where the host with its first dot at `dot` begins and ends, and the prefix (`http://`) that it
/// suggests.
fn host(
    text: &Input<'_>,
    dot: usize,
    floor: usize,
    any_domain: bool,
) -> Option<(usize, usize, &'static str)> {
    let start = word_start(text, dot, floor)?;
    if start > floor && !may_begin(text, start) || !text.before(dot)?.is_ascii_alphanumeric() {
        return None;
    }
    let first = text.slice(start, dot);
    let scheme = PREFIXES
        .iter()
        .find(|(name, _)| first.eq_ignore_ascii_case(name))
        .map(|(_, scheme)| *scheme);
    // After `www.` and the like, labels may be in any script.
    let end = match scheme {
        Some(_) => international(text, start),
        None => domain(text, start)?,
    };
    let host = text.slice(start, end);
    let last = host.rsplit(|byte| *byte == b'.').next()?;
    let is_word = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic)
        || !last.is_ascii()
        || last.len() > 4 && last.starts_with(b"xn--");
    let labels = host.split(|byte| *byte == b'.').count();
    let scheme = match scheme {
        Some(scheme) if is_word && labels > 2 => scheme,
        // `more info.` ends a sentence.
        _ if labels > 1 && DOMAINS.contains(&last) => "http://",
        _ if labels > 1 && (any_domain || has_path(text, end)) && is_domain(host) => "http://",
        _ if any_domain && is_address(host) => "http://",
        _ => return None,
    };
    // A mail address, or a name in a program.
    let is_emphasized = text.before(start) == Some(b'_');
    match text.at(end) {
        Some(b'@' | b'(' | b'[') => None,
        Some(b'_') if !is_emphasized => None,
        _ => Some((start, end, scheme)),
    }
}

/// Whether a host ends in a top-level domain, in lower case.
fn is_domain(host: &[u8]) -> bool {
    let last = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    !last.iter().any(u8::is_ascii_uppercase) && is_top_level_domain(last)
}

/// Whether a path with something in it begins here.
fn has_path(text: &Input<'_>, at: usize) -> bool {
    text.at(at) == Some(b'/')
        && text
            .char_at(at + 1)
            .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '@' | '~' | '_' | '?' | '#'))
}

/// Whether this is `IPv4address` (RFC 3986, 3.2.2).
fn is_address(host: &[u8]) -> bool {
    core::str::from_utf8(host).is_ok_and(|host| host.parse::<core::net::Ipv4Addr>().is_ok())
}

/// Whether a name may begin here, rather than being part of a path, an address or a name in a
/// program.
fn may_begin(text: &Input<'_>, start: usize) -> bool {
    let Some(before) = text.char_before(start) else {
        return true;
    };
    match before {
        // `_www.w3.org_`
        '_' => !text
            .char_before(start - 1)
            .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.'),
        '/' | '\\' | '@' | ':' | '.' | '~' | '$' | '#' | '%' | '&' | '=' | '-' => false,
        c => !c.is_alphanumeric() || is_spaceless(c),
    }
}

/// The beginning of the word whose first dot is `dot`; `None` if there is an earlier dot.
fn word_start(text: &Input<'_>, dot: usize, floor: usize) -> Option<usize> {
    let lowest = floor.max(dot.saturating_sub(64));
    let preceding = text.slice(lowest, dot);
    let at = preceding
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    let start = lowest + at.map_or(0, |at| at + 1);
    (start < dot && text.before(start) != Some(b'.')).then_some(start)
}

/// The end of the domain name that begins at `start`: labels of letters, digits and hyphens.
fn domain(text: &Input<'_>, start: usize) -> Option<usize> {
    let mut end = start;
    while end < start + MAX_DOMAIN {
        match text.at(end) {
            Some(byte) if byte.is_ascii_alphanumeric() => end += 1,
            // Within a name, not at its end.
            Some(b'.' | b'-')
                if text
                    .at(end + 1)
                    .is_some_and(|next| next.is_ascii_alphanumeric() || next == b'-') =>
            {
                end += 1;
            }
            _ => return (end > start).then_some(end),
        }
    }
    None
}

/// The same for labels in any script. A script that is written without spaces ends a label of
/// Latin letters, as it does in a link with a scheme.
fn international(text: &Input<'_>, start: usize) -> usize {
    let is_letter = |at: usize| {
        text.char_at(at)
            .is_some_and(|(c, _)| c.is_ascii_alphanumeric() || is_non_ascii_name(c))
    };
    let mut end = start;
    let mut label = start;
    let mut glue = None;
    while end < start + MAX_DOMAIN {
        match text.char_at(end) {
            Some((c, length)) if is_non_ascii_name(c) => {
                let is_ascii = end > label && text.slice(label, end).is_ascii();
                if is_spaceless(c) && is_ascii {
                    glue = Some(end);
                }
                end += length;
            }
            Some((c, _)) if c.is_ascii_alphanumeric() => end += 1,
            Some(('-', _)) if is_letter(end + 1) || text.at(end + 1) == Some(b'-') => end += 1,
            Some(('.', _)) if is_letter(end + 1) => {
                end += 1;
                label = end;
                glue = None;
            }
            _ => break,
        }
    }
    glue.unwrap_or(end)
}

/// Whether a character beyond US-ASCII can be in a name.
fn is_non_ascii_name(c: char) -> bool {
    !c.is_ascii() && term(c) == Term::Include
}

/// The mail address around the `@` at `at`.
pub(crate) fn address<'t>(text: &Input<'t>, at: usize, floor: usize) -> Option<Link<'t>> {
    // Most `@` are something else.
    if !text.before(at).is_some_and(is_atext) || !text.at(at + 1)?.is_ascii_alphanumeric() {
        return None;
    }
    let lowest = floor.max(at.saturating_sub(MAX_LOCAL + 1));
    let preceding = text.slice(lowest, at);
    let run = preceding
        .iter()
        .rposition(|byte| !is_atext(*byte) && *byte != b'.');
    let mut start = lowest + run.map_or(0, |at| at + 1);
    while start < at && text.at(start).is_some_and(|byte| b".'*_`".contains(&byte)) {
        start += 1;
    }
    let local = text.slice(start, at);
    let before = text.char_before(start).filter(|_| start > floor);
    if local.is_empty()
        || local.len() > MAX_LOCAL
        || local.ends_with(b".")
        || local.windows(2).any(|pair| pair == b"..")
        || before.is_some_and(|c| matches!(c, '/' | ':' | '@' | '\\') || is_spaced_letter(c))
    {
        return None;
    }
    let end = domain(text, at + 1)?;
    let domain = text.slice(at + 1, end);
    let last = domain.rsplit(|byte| *byte == b'.').next()?;
    let is_domain =
        domain.contains(&b'.') && last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
    if !is_domain || matches!(text.at(end), Some(b'@' | b':' | b'/')) && !ends_clause(text, end) {
        return None;
    }
    let mut uri = String::from("mailto:");
    for byte in local {
        match byte {
            b'%' | b'/' | b'?' | b'&' | b'#' | b'=' | b'{' | b'|' | b'}' | b'^' | b'`' => {
                uri.push_str(internal::escape(*byte));
            }
            _ => uri.push(char::from(*byte)),
        }
    }
    uri.push('@');
    uri.push_str(core::str::from_utf8(domain).ok()?);
    Some(Link {
        range: start..end,
        uri: Cow::Owned(uri),
        kind: Kind::Address,
        alternative: None,
        marks: Marks::default(),
    })
}

/// Whether the character is a letter beyond US-ASCII, in a script with spaces between words.
fn is_spaced_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric() && !is_spaceless(c)
}

/// Whether a colon at `offset` ends a clause, as opposed to a host before a path
/// (`git@host.example:repository`).
fn ends_clause(text: &Input<'_>, offset: usize) -> bool {
    text.at(offset) == Some(b':')
        && !text
            .at(offset + 1)
            .is_some_and(|byte| is_scheme_byte(byte) || byte == b'/' || byte == b'~')
}

/// `atext` (RFC 5322, 3.2.3).
const fn is_atext(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'/'
                | b'='
                | b'?'
                | b'^'
                | b'_'
                | b'`'
                | b'{'
                | b'|'
                | b'}'
                | b'~'
        )
}
