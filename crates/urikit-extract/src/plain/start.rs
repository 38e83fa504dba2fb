//! Stage 3: the start of a link, read backwards from the candidate. The candidate is the colon of
//! a scheme or, with the guesses enabled, the first dot of an abbreviated URL (RFC 2396, Appendix
//! F) or the `@` of a mail address.

use super::end::abbreviated_end;
use super::template::{end_of_template, has_placeholder};
use super::text::{Input, NAME, Slashes, Term, is_spaceless, leading_escape, term, unescape};
use super::{EndOfLink, Outcome, template};
use crate::link::{Kind, Link, Marks};
use crate::names::{self, is_top_level_domain};
use std::borrow::Cow;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::{ALPHA, DIGIT, SCHEME};
use urikit::octet::escape;

/// The maximum length of a scheme, in bytes. The longest registered scheme has 35 bytes.
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
    /// True if characters of schemes directly precede it, as in `here.http://a`.
    pub(super) is_glued: bool,
}

/// Returns true if a scheme can have this byte after its first character:
/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986, 3.1).
// This is the only test of scheme characters in this crate. It can be replaced once the core's
// grammar makes such a test public.
#[inline]
pub(super) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES.contains(byte)
}

static SCHEME_BYTES: ByteSet = *SCHEME.set();

/// Returns the scheme that ends at `colon` if it is `http` or `https`, the most common ones, and no
/// other characters of schemes precede it.
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
        // The run is only a part of a word with other letters.
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
    // Without slashes, only the schemes of `OPAQUE` count in text.
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

/// The maximum length of an IP literal with its brackets, in bytes.
pub(super) const MAX_LITERAL: usize = 64;

/// Returns true if a host may begin at `offset`: a name, or an IP literal.
pub(super) fn is_host(text: &Input<'_>, offset: usize) -> bool {
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

// Schemes without slashes.

/// The registered schemes whose URLs need no slashes and that are found in plain text, each with
/// the form of the text after the colon. They were reviewed one by one: ordinary words are not
/// followed by these forms. Many other schemes are words that often precede a colon: `go`,
/// `query`, `info`.
pub(super) const OPAQUE: [(&[u8], Form); 37] = [
    (b"mailto", Form::Mailto),
    (b"news", Form::Group),
    (b"snews", Form::Group),
    (b"nntp", Form::Group),
    (b"urn", Form::Urn),
    (b"tel", Form::Tel),
    (b"data", Form::Data),
    (b"cid", Form::Address),
    (b"mid", Form::Address),
    (b"sip", Form::Sip),
    (b"sips", Form::Sip),
    (b"xmpp", Form::Sip),
    (b"acct", Form::Address),
    (b"im", Form::Address),
    (b"pres", Form::Address),
    (b"geo", Form::Geo),
    (b"tag", Form::Tag),
    (b"magnet", Form::Magnet),
    (b"sms", Form::Number),
    (b"callto", Form::Number),
    (b"facetime", Form::NumberOrAddress),
    (b"h323", Form::Address),
    (b"stun", Form::DomainName),
    (b"stuns", Form::DomainName),
    (b"turn", Form::DomainName),
    (b"turns", Form::DomainName),
    (b"doi", Form::Doi),
    (
        b"matrix",
        Form::OneOf(&["u/", "r/", "e/", "user/", "room/", "roomid/"]),
    ),
    (b"pkcs11", Form::Pkcs11),
    (b"did", Form::Did),
    (
        b"swh",
        Form::OneOf(&["1:cnt:", "1:dir:", "1:rev:", "1:rel:", "1:snp:"]),
    ),
    (b"spotify", Form::OneOf(SPOTIFY)),
    (b"openpgp4fpr", Form::Run(u8::is_ascii_hexdigit, 16)),
    (b"bitcoin", Form::Run(u8::is_ascii_alphanumeric, 26)),
    (b"bitcoincash", Form::Run(u8::is_ascii_alphanumeric, 26)),
    (b"ethereum", Form::Run(u8::is_ascii_alphanumeric, 26)),
    (b"skype", Form::Skype),
];

const SPOTIFY: &[&str] = &[
    "track:",
    "album:",
    "artist:",
    "playlist:",
    "episode:",
    "show:",
    "user:",
];

/// The form of the text that follows a scheme without slashes.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// `local-part@domain`
    Address,
    /// An address, or `?` and header fields.
    Mailto,
    /// An address, which may contain a password (RFC 3261, 25.1), or a domain name.
    Sip,
    /// A newsgroup with a dot in its name, or a message identifier.
    Group,
    /// `nid:nss`
    Urn,
    /// Two digits, or `+` and a digit.
    Tel,
    /// An optional `+` and two digits.
    Number,
    NumberOrAddress,
    /// `latitude,longitude`
    Geo,
    /// A media type or a parameter before the first comma, or nothing.
    Data,
    /// `authority,date`
    Tag,
    /// `?` and parameters.
    Magnet,
    /// A word with a dot in it.
    DomainName,
    /// `10.prefix/suffix`
    Doi,
    /// `attribute=`
    Pkcs11,
    /// `method:identifier`
    Did,
    /// `name?action`
    Skype,
    /// One of these prefixes, followed by a word.
    OneOf(&'static [&'static str]),
    /// At least this many bytes of one class.
    Run(fn(&u8) -> bool, usize),
}

