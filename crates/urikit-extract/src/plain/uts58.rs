//! Link detection according to UTS #58, which replaces stages 2 to 5.
//!
//! A link is a mail address, or a domain name that ends in a top-level domain, with an optional
//! scheme, an optional port, and the path, query and fragment that follow. Therefore, the only
//! candidates are dots and `@`.

use super::Outcome;
use super::finder::Options;
use super::guess::{MAX_LOCAL, mailto_url, may_begin_host};
use super::start::scheme_before;
use super::text::{Input, Slashes};
use crate::link::{Kind, Link, Marks};
use crate::names::is_top_level_domain;
use crate::uts58::{Effect, Termination, is_link_email};
use memchr::memchr3_iter;
use std::borrow::Cow;

/// The ideographic full stop, which UTS #46 also allows between labels.
const IDEOGRAPHIC_STOP: &[u8] = "。".as_bytes();

/// The maximum length of a label, in bytes: 63 characters (RFC 1035, 2.3.4) of up to four bytes.
const MAX_LABEL: usize = 4 * 63;

/// The maximum length of a domain name, in bytes.
const MAX_NAME: usize = 4 * 253;

/// Returns the first candidate. An ideographic full stop that has not arrived completely is also a
/// candidate.
pub(super) fn candidate(bytes: &[u8]) -> Option<usize> {
    memchr3_iter(b'.', b'@', 0xE3, bytes).find(|at| {
        let rest = bytes.get(*at..).unwrap_or_default();
        match rest {
            [0xE3, ..] => rest.starts_with(IDEOGRAPHIC_STOP) || IDEOGRAPHIC_STOP.starts_with(rest),
            _ => true,
        }
    })
}

/// Decides whether a candidate is in a link.
pub(super) fn link_at<'t>(
    options: Options,
    text: &Input<'t>,
    at: usize,
    floor: usize,
    max_length: usize,
) -> Outcome<'t> {
    if text.at(at) == Some(b'@') {
        address(options, text, at, floor)
    } else {
        domain_link(options, text, at, floor, max_length)
    }
}

/// Returns the link around a domain name whose first dot is at `dot`.
fn domain_link<'t>(
    options: Options,
    text: &Input<'t>,
    dot: usize,
    floor: usize,
    max_length: usize,
) -> Outcome<'t> {
    let Some(start) = first_label(text, dot, floor) else {
        return Outcome::NoLink;
    };
    let Some(name) = domain_name(text, start).filter(|name| !is_local_part(text, name.end)) else {
        return Outcome::NoLink;
    };
    let scheme_colon = start
        .checked_sub(3)
        .filter(|colon| *colon >= floor && text.slice(*colon, start) == b"://");
    let scheme = match scheme_colon {
        Some(colon) => match scheme_before(text, colon, floor, Slashes::Plain) {
            Some(scheme) if scheme.is_known => Some(scheme.start),
            _ => return Outcome::NoLink,
        },
        None if options.has(Options::ABBREVIATED) && may_begin_host(text, start) => None,
        None => return Outcome::NoLink,
    };
    let start = scheme.unwrap_or(start);
    let limit = start.saturating_add(max_length);
    let (end, is_cut) = end_of_link(text, name, limit);
    let marks = Marks {
        is_suspect: true,
        is_cut,
        ..Marks::default()
    };
    if scheme.is_some() {
        return Outcome::Bare { start, end, marks };
    }
    let link = text.string(start, end).map(|written| Link {
        range: start..end,
        uri: Cow::Owned(["http://", written].concat()),
        kind: Kind::Abbreviated,
        alternative: None,
        marks,
    });
    link.into()
}

/// Returns the mail address around the `@` at `at`. Without a valid local part, the domain is not a
/// link either.
fn address<'t>(options: Options, text: &Input<'t>, at: usize, floor: usize) -> Outcome<'t> {
    let Some(DomainName { end, .. }) = domain_name(text, at + 1) else {
        return Outcome::NoLink;
    };
    let lowest = floor.max(at.saturating_sub(MAX_LOCAL + 1));
    let mut start = at;
    while let Some(c) = text.char_before(start).filter(|c| is_link_email(*c)) {
        let before = start - c.len_utf8();
        if before < lowest {
            break;
        }
        start = before;
    }
    let local = text.slice(start, at);
    let is_dotted = local.starts_with(b".")
        || local.ends_with(b".")
        || local.windows(2).any(|pair| pair == b"..");
    if local.is_empty() || local.len() > MAX_LOCAL || is_dotted || is_userinfo(text, start, floor) {
        return Outcome::Skip(end);
    }
    let prefix = start.checked_sub(MAILTO.len()).filter(|prefix| {
        *prefix >= floor && text.slice(*prefix, start).eq_ignore_ascii_case(MAILTO)
    });
    if let Some(start) = prefix {
        let marks = Marks {
            is_suspect: true,
            ..Marks::default()
        };
        return Outcome::Bare { start, end, marks };
    }
    if !options.has(Options::ADDRESSES) {
        return Outcome::Skip(end);
    }
    let (local, domain) = (text.string(start, at), text.string(at + 1, end));
    let uri = local
        .zip(domain)
        .map(|(local, domain)| mailto_url(local, domain));
    match uri {
        Some(uri) => Outcome::Link(Link {
            range: start..end,
            uri: Cow::Owned(uri),
            kind: Kind::Address,
            alternative: None,
            marks: Marks {
                is_suspect: true,
                ..Marks::default()
            },
        }),
        None => Outcome::Skip(end),
    }
}

