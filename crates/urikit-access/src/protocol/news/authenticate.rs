//! Logging in (RFC 4643, 2.3).

use super::command::Command;
use super::login::Login;
use super::session::Session;
use crate::command::{Argument, Secret};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::policy::Refusal;

impl Session {
    /// Logs in. True if the user typed the password just now.
    pub(super) fn log_in(
        &mut self,
        login: &Login,
        context: &mut Context<'_>,
        host: &str,
    ) -> Result<bool> {
        self.authenticate(login, context, host)
            .map_err(|error| error.with_step("logging in"))
    }

    fn authenticate(
        &mut self,
        login: &Login,
        context: &mut Context<'_>,
        host: &str,
    ) -> Result<bool> {
        let reply = self.send(&Command::AuthinfoUser(login.user.clone()))?;
        if reply.code == 281 {
            return Ok(false);
        }
        self.expect(&reply, &[381], "281, or 381 for a password")?;
        let (password, is_asked) = match &login.password {
            Some(password) => (password.clone(), false),
            None => (self.ask_password(&login.name(), context, host)?, true),
        };
        let reply = self.send(&Command::AuthinfoPass(password))?;
        self.expect(&reply, &[281], "281: the login is accepted")?;
        Ok(is_asked)
    }

    fn ask_password(&self, user: &str, context: &mut Context<'_>, host: &str) -> Result<Secret> {
        let question = format!("Send the password to {host} unencrypted?");
        let no_password = || Error::new(ErrorKind::NoPassword);
        let password = context
            .prompt()
            .password(user, host)
            .ok_or_else(no_password)?;
        if !self.is_secure() && !context.prompt().confirm(&question) {
            return Err(Refusal::NoConsent.into());
        }
        Ok(Secret::new(password.bytes(), "password")?)
    }
}

/// Asks for a user name. The password is asked for when the server requests it.
pub(super) fn ask_user(context: &mut Context<'_>, host: &str) -> Result<Login> {
    let line = context.prompt().input(&format!("User at {host}"), "");
    let user = line.filter(|user| !user.is_empty());
    let user = user.ok_or_else(|| Error::new(ErrorKind::NoPassword))?;
    Ok(Login {
        user: Argument::new(user.bytes(), "user")?,
        password: None,
    })
}
