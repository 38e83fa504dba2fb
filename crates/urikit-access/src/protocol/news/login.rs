//! User and password (RFC 4643, 2.3).

use super::command::{self, Command};
use super::plan::Condition;
use crate::command::{Argument, Secret};
use crate::error::Result;
use crate::plan::{Action, Plan, Question};
use crate::request::Credentials;
use urikit::component::Encoded;

/// A user, and the password if it is known.
pub(super) struct Login {
    pub(super) user: Argument,
    pub(super) password: Option<Secret>,
}

impl Login {
    /// From the user and password in a URL; `None` without a user.
    pub(super) fn from_url(
        user: Option<Encoded<'_>>,
        password: Option<Encoded<'_>>,
    ) -> Result<Option<Self>> {
        let Some(user) = user.filter(|user| !user.is_empty()) else {
            return Ok(None);
        };
        let password = password.map(|password| command::password(password.decode()));
        Ok(Some(Self {
            user: command::user(user.decode())?,
            password: password.transpose()?,
        }))
    }

    /// From the credentials of a request.
    pub(super) fn of(credentials: &Credentials) -> Result<Self> {
        Ok(Self {
            user: Argument::new(credentials.user.bytes(), "user")?,
            password: Some(Secret::new(credentials.password.bytes(), "password")?),
        })
    }

    pub(super) const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// A key for the pool. It contains the password and must not be displayed.
    pub(super) fn key(&self) -> String {
        let password = self.password.as_ref().map(Secret::octets);
        format!("{:?} {password:?}", self.user.octets())
    }

    pub(super) fn plan(&self, plan: &mut Plan) {
        plan.send(Command::AuthinfoUser(self.user.clone()));
        plan.push_if(
            Condition::PasswordAsked,
            match &self.password {
                Some(password) => Action::send(Command::AuthinfoPass(password.clone())),
                None => Action::Ask(Question::Password),
            },
        );
    }

    /// Whether it is for this user.
    pub(super) fn is_of(&self, user: &str) -> bool {
        self.user.octets() == user.as_bytes()
    }

    /// The user name, for questions.
    pub(super) fn name(&self) -> String {
        String::from_utf8_lossy(self.user.octets()).into_owned()
    }
}
