//! Sends a message by SMTP (RFC 5321).

use super::command::{Command, Mechanism};
use super::draft::Draft;
use super::login::Login;
use super::plan::{Condition, Step};
use crate::command::{Argument, Secret};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::plan::{Action, Plan};
use crate::protocol::message;

/// The most lines in a reply.
const MAX_LINES: usize = 128;

/// The server, the sender and the recipients.
pub(super) struct Envelope {
    host: String,
    port: u16,
    starttls: bool,
    login: Option<Login>,
    from: Argument,
    to: Vec<Argument>,
}

impl Envelope {
    pub(super) fn new(
        (host, port): (String, u16),
        starttls: bool,
        login: Option<Login>,
        from: &str,
        draft: &Draft,
    ) -> Result<Self> {
        let checked = |address: &str| Argument::new(address.bytes(), "address");
        let to = draft.recipients().map(|address| Ok(checked(address)?));
        Ok(Self {
            host,
            port,
            starttls,
            login,
            from: checked(from)?,
            to: to.collect::<Result<_>>()?,
        })
    }

    const fn begins_with_tls(&self) -> bool {
        self.port == 465
    }

    const fn needs_starttls(&self) -> bool {
        // A password is never sent in clear text.
        (self.starttls || self.login.is_some()) && !self.begins_with_tls()
    }

    pub(super) fn plan(&self, plan: &mut Plan) {
        plan.push(Action::Connect(self.host.clone(), self.port));
        if self.begins_with_tls() {
            plan.push(Action::StartTls);
        }
        plan.send(Command::Ehlo);
        if self.needs_starttls() {
            plan.send(Command::StartTls);
            plan.push(Action::StartTls);
            plan.send(Command::Ehlo);
        } else {
            plan.send_if(Condition::NoEhlo, Command::Helo);
        }
        if let Some(login) = &self.login
            && let Ok(command) = login.command(login.planned())
        {
            plan.send(command);
        }
        plan.send(Command::MailFrom(self.from.clone()));
        for address in &self.to {
            plan.send(Command::RcptTo(address.clone()));
        }
        plan.send(Command::Data);
        plan.step(Step::SendMessage);
        plan.send(Command::End);
        plan.send(Command::Quit);
    }

    /// Sends a message whose lines end in CR LF.
    pub(super) fn send(&self, text: &[u8], context: &mut Context<'_>) -> Result<()> {
        let mut server = Server {
            connection: context.connect(&self.host, self.port)?,
        };
        if self.begins_with_tls() {
            server.connection.start_tls(&self.host)?;
        }
        let greet = |server: &mut Server| server.answer(220, "a greeting: 220");
        greet(&mut server).map_err(|error| error.with_step("reading the greeting"))?;
        let or_helo = !self.needs_starttls() && self.login.is_none();
        let mut offered = server.hello(or_helo, self.needs_starttls())?;
        if self.needs_starttls() {
            let tls = server.command(&Command::StartTls, 220, "220: ready for TLS");
            tls.map_err(|error| error.with_step("securing the connection"))?;
            // Unencrypted text must not be taken for a reply within TLS (RFC 3207).
            if server.connection.has_more() {
                let kind = ErrorKind::Protocol("nothing after the reply to STARTTLS");
                return Err(server
                    .connection
                    .failed(kind)
                    .with_step("securing the connection"));
            }
            server.connection.start_tls(&self.host)?;
            offered = server.hello(false, false)?;
        }
        if let Some(login) = &self.login {
            let logged_in = server.log_in(login, &offered);
            logged_in.map_err(|error| error.with_step("logging in"))?;
        }
        let envelope = |server: &mut Server| {
            server.command(
                &Command::MailFrom(self.from.clone()),
                250,
                "250: the sender is accepted",
            )?;
            for address in &self.to {
                server.recipient(address)?;
            }
            server.command(&Command::Data, 354, "354: ready for the message")
        };
        envelope(&mut server).map_err(|error| error.with_step("sending the envelope"))?;
        let body = |server: &mut Server| {
            server.connection.send_bytes(&message::stuffed(text))?;
            server.command(&Command::End, 250, "250: the message is accepted")
        };
        body(&mut server).map_err(|error| error.with_step("sending the message"))?;
        context.record(Event::MessageSent {
            host: self.host.clone(),
            bytes: text.len(),
        });
        // The message is accepted: the reply to `QUIT` does not matter.
        let _ = server.command(&Command::Quit, 221, "221: goodbye");
        Ok(())
    }
}

struct Server {
    connection: Connection,
}

