//! Mail addresses. The first part of this file implements RFC 822, 6.1: an `addr-spec`, with
//! escapes where a URL requires them (RFC 1738, 3.5; RFC 1630, Mailto, Message-Id and Content-Id).
//!
//! ```text
//! addr-spec      = local-part "@" domain
//! local-part     = word *( "." word )
//! word           = atom / quoted-string
//! quoted-string  = <"> *( qtext / quoted-pair ) <">
//! qtext          = <any CHAR excepting <">, "\" and CR, and including linear-white-space>
//! domain         = sub-domain *( "." sub-domain )
//! sub-domain     = domain-ref / domain-literal          ; domain-ref = atom
//! domain-literal = "[" *( dtext / quoted-pair ) "]"
//! quoted-pair    = "\" CHAR
//! ```
//!
//! The decoded text must match the grammar, so `%40` is parsed as `@`. White space and comments
//! between tokens (3.1.4) belong to header fields rather than addresses, so they are errors.

#![allow(clippy::missing_errors_doc)] // an error is the offset

use super::walk::{Parsed, byte_at, fail, is_at, is_end, is_in};
use crate::error::Expected;
use crate::grammar::{ByteSet, HEX_DIGITS, Rule, rfc822, rfc3986};
use crate::octet::hex_value;

/// The context in which an `addr-spec` appears.
pub(crate) struct Context {
    /// The bytes that do not need to be escaped in this context.
    pub(crate) unescaped: &'static ByteSet,
    /// The standard's rule for an escape.
    pub(crate) escape: &'static Rule,
    /// The production that errors refer to.
    pub(crate) production: &'static Rule,
}

/// The offsets at which the parts of an `addr-spec` end and begin.
#[derive(Clone, Copy)]
pub(crate) struct AddrSpecParts {
    /// The end of the local part, where the `@` or its escape begins.
    pub(crate) local_end: usize,
    /// The start of the domain.
    pub(crate) domain: usize,
    end: usize,
}

/// The token that was parsed last. This token decides which characters may follow.
#[derive(Clone, Copy)]
enum State {
    /// The start, or the dot before another word of the local part.
    WordBegins,
    Atom,
    InQuotes,
    InQuotesBackslash,
    InQuotesCr,
    InQuotesCrLf,
    QuotesEnd,
    /// The `@`, or the dot before another sub-domain.
    SubDomainBegins,
    DomainAtom,
    InLiteral,
    InLiteralBackslash,
    InLiteralCr,
    InLiteralCrLf,
    LiteralEnd,
}

/// Parses an `addr-spec`, from `at` up to the end or the fragment.
pub(super) const fn addr_spec(text: &[u8], at: usize, context: &Context) -> Parsed {
    match parts(text, at, context) {
        Ok(parts) => Ok(parts.end),
        Err(error) => Err(error),
    }
}

/// Parses an `addr-spec`, from `at` up to the end or the fragment, and returns its parts.
pub(crate) const fn parts(text: &[u8], mut at: usize, context: &Context) -> Parsed<AddrSpecParts> {
    let (mut local_end, mut domain) = (at, at);
    let mut state = State::WordBegins;
    while !is_end(text, at) {
        let (byte, end) = if is_at(text, at, b'%') {
            match escaped_char(text, at, state) {
                Ok(decoded) => decoded,
                // The escape encodes a character that is not allowed here.
                Err(place) if is_in(text, place, &HEX_DIGITS) => {
                    return fail(text, place, Expected::ADDRESS_CHAR, context.production);
                }
                Err(place) => return fail(text, place, Expected::HEX_DIGIT, context.escape),
            }
        } else {
            match byte_at(text, at) {
                Some(byte) if context.unescaped.contains(byte) => (byte, at + 1),
                _ => break,
            }
        };
        match state.next(byte) {
            Some(next) => {
                if byte == b'@' && matches!(next, State::SubDomainBegins) {
                    (local_end, domain) = (at, end);
                }
                state = next;
            }
            None => break,
        }
        at = end;
    }
    if is_end(text, at) && matches!(state, State::DomainAtom | State::LiteralEnd) {
        return Ok(AddrSpecParts {
            local_end,
            domain,
            end: at,
        });
    }
    fail(text, at, state.expected(), context.production)
}

