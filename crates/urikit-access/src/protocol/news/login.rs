//! Who asks (RFC 4643, 2.3).

use crate::error::Result;
use crate::plan::Plan;
use crate::request::Credentials;
use urikit::component::Encoded;
use urikit::scheme::{Line, Step};

/// What a password is sent behind.
pub(super) const PASSWORD: &str = "AUTHINFO PASS ";

/// A user, and a password if it is known.
pub(super) struct Login {
    pub(super) user: Line,
    pub(super) password: Option<Line>,
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

    /// Whether it is this user's.
    pub(super) fn is_of(&self, user: &str) -> bool {
        self.user_name() == user.as_bytes()
    }

    /// The user, for people.
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

/// `AUTHINFO PASS`, whose argument is masked where it is displayed.
pub(super) fn password_line(password: &str) -> Result<Line> {
    let mut line = Line::command(PASSWORD);
    line.push_secret(password.bytes(), "password")?;
    Ok(line)
}
