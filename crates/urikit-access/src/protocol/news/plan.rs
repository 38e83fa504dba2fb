//! The conditions and steps of a plan.

use crate::plan;
use std::borrow::Cow;

/// A condition of NNTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server offers reader mode, or does not support `CAPABILITIES` (RFC 3977, 3.4.2).
    ModeReader,
    /// The server asks for a password.
    PasswordAsked,
    /// The server requires a login.
    LoginRequired,
    /// The server refuses `OVER` (RFC 3977, 8.3).
    NoOver,
    /// The server refuses `LIST ACTIVE` with a pattern (RFC 3977, 7.6.3).
    NoListActive,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::ModeReader => "it is offered, or CAPABILITIES is not supported",
            Self::PasswordAsked => "the server asks for a password",
            Self::LoginRequired => "the server requires a login",
            Self::NoOver => "OVER is refused",
            Self::NoListActive => "LIST ACTIVE is refused",
        }
    }
}

/// A step of NNTP, other than its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Connects to the server in the settings, because the URL names none.
    ConnectToConfigured,
    /// Lists the articles of the selected group in ranges, by `OVER` or `XOVER`.
    ListArticles,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::ConnectToConfigured => "connects to the configured server",
            Self::ListArticles => {
                "lists the articles in ranges, by OVER, or by XOVER if that is refused"
            }
        };
        (words, Cow::Borrowed(&[]))
    }
}
