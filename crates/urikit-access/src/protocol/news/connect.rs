//! Opening a session, or taking one from the pool, up to the first command for the URL.

use super::authenticate::ask_user;
use super::command::Command;
use super::job::Job;
use super::reply::Reply;
use super::session::Session;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};

impl Session {
    /// Sends the first command, over a pooled connection or a new one, and reads the reply.
    pub(super) fn begin(
        job: &Job<'_>,
        first: &Command,
        context: &mut Context<'_>,
    ) -> Result<(Self, Reply)> {
        if let Some(mut session) = context.pooled::<Self>(&job.key()) {
            match session.ask(first, job, context) {
                // 400: the server closes the connection (RFC 3977, 3.2.1).
                Ok(reply) if reply.code != 400 => return Ok((session, reply)),
                Ok(_) => {}
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let mut session = Self::open(job, context)?;
        let reply = session.ask(first, job, context)?;
        Ok((session, reply))
    }

    fn open(job: &Job<'_>, context: &mut Context<'_>) -> Result<Self> {
        let mut connection = context.connect(&job.server.host, job.server.port)?;
        if job.is_tls {
            connection.start_tls(&job.server.host)?;
        }
        let mut session = Self::new(connection);
        let greet = |session: &mut Self| {
            let greeting = session.reply()?;
            session.expect(&greeting, &[200, 201], "a greeting: 200 or 201")
        };
        greet(&mut session).map_err(|error| error.with_step("reading the greeting"))?;
        let switch = |session: &mut Self| session.read_news(context.max_line());
        switch(&mut session).map_err(|error| error.with_step("switching to reader mode"))?;
        if let Some(login) = &job.login {
            session.is_personal = session.log_in(login, context, &job.server.host)?;
        }
        Ok(session)
    }

    /// Reads the capabilities.
    fn offers_reader_mode(&mut self, longest: usize) -> Result<bool> {
        let mut is_offered = false;
        let mut total = 0;
        let mut lines = self.lines();
        while let Some(line) = lines.next()? {
            total += line.len();
            if total > longest {
                return Err(lines.failed(ErrorKind::LineTooLong { max: longest }));
            }
            is_offered |= line.eq_ignore_ascii_case(b"MODE-READER");
        }
        Ok(is_offered)
    }

    /// Switches a transit server to reader mode (RFC 3977, 3.4.2).
    fn read_news(&mut self, longest: usize) -> Result<()> {
        let reply = self.send(&Command::Capabilities)?;
        let wants_mode = match reply.code {
            101 => self.in_one_step(|session| session.offers_reader_mode(longest))?,
            400 | 502 => return Err(self.unexpected(&reply, "the capabilities")),
            400..600 => true,
            _ => return Err(self.unexpected(&reply, "101 and the capabilities")),
        };
        if wants_mode {
            let reply = self.send(&Command::ModeReader)?;
            match reply.code {
                400 | 502 => return Err(self.unexpected(&reply, "200 or 201")),
                // A server that does not know the command has only one mode.
                200 | 201 | 400..600 => {}
                _ => return Err(self.unexpected(&reply, "200 or 201")),
            }
        }
        Ok(())
    }

    /// Sends a command, and reads the first line of the reply. If the server requires a login and
    /// none was made, the user is asked for one, and the command is repeated.
    pub(super) fn ask(
        &mut self,
        command: &Command,
        job: &Job<'_>,
        context: &mut Context<'_>,
    ) -> Result<Reply> {
        let reply = self.send(command)?;
        if reply.code != 480 || job.login.is_some() || self.is_personal {
            return Ok(reply);
        }
        let mut log_in = |session: &mut Self| {
            let login = ask_user(context, &job.server.host)?;
            session.log_in(&login, context, &job.server.host)
        };
        log_in(self).map_err(|error| error.with_step("logging in").with_received(&reply.line))?;
        self.is_personal = true;
        self.send(command)
    }

    /// Puts the session into the pool, unless the user typed the login.
    pub(super) fn keep(self, job: &Job<'_>, context: &mut Context<'_>) {
        if !self.is_personal {
            context.pool(&job.key(), self);
        }
    }
}

/// Whether the server had closed the pooled connection.
const fn is_gone(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Network(_) | ErrorKind::EndedEarly { .. }
    )
}
