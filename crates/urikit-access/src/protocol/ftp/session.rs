//! The control connection and its state.

use super::command::{Command, Type};
use super::job::Job;
use super::reply::Reply;
use super::security::Security;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::escape::escape;
use crate::net::Connection;
use crate::pool::Pooled;

/// A control connection after login.
///
/// When it is dropped in a good state, it sends `QUIT`.
#[allow(clippy::struct_excessive_bools)] // facts about the server, each on its own
pub(super) struct Session {
    pub(super) connection: Connection,
    /// Whether every command was answered, so that the next reply belongs to the next command.
    in_order: bool,
    /// The current `TYPE`, if one was set.
    kind: Option<Type>,
    /// The arguments of the `CWD`s that were sent since the login, or since the return to the first
    /// directory.
    directories: Vec<Argument>,
    /// The directory of the login, where it was asked for.
    first: Option<Argument>,
    /// The name to verify certificates for, if data connections use TLS.
    pub(super) tls: Option<String>,
    /// Whether a name with the octet 255 may be tried without doubling that.
    may_undouble: bool,
    /// Whether the server takes the octet 255 as it is.
    pub(super) is_undoubled: bool,
    /// The code of the last reply.
    pub(super) code: u16,
    /// Whether the server supports `MLST` and `MLSD`, if it was asked.
    has_mlst: Option<bool>,
    /// Whether `EPSV` was refused.
    pub(super) no_epsv: bool,
}

impl Pooled for Session {
    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.in_order {
            // The reply does not matter.
            let _ = self.connection.send_telnet(&Command::Quit);
        }
    }
}

impl Session {
    /// A session that is logged in and in the right directory: from the pool if possible, or else
    /// a new one.
    pub(super) fn open(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let pooled = context.pooled::<Self>(&job.origin);
        let mut session = match pooled.and_then(|pooled| pooled.usable(job)) {
            Some(session) => session,
            None => Self::connect(job, context)?,
        };
        session.may_undouble = job.may_undouble;
        let is_first = session.directories.is_empty() && session.first.is_none();
        if is_first && job.asks_for_first {
            session.first = session.first_directory()?;
        }
        let rest = job.directories.get(session.directories.len()..);
        for directory in rest.unwrap_or_default() {
            session.change_directory(directory)?;
        }
        Ok(session)
    }

    fn connect(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let mut session = Self {
            connection: context.connect(&job.host, job.port)?,
            in_order: false,
            kind: None,
            directories: Vec::new(),
            first: None,
            tls: None,
            may_undouble: false,
            is_undoubled: false,
            code: 0,
            has_mlst: None,
            no_epsv: false,
        };
        if job.security == Security::Implicit {
            session.connection.start_tls(&job.host)?;
        }
        session.greet().map_err(|error| error.at("greeting"))?;
        if job.security == Security::Explicit {
            let secured = session.secure(&job.host);
            secured.map_err(|error| error.at("asking for TLS, which is required"))?;
        }
        let logged_in = session.log_in(&job.login, &job.host, context);
        logged_in.map_err(|error| error.at("logging in"))?;
        if job.security != Security::None {
            let protected = session.protect(&job.host);
            protected.map_err(|error| error.at("asking for TLS on data connections"))?;
        }
        Ok(session)
    }

    /// Secures the control connection (RFC 4217, 4).
    fn secure(&mut self, host: &str) -> Result<()> {
        let reply = self.done(&Command::Auth)?;
        if reply.code != 234 {
            return Err(reply.error(&self.connection, "a reply to AUTH: 234 or a refusal"));
        }
        self.in_order = false;
        self.connection.start_tls(host)?;
        self.in_order = true;
        Ok(())
    }

    /// Has the server secure data connections (RFC 4217, 9).
    fn protect(&mut self, host: &str) -> Result<()> {
        self.done(&Command::Pbsz)?;
        self.done(&Command::Prot)?;
        self.tls = Some(host.to_owned());
        Ok(())
    }

    /// The directory of the login, to which `CWD` can return; `None` if the server does not say.
    fn first_directory(&mut self) -> Result<Option<Argument>> {
        let reply = self.optional(&Command::Pwd)?;
        let reply = reply.filter(|reply| reply.code == 257);
        let path = reply.and_then(|reply| quoted(reply.text()));
        Ok(path.and_then(|path| Argument::new(path, "directory").ok()))
    }

    /// This session, if it is open and the directory can be reached from its current one. There is
    /// no portable way upwards (RFC 1738, 3.2.5) but by the name of the first directory.
    fn usable(mut self, job: &Job<'_>) -> Option<Self> {
        let is_below = job.directories.starts_with(&self.directories);
        if !is_below && self.first.is_none() {
            return None;
        }
        let lives = self.command(&Command::Noop);
        lives.ok().filter(|reply| reply.class() == 2)?;
        if !is_below {
            let first = self.first.clone()?;
            self.done(&Command::Cwd(first)).ok()?;
            self.directories.clear();
        }
        Some(self)
    }

