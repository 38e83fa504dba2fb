//! `error` and `scheme_error`: why an input is invalid, or has no result.

use super::object::{Object, Text};
use crate::reading::Failure;
use serde::ser::{Serialize, Serializer};
use std::fmt;
use urikit::error::Found;
use urikit::grammar::Rule;
use urikit_schemes::ReadError;

impl<S: Serializer> Object<S> {
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
        let error = failure.map(|failure| Error {
            offset: failure.offset(),
            found: failure.found(),
            expected: failure.expected(),
            production: failure.production(),
            section: failure.section(),
            message: failure,
        });
        self.field(key, &error)
    }

    /// Writes `scheme_error`: why a valid reference is not a URL of its scheme.
    pub(super) fn scheme_error(&mut self, error: Option<ReadError>) -> Result<(), S::Error> {
        let Some(error) = error else {
            return self.field("scheme_error", &());
        };
        let mismatch = match error {
            ReadError::Mismatch(mismatch) => Some(mismatch),
            _ => None,
        };
        let production = mismatch.map(|mismatch| mismatch.production());
        let error = Error {
            offset: mismatch.map(|mismatch| mismatch.offset()),
            found: mismatch.map(|mismatch| mismatch.found()),
            expected: mismatch.map(|mismatch| mismatch.expected()),
            production: production.as_ref().map(Rule::name),
            section: production.as_ref().map(Rule::section),
            message: error,
        };
        self.field("scheme_error", &error)
    }
}

/// Where, what was found, what was expected, and by which rule.
struct Error<E, M> {
    /// In bytes.
    offset: Option<usize>,
    found: Option<Found>,
    expected: Option<E>,
    production: Option<&'static str>,
    section: Option<&'static str>,
    message: M,
}

impl<E: fmt::Display, M: fmt::Display> Serialize for Error<E, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = match self.found {
            None | Some(Found::End) => None,
            Some(Found::Char(c)) => Some(c),
            Some(_) => Some(char::REPLACEMENT_CHARACTER),
        };
        let mut object = Object::new(serializer)?;
        object.field("offset", &self.offset)?;
        object.field("found", &found)?;
        object.field("expected", &self.expected.as_ref().map(Text))?;
        object.field("production", &self.production)?;
        object.field("section", &self.section)?;
        object.field("message", &Text(&self.message))?;
        object.end()
    }
}
