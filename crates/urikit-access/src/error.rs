//! Errors: which step failed, what was sent, and what came back.

use crate::policy::Refusal;
use crate::show::shown;
use std::fmt;
use std::io;
use urikit::ParseError;
use urikit::scheme::{AccessError, GatewayError};

/// Why a reference could not be followed.
///
/// `Display` is one line: the step, the reason, what was sent last (secrets masked) and what came back.
#[derive(Debug)]
pub struct Error(Box<Parts>); // a pointer, so that results stay small

#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    step: Option<String>,
    sent: Option<String>,
    received: Option<String>,
    steps: Vec<String>,
    /// Whether the network gave what it is about.
    is_networks: bool,
}

/// The reason.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is no reference.
    Invalid(ParseError),
    /// The reference has no scheme: it is relative, and nothing says to what.
    Relative,
    /// It is no URL of its scheme, or stands for what its protocol cannot send.
    Url(AccessError),
    /// The gateway cannot be asked for it.
    Gateway(GatewayError),
    /// Nothing here speaks the scheme's protocol, and there is no gateway for it.
    NoProtocol {
        /// The scheme.
        scheme: String,
    },
    /// The scheme's protocol has no such thing, or it is not asked for in this way.
    Unsupported(&'static str),
    /// The policy says no.
    Refused(Refusal),
    /// The host's name leads to no address.
    NoAddress,
    /// A connection could not be made, or broke.
    Network(io::Error),
    /// It took longer than is allowed: connecting, silence, or all of it.
    Timeout(&'static str),
    /// The connection ended too early.
    EndedEarly {
        /// How many bytes had been announced, where they were.
        expected: Option<u64>,
        /// How many came.
        received: u64,
    },
    /// More bytes came than had been announced.
    TooMuch {
        /// How many had been announced.
        expected: u64,
    },
    /// A line is longer than is allowed.
    LongLine {
        /// How many bytes are allowed.
        most: usize,
    },
    /// The server does not speak the protocol: what was expected of it.
    Protocol(&'static str),
    /// The server says no.
    Denied,
    /// It is not where it was looked for.
    NotFound {
        /// Where that was.
        searched: String,
    },
    /// A password is needed, and nobody is there to give it.
    NoPassword,
    /// The server gives the whole only, and not what is still missing.
    NoResuming,
    /// A file of this machine could not be read or written, or what takes the bytes could not.
    Local(io::Error),
}

/// What kind of failure it is, for an exit status.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The input is none that could be followed.
    Invalid,
    /// This machine's files, or the output.
    Local,
    /// The policy.
    Refused,
    /// The network, the protocol, or the server.
    Failed,
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of that kind, of no step yet.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Parts {
            kind,
            step: None,
            sent: None,
            received: None,
            steps: Vec::new(),
            is_networks: false,
        }))
    }

    /// The same, in a step: what was being done, such as `connecting to h.dom:21`. The first, innermost step stays.
    #[must_use]
    pub fn at(mut self, step: impl Into<String>) -> Self {
        self.0.step.get_or_insert_with(|| step.into());
        self
    }

    /// The same, after this had been sent, secrets masked. What was said first stays.
    #[must_use]
    pub fn sent(mut self, sent: &[u8]) -> Self {
        if !sent.is_empty() {
            self.0.sent.get_or_insert_with(|| shown(sent));
        }
        self
    }

    /// The same, with what came back. What was said first stays.
    #[must_use]
    pub fn received(mut self, received: &[u8]) -> Self {
        self.0.received.get_or_insert_with(|| shown(received));
        self
    }

    /// The same, with all that had been done.
    #[must_use]
    pub(crate) fn with_steps(mut self, steps: Vec<String>) -> Self {
        self.0.steps = steps;
        self
    }

    /// The same, about a reference that the network gave: it is no input.
    #[must_use]
    pub(crate) fn of_network(mut self) -> Self {
        self.0.is_networks = true;
        self
    }

    /// The reason.
    pub const fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What had been done until then, secrets masked.
    pub fn steps(&self) -> &[String] {
        &self.0.steps
    }

    /// What kind of failure it is.
    pub const fn class(&self) -> Class {
        match self.kind() {
            ErrorKind::Invalid(_)
            | ErrorKind::Relative
            | ErrorKind::Url(_)
            | ErrorKind::Gateway(_)
                if !self.0.is_networks =>
            {
                Class::Invalid
            }
            ErrorKind::Local(_) => Class::Local,
            ErrorKind::Refused(_) => Class::Refused,
            _ => Class::Failed,
        }
    }

    /// An error of reading or writing a connection. Waiting too long is one of its own.
    pub(crate) fn network(error: io::Error) -> Self {
        Self::new(match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                ErrorKind::Timeout("nothing came or went for too long")
            }
            _ => ErrorKind::Network(error),
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = &self.0.step {
            write!(f, "{step}: ")?;
        }
        self.kind().fmt(f)?;
        if let Some(sent) = &self.0.sent {
            write!(f, "; sent \"{sent}\"")?;
        }
        if let Some(received) = &self.0.received {
            write!(f, "; received \"{received}\"")?;
        }
        Ok(())
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Relative => f.write_str("expected a scheme, found a relative reference"),
            Self::Url(error) => error.fmt(f),
            Self::Gateway(error) => error.fmt(f),
            Self::NoProtocol { scheme } => write!(
                f,
                "nothing here follows the scheme `{scheme}`, and no gateway is set for it"
            ),
            Self::Unsupported(what) | Self::Timeout(what) => f.write_str(what),
            Self::Refused(refusal) => write!(f, "refused: {refusal}"),
            Self::NoAddress => f.write_str("the name leads to no address"),
            Self::Network(error) | Self::Local(error) => error.fmt(f),
            Self::EndedEarly {
                expected: Some(expected),
                received,
            } => write!(
                f,
                "expected {expected} bytes, found the end after {received}"
            ),
            Self::EndedEarly { received, .. } => {
                write!(f, "the connection ended too early, after {received} bytes")
            }
            Self::TooMuch { expected } => {
                write!(f, "expected the end after {expected} bytes, found more")
            }
            Self::LongLine { most } => write!(
                f,
                "expected a line of at most {most} bytes, found a longer one"
            ),
            Self::Protocol(expected) => write!(f, "expected {expected}"),
            Self::Denied => f.write_str("the server says no"),
            Self::NotFound { searched } => {
                write!(f, "expected it in {searched}, and found it nowhere there")
            }
            Self::NoPassword => f.write_str("a password is needed, and nobody is there to give it"),
            Self::NoResuming => f.write_str("the server gives the whole only: nothing is resumed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Invalid(error) => Some(error),
            ErrorKind::Url(error) => Some(error),
            ErrorKind::Gateway(error) => Some(error),
            ErrorKind::Refused(refusal) => Some(refusal),
            ErrorKind::Network(error) | ErrorKind::Local(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorKind::Refused(refusal))
    }
}

impl From<AccessError> for Error {
    fn from(error: AccessError) -> Self {
        Self::new(ErrorKind::Url(error))
    }
}

impl From<urikit::scheme::ReadError> for Error {
    fn from(error: urikit::scheme::ReadError) -> Self {
        Self::new(ErrorKind::Url(AccessError::Read(error)))
    }
}

impl From<GatewayError> for Error {
    fn from(error: GatewayError) -> Self {
        Self::new(ErrorKind::Gateway(error))
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, ErrorKind};

    #[test]
    fn an_error_is_one_line() {
        let error = Error::new(ErrorKind::Denied)
            .at("the file is fetched")
            .sent(b"RETR motd")
            .received(b"550 \x1b[2J\"no\"\r\n\xff");
        assert_eq!(
            error.to_string(),
            "the file is fetched: the server says no; sent \"RETR motd\"; received \
             \"550 \\u{1b}[2J\"no\"\\r\\n\\xff\""
        );
    }
}
