//! Reads parts of a component in their normal form, and handles components in which the scheme
//! makes some parts case-insensitive.

use super::scheme::next_domain;
use crate::grammar::{Beyond, ByteSet};
use crate::octet::{escaped_char, hex_value};

/// The changes that normalizing makes to a part.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Convert US-ASCII letters to lower case.
    pub(super) lower: bool,
    /// Decode the escapes of these characters.
    pub(super) decode: Option<&'static ByteSet>,
    /// Decode the escapes of these non-ASCII characters (RFC 3987, 5.3.2.3).
    pub(super) beyond: Beyond,
    /// Keep the escapes of a segment that decodes to `.` or `..`.
    pub(super) keep_dots: bool,
}

impl Rules {
    /// Only convert the hexadecimal digits of escapes to upper case.
    pub(super) const DIGITS: Self = Self {
        lower: false,
        decode: None,
        beyond: Beyond::None,
        keep_dots: false,
    };

    pub(super) const fn lower(mut self) -> Self {
        self.lower = true;
        self
    }

    pub(super) const fn keep_dots(mut self, keep_dots: bool) -> Self {
        self.keep_dots = keep_dots;
        self
    }
}

/// A part of a component as written, and the changes that normalizing makes to it.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) rules: Rules,
}

/// A token of a normal form.
enum Token<'a> {
    /// Literal characters, which may need conversion to lower case.
    Plain(&'a str),
    /// The character that a decoded escape represents.
    Char(char),
    /// An escape that is kept, with upper-case digits.
    Escape([u8; 3]),
}

impl<'a> Piece<'a> {
    pub(super) const fn new(text: &'a str, rules: Rules) -> Self {
        Self { text, rules }
    }

    const fn tokens(self) -> Tokens<'a> {
        Tokens {
            piece: self,
            at: 0,
            kept: 0,
        }
    }

    /// Iterates over the bytes of the normal form.
    pub(super) const fn bytes(self) -> Bytes<'a> {
        Bytes {
            tokens: self.tokens(),
            plain: &[],
            small: [0; 4],
            small_at: 4,
        }
    }

    /// Returns true if the part is in normal form.
    pub(super) fn is_as_written(self) -> bool {
        let is_lower =
            |text: &str| !self.rules.lower || !text.bytes().any(|b| b.is_ascii_uppercase());
        if !self.text.as_bytes().contains(&b'%') {
            return is_lower(self.text);
        }
        let mut at = 0;
        self.tokens().all(|token| match token {
            Token::Plain(text) => {
                at += text.len();
                is_lower(text)
            }
            Token::Char(_) => false,
            Token::Escape(escape) => {
                let written = self.text.as_bytes().get(at..at + 3);
                at += 3;
                written == Some(&escape)
            }
        })
    }

    /// Returns true if both parts have the same normal form.
    pub(super) fn is_same(self, other: Piece<'_>) -> bool {
        self.bytes().eq(other.bytes())
    }

    /// Appends the normal form.
    #[cfg(feature = "alloc")]
    pub(super) fn write(self, out: &mut alloc::string::String) {
        let lower = self.rules.lower;
        for token in self.tokens() {
            match token {
                Token::Plain(text) if lower => {
                    out.extend(text.chars().map(|c| c.to_ascii_lowercase()));
                }
                Token::Plain(text) => out.push_str(text),
                Token::Char(c) if lower => out.push(c.to_ascii_lowercase()),
                Token::Char(c) => out.push(c),
                Token::Escape(escape) => out.extend(escape.map(char::from)),
            }
        }
    }
}

/// An iterator over the tokens of a normal form.
struct Tokens<'a> {
    piece: Piece<'a>,
    /// The offset of the next token, always the start of a character or an escape.
    at: usize,
    /// Escapes before this offset are kept.
    kept: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let Piece { text, rules } = self.piece;
        let rest = text.get(self.at..).filter(|rest| !rest.is_empty())?;
        if rules.keep_dots && self.begins_segment() {
            self.kept = self.at + dot_segment(rest).map_or(0, |(_, length)| length);
        }
        let bytes = rest.as_bytes();
        let &[b'%', high, low, ..] = bytes else {
            // The token ends at an escape, or at a slash after which a segment may keep its
            // escapes. An escape at the front is handled below.
            let is_end =
                |(at, b): (usize, &u8)| *b == b'%' && at > 0 || rules.keep_dots && *b == b'/';
            let end = match bytes.iter().enumerate().position(is_end) {
                Some(end) if bytes.get(end) == Some(&b'/') => end + 1,
                Some(end) => end,
                None => bytes.len(),
            };
            self.at += end;
            return rest.get(..end).map(Token::Plain);
        };
        if let Some(decode) = rules.decode.filter(|_| self.at >= self.kept) {
            let byte = hex_value(high) << 4 | hex_value(low);
            if decode.contains(byte) {
                self.at += 3;
                return Some(Token::Char(char::from(byte)));
            }
            if rules.beyond != Beyond::None
                && byte >= 0x80
                && let Some((c, length)) = escaped_char(bytes)
                && rules.beyond.contains(c)
                && !is_mark(c)
            {
                self.at += length;
                return Some(Token::Char(c));
            }
        }
        self.at += 3;
        let (high, low) = (high.to_ascii_uppercase(), low.to_ascii_uppercase());
        Some(Token::Escape([b'%', high, low]))
    }
}

impl Tokens<'_> {
    fn begins_segment(&self) -> bool {
        self.at == 0 || self.piece.text.as_bytes().get(self.at - 1) == Some(&b'/')
    }
}

