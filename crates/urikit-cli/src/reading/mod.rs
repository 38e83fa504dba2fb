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

use crate::input::Given;
use crate::standard::Reader;
use std::borrow::Cow;
use std::fmt;
use urikit::error::{Expected, Found};
use urikit::op::ResolveError;
use urikit::op::iri::ToUriError;
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
        standard: Standard,
        given: Given<'a>,
        own: Result<AnyRef<'a>, ParseError>,
    },
    Whatwg(Result<whatwg::Url, whatwg::Refusal>),
}

/// Why a reader refuses an input.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// A standard does, at a place.
    Rfc(ParseError),
    /// Browsers would, and say no place.
    Whatwg(whatwg::Refusal),
    /// It is no text, or no text of a charset that was asked for, which has this name.
    Charset(ParseError, &'static str),
    /// Its host is no name of the DNS.
    Idna(ToUriError),
    /// It is valid, and what was made of it is not: the place is one in the result.
    Target(ParseError),
    /// It is relative, and RFC 1738 has no such URLs.
    NoRelativeForms,
    /// It is valid, and what was asked of it cannot be done.
    Operation(String),
}

impl Reader {
    /// Reads an input, which need not be UTF-8.
    pub(crate) fn read<'a>(self, given: impl Into<Given<'a>>) -> Reading<'a> {
        let given = given.into();
        let outcome = match self {
            Self::Rfc(standard) => Outcome::Rfc {
                standard,
                given,
                own: given.parse(standard),
            },
            Self::Whatwg => Outcome::Whatwg(whatwg::parse(given)),
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
    pub(crate) fn is_generic_valid(&self) -> bool {
        self.generic()
            .map_or_else(|| self.is_valid(), |generic| generic.is_ok())
    }

    /// By the generic production, where the standard has one besides the schemes' own. Few ask, and it is not read
    /// before.
    fn generic(&self) -> Option<Result<AnyRef<'a>, ParseError>> {
        match &self.outcome {
            Outcome::Rfc {
                standard, given, ..
            } if matches!(standard, Standard::Rfc1630 | Standard::Rfc1738) => {
                Some(given.parse_generic(*standard))
            }
            _ => None,
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
            Outcome::Rfc { .. } => self.generic()?.ok(),
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

    /// The same as a record; what is read by an RFC is none.
    pub(crate) const fn url(&self) -> Option<&whatwg::Url> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url),
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
    /// The error of a standard, or of a charset, that has a place in the input.
    const fn placed(&self) -> Option<&ParseError> {
        match self {
            Self::Rfc(error) | Self::Charset(error, _) => Some(error),
            _ => None,
        }
    }

    /// The byte offset of the place.
    pub(crate) const fn offset(&self) -> Option<usize> {
        match self {
            Self::Idna(ToUriError::Host { offset }) => Some(*offset),
            _ => match self.placed() {
                Some(error) => Some(error.offset()),
                None => None,
            },
        }
    }

    /// What stands there; `None` at the end.
    pub(crate) fn found(&self) -> Option<Found> {
        self.placed()?.found()
    }

    /// What could have stood there.
    pub(crate) fn expected(&self) -> Option<Expected> {
        self.placed()?.expected()
    }

    /// The production that breaks.
    pub(crate) fn production(&self) -> Option<&'static str> {
        self.placed()?.production()
    }

    /// The document and section.
    pub(crate) fn section(&self) -> Option<&'static str> {
        match self {
            Self::Whatwg(_) => Some("WHATWG URL"),
            Self::Idna(_) => Some("RFC 3987, 3.1"),
            Self::NoRelativeForms => Some("RFC 1738, 2.3"),
            _ => self.placed()?.section(),
        }
    }

    /// What is wrong, without what was expected, and without a place.
    pub(crate) fn summary(&self) -> Cow<'static, str> {
        match self {
            Self::Rfc(ParseError::Syntax(error))
            | Self::Charset(ParseError::Syntax(error), _)
            | Self::Target(ParseError::Syntax(error)) => match error.found() {
                Found::End => "the text ends too soon".into(),
                found => format!("found {found}").into(),
            },
            Self::Idna(ToUriError::Host { .. }) => "found no internationalized domain name".into(),
            other => other.to_string().into(),
        }
    }

    /// Whose rules are broken, and the `summary`.
    pub(crate) fn verdict(&self, reader: Reader, summary: &str) -> String {
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
            Self::Idna(_) | Self::NoRelativeForms | Self::Operation(_) => summary.to_owned(),
        }
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
            Self::Operation(message) => f.write_str(message),
        }
    }
}
