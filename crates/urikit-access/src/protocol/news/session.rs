//! Sessions with a news server, including the greeting, reader mode, login and replies (RFC 3977;
//! RFC 4643).

use super::block::Lines;
use super::command::Command;
use super::job::{Job, Login};
use crate::command::{Argument, Secret};
use crate::context::{Context, Pooled};
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::policy::Refusal;
use crate::protocol::parse::number;

/// A connection on which the server's greeting has been received, and the state of the session.
pub(super) struct Session {
    pub(super) connection: Connection,
    /// True if the user typed the login, which is used for one access only.
    pub(super) is_personal: bool,
    /// True if the server refused `OVER`.
    pub(super) needs_xover: bool,
}

impl Pooled for Session {
    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Session {
    /// Connects to the server, switches to reader mode, and logs in if the login is known.
    pub(super) fn open(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let mut connection = context.connect(&job.server.host, job.server.port)?;
        if job.is_tls {
            connection.start_tls(&job.server.host)?;
        }
        let mut session = Self {
            connection,
            is_personal: false,
            needs_xover: false,
        };
        let greeted = session.read_greeting();
        greeted.map_err(|error| error.with_step("reading the greeting"))?;
        let switched = session.switch_to_reader_mode(context.max_line());
        switched.map_err(|error| error.with_step("switching to reader mode"))?;
        if let Some(login) = &job.login {
            let logged_in = session.log_in(login, &job.server.host, context);
            session.is_personal = logged_in.map_err(|error| error.with_step("logging in"))?;
        }
        Ok(session)
    }

    fn read_greeting(&mut self) -> Result<()> {
        let greeting = self.reply()?;
        match greeting.code {
            200 | 201 => Ok(()),
            _ => Err(self.unexpected(&greeting, "a greeting: 200 or 201")),
        }
    }

    /// Switches a transit server to reader mode (RFC 3977, 3.4.2).
    fn switch_to_reader_mode(&mut self, max_line: usize) -> Result<()> {
        let reply = self.send(&Command::Capabilities)?;
        let is_offered = match reply.code {
            101 => self
                .connection
                .in_one_step(|connection| offers_reader_mode(connection, max_line))?,
            400 | 502 => return Err(self.unexpected(&reply, "the capabilities")),
            // A server that implements only RFC 977 does not support `CAPABILITIES`.
            400..600 => true,
            _ => return Err(self.unexpected(&reply, "101 and the capabilities")),
        };
        if is_offered {
            let reply = self.send(&Command::ModeReader)?;
            match reply.code {
                400 | 502 => return Err(self.unexpected(&reply, "200 or 201")),
                // A server that does not support `MODE READER` has only one mode.
                200 | 201 | 400..600 => {}
                _ => return Err(self.unexpected(&reply, "200 or 201")),
            }
        }
        Ok(())
    }

    /// Logs in (RFC 4643, 2.3). Returns whether the user typed the password.
    fn log_in(&mut self, login: &Login, host: &str, context: &mut Context<'_>) -> Result<bool> {
        let reply = self.send(&Command::AuthinfoUser(login.user.clone()))?;
        if reply.code == 281 {
            return Ok(false);
        }
        self.expect(&reply, 381, "281, or 381 for a password")?;
        let (password, is_typed) = match &login.password {
            Some(password) => (password.clone(), false),
            None => (self.ask_password(&login.name(), host, context)?, true),
        };
        let reply = self.send(&Command::AuthinfoPass(password))?;
        self.expect(&reply, 281, "281: the login is accepted")?;
        Ok(is_typed)
    }

    /// Asks the user for a user name, and logs in with it. Asks for a password if the server
    /// requires one.
    pub(super) fn log_in_user(&mut self, job: &Job<'_>, context: &mut Context<'_>) -> Result<()> {
        let host = &job.server.host;
        let user = context.prompt().input(&format!("User at {host}"), "");
        let user = user.filter(|user| !user.is_empty());
        let user = user.ok_or_else(|| Error::new(ErrorKind::NoPassword))?;
        let login = Login {
            user: Argument::new(user.bytes(), "user")?,
            password: None,
        };
        self.log_in(&login, host, context).map(drop)
    }

    /// Asks the user for a password, and for consent to send it unencrypted.
    fn ask_password(&self, user: &str, host: &str, context: &mut Context<'_>) -> Result<Secret> {
        let question = format!("Send the password to {host} unencrypted?");
        let password = context.prompt().password(user, host);
        let password = password.ok_or_else(|| Error::new(ErrorKind::NoPassword))?;
        if !self.connection.is_secure() && !context.prompt().confirm(&question) {
            return Err(Refusal::NoConsent.into());
        }
        Ok(Secret::new(password.bytes(), "password")?)
    }

    /// Sends a command, and reads the first line of the reply.
    pub(super) fn send(&mut self, command: &Command) -> Result<Reply> {
        self.connection.send(command)?;
        self.reply()
    }

    /// Reads the first line of a reply.
    fn reply(&mut self) -> Result<Reply> {
        let line = self.connection.read_complete_line()?;
        let reply = Reply::parse(line);
        let reply = reply.map_err(|error| error.with_sent(self.connection.last_sent()))?;
        let text = reply.line.get(4..).unwrap_or_default();
        self.connection.record_reply(reply.code, text);
        Ok(reply)
    }

    /// Fails unless the reply has the given code.
    pub(super) fn expect(&self, reply: &Reply, code: u16, expected: &'static str) -> Result<()> {
        if reply.code == code {
            Ok(())
        } else {
            Err(self.unexpected(reply, expected))
        }
    }

    fn unexpected(&self, reply: &Reply, expected: &'static str) -> Error {
        let error = reply.unexpected(expected);
        error.with_sent(self.connection.last_sent())
    }
}

/// Reads the capabilities. Returns whether the server offers reader mode.
fn offers_reader_mode(connection: &mut Connection, max: usize) -> Result<bool> {
    let mut is_offered = false;
    let mut total = 0;
    let mut lines = Lines::new(connection);
    while let Some(line) = lines.next()? {
        total += line.len();
        if total > max {
            return Err(lines.failed(ErrorKind::LineTooLong { max }));
        }
        is_offered |= line.eq_ignore_ascii_case(b"MODE-READER");
    }
    Ok(is_offered)
}

/// The first line of a reply, which consists of three digits and text (RFC 3977, 3.2).
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) line: Vec<u8>,
}

