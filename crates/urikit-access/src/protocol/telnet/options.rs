//! Option negotiation (RFC 855; RFC 1143).
//!
//! The client accepts echo by the server (RFC 857) and suppression of go-ahead on both sides (RFC
//! 858). The client also accepts terminal type (RFC 1091) and window size (RFC 1073), if the type
//! and the size are known. The client refuses all other options. The client never offers or
//! requests an option, because a server for another protocol (`telnet://h:80/`) would treat the
//! offer as data.
//!
//! The client does not answer a command that changes nothing, which prevents loops (RFC 1143).
//! Because the client never initiates a negotiation, it needs only the states `NO` and `YES`. A
//! server that does not follow RFC 1143 receives at most [`MAX_ANSWERS`] answers.

use super::parser::{IAC, SB, SE, Verb};
use crate::error::{Error, ErrorKind, Result};

const ECHO: u8 = 1;
const SUPPRESS_GO_AHEAD: u8 = 3;
const TERMINAL_TYPE: u8 = 24;
const WINDOW_SIZE: u8 = 31;

/// The commands of `TERMINAL-TYPE` (RFC 1091).
const IS: u8 = 0;
const SEND: u8 = 1;

/// The maximum number of option answers in a session.
const MAX_ANSWERS: usize = 1000;

/// The side on which an option is in effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Server,
    Here,
}

/// The state of all options in a session.
pub(super) struct Options {
    terminal_type: Option<String>,
    size: Option<(u16, u16)>,
    /// The options that are in effect.
    on: Vec<(Side, u8)>,
    answers: usize,
}

impl Options {
    pub(super) const fn new(terminal_type: Option<String>, size: Option<(u16, u16)>) -> Self {
        Self {
            terminal_type,
            size,
            on: Vec::new(),
            answers: 0,
        }
    }

    /// Returns true if the server echoes the input. Otherwise, the client displays the input itself
    /// (RFC 854, "The NVT Printer and Keyboard").
    pub(super) fn server_echoes(&self) -> bool {
        self.on.contains(&(Side::Server, ECHO))
    }

    /// Answers a command, if necessary.
    ///
    /// # Errors
    ///
    /// Fails if too many answers have already been sent to the server.
    pub(super) fn negotiate(&mut self, verb: Verb, option: u8, reply: &mut Vec<u8>) -> Result<()> {
        let (side, yes, no) = match verb {
            Verb::Will | Verb::Wont => (Side::Server, Verb::Do, Verb::Dont),
            Verb::Do | Verb::Dont => (Side::Here, Verb::Will, Verb::Wont),
        };
        let is_on = self.on.contains(&(side, option));
        let is_wanted = matches!(verb, Verb::Will | Verb::Do);
        if is_on == is_wanted {
            return Ok(());
        }
        let is_agreed = is_wanted && self.agrees(side, option);
        if is_agreed {
            self.on.push((side, option));
        } else {
            self.on.retain(|one| *one != (side, option));
        }
        self.count()?;
        let answer = if is_agreed { yes } else { no };
        reply.extend([IAC, answer.code(), option]);
        if let (true, WINDOW_SIZE, Some((columns, rows))) = (is_agreed, option, self.size) {
            let octets = columns.to_be_bytes().into_iter().chain(rows.to_be_bytes());
            subnegotiation(WINDOW_SIZE, octets, reply);
        }
        Ok(())
    }

    /// Answers a subnegotiation if it requests the terminal type.
    ///
    /// # Errors
    ///
    /// Fails if too many answers have already been sent to the server.
    pub(super) fn subnegotiate(
        &mut self,
        option: u8,
        content: &[u8],
        reply: &mut Vec<u8>,
    ) -> Result<()> {
        let is_on = self.on.contains(&(Side::Here, TERMINAL_TYPE));
        if let (true, TERMINAL_TYPE, [SEND], Some(name)) =
            (is_on, option, content, &self.terminal_type)
        {
            subnegotiation(TERMINAL_TYPE, [IS].into_iter().chain(name.bytes()), reply);
            self.count()?;
        }
        Ok(())
    }

