//! FTP sessions, including the control connection, the login (RFC 959, 5.4; RFC 1738, 3.2.1), and
//! data connections.
//!
//! Data connections are passive, and always go to the host of the control connection, regardless of
//! the address that the server sends.

use super::command::{Command, Password, Type};
use super::job::{Job, Login, LoginPassword, secret};
use super::reply::{Reply, epsv_port, pasv_port, quoted_path};
use super::settings::Security;
use crate::command::Argument;
use crate::context::{Context, Pooled};
use crate::error::{Error, ErrorKind, Result};
use crate::mask::escape;
use crate::net::Connection;

/// A control connection after login.
///
/// The session sends `QUIT` when it is dropped, unless a reply is still pending.
#[allow(clippy::struct_excessive_bools)] // independent facts about the server
pub(super) struct Session {
    pub(super) connection: Connection,
    /// True if the server has answered every command. Otherwise, the next reply belongs to an
    /// earlier command.
    in_order: bool,
    /// The last `TYPE` that the server accepted.
    kind: Option<Type>,
    /// The arguments of all `CWD` commands sent since the login, or since the last return to the
    /// initial directory.
    directories: Vec<Argument>,
    /// The directory that was current after the login, if the server reported it.
    initial_directory: Option<Argument>,
    /// The name that certificates must match, if data connections use TLS.
    tls: Option<String>,
    /// True if a name that contains the octet 255 may be sent again without doubling this octet.
    may_undouble: bool,
    /// True if the server does not expect the octet 255 to be doubled.
    is_undoubled: bool,
    /// The code of the last reply.
    pub(super) code: u16,
    /// True if the server supports `MLST` and `MLSD`. `None` until the server has been asked.
    has_mlst: Option<bool>,
    /// True if the server refused `EPSV`.
    refuses_epsv: bool,
}

impl Pooled for Session {
    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.in_order {
            // Errors are ignored, because the connection is closed in any case.
            let _ = self.connection.send_telnet(&Command::Quit);
        }
    }
}

impl Session {
    /// Opens a session, logs in, and changes to the directory of the URL. Uses a session from the
    /// pool if possible.
    pub(super) fn open(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let pooled = context.pooled::<Self>(&job.origin);
        let mut session = match pooled.and_then(|pooled| pooled.usable(job)) {
            Some(session) => session,
            None => Self::connect(job, context)?,
        };
        session.may_undouble = job.may_undouble;
        let is_initial = session.directories.is_empty() && session.initial_directory.is_none();
        if is_initial && job.asks_for_initial {
            session.initial_directory = session.current_directory()?;
        }
        let rest = job.directories.get(session.directories.len()..);
        for directory in rest.unwrap_or_default() {
            session.change_directory(directory)?;
        }
        Ok(session)
    }

    /// Connects, starts TLS if the settings require it, and logs in.
    fn connect(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let mut session = Self {
            connection: context.connect(&job.host, job.port)?,
            in_order: false,
            kind: None,
            directories: Vec::new(),
            initial_directory: None,
            tls: None,
            may_undouble: false,
            is_undoubled: false,
            code: 0,
            has_mlst: None,
            refuses_epsv: false,
        };
        if job.settings.security == Security::Implicit {
            session.connection.start_tls(&job.host)?;
        }
        session
            .greet()
            .map_err(|error| error.with_step("greeting"))?;
        if job.settings.security == Security::Explicit {
            let secured = session.secure(&job.host);
            secured.map_err(|error| error.with_step("asking for TLS, which is required"))?;
        }
        let logged_in = session.log_in(&job.login, &job.host, context);
        logged_in.map_err(|error| error.with_step("logging in"))?;
        if job.settings.security != Security::None {
            let protected = session.protect(&job.host);
            protected.map_err(|error| error.with_step("asking for TLS on data connections"))?;
        }
        Ok(session)
    }

    /// Secures the control connection (RFC 4217, 4).
    fn secure(&mut self, host: &str) -> Result<()> {
        let reply = self.done(&Command::Auth)?;
        if reply.code != 234 {
            return Err(reply.error(&self.connection, "a reply to AUTH: 234 or a refusal"));
        }
        // If the handshake fails, `drop` must not send `QUIT` without TLS.
        self.in_order = false;
        self.connection.start_tls(host)?;
        self.in_order = true;
        Ok(())
    }

