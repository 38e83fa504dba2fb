//! Parses the data from a Telnet server (RFC 854; RFC 855), which may be split at any octet.
//!
//! | octets | meaning |
//! |---|---|
//! | `IAC IAC` | the octet 255 |
//! | `CR NUL` | CR |
//! | `CR LF`, any other octet | itself |
//! | `IAC WILL`, `WONT`, `DO`, `DONT` and an option | negotiation |
//! | `IAC SB`, an option, octets with 255 doubled, `IAC SE` | a subnegotiation |
//! | `IAC` and another command (`GA`, `NOP`, `DM`…) | ignored, because a client does not need it |
//!
//! According to RFC 854, a Synch discards all data up to `DM`. This parser keeps the data, because
//! `std` does not support TCP's urgent mode.

use crate::error::{Error, ErrorKind, Result};

pub(super) const IAC: u8 = 255;
pub(super) const SB: u8 = 250;
pub(super) const SE: u8 = 240;

/// The maximum number of octets that are stored from a subnegotiation. The options that this
/// client supports need fewer octets.
const MAX_CONTENT: usize = 64;

/// The maximum length of a subnegotiation, in octets.
const MAX_LEN: usize = 64 << 10;

/// The commands of option negotiation (RFC 854).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    /// The server offers an option.
    Will,
    /// The server ends or refuses an option.
    Wont,
    /// The server asks the client to use an option.
    Do,
    /// The server forbids the client to use an option.
    Dont,
}

impl Verb {
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Will => 251,
            Self::Wont => 252,
            Self::Do => 253,
            Self::Dont => 254,
        }
    }
}

/// A unit of data from the server.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// Octets to display on the terminal.
    Data(&'a [u8]),
    /// A command about an option.
    Negotiation(Verb, u8),
    /// An option subnegotiation. [`Parser::content`] returns the first octets of its content.
    Subnegotiation(u8),
}

/// A parser that uses constant memory, because it stores at most [`MAX_CONTENT`] octets from a
/// subnegotiation.
#[derive(Default)]
pub(super) struct Parser {
    state: ParserState,
    content: Vec<u8>,
    /// The length of the current subnegotiation.
    length: usize,
}

#[derive(Clone, Copy, Default)]
enum ParserState {
    #[default]
    Data,
    AfterCr,
    Command,
    Negotiation(Verb),
    Subnegotiation,
    Within(u8),
    WithinCommand(u8),
}