/// Returns the form of the text after a scheme of [`OPAQUE`]; `None` for other schemes.
fn opaque_form(name: &[u8]) -> Option<Form> {
    let letter = usize::from(name.first()?.to_ascii_lowercase().wrapping_sub(b'a'));
    let lengths = OPAQUE_LENGTHS.get(letter).copied().unwrap_or(0);
    // The length of most words differs from that of every scheme with the same first letter.
    if lengths >> name.len().min(31) & 1 == 0 {
        return None;
    }
    let mut known = OPAQUE.iter();
    let (_, form) = known.find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    Some(*form)
}

/// For each first letter, the lengths of the schemes of [`OPAQUE`], one bit for each.
#[allow(clippy::indexing_slicing)] // in a constant, where an invalid index does not compile
static OPAQUE_LENGTHS: [u32; 26] = {
    let mut lengths = [0; 26];
    let mut rest = OPAQUE.as_slice();
    while let [(name, _), others @ ..] = rest {
        lengths[(name[0] - b'a') as usize] |= 1 << name.len();
        rest = others;
    }
    lengths
};

/// For each character, the set of characters that may follow it at the end of a scheme of
/// [`OPAQUE`], one bit for each.
#[allow(clippy::indexing_slicing)] // in a constant, where an invalid index does not compile
static OPAQUE_ENDS: [u128; 128] = {
    let mut ends = [0; 128];
    let mut rest = OPAQUE.as_slice();
    while let [(name, _), others @ ..] = rest {
        ends[name[name.len() - 2] as usize] |= 1 << name[name.len() - 1];
        rest = others;
    }
    ends
};

/// Returns true if the last two characters before `colon` are those of a scheme of [`OPAQUE`].
/// Most words do not end in these characters.
pub(super) fn may_be_opaque(text: &Input<'_>, colon: usize) -> bool {
    let [first, second] = text.slice(colon.saturating_sub(2), colon) else {
        return false;
    };
    let ends = OPAQUE_ENDS.get(usize::from(first.to_ascii_lowercase()));
    second.is_ascii() && ends.is_some_and(|ends| ends >> second.to_ascii_lowercase() & 1 != 0)
}

/// The distance after the colon that [`can_follow`] examines, in bytes.
const LOOKAHEAD: usize = 320;

/// Returns true if the text at `rest` can continue a URL of this scheme, which has no slashes.
/// Otherwise it is an ordinary word before a colon. The lookahead ends before the next colon, so
/// that a long series of colons does not make the search quadratic.
pub(super) fn can_follow(text: &Input<'_>, scheme: &[u8], rest: usize) -> bool {
    opaque_form(scheme).is_some_and(|form| form.is_at(text, rest))
}