const MAILTO: &[u8] = b"mailto:";

/// Returns true if two slashes precede a local part, with no white space between them: the text is
/// the userinfo of a URL, which UTS #58 does not link.
fn is_userinfo(text: &Input<'_>, start: usize, floor: usize) -> bool {
    let before = text.slice(floor.max(start.saturating_sub(MAX_LOCAL)), start + 2);
    let word = before.rsplit(u8::is_ascii_whitespace).next();
    word.is_some_and(|word| word.windows(2).any(|pair| pair == b"//"))
}

/// Returns true if an `@` follows a domain name, perhaps after more of the local part of an
/// address.
fn is_local_part(text: &Input<'_>, end: usize) -> bool {
    let mut at = end;
    while at - end <= MAX_LOCAL {
        match text.char_at(at) {
            Some(('@', _)) => return true,
            Some(('/' | '?' | '#', _)) | None => return false,
            Some((c, length)) if is_link_email(c) => at += length,
            Some(_) => return false,
        }
    }
    false
}

/// A domain name in the text.
#[derive(Clone, Copy)]
struct DomainName {
    /// The end of the last label of the name.
    end: usize,
    /// The end of the dot after the last label, if a dot follows.
    root: Option<usize>,
}

/// Returns true if a character may be in a label: the hyphen, letters, digits and marks of any
/// script, and the exceptions of IDNA 2008 (RFC 5892, 2.6 and 2.9).
fn is_label(c: char) -> bool {
    const EXCEPTIONS: [char; 12] = [
        '\u{DF}', '\u{3C2}', '\u{6FD}', '\u{6FE}', '\u{F0B}', '\u{3007}', '\u{B7}', '\u{375}',
        '\u{5F3}', '\u{5F4}', '\u{200C}', '\u{200D}',
    ];
    c == '-'
        || c.is_ascii_alphanumeric()
        || !c.is_ascii() && (is_link_email(c) || EXCEPTIONS.contains(&c))
}

const fn is_separator(c: char) -> bool {
    matches!(c, '.' | '。')
}

/// Returns the beginning of the label before a dot. Returns `None` if another dot precedes the
/// label, in which case the name was already examined.
fn first_label(text: &Input<'_>, dot: usize, floor: usize) -> Option<usize> {
    let mut start = dot;
    loop {
        match text.char_before(start).filter(|_| start > floor) {
            Some(c) if is_separator(c) => return None,
            Some(c) if is_label(c) && dot - start < MAX_LABEL => start -= c.len_utf8(),
            _ => return (start < dot).then_some(start),
        }
    }
}

/// Returns the domain name that begins at `start`, if it is valid and ends in a top-level domain.
fn domain_name(text: &Input<'_>, start: usize) -> Option<DomainName> {
    let mut label = start;
    loop {
        let mut end = label;
        while let Some((_, length)) = text.char_at(end).filter(|(c, _)| is_label(*c)) {
            end += length;
            if end - label > MAX_LABEL || end - start > MAX_NAME {
                return None;
            }
        }
        let written = text.slice(label, end);
        if written.is_empty() || written.starts_with(b"-") || written.ends_with(b"-") {
            return None;
        }
        let is_label_at = |at| text.char_at(at).is_some_and(|(c, _)| is_label(c));
        let root = match text.char_at(end) {
            Some((c, length)) if is_separator(c) => Some(end + length),
            _ => None,
        };
        match root {
            Some(next) if is_label_at(next) => label = next,
            Some(next) if has_empty_label(text, next) => return None,
            _ => {
                let is_domain = label > start && is_top_level_domain(written);
                return is_domain.then_some(DomainName { end, root });
            }
        }
    }
}

/// Returns true if another dot follows, and then a label, as in `a..b`. A longer series of dots is
/// punctuation.
fn has_empty_label(text: &Input<'_>, mut at: usize) -> bool {
    for _ in 0..2 {
        match text.char_at(at) {
            Some((c, length)) if is_separator(c) => at += length,
            next => return next.is_some_and(|(c, _)| is_label(c)),
        }
    }
    false
}

/// Returns the end of the link after its domain name, and true if more of the link follows after
/// `limit`. A trailing dot of the name belongs to the link only if more of the link follows.
fn end_of_link(text: &Input<'_>, name: DomainName, limit: usize) -> (usize, bool) {
    let begins = |at| matches!(text.at(at), Some(b'/' | b'?' | b'#' | b':'));
    let host = name.root.filter(|root| begins(*root)).unwrap_or(name.end);
    let port = port_end(text, host);
    // A colon without digits is punctuation.
    let mut end = if port > host { port } else { name.end };
    let mut at = port;
    if !matches!(text.at(at), Some(b'/' | b'?' | b'#')) {
        return (end, false);
    }
    let mut rules = Termination::new();
    while let Some((c, length)) = text.char_at(at) {
        if at + length > limit {
            return (end, true);
        }
        at += length;
        match rules.next(c) {
            Effect::End => end = at,
            Effect::Continue => {}
            Effect::Stop => break,
        }
    }
    (end, false)
}

/// Returns the end of a port, or `start` if there is none.
fn port_end(text: &Input<'_>, start: usize) -> usize {
    if text.at(start) != Some(b':') {
        return start;
    }
    let end = text.run(start + 1, start + 6, |byte| byte.is_ascii_digit());
    if end > start + 1 && end <= start + 6 {
        end
    } else {
        start
    }
}
