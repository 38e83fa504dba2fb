//! The steps of a plan.

use crate::plan;
use std::borrow::Cow;
use std::path::PathBuf;

/// A step of finding a message, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Finds the message with this Message-ID in received mail.
    FindMessage(Vec<u8>),
    /// Takes the part with this Content-ID out of the message.
    TakePart(Vec<u8>),
    /// Finds the part with this Content-ID, in the message that refers to it.
    FindPart(Vec<u8>),
    /// Searches a mailbox, a Maildir or a message file.
    SearchStore(PathBuf),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::FindMessage(id) => ("looks in received mail for the message", id.into()),
            Self::TakePart(id) => ("takes its body part", id.into()),
            Self::FindPart(id) => (
                "takes, from the message that refers to it, the body part",
                id.into(),
            ),
            Self::SearchStore(path) => {
                let path = path.to_string_lossy().into_owned();
                ("searches", path.into_bytes().into())
            }
        }
    }
}