impl Parser {
    /// Removes the next token from `octets` and returns it. Returns `None` if the parser needs
    /// more octets.
    ///
    /// # Errors
    ///
    /// Fails if a subnegotiation is too long.
    pub(super) fn next<'a>(&mut self, octets: &mut &'a [u8]) -> Result<Option<Token<'a>>> {
        while let [first, rest @ ..] = *octets {
            let octet = *first;
            match self.state {
                ParserState::Data | ParserState::AfterCr => {
                    if octet == 0 && matches!(self.state, ParserState::AfterCr) {
                        *octets = rest;
                        self.state = ParserState::Data;
                        continue;
                    }
                    let data = self.data(octets);
                    if !data.is_empty() {
                        return Ok(Some(Token::Data(data)));
                    }
                    continue;
                }
                ParserState::Command => {
                    self.state = ParserState::Data;
                    if octet == IAC {
                        let data = octets.get(..1).unwrap_or_default();
                        *octets = rest;
                        return Ok(Some(Token::Data(data)));
                    }
                    self.command(octet);
                }
                ParserState::Negotiation(verb) => {
                    self.state = ParserState::Data;
                    *octets = rest;
                    return Ok(Some(Token::Negotiation(verb, octet)));
                }
                ParserState::Subnegotiation => {
                    self.content.clear();
                    self.length = 0;
                    self.state = ParserState::Within(octet);
                }
                ParserState::Within(option) if octet == IAC => {
                    self.state = ParserState::WithinCommand(option);
                }
                ParserState::Within(_) => self.store(octet)?,
                ParserState::WithinCommand(option) => match octet {
                    IAC => {
                        self.store(octet)?;
                        self.state = ParserState::Within(option);
                    }
                    SE => {
                        self.state = ParserState::Data;
                        *octets = rest;
                        return Ok(Some(Token::Subnegotiation(option)));
                    }
                    // The end of the subnegotiation is missing, because another command begins
                    // here.
                    _ => {
                        self.state = ParserState::Command;
                        continue;
                    }
                },
            }
            *octets = rest;
        }
        Ok(None)
    }

    /// Returns the first octets of the last subnegotiation.
    pub(super) fn content(&self) -> &[u8] {
        &self.content
    }

    /// Removes data from `octets`, up to and including the next CR, or up to the next `IAC`, and
    /// returns it.
    fn data<'a>(&mut self, octets: &mut &'a [u8]) -> &'a [u8] {
        let end = octets
            .iter()
            .position(|octet| matches!(*octet, IAC | b'\r'));
        let all = *octets;
        let (data, next, state) = match end.map(|end| (end, all.get(end))) {
            Some((end, Some(&IAC))) => (end, end + 1, ParserState::Command),
            Some((end, _)) => (end + 1, end + 1, ParserState::AfterCr),
            None => (all.len(), all.len(), ParserState::Data),
        };
        self.state = state;
        *octets = all.get(next..).unwrap_or_default();
        all.get(..data).unwrap_or_default()
    }

    const fn command(&mut self, octet: u8) {
        self.state = match octet {
            SB => ParserState::Subnegotiation,
            251 => ParserState::Negotiation(Verb::Will),
            252 => ParserState::Negotiation(Verb::Wont),
            253 => ParserState::Negotiation(Verb::Do),
            254 => ParserState::Negotiation(Verb::Dont),
            _ => ParserState::Data,
        };
    }

    fn store(&mut self, octet: u8) -> Result<()> {
        if self.content.len() < MAX_CONTENT {
            self.content.push(octet);
        }
        self.length += 1;
        if self.length > MAX_LEN {
            let what = "the end of a subnegotiation within 65536 bytes";
            return Err(Error::new(ErrorKind::Protocol(what)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{IAC, MAX_CONTENT, MAX_LEN, Parser, SB, SE, Token, Verb};

    /// Parses octets in pieces of this size, and returns all tokens. Joins consecutive data.
    fn read(octets: &[u8], size: usize) -> Vec<String> {
        let mut parser = Parser::default();
        let mut tokens: Vec<String> = Vec::new();
        let mut data = Vec::new();
        for mut piece in octets.chunks(size) {
            while let Some(token) = parser.next(&mut piece).unwrap() {
                let token = match token {
                    Token::Data(octets) => {
                        data.extend_from_slice(octets);
                        continue;
                    }
                    Token::Negotiation(verb, option) => format!("{verb:?} {option}"),
                    Token::Subnegotiation(option) => format!("{option}: {:?}", parser.content()),
                };
                if !data.is_empty() {
                    tokens.push(format!("{}", data.escape_ascii()));
                    data.clear();
                }
                tokens.push(token);
            }
        }
        if !data.is_empty() {
            tokens.push(format!("{}", data.escape_ascii()));
        }
        tokens
    }

    #[test]
    fn the_result_does_not_depend_on_the_pieces() {
        let rows: &[(&[u8], &[&str])] = &[
            (
                b"plain \x1b[1m\xc3\xa9\0",
                &["plain \\x1b[1m\\xc3\\xa9\\x00"],
            ),
            (
                b"a\r\nb\r\0c\rd\r\r\0\0e",
                &["a\\r\\nb\\rc\\rd\\r\\r\\x00e"],
            ),
            (b"a\xff\xffb\xff\xff\xff\xff", &["a\\xffb\\xff\\xff"]),
            (
                b"a\xff\xfb\x01b\xff\xfc\x01\xff\xfd\xff\xff\xfe\x18",
                &["a", "Will 1", "b", "Wont 1", "Do 255", "Dont 24"],
            ),
            (
                b"a\xff\xf9b\xff\xf1c\xff\xf2d\xff\xf0e\xff\x07f",
                &["abcdef"],
            ),
            (b"\xff\xfa\x18\x01\xff\xf0login: ", &["24: [1]", "login: "]),
            (b"\xff\xfa\x18\xff\xff\x02\xff\xf0x", &["24: [255, 2]", "x"]),
            (b"\xff\xfa\x18abc\xff\xfb\x03x", &["Will 3", "x"]),
            (b"\xff\xfa\x18abc\xff\xfa\x1f\x07\xff\xf0", &["31: [7]"]),
            (b"\xff", &[]),
            (b"x\xff\xfb", &["x"]),
            (b"x\xff\xfa\x18\xff", &["x"]),
            (b"\r\xff\xfb\x01\n", &["\\r", "Will 1", "\\n"]),
        ];
        for (octets, expected) in rows {
            for size in 1..=octets.len() {
                assert_eq!(read(octets, size), *expected, "{octets:?} by {size}");
            }
        }
    }

    #[test]
    fn subnegotiations_are_bounded() {
        let mut parser = Parser::default();
        let mut first: &[u8] = &[IAC, SB, 24];
        assert_eq!(parser.next(&mut first).unwrap(), None);
        let octets = vec![b'x'; MAX_LEN];
        assert_eq!(parser.next(&mut &octets[..]).unwrap(), None);
        assert_eq!(parser.content.len(), MAX_CONTENT);
        assert!(parser.next(&mut &b"x"[..]).is_err());

        let mut parser = Parser::default();
        parser.next(&mut &[IAC, SB, 24][..]).unwrap();
        parser.next(&mut &octets[..]).unwrap();
        let mut end: &[u8] = &[IAC, SE];
        let token = parser.next(&mut end).unwrap();
        assert_eq!(token, Some(Token::Subnegotiation(24)));
        assert_eq!(parser.content(), [b'x'; MAX_CONTENT]);
    }

    #[test]
    fn codes() {
        let verbs = [Verb::Will, Verb::Wont, Verb::Do, Verb::Dont];
        for verb in verbs {
            let octets = [IAC, verb.code(), 7];
            assert_eq!(read(&octets, 3), [format!("{verb:?} 7")]);
        }
    }
}
