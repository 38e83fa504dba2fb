//! User and password (RFC 4643, 2.3).

use crate::error::Result;
use crate::plan::Plan;
use crate::request::Credentials;
use urikit::component::Encoded;
use urikit_schemes::{Line, Step};

/// The command before a password.
pub(super) const PASSWORD: &str = "AUTHINFO PASS ";

/// A user, and the password if it is known.
pub(super) struct Login {
    pub(super) user: Line,
    pub(super) password: Option<Line>,
}

impl Login {
    /// From the commands for the user and password in a URL.
    pub(super) fn from_url(lines: Vec<Line>, user: Option<Encoded<'_>>) -> Option<Self> {
        let mut lines = lines.into_iter();
        user.filter(|user| !user.is_empty())?;
        Some(Self {
            user: lines.next()?,
            password: lines.next(),
        })
    }

    /// From the credentials of a request.
    pub(super) fn of(credentials: &Credentials) -> Result<Self> {
        Ok(Self {
            user: user_line(&credentials.user)?,
            password: Some(password_line(&credentials.password)?),
        })
    }

    pub(super) const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// A key for the pool. It contains the password and must not be displayed.
    pub(super) fn key(&self) -> String {
        let password = self.password.as_ref().map(Line::octets);
        format!("{:?} {password:?}", self.user.octets())
    }

    pub(super) fn plan(&self, plan: &mut Plan) {
        plan.push(Step::Send(self.user.clone()));
        let when = "if the server asks for a password";
        match &self.password {
            Some(line) => plan.push_if(when, Step::Send(line.clone())),
            None => plan.push_if(when, Step::say("asks the user for it, and sends it")),
        }
    }

    /// Whether it is for this user.
    pub(super) fn is_of(&self, user: &str) -> bool {
        self.user_name() == user.as_bytes()
    }

    /// The user name, for questions.
    pub(super) fn name(&self) -> String {
        String::from_utf8_lossy(self.user_name()).into_owned()
    }

    fn user_name(&self) -> &[u8] {
        let name = self.user.octets().strip_prefix(b"AUTHINFO USER ");
        name.unwrap_or_default()
    }
}

/// `AUTHINFO USER`.
pub(super) fn user_line(user: &str) -> Result<Line> {
    let mut line = Line::command("AUTHINFO USER ");
    line.push(user.bytes(), "user")?;
    Ok(line)
}

/// `AUTHINFO PASS`. The password is masked where the line is displayed.
pub(super) fn password_line(password: &str) -> Result<Line> {
    let mut line = Line::command(PASSWORD);
    line.push_secret(password.bytes(), "password")?;
    Ok(line)
}
