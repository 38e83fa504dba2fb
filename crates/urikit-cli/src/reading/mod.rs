//! What one reader makes of one input: the same answer whoever reads.

mod components;
mod meaning;
mod pairs;
mod record;
pub(crate) mod whatwg;

pub(crate) use components::Components;
pub(crate) use meaning::{Meaning, serialize_details};
pub(crate) use pairs::QueryPairs;
pub(crate) use record::{Error, Lossy, Record, Text};
pub(crate) use record::{serialize_absent, serialize_bytes, serialize_input, serialize_reading};

use crate::standard::Reader;
use std::borrow::Cow;
use std::fmt;
use urikit::error::{Expected, Found};
use urikit::scheme::Edition;
use urikit::{AnyRef, ParseError, Standard};

/// An input as one reader reads it.
pub(crate) struct Reading<'a> {
    reader: Reader,
    outcome: Outcome<'a>,
    /// Which text of its scheme says what it means, where that is not the one that goes with the standard.
    edition: Option<Edition>,
}

enum Outcome<'a> {
    Rfc {
        own: Result<AnyRef<'a>, ParseError>,
        /// By the generic production, where the standard has one besides the schemes' own.
        generic: Option<Result<AnyRef<'a>, ParseError>>,
    },
    Whatwg(Result<url::Url, whatwg::Refusal>),
}

/// Why a reader refuses an input.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// A standard does, at a place.
    Rfc(ParseError),
    /// Browsers would, and say no place.
    Whatwg(whatwg::Refusal),
    /// It is valid, and what was asked of it cannot be done.
    Operation(String),
}

impl Reader {
    /// Reads `bytes`, which need not be UTF-8.
    pub(crate) fn read(self, bytes: &[u8]) -> Reading<'_> {
        let outcome = match self {
            Self::Rfc(standard) => Outcome::Rfc {
                own: standard.parse_bytes(bytes),
                generic: matches!(standard, Standard::Rfc1630 | Standard::Rfc1738).then(|| {
                    match std::str::from_utf8(bytes) {
                        Ok(text) => standard.parse_generic(text),
                        Err(_) => standard.parse_bytes(bytes),
                    }
                }),
            },
            Self::Whatwg => Outcome::Whatwg(whatwg::parse(bytes)),
        };
        Reading {
            reader: self,
            outcome,
            edition: None,
        }
    }
}

impl<'a> Reading<'a> {
    /// The same, with the text of its scheme named.
    pub(crate) const fn by(mut self, edition: Option<Edition>) -> Self {
        self.edition = edition;
        self
    }

    /// Who reads.
    pub(crate) const fn reader(&self) -> Reader {
        self.reader
    }

    /// Whether the input is good, by its scheme's own production where there is one.
    pub(crate) const fn is_valid(&self) -> bool {
        match &self.outcome {
            Outcome::Rfc { own, .. } => own.is_ok(),
            Outcome::Whatwg(url) => url.is_ok(),
        }
    }

    /// Whether it is good by the generic production, whatever its scheme.
    pub(crate) const fn is_generic_valid(&self) -> bool {
        match &self.outcome {
            Outcome::Rfc {
                generic: Some(generic),
                ..
            } => generic.is_ok(),
            _ => self.is_valid(),
        }
    }

    /// Why it is not valid.
    pub(crate) fn failure(&self) -> Option<Failure> {
        match &self.outcome {
            Outcome::Rfc { own, .. } => own.as_ref().err().copied().map(Failure::Rfc),
            Outcome::Whatwg(url) => url.as_ref().err().copied().map(Failure::Whatwg),
        }
    }

    /// The reference as the core has it; by the generic production when only that fits.
    pub(crate) fn reference(&self) -> Option<AnyRef<'a>> {
        match &self.outcome {
            Outcome::Rfc { own: Ok(own), .. } => Some(*own),
            Outcome::Rfc { generic, .. } => generic.and_then(Result::ok),
            Outcome::Whatwg(_) => None,
        }
    }

    /// The URL that browsers make of it.
    pub(crate) fn href(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url.as_str()),
            _ => None,
        }
    }

    /// The components; by the generic production when only that fits.
    pub(crate) fn components(&self) -> Option<Components<'_>> {
        match &self.outcome {
            Outcome::Whatwg(url) => url.as_ref().ok().map(whatwg::components),
            Outcome::Rfc { .. } => self.reference().map(Components::of),
        }
    }
}

impl Failure {
    /// The byte offset of the place.
    pub(crate) const fn offset(&self) -> Option<usize> {
        match self {
            Self::Rfc(error) => Some(error.offset()),
            Self::Whatwg(_) | Self::Operation(_) => None,
        }
    }

    /// What stands there; `None` at the end.
    pub(crate) const fn found(&self) -> Option<Found> {
        match self {
            Self::Rfc(error) => error.found(),
            Self::Whatwg(_) | Self::Operation(_) => None,
        }
    }

    /// What could have stood there.
    pub(crate) const fn expected(&self) -> Option<Expected> {
        match self {
            Self::Rfc(error) => error.expected(),
            Self::Whatwg(_) | Self::Operation(_) => None,
        }
    }

    /// The production that breaks.
    pub(crate) const fn production(&self) -> Option<&'static str> {
        match self {
            Self::Rfc(error) => error.production(),
            Self::Whatwg(_) | Self::Operation(_) => None,
        }
    }

    /// The document and section.
    pub(crate) const fn section(&self) -> Option<&'static str> {
        match self {
            Self::Rfc(error) => error.section(),
            Self::Whatwg(_) => Some("WHATWG URL"),
            Self::Operation(_) => None,
        }
    }

    /// What is wrong, without what was expected.
    pub(crate) fn summary(&self) -> Cow<'static, str> {
        match self {
            Self::Rfc(ParseError::Syntax(error)) => match error.found() {
                Found::End => "the text ends too soon".into(),
                found => format!("found {found}").into(),
            },
            other => other.to_string().into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rfc(error) => error.fmt(f),
            Self::Whatwg(refusal) => refusal.fmt(f),
            Self::Operation(message) => f.write_str(message),
        }
    }
}
