//! One input, parsed by one reader.

use super::components::Components;
use super::failure::Failure;
use super::whatwg;
use crate::input::Unparsed;
use crate::standard::Reader;
use urikit::{AnyRef, ParseError, Standard};
use urikit_schemes::Edition;

/// An input, parsed by one reader.
pub(crate) struct Reading<'a> {
    reader: Reader,
    outcome: Outcome<'a>,
    /// The edition of the scheme's specification, if it is not the one of the standard's time.
    edition: Option<Edition>,
}

enum Outcome<'a> {
    Rfc {
        standard: Standard,
        input: Unparsed<'a>,
        own: Result<AnyRef<'a>, ParseError>,
    },
    Whatwg(Result<whatwg::Url, whatwg::Refusal>),
}

impl Reader {
    /// Parses an input, which need not be UTF-8.
    pub(crate) fn read<'a>(self, input: impl Into<Unparsed<'a>>) -> Reading<'a> {
        let input = input.into();
        let outcome = match self {
            Self::Rfc(standard) => Outcome::Rfc {
                standard,
                input,
                own: input.parse(standard),
            },
            Self::Whatwg => Outcome::Whatwg(whatwg::parse(input)),
        };
        Reading {
            reader: self,
            outcome,
            edition: None,
        }
    }
}

impl<'a> Reading<'a> {
    /// The same, with another edition of the scheme's specification.
    pub(crate) const fn by(mut self, edition: Option<Edition>) -> Self {
        self.edition = edition;
        self
    }

    /// The edition of the scheme's specification, if one was chosen.
    pub(super) const fn edition(&self) -> Option<Edition> {
        self.edition
    }

    /// The reader that parsed it.
    pub(crate) const fn reader(&self) -> Reader {
        self.reader
    }

    /// Whether the input is valid, by its scheme's production where the standard has one.
    pub(crate) const fn is_valid(&self) -> bool {
        match &self.outcome {
            Outcome::Rfc { own, .. } => own.is_ok(),
            Outcome::Whatwg(url) => url.is_ok(),
        }
    }

    /// Whether it is valid by the generic production, whatever its scheme.
    pub(crate) fn is_generic_valid(&self) -> bool {
        self.generic()
            .map_or_else(|| self.is_valid(), |generic| generic.is_ok())
    }

    /// The result of the generic production, where the standard has separate ones for schemes. It
    /// is rarely needed, so it is parsed on demand.
    fn generic(&self) -> Option<Result<AnyRef<'a>, ParseError>> {
        match &self.outcome {
            Outcome::Rfc {
                standard, input, ..
            } if matches!(standard, Standard::Rfc1630 | Standard::Rfc1738) => {
                Some(input.parse_generic(*standard))
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

    /// The core's reference; parsed by the generic production if only that matches.
    pub(crate) fn reference(&self) -> Option<AnyRef<'a>> {
        match &self.outcome {
            Outcome::Rfc { own: Ok(own), .. } => Some(*own),
            Outcome::Rfc { .. } => self.generic()?.ok(),
            Outcome::Whatwg(_) => None,
        }
    }

    /// The URL that browsers parse it into.
    pub(crate) fn href(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url.as_str()),
            _ => None,
        }
    }

    /// The same as a URL record; `None` for the RFCs.
    pub(crate) const fn url(&self) -> Option<&whatwg::Url> {
        match &self.outcome {
            Outcome::Whatwg(Ok(url)) => Some(url),
            _ => None,
        }
    }

    /// The components; by the generic production if only that matches.
    pub(crate) fn components(&self) -> Option<Components<'_>> {
        match &self.outcome {
            Outcome::Whatwg(url) => url.as_ref().ok().map(whatwg::components),
            Outcome::Rfc { .. } => self.reference().map(Components::of),
        }
    }
}
