//! Sends a message over SMTP (RFC 5321), over TLS if required (RFC 3207), and logs in with PLAIN
//! (RFC 4616), LOGIN or XOAUTH2.

use super::command::{Command, Mechanism};
use super::draft::Draft;
use super::plan::{Condition, Step};
use crate::command::{Argument, Secret};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::plan::{Action, Plan};
use crate::protocol::message;
use crate::request::Credentials;
use urikit_mime::base64;

/// The maximum number of lines in a reply.
const MAX_LINES: usize = 128;

/// The mail server, and how to connect to it.
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    /// True if TLS begins before the greeting (RFC 8314, 3.3).
    pub(super) begins_with_tls: bool,
    pub(super) starttls: bool,
    pub(super) login: Option<Login>,
}

/// The server, the sender and the recipients.
pub(super) struct Envelope {
    server: Server,
    from: Argument,
    to: Vec<Argument>,
}

impl Envelope {
    pub(super) fn new(server: Server, from: &str, draft: &Draft) -> Result<Self> {
        let checked = |address: &str| Argument::new(address.bytes(), "address");
        let to = draft.recipients().map(|address| Ok(checked(address)?));
        Ok(Self {
            server,
            from: checked(from)?,
            to: to.collect::<Result<_>>()?,
        })
    }

    /// Adds the steps of [`send`](Self::send) to a plan.
    pub(super) fn plan(&self, plan: &mut Plan) {
        let server = &self.server;
        plan.push(Action::Connect(server.host.clone(), server.port));
        if server.begins_with_tls {
            plan.push(Action::StartTls);
        }
        plan.send(Command::Ehlo);
        if server.needs_starttls() {
            plan.send(Command::StartTls);
            plan.push(Action::StartTls);
            plan.send(Command::Ehlo);
        } else {
            plan.send_if(Condition::NoEhlo, Command::Helo);
        }
        if let Some(login) = &server.login
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
        let mut session = self.server.open(context)?;
        let sent = session.send_envelope(self);
        sent.map_err(|error| error.with_step("sending the envelope"))?;
        let sent = session.send_message(text);
        sent.map_err(|error| error.with_step("sending the message"))?;
        context.record(Event::MessageSent {
            host: self.server.host.clone(),
            bytes: text.len(),
        });
        // The server has accepted the message, so its reply to `QUIT` does not matter.
        let _ = session.command(&Command::Quit, 221, "221: goodbye");
        Ok(())
    }
}

impl Server {
    /// Returns true if `STARTTLS` is required. Logging in requires TLS, because a password is
    /// never sent unencrypted.
    const fn needs_starttls(&self) -> bool {
        (self.starttls || self.login.is_some()) && !self.begins_with_tls
    }

    /// Opens a session, up to the point where the envelope can be sent.
    fn open(&self, context: &mut Context<'_>) -> Result<Session> {
        let mut session = Session {
            connection: context.connect(&self.host, self.port)?,
        };
        if self.begins_with_tls {
            session.connection.start_tls(&self.host)?;
        }
        let greeted = session.answer(220, "a greeting: 220");
        greeted.map_err(|error| error.with_step("reading the greeting"))?;
        let allows_helo = !self.needs_starttls() && self.login.is_none();
        let mut offered = session.hello(allows_helo)?;
        if self.needs_starttls() {
            let secured = session.start_tls(&self.host, &offered);
            secured.map_err(|error| error.with_step("securing the connection"))?;
            // "The client MUST discard any knowledge obtained from the server" (RFC 3207, 4.2).
            offered = session.hello(false)?;
        }
        if let Some(login) = &self.login {
            let logged_in = session.log_in(login, &offered);
            logged_in.map_err(|error| error.with_step("logging in"))?;
        }
        Ok(session)
    }
}

/// A connection to an SMTP server.
struct Session {
    connection: Connection,
}

impl Session {
    /// Sends `EHLO`, or `HELO` if the server does not support `EHLO` and `allows_helo` is true.
    /// Returns the lines of the reply to `EHLO`.
    fn hello(&mut self, allows_helo: bool) -> Result<Vec<Vec<u8>>> {
        let mut send = || {
            self.connection.send(&Command::Ehlo)?;
            let (code, lines) = self.read()?;
            if allows_helo && matches!(code, 500 | 502 | 504) {
                self.command(&Command::Helo, 250, "250: hello")?;
                return Ok(Vec::new());
            }
            self.expect(code, &lines, 250, "250: hello")?;
            Ok(lines)
        };
        send().map_err(|error: Error| error.with_step("saying hello"))
    }

