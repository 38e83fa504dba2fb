//! The outcome of a link, with its reason.

use crate::Rule;
use std::fmt;

/// The result of checking a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The target exists.
    Ok,
    /// The target does not exist.
    Broken(Reason),
    /// The target may exist, but this could not be established.
    Unverifiable(Reason),
    /// The link was not checked.
    NotChecked(Reason),
}

/// An outcome without its reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutcomeKind {
    /// The target exists.
    Ok,
    /// The target does not exist.
    Broken,
    /// The target may exist, but the check could not confirm this.
    Unverifiable,
    /// The link was not checked.
    NotChecked,
}

impl OutcomeKind {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Broken, Self::Unverifiable, Self::NotChecked];

    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Broken => "broken",
            Self::Unverifiable => "unverifiable",
            Self::NotChecked => "not-checked",
        }
    }

    /// Returns the rule that the outcome breaks; `None` if the target exists.
    pub const fn rule(self) -> Option<Rule> {
        match self {
            Self::Ok => None,
            Self::Broken => Some(Rule::Broken),
            Self::Unverifiable => Some(Rule::Unverifiable),
            Self::NotChecked => Some(Rule::NotChecked),
        }
    }
}

impl Outcome {
    /// Returns the outcome without its reason.
    pub const fn kind(&self) -> OutcomeKind {
        match self {
            Self::Ok => OutcomeKind::Ok,
            Self::Broken(_) => OutcomeKind::Broken,
            Self::Unverifiable(_) => OutcomeKind::Unverifiable,
            Self::NotChecked(_) => OutcomeKind::NotChecked,
        }
    }

    /// Returns the reason; `None` if the target exists.
    pub const fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Ok => None,
            Self::Broken(reason) | Self::Unverifiable(reason) | Self::NotChecked(reason) => {
                Some(reason)
            }
        }
    }

    /// Returns the rule that the outcome breaks; `None` if the target exists.
    pub const fn rule(&self) -> Option<Rule> {
        self.kind().rule()
    }
}

/// The reason for an outcome other than ok.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The HTTP status of the response.
    Status(u16),
    /// The host name does not exist in the DNS.
    NoSuchHost,
    /// The DNS did not answer.
    DnsFailure,
    /// The server refused the connection.
    ConnectionRefused,
    /// The request took too long.
    Timeout,
    /// The redirects form a loop.
    RedirectLoop,
    /// The number of redirects exceeds the limit.
    TooManyRedirects,
    /// The certificate is not valid, for the given reason.
    Tls(String),
    /// The file does not exist.
    NoSuchFile {
        /// The nearest name that exists, if any is similar.
        nearest: Option<String>,
    },
    /// The file has moved.
    Moved {
        /// The new URL of the file.
        to: String,
    },
    /// The server answered, in a protocol other than HTTP, that the document does not exist.
    NotFound(String),
    /// The server requires a login, in a protocol other than HTTP.
    LoginRequired,
    /// A page asks visitors to prove that they are human.
    BotWall,
    /// robots.txt forbids the request.
    Robots,
    /// A script creates the page's content.
    Script,
    /// This program does not support the scheme.
    UnknownScheme(String),
    /// A mail address.
    MailAddress,
    /// An option or a comment excludes the link.
    Excluded,
    /// The policy forbids the access, for the given reason.
    Refused(String),
    /// Network access is switched off.
    Offline,
    /// The run ended before the link was checked.
    Interrupted,
    /// The reference is not valid: the parser returned the given error.
    Invalid(String),
    /// The reference is relative, and its document has no base.
    NoBase,
    /// Fragments in documents of this format cannot be checked.
    Fragment,
    /// Another failure, such as a server that violates its protocol.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Status(status) => return status_text(*status, f),
            Self::NoSuchHost => "the host name does not exist",
            Self::DnsFailure => "the DNS did not answer",
            Self::ConnectionRefused => "the server refused the connection",
            Self::Timeout => "the request timed out",
            Self::RedirectLoop => "the redirects form a loop",
            Self::TooManyRedirects => "too many redirects",
            Self::Tls(reason) => return write!(f, "the certificate is not valid: {reason}"),
            Self::NoSuchFile { .. } => "no such file",
            Self::Moved { .. } => "the file has moved",
            Self::LoginRequired => "the server requires a login",
            Self::BotWall => "the server admits only browsers",
            Self::Robots => "robots.txt forbids the request",
            Self::Script => "a script creates the page's content",
            Self::UnknownScheme(scheme) => return write!(f, "{scheme}: URLs cannot be checked"),
            Self::MailAddress => "mail addresses are not checked",
            Self::Excluded => "excluded",
            Self::Refused(reason) => return write!(f, "refused: {reason}"),
            Self::Interrupted => "the run was interrupted",
            Self::Offline => "network access is switched off",
            Self::NoBase => "the reference is relative, and the document has no base",
            Self::Fragment => "fragments cannot be checked in this format",
            Self::Invalid(error) => return write!(f, "invalid: {error}"),
            Self::NotFound(text) | Self::Failed(text) => text,
        };
        f.write_str(text)
    }
}

/// Writes a status with its reason phrase, if it is registered.
fn status_text(status: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{status}")?;
    let phrase = http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    match phrase {
        Some(phrase) => write!(f, " {phrase}"),
        None => Ok(()),
    }
}
