//! Logging in (RFC 959, 5.4; RFC 1738, 3.2.1).

use super::command::{Command, Password};
use super::job::{Given, Login, secret};
use super::session::Session;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};

impl Session {
    /// Logs in. The password is sent only if the server asks for it.
    pub(super) fn log_in(
        &mut self,
        login: &Login,
        host: &str,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let mut reply = self.command(&Command::User(login.user.clone()))?;
        if reply.code == 331 {
            let password = password(login, host, context)?;
            reply = self.command(&Command::Pass(password))?;
        }
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

fn password(login: &Login, host: &str, context: &mut Context<'_>) -> Result<Password> {
    let otherwise = match &login.password {
        Given::Given(password) => return Ok(password.clone()),
        Given::Asked(otherwise) => otherwise,
    };
    match (context.prompt().password(&login.name, host), otherwise) {
        (Some(password), _) => secret(&password),
        (None, Some(password)) => Ok(password.clone()),
        (None, None) => Err(Error::new(ErrorKind::NoPassword)),
    }
}
