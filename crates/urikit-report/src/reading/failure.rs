//! The reasons why inputs are invalid or have no result.

use super::whatwg::Refusal;
use crate::Reader;
use crate::repairs::Unrepaired;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use urikit::ParseError;
use urikit::error::{Expected, Found};
use urikit::op::iri::ToUriError;
use urikit::op::{RepairError, ResolveError};

/// The reason why an input is invalid or has no result.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The input breaks a rule of an RFC, at a known offset.
    Rfc(ParseError),
    /// Browsers reject the input. The browsers' parser does not report an offset.
    Whatwg(Refusal),
    /// The input is not valid text in the charset with this name.
    Charset(ParseError, &'static str),
    /// The host is not a valid domain name.
    Idna(ToUriError),
    /// The input is valid, but its target is not. The offset is a position in the target.
    Target(ParseError),
    /// The input is relative, but RFC 1738 defines no relative URLs.
    NoRelativeForms,
    /// The input is valid, but the operation is impossible.
    Operation(String),
    /// Another parser rejects the input.
    Other(String),
}

impl Failure {
    /// Returns true if the input is invalid, and false if it is valid but has no result.
    pub const fn is_of_input(&self) -> bool {
        match self {
            Self::Rfc(_)
            | Self::Whatwg(_)
            | Self::Charset(..)
            | Self::NoRelativeForms
            | Self::Other(_) => true,
            Self::Idna(_) | Self::Target(_) | Self::Operation(_) => false,
        }
    }

    /// Returns the class, as `--json` prints it.
    pub const fn class(&self) -> &'static str {
        match self {
            // The options require a result that this input does not have.
            Self::Operation(_) => "usage",
            _ => "syntax",
        }
    }

    /// Returns the parse error, if its offset is a position in the input.
    const fn placed(&self) -> Option<&ParseError> {
        match self {
            Self::Rfc(error) | Self::Charset(error, _) => Some(error),
            _ => None,
        }
    }

    /// Returns the offset in the input, in bytes.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Idna(ToUriError::Host { offset }) => Some(*offset),
            _ => match self.placed() {
                Some(error) => Some(error.offset()),
                None => None,
            },
        }
    }

    /// Returns the character found at the offset.
    pub fn found(&self) -> Option<Found> {
        self.placed()?.found()
    }

    /// Returns the characters expected at the offset.
    pub fn expected(&self) -> Option<Expected> {
        self.placed()?.expected()
    }

    /// Returns the production that does not match.
    pub fn production(&self) -> Option<&'static str> {
        self.placed()?.production()
    }

    /// Returns the standard and the section that contain the broken rule.
    pub fn section(&self) -> Option<&'static str> {
        match self {
            Self::Whatwg(_) => Some("WHATWG URL"),
            Self::Idna(_) => Some("RFC 3987, 3.1"),
            Self::NoRelativeForms => Some("RFC 1738, 2.3"),
            _ => self.placed()?.section(),
        }
    }

    /// Describes the error without the offset and the expected characters.
    pub fn summary(&self) -> Cow<'static, str> {
        match self {
            Self::Rfc(ParseError::Syntax(error))
            | Self::Charset(ParseError::Syntax(error), _)
            | Self::Target(ParseError::Syntax(error)) => match error.found() {
                Found::End => "the input ends too soon".into(),
                found => format!("found {found}").into(),
            },
            Self::Idna(ToUriError::Host { .. }) => {
                "expected an internationalized domain name".into()
            }
            other => other.to_string().into(),
        }
    }

    /// Describes the error and the broken rule without the offset, for grouping inputs with equal
    /// errors.
    pub fn reason(&self) -> String {
        let summary = self.summary();
        match (self.production(), self.section()) {
            (Some(production), Some(section)) => format!("{summary} ({production}, {section})"),
            (None, Some(section)) => format!("{summary} ({section})"),
            _ => summary.into_owned(),
        }
    }

    /// Describes the verdict, followed by `summary`.
    pub fn verdict(&self, reader: Reader, summary: &str) -> String {
        let document = reader.document();
        match self {
            Self::Rfc(_) | Self::Whatwg(_) => format!("not valid under {document}: {summary}"),
            Self::Charset(_, name) => format!("not {name}: {summary}"),
            Self::Target(error) => {
                let rule = match (error.production(), error.section()) {
                    (Some(production), Some(section)) => format!(" ({production}, {section})"),
                    _ => String::new(),
                };
                format!("the target would not be valid under {document}: {summary}{rule}")
            }
            Self::Idna(_) | Self::NoRelativeForms | Self::Operation(_) | Self::Other(_) => {
                summary.to_owned()
            }
        }
    }
}

impl From<Unrepaired> for Failure {
    fn from(why: Unrepaired) -> Self {
        match why {
            Unrepaired::NotUtf8(error) | Unrepaired::Rejected(RepairError::Parse(error)) => {
                Self::Rfc(error)
            }
            Unrepaired::Rejected(RepairError::NotADomainName { offset }) => {
                Self::Idna(ToUriError::Host { offset })
            }
            Unrepaired::Rejected(other) => Self::Operation(other.to_string()),
        }
    }
}

impl Unrepaired {
    /// Explains why `--lenient` did not repair an input.
    pub fn explain(self) -> String {
        let failure = Failure::from(self);
        let rule = match (failure.production(), failure.section()) {
            (Some(production), Some(section)) => format!(" ({production}, {section})"),
            (None, Some(section)) => format!(" ({section})"),
            _ => String::new(),
        };
        let why = match (self, failure.expected()) {
            (Self::NotUtf8(_), _) => "it is not UTF-8".to_owned(),
            // Section 3.2 defines the authority. Repairing the authority could send a request to
            // another server.
            _ if rule.contains("RFC 3986, 3.2") => {
                format!("a change would decide which host is meant{rule}")
            }
            (_, Some(_)) => format!("no repair is known for this error{rule}"),
            (_, None) => format!("{}{rule}", failure.summary()),
        };
        format!("--lenient cannot repair it: {why}")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rfc(error) | Self::Charset(error, _) => error.fmt(f),
            Self::Whatwg(refusal) => refusal.fmt(f),
            Self::Idna(error) => error.fmt(f),
            Self::Target(error) => ResolveError::Target(*error).fmt(f),
            Self::NoRelativeForms => ResolveError::NoRelativeForms.fmt(f),
            Self::Operation(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

impl Error for Failure {}
