//! Schemes without slashes: a scheme is recognized only if the text after it has the form of its
//! URLs. `tel:+1` is a link, but `tel:phone` and `note:this` are not.

use super::authority::is_host;
use super::text::Input;

/// The registered schemes whose URLs need no slashes and that are found in plain text, each with
/// the form of the text after the colon. Each entry was reviewed: the scheme, used as an ordinary
/// word, is not followed by text of this form. Many other schemes are words that often precede a
/// colon, such as `go`, `query` and `info`.
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
    /// At least this many bytes for which the function returns true.
    Run(fn(&u8) -> bool, usize),
}

/// Returns the form that text must have after a scheme in [`OPAQUE`]. Returns `None` for other
/// schemes.
pub(super) fn opaque_form(name: &[u8]) -> Option<Form> {
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

/// For each first letter, a bit set of the lengths of the schemes in [`OPAQUE`].
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

/// For each character, a bit set of the characters that may follow it at the end of a scheme in
/// [`OPAQUE`].
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

/// Returns true if a scheme in [`OPAQUE`] ends with the two characters before `colon`. Most words
/// do not end in these characters.
pub(super) fn may_be_opaque(text: &Input<'_>, colon: usize) -> bool {
    let [first, second] = text.slice(colon.saturating_sub(2), colon) else {
        return false;
    };
    let ends = OPAQUE_ENDS.get(usize::from(first.to_ascii_lowercase()));
    second.is_ascii() && ends.is_some_and(|ends| ends >> second.to_ascii_lowercase() & 1 != 0)
}

/// The number of bytes after the colon that [`can_follow`] examines.
const LOOKAHEAD: usize = 320;

/// Returns true if the text at `rest` can continue a URL of this scheme, which has no slashes.
/// Otherwise the scheme is an ordinary word before a colon. The lookahead ends before the next
/// colon, so that a long series of colons does not make the search quadratic.
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

/// Returns the offset of the first byte at or after `start` that is in `ends`. Returns `None` if a
/// colon, a space or another character that ends a link comes first, or if it is more than
/// [`LOOKAHEAD`] away.
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
