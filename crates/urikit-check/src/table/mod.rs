//! The links in a run in compact form: 32 bytes for each link, and each distinct string once.

mod strings;

pub(crate) use strings::{StringId, Strings};

use crate::fragment::Sought;
use crate::{Finding, Outcome};
use std::collections::BTreeMap;

/// A link, without its strings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkRecord {
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The offset in the document; [`u32::MAX`] if the reference has no range.
    pub(crate) start: u32,
    pub(crate) length: u32,
    /// The reference as written.
    pub(crate) reference: StringId,
    /// The number of the request; [`u32::MAX`] if the reference has no target.
    pub(crate) request: u32,
    /// The fragment; [`StringId::NONE`] if the target has none.
    pub(crate) fragment: StringId,
    pub(crate) state: LinkState,
    pub(crate) flags: u8,
}

impl LinkRecord {
    /// The path leads out of the site.
    pub(crate) const OUTSIDE: u8 = 1;
    /// Parsers disagree about the reference.
    pub(crate) const AMBIGUOUS: u8 = 2;

    pub(crate) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The facts about a link that do not depend on its request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkState {
    /// The link has the outcome of its request.
    Requested,
    /// A comment in the document, an option or the markup excludes the link.
    Excluded,
    /// The reference is not valid, and cannot be repaired.
    Invalid,
    /// The reference is relative, and its document has no base.
    NoBase,
    /// The link refers to an existing part of the same message.
    Part,
}

const _: () = assert!(size_of::<LinkRecord>() == 32);

/// A request, and the answer once it is known.
#[allow(clippy::struct_excessive_bools)] // independent facts
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: StringId,
    pub(crate) answer: Answer,
    /// True if a link that is not excluded has this target.
    pub(crate) is_wanted: bool,
    /// True if a link has a fragment.
    pub(crate) has_fragments: bool,
    /// True once the target has been passed to the prober.
    pub(crate) is_requested: bool,
    /// True if the request asked for the content.
    pub(crate) is_sought: bool,
}

/// The answer to a request. Most targets exist, and the answer for such a target needs no
/// additional memory.
#[derive(Default, Debug)]
pub(crate) enum Answer {
    #[default]
    Pending,
    Ok,
    Other(Box<Answered>),
}

/// An answer that contains more than the outcome ok.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) outcome: Outcome,
    pub(crate) findings: Vec<Finding>,
    pub(crate) redirected: Option<String>,
    /// The correct path of the URL, if its case is wrong.
    pub(crate) right_case: Option<String>,
}

impl Answer {
    /// Returns true if the target exists.
    pub(crate) fn is_ok(&self) -> bool {
        match self {
            Self::Pending => false,
            Self::Ok => true,
            Self::Other(other) => other.outcome == Outcome::Ok,
        }
    }
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ok => Self::Ok,
            outcome => Self::Other(Box::new(Answered {
                outcome,
                findings: Vec::new(),
                redirected: None,
                right_case: None,
            })),
        }
    }
}

/// The strings and targets of a run.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(crate) strings: Strings,
    pub(crate) targets: Vec<Target>,
    /// Maps the number of a string to the number of the target with that URL.
    target_of: Vec<u32>,
    /// The fragments of the links to check, each with the number of its target; the result is
    /// `None` before the search.
    pub(crate) fragments: BTreeMap<(u32, StringId), Option<Sought>>,
}

impl Table {
    /// Returns the number of the target with this URL, and adds it if it is new. Returns
    /// [`u32::MAX`] if the table is full.
    pub(crate) fn target(&mut self, url: &str) -> u32 {
        let url = self.strings.intern(url);
        if url == StringId::NONE {
            return u32::MAX;
        }
        if self.target_of.len() <= url.index() {
            self.target_of.resize(url.index() + 1, u32::MAX);
        }
        let Some(slot) = self.target_of.get_mut(url.index()) else {
            return u32::MAX;
        };
        if *slot == u32::MAX {
            *slot = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
            self.targets.push(Target {
                url,
                answer: Answer::Pending,
                is_wanted: false,
                has_fragments: false,
                is_requested: false,
                is_sought: false,
            });
        }
        *slot
    }

    pub(crate) fn get(&self, target: u32) -> Option<&Target> {
        self.targets.get(target as usize)
    }

    /// Returns the URL of a target, or an empty string if the number is [`u32::MAX`].
    pub(crate) fn url(&self, target: u32) -> &str {
        self.get(target)
            .map_or("", |target| self.strings.get(target.url))
    }
}

/// Splits a URL into the part before the fragment and the fragment. An empty fragment counts as
/// none.
pub(crate) fn split_fragment(url: &str) -> (&str, Option<&str>) {
    let (url, fragment) = url.split_once('#').unwrap_or((url, ""));
    (url, Some(fragment).filter(|fragment| !fragment.is_empty()))
}
