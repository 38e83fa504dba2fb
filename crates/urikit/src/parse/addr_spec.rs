//! RFC 822, 6.1: an `addr-spec`, with escapes where a URL requires them (RFC 1738, 3.5; RFC 1630,
//! Mailto, Message-Id and Content-Id).
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
//! The decoded text must match, so `%40` counts as `@`. White space and comments between tokens
//! (3.1.4) are part of a header field and not of an address, so they are errors.

use super::walk::{Parsed, byte_at, fail, is_at, is_end, is_in};
use crate::error::Expected;
use crate::grammar::{ByteSet, HEX_DIGITS, Rule, rfc822};
use crate::octet::hex_value;

/// Where an `addr-spec` appears.
pub(crate) struct Context {
    /// The bytes that need no escape there.
    pub(crate) unescaped: &'static ByteSet,
    /// The standard's rule for an escape.
    pub(crate) escape: &'static Rule,
    /// The production that an error names.
    pub(crate) production: &'static Rule,
}

/// The offsets of the parts of an `addr-spec`.
#[derive(Clone, Copy)]
pub(crate) struct AddrSpec {
    /// The end of the local part, where the `@` or its escape begins.
    pub(crate) local_end: usize,
    /// The start of the domain.
    pub(crate) domain: usize,
    end: usize,
}

/// What was parsed last, which decides what may follow.
#[derive(Clone, Copy)]
enum State {
    /// Nothing yet, or the dot before another word of the local part.
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

/// `addr-spec`, from `at` up to the end or the fragment.
pub(super) const fn addr_spec(text: &[u8], at: usize, context: &Context) -> Parsed {
    match parts(text, at, context) {
        Ok(parts) => Ok(parts.end),
        Err(error) => Err(error),
    }
}

/// The parts of the `addr-spec` from `at` up to the end or the fragment.
pub(crate) const fn parts(text: &[u8], mut at: usize, context: &Context) -> Parsed<AddrSpec> {
    let (mut local_end, mut domain) = (at, at);
    let mut state = State::WordBegins;
    while !is_end(text, at) {
        let (byte, end) = if is_at(text, at, b'%') {
            match escaped_char(text, at, state) {
                Ok(decoded) => decoded,
                // An escape, but of a character that is not allowed here.
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
        return Ok(AddrSpec {
            local_end,
            domain,
            end: at,
        });
    }
    fail(text, at, state.expected(), context.production)
}

/// Decodes the escape at `at`: its character and where it ends, if the character may follow
/// `state`. Else the offset of the first byte that cannot continue an escape of such a character.
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

/// The value of the hexadecimal digit at `at`.
const fn digit_at(text: &[u8], at: usize) -> Option<u8> {
    match byte_at(text, at) {
        Some(digit) if digit.is_ascii_hexdigit() => Some(hex_value(digit)),
        _ => None,
    }
}

impl State {
    /// The state after the decoded character `byte`; `None` if it is not allowed.
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

    /// What may follow, as an error message names it.
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
