//! Guesses: abbreviated URLs (RFC 2396, Appendix F), which have a host but no scheme, and mail
//! addresses. The candidates are the first dot of a host and the `@` of an address.

use super::end::{EndOfLink, abbreviated_end};
use super::start::is_scheme_byte;
use super::template::{end_of_template, has_placeholder};
use super::text::{Input, is_spaceless, unescape};
use super::{Outcome, template};
use crate::link::{Kind, Link, Marks};
use crate::names::is_top_level_domain;
use crate::uts58::is_link_email;
use std::borrow::Cow;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::{ALPHA, DIGIT};
use urikit::octet::escape;

/// The first labels of host names that suggest a scheme.
const PREFIXES: [(&[u8], &str); 3] = [
    (b"www", "http://"),
    (b"ftp", "ftp://"),
    (b"gopher", "gopher://"),
];

/// Top-level domains that rarely occur at the end of file names and other words with a dot.
/// `README.md` and `main.rs` end in country codes, which are recognized only after `www.` or before
/// a path.
const DOMAINS: [&[u8]; 10] = [
    b"com", b"org", b"net", b"edu", b"gov", b"mil", b"int", b"arpa", b"info", b"biz",
];

/// The search for the end of a domain name stops after this many bytes. A name has at most 253
/// characters.
const MAX_DOMAIN: usize = 254;

/// The maximum length of a local part, in octets (RFC 5321, 4.5.3.1.1).
pub(super) const MAX_LOCAL: usize = 64;