    /// Asks the server to secure data connections (RFC 4217, 9).
    fn protect(&mut self, host: &str) -> Result<()> {
        self.done(&Command::Pbsz)?;
        self.done(&Command::Prot)?;
        self.tls = Some(host.to_owned());
        Ok(())
    }

    /// Asks for the current directory. Returns `None` if the server does not report the directory.
    fn current_directory(&mut self) -> Result<Option<Argument>> {
        let reply = self.optional(&Command::Pwd)?;
        let reply = reply.filter(|reply| reply.code == 257);
        let path = reply.and_then(|reply| quoted_path(reply.text()));
        Ok(path.and_then(|path| Argument::new(path, "directory").ok()))
    }

    /// Returns this session if it is still open and can change to the directory of the URL.
    ///
    /// No command changes to the parent directory in a way that works on all systems (RFC 1738,
    /// 3.2.5). So the session returns to the initial directory, using its name, and changes to the
    /// directories in the URL from there.
    fn usable(mut self, job: &Job<'_>) -> Option<Self> {
        let is_below = job.directories.starts_with(&self.directories);
        if !is_below && self.initial_directory.is_none() {
            return None;
        }
        // vsftpd closes idle connections, which a client detects only when it sends a command.
        let reply = self.command(&Command::Noop);
        reply.ok().filter(|reply| reply.class() == 2)?;
        if !is_below {
            let initial = self.initial_directory.clone()?;
            self.done(&Command::Cwd(initial)).ok()?;
            self.directories.clear();
        }
        Some(self)
    }

    /// Returns whether another command can be sent.
    pub(super) const fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// Reads the greeting.
    fn greet(&mut self) -> Result<()> {
        let mut reply = self.read_reply()?;
        if reply.code == 120 {
            // After "Service ready in nnn minutes", the greeting follows (RFC 959, 5.4).
            reply = self.read_reply()?;
        }
        if reply.class() != 2 {
            return Err(reply.error(&self.connection, "an FTP greeting: 220"));
        }
        Ok(())
    }

    /// Sends a command and reads its reply. After a preliminary reply (1yz), the caller must read
    /// the next reply with [`read_reply`](Self::read_reply).
    ///
    /// The octet 255 is doubled in names. If the server does not find the name, and the command is
    /// read-only, the command is sent again without doubling the octet.
    pub(super) fn command(&mut self, command: &Command) -> Result<Reply> {
        let reply = self.exchange(command)?;
        // Repeating a transfer command requires a new data connection (see `begin_transfer`).
        let is_transfer = matches!(
            command,
            Command::Retr(_) | Command::Nlst(_) | Command::Mlsd(_) | Command::List(_)
        );
        if !is_transfer && self.undoubles(command) {
            let again = self.exchange(command)?;
            self.is_undoubled = !again.is_refusal();
            return Ok(if again.is_refusal() { reply } else { again });
        }
        Ok(reply)
    }

    /// Returns whether to repeat, without doubling the octet 255, a command that the server has
    /// just refused. If the result is true, later commands do not double this octet either.
    fn undoubles(&mut self, command: &Command) -> bool {
        let undoubles = self.code == 550
            && self.may_undouble
            && !self.is_undoubled
            && command.may_be_undoubled();
        self.is_undoubled |= undoubles;
        undoubles
    }

    fn exchange(&mut self, command: &Command) -> Result<Reply> {
        self.in_order = false;
        if self.is_undoubled && command.may_be_undoubled() {
            self.connection.send(command)?;
        } else {
            self.connection.send_telnet(command)?;
        }
        self.read_reply()
    }

    /// Reads a reply. Fails if the server closes the connection (421).
    pub(super) fn read_reply(&mut self) -> Result<Reply> {
        let reply = Reply::read(&mut self.connection)?;
        if reply.code == 421 {
            // "This may be a reply to any command" (RFC 959, 4.2.2).
            return Err(reply.error(&self.connection, ""));
        }
        self.in_order = reply.class() != 1;
        self.code = reply.code;
        Ok(reply)
    }