    /// Starts TLS with `STARTTLS` (RFC 3207), if the server offers it.
    fn start_tls(&mut self, host: &str, offered: &[Vec<u8>]) -> Result<()> {
        let is_starttls = |line: &Vec<u8>| {
            let keyword = line.get(4..).unwrap_or_default();
            keyword.eq_ignore_ascii_case(b"STARTTLS")
        };
        if !offered.iter().any(is_starttls) {
            let what = "the server does not support STARTTLS, which is required";
            return Err(self.connection.failed(ErrorKind::Unsupported(what)));
        }
        self.command(&Command::StartTls, 220, "220: ready for TLS")?;
        // Text that an attacker injects before the handshake must not be mistaken for a reply
        // within TLS.
        if self.connection.has_more() {
            let kind = ErrorKind::Protocol("no data after the reply to STARTTLS");
            return Err(self.connection.failed(kind));
        }
        self.connection.start_tls(host)
    }

    /// Logs in. Fails without TLS.
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
                self.expect(code, &lines, 334, "334: the next challenge")?;
                self.connection.send(&response)?;
                (code, lines) = self.read()?;
            }
        } else if code == 334 {
            // With XOAUTH2, this challenge contains the reason why the server refuses the login.
            // After an empty response, the server sends the code of the refusal.
            let nothing = Secret::new([], "response")?;
            self.connection.send(&Command::AuthResponse(nothing))?;
            (code, lines) = self.read()?;
        }
        self.expect(code, &lines, 235, "235: the login is accepted")
    }

    fn send_envelope(&mut self, envelope: &Envelope) -> Result<()> {
        let from = Command::MailFrom(envelope.from.clone());
        self.command(&from, 250, "250: the sender is accepted")?;
        for address in &envelope.to {
            self.send_recipient(address)?;
        }
        self.command(&Command::Data, 354, "354: ready for the message")
    }

    fn send_message(&mut self, text: &[u8]) -> Result<()> {
        self.connection.send_bytes(&message::stuffed(text))?;
        self.command(&Command::End, 250, "250: the message is accepted")
    }

    fn send_recipient(&mut self, address: &Argument) -> Result<()> {
        self.connection.send(&Command::RcptTo(address.clone()))?;
        let (code, lines) = self.read()?;
        // Code 251 means that the user is not local, and that the server will forward the
        // message (RFC 5321, 4.2.3).
        let code = if code == 251 { 250 } else { code };
        self.expect(code, &lines, 250, "250: the recipient is accepted")
    }

    /// Sends a command, and fails unless the reply has the given code.
    fn command(&mut self, command: &Command, code: u16, expected: &'static str) -> Result<()> {
        self.connection.send(command)?;
        self.answer(code, expected)
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

    fn read(&mut self) -> Result<(u16, Vec<Vec<u8>>)> {
        self.connection.in_one_step(read_reply)
    }
}

/// Reads a reply of one or more lines (RFC 5321, 4.2.1). Returns the code and the lines of the
/// reply.
fn read_reply(connection: &mut Connection) -> Result<(u16, Vec<Vec<u8>>)> {
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

/// Returns the code of a line, which is three digits before a space, a hyphen or the end of the
/// line.
fn code(line: &[u8]) -> Option<u16> {
    let digits = match line {
        [a, b, c] | [a, b, c, b' ' | b'-', ..] => [*a, *b, *c],
        _ => return None,
    };
    let text = std::str::from_utf8(&digits).ok()?;
    let is_code = digits.iter().all(u8::is_ascii_digit) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_code)
}

/// A user, and a password or an access token.
pub(super) struct Login {
    user: String,
    password: String,
    /// True if the password is an OAuth 2.0 access token.
    is_token: bool,
}

impl Login {
    /// Checks the credentials of a request.
    pub(super) fn new(credentials: &Credentials, is_token: bool) -> Result<Self> {
        for (text, part) in [
            (&credentials.user, "user"),
            (&credentials.password, "password"),
        ] {
            Argument::new(text.bytes(), part)?;
        }
        Ok(Self {
            user: credentials.user.clone(),
            password: credentials.password.clone(),
            is_token,
        })
    }

