//! `error`, `scheme_error` and the like: why an input is invalid, or has no result. All of them
//! have one shape.

use super::{Object, Text};
use crate::reading::Failure;
use serde::ser::{Serialize, Serializer};
use std::fmt;
use urikit::ParseError;
use urikit::error::Found;
use urikit_access::{Class, ErrorKind, UrlError};
use urikit_schemes::ReadError;

impl<S: Serializer> Object<S> {
    /// Writes `valid`: an input may be valid and have no result.
    pub(crate) fn valid(&mut self, failure: Option<&Failure>) -> Result<(), S::Error> {
        self.field("valid", &!failure.is_some_and(Failure::is_of_input))
    }

    /// Writes `error`, which is `null` for an input that has a result.
    pub(crate) fn error(&mut self, failure: Option<&Failure>) -> Result<(), S::Error> {
        self.failure("error", failure)
    }

    /// The same under another key.
    pub(crate) fn failure(
        &mut self,
        key: &'static str,
        failure: Option<&Failure>,
    ) -> Result<(), S::Error> {
        self.field(key, &failure.map(Error::of))
    }

    /// The error of the first of two inputs that has one, with the errors of both under their
    /// keys.
    pub(crate) fn failures(
        &mut self,
        key: &'static str,
        of: [(&'static str, Option<&Failure>); 2],
    ) -> Result<(), S::Error> {
        let first = of.iter().find_map(|(_, failure)| *failure);
        self.field(key, &first.map(|first| Both { first, of }))
    }

    /// Writes why access failed, or would.
    pub(crate) fn access_error(
        &mut self,
        key: &'static str,
        error: Option<&urikit_access::Error>,
    ) -> Result<(), S::Error> {
        let Some(error) = error else {
            return self.field(key, &());
        };
        let class = class_of(error);
        let message = error;
        match error.kind() {
            ErrorKind::Invalid(parsed) if class == "syntax" => {
                self.field(key, &Error::of_parsed(*parsed, class, message))
            }
            ErrorKind::Url(UrlError::Read(read)) if class == "scheme" => {
                self.field(key, &Error::of_read(*read, message))
            }
            _ => self.field(key, &Error::<&str, _>::without_place(class, message)),
        }
    }

    /// Writes `scheme_error`: why a valid reference is not a URL of its scheme.
    pub(super) fn scheme_error(&mut self, error: Option<ReadError>) -> Result<(), S::Error> {
        self.field(
            "scheme_error",
            &error.map(|error| Error::of_read(error, error)),
        )
    }
}

/// The class of an error of access. What a server sent is never an error of the input.
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

/// The one shape of errors: of which class, where, what was found, what was expected, and by which
/// rule.
struct Error<E, M> {
    class: &'static str,
    /// In bytes.
    offset: Option<usize>,
    found: Option<Found>,
    expected: Option<E>,
    production: Option<&'static str>,
    section: Option<&'static str>,
    message: M,
}

impl<E, M> Error<E, M> {
    const fn without_place(class: &'static str, message: M) -> Self {
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
}

impl<'a> Error<urikit::error::Expected, &'a Failure> {
    fn of(failure: &'a Failure) -> Self {
        Self {
            class: failure.class(),
            offset: failure.offset(),
            found: failure.found(),
            expected: failure.expected(),
            production: failure.production(),
            section: failure.section(),
            message: failure,
        }
    }
}

impl<M> Error<urikit::error::Expected, M> {
    fn of_parsed(error: ParseError, class: &'static str, message: M) -> Self {
        Self {
            class,
            offset: Some(error.offset()),
            found: error.found(),
            expected: error.expected(),
            production: error.production(),
            section: error.section(),
            message,
        }
    }
}

impl<M> Error<&'static str, M> {
    fn of_read(error: ReadError, message: M) -> Self {
        let ReadError::Mismatch(mismatch) = error else {
            return Self::without_place("scheme", message);
        };
        let production = mismatch.production();
        Self {
            class: "scheme",
            offset: Some(mismatch.offset()),
            found: Some(mismatch.found()),
            expected: Some(mismatch.expected()),
            production: Some(production.name()),
            section: Some(production.section()),
            message,
        }
    }
}

impl<E: fmt::Display, M: fmt::Display> Error<E, M> {
    fn keys<S: Serializer>(&self, object: &mut Object<S>) -> Result<(), S::Error> {
        let found = match self.found {
            None | Some(Found::End) => None,
            Some(Found::Char(c)) => Some(c),
            Some(_) => Some(char::REPLACEMENT_CHARACTER),
        };
        object.field("class", self.class)?;
        object.field("offset", &self.offset)?;
        object.field("found", &found)?;
        object.field("expected", &self.expected.as_ref().map(Text))?;
        object.field("production", &self.production)?;
        object.field("section", &self.section)?;
        object.field("message", &Text(&self.message))
    }
}

impl<E: fmt::Display, M: fmt::Display> Serialize for Error<E, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        self.keys(&mut object)?;
        object.end()
    }
}

/// The first error of two inputs, and both under their keys.
struct Both<'a> {
    first: &'a Failure,
    of: [(&'static str, Option<&'a Failure>); 2],
}

impl Serialize for Both<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        Error::of(self.first).keys(&mut object)?;
        for (key, failure) in self.of {
            object.failure(key, failure)?;
        }
        object.end()
    }
}
