//! The conditions and steps of a plan.

use crate::plan;
use std::borrow::Cow;

/// A condition of Gopher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server does not support Gopher+.
    NoGopherPlus,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::NoGopherPlus => "the server does not support Gopher+",
        }
    }
}

/// A step of Gopher, other than its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Sends this selector and the words that the user typed.
    SendSearch(Vec<u8>),
    /// Sends the form that the user filled in.
    SendForm,
    /// Shows the host of a session of another protocol, and how to log in.
    ShowSession(String),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::SendSearch(selector) => (
                "sends the words after a TAB and the selector",
                selector.into(),
            ),
            Self::SendForm => ("sends the form", b"".into()),
            Self::ShowSession(text) => ("tells the user", text.as_bytes().into()),
        }
    }
}