/// Returns the number of dots and the length in bytes of a first segment that is `.` or `..`,
/// escaped or not.
pub(super) fn dot_segment(text: &str) -> Option<(u8, usize)> {
    let mut rest = text.as_bytes();
    let mut dots = 0;
    loop {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'E' | b'e', rest @ ..] if dots < 2 => rest,
            [] | [b'/', ..] if dots > 0 => return Some((dots, text.len() - rest.len())),
            _ => return None,
        };
        dots += 1;
    }
}

/// Returns true if a character is a directional mark, which an IRI must not contain (RFC 3987,
/// 4.1).
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
}

/// An iterator over the bytes of a normal form.
pub(super) struct Bytes<'a> {
    tokens: Tokens<'a>,
    plain: &'a [u8],
    /// The bytes of a token that does not appear literally in the text, stored at the end of the
    /// array.
    small: [u8; 4],
    small_at: u8,
}

impl Iterator for Bytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let is_lower = self.tokens.piece.rules.lower;
        let lower = |byte: u8| {
            if is_lower {
                byte.to_ascii_lowercase()
            } else {
                byte
            }
        };
        if let [byte, rest @ ..] = self.plain {
            self.plain = rest;
            return Some(lower(*byte));
        }
        if let Some(byte) = self.small.get(usize::from(self.small_at)) {
            self.small_at += 1;
            return Some(*byte);
        }
        match self.tokens.next()? {
            Token::Plain(text) => {
                let (byte, rest) = text.as_bytes().split_first()?;
                self.plain = rest;
                Some(lower(*byte))
            }
            Token::Char(c) => {
                if c.is_ascii() {
                    let mut buffer = [0; 4];
                    c.encode_utf8(&mut buffer);
                    return buffer.first().map(|byte| lower(*byte));
                }
                self.small = [0; 4];
                let length = c.encode_utf8(&mut self.small).len();
                self.small.rotate_left(length);
                self.small_at = 4 - u8::try_from(length).unwrap_or(4);
                self.next()
            }
            Token::Escape([percent, high, low]) => {
                self.small = [0, 0, high, low];
                self.small_at = 2;
                Some(percent)
            }
        }
    }
}

/// A component with parts that are converted to lower case.
///
/// INVARIANT: the normal form has the same case-insensitive parts. In names and address lists,
/// normalizing never decodes delimiters (RFC 3986, 2.2); the single address of RFC 1738 is parsed
/// from the decoded text.
#[derive(Clone, Copy)]
pub(super) struct Cases<'a> {
    pub(super) text: &'a str,
    pub(super) rules: Rules,
    caseless: Caseless,
}

impl<'a> Cases<'a> {
    pub(super) const fn new(text: &'a str, rules: Rules, caseless: Caseless) -> Self {
        Self {
            text,
            rules,
            caseless,
        }
    }

    /// Returns the component as one piece, with its case unchanged.
    pub(super) const fn whole(self) -> Piece<'a> {
        Piece::new(self.text, self.rules)
    }

    const fn pieces(self) -> Pieces<'a> {
        Pieces {
            cases: self,
            at: 0,
            is_caseless: matches!(self.caseless, Caseless::Names),
        }
    }

    /// Returns true if the component is in normal form.
    pub(super) fn is_as_written(self) -> bool {
        self.pieces().all(Piece::is_as_written)
    }

    /// Iterates over the bytes of the normal form.
    pub(super) fn bytes(self) -> impl Iterator<Item = u8> + use<'a> {
        self.pieces().flat_map(Piece::bytes)
    }

    /// Appends the normal form.
    #[cfg(feature = "alloc")]
    pub(super) fn write(self, out: &mut alloc::string::String) {
        self.pieces().for_each(|piece| piece.write(out));
    }
}

/// An iterator over the case-sensitive and case-insensitive parts, in turn.
struct Pieces<'a> {
    cases: Cases<'a>,
    /// The offset of the next part.
    at: usize,
    is_caseless: bool,
}

impl Pieces<'_> {
    /// Returns the end of the next part, or `None` for the end of the component.
    fn end(&self) -> Option<usize> {
        let rest = self.cases.text.get(self.at..)?;
        match (self.cases.caseless, self.is_caseless) {
            (Caseless::Range(start, _), false) if self.at == 0 => Some(start),
            (Caseless::Nowhere, _) | (Caseless::Range(..), false) => None,
            (Caseless::Range(_, end), true) => Some(end),
            (Caseless::Domains, false) => next_domain(rest).map(|end| self.at + end),
            (Caseless::Domains, true) => rest.find(',').map(|end| self.at + end),
            (Caseless::Names, false) => rest.find('&').map(|end| self.at + end + 1),
            (Caseless::Names, true) => rest.find('=').map(|end| self.at + end),
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.at < self.cases.text.len() {
            let end = self.end().unwrap_or(self.cases.text.len());
            let text = self.cases.text.get(self.at..end)?;
            let rules = if self.is_caseless {
                self.cases.rules.lower()
            } else {
                self.cases.rules
            };
            self.at = end;
            self.is_caseless = !self.is_caseless;
            if !text.is_empty() {
                return Some(Piece::new(text, rules));
            }
        }
        None
    }
}

/// The parts of a component in which the case of letters does not matter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caseless {
    /// No part of the component.
    Nowhere,
    /// The bytes from the first offset to the second.
    Range(usize, usize),
    /// The domains in a list of mail addresses.
    Domains,
    /// The names in `name=value&name=value`.
    Names,
}