    /// Sends a command that must succeed (2yz).
    pub(super) fn done(&mut self, command: &Command) -> Result<Reply> {
        let reply = self.command(command)?;
        if reply.class() == 2 {
            Ok(reply)
        } else {
            self.in_order = reply.is_refusal();
            Err(reply.error(
                &self.connection,
                "a completion reply (2yz) or a refusal (4yz, 5yz)",
            ))
        }
    }

    /// Sends a command that servers need not support. Returns `None` if the server refuses the
    /// command.
    pub(super) fn optional(&mut self, command: &Command) -> Result<Option<Reply>> {
        match self.done(command) {
            Ok(reply) => Ok(Some(reply)),
            Err(error) if self.is_refused(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Changes to a directory. After a refusal, the current directory is unchanged: "the requested
    /// action did not take place" (RFC 959, 4.2).
    pub(super) fn change_directory(&mut self, directory: &Argument) -> Result<()> {
        let changed = self.done(&Command::Cwd(directory.clone()));
        let changed = changed.map(|_| self.directories.push(directory.clone()));
        changed.map_err(|error| {
            error.with_step(if directory.is_empty() {
                "changing to the null directory of `//` (RFC 1738, 3.2.2)".to_owned()
            } else {
                format!(
                    "changing to the directory \"{}\"",
                    escape(directory.octets())
                )
            })
        })
    }

    /// Tries to change to a directory. Returns false if the server refuses the command.
    pub(super) fn enters(&mut self, directory: &Argument) -> Result<bool> {
        match self.change_directory(directory) {
            Ok(()) => Ok(true),
            Err(error) if self.is_refused(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns whether this error is a refusal, after which another command can be sent.
    pub(super) fn is_refused(&self, error: &Error) -> bool {
        self.in_order && error.kind().is_denial()
    }

    /// Sets the type of transfers, unless it is already set.
    pub(super) fn set_type(&mut self, kind: &Type) -> Result<()> {
        if self.kind.as_ref() != Some(kind) {
            self.kind = None;
            let set = self.done(&Command::Type(kind.clone()));
            set.map_err(|error| error.with_step("setting the type of the transfer"))?;
            self.kind = Some(kind.clone());
        }
        Ok(())
    }

    /// Sets the transfer type for listings, which is ASCII. Sends no command in a new session,
    /// because the type is ASCII by default (RFC 959, 3.1.1.5).
    pub(super) fn set_listing_type(&mut self) -> Result<()> {
        match self.kind {
            Some(_) => self.set_type(&Type::Ascii(None)),
            None => Ok(()),
        }
    }

    /// Returns whether the server supports `MLST` and `MLSD`, which are one feature (RFC 3659,
    /// 7.8). Asks the server only once.
    pub(super) fn has_mlst(&mut self) -> Result<bool> {
        if let Some(has) = self.has_mlst {
            return Ok(has);
        }
        let features = self.optional(&Command::Feat)?;
        let is_mlst = |line: &Vec<u8>| {
            let name = line.trim_ascii().split(|octet| *octet == b' ').next();
            name.is_some_and(|name| name.eq_ignore_ascii_case(b"MLST"))
        };
        let has = features.is_some_and(|reply| reply.inner_lines().iter().any(is_mlst));
        self.has_mlst = Some(has);
        Ok(has)
    }
}

impl Session {
    /// Logs in. Sends the password only if the server asks for it.
    fn log_in(&mut self, login: &Login, host: &str, context: &mut Context<'_>) -> Result<()> {
        let mut reply = self.command(&Command::User(login.user.clone()))?;
        if reply.code == 331 {
            let password = password(login, host, context)?;
            reply = self.command(&Command::Pass(password))?;
        }
        // RFC 959 defines accounts in addition to users, but a URL cannot contain an account.
        if reply.code == 332 {
            let what = "the server asks for an account (ACCT), which a URL cannot contain";
            return Err(self.connection.failed(ErrorKind::Unsupported(what)));
        }
        if reply.class() == 2 {
            return Ok(());
        }
        let expected = "a reply to USER or PASS: 230, 331 or a refusal";
        Err(reply.error(&self.connection, expected))
    }
}

/// Returns the password for a login, asking the user for it if necessary.
fn password(login: &Login, host: &str, context: &mut Context<'_>) -> Result<Password> {
    let fallback = match &login.password {
        LoginPassword::Known(password) => return Ok(password.clone()),
        LoginPassword::Ask { fallback } => fallback,
    };
    match (context.prompt().password(&login.name, host), fallback) {
        (Some(password), _) => secret(&password),
        (None, Some(password)) => Ok(password.clone()),
        (None, None) => Err(Error::new(ErrorKind::NoPassword)),
    }
}

impl Session {
    /// Begins a transfer by opening a data connection, sending `REST` unless the offset is 0, and
    /// then sending the command.
    ///
    /// The caller must call [`end_transfer`](Self::end_transfer) at the end of the data.
    pub(super) fn begin_transfer(
        &mut self,
        offset: u64,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Connection> {
        match self.try_transfer(offset, command, context) {
            Err(error) if self.is_refused(&error) && self.undoubles(command) => {
                let again = self.try_transfer(offset, command, context);
                self.is_undoubled = again.is_ok();
                again
            }
            begun => begun,
        }
    }

    /// Makes one attempt at a transfer for [`begin_transfer`](Self::begin_transfer).
    fn try_transfer(
        &mut self,
        offset: u64,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Connection> {
        let port = self.passive_port();
        let port = port.map_err(|error| error.with_step("asking for a data connection"))?;
        let mut data = context.connect_same_host(&self.connection, port)?;
        data.set_quiet(true);
        if offset > 0 {
            let reply = self.command(&Command::Rest(offset))?;
            if reply.code != 350 {
                let expected = "a reply to REST: 350 or a refusal";
                return Err(if reply.is_refusal() {
                    let error = self.connection.failed(ErrorKind::CannotResume);
                    error.with_received(reply.text())
                } else {
                    reply.error(&self.connection, expected)
                });
            }
        }
        let reply = self.command(command)?;
        // The only replies that begin a transfer (RFC 959, 5.4).
        if !matches!(reply.code, 125 | 150) {
            return Err(reply.error(&self.connection, "a preliminary reply: 150 or 125"));
        }
        if let Some(host) = &self.tls {
            data.start_tls(host)?;
        }
        Ok(data)
    }

    /// Reads the reply to a transfer after the end of its data. Fails unless the reply is
    /// positive, because the end of a data connection does not show whether the data is complete.
    pub(super) fn end_transfer(&mut self, received: u64) -> Result<()> {
        let reply = self.read_reply().map_err(|error| match error.kind() {
            ErrorKind::EndedEarly { .. } => {
                let expected = None;
                self.connection
                    .failed(ErrorKind::EndedEarly { expected, received })
            }
            _ => error,
        });
        let result = reply.and_then(|reply| {
            // The only replies that complete a transfer (RFC 959, 5.4).
            let expected = "a completion reply: 226 or 250";
            matches!(reply.code, 226 | 250)
                .then_some(())
                .ok_or_else(|| reply.error(&self.connection, expected))
        });
        result.map_err(|error| error.with_step("ending the transfer"))
    }

    /// Asks for a data port with `EPSV`, or with `PASV` if the server refuses `EPSV`.
    fn passive_port(&mut self) -> Result<u16> {
        if !self.refuses_epsv {
            if let Some(reply) = self.optional(&Command::Epsv)? {
                let expected = "a reply to EPSV: 229 and (|||port|)";
                return Some(&reply)
                    .filter(|reply| reply.code == 229)
                    .and_then(|reply| epsv_port(reply.text()))
                    .ok_or_else(|| reply.error(&self.connection, expected));
            }
            // Twisted, for example, supports only PASV.
            self.refuses_epsv = true;
        }
        let reply = self.done(&Command::Pasv)?;
        Some(&reply)
            .filter(|reply| reply.code == 227)
            .and_then(|reply| pasv_port(reply.text()))
            .ok_or_else(|| reply.error(&self.connection, "a reply to PASV: 227 and six numbers"))
    }
}