/// Decodes the escape at `at`. If the decoded character may follow `state`, returns the character
/// and the end of the escape. Otherwise, returns the offset of the first byte that cannot continue
/// an escape of an allowed character.
const fn escaped_char(text: &[u8], at: usize, state: State) -> Result<(u8, usize), usize> {
    let Some(high) = digit_at(text, at + 1) else {
        return Err(at + 1);
    };
    let mut low = 0;
    while state.next(high << 4 | low).is_none() {
        low += 1;
        if low == 16 {
            return Err(at + 1);
        }
    }
    match digit_at(text, at + 2) {
        Some(low) if state.next(high << 4 | low).is_some() => Ok((high << 4 | low, at + 3)),
        _ => Err(at + 2),
    }
}

/// Returns the value of the hexadecimal digit at `at`.
const fn digit_at(text: &[u8], at: usize) -> Option<u8> {
    match byte_at(text, at) {
        Some(digit) if digit.is_ascii_hexdigit() => Some(hex_value(digit)),
        _ => None,
    }
}

impl State {
    /// Returns the state after the decoded character `byte`, or `None` if it is not allowed.
    #[allow(clippy::match_same_arms)] // in the grammar's order: quoted strings, then literals
    const fn next(self, byte: u8) -> Option<Self> {
        let is_char = byte < 128;
        let is_atom = rfc822::ATOM.set().contains(byte);
        Some(match (self, byte) {
            (Self::WordBegins, b'"') => Self::InQuotes,
            (Self::WordBegins | Self::Atom, _) if is_atom => Self::Atom,
            (Self::Atom | Self::QuotesEnd, b'.') => Self::WordBegins,
            (Self::Atom | Self::QuotesEnd, b'@') => Self::SubDomainBegins,

            (Self::InQuotes, b'"') => Self::QuotesEnd,
            (Self::InQuotes, b'\\') => Self::InQuotesBackslash,
            (Self::InQuotes, b'\r') => Self::InQuotesCr,
            (Self::InQuotesCr, b'\n') => Self::InQuotesCrLf,
            (Self::InQuotesCrLf, b' ' | b'\t') => Self::InQuotes,
            (Self::InQuotes | Self::InQuotesBackslash, _) if is_char => Self::InQuotes,

            (Self::SubDomainBegins, b'[') => Self::InLiteral,
            (Self::SubDomainBegins | Self::DomainAtom, _) if is_atom => Self::DomainAtom,
            (Self::DomainAtom | Self::LiteralEnd, b'.') => Self::SubDomainBegins,

            (Self::InLiteral, b']') => Self::LiteralEnd,
            (Self::InLiteral, b'[') => return None,
            (Self::InLiteral, b'\\') => Self::InLiteralBackslash,
            (Self::InLiteral, b'\r') => Self::InLiteralCr,
            (Self::InLiteralCr, b'\n') => Self::InLiteralCrLf,
            (Self::InLiteralCrLf, b' ' | b'\t') => Self::InLiteral,
            (Self::InLiteral | Self::InLiteralBackslash, _) if is_char => Self::InLiteral,
            _ => return None,
        })
    }

    /// Returns the characters that may come next, for error messages.
    const fn expected(self) -> Expected {
        match self {
            Self::WordBegins => Expected::WORD,
            Self::Atom => Expected::ADDRESS_CHAR.or(Expected::DOT).or(Expected::AT),
            Self::QuotesEnd => Expected::DOT.or(Expected::AT),
            Self::SubDomainBegins => Expected::HOST,
            Self::DomainAtom => Expected::HOST_CHAR
                .or(Expected::DOT)
                .or(Expected::HASH)
                .or(Expected::END),
            Self::LiteralEnd => Expected::DOT.or(Expected::HASH).or(Expected::END),
            _ => Expected::ADDRESS_CHAR,
        }
    }
}

// An `addr-spec` as a complete part of a URL. The standard's parser has already checked the
// characters, and the scheme requires that they form an address (RFC 1738, 3.5; RFC 2392, 2). The
// decoded text must match the grammar, so `%40` is parsed as `@` here too.

/// The offsets of the end of an address's local part, and of the start of its domain.
pub type AddrSpec = (usize, usize);

const CONTEXT: Context = Context {
    unescaped: &ByteSet::range(0, 127).without(ByteSet::of(b"%")),
    escape: &rfc3986::PCT_ENCODED,
    production: &rfc822::ADDR_SPEC,
};

/// Parses the complete `text`, which must not contain a `#`, as an `addr-spec`.
///
/// # Errors
///
/// Returns the offset at which no `addr-spec` can continue.
pub fn rfc822_addr_spec(text: &str) -> Result<AddrSpec, usize> {
    match parts(text.as_bytes(), 0, &CONTEXT) {
        Ok(parts) => Ok((parts.local_end, parts.domain)),
        Err(error) => Err(usize::try_from(error.offset()).unwrap_or(text.len())),
    }
}

