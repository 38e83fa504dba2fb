//! What involves the user.

use std::borrow::Cow;

/// A question to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question {
    /// The password, which is then sent.
    Password,
    /// User and password, with which the request is repeated.
    Login,
    /// The words to search for.
    SearchWords,
    /// The answers to a form, which are sent with the selector.
    Form,
    /// Consent to start a program: its name and its arguments.
    Program(Vec<String>),
    /// Consent to a call.
    Call,
}

/// What is shown to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Show {
    /// The user name to log in as.
    User(Vec<u8>),
    /// That there is a password, which the plan does not contain.
    Password,
    /// A warning of the userinfo in the URL, which is not sent.
    Userinfo,
    /// A warning of the userinfo in the URL, which is sent as credentials.
    UserinfoSent,
    /// Where a session of another protocol is, and how to log in.
    Session(String),
    /// The composed message.
    Message,
    /// The session, in the terminal.
    Terminal,
}

impl Question {
    pub(super) fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::Password => "asks the user for the password, and sends it",
            Self::Login => "asks the user to log in, and tries again",
            Self::SearchWords => "asks the user for words to search for",
            Self::Form => "asks the user to fill in the form",
            Self::Program(words) => {
                let words = words.join(" ").into_bytes();
                return ("asks before starting", words.into());
            }
            Self::Call => "asks the user before calling",
        };
        (words, Cow::Borrowed(&[]))
    }
}

impl Show {
    pub(super) fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::User(user) => return ("shows the user name", user.into()),
            Self::Password => "shows the password",
            Self::Userinfo => "warns about the userinfo, and does not send it",
            Self::UserinfoSent => "warns about the userinfo, and sends it as credentials",
            Self::Session(text) => return ("tells the user", text.as_bytes().into()),
            Self::Message => "shows the message to the user, who decides whether to send it",
            Self::Terminal => "connects the terminal to the session",
        };
        (words, Cow::Borrowed(&[]))
    }
}
