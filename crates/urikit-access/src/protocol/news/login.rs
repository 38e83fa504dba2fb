//! Who asks (RFC 4643, 2.3).

use super::session::Session;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::policy::Refusal;
use crate::request::Credentials;
use urikit::component::Encoded;
use urikit::scheme::{Line, Step};

/// What a password is sent behind.
pub(super) const PASSWORD: &str = "AUTHINFO PASS ";

/// A user, and a password if it is known.
pub(super) struct Login {
    user: Line,
    password: Option<Line>,
}

impl Login {
    /// From the lines that a URL's user and password make.
    pub(super) fn from_url(lines: Vec<Line>, user: Option<Encoded<'_>>) -> Option<Self> {
        let mut lines = lines.into_iter();
        user.filter(|user| !user.is_empty())?;
        Some(Self {
            user: lines.next()?,
            password: lines.next(),
        })
    }

    /// From what the person gave.
    pub(super) fn of(credentials: &Credentials) -> Result<Self> {
        Ok(Self {
            user: user_line(&credentials.user)?,
            password: Some(password_line(&credentials.password)?),
        })
    }

    pub(super) const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// Tells one from another. It holds the password, and is never shown.
    pub(super) fn key(&self) -> String {
        let password = self.password.as_ref().map(Line::octets);
        format!("{:?} {password:?}", self.user.octets())
    }

    pub(super) fn plan(&self, plan: &mut Plan) {
        plan.push(Step::Send(self.user.clone()));
        let when = "if the server wants a password";
        match &self.password {
            Some(line) => plan.push_if(when, Step::Send(line.clone())),
            None => plan.push_if(when, Step::say("asks the person for it, and sends it")),
        }
    }

    /// Logs in. Whether it was the person who gave the password now.
    pub(super) fn log_in(
        &self,
        session: &mut Session,
        context: &mut Context<'_>,
        host: &str,
    ) -> Result<bool> {
        let mut log_in = || {
            let reply = session.send(&self.user)?;
            if reply.code == 281 {
                return Ok(false);
            }
            session.expect(&reply, &[381], "281, or 381 for a password")?;
            let (line, is_asked) = match &self.password {
                Some(line) => (line.clone(), false),
                None => (ask_password(&self.name(), session, context, host)?, true),
            };
            let reply = session.send_password(&line, context)?;
            session.expect(&reply, &[281], "281: the login is accepted")?;
            Ok(is_asked)
        };
        log_in().map_err(|error: Error| error.at("logging in"))
    }

    /// Whether it is this user's.
    pub(super) fn is_of(&self, user: &str) -> bool {
        self.user_name() == user.as_bytes()
    }

    /// The user, for people.
    fn name(&self) -> String {
        String::from_utf8_lossy(self.user_name()).into_owned()
    }

    fn user_name(&self) -> &[u8] {
        let name = self.user.octets().strip_prefix(b"AUTHINFO USER ");
        name.unwrap_or_default()
    }
}

/// Who the person is.
pub(super) fn ask_user(context: &mut Context<'_>, host: &str) -> Result<Login> {
    let answer = context.person().answer(&format!("User at {host}"), "");
    let user = answer.filter(|user| !user.is_empty());
    let user = user.ok_or_else(|| Error::new(ErrorKind::NoPassword))?;
    Ok(Login {
        user: user_line(&user)?,
        password: None,
    })
}

fn ask_password(
    user: &str,
    session: &Session,
    context: &mut Context<'_>,
    host: &str,
) -> Result<Line> {
    let question = format!("Send the password to {host} in plain text?");
    let nobody = || Error::new(ErrorKind::NoPassword);
    let password = context.person().password(user, host).ok_or_else(nobody)?;
    if !session.is_secure() && !context.person().agrees(&question) {
        return Err(Refusal::NoConsent.into());
    }
    password_line(&password)
}

fn user_line(user: &str) -> Result<Line> {
    let mut line = Line::command("AUTHINFO USER ");
    line.push(user.bytes(), "user")?;
    Ok(line)
}

fn password_line(password: &str) -> Result<Line> {
    let mut line = Line::command(PASSWORD);
    line.push_secret(password.bytes(), "password")?;
    Ok(line)
}