// RFC 6068, 2: the addresses and header fields of a mailto URI.
//
// ```text
// addr-spec     = local-part "@" domain
// local-part    = dot-atom-text / quoted-string
// domain        = dot-atom-text / "[" *dtext-no-obs "]"
// dtext-no-obs  = %d33-90 / %d94-126
// dot-atom-text = 1*atext *("." 1*atext)                          RFC 5322, 3.2.3
// quoted-string = DQUOTE *( qtext / quoted-pair ) DQUOTE          RFC 5322, 3.2.4
// qtext         = %d33 / %d35-91 / %d93-126
// quoted-pair   = "\" ( VCHAR / WSP )
// ```
//
// RFC 6068 is stricter than RFC 822: it does not allow several quoted words, white space except in
// a quoted pair, or control characters. However, RFC 6068 allows non-ASCII characters, in UTF-8
// (points 4 and 5). The `@` is literal. Characters that are not URI characters, and `%` `/` `?`
// `#` `[` `]` `&` `;` `=`, are escaped (point 1), and so is a comma, which would end the address.

/// The characters that do not need to be escaped wherever the address allows them.
static UNESCAPED: ByteSet = rfc3986::UNRESERVED
    .set()
    .or(rfc3986::SUB_DELIMS.set().without(ByteSet::of(b"&;=,")))
    .or(ByteSet::of(b":@"));
/// `VCHAR`: the visible US-ASCII characters.
const VCHAR: ByteSet = ByteSet::range(b'!', b'~');
const QTEXT: ByteSet = VCHAR.without(ByteSet::of(b"\"\\"));
const DTEXT: ByteSet = VCHAR.without(ByteSet::of(b"[]\\"));
const PAIRED: ByteSet = VCHAR.or(ByteSet::of(b" \t"));

/// Parses the complete `text` as an `addr-spec`.
///
/// # Errors
///
/// Returns the offset of the first character that is not allowed.
pub fn rfc6068_addr_spec(text: &str) -> Result<AddrSpec, usize> {
    let mut cursor = Cursor::new(text, &UNESCAPED);
    if cursor.is(b'"') {
        quoted_string(&mut cursor)?;
    } else {
        cursor.dot_atom_text(true)?;
    }
    let local_end = cursor.at();
    cursor.delimiter(b'@')?;
    let domain = cursor.at();
    if cursor.is(b'[') {
        cursor.literal(&DTEXT)?;
    } else {
        cursor.dot_atom_text(true)?;
    }
    cursor.end()?;
    Ok((local_end, domain))
}

fn quoted_string(cursor: &mut Cursor<'_>) -> Result<(), usize> {
    cursor.take(b'"');
    while !cursor.take(b'"') {
        let is_taken = if cursor.take(b'\\') {
            cursor.take_of(&PAIRED)
        } else {
            cursor.take_of(&QTEXT) || cursor.take_beyond()
        };
        if !is_taken {
            return Err(cursor.at());
        }
    }
    Ok(())
}

/// Parses the complete `text`, which must not contain a `&`, as an `hfield = hfname "=" hfvalue`.
/// The name and the value are `*qchar`: all characters allowed in a query except `/`, `?` and `=`.
///
/// # Errors
///
/// Returns the offset at which no `hfield` can continue, and what is expected there.
pub fn hfield(text: &str) -> Result<(), (usize, &'static str)> {
    let mut equals = text.match_indices('=').map(|(at, _)| at);
    let first = equals.next();
    let strange = text.find(['/', '?']);
    let strange = strange.into_iter().chain(equals.next()).min();
    match (first, strange) {
        (Some(first), Some(at)) if at > first => Err((
            at,
            "a value (`/`, `?` and `=` in it are written `%2F`, `%3F` and `%3D`)",
        )),
        (_, Some(at)) => Err((
            at,
            "the name of a header field (`/` and `?` in it are written `%2F` and `%3F`)",
        )),
        (None, None) => Err((text.len(), "`=` after the name of a header field")),
        (Some(_), None) => Ok(()),
    }
}

/// RFC 5322's `atext` is RFC 822's `atom`.
const ATEXT: &ByteSet = rfc822::ATOM.set();