impl Reply {
    /// Parses a line, which begins with a three-digit code.
    pub(super) fn parse(line: Vec<u8>) -> Result<Self> {
        let code = match line.as_slice() {
            [a, b, c] | [a, b, c, b' ', ..] => [*a, *b, *c],
            _ => [0; 3],
        };
        let digits = code.iter().map(|octet| char::from(*octet).to_digit(10));
        let code = digits
            .into_iter()
            .try_fold(0, |code, digit| Some(code * 10 + digit?));
        let code = code.and_then(|code| u16::try_from(code).ok());
        match code.filter(|code| (100..600).contains(code)) {
            Some(code) => Ok(Self { code, line }),
            None => Err(
                Error::new(ErrorKind::Protocol("a reply that begins with three digits"))
                    .with_received(&line),
            ),
        }
    }

    /// Returns the words after the code.
    fn words(&self) -> impl Iterator<Item = &[u8]> {
        let words = self.line.split(|octet| *octet == b' ');
        words.filter(|word| !word.is_empty()).skip(1)
    }

    /// Returns up to three numbers after the code.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let numbers = self.words().map(number);
        numbers.map_while(|number| number).take(3).collect()
    }

    /// Returns the error for a reply with an unexpected code.
    fn unexpected(&self, expected: &'static str) -> Error {
        let kind = match self.code {
            411 | 423 | 430 => ErrorKind::NotFound,
            440 | 502 => ErrorKind::Forbidden,
            480..=483 => ErrorKind::LoginRequired, // RFC 4643, 2.3
            400..600 => ErrorKind::server(self.code, self.line.get(4..).unwrap_or_default()),
            _ => ErrorKind::Protocol(expected),
        };
        let error = Error::new(kind).with_received(&self.line);
        match self.code {
            // These codes mean "service unavailable", "internal fault" and "try again later" (RFC
            // 3977, Appendix C).
            400 | 403 | 436 => error.with_retry_after(None),
            _ => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reply;

    #[test]
    fn codes() {
        let code = |line: &[u8]| Reply::parse(line.to_vec()).map(|reply| reply.code).ok();
        assert_eq!(code(b"200 hi"), Some(200));
        assert_eq!(code(b"200"), Some(200));
        for line in [
            &b"20"[..],
            b"2000 hi",
            b"20x hi",
            b"099 hi",
            b"600 hi",
            b"",
            b"hi",
            b"+20 hi",
            b"200-hi",
        ] {
            assert_eq!(code(line), None, "{line:?}");
        }
    }

    #[test]
    fn numbers_after_the_code() {
        let numbers = |line: &[u8]| Reply::parse(line.to_vec()).unwrap().numbers();
        assert_eq!(numbers(b"211 2 10 11 comp.test"), [2, 10, 11]);
        assert_eq!(numbers(b"211 2 +10 11 comp.test"), [2]);
        assert!(numbers(b"211 99999999999999999999 1 1").is_empty());
    }
}
