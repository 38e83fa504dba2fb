//! The conditions and steps of a plan.

use crate::plan;
use std::borrow::Cow;

/// A condition of HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server requires a login.
    LoginRequired,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::LoginRequired => "the server requires a login",
        }
    }
}

/// A step of HTTP, other than its request lines and header fields.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Warns about the userinfo in the URL.
    WarnOfUserinfo {
        /// Whether the userinfo is sent as credentials.
        is_sent: bool,
    },
    /// Sends this many bytes of data.
    SendData(u64),
    /// Repeats the request with an answer to the server's challenge, by the "Digest" scheme (RFC
    /// 7616).
    AnswerChallenge,
    /// Receives the body, or follows a redirect.
    ReceiveBody,
    /// Receives the header fields, or follows a redirect.
    ReceiveHead,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::WarnOfUserinfo { is_sent: false } => {
                "warns about the userinfo, and does not send it"
            }
            Self::WarnOfUserinfo { is_sent: true } => {
                "warns about the userinfo, and sends it as credentials"
            }
            Self::SendData(count) => {
                let count = count.to_string().into_bytes();
                return ("sends the data, in bytes", count.into());
            }
            Self::AnswerChallenge => {
                "repeats the request with the answer to the server's Digest challenge"
            }
            Self::ReceiveBody => "receives the body, or follows a redirect",
            Self::ReceiveHead => "receives the header fields, or follows a redirect",
        };
        (words, Cow::Borrowed(&[]))
    }
}
