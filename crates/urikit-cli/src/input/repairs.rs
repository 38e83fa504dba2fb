//! `--lenient`: what becomes of an input that is not a valid reference.

use super::unparsed::Unparsed;
use urikit::op::repair::{RepairError, Repaired, repair, repair_for};
use urikit::{ParseError, Standard, UriBuf};

/// What `--lenient` makes of an input.
#[derive(Debug)]
pub(crate) enum Repairs {
    /// Nothing: it is valid.
    Unneeded,
    /// Another reference, which is valid.
    Made(Repaired),
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

    /// Repairs an input, unless it is valid under `standard`. Before a reference that has no
    /// scheme is repaired, `base` returns what it will be resolved against.
    pub(crate) fn of(
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
        let repaired = match base() {
            Some(base) => repair_for(text, &base),
            None => repair(text),
        };
        match repaired {
            Ok(repaired) => Self::Made(repaired),
            Err(error) => Self::Failed(Unrepaired::Rejected(error)),
        }
    }

    /// What it was repaired to.
    pub(crate) const fn made(&self) -> Option<&Repaired> {
        match self {
            Self::Made(repaired) => Some(repaired),
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
        if let Self::Made(repaired) = &mut self {
            for change in &mut repaired.changes {
                change.offset += prefix;
            }
        }
        self
    }
}