impl Form {
    fn is_at(self, text: &Input<'_>, rest: usize) -> bool {
        let first = text.at(rest);
        let is_digit = |at| text.at(at).is_some_and(|byte: u8| byte.is_ascii_digit());
        let is_alphanumeric = |at| {
            text.at(at)
                .is_some_and(|byte: u8| byte.is_ascii_alphanumeric())
        };
        // RFC 3986 allows an IP literal only in an authority.
        let is_domain = |at: usize| text.at(at + 1) != Some(b'[') && is_host(text, at + 1);
        let is_address = || at_sign(text, rest).is_some_and(is_domain);
        let is_number = || {
            let plus = usize::from(first == Some(b'+'));
            is_digit(rest + plus) && is_digit(rest + plus + 1)
        };
        let length = |class: fn(&u8) -> bool| {
            let is_part = |length: &usize| text.at(rest + length).as_ref().is_some_and(class);
            let length = (0..LOOKAHEAD).find(|length| !is_part(length));
            length.unwrap_or(LOOKAHEAD)
        };
        match self {
            Self::Address => is_address(),
            Self::Mailto => first == Some(b'?') || is_address(),
            Self::Sip => {
                let password =
                    || find_before_colon(text, rest, b":").and_then(|at| at_sign(text, at + 1));
                at_sign(text, rest)
                    .or_else(password)
                    .map_or_else(|| has_dot(text, rest), is_domain)
            }
            Self::Group => is_alphanumeric(rest) && (has_dot(text, rest) || is_address()),
            Self::Urn => {
                let is_nid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
                let nid = (0..34).find(|length| !text.at(rest + length).is_some_and(is_nid));
                is_alphanumeric(rest)
                    && nid.is_some_and(|nid| {
                        nid > 1
                            && text.at(rest + nid) == Some(b':')
                            && is_word_at(text, rest + nid + 1)
                    })
            }
            Self::Tel => {
                is_digit(rest) && is_digit(rest + 1) || first == Some(b'+') && is_digit(rest + 1)
            }
            Self::Number => is_number(),
            Self::NumberOrAddress => is_number() || is_address(),
            Self::Geo => {
                is_digit(rest + usize::from(first == Some(b'-')))
                    && find_before_colon(text, rest, b",").is_some()
            }
            Self::Data => find_before_colon(text, rest, b",").is_some_and(|end| {
                let mut kind = text.slice(rest, end).iter();
                end == rest || kind.any(|byte| matches!(byte, b'/' | b';'))
            }),
            Self::Tag => find_before_colon(text, rest, b",")
                .is_some_and(|end| end > rest && is_alphanumeric(end + 1)),
            Self::Magnet => first == Some(b'?') && is_word_at(text, rest + 1),
            Self::DomainName => has_dot(text, rest),
            Self::Doi => {
                let slash = || find_before_colon(text, rest + 3, b"/");
                text.has(rest, b"10.")
                    && is_word_at(text, rest + 3)
                    && slash().is_some_and(|slash| is_word_at(text, slash + 1))
            }
            Self::Pkcs11 => {
                let end = length(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
                end > 0 && text.at(rest + end) == Some(b'=')
            }
            Self::Did => {
                let end = length(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                end > 0 && text.at(rest + end) == Some(b':') && is_word_at(text, rest + end + 1)
            }
            Self::Skype => find_before_colon(text, rest, b"?")
                .is_some_and(|mark| mark > rest && is_word_at(text, mark + 1)),
            Self::OneOf(words) => words
                .iter()
                .any(|word| text.has(rest, word.as_bytes()) && is_word_at(text, rest + word.len())),
            Self::Run(class, least) => length(class) >= least,
        }
    }
}

/// Returns the offset of the first of `ends` from `start` on. Returns `None` if a colon, a space or
/// another character that ends a link comes first, or if it is more than [`LOOKAHEAD`] away.
fn find_before_colon(text: &Input<'_>, start: usize, ends: &[u8]) -> Option<usize> {
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

/// Returns the offset of the `@` of an address that begins at `start`.
fn at_sign(text: &Input<'_>, start: usize) -> Option<usize> {
    find_before_colon(text, start, b"@").filter(|at| *at > start)
}

/// Returns true if the word at `start` contains a dot that is not at its end.
fn has_dot(text: &Input<'_>, start: usize) -> bool {
    find_before_colon(text, start, b".").is_some_and(|dot| is_word_at(text, dot + 1))
}

fn is_word_at(text: &Input<'_>, offset: usize) -> bool {
    text.at(offset)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'%' || byte >= 0x80)
}

// Guesses: hosts and addresses without a scheme.

/// The first labels of host names that suggest a scheme.
const PREFIXES: [(&[u8], &str); 3] = [
    (b"www", "http://"),
    (b"ftp", "ftp://"),
    (b"gopher", "gopher://"),
];

/// Top-level domains that file names and other words with a dot rarely end in. `README.md` and
/// `main.rs` end in country codes, which are recognized only after `www.` or before a path.
const DOMAINS: [&[u8]; 10] = [
    b"com", b"org", b"net", b"edu", b"gov", b"mil", b"int", b"arpa", b"info", b"biz",
];

/// The search for the end of a domain name stops here. A name has at most 253 characters.
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
    let start = first_label_start(text, dot, floor)?;
    if start > floor && !may_begin_host(text, start) || !text.before(dot)?.is_ascii_alphanumeric() {
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
        None => domain_end(text, start)?,
    };
    let host = text.slice(start, end);
    let last = host.rsplit(|byte| *byte == b'.').next()?;
    let is_word = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic)
        || !last.is_ascii()
        || last.len() > 4 && last.starts_with(b"xn--");
    let labels = host.split(|byte| *byte == b'.').count();
    let scheme = match scheme {
        Some(scheme) if is_word && labels > 2 => scheme,
        // In `more info.` the word ends a sentence.
        _ if labels > 1 && DOMAINS.contains(&last) => "http://",
        _ if labels > 1 && has_path(text, end) && ends_in_top_level_domain(host) => "http://",
        // Security analysts also write host names from private networks: `dc1[.]corp`.
        _ if labels > 1 && any_domain && is_word => "http://",
        _ if any_domain && is_ipv4(host) => "http://",
        _ => return None,
    };
    // A mail address, or a name in source code.
    let is_emphasized = text.before(start) == Some(b'_');
    match text.at(end) {
        Some(b'@' | b'(' | b'[') => None,
        Some(b'_') if !is_emphasized => None,
        _ => Some((start, end, scheme)),
    }
}

