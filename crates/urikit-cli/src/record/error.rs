//! Serializes `error`, `scheme_error`, `access_error` and `repair_error`, which share one shape.

use super::Object;
use crate::reading::Failure;
use serde::ser::Serializer;
use urikit::ParseError;
use urikit::error::Found;
use urikit_access::{Class, ErrorKind, UrlError};
use urikit_schemes::ReadError;

impl<S: Serializer> Object<S> {
    /// Writes `valid`, which may be true for an input without a result.
    pub(crate) fn valid(&mut self, failure: Option<&Failure>) -> Result<(), S::Error> {
        self.field("valid", &!failure.is_some_and(Failure::is_of_input))
    }

    /// Writes `error`, which is `null` for an input that has a result.
    pub(crate) fn error(&mut self, failure: Option<&Failure>) -> Result<(), S::Error> {
        self.failure("error", failure)
    }

    /// Writes an error under another key.
    pub(crate) fn failure(
        &mut self,
        key: &'static str,
        failure: Option<&Failure>,
    ) -> Result<(), S::Error> {
        self.field(key, &failure.map(ErrorRecord::from))
    }

    /// Writes the first error of two inputs, with the keys `a` and `b` for the error of each.
    pub(crate) fn error_of_two(
        &mut self,
        a: Option<&Failure>,
        b: Option<&Failure>,
    ) -> Result<(), S::Error> {
        let error = a.or(b).map(|first| ErrorOfTwo {
            first: first.into(),
            a: a.map(ErrorRecord::from),
            b: b.map(ErrorRecord::from),
        });
        self.field("error", &error)
    }

    /// Writes an error of access.
    pub(crate) fn access_error(
        &mut self,
        key: &'static str,
        error: Option<&urikit_access::Error>,
    ) -> Result<(), S::Error> {
        let Some(error) = error else {
            return self.field(key, &());
        };
        let class = class_of(error);
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Invalid(parsed) if class == "syntax" => {
                self.field(key, &ErrorRecord::of_parsed(*parsed, class, message))
            }
            ErrorKind::Url(UrlError::Read(read)) if class == "scheme" => {
                self.field(key, &ErrorRecord::of_read(*read, message))
            }
            _ => self.field(key, &ErrorRecord::without_place(class, message)),
        }
    }

    /// Writes `scheme_error`, for a valid reference that is not a URL of its scheme.
    pub(super) fn scheme_error(&mut self, error: Option<ReadError>) -> Result<(), S::Error> {
        self.field(
            "scheme_error",
            &error.map(|error| ErrorRecord::of_read(error, error.to_string())),
        )
    }
}

/// Returns the class of an error of access. Invalid data from a server is never an error of the
/// input.
fn class_of(error: &urikit_access::Error) -> &'static str {
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

/// The shape of all errors.
#[derive(serde::Serialize)]
pub(crate) struct ErrorRecord {
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
            expected: failure.expected().map(|expected| expected.to_string()),
            production: failure.production(),
            section: failure.section(),
            message: failure.to_string(),
        }
    }
}

impl ErrorRecord {
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
            expected: error.expected().map(|expected| expected.to_string()),
            production: error.production(),
            section: error.section(),
            message,
        }
    }

    fn of_read(error: ReadError, message: String) -> Self {
        let ReadError::Mismatch(mismatch) = error else {
            return Self::without_place("scheme", message);
        };
        let production = mismatch.production();
        Self {
            class: "scheme",
            offset: Some(mismatch.offset()),
            found: found_char(mismatch.found()),
            expected: Some(mismatch.expected().to_string()),
            production: Some(production.name()),
            section: Some(production.section()),
            message,
        }
    }
}

/// Returns the character found, or U+FFFD for an octet. Returns `None` at the end of the input.
fn found_char(found: Found) -> Option<char> {
    match found {
        Found::End => None,
        Found::Char(c) => Some(c),
        _ => Some(char::REPLACEMENT_CHARACTER),
    }
}

/// The first error of two inputs, and the error of each.
#[derive(serde::Serialize)]
struct ErrorOfTwo {
    #[serde(flatten)]
    first: ErrorRecord,
    a: Option<ErrorRecord>,
    b: Option<ErrorRecord>,
}