    const fn agrees(&self, side: Side, option: u8) -> bool {
        match (side, option) {
            (Side::Server, ECHO) | (_, SUPPRESS_GO_AHEAD) => true,
            (Side::Here, TERMINAL_TYPE) => self.terminal_type.is_some(),
            (Side::Here, WINDOW_SIZE) => self.size.is_some(),
            _ => false,
        }
    }

    fn count(&mut self) -> Result<()> {
        self.answers += 1;
        if self.answers > MAX_ANSWERS {
            let what = "the end of the option negotiation";
            return Err(Error::new(ErrorKind::Protocol(what)));
        }
        Ok(())
    }
}

fn subnegotiation(option: u8, content: impl Iterator<Item = u8>, reply: &mut Vec<u8>) {
    reply.extend([IAC, SB, option]);
    for octet in content {
        reply.push(octet);
        if octet == IAC {
            reply.push(octet);
        }
    }
    reply.extend([IAC, SE]);
}

#[cfg(test)]
mod tests {
    use super::super::parser::Verb::{self, Do, Dont, Will, Wont};
    use super::{MAX_ANSWERS, Options};

    fn answer(options: &mut Options, verb: Verb, option: u8) -> Vec<u8> {
        let mut reply = Vec::new();
        options.negotiate(verb, option, &mut reply).unwrap();
        reply
    }

    #[test]
    fn redundant_commands_are_not_answered() {
        let mut options = Options::new(None, None);
        let rows: &[(Verb, u8, &[u8])] = &[
            (Wont, 1, &[]),
            (Will, 1, &[255, 253, 1]),
            (Will, 1, &[]),
            (Will, 3, &[255, 253, 3]),
            (Wont, 1, &[255, 254, 1]),
            (Wont, 1, &[]),
            (Do, 3, &[255, 251, 3]),
            (Do, 3, &[]),
            (Dont, 3, &[255, 252, 3]),
            // Refused: echo on this side, line mode, unknown options, unknown properties of the
            // terminal.
            (Do, 1, &[255, 252, 1]),
            (Do, 34, &[255, 252, 34]),
            (Will, 34, &[255, 254, 34]),
            (Will, 255, &[255, 254, 255]),
            (Do, 24, &[255, 252, 24]),
            (Do, 31, &[255, 252, 31]),
            (Dont, 34, &[]),
        ];
        for (verb, option, expected) in rows {
            assert_eq!(
                answer(&mut options, *verb, *option),
                *expected,
                "{verb:?} {option}"
            );
        }
    }

    #[test]
    fn echo_is_tracked() {
        let mut options = Options::new(None, None);
        assert!(!options.server_echoes());
        answer(&mut options, Will, 1);
        assert!(options.server_echoes());
        answer(&mut options, Wont, 1);
        assert!(!options.server_echoes());
    }

    #[test]
    fn type_and_size_are_sent_on_request() {
        let mut options = Options::new(Some("xterm".to_owned()), Some((255, 24)));
        let mut reply = Vec::new();
        options.subnegotiate(24, &[1], &mut reply).unwrap();
        assert!(reply.is_empty(), "it was not agreed on yet");
        assert_eq!(answer(&mut options, Do, 24), [255, 251, 24]);
        options.subnegotiate(24, &[1], &mut reply).unwrap();
        assert_eq!(reply, b"\xff\xfa\x18\0xterm\xff\xf0");
        let size = answer(&mut options, Do, 31);
        assert_eq!(size, b"\xff\xfb\x1f\xff\xfa\x1f\0\xff\xff\0\x18\xff\xf0");
    }

    #[test]
    fn answers_are_limited() {
        let mut options = Options::new(None, None);
        let mut reply = Vec::new();
        for count in 0.. {
            let verb = if count % 2 == 0 { Will } else { Wont };
            if options.negotiate(verb, 1, &mut reply).is_err() {
                assert_eq!(count, MAX_ANSWERS);
                break;
            }
        }
        assert_eq!(reply.len(), 3 * MAX_ANSWERS);
    }
}
