//! The steps of a plan.

use crate::plan;
use std::borrow::Cow;

/// A step of an interactive session.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Shows the user name to log in with.
    ShowUser(Vec<u8>),
    /// Shows the password, which the plan does not contain.
    ShowPassword,
    /// Connects the terminal to the session.
    ConnectTerminal,
    /// Asks for consent to start a program: its name and its arguments.
    AskToStart(Vec<String>),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::ShowUser(user) => ("shows the user name", user.into()),
            Self::ShowPassword => ("shows the password", b"".into()),
            Self::ConnectTerminal => ("connects the terminal to the session", b"".into()),
            Self::AskToStart(words) => {
                let words = words.join(" ").into_bytes();
                ("asks before starting", words.into())
            }
        }
    }
}
