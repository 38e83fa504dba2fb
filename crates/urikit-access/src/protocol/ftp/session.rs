//! The control connection and its state.

use super::command::{Command, Type};
use super::job::Job;
use super::reply::Reply;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::escape::escape;
use crate::net::Connection;
use crate::pool::Pooled;

/// A control connection after login.
///
/// When it is dropped in a good state, it sends `QUIT`.
pub(super) struct Session {
    pub(super) connection: Connection,
    /// Whether every command was answered, so that the next reply belongs to the next command.
    in_order: bool,
    /// The current `TYPE`, if one was set.
    kind: Option<Type>,
    /// The arguments of the `CWD`s that were sent.
    directories: Vec<Argument>,
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
        if session.directories.is_empty() {
            for directory in &job.directories {
                session.change_directory(directory)?;
            }
        }
        Ok(session)
    }

    fn connect(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let mut session = Self {
            connection: context.connect(&job.host, job.port)?,
            in_order: false,
            kind: None,
            directories: Vec::new(),
            has_mlst: None,
            no_epsv: false,
        };
        session.greet().map_err(|error| error.at("greeting"))?;
        let logged_in = session.log_in(&job.login, &job.host, context);
        logged_in.map_err(|error| error.at("logging in"))?;
        Ok(session)
    }

    /// This session, if it is open and the directory can be reached from its current one.
    fn usable(mut self, job: &Job<'_>) -> Option<Self> {
        // There is no portable way from one directory to another (RFC 1738, 3.2.5).
        if !self.directories.is_empty() && self.directories != job.directories {
            return None;
        }
        let lives = self.command(&Command::Noop);
        lives.is_ok_and(|reply| reply.class() == 2).then_some(self)
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
    pub(super) fn command(&mut self, command: &Command) -> Result<Reply> {
        self.in_order = false;
        self.connection.send_telnet(command)?;
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
            Err(error) if self.in_order && matches!(error.kind(), ErrorKind::Denied) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn change_directory(&mut self, directory: &Argument) -> Result<()> {
        // After a refusal, the current directory is uncertain too.
        self.directories.push(directory.clone());
        let changed = self.done(&Command::Cwd(directory.clone()));
        changed.map(drop).map_err(|error| {
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
