//! Serializes `error`, `scheme_error`, `access_error` and `repair_error`, which share one shape.

use crate::reading::Failure;
use std::fmt::{Display, Write as _};
use urikit::ParseError;
use urikit::error::Found;
use urikit_access::{Class, Error, ErrorKind, UrlError};
use urikit_schemes::ReadError;

/// Returns the class of an access error. Invalid data from a server never counts as an error in the
/// input.
fn class_of(error: &Error) -> &'static str {
    match (error.class(), error.kind()) {
        (Class::Local, _) => "io",
        (Class::Refused, _) => "policy",
        (Class::Invalid, ErrorKind::Url(_)) | (_, ErrorKind::NoProtocol { .. }) => "scheme",
        (Class::Invalid, ErrorKind::Gateway(_)) => "usage",
        (Class::Invalid, _) => "syntax",
        (
            Class::Failed,
            ErrorKind::HostNotFound
            | ErrorKind::Untrusted(_)
            | ErrorKind::Network(_)
            | ErrorKind::Timeout(_)
            | ErrorKind::EndedEarly { .. },
        ) => "network",
        (Class::Failed, _) => "protocol",
    }
}

/// The JSON object that describes an error.
#[derive(serde::Serialize)]
pub struct ErrorRecord {
    class: &'static str,
    /// The offset in the input, in bytes.
    offset: Option<usize>,
    found: Option<char>,
    expected: Option<String>,
    production: Option<&'static str>,
    section: Option<&'static str>,
    message: String,
}

impl From<&Failure> for ErrorRecord {
    fn from(failure: &Failure) -> Self {
        Self {
            class: failure.class(),
            offset: failure.offset(),
            found: failure.found().and_then(found_char),
            expected: failure.expected().map(sentence),
            production: failure.production(),
            section: failure.section(),
            message: sentence(failure),
        }
    }
}

impl From<&Error> for ErrorRecord {
    fn from(error: &Error) -> Self {
        let class = class_of(error);
        let message = sentence(error);
        match error.kind() {
            ErrorKind::Invalid(parsed) if class == "syntax" => {
                Self::of_parsed(*parsed, class, message)
            }
            ErrorKind::Url(UrlError::Read(read)) if class == "scheme" => (*read).into(),
            _ => Self::without_place(class, message),
        }
    }
}

impl From<ReadError> for ErrorRecord {
    fn from(error: ReadError) -> Self {
        let message = sentence(error);
        let ReadError::Mismatch(mismatch) = error else {
            return Self::without_place("scheme", message);
        };
        let production = mismatch.production();
        Self {
            class: "scheme",
            offset: Some(mismatch.offset()),
            found: found_char(mismatch.found()),
            expected: Some(sentence(mismatch.expected())),
            production: Some(production.name()),
            section: Some(production.section()),
            message,
        }
    }
}

impl ErrorRecord {
    /// Returns the values of an error's keys, in order.
    pub fn cells(&self) -> [Option<String>; 6] {
        [
            Some(self.class.to_owned()),
            self.offset.map(|offset| offset.to_string()),
            self.found.map(String::from),
            self.expected.clone(),
            self.production.map(str::to_owned),
            self.section.map(str::to_owned),
        ]
    }

    const fn without_place(class: &'static str, message: String) -> Self {
        Self {
            class,
            offset: None,
            found: None,
            expected: None,
            production: None,
            section: None,
            message,
        }
    }

    fn of_parsed(error: ParseError, class: &'static str, message: String) -> Self {
        Self {
            class,
            offset: Some(error.offset()),
            found: error.found().and_then(found_char),
            expected: error.expected().map(sentence),
            production: error.production(),
            section: error.section(),
            message,
        }
    }
}

/// Formats a value into a string that has room for a sentence. Messages are written in up to ten
/// pieces, and growing the string for each piece would take longer than writing the message.
fn sentence(value: impl Display) -> String {
    let mut text = String::with_capacity(160);
    let _ = write!(text, "{value}");
    text
}

/// Returns the character found, or U+FFFD for an octet. Returns `None` at the end of the input.
fn found_char(found: Found) -> Option<char> {
    match found {
        Found::End => None,
        Found::Char(c) => Some(c),
        _ => Some(char::REPLACEMENT_CHARACTER),
    }
}

/// The errors of two inputs. The keys of the first error also appear at the top level.
#[derive(serde::Serialize)]
pub struct ErrorOfTwo {
    #[serde(flatten)]
    first: ErrorRecord,
    a: Option<ErrorRecord>,
    b: Option<ErrorRecord>,
}

impl ErrorOfTwo {
    /// Returns `None` if neither input has an error.
    pub fn new([a, b]: [Option<&Failure>; 2]) -> Option<Self> {
        Some(Self {
            first: a.or(b)?.into(),
            a: a.map(ErrorRecord::from),
            b: b.map(ErrorRecord::from),
        })
    }
}