    /// Chooses the preferred mechanism among those that the reply to `EHLO` lists. An access token
    /// is never sent as a password.
    fn mechanism(&self, lines: &[Vec<u8>]) -> Result<Mechanism> {
        let wanted: &[Mechanism] = if self.is_token {
            &[Mechanism::Xoauth2]
        } else {
            &[Mechanism::Plain, Mechanism::Login]
        };
        let offers = |mechanism: &&Mechanism| lines.iter().any(|line| offers(line, **mechanism));
        wanted.iter().find(offers).copied().ok_or_else(|| {
            let what = "the server offers no mechanism for this login (AUTH PLAIN, LOGIN, XOAUTH2)";
            Error::new(ErrorKind::Unsupported(what))
        })
    }

    /// Returns the mechanism that a plan shows.
    const fn planned(&self) -> Mechanism {
        if self.is_token {
            Mechanism::Xoauth2
        } else {
            Mechanism::Plain
        }
    }

    /// Returns the `AUTH` command with the mechanism's initial response.
    fn command(&self, mechanism: Mechanism) -> Result<Command> {
        let (user, password) = (&self.user, &self.password);
        let initial = match mechanism {
            Mechanism::Plain => Some(format!("\0{user}\0{password}")),
            Mechanism::Xoauth2 => Some(format!("user={user}\x01auth=Bearer {password}\x01\x01")),
            Mechanism::Login => None,
        };
        let initial = initial.map(|text| secret(&text)).transpose()?;
        Ok(Command::Auth(mechanism, initial))
    }

    /// Returns the responses to the two challenges of the LOGIN mechanism.
    fn responses(&self) -> Result<[Command; 2]> {
        Ok([
            Command::AuthResponse(secret(&self.user)?),
            Command::AuthResponse(secret(&self.password)?),
        ])
    }
}

fn secret(text: &str) -> Result<Secret> {
    let encoded = base64::encode(text.as_bytes()).to_string();
    Ok(Secret::new(encoded.bytes(), "password")?)
}

/// Returns true if a line of the reply to `EHLO` lists the mechanism, as in `250-AUTH PLAIN LOGIN`.
/// Old servers write `AUTH=`.
fn offers(line: &[u8], mechanism: Mechanism) -> bool {
    let text = line.get(4..).unwrap_or_default();
    let mut words = text.split(|octet| matches!(octet, b' ' | b'='));
    let is = |word: &[u8], name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    words.next().is_some_and(|word| is(word, "AUTH"))
        && words.any(|word| is(word, mechanism.name()))
}

#[cfg(test)]
mod tests {
    use super::{Login, Mechanism};
    use crate::command::Command as _;
    use crate::request::Credentials;

    #[test]
    fn responses() {
        let login = |is_token| {
            let (user, password) = ("tim".to_owned(), "tanstaaftanstaaf".to_owned());
            Login::new(&Credentials { user, password }, is_token).unwrap()
        };
        // RFC 4616, 4: the message of the first example, in base64
        let plain = login(false).command(Mechanism::Plain).unwrap();
        assert_eq!(plain.octets(), b"AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm");
        assert_eq!(plain.masked(), b"AUTH PLAIN ***");
        let first = login(false).command(Mechanism::Login).unwrap();
        assert_eq!(first.octets(), b"AUTH LOGIN");
        let [user, password] = login(false).responses().unwrap();
        assert_eq!(
            (user.octets(), password.masked()),
            (b"dGlt".to_vec(), b"***".to_vec())
        );
        let line = |text: &str| vec![text.as_bytes().to_vec()];
        for (offered, is_token, found) in [
            ("250-AUTH LOGIN PLAIN", false, Some(Mechanism::Plain)),
            ("250 auth=login", false, Some(Mechanism::Login)),
            ("250 AUTH XOAUTH2 PLAIN", true, Some(Mechanism::Xoauth2)),
            ("250 AUTH PLAIN", true, None),
            ("250 AUTH XOAUTH2", false, None),
            ("250 AUTHPLAIN", false, None),
        ] {
            let mechanism = login(is_token).mechanism(&line(offered)).ok();
            assert_eq!(mechanism, found, "{offered}");
        }
    }
}
