//! Sends a message by SMTP (RFC 5321).

use super::draft::Draft;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::plan::Plan;
use std::borrow::Cow;
use urikit_schemes::{Line, Step};

/// The most lines in a reply.
const MAX_LINES: usize = 128;

/// The server, the sender and the recipients.
pub(super) struct Envelope {
    host: String,
    port: u16,
    starttls: bool,
    from: Line,
    /// With whether it depends on the user's consent.
    to: Vec<(Line, bool)>,
}

impl Envelope {
    pub(super) fn new(
        (host, port): (String, u16),
        starttls: bool,
        from: &str,
        draft: &Draft,
    ) -> Result<Self> {
        let line = |command, address: &str| {
            let mut line = Line::command(command);
            line.push(address.bytes(), "address")?;
            line.push(*b">", "address")?;
            Ok::<_, Error>(line)
        };
        let recipients = draft.recipients();
        let to =
            recipients.map(|(address, is_suspect)| Ok((line("RCPT TO:<", address)?, is_suspect)));
        Ok(Self {
            host,
            port,
            starttls,
            from: line("MAIL FROM:<", from)?,
            to: to.collect::<Result<_>>()?,
        })
    }

    const fn begins_with_tls(&self) -> bool {
        self.port == 465
    }

    const fn needs_starttls(&self) -> bool {
        self.starttls && !self.begins_with_tls()
    }

    pub(super) fn plan(&self, plan: &mut Plan) {
        let host = Cow::Borrowed(&*self.host);
        plan.push(Step::Connect {
            host,
            port: self.port,
        });
        if self.begins_with_tls() {
            plan.push(Step::say("begins TLS"));
        }
        plan.push(Step::Send(ehlo()));
        if self.needs_starttls() {
            plan.push(Step::Send(Line::command("STARTTLS")));
            plan.push(Step::say("begins TLS"));
            plan.push(Step::Send(ehlo()));
        } else {
            plan.push_if("if EHLO is not supported", Step::Send(helo()));
        }
        plan.push(Step::Send(self.from.clone()));
        for (line, is_suspect) in &self.to {
            if *is_suspect {
                plan.push_if("if the user agrees", Step::Send(line.clone()));
            } else {
                plan.push(Step::Send(line.clone()));
            }
        }
        plan.push(Step::Send(Line::command("DATA")));
        plan.push(Step::say("sends the message"));
        plan.push(Step::Send(Line::command(".")));
        plan.push(Step::Send(Line::command("QUIT")));
    }

    /// Sends a message whose lines end in CR LF.
    pub(super) fn send(&self, message: &[u8], context: &mut Context<'_>) -> Result<()> {
        let mut server = Server {
            connection: context.connect(&self.host, self.port)?,
        };
        if self.begins_with_tls() {
            server.connection.start_tls(&self.host)?;
        }
        let greet = |server: &mut Server| server.answer(220, "a greeting: 220");
        greet(&mut server).map_err(|error| error.at("reading the greeting"))?;
        server.hello(!self.needs_starttls(), self.needs_starttls())?;
        if self.needs_starttls() {
            let tls = server.command(&Line::command("STARTTLS"), 220, "220: ready for TLS");
            tls.map_err(|error| error.at("securing the connection"))?;
            // Unencrypted text must not be taken for a reply within TLS (RFC 3207).
            if server.connection.has_more() {
                let kind = ErrorKind::Protocol("nothing after the reply to STARTTLS");
                return Err(server.connection.failed(kind).at("securing the connection"));
            }
            server.connection.start_tls(&self.host)?;
            server.hello(false, false)?;
        }
        let envelope = |server: &mut Server| {
            server.command(&self.from, 250, "250: the sender is accepted")?;
            for (line, _) in &self.to {
                server.recipient(line)?;
            }
            server.command(&Line::command("DATA"), 354, "354: ready for the message")
        };
        envelope(&mut server).map_err(|error| error.at("sending the envelope"))?;
        let body = |server: &mut Server| {
            server.connection.send_bytes(&stuffed(message))?;
            server.command(&Line::command("."), 250, "250: the message is accepted")
        };
        body(&mut server).map_err(|error| error.at("sending the message"))?;
        context.record(Event::MessageSent {
            host: self.host.clone(),
            bytes: message.len(),
        });
        // The message is accepted: the reply to `QUIT` does not matter.
        let _ = server.command(&Line::command("QUIT"), 221, "221: goodbye");
        Ok(())
    }
}

/// An address literal in place of this machine's name, which is private (RFC 5321, 4.1.3).
fn ehlo() -> Line {
    Line::command("EHLO [127.0.0.1]")
}

fn helo() -> Line {
    Line::command("HELO [127.0.0.1]")
}

struct Server {
    connection: Connection,
}

impl Server {
    /// Sends `EHLO`, or `HELO` to older servers.
    fn hello(&mut self, or_helo: bool, wants_starttls: bool) -> Result<()> {
        let mut say = || {
            self.connection.send(&ehlo())?;
            let (code, lines) = self.read()?;
            if or_helo && matches!(code, 500 | 502 | 504) {
                return self.command(&helo(), 250, "250: hello");
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
            Ok(())
        };
        say().map_err(|error: Error| error.at("saying hello"))
    }

    fn command(&mut self, line: &Line, code: u16, expected: &'static str) -> Result<()> {
        self.connection.send(line)?;
        self.answer(code, expected)
    }

    /// RFC 5321, 4.3.2: 251 means that the server forwards the message.
    fn recipient(&mut self, line: &Line) -> Result<()> {
        self.connection.send(line)?;
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
        let kind = match found {
            400..600 => ErrorKind::Denied,
            _ => ErrorKind::Protocol(expected),
        };
        let last = lines.last().map_or(&b""[..], Vec::as_slice);
        Err(self.connection.failed(kind).received(last))
    }

    /// Reads a reply of one or more lines (RFC 5321, 4.2.1).
    fn read(&mut self) -> Result<(u16, Vec<Vec<u8>>)> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut first = None;
        loop {
            let line = self.connection.read_complete_line()?;
            let code = code(&line);
            let is_last = line.get(3) != Some(&b'-');
            let is_same = first.is_none_or(|first| Some(first) == code);
            let Some(code) = code.filter(|_| is_same && lines.len() < MAX_LINES) else {
                let kind =
                    ErrorKind::Protocol("a reply whose lines have the same three-digit code");
                return Err(self.connection.failed(kind).received(&line));
            };
            first = Some(code);
            lines.push(line);
            if is_last {
                return Ok((code, lines));
            }
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

/// Doubles a dot at the beginning of a line (RFC 5321, 4.5.2).
fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(message.len() + 16);
    for line in message.split_inclusive(|octet| *octet == b'\n') {
        if line.first() == Some(&b'.') {
            text.push(b'.');
        }
        text.extend_from_slice(line);
    }
    text
}
