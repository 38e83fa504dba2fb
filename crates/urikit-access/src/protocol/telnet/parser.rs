//! Parses what a Telnet server sends (RFC 854; RFC 855), however it is split into pieces.
//!
//! | octets | meaning |
//! |---|---|
//! | `IAC IAC` | the octet 255 |
//! | `CR NUL` | CR |
//! | `CR LF`, any other octet | itself |
//! | `IAC WILL`, `WONT`, `DO`, `DONT` and an option | negotiation |
//! | `IAC SB`, an option, octets with 255 doubled, `IAC SE` | a subnegotiation |
//! | `IAC` and another command (`GA`, `NOP`, `DM`…) | ignored: none of them concerns a client |
//!
//! The data that a Synch would discard (RFC 854: everything up to `DM`, by TCP's urgent mode) is
//! displayed, because `std` does not support urgent mode. It costs only time.

use crate::error::{Error, ErrorKind, Result};

pub(super) const IAC: u8 = 255;
pub(super) const SB: u8 = 250;
pub(super) const SE: u8 = 240;

/// How many octets of a subnegotiation are kept. Those that are understood are shorter.
const KEPT: usize = 64;

/// The longest subnegotiation that is accepted.
const MAX_LEN: usize = 64 << 10;

/// The commands of option negotiation (RFC 854).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    /// The server offers to begin.
    Will,
    /// The server ends, or refuses to begin.
    Wont,
    /// The server asks this side to begin.
    Do,
    /// The server asks this side to end, or not to begin.
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

/// A unit of what the server sends.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// Octets for the terminal.
    Data(&'a [u8]),
    /// A command about an option.
    Negotiation(Verb, u8),
    /// A subnegotiation of an option, whose first octets are [kept](Parser::kept).
    Subnegotiation(u8),
}

/// The state of the parser. Memory is bounded: [`KEPT`] octets of a subnegotiation.
#[derive(Default)]
pub(super) struct Parser {
    state: State,
    kept: Vec<u8>,
    /// The length of the current subnegotiation.
    length: usize,
}

#[derive(Clone, Copy, Default)]
enum State {
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
    /// Returns the next token and removes it from `octets`. `None` if more octets are needed.
    ///
    /// # Errors
    ///
    /// If a subnegotiation is too long.
    pub(super) fn next<'a>(&mut self, octets: &mut &'a [u8]) -> Result<Option<Token<'a>>> {
        while let [first, rest @ ..] = *octets {
            let octet = *first;
            match self.state {
                State::Data | State::AfterCr => {
                    if octet == 0 && matches!(self.state, State::AfterCr) {
                        *octets = rest;
                        self.state = State::Data;
                        continue;
                    }
                    let data = self.data(octets);
                    if !data.is_empty() {
                        return Ok(Some(Token::Data(data)));
                    }
                    continue;
                }
                State::Command => {
                    self.state = State::Data;
                    if octet == IAC {
                        let data = octets.get(..1).unwrap_or_default();
                        *octets = rest;
                        return Ok(Some(Token::Data(data)));
                    }
                    self.command(octet);
                }
                State::Negotiation(verb) => {
                    self.state = State::Data;
                    *octets = rest;
                    return Ok(Some(Token::Negotiation(verb, octet)));
                }
                State::Subnegotiation => {
                    self.kept.clear();
                    self.length = 0;
                    self.state = State::Within(octet);
                }
                State::Within(option) if octet == IAC => self.state = State::WithinCommand(option),
                State::Within(_) => self.keep(octet)?,
                State::WithinCommand(option) => match octet {
                    IAC => {
                        self.keep(octet)?;
                        self.state = State::Within(option);
                    }
                    SE => {
                        self.state = State::Data;
                        *octets = rest;
                        return Ok(Some(Token::Subnegotiation(option)));
                    }
                    // The subnegotiation lacks its end, and this is another command.
                    _ => {
                        self.state = State::Command;
                        continue;
                    }
                },
            }
            *octets = rest;
        }
        Ok(None)
    }

    /// The first octets of the last subnegotiation.
    pub(super) fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// Takes data up to and including a CR, or up to an `IAC`, which is skipped.
    fn data<'a>(&mut self, octets: &mut &'a [u8]) -> &'a [u8] {
        let end = octets
            .iter()
            .position(|octet| matches!(*octet, IAC | b'\r'));
        let all = *octets;
        let (data, next, state) = match end.map(|end| (end, all.get(end))) {
            Some((end, Some(&IAC))) => (end, end + 1, State::Command),
            Some((end, _)) => (end + 1, end + 1, State::AfterCr),
            None => (all.len(), all.len(), State::Data),
        };
        self.state = state;
        *octets = all.get(next..).unwrap_or_default();
        all.get(..data).unwrap_or_default()
    }

    const fn command(&mut self, octet: u8) {
        self.state = match octet {
            SB => State::Subnegotiation,
            251 => State::Negotiation(Verb::Will),
            252 => State::Negotiation(Verb::Wont),
            253 => State::Negotiation(Verb::Do),
            254 => State::Negotiation(Verb::Dont),
            _ => State::Data,
        };
    }

    fn keep(&mut self, octet: u8) -> Result<()> {
        if self.kept.len() < KEPT {
            self.kept.push(octet);
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
    use super::{IAC, KEPT, MAX_LEN, Parser, SB, SE, Token, Verb};

    /// All tokens in these octets, split into pieces of a size. Consecutive data is joined.
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
                    Token::Subnegotiation(option) => format!("{option}: {:?}", parser.kept()),
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
        assert_eq!(parser.kept.len(), KEPT);
        assert!(parser.next(&mut &b"x"[..]).is_err());

        let mut parser = Parser::default();
        parser.next(&mut &[IAC, SB, 24][..]).unwrap();
        parser.next(&mut &octets[..]).unwrap();
        let mut end: &[u8] = &[IAC, SE];
        let token = parser.next(&mut end).unwrap();
        assert_eq!(token, Some(Token::Subnegotiation(24)));
        assert_eq!(parser.kept(), [b'x'; KEPT]);
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