impl Server {
    /// Sends `EHLO`, or `HELO` to older servers. Returns the lines of the reply to `EHLO`.
    fn hello(&mut self, or_helo: bool, wants_starttls: bool) -> Result<Vec<Vec<u8>>> {
        let mut say = || {
            self.connection.send(&Command::Ehlo)?;
            let (code, lines) = self.read()?;
            if or_helo && matches!(code, 500 | 502 | 504) {
                self.command(&Command::Helo, 250, "250: hello")?;
                return Ok(Vec::new());
            }
            self.expect(code, &lines, 250, "250: hello")?;
            let offers = |line: &Vec<u8>| {
                let keyword = line.get(4..).unwrap_or_default();
                keyword.eq_ignore_ascii_case(b"STARTTLS")
            };
            if wants_starttls && !lines.iter().any(offers) {
                let kind = ErrorKind::Unsupported(
                    "the server does not support STARTTLS, which is required",
                );
                return Err(self.connection.failed(kind));
            }
            Ok(lines)
        };
        say().map_err(|error: Error| error.with_step("saying hello"))
    }

    fn command(&mut self, command: &Command, code: u16, expected: &'static str) -> Result<()> {
        self.connection.send(command)?;
        self.answer(code, expected)
    }

    /// Logs in, over TLS.
    fn log_in(&mut self, login: &Login, offered: &[Vec<u8>]) -> Result<()> {
        if !self.connection.is_secure() {
            let what = "a login needs TLS";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let mechanism = login.mechanism(offered)?;
        self.connection.send(&login.command(mechanism)?)?;
        let (mut code, mut lines) = self.read()?;
        if mechanism == Mechanism::Login {
            for response in login.responses()? {
                self.expect(code, &lines, 334, "334: the next question")?;
                self.connection.send(&response)?;
                (code, lines) = self.read()?;
            }
        } else if code == 334 {
            // The reason of a refusal; it is over after an empty response.
            let nothing = Secret::new([], "response")?;
            self.connection.send(&Command::AuthResponse(nothing))?;
            (code, lines) = self.read()?;
        }
        self.expect(code, &lines, 235, "235: the login is accepted")
    }

    /// RFC 5321, 4.3.2: 251 means that the server forwards the message.
    fn recipient(&mut self, address: &Argument) -> Result<()> {
        self.connection.send(&Command::RcptTo(address.clone()))?;
        let (code, lines) = self.read()?;
        let code = if code == 251 { 250 } else { code };
        self.expect(code, &lines, 250, "250: the recipient is accepted")
    }

    fn answer(&mut self, code: u16, expected: &'static str) -> Result<()> {
        let (found, lines) = self.read()?;
        self.expect(found, &lines, code, expected)
    }

    fn expect(
        &self,
        found: u16,
        lines: &[Vec<u8>],
        code: u16,
        expected: &'static str,
    ) -> Result<()> {
        if found == code {
            return Ok(());
        }
        let last = lines.last().map_or(&b""[..], Vec::as_slice);
        let kind = match found {
            530 | 534 | 535 | 538 => ErrorKind::LoginRequired, // RFC 4954, 6
            400..600 => ErrorKind::server(found, last.get(4..).unwrap_or_default()),
            _ => ErrorKind::Protocol(expected),
        };
        let error = self.connection.failed(kind).with_received(last);
        Err(match found {
            400..500 => error.with_retry_after(None),
            _ => error,
        })
    }

    /// Reads a reply of one or more lines (RFC 5321, 4.2.1).
    fn read(&mut self) -> Result<(u16, Vec<Vec<u8>>)> {
        self.connection.in_one_step(read)
    }
}

fn read(connection: &mut Connection) -> Result<(u16, Vec<Vec<u8>>)> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut first = None;
    loop {
        let line = connection.read_complete_line()?;
        let code = code(&line);
        let is_last = line.get(3) != Some(&b'-');
        let is_same = first.is_none_or(|first| Some(first) == code);
        let Some(code) = code.filter(|_| is_same && lines.len() < MAX_LINES) else {
            let kind = ErrorKind::Protocol("a reply whose lines have the same three-digit code");
            return Err(connection.failed(kind).with_received(&line));
        };
        first = Some(code);
        lines.push(line);
        if is_last {
            return Ok((code, lines));
        }
    }
}

/// The code of a line: three digits before a space, a hyphen or the end.
fn code(line: &[u8]) -> Option<u16> {
    let digits = match line {
        [a, b, c] | [a, b, c, b' ' | b'-', ..] => [*a, *b, *c],
        _ => return None,
    };
    let text = std::str::from_utf8(&digits).ok()?;
    let is_code = digits.iter().all(u8::is_ascii_digit) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_code)
}