/// Returns true if a host ends in a top-level domain that is written in lower case.
fn ends_in_top_level_domain(host: &[u8]) -> bool {
    let last = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    !last.iter().any(u8::is_ascii_uppercase) && is_top_level_domain(last)
}

/// Returns true if a path that is not empty begins here.
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
        c => !c.is_alphanumeric() || is_spaceless(c),
    }
}

/// Returns the beginning of the label before `dot`; `None` if a dot precedes the label.
fn first_label_start(text: &Input<'_>, dot: usize, floor: usize) -> Option<usize> {
    let lowest = floor.max(dot.saturating_sub(64));
    let preceding = text.slice(lowest, dot);
    let at = preceding
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    let start = lowest + at.map_or(0, |at| at + 1);
    (start < dot && text.before(start) != Some(b'.')).then_some(start)
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

/// Returns the end of the domain name with labels in any script that begins at `start`. A script
/// without spaces between words ends a label of Latin letters, as in a link with a scheme.
fn international_end(text: &Input<'_>, start: usize) -> usize {
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

/// Returns true if a character beyond US-ASCII can be in a name.
fn is_non_ascii_name(c: char) -> bool {
    !c.is_ascii() && term(c) == Term::Include
}

/// Returns the mail address around the `@` at `at`.
pub(super) fn address_link<'t>(text: &Input<'t>, at: usize, floor: usize) -> Option<Link<'t>> {
    // Most `@` are not in an address.
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

/// Returns true if the character is a letter beyond US-ASCII, in a script with spaces between
/// words.
fn is_spaced_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric() && !is_spaceless(c)
}

/// Returns true if a colon at `offset` ends a clause, as opposed to a host before a path
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
