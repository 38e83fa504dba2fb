//! `--lenient` and `--guess`: what becomes of an input before it is parsed.

use super::changed::Changed;
use super::guess::guess;
use super::unparsed::Unparsed;
use crate::standard::Reader;
use urikit::op::repair::{RepairError, Repaired, repair, repair_for};
use urikit::{ParseError, Standard, UriBuf};

/// What may be changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    /// The rules that are followed.
    pub(crate) reader: Reader,
    /// `--lenient`: the standard by which an input is repaired that is not valid.
    pub(crate) lenient: Option<Standard>,
    /// `--guess`: a scheme is guessed.
    pub(crate) guess: bool,
}

/// What becomes of an input.
#[derive(Debug)]
pub(crate) enum Repairs {
    /// Nothing: it is valid, or stays as it is.
    Unneeded,
    /// Another reference.
    Made(Changed),
    /// Nothing: it cannot be repaired.
    Failed(Unrepaired),
}

/// Why an input could not be repaired.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unrepaired {
    /// It is not a reference even with the changes.
    Rejected(RepairError),
    /// Only text is repaired, and it is not UTF-8.
    NotUtf8(ParseError),
}

impl Repairs {
    /// The standards under which inputs are repaired. A repaired reference is a URI as RFC 3986
    /// defines it, and so an IRI; the older standards have other rules for what it may contain.
    pub(crate) const STANDARDS: [Standard; 2] = [Standard::Rfc3986, Standard::Rfc3987];

    /// Guesses the scheme of an input, and repairs it unless it is valid, as far as `tolerance`
    /// says. Before a reference that has no scheme is repaired, `base` returns what it will be
    /// resolved against.
    pub(crate) fn of(
        input: Unparsed<'_>,
        tolerance: Tolerance,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Self {
        let guess = input.text.filter(|_| tolerance.guess).and_then(guess);
        if let (Some(text), Some(guess)) = (input.text, guess) {
            let guessed = guess.apply(text);
            if is_valid(&guessed, tolerance.reader) {
                return Self::Made(Changed::guessed(guessed, guess));
            }
            if let (Some(_), Ok(repaired)) = (tolerance.lenient, repair(&guessed)) {
                return Self::Made(Changed::guessed_and_repaired(repaired, guess));
            }
        }
        match tolerance.lenient {
            Some(standard) => Self::repaired(input, standard, base),
            None => Self::Unneeded,
        }
    }

    fn repaired(
        input: Unparsed<'_>,
        standard: Standard,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Self {
        let Err(error) = input.parse(standard) else {
            return Self::Unneeded;
        };
        let Some(text) = input.text else {
            return Self::Failed(Unrepaired::NotUtf8(error));
        };
        let repaired: Result<Repaired, _> = match base() {
            Some(base) => repair_for(text, &base),
            None => repair(text),
        };
        match repaired {
            Ok(repaired) => Self::Made(repaired.into()),
            Err(error) => Self::Failed(Unrepaired::Rejected(error)),
        }
    }

    /// What it became.
    pub(crate) const fn made(&self) -> Option<&Changed> {
        match self {
            Self::Made(changed) => Some(changed),
            Self::Unneeded | Self::Failed(_) => None,
        }
    }

    /// Why it could not be repaired.
    pub(crate) const fn failed(&self) -> Option<Unrepaired> {
        match self {
            Self::Failed(why) => Some(*why),
            Self::Unneeded | Self::Made(_) => None,
        }
    }

    /// The same, with offsets in a text that has so many more bytes before the reference.
    pub(super) fn after(mut self, prefix: usize) -> Self {
        if let Self::Made(changed) = &mut self {
            for change in &mut changed.changes {
                change.offset += prefix;
            }
        }
        self
    }
}

/// Browsers repair what they read, so a guess is never wrong for them.
fn is_valid(text: &str, reader: Reader) -> bool {
    match reader {
        Reader::Rfc(standard) => standard.parse(text).is_ok(),
        Reader::Whatwg => true,
    }
}