    /// Whether the next reply belongs to the next command.
    pub(super) const fn is_in_order(&self) -> bool {
        self.in_order
    }

    fn greet(&mut self) -> Result<()> {
        let mut reply = self.read_reply()?;
        if reply.code == 120 {
            reply = self.read_reply()?; // it was not ready at once (RFC 959, 5.4)
        }
        if reply.class() != 2 {
            return Err(reply.error(&self.connection, "the greeting of an FTP server: 220"));
        }
        Ok(())
    }

    /// Sends a command and reads the reply. After a preliminary reply (1yz),
    /// [`read_reply`](Self::read_reply) reads the next one.
    ///
    /// If what is read has the octet 255 in its name and is not found, the command is repeated with
    /// the octet as it is.
    pub(super) fn command(&mut self, command: &Command) -> Result<Reply> {
        let reply = self.exchange(command)?;
        // After a refused transfer, another data connection is needed.
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

    /// Whether the command, which was just refused, is to be repeated with the octet 255 as it is.
    pub(super) fn undoubles(&mut self, command: &Command) -> bool {
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

    /// Reads a reply.
    pub(super) fn read_reply(&mut self) -> Result<Reply> {
        let reply = Reply::read(&mut self.connection)?;
        self.take(reply)
    }

    fn take(&mut self, reply: Reply) -> Result<Reply> {
        if reply.code == 421 {
            // The server closes the connection, whatever the command was.
            return Err(reply.error(&self.connection, ""));
        }
        self.in_order = reply.class() != 1;
        self.code = reply.code;
        Ok(reply)
    }

    /// Sends a command that must succeed.
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

    /// Sends a command that servers need not support. `None` if it is refused.
    pub(super) fn optional(&mut self, command: &Command) -> Result<Option<Reply>> {
        match self.done(command) {
            Ok(reply) => Ok(Some(reply)),
            Err(error) if self.is_refused(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Changes to a directory. If that is refused, "the requested action did not take place" (RFC
    /// 959, 4.2): the current directory is the one before.
    pub(super) fn change_directory(&mut self, directory: &Argument) -> Result<()> {
        let changed = self.done(&Command::Cwd(directory.clone()));
        let changed = changed.map(|_| self.directories.push(directory.clone()));
        changed.map_err(|error| {
            error.at(if directory.is_empty() {
                "changing to the null directory of `//` (RFC 1738, 3.2.2)".to_owned()
            } else {
                format!(
                    "changing to the directory \"{}\"",
                    escape(directory.octets())
                )
            })
        })
    }

    /// Changes to a directory, if the name is that of one.
    pub(super) fn enters(&mut self, directory: &Argument) -> Result<bool> {
        match self.change_directory(directory) {
            Ok(()) => Ok(true),
            Err(error) if self.is_refused(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether the last command was refused, and the next can be sent.
    pub(super) fn is_refused(&self, error: &Error) -> bool {
        self.in_order && error.kind().is_denial()
    }

    /// Sets the type, unless it is set already.
    pub(super) fn set_type(&mut self, kind: &Type) -> Result<()> {
        if self.kind.as_ref() != Some(kind) {
            self.kind = None;
            let set = self.done(&Command::Type(kind.clone()));
            set.map_err(|error| error.at("setting the type of the transfer"))?;
            self.kind = Some(kind.clone());
        }
        Ok(())
    }

    /// Sets the type for listings, unless no type was set: ASCII is the default (RFC 959,
    /// 3.1.1.5).
    pub(super) fn set_listing_type(&mut self) -> Result<()> {
        match self.kind {
            Some(_) => self.set_type(&Type::Ascii(None)),
            None => Ok(()),
        }
    }

    /// Whether the server supports `MLST` and `MLSD`, which are one feature (RFC 3659, 7.8).
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

/// The pathname in a reply to `PWD`: in quotation marks, of which two stand for one (RFC 959,
/// Appendix II).
fn quoted(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix(b"\"")?.iter().copied().peekable();
    let mut path = Vec::new();
    while let Some(octet) = rest.next() {
        if octet == b'"' && rest.next_if_eq(&b'"').is_none() {
            return (!path.is_empty()).then_some(path);
        }
        path.push(octet);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn paths_in_replies_to_pwd() {
        for (text, path) in [
            (
                r#""/usr/dm/foo""bar" directory created"#,
                Some("/usr/dm/foo\"bar"),
            ), // RFC 959, II
            (r#""/" is the current directory"#, Some("/")),
            (r#""/a"#, None),
            (r#""" x"#, None),
            ("/ is it", None),
            ("", None),
        ] {
            let found = quoted(text.as_bytes());
            assert_eq!(found.as_deref(), path.map(str::as_bytes), "{text}");
        }
    }
}
