//! An input that `--guess` or `--lenient` changed, and the changes.

use urikit::op::{Repair, Repaired};

/// Another text in the place of an input.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) text: String,
    /// In order; the offsets count in the input.
    pub(crate) changes: Vec<Change>,
    /// Whether a scheme was guessed.
    pub(crate) is_guessed: bool,
    /// Whether the rest was changed too.
    pub(crate) is_repaired: bool,
}

/// One change.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Where it was made, in bytes.
    pub(crate) offset: usize,
    /// The text that was there.
    pub(crate) found: String,
    /// What it became.
    pub(crate) became: String,
}

impl Change {
    /// The text with this change.
    pub(super) fn apply(&self, text: &str) -> String {
        let (before, rest) = text.split_at_checked(self.offset).unwrap_or((text, ""));
        let after = rest.get(self.found.len()..).unwrap_or_default();
        [before, &self.became, after].concat()
    }
}

impl Changed {
    /// The text with a guessed scheme.
    pub(super) fn guessed(text: String, guess: Change) -> Self {
        Self {
            text,
            changes: vec![guess],
            is_guessed: true,
            is_repaired: false,
        }
    }

    /// The same text, without the list of changes.
    pub(crate) fn without_changes(&self) -> Self {
        Self {
            text: self.text.clone(),
            changes: Vec::new(),
            ..*self
        }
    }

    /// The repairs that were made after the scheme was guessed.
    pub(super) fn guessed_and_repaired(repaired: Repaired, guess: Change) -> Self {
        let mut changed = Self::from(repaired);
        for change in &mut changed.changes {
            if change.offset > guess.offset {
                change.offset -= guess.became.len();
            }
        }
        let at = changed
            .changes
            .partition_point(|change| change.offset < guess.offset);
        changed.changes.insert(at, guess);
        changed.is_guessed = true;
        changed
    }
}

impl From<Repaired> for Changed {
    fn from(repaired: Repaired) -> Self {
        Self {
            is_guessed: false,
            is_repaired: !repaired.changes.is_empty(),
            changes: repaired.changes.into_iter().map(Change::from).collect(),
            text: repaired.reference.into_string(),
        }
    }
}

impl From<Repair> for Change {
    fn from(repair: Repair) -> Self {
        Self {
            offset: repair.offset,
            found: repair.found,
            became: repair.became,
        }
    }
}