/// Reads percent-encoded text octet by octet.
///
/// RFC 6068 and RFC 5538 use productions of RFC 5322 and RFC 5536 in percent-encoded form. The
/// error is the offset of the first character, literal or escaped, that is not allowed.
///
/// ```
/// use urikit::grammar::rfc3986::UNRESERVED;
/// use urikit::parse::Cursor;
/// let mut cursor = Cursor::new("a%2Eb@c", UNRESERVED.set());
/// assert_eq!(cursor.dot_atom_text(false), Ok(())); // `a.b`
/// assert_eq!(cursor.delimiter(b'@'), Ok(()));
/// assert_eq!(cursor.at(), 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    unescaped: &'static ByteSet,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the beginning of `text`, in which only the US-ASCII characters in
    /// `unescaped` may be written without an escape.
    pub const fn new(text: &'a str, unescaped: &'static ByteSet) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            unescaped,
        }
    }

    /// Returns the current offset.
    pub const fn at(self) -> usize {
        self.at
    }

    /// Returns the next octet, whether its written form is allowed, and the end of its written
    /// form.
    fn octet(self) -> Option<(u8, bool, usize)> {
        match self.text.get(self.at..)? {
            [b'%', high, low, ..] => {
                let value = |digit: &u8| char::from(*digit).to_digit(16);
                let octet = u8::try_from(value(high)? << 4 | value(low)?).ok()?;
                Some((octet, true, self.at + 3))
            }
            [octet, ..] => Some((*octet, self.unescaped.contains(*octet), self.at + 1)),
            [] => None,
        }
    }

    /// Returns whether the next octet equals `octet`, which must be US-ASCII.
    pub fn is(self, octet: u8) -> bool {
        self.octet()
            .is_some_and(|(found, is_allowed, _)| found == octet && is_allowed)
    }

    /// Skips `octet`, which must be US-ASCII, if it comes next. Returns true if the octet was
    /// skipped.
    pub fn take(&mut self, octet: u8) -> bool {
        self.take_if(|found| found == octet)
    }

    /// Skips the next octet if it is US-ASCII and in the set. Returns true if an octet was skipped.
    pub fn take_of(&mut self, set: &ByteSet) -> bool {
        self.take_if(|found| set.contains(found))
    }

    fn take_if(&mut self, is_it: impl FnOnce(u8) -> bool) -> bool {
        match self.octet() {
            Some((octet, true, end)) if is_it(octet) => {
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Skips one escape, whatever it decodes to. Returns whether an escape was skipped.
    pub fn take_escape(&mut self) -> bool {
        self.text.get(self.at) == Some(&b'%') && self.take_if(|_| true)
    }

    /// Skips one non-ASCII character, either literal (RFC 3987) or as percent-encoded UTF-8.
    /// Returns whether a character was skipped.
    pub fn take_beyond(&mut self) -> bool {
        let mut octets = [0; 4];
        let mut ahead = *self;
        for length in 1..=4 {
            let Some((octet, _, end)) = ahead.octet().filter(|(octet, ..)| *octet >= 0x80) else {
                return false;
            };
            ahead.at = end;
            if let Some(place) = octets.get_mut(length - 1) {
                *place = octet;
            }
            let octets = octets.get(..length).unwrap_or_default();
            if core::str::from_utf8(octets).is_ok() {
                *self = ahead;
                return true;
            }
        }
        false
    }

    /// Reads a delimiter, which must not be escaped.
    pub fn delimiter(&mut self, delimiter: u8) -> Result<(), usize> {
        if self.text.get(self.at) == Some(&delimiter) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.at)
        }
    }

    /// Reads `dot-atom-text = 1*atext *("." 1*atext)` (RFC 5322, 3.2.3). If `with_beyond` is true,
    /// non-ASCII characters are also allowed.
    pub fn dot_atom_text(&mut self, with_beyond: bool) -> Result<(), usize> {
        loop {
            let start = self.at;
            while self.take_of(ATEXT) || with_beyond && self.take_beyond() {}
            if self.at == start {
                return Err(start);
            }
            if !self.take(b'.') {
                return Ok(());
            }
        }
    }

    /// Reads `"[" *text "]"`.
    pub fn literal(&mut self, text: &ByteSet) -> Result<(), usize> {
        self.take(b'[');
        while !self.take(b']') {
            if !self.take_of(text) {
                return Err(self.at);
            }
        }
        Ok(())
    }

    /// Fails unless the complete text has been read.
    pub const fn end(self) -> Result<(), usize> {
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.at)
        }
    }
}