/// Returns the abbreviated URL whose host has its first dot at `dot`.
pub(super) fn abbreviated_link<'t>(
    text: &Input<'t>,
    dot: usize,
    floor: usize,
    max_length: usize,
    any_domain: bool,
) -> Outcome<'t> {
    let Some((start, end, scheme)) = abbreviated_host(text, dot, floor, any_domain) else {
        return Outcome::NoLink;
    };
    let ends = abbreviated_end(text, start, end, max_length);
    let limit = start.saturating_add(max_length);
    if let Some(end) = end_of_template(text, end, ends.ends(), limit) {
        let link = template(text, start, end).map(|link| Link {
            uri: Cow::Owned([scheme, &link.uri].concat()),
            kind: Kind::Abbreviated,
            ..link
        });
        return link.into();
    }
    match ends {
        EndOfLink::None => Outcome::NoLink,
        EndOfLink::At(ends) => {
            let end = ends.end;
            let written = core::str::from_utf8(text.slice(start, end)).ok();
            let written = written.map(|written| {
                if ends.is_escaped {
                    Cow::Owned(unescape(written))
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

/// Returns the beginning and the end of the host whose first dot is at `dot`, and the prefix
/// (`http://`) that the host suggests.
fn abbreviated_host(
    text: &Input<'_>,
    dot: usize,
    floor: usize,
    any_domain: bool,
) -> Option<(usize, usize, &'static str)> {
    // Most dots end a sentence.
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    if !is_letter(text.before(dot)?)
        || !text
            .at(dot + 1)
            .is_some_and(|next| is_letter(next) || next == b'-')
    {
        return None;
    }
    let start = first_label_start(text, dot, floor)?;
    if start > floor && !may_begin_host(text, start) {
        return None;
    }
    let first = text.slice(start, dot);
    let scheme = PREFIXES
        .iter()
        .find(|(name, _)| first.eq_ignore_ascii_case(name))
        .map(|(_, scheme)| *scheme);
    // After `www.`, `ftp.` and `gopher.`, labels in any script are accepted.
    let end = match scheme {
        Some(_) => international_end(text, start),
        None => host_end(text, start)?,
    };
    let host = text.slice(start, end);
    let last = host.rsplit(|byte| *byte == b'.').next()?;
    let is_word = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic)
        || !last.is_ascii()
        || last.len() > 4 && last.starts_with(b"xn--");
    let labels = host.split(|byte| *byte == b'.').count();
    let scheme = match scheme {
        Some(scheme) if is_word && labels > 2 => scheme,
        // In `more info.`, the second word ends a sentence.
        _ if labels > 1 && DOMAINS.contains(&last) => "http://",
        _ if labels > 1 && has_path(text, end) && ends_in_top_level_domain(host) => "http://",
        // Security analysts also defang host names from private networks: `dc1[.]corp`.
        _ if labels > 1 && any_domain && is_word => "http://",
        _ if any_domain && is_ipv4(host) => "http://",
        _ => return None,
    };
    // The text is a mail address, or a name in source code.
    let is_emphasized = text.before(start) == Some(b'_');
    match text.at(end) {
        Some(b'@' | b'(' | b'[') => None,
        Some(b'_') if !is_emphasized => None,
        _ => Some((start, end, scheme)),
    }
}

/// Returns true if a host ends in a top-level domain that is in lower case, or in upper case like
/// the rest of the host.
fn ends_in_top_level_domain(host: &[u8]) -> bool {
    let last = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_lower = !last.iter().any(u8::is_ascii_uppercase);
    let is_upper = || !host.iter().any(u8::is_ascii_lowercase);
    (is_lower || is_upper()) && is_top_level_domain(last)
}

/// Returns true if a non-empty path begins here.
fn has_path(text: &Input<'_>, at: usize) -> bool {
    text.at(at) == Some(b'/')
        && text
            .char_at(at + 1)
            .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '@' | '~' | '_' | '?' | '#'))
}

/// Returns true if this is an `IPv4address` (RFC 3986, 3.2.2).
fn is_ipv4(host: &[u8]) -> bool {
    core::str::from_utf8(host).is_ok_and(|host| host.parse::<core::net::Ipv4Addr>().is_ok())
}

/// Returns true if a host name may begin here. Otherwise the name is part of a path, an address or
/// a name in source code.
pub(super) fn may_begin_host(text: &Input<'_>, start: usize) -> bool {
    let Some(before) = text.char_before(start) else {
        return true;
    };
    match before {
        // `_www.w3.org_`
        '_' => !text
            .char_before(start - 1)
            .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.'),
        '/' | '\\' | '@' | ':' | '.' | '~' | '$' | '#' | '%' | '&' | '=' | '-' => false,
        c => !(c.is_ascii_alphanumeric() || is_spaced_letter(c)),
    }
}

/// Returns the beginning of the label before `dot`. Returns `None` if a dot precedes the label.
fn first_label_start(text: &Input<'_>, dot: usize, floor: usize) -> Option<usize> {
    let lowest = floor.max(dot.saturating_sub(64));
    let preceding = text.slice(lowest, dot);
    let at = preceding
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    let mut start = lowest + at.map_or(0, |at| at + 1);
    if text.before(start).is_some_and(|byte| !byte.is_ascii()) {
        start = word_start(text, start, lowest);
    }
    (start < dot && text.before(start) != Some(b'.')).then_some(start)
}

/// Returns the beginning of the word that continues at `start`.
#[cold]
fn word_start(text: &Input<'_>, mut start: usize, lowest: usize) -> usize {
    while start > lowest
        && let Some(c) = text.char_before(start)
        && (c.is_ascii_alphanumeric() || c == '-' || is_spaced_letter(c))
    {
        start -= c.len_utf8();
    }
    start
}

/// Returns the end of the domain name that begins at `start`: labels of letters, digits and
/// hyphens.
fn domain_end(text: &Input<'_>, start: usize) -> Option<usize> {
    let mut end = start;
    while end < start + MAX_DOMAIN {
        match text.at(end) {
            Some(byte) if byte.is_ascii_alphanumeric() => end += 1,
            // These characters can occur within a name, but not at its end.
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

/// Returns the end of the host that begins at `start`. Most labels are ASCII. Non-ASCII labels must
/// be in a script with spaces between words, because without spaces, nothing separates a host from
/// a sentence.
fn host_end(text: &Input<'_>, start: usize) -> Option<usize> {
    let end = domain_end(text, start);
    let at = end.unwrap_or(start);
    let next = at + usize::from(matches!(text.at(at), Some(b'.' | b'-')));
    let continues = text.at(next).is_some_and(|byte| !byte.is_ascii())
        && text.char_at(next).is_some_and(|(c, _)| is_spaced_letter(c));
    if continues {
        Some(international_end(text, start))
    } else {
        end
    }
}

/// Returns the end of the domain name that begins at `start`, with labels in any script. A label
/// of Latin letters ends where a script without spaces between words begins, as in a link with a
/// scheme.
fn international_end(text: &Input<'_>, start: usize) -> usize {
    let is_letter = |at: usize| {
        text.char_at(at)
            .is_some_and(|(c, _)| c.is_ascii_alphanumeric() || is_international(c))
    };
    let mut end = start;
    let mut label = start;
    let mut glue = None;
    while end < start + MAX_DOMAIN {
        match text.char_at(end) {
            Some((c, length)) if is_international(c) => {
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

/// Returns true if a non-ASCII character can be in a name: a letter, a digit or a mark, such as a
/// combining accent.
fn is_international(c: char) -> bool {
    !c.is_ascii() && is_link_email(c)
}

/// Returns the mail address around the `@` at `at`.
pub(super) fn address_link<'t>(text: &Input<'t>, at: usize, floor: usize) -> Option<Link<'t>> {
    // Most `@` characters are not part of an address.
    if !text.before(at).is_some_and(|byte| ATEXT.contains(byte))
        || !text.at(at + 1)?.is_ascii_alphanumeric()
    {
        return None;
    }
    let lowest = floor.max(at.saturating_sub(MAX_LOCAL + 1));
    let preceding = text.slice(lowest, at);
    let run = preceding
        .iter()
        .rposition(|byte| !ATEXT.contains(*byte) && *byte != b'.');
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
    let end = domain_end(text, at + 1)?;
    let domain = text.slice(at + 1, end);
    let last = domain.rsplit(|byte| *byte == b'.').next()?;
    let is_domain =
        domain.contains(&b'.') && last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
    if !is_domain || matches!(text.at(end), Some(b'@' | b':' | b'/')) && !ends_clause(text, end) {
        return None;
    }
    let local = text.string(start, at)?;
    if has_placeholder(local) {
        return None;
    }
    let uri = mailto_url(local, text.string(at + 1, end)?);
    Some(Link {
        range: start..end,
        uri: Cow::Owned(uri),
        kind: Kind::Address,
        alternative: None,
        marks: Marks::default(),
    })
}

/// Returns the `mailto` URL of an address. Escapes the characters that RFC 6068 requires to be
/// escaped.
pub(super) fn mailto_url(local: &str, domain: &str) -> String {
    let mut url = String::from("mailto:");
    for c in local.chars() {
        match c {
            '%' | '/' | '?' | '&' | '#' | '=' | '{' | '|' | '}' | '^' | '`' => {
                url.extend(u8::try_from(c).map(escape));
            }
            _ => url.push(c),
        }
    }
    url.push('@');
    url.push_str(domain);
    url
}

/// Returns true if the character is a non-ASCII letter or mark in a script with spaces between
/// words.
fn is_spaced_letter(c: char) -> bool {
    is_international(c) && !is_spaceless(c)
}

/// Returns true if a colon at `offset` ends a clause instead of separating a host from a path
/// (`git@host.example:repository`).
fn ends_clause(text: &Input<'_>, offset: usize) -> bool {
    text.at(offset) == Some(b':')
        && !text
            .at(offset + 1)
            .is_some_and(|byte| is_scheme_byte(byte) || byte == b'/' || byte == b'~')
}

/// `atext` (RFC 5322, 3.2.3).
static ATEXT: ByteSet = ALPHA
    .set()
    .or(*DIGIT.set())
    .or(ByteSet::of(b"!#$%&'*+-/=?^_`{|}~"));
